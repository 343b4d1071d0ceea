// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: the lines
 * of a thread in /proc/PID/sched.
 */
#include <linux/mmu_context.h>
#include <linux/seq_file.h>

#include <trace/events/sched_cache.h>

#include "../sched.h"
#include "cgroup.h"
#include "group.h"
#include "home.h"
#include "llc.h"
#include "place.h"

/* By enum sched_cache_reason, in its order. */
static const struct trace_print_flags reasons[] = { SCHED_CACHE_REASONS };

static const char * const moves[SCHED_CACHE_NR_MOVES] = {
	[SCHED_CACHE_FORK]	= "llc_moves_fork",
	[SCHED_CACHE_WAKE]	= "llc_moves_wake",
	[SCHED_CACHE_PUSH]	= "llc_moves_push",
	[SCHED_CACHE_SPREAD]	= "llc_moves_spread",
};

static void show_text(struct seq_file *m, const char *name, const char *text)
{
	seq_printf(m, "%-45s:%21s\n", name, text);
}

static void show_number(struct seq_file *m, const char *name, unsigned long n)
{
	seq_printf(m, "%-45s:%21lu\n", name, n);
}

static const char *state_of(const struct task_struct *p, unsigned long home)
{
	/* Until it leaves its group. */
	if (!sched_cache_wanted(p))
		return "off";
	if (sched_cache_is_exempt(p))
		return "exempt";
	if (!home)
		return "homeless";
	return sched_cache_in(home, sched_cache_llc_of(task_cpu(p))) ? "home"
								      : "away";
}

static void show_home(struct seq_file *m, unsigned long home)
{
	char list[64] = "none";

	if (home)
		scnprintf(list, sizeof(list), "%*pbl", BITS_PER_LONG, &home);
	show_text(m, "llc_home", list);
}

/* Where the group runs: threads on average, by LLC, and what part of it at home. */
static void show_run(struct seq_file *m, struct sched_cache_group *g,
		     unsigned long home)
{
	u64 all = 0, at_home = 0;
	char name[16];
	u32 run, centi;

	for (int i = 0; i < g->nr_shares; i++) {
		run = sched_cache_slot_threads(&g->shares[i].run);
		all += run;
		if (sched_cache_in(home, i))
			at_home += run;
		centi = sched_cache_centi(run);
		if (!centi)
			continue;
		scnprintf(name, sizeof(name), "llc_run_%d", i);
		seq_printf(m, "%-45s:%18u.%02u\n", name, centi / 100, centi % 100);
	}
	show_number(m, "llc_home_pct", all ? div64_u64(100 * at_home, all) : 0);
}

/**
 * sched_cache_show_task - what the feature has made of a thread
 * @p:	the thread
 * @m:	its file /proc/PID/sched
 */
void sched_cache_show_task(struct task_struct *p, struct seq_file *m)
{
	struct sched_cache_group *g;
	unsigned long home;

	/* A thread that sleeps has not heard of it yet. */
	scoped_guard(raw_spinlock_irqsave, &p->pi_lock)
		sched_cache_heed_cgroup(p);

	guard(rcu)();
	g = sched_cache_group_of(p);
	if (!g) {
		show_text(m, "llc_state",
			  sched_cache_wanted(p) ? "single" : "off");
		return;
	}
	home = READ_ONCE(g->home);
	show_text(m, "llc_state", state_of(p, home));
	show_home(m, home);
	show_number(m, "llc_processes", atomic_read(&g->mms));
	show_text(m, "llc_reason", reasons[READ_ONCE(g->reason)].name);
	show_run(m, g, home);
	for (int i = 0; i < SCHED_CACHE_NR_MOVES; i++)
		show_number(m, moves[i], READ_ONCE(p->sched_cache.moves[i]));
}

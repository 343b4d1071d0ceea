// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: what the
 * kernel checks of itself with CONFIG_SCHED_CACHE_DEBUG.
 *
 *	references	those who took one to a group hold one,
 *				refs  >=  tasks + mms
 *			no more tasks point to it than took one, and it is gone
 *			soon after the last was given back
 *	homes		LLCs that the group knows, all on one node
 *	LLCs		a CPU is on the one that its index says, and each has
 *			as many CPUs with a domain as are counted
 *
 * What changes is checked where it changes, everything when llc_status is read.
 * A reference is counted here after it was taken and until before it is given
 * back, and a task points to its group in between. So each comparison holds at
 * any time, whatever other CPUs do.
 *
 * Other files check what they know with sched_cache_check().
 */
#include <linux/cpu.h>
#include <linux/mmu_context.h>
#include <linux/seq_file.h>

#include "../sched.h"
#include "debug.h"
#include "group.h"
#include "llc.h"

/*
 * From the end of the last reference that is counted here to the end of the
 * group: two lines of code, unless a task is preempted between them.
 */
#define ORPHAN_JIFFIES	HZ

static atomic_t violations;

/* All groups, and what is counted of them. */
static LIST_HEAD(groups);
static DEFINE_RAW_SPINLOCK(groups_lock);

/* One recount at a time. */
static DEFINE_MUTEX(recount_mutex);

void sched_cache_violated(void)
{
	atomic_inc(&violations);
}

/* How many references does @g have that are counted here? */
static int nr_counted(const struct sched_cache_group *g)
{
	return g->debug.tasks + g->debug.mms;
}

static int nr_refs(const struct sched_cache_group *g)
{
	return refcount_read(&g->refs);
}

/* Whoever made it holds its only reference. */
void sched_cache_debug_add(struct sched_cache_group *g)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&groups_lock, flags);
	g->debug.orphaned = jiffies;
	list_add(&g->debug.node, &groups);
	raw_spin_unlock_irqrestore(&groups_lock, flags);
}

void sched_cache_debug_remove(struct sched_cache_group *g)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&groups_lock, flags);
	sched_cache_check(!nr_counted(g));
	list_del(&g->debug.node);
	raw_spin_unlock_irqrestore(&groups_lock, flags);
}

/* Somebody has taken a reference, one more of @count. */
static void count_take(struct sched_cache_group *g, int *count)
{
	lockdep_assert_held(&groups_lock);
	(*count)++;
	sched_cache_check(nr_refs(g) >= nr_counted(g));
}

/* Somebody is about to give one of @count back. */
static void count_drop(struct sched_cache_group *g, int *count)
{
	lockdep_assert_held(&groups_lock);
	(*count)--;
	sched_cache_check(*count >= 0);
	sched_cache_check(nr_refs(g) > nr_counted(g));
	if (!nr_counted(g))
		g->debug.orphaned = jiffies;
}

void sched_cache_debug_attach(struct sched_cache_group *g)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&groups_lock, flags);
	count_take(g, &g->debug.tasks);
	g->debug.changed = true;
	raw_spin_unlock_irqrestore(&groups_lock, flags);
}

void sched_cache_debug_detach(struct sched_cache_group *g)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&groups_lock, flags);
	count_drop(g, &g->debug.tasks);
	g->debug.changed = true;
	raw_spin_unlock_irqrestore(&groups_lock, flags);
}

void sched_cache_debug_mm_join(struct sched_cache_group *g)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&groups_lock, flags);
	count_take(g, &g->debug.mms);
	raw_spin_unlock_irqrestore(&groups_lock, flags);
}

void sched_cache_debug_mm_exit(struct sched_cache_group *g)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&groups_lock, flags);
	count_drop(g, &g->debug.mms);
	raw_spin_unlock_irqrestore(&groups_lock, flags);
}

static bool is_one_node(unsigned long home)
{
	unsigned int i;

	for_each_set_bit(i, &home, BITS_PER_LONG) {
		if (sched_cache_llc(i)->node != sched_cache_node_of(home))
			return false;
	}
	return true;
}

/**
 * sched_cache_debug_home - check a home
 * @g:		the group
 * @home:	what it has, or is about to get
 */
void sched_cache_debug_home(const struct sched_cache_group *g,
			    unsigned long home)
{
	bool known = fls_long(home) <= g->nr_shares;

	sched_cache_check(known);
	sched_cache_check(g->nr_shares <= sched_cache_nr_llcs());
	sched_cache_check(!known || is_one_node(home));
}

static void begin_recount(void)
{
	struct sched_cache_group *g;
	unsigned long flags;

	raw_spin_lock_irqsave(&groups_lock, flags);
	list_for_each_entry(g, &groups, debug.node) {
		g->debug.seen = 0;
		g->debug.changed = false;
	}
	raw_spin_unlock_irqrestore(&groups_lock, flags);
}

/* Tasks that begin or have ended are not in the list, but count as they should. */
static void see_tasks(void)
{
	struct task_struct *process, *p;
	struct sched_cache_group *g;

	guard(rcu)();
	for_each_process_thread(process, p) {
		g = sched_cache_group_of(p);
		if (g)
			g->debug.seen++;
	}
}

static void end_recount(void)
{
	struct sched_cache_group *g;
	unsigned long flags;

	raw_spin_lock_irqsave(&groups_lock, flags);
	list_for_each_entry(g, &groups, debug.node) {
		sched_cache_check(nr_refs(g) >= nr_counted(g));
		sched_cache_check(g->debug.changed ||
				  g->debug.seen <= g->debug.tasks);
		sched_cache_check(nr_counted(g) ||
				  time_before(jiffies, g->debug.orphaned +
						       ORPHAN_JIFFIES));
		sched_cache_debug_home(g, READ_ONCE(g->home));
	}
	raw_spin_unlock_irqrestore(&groups_lock, flags);
}

static void recount_groups(void)
{
	guard(mutex)(&recount_mutex);
	begin_recount();
	see_tasks();
	end_recount();
}

static void recount_llcs(void)
{
	const struct sched_cache_llc *llc;
	unsigned int balanced;
	int cpu, i;

	guard(cpus_read_lock)();
	guard(mutex)(&sched_domains_mutex);
	for (i = 0; i < sched_cache_nr_llcs(); i++) {
		llc = sched_cache_llc(i);
		sched_cache_check(llc->nr_cores <= llc->nr_cpus);
		balanced = 0;
		for_each_cpu(cpu, sched_cache_llc_cpus(llc)) {
			sched_cache_check(sched_cache_llc_of(cpu) == i);
			balanced += cpu_active(cpu) &&
				    rcu_access_pointer(cpu_rq(cpu)->sd);
		}
		sched_cache_check(llc->nr_cpus == balanced);
	}
}

/**
 * sched_cache_debug_show - recount, and tell how often something was wrong
 * @m:	llc_status
 */
void sched_cache_debug_show(struct seq_file *m)
{
	recount_groups();
	recount_llcs();
	seq_printf(m, "violations: %d\n", atomic_read(&violations));
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: the
 * choice of a home, from numbers to one index. How threads get there is in
 * place.c; the comparisons are in policy.h.
 *
 * A home is rethought when a thread is born, while the group is young, and
 * then once an epoch. Both ask the same question: of the LLCs that hold the
 * group, which is best, and is it worth leaving home for? An LLC holds a group
 * if its running threads and its working set fit:
 *
 *	need      <=  limit(LLC) * tolerance  + slack
 *	footprint <=  bytes(LLC) * tolerance
 *
 *	need   = the sum of the group's occupancies
 *	others = the larger of	busy    - the group's own occupancy
 *			and	claimed - the group's own claim
 *	room   = limit(LLC) - others
 *
 * busy is what runs on the LLC now. claimed is what groups at home there need:
 * of two groups that look for room at the same time, the second sees what the
 * first is about to take.
 *
 * Example: 4 threads of a group run on an LLC of 4 cores where a stranger keeps
 * one core busy: own 3.0, busy 4.0, so room 3.0 and lack 1.0; the group moves
 * if another LLC has room for 4.
 */
#include <linux/mm.h>
#include <linux/mmu_context.h>

#include "../sched.h"
#include "group.h"
#include "home.h"
#include "knobs.h"
#include "llc.h"
#include "policy.h"

/*
 * While a group is young its occupancy says too little, and its threads are
 * counted instead: three epochs bring a decayed average to 7/8.
 */
#define YOUNG_EPOCHS	3

/* What the choice rests on, the same for all LLCs. */
struct wish {
	int		home;		/* where the group is now */
	int		here;		/* where a young group's threads start */
	int		node;		/* look for room on this one only */
	u32		need;
	unsigned long	footprint;	/* bytes */
};

static bool is_young(const struct sched_cache_group *g)
{
	return time_before(jiffies,
			   g->created + YOUNG_EPOCHS * sched_cache_epoch());
}

#ifdef CONFIG_NUMA_BALANCING
/**
 * sched_cache_node_allows - NUMA placement comes before the LLC
 * @p:		a task
 * @node:	the node of a home
 *
 * Return: NUMA balancing does not want @p on another node.
 */
bool sched_cache_node_allows(const struct task_struct *p, int node)
{
	return p->numa_preferred_nid == NUMA_NO_NODE ||
	       p->numa_preferred_nid == node;
}

/*
 * Pages that fault again and again, where NUMA balancing counts them, leave
 * out what a process keeps but does not use.
 */
static unsigned long pages_in_use(struct task_struct *p)
{
	unsigned long rss = get_mm_rss(p->mm), faults = p->total_numa_faults;

	return faults ? min(rss, faults) : rss;
}
#else
bool sched_cache_node_allows(const struct task_struct *p, int node)
{
	return true;
}

static unsigned long pages_in_use(struct task_struct *p)
{
	return get_mm_rss(p->mm);
}
#endif

/**
 * sched_cache_llc_limit - how many running threads make an LLC full
 * @llc:	an LLC
 *
 * Return: threads in units of SCHED_CACHE_THREAD, 0 if all CPUs are offline.
 */
u32 sched_cache_llc_limit(const struct sched_cache_llc *llc)
{
	return sched_cache_limit(READ_ONCE(llc->nr_cpus),
				 READ_ONCE(llc->nr_cores),
				 READ_ONCE(sched_cache_knobs.overload_pct));
}

/* Is the LLC large enough for the group, were it empty? */
static bool holds(const struct sched_cache_llc *llc, const struct wish *w,
		  bool at_home)
{
	u32 tolerance = READ_ONCE(sched_cache_knobs.aggr_tolerance);
	u32 limit = sched_cache_llc_limit(llc);

	if (!limit || !tolerance)
		return false;
	if (tolerance >= SCHED_CACHE_TOLERATE_ALL)
		return true;
	if (llc->bytes &&
	    w->footprint > sched_cache_tolerate(llc->bytes, tolerance))
		return false;
	return sched_cache_fits(w->need, sched_cache_tolerate(limit, tolerance),
				at_home);
}

static struct sched_cache_candidate
candidate(struct sched_cache_group *g, const struct wish *w, int index)
{
	struct sched_cache_llc *llc = sched_cache_llc(index);
	u32 limit = sched_cache_llc_limit(llc), need = min(w->need, limit);
	struct sched_cache_candidate c = { .index = SCHED_CACHE_NO_LLC };
	u32 busy, claimed, others;

	if (!holds(llc, w, index == w->home))
		return c;

	c.own = sched_cache_slot_threads(&g->slots[index]);
	if (index == w->here)
		c.own = max(c.own, SCHED_CACHE_THREAD);
	if (llc->node != w->node && !c.own)
		return c;

	busy = sched_cache_llc_busy(llc);
	claimed = sched_cache_slot_threads(&llc->claimed);
	if (index == w->home)
		claimed -= min(claimed, sched_cache_slot_threads(&g->claimed));
	others = max(busy - min(busy, c.own), claimed);

	c.index = index;
	c.room = limit - min(limit, others);
	c.lack = need - min(need, c.room);
	return c;
}

/* Return: the home that @p's group should have. */
static int choose(struct sched_cache_group *g, const struct wish *w,
		  struct task_struct *p)
{
	struct sched_cache_candidate home = { .index = SCHED_CACHE_NO_LLC };
	struct sched_cache_candidate best = home, c;

	for (int i = 0; i < g->nr_slots; i++) {
		c = candidate(g, w, i);
		if (c.index < 0)
			continue;
		if (i == w->home)
			home = c;
		if (sched_cache_better(&c, &best))
			best = c;
	}

	if (best.index < 0)
		return best.index;
	/* A thread that may not go there is not the one to say. */
	if (!sched_cache_node_allows(p, sched_cache_llc(best.index)->node) ||
	    !cpumask_intersects(sched_cache_llc_cpus(sched_cache_llc(best.index)),
				p->cpus_ptr))
		return home.index;
	if (home.index < 0 || sched_cache_should_move(&home, &best))
		return best.index;
	return home.index;
}

/*
 * Tell other groups what will run at home during the next epoch. The group
 * keeps its part, so that it never takes a claim of its own, of which a late
 * scan may make two in an epoch, for somebody else's.
 */
static void claim(struct sched_cache_group *g, int index, u32 need)
{
	u64 us = div_u64((u64)sched_cache_epoch() * TICK_USEC * need,
			 SCHED_CACHE_THREAD);

	sched_cache_slot_add(&sched_cache_llc(index)->claimed, us, need);
	sched_cache_slot_add(&g->claimed, us, need);
}

/* Return: the home, which another CPU may change again. */
static int rethink(struct sched_cache_group *g, struct task_struct *p, u32 need)
{
	int cpu = raw_smp_processor_id(), home;
	struct wish w = {
		.home = READ_ONCE(g->home),
		.here = is_young(g) ? sched_cache_llc_of(cpu)
				    : SCHED_CACHE_NO_LLC,
		.need = need,
		.footprint = pages_in_use(p) << PAGE_SHIFT,
	};

	w.node = w.home >= 0 ? sched_cache_llc(w.home)->node : cpu_to_node(cpu);
	home = choose(g, &w, p);
	if (home != w.home)
		atomic64_set(&g->claimed.word, 0);
	WRITE_ONCE(g->need, need);
	WRITE_ONCE(g->home, home);
	return home;
}

/**
 * sched_cache_home_fork - rethink the home of a young group
 * @g:	the group
 * @p:	current, which is about to have one more thread
 *
 * All threads but @p count, whether they will run or not: threads must not be
 * drawn together before it is known how many there are, and one that starts
 * others mostly waits for them.
 */
void sched_cache_home_fork(struct sched_cache_group *g, struct task_struct *p)
{
	u32 need = get_nr_threads(p) * SCHED_CACHE_THREAD;
	int before = READ_ONCE(g->home), home;

	if (!is_young(g))
		return;

	home = rethink(g, p, need);
	if (home >= 0)
		claim(g, home, home == before ? SCHED_CACHE_THREAD : need);
}

/**
 * sched_cache_home_scan - rethink the home of a group
 * @g:	the group
 * @p:	current, a thread of it, the only one to scan in this epoch
 *
 * O(LLCs). An average that still grows is not trusted alone.
 */
void sched_cache_home_scan(struct sched_cache_group *g, struct task_struct *p)
{
	u32 need = 0;
	int home;

	for (int i = 0; i < g->nr_slots; i++)
		need += sched_cache_slot_threads(&g->slots[i]);
	if (is_young(g))
		need = max(need, (get_nr_threads(p) - 1) * SCHED_CACHE_THREAD);

	home = rethink(g, p, need);
	if (home >= 0)
		claim(g, home, need);
}

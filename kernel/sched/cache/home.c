// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: the
 * choice of a home, from numbers to a set of LLCs. How threads get there is in
 * place.c; the comparisons are in policy.h.
 *
 * A home is rethought when a young group gets more threads than it was thought
 * to have, and then once an epoch, four times while it is young. Both ask the
 * same question: which are the fewest LLCs of one node that hold the group,
 * which of them are best, and is it worth leaving home for? LLCs hold a group
 * if its running threads fit,
 *
 *	need      <=  sum of limit(LLC) * tolerance  + slack
 *
 * and are its home if its working set fits them, too:
 *
 *	footprint <=  sum of bytes(LLC) * tolerance
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
 * if another LLC has room for 4. With 6 threads it gets two LLCs, those where
 * most of it runs. With 16 threads on a machine of 16 cores it has no home: all
 * LLCs together are none.
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
	unsigned long	home;		/* where the group is now */
	int		here;		/* where a young group's threads start */
	int		partner;	/* where those run who wake it up */
	bool		close;		/* they do so often */
	int		node;		/* look for room on this one only */
	const struct cpumask *within;	/* and on CPUs of these, NULL for all */
	u32		need;
	unsigned long	footprint;	/* bytes */
};

static bool is_young(const struct sched_cache_group *g)
{
	return time_before(jiffies,
			   g->created + YOUNG_EPOCHS * sched_cache_epoch());
}

/**
 * sched_cache_scan_period - how often the home of a group is rethought
 * @g:	the group
 *
 * A young group's working set grows fast, and its threads were drawn together
 * before anything was known of it.
 *
 * Return: jiffies, at least 1.
 */
unsigned int sched_cache_scan_period(const struct sched_cache_group *g)
{
	return is_young(g) ? DIV_ROUND_UP(sched_cache_epoch(), 4)
			   : sched_cache_epoch();
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

/* How many running threads is the LLC home to, were it empty? */
static u32 capacity(const struct sched_cache_llc *llc)
{
	u32 tolerance = READ_ONCE(sched_cache_knobs.aggr_tolerance);
	u32 limit = sched_cache_llc_limit(llc);

	if (!limit || !tolerance)
		return 0;
	if (tolerance >= SCHED_CACHE_TOLERATE_ALL)
		return U32_MAX / SCHED_CACHE_MAX_LLCS;
	return min(sched_cache_tolerate(limit, tolerance),
		   U32_MAX / SCHED_CACHE_MAX_LLCS);
}

static u32 capacity_of(unsigned long home)
{
	u32 sum = 0;
	unsigned int i;

	for_each_set_bit(i, &home, BITS_PER_LONG)
		sum += capacity(sched_cache_llc(i));
	return sum;
}

/* Does the working set fit? It does where the machine does not tell. */
static bool caches_fit(unsigned long home, unsigned long footprint)
{
	u32 tolerance = READ_ONCE(sched_cache_knobs.aggr_tolerance);
	unsigned long bytes = 0;
	unsigned int i;

	if (!tolerance)
		return false;
	if (tolerance >= SCHED_CACHE_TOLERATE_ALL)
		return true;
	for_each_set_bit(i, &home, BITS_PER_LONG) {
		if (!sched_cache_llc(i)->bytes)
			return true;
		bytes += sched_cache_llc(i)->bytes;
	}
	return footprint <= sched_cache_tolerate(bytes, tolerance);
}

/* What does not fit in any case lacks nowhere. */
static u32 lack(const struct sched_cache_candidate *c, u32 need)
{
	need = min(need, c->limit);
	return need - min(need, c->room);
}

/* The LLC @index as a home of @g, or a part of it. */
static struct sched_cache_candidate
candidate(struct sched_cache_group *g, const struct wish *w, int index)
{
	struct sched_cache_llc *llc = sched_cache_llc(index);
	struct sched_cache_candidate c = { .limit = sched_cache_llc_limit(llc) };
	struct sched_cache_share *share = &g->shares[index];
	u32 busy, claimed, others;

	c.own = sched_cache_slot_threads(&share->run);
	if (index == w->here)
		c.own = max(c.own, SCHED_CACHE_THREAD);
	if (!c.limit || (w->within && !cpumask_intersects(sched_cache_llc_cpus(llc),
							  w->within)))
		return c;

	busy = sched_cache_llc_busy(llc);
	claimed = sched_cache_slot_threads(&llc->claimed);
	claimed -= min(claimed, sched_cache_slot_threads(&share->claimed));
	others = max(busy - min(busy, c.own), claimed);

	c.home = BIT(index);
	c.room = c.limit - min(c.limit, others);
	c.lack = lack(&c, w->need);
	return c;
}

/* Two as one home. */
static struct sched_cache_candidate
combine(const struct sched_cache_candidate *a,
	const struct sched_cache_candidate *b, u32 need)
{
	struct sched_cache_candidate c = {
		.home = a->home | b->home,
		.limit = a->limit + b->limit,
		.own = a->own + b->own,
		.room = a->room + b->room,
	};

	c.lack = lack(&c, need);
	return c;
}

/* May the LLC @index join @set, or be the first? */
static bool may_join(struct sched_cache_group *g, const struct wish *w,
		     unsigned long set, int index)
{
	int node = sched_cache_llc(index)->node;

	if (set)
		return !sched_cache_in(set, index) &&
		       node == sched_cache_node_of(set);
	return node == w->node || sched_cache_slot_threads(&g->shares[index].run);
}

/* The best LLC to add to @set, on its node if it is not empty. */
static struct sched_cache_candidate
best_beside(struct sched_cache_group *g, const struct wish *w,
	    unsigned long set)
{
	struct sched_cache_candidate best = {}, c;

	for (int i = 0; i < g->nr_shares; i++) {
		if (!may_join(g, w, set, i))
			continue;
		c = candidate(g, w, i);
		if (c.home && sched_cache_better(&c, &best))
			best = c;
	}
	return best;
}

/* Does the group find its place, and near a partner not only on paper? */
static bool holds(const struct sched_cache_candidate *set, const struct wish *w)
{
	return sched_cache_fits(w->need, capacity_of(set->home), false) &&
	       (!w->close || !sched_cache_lacks(set));
}

static unsigned long llcs_of_node(int node)
{
	unsigned long llcs = 0;

	for (int i = 0; i < sched_cache_nr_llcs(); i++) {
		if (sched_cache_llc(i)->node == node)
			llcs |= BIT(i);
	}
	return llcs;
}

/* The fewest LLCs of one node that hold the group; none if it does not. */
static struct sched_cache_candidate
fewest(struct sched_cache_group *g, const struct wish *w)
{
	struct sched_cache_candidate set = {}, none = {}, next;
	unsigned long all;

	if (w->partner >= 0)
		set = candidate(g, w, w->partner);
	if (!set.home)
		set = best_beside(g, w, 0);
	if (!set.home)
		return none;
	/* No need to try one after the other if all are too few. */
	all = llcs_of_node(sched_cache_node_of(set.home));
	if (!sched_cache_fits(w->need, capacity_of(all), false))
		return none;
	while (!holds(&set, w)) {
		next = best_beside(g, w, set.home);
		if (!next.home)
			return none;
		set = combine(&set, &next, w->need);
	}
	return set;
}

/* The home as it is, none if it does not hold the group any more. */
static struct sched_cache_candidate
present(struct sched_cache_group *g, const struct wish *w)
{
	struct sched_cache_candidate set = {}, c;
	unsigned int i;

	/* A working set that comes and goes by a fifth is the same. */
	if (!sched_cache_fits(w->need, capacity_of(w->home), true) ||
	    !caches_fit(w->home, w->footprint - w->footprint / 5))
		return set;
	for_each_set_bit(i, &w->home, BITS_PER_LONG) {
		c = candidate(g, w, i);
		set = set.home ? combine(&set, &c, w->need) : c;
	}
	return set;
}

/* A thread that may not go there is not the one to say that its group should. */
static bool may_go(const struct task_struct *p, unsigned long home)
{
	unsigned int i;

	for_each_set_bit(i, &home, BITS_PER_LONG) {
		if (!sched_cache_node_allows(p, sched_cache_llc(i)->node) ||
		    !cpumask_intersects(sched_cache_llc_cpus(sched_cache_llc(i)),
					p->cpus_ptr))
			return false;
	}
	return true;
}

/* A home of all LLCs would keep nothing together. */
static bool is_everywhere(unsigned long home)
{
	return hweight_long(home) >= sched_cache_nr_active_llcs();
}

static bool should_shrink(const struct sched_cache_group *g, u32 need,
			  unsigned long home)
{
	return READ_ONCE(g->too_large) > SCHED_CACHE_SHRINK_SCANS ||
	       need + SCHED_CACHE_SLACK_SHRINK <= capacity_of(home);
}

/* Return: the home that @p's group should have. */
static unsigned long choose(struct sched_cache_group *g, const struct wish *w,
			    struct task_struct *p)
{
	struct sched_cache_candidate home = present(g, w), best = fewest(g, w);
	struct wish within = *w;
	int grown;

	/* Better a home among its own CPUs than none. */
	if (!home.home && best.home && !may_go(p, best.home)) {
		within.within = p->cpus_ptr;
		best = fewest(g, &within);
	}
	if (!best.home || is_everywhere(best.home) ||
	    !caches_fit(best.home, w->footprint) || !may_go(p, best.home))
		return home.home;
	if (!home.home)
		return best.home;

	if (w->partner >= 0 && !sched_cache_lacks(&best) &&
	    (sched_cache_lacks(&home) ||
	     !sched_cache_in(home.home, w->partner)))
		return best.home;

	grown = hweight_long(best.home) - hweight_long(home.home);
	WRITE_ONCE(g->too_large, grown < 0 ? READ_ONCE(g->too_large) + 1 : 0);
	if (grown < 0 ? should_shrink(g, w->need, best.home)
		      : !grown && sched_cache_should_move(&home, &best))
		return best.home;
	return home.home;
}

/*
 * Tell other groups what will run at home during the next @period jiffies. The
 * group keeps its part, so that it never takes a claim of its own, of which a
 * late scan may make two in an epoch, for somebody else's.
 */
static void claim(struct sched_cache_group *g, unsigned long home, u32 need,
		  unsigned int period)
{
	u32 part = need / hweight_long(home);
	u64 us = div_u64((u64)period * TICK_USEC * part, SCHED_CACHE_THREAD);
	unsigned int i;

	for_each_set_bit(i, &home, BITS_PER_LONG) {
		sched_cache_slot_add(&sched_cache_llc(i)->claimed, us, part);
		sched_cache_slot_add(&g->shares[i].claimed, us, part);
	}
}

static struct wish
wish(struct sched_cache_group *g, struct task_struct *p, u32 need)
{
	int cpu = raw_smp_processor_id();
	struct wish w = {
		.home = READ_ONCE(g->home),
		.here = is_young(g) ? sched_cache_llc_of(cpu)
				    : SCHED_CACHE_NO_LLC,
		.partner = SCHED_CACHE_NO_LLC,
		.need = need,
		.footprint = pages_in_use(p) << PAGE_SHIFT,
	};

	w.node = w.home ? sched_cache_node_of(w.home) : cpu_to_node(cpu);
	return w;
}

/* Return: the home, which another CPU may change again. */
static unsigned long rethink(struct sched_cache_group *g,
			     struct task_struct *p, const struct wish *w)
{
	unsigned long home = choose(g, w, p);

	WRITE_ONCE(g->need, w->need);
	if (home == w->home)
		return home;
	/* The threads were drawn together for a home that does not hold them. */
	if (!home)
		WRITE_ONCE(g->spread_until, jiffies + sched_cache_timeout());
	WRITE_ONCE(g->home, home);
	return home;
}

/* One at a time: whoever comes second finds nothing new. */
static bool start_scan(struct sched_cache_group *g)
{
	return !xchg(&g->scanning, 1);
}

static void finish_scan(struct sched_cache_group *g)
{
	/* Pairs with xchg() in start_scan(): all of this scan before the next. */
	smp_store_release(&g->scanning, 0);
}

/**
 * sched_cache_home_fork - rethink the home of a young group that grows
 * @g:	the group
 * @p:	current, which is about to have one more thread
 *
 * Nothing to do unless it has more threads than ever. All threads but @p count,
 * whether they will run or not: threads must not be drawn together before it is
 * known how many there are, and one that starts others mostly waits for them.
 */
void sched_cache_home_fork(struct sched_cache_group *g, struct task_struct *p)
{
	u32 need = get_nr_threads(p) * SCHED_CACHE_THREAD;
	unsigned long home;
	struct wish w;

	if (!is_young(g) || need <= READ_ONCE(g->need))
		return;
	guard(preempt)();
	if (!start_scan(g))
		return;

	w = wish(g, p, need);
	home = rethink(g, p, &w);
	if (home)
		claim(g, home, home == w.home ? SCHED_CACHE_THREAD : need,
		      sched_cache_epoch());
	finish_scan(g);
}

/*
 * Other programs that the group works with: a client on the same machine, say.
 * How near should they be?
 */
static void find_partner(struct sched_cache_group *g, struct wish *w)
{
	u32 period = jiffies_to_msecs(sched_cache_scan_period(g));
	u32 nr, most = 0, all = 0;
	int index = SCHED_CACHE_NO_LLC;

	for (int i = 0; i < g->nr_shares; i++) {
		nr = atomic_read(&g->shares[i].woken);
		if (!nr)
			continue;
		atomic_sub(DIV_ROUND_UP(nr, SCHED_CACHE_WAKEUPS_DECAY),
			   &g->shares[i].woken);
		all += nr;
		if (nr > most) {
			most = nr;
			index = i;
		}
	}
	if (!sched_cache_is_partner(most, all) ||
	    sched_cache_llc(index)->node != w->node ||
	    candidate(g, w, index).room < SCHED_CACHE_THREAD)
		return;
	w->partner = index;
	w->close = most >= SCHED_CACHE_WAKEUPS_DECAY *
			   SCHED_CACHE_CLOSE_WAKEUPS * period;
}

/**
 * sched_cache_home_scan - rethink the home of a group
 * @g:	the group
 * @p:	current, a thread of it, mostly the only one to scan in this period
 *
 * O(LLCs) for each LLC of the home. An average that still grows is not trusted
 * alone.
 */
void sched_cache_home_scan(struct sched_cache_group *g, struct task_struct *p)
{
	unsigned long home;
	struct wish w;
	u32 need = 0;

	guard(preempt)();
	if (!start_scan(g))
		return;

	for (int i = 0; i < g->nr_shares; i++)
		need += sched_cache_slot_threads(&g->shares[i].run);
	if (is_young(g))
		need = max(need, (get_nr_threads(p) - 1) * SCHED_CACHE_THREAD);

	w = wish(g, p, need);
	find_partner(g, &w);
	home = rethink(g, p, &w);
	if (home)
		claim(g, home, need, sched_cache_scan_period(g));
	finish_scan(g);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: the
 * choice of a home, from numbers to a set of LLCs. How threads get there is in
 * place.c; the comparisons are in policy.h.
 *
 * The question is: which are the fewest LLCs of one node that hold the group,
 * which of them are best, and is it worth leaving home for? An LLC holds a group
 * if the CPUs that it needs are there, and several do if each of its threads
 * finds one,
 *
 *	need      <=  limit(LLC) * tolerance  + slack
 *	present   <=  sum of limit(LLC) * tolerance  + slack
 *
 * and they are its home if its working set fits them, too:
 *
 *	footprint <=  sum of bytes(LLC) * tolerance
 *
 * Within an LLC a thread that wakes up finds any idle CPU; between LLCs it
 * mostly does not, and waits where it was last. So what comes and goes gets
 * several LLCs only if none has to wait. What needs, is present and is used is
 * found out in scan.c.
 *
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
#include "llc.h"
#include "policy.h"

/* How many running threads are these LLCs home to? */
static u32 holds_threads(unsigned long home)
{
	u32 sum = 0;
	unsigned int i;

	for_each_set_bit(i, &home, BITS_PER_LONG)
		sum += READ_ONCE(sched_cache_llc(i)->holds_threads);
	return sum;
}

/* How many bytes? */
static unsigned long holds_bytes(unsigned long home)
{
	unsigned long sum = 0;
	unsigned int i;

	for_each_set_bit(i, &home, BITS_PER_LONG)
		sum += READ_ONCE(sched_cache_llc(i)->holds_bytes);
	return sum;
}

/* How many threads, and bytes, may the group have there? */
static u32 takes_threads(const struct sched_cache_wish *w, unsigned long home)
{
	return w->tolerant ? SCHED_CACHE_MOST_THREADS : holds_threads(home);
}

static unsigned long takes_bytes(const struct sched_cache_wish *w,
				 unsigned long home)
{
	return w->tolerant ? SCHED_CACHE_MOST_BYTES : holds_bytes(home);
}

/* The LLC @index as a home of @g, or a part of it. */
static struct sched_cache_candidate
candidate(struct sched_cache_group *g, const struct sched_cache_wish *w,
	  int index)
{
	struct sched_cache_llc *llc = sched_cache_llc(index);
	struct sched_cache_candidate c = { .limit = READ_ONCE(llc->limit) };
	struct sched_cache_share *share = &g->shares[index];
	struct sched_cache_now now = sched_cache_now();

	c.own = sched_cache_slot_threads_at(&share->run, &now);
	if (index == w->here)
		c.own = max(c.own, SCHED_CACHE_THREAD);
	if (!c.limit || (w->within && !cpumask_intersects(sched_cache_llc_cpus(llc),
							  w->within)))
		return c;

	c.home = BIT(index);
	c.room = sched_cache_room_beside(llc, share, c.limit, c.own, &now);
	c.lack = sched_cache_lack(&c, w->need);
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

	c.lack = sched_cache_lack(&c, need);
	return c;
}

/**
 * sched_cache_has_room - would one thread of a group find a place on an LLC?
 * @g:		the group
 * @w:		what the choice rests on
 * @index:	the LLC
 */
bool sched_cache_has_room(struct sched_cache_group *g,
			  const struct sched_cache_wish *w, int index)
{
	return candidate(g, w, index).room >= SCHED_CACHE_THREAD;
}

/* May the LLC @index join @set, or be the first? */
static bool may_join(struct sched_cache_group *g, const struct sched_cache_wish *w,
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
best_beside(struct sched_cache_group *g, const struct sched_cache_wish *w,
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
static bool holds(const struct sched_cache_candidate *set, const struct sched_cache_wish *w)
{
	u32 places = sched_cache_places(set->home, w->need, w->present);

	return sched_cache_fits(places, takes_threads(w, set->home), false) &&
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
fewest(struct sched_cache_group *g, const struct sched_cache_wish *w)
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
	if (!sched_cache_fits(w->need, takes_threads(w, all), false))
		return none;
	while (!holds(&set, w)) {
		if (w->single)
			return none;
		next = best_beside(g, w, set.home);
		if (!next.home)
			return none;
		set = combine(&set, &next, w->need);
	}
	return set;
}

/* Does the home still hold the threads of the group? */
static bool still_holds(unsigned long home, const struct sched_cache_wish *w)
{
	u32 places = sched_cache_places(home, w->need, w->present);

	return sched_cache_fits(places, takes_threads(w, home), true);
}

/* The home as it is, none if it does not hold the group any more. */
static struct sched_cache_candidate
kept(struct sched_cache_group *g, const struct sched_cache_wish *w)
{
	struct sched_cache_candidate set = {}, c;
	unsigned int i;

	if (!still_holds(w->home, w) ||
	    !sched_cache_bytes_fit(w->footprint, takes_bytes(w, w->home)))
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
		if (!cpumask_intersects(sched_cache_llc_cpus(sched_cache_llc(i)),
					p->cpus_ptr))
			return false;
	}
	return sched_cache_node_allows(p, sched_cache_node_of(home));
}

/* A home of all LLCs would keep nothing together. */
static bool is_everywhere(unsigned long home)
{
	return hweight_long(home) >= sched_cache_nr_active_llcs();
}

static bool should_shrink(const struct sched_cache_group *g,
			  const struct sched_cache_wish *w,
			  const struct sched_cache_candidate *smaller)
{
	u32 places = sched_cache_places(smaller->home, w->need, w->present);

	return sched_cache_should_shrink(smaller, places,
					 takes_threads(w, smaller->home),
					 READ_ONCE(g->too_large));
}

/* Why can a group not be at home on @home, which may be no LLC? */
static enum sched_cache_reason
why_not(unsigned long home, const struct sched_cache_wish *w,
	const struct task_struct *p)
{
	if (!home && w->within)
		return SCHED_CACHE_BY_AFFINITY;
	if (!home || is_everywhere(home))
		return SCHED_CACHE_BY_THREADS;
	if (w->footprint > takes_bytes(w, home))
		return SCHED_CACHE_BY_FOOTPRINT;
	if (may_go(p, home))
		return SCHED_CACHE_BY_NOTHING;
	return sched_cache_node_allows(p, sched_cache_node_of(home)) ?
	       SCHED_CACHE_BY_AFFINITY : SCHED_CACHE_BY_NODE;
}

/* Why does it get one that had none, or none that still holds it? */
static enum sched_cache_reason why_new(const struct sched_cache_wish *w)
{
	if (w->tolerant)
		return SCHED_CACHE_BY_USER;
	if (w->home)
		return still_holds(w->home, w) ? SCHED_CACHE_BY_FOOTPRINT
					       : SCHED_CACHE_BY_THREADS;
	return w->single ? SCHED_CACHE_BY_START : SCHED_CACHE_BY_OCCUPANCY;
}

/* Why is another of the same size better? */
static enum sched_cache_reason
why_moved(const struct sched_cache_candidate *home)
{
	return sched_cache_lacks(home) ? SCHED_CACHE_BY_OVERLOAD
				       : SCHED_CACHE_BY_OCCUPANCY;
}

static struct sched_cache_choice
because(unsigned long home, enum sched_cache_reason reason)
{
	return (struct sched_cache_choice) { .home = home, .reason = reason };
}

/* Another scan found it, or did not. */
static void count_in_a_row(unsigned int *scans, bool found)
{
	WRITE_ONCE(*scans, found ? READ_ONCE(*scans) + 1 : 0);
}

/**
 * sched_cache_choose - the home that a group should have
 * @g:	the group, while nobody else rethinks its home
 * @w:	what the choice rests on
 * @p:	a thread of the group, current
 *
 * O(LLCs), for each LLC of a home of several.
 *
 * Return: the home, 0 for none, and if it is another than before, why.
 */
struct sched_cache_choice
sched_cache_choose(struct sched_cache_group *g, const struct sched_cache_wish *w,
		   const struct task_struct *p)
{
	struct sched_cache_candidate home = kept(g, w), best;
	struct sched_cache_wish new = *w;
	enum sched_cache_reason reason;
	int grown;

	new.need = w->expected;
	new.present = max(w->present, w->expected);
	best = fewest(g, &new);
	/* Better a home among its own CPUs than none. */
	if (!home.home && best.home && !may_go(p, best.home)) {
		new.within = p->cpus_ptr;
		best = fewest(g, &new);
	}
	reason = why_not(best.home, &new, p);
	if (reason)
		return because(home.home, reason);

	/* It has none, or none that holds it any more. */
	if (!home.home)
		return because(best.home, why_new(w));

	if (w->partner >= 0 && !sched_cache_lacks(&best) &&
	    (sched_cache_lacks(&home) ||
	     !sched_cache_in(home.home, w->partner)))
		return because(best.home, SCHED_CACHE_BY_PARTNER);

	grown = hweight_long(best.home) - hweight_long(home.home);
	count_in_a_row(&g->too_large, grown < 0);
	count_in_a_row(&g->lacked, sched_cache_lacks(&home));
	if (grown < 0 && should_shrink(g, &new, &best))
		return because(best.home, SCHED_CACHE_BY_THREADS);
	if (!grown && sched_cache_should_move(&home, &best, READ_ONCE(g->lacked)))
		return because(best.home, why_moved(&home));
	return because(home.home, SCHED_CACHE_BY_NOTHING);
}

/**
 * sched_cache_footprint_matters - does it depend on the footprint whether there
 *				    is a home?
 * @g:		the group
 * @rss:	pages that are resident
 *
 * Not if the resident set fits as it is, or if the threads do not anyway.
 */
bool sched_cache_footprint_matters(const struct sched_cache_group *g,
				   unsigned long rss)
{
	int index = sched_cache_llc_of(raw_smp_processor_id());
	unsigned long here = sched_cache_only(index), node;

	if (!here || rss << PAGE_SHIFT <= holds_bytes(here))
		return false;
	node = llcs_of_node(sched_cache_llc(index)->node);
	if (is_everywhere(node))
		node &= ~here;
	return READ_ONCE(g->need) < holds_threads(node);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: when the
 * home of a group is rethought, and what is known of the group then. Which LLCs
 * it gets is in home.c.
 *
 * A home is rethought when a young group starts more threads than it was thought
 * to have, and then once an epoch, four times while it is young, by one thread
 * of the group. It counts
 *
 *	running   the sum of the group's occupancies: its threads on average
 *	present   threads that ran lately, each as one, whether it slept or not
 *	need      CPUs so that hardly ever a thread of these waits, see policy.h
 *	footprint bytes that the threads use
 *
 * Run time tells late: it takes three epochs to see 7/8 of a thread. A young
 * group is therefore believed to need a CPU for each thread that it started
 * within an epoch, and gets no home that would not hold all of its threads but
 * the one that starts them.
 */
#include <linux/mmu_context.h>

#include <trace/events/sched_cache.h>

#include "../sched.h"
#include "debug.h"
#include "footprint.h"
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

/*
 * The threads but current, which mostly waits for those that it starts. Each mm
 * has a reference, too.
 */
static u32 others(const struct sched_cache_group *g)
{
	int nr = refcount_read(&g->refs) - atomic_read(&g->mms) - 1;

	return max(nr, 0) * SCHED_CACHE_THREAD;
}

/*
 * Pages that are resident. Of several processes nobody knows what they share,
 * and whoever let them join wants them together.
 */
static unsigned long rss_of(const struct sched_cache_group *g,
			    const struct task_struct *p)
{
	return sched_cache_is_joint(g) ? 0 : get_mm_rss(p->mm);
}

/* Is it an epoch since the last threads began to be started? */
static bool starts_are_over(const struct sched_cache_group *g)
{
	return time_after(jiffies,
			  READ_ONCE(g->starts_since) + sched_cache_epoch());
}

/* One more thread. What comes within an epoch belongs together. */
static void count_start(struct sched_cache_group *g)
{
	if (starts_are_over(g)) {
		WRITE_ONCE(g->starts_since, jiffies);
		WRITE_ONCE(g->starts, 0);
	}
	WRITE_ONCE(g->starts, READ_ONCE(g->starts) + 1);
}

/*
 * Threads that were started within an epoch and are still there, so that their
 * run time does not tell yet whether they run.
 */
static u32 started(const struct sched_cache_group *g)
{
	if (starts_are_over(g))
		return 0;
	return min(READ_ONCE(g->starts) * SCHED_CACHE_THREAD, others(g));
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
#else
bool sched_cache_node_allows(const struct task_struct *p, int node)
{
	return true;
}
#endif

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
	struct sched_cache_now now = sched_cache_now();
	unsigned int i;

	for_each_set_bit(i, &home, BITS_PER_LONG) {
		sched_cache_slot_add(&sched_cache_llc(i)->claimed, &now, us, part);
		sched_cache_slot_add(&g->shares[i].claimed, &now, us, part);
	}
}

static struct sched_cache_wish wish(struct sched_cache_group *g,
				    const struct task_struct *p, u32 run,
				    u32 present, unsigned long rss)
{
	int cpu = raw_smp_processor_id();
	struct sched_cache_wish w = {
		.home = READ_ONCE(g->home),
		.here = SCHED_CACHE_NO_LLC,
		.partner = SCHED_CACHE_NO_LLC,
		.need = sched_cache_need(run, present),
		.present = present,
		.footprint = sched_cache_footprint(&g->footprint, rss),
		.tolerant = sched_cache_is_tolerant(p),
	};

	w.expected = w.need;
	if (is_young(g)) {
		w.here = sched_cache_llc_of(cpu);
		w.need = max(w.need, started(g));
		w.expected = max(w.need, others(g));
	}
	w.node = w.home ? sched_cache_node_of(w.home) : cpu_to_node(cpu);
	return w;
}

/**
 * sched_cache_set_home - change the home of a group
 * @g:	the group
 * @w:	what the change rests on
 * @c:	the new home, and why
 */
void sched_cache_set_home(struct sched_cache_group *g,
			  const struct sched_cache_wish *w,
			  const struct sched_cache_choice *c)
{
	WRITE_ONCE(g->reason, c->reason);
	WRITE_ONCE(g->home, c->home);
	trace_sched_cache_home(g, w, c->home, c->reason);
}

/* From now on count again what must be found several times in a row. */
static void be_patient(struct sched_cache_group *g)
{
	WRITE_ONCE(g->too_large, 0);
	WRITE_ONCE(g->lacked, 0);
}

/* Return: the home, which another CPU may change again. */
static unsigned long rethink(struct sched_cache_group *g,
			     struct task_struct *p, const struct sched_cache_wish *w)
{
	struct sched_cache_choice choice = sched_cache_choose(g, w, p);
	unsigned long home = choice.home;

	WRITE_ONCE(g->need, w->need);
	if (home == w->home) {
		if (!home)
			WRITE_ONCE(g->reason, choice.reason);
		return home;
	}
	/*
	 * They were drawn together for a home that does not hold them, but not
	 * if it was given up before all of them were there.
	 */
	if (!home && !w->single)
		WRITE_ONCE(g->spread_until, jiffies + sched_cache_timeout());
	be_patient(g);
	sched_cache_debug_home(g, home);
	sched_cache_set_home(g, w, &choice);
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

/*
 * A group that starts threads, none of which has run yet. The home is claimed
 * for all of them when it is new.
 */
static void rethink_start(struct sched_cache_group *g, struct task_struct *p)
{
	struct sched_cache_wish w = wish(g, p, 0, 0, rss_of(g, p));
	unsigned long home;

	w.single = true;
	home = rethink(g, p, &w);
	if (home)
		claim(g, home, home == w.home ? SCHED_CACHE_THREAD : w.need,
		      sched_cache_epoch());
}

/**
 * sched_cache_home_fork - rethink the home of a young group that grows
 * @g:	the group
 * @p:	current, which is about to have one more thread
 *
 * Nothing to do unless more threads than ever are about to run: they must not
 * be drawn together before it is known how many there are. Nor to several LLCs
 * before it is known how much they run: those that mostly sleep would pile up.
 */
void sched_cache_home_fork(struct sched_cache_group *g, struct task_struct *p)
{
	if (!is_young(g))
		return;
	count_start(g);
	if (started(g) <= READ_ONCE(g->need))
		return;
	guard(preempt)();
	if (start_scan(g)) {
		rethink_start(g, p);
		finish_scan(g);
	}
}

/*
 * What the shares of a group add up to. Whoever takes it is in line, so that it
 * stays in registers.
 */
struct sums {
	u32	run;		/* threads that run */
	u32	present;	/* threads that are there to run */
	/* Of the home, as far as it has CPUs. */
	struct sched_cache_candidate home;
	u32	llcs;
	u32	holds_threads;
	unsigned long holds_bytes;
};

/* Wakeups by other programs, decayed. */
struct wakeups {
	u32	all;
	u32	most;		/* from the LLC where most came from */
	int	llc;		/* which is this one */
};

/* An LLC of the home, where @own threads of the group run. */
static __always_inline void
add_home(struct sums *s, struct sched_cache_share *share, int index, u32 own,
	 const struct sched_cache_now *now)
{
	struct sched_cache_llc *llc = sched_cache_llc(index);
	u32 limit = READ_ONCE(llc->limit);

	if (unlikely(!limit)) {
		s->home.home &= ~BIT(index);
		return;
	}
	s->llcs++;
	s->home.limit += limit;
	s->home.own += own;
	s->home.room += sched_cache_room_beside(llc, share, limit, own, now);
	s->holds_threads += READ_ONCE(llc->holds_threads);
	s->holds_bytes += READ_ONCE(llc->holds_bytes);
}

/* The wakeups of a share, which decay here, unless one comes right now. */
static void add_wakeups(struct wakeups *woken, struct sched_cache_share *share,
			int index)
{
	u32 nr = atomic_read(&share->woken), old = nr;

	if (!nr)
		return;
	atomic_try_cmpxchg(&share->woken, &old,
			   nr - DIV_ROUND_UP(nr, SCHED_CACHE_WAKEUPS_DECAY));
	woken->all += nr;
	if (nr > woken->most) {
		woken->most = nr;
		woken->llc = index;
	}
}

static __always_inline struct sums
sum_up(struct sched_cache_group *g, struct wakeups *woken)
{
	struct sched_cache_now now = sched_cache_now();
	struct sums s = { .home.home = READ_ONCE(g->home) };
	unsigned int nr = g->nr_shares;

	for (unsigned int i = 0; i < nr; i++) {
		struct sched_cache_share *share = &g->shares[i];
		u32 run = sched_cache_slot_threads_at(&share->run, &now);

		s.run += run;
		if (run)
			s.present += sched_cache_slot_threads_at(&share->present, &now);
		if (s.home.home & BIT(i))
			add_home(&s, share, i, run, &now);
		add_wakeups(woken, share, i);
	}
	return s;
}

/*
 * Other programs that the group works with: a client on the same machine, say.
 * How near should they be?
 */
static void find_partner(struct sched_cache_group *g, struct sched_cache_wish *w,
			 const struct wakeups *woken)
{
	u32 period;

	if (!sched_cache_is_partner(woken->most, woken->all) ||
	    sched_cache_llc(woken->llc)->node != w->node ||
	    !sched_cache_has_room(g, w, woken->llc))
		return;
	w->partner = woken->llc;
	period = jiffies_to_msecs(sched_cache_scan_period(g));
	w->close = woken->most >= SCHED_CACHE_WAKEUPS_DECAY *
				  SCHED_CACHE_CLOSE_WAKEUPS * period;
}

/* A partner elsewhere may be worth a move. */
static bool woken_from_afar(const struct wakeups *woken, unsigned long home)
{
	return sched_cache_is_partner(woken->most, woken->all) &&
	       !sched_cache_in(home, woken->llc);
}

/* Mostly all that is resident fits, whatever part of it is used. */
static __always_inline bool
holds_footprint(const struct sums *s, const struct sched_cache_group *g,
		unsigned long rss)
{
	return rss << PAGE_SHIFT <= s->holds_bytes ||
	       sched_cache_bytes_fit(sched_cache_footprint(&g->footprint, rss),
				     s->holds_bytes);
}

/* Do they find room at home, and do at least half of them run there? */
static __always_inline bool holds_threads(const struct sums *s, u32 need)
{
	struct sched_cache_candidate home = s->home, best = { .own = s->run };
	u32 places = sched_cache_places(home.home, need, s->present);

	home.lack = sched_cache_lack(&home, need);
	return sched_cache_fits(places, s->holds_threads, true) &&
	       !sched_cache_may_move(&home, &best);
}

/*
 * Would a search find no better home? An average that still grows is not
 * trusted. If in doubt, no.
 */
static __always_inline bool
is_settled(const struct sched_cache_group *g, const struct sums *s,
	   unsigned long rss)
{
	u32 need = sched_cache_need(s->run, s->present);
	unsigned long home = s->home.home;

	return home && home == READ_ONCE(g->home) && !is_young(g) &&
	       holds_footprint(s, g, rss) && holds_threads(s, need) &&
	       !sched_cache_may_shrink(s->llcs, READ_ONCE(sched_cache_most_threads),
				       need, s->present);
}

/* Out of line, as it is seldom and would crowd the registers. */
static noinline void search(struct sched_cache_group *g, struct task_struct *p,
			    u32 run, u32 present, struct wakeups woken,
			    unsigned long rss)
{
	struct sched_cache_wish w;
	unsigned long home;

	guard(preempt)();
	if (!start_scan(g))
		return;
	w = wish(g, p, run, present, rss);
	find_partner(g, &w, &woken);
	home = rethink(g, p, &w);
	if (home)
		claim(g, home, w.need, sched_cache_scan_period(g));
	finish_scan(g);
}

/**
 * sched_cache_home_scan - rethink the home of a group
 * @g:	the group
 * @p:	current, a thread of it, mostly the only one to scan in this period
 *
 * O(LLCs). What is settled runs at home, and others see it without a claim. If
 * it is not, the search is O(LLCs) for each LLC of a home of several.
 */
void sched_cache_home_scan(struct sched_cache_group *g, struct task_struct *p)
{
	struct wakeups woken = { .llc = SCHED_CACHE_NO_LLC };
	unsigned long rss = rss_of(g, p);
	struct sums s = sum_up(g, &woken);

	if (sched_cache_is_tolerant(p)) {
		s.holds_threads = SCHED_CACHE_MOST_THREADS;
		s.holds_bytes = SCHED_CACHE_MOST_BYTES;
	}
	if (is_settled(g, &s, rss) && !woken_from_afar(&woken, s.home.home))
		be_patient(g);
	else
		search(g, p, s.run, s.present, woken, rss);

	if (rss << PAGE_SHIFT > s.holds_bytes &&
	    sched_cache_footprint_matters(g, rss))
		sched_cache_footprint_sample(&g->footprint, p);
}

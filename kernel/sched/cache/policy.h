/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: the
 * decisions, as pure functions of numbers. Threads are counted in units of
 * SCHED_CACHE_THREAD.
 *
 * May load balancing take a task out of its home?
 *
 *	home has an	home is		destination is		task
 *	idle CPU	overloaded	clearly emptier		goes
 *	----------	----------	---------------		----
 *	no		any		any			yes
 *	yes		no		any			no
 *	yes		yes		no			no
 *	yes		yes		yes			yes
 *
 * The first row is work conservation: a waiting task must not wait for a CPU
 * at home while another LLC has one to spare. The others let SMT siblings at
 * home stay idle when cores elsewhere are.
 */
#ifndef _KERNEL_SCHED_CACHE_POLICY_H
#define _KERNEL_SCHED_CACHE_POLICY_H

#include <linux/log2.h>
#include <linux/math.h>
#include <linux/math64.h>
#include <linux/minmax.h>

#include "llc.h"
#include "occupancy.h"

/*
 * An LLC is never home to more: all LLCs together, and what a group may be above
 * the limit, still are a number.
 */
#define SCHED_CACHE_MOST_THREADS	(U32_MAX / 2 / SCHED_CACHE_MAX_LLCS)
#define SCHED_CACHE_MOST_BYTES		(ULONG_MAX / SCHED_CACHE_MAX_LLCS)

enum {
	/*
	 * A group is let in when it is this much over the limit: threads that
	 * only start others or wait for them run a little, too.
	 */
	SCHED_CACHE_SLACK_IN	= SCHED_CACHE_THREAD / 4,
	/*
	 * And out when it is this much over: below the one thread that a
	 * further busy thread adds, above the error of a decayed average,
	 * which is one jiffy an epoch for each thread.
	 */
	SCHED_CACHE_SLACK_OUT	= SCHED_CACHE_THREAD * 5 / 8,
	/*
	 * What is little, and may pass by, has to be found by so many scans in a
	 * row: longer than a thread mostly runs that wakes up now and then.
	 */
	SCHED_CACHE_PATIENCE	= 5,
	/*
	 * A home shrinks at once if the smaller one has this much left: more
	 * than the average of busy threads errs, less than one of them.
	 */
	SCHED_CACHE_SLACK_SHRINK = SCHED_CACHE_THREAD / 2,
	/*
	 * A home is left at once if it lacks room for more than this: the one
	 * thread that has to go where a single other one wakes up.
	 */
	SCHED_CACHE_LACK_LEAVE	= SCHED_CACHE_THREAD * 3 / 2,
	/*
	 * Wakeups by others lose an 8th at each scan, and add up to 8 times
	 * what comes between two: busy threads seldom sleep, so the wakeups of
	 * some epochs have to count.
	 */
	SCHED_CACHE_WAKEUPS_DECAY = 8,
	/*
	 * One of somebody who waits for the answer counts twice: the two work
	 * by turns, on the same data.
	 */
	SCHED_CACHE_SYNC_WAKEUP	= 2,
	/*
	 * A group follows those who wake it up, after so many wakeups of this
	 * kind. Where all LLCs hold it, as good as any other reason to take one.
	 */
	SCHED_CACHE_PARTNER_WAKEUPS = 4 * SCHED_CACHE_SYNC_WAKEUP,
	/*
	 * Per ms: worth a home of one LLC more. At two dozen lines each that
	 * come from another cache, this is 1 % of a CPU.
	 */
	SCHED_CACHE_CLOSE_WAKEUPS = 4 * SCHED_CACHE_SYNC_WAKEUP,
	/* From here on llc_aggr_tolerance ignores threads and footprint. */
	SCHED_CACHE_TOLERATE_ALL = 100,
};

/**
 * sched_cache_limit - how many running threads make an LLC full
 * @nr_cpus:		CPUs of the LLC
 * @nr_cores:		cores of the LLC
 * @overload_pct:	llc_overload_pct
 *
 * 50 % means every core busy once, with SMT and without; it takes SMT to go
 * above that.
 */
static inline u32
sched_cache_limit(u32 nr_cpus, u32 nr_cores, u32 overload_pct)
{
	return min(nr_cores * overload_pct * SCHED_CACHE_THREAD / 50,
		   nr_cpus * SCHED_CACHE_THREAD);
}

/**
 * sched_cache_tolerate - scale a limit by llc_aggr_tolerance
 * @limit:	threads or bytes
 * @tolerance:	1 to 99
 *
 * 1 is the limit itself, 50 twice as much, 99 fifty times.
 */
static inline u64 sched_cache_tolerate(u64 limit, u32 tolerance)
{
	return div_u64(limit * 100, 101 - tolerance);
}

/**
 * sched_cache_holds - how much of something an LLC can be home to
 * @limit:	threads or bytes, as far as all is well
 * @tolerance:	llc_aggr_tolerance
 * @most:	and never more, so that a sum over all LLCs does not overflow
 */
static inline u64 sched_cache_holds(u64 limit, u32 tolerance, u64 most)
{
	if (!limit || !tolerance)
		return 0;
	/* Below 1/100 of 64 bits the product does not overflow. */
	if (tolerance >= SCHED_CACHE_TOLERATE_ALL || limit >= U64_MAX / 100)
		return most;
	return min(sched_cache_tolerate(limit, tolerance), most);
}

/**
 * sched_cache_need - how many CPUs a group needs
 * @running:	threads that run, on average
 * @present:	threads that are there to run
 *
 * Threads that run a part u of the time, each for itself, vary around the
 * average by
 *
 *	sqrt(present * u * (1 - u)),	u = running / present
 *
 * and with as many CPUs more one of six is too much for them at any moment.
 * Threads that always run need a CPU each, and none needs more than one: the
 * root is at least present - running, which is present * (1 - u), wherever that
 * is no more than u.
 *
 * Example: 9 threads that run 40 % of the time are 3.6 on average and need 5.1.
 */
static inline u32 sched_cache_need(u32 running, u32 present)
{
	u64 variance;

	if (present <= running)
		return running;
	if ((u64)present * (present - running) <= (u64)running * SCHED_CACHE_THREAD)
		return present;
	variance = div_u64((u64)running * (present - running), present);
	return min(running + (u32)int_sqrt(variance * SCHED_CACHE_THREAD), present);
}

/**
 * sched_cache_fits - does a need fit a limit?
 * @need:	average running threads
 * @limit:	threads that make the LLC full
 * @at_home:	the group is at home there already
 */
static inline bool sched_cache_fits(u32 need, u32 limit, bool at_home)
{
	return need <= limit + (at_home ? SCHED_CACHE_SLACK_OUT
					: SCHED_CACHE_SLACK_IN);
}

/* For how many threads must a home of these LLCs have a place? */
static inline u32
sched_cache_places(unsigned long home, u32 need, u32 present)
{
	return is_power_of_2(home) ? need : max(need, present);
}

/* A working set that comes and goes by a fifth is the same. */
static inline bool
sched_cache_bytes_fit(unsigned long footprint, unsigned long holds_bytes)
{
	return footprint - footprint / 5 <= holds_bytes;
}

/**
 * sched_cache_room - what do others leave of an LLC to a group?
 * @limit:	threads that make it full
 * @busy:	threads that run there
 * @own:	those of the group
 * @claimed:	threads that other groups claim
 */
static inline u32 sched_cache_room(u32 limit, u32 busy, u32 own, u32 claimed)
{
	return limit - min(limit, max(busy - min(busy, own), claimed));
}

/**
 * sched_cache_may_leave - see the table at the top
 * @idle_at_home:	home has an idle CPU that the task may use
 * @home_busy:		threads running at home
 * @home_limit:		threads that make home full
 * @dst_busy:		threads running at the destination
 * @dst_limit:		threads that make the destination full
 * @imb_pct:		llc_imb_pct
 */
static inline bool
sched_cache_may_leave(bool idle_at_home, u32 home_busy, u32 home_limit,
		      u32 dst_busy, u32 dst_limit, u32 imb_pct)
{
	if (!idle_at_home)
		return true;
	if (home_busy <= home_limit || !home_limit || !dst_limit)
		return false;
	return div_u64(100ULL * dst_busy, dst_limit) + imb_pct <=
	       div_u64(100ULL * home_busy, home_limit);
}

/**
 * struct sched_cache_candidate - LLCs that may become home
 * @home:	a bit for each, 0 for none
 * @limit:	threads that make them full
 * @own:	threads of the group that run there
 * @room:	threads that others leave a place for
 * @lack:	threads of the group that would find no place
 */
struct sched_cache_candidate {
	unsigned long	home;
	u32		limit;
	u32		own;
	u32		room;
	u32		lack;
};

/* What does not fit in any case lacks nowhere. */
static inline u32
sched_cache_lack(const struct sched_cache_candidate *c, u32 need)
{
	need = min(need, c->limit);
	return need - min(need, c->room);
}

/* More than half a thread is above what averages err. */
static inline bool sched_cache_lacks(const struct sched_cache_candidate *c)
{
	return c->lack > SCHED_CACHE_THREAD / 2;
}

/**
 * sched_cache_better - which of two LLCs is the better home?
 * @a:		a candidate
 * @b:		another, or none
 *
 * One with room for all before one without, then where more of the group
 * runs, then where there is more room.
 *
 * Return: @a is better than @b.
 */
static inline bool sched_cache_better(const struct sched_cache_candidate *a,
				      const struct sched_cache_candidate *b)
{
	if (!b->home)
		return true;
	if (!a->lack != !b->lack)
		return !a->lack;
	if (a->own != b->own)
		return a->own > b->own;
	return a->room > b->room;
}

/* What a wakeup by another program counts. */
static inline u32 sched_cache_wakeup_weight(bool sync)
{
	return sync ? SCHED_CACHE_SYNC_WAKEUP : 1;
}

/**
 * sched_cache_is_partner - is a group woken up from one LLC above all?
 * @most:	wakeups by others from the LLC where most came from, decayed
 * @all:	from all LLCs
 */
static inline bool sched_cache_is_partner(u32 most, u32 all)
{
	return most >= SCHED_CACHE_PARTNER_WAKEUPS && most >= all - all / 4;
}

/**
 * sched_cache_may_move - could others be worth leaving home for?
 * @home:	the home
 * @best:	the best home of the same size
 *
 * Only if all find a place there. Then twice the occupancy is worth it: it
 * takes affinity that keeps threads away from home. So is room, when home
 * lacks more than half a thread of it.
 */
static inline bool
sched_cache_may_move(const struct sched_cache_candidate *home,
		     const struct sched_cache_candidate *best)
{
	if (best->home == home->home || best->lack)
		return false;
	return sched_cache_lacks(home) ||
	       best->own > 2 * home->own + SCHED_CACHE_THREAD / 8;
}

/**
 * sched_cache_should_move - are they worth it?
 * @home:	the home
 * @best:	the best home of the same size
 * @lacked:	scans in a row that found home to lack room
 *
 * All data moves, too: not for a single thread that runs there for a moment.
 */
static inline bool
sched_cache_should_move(const struct sched_cache_candidate *home,
			const struct sched_cache_candidate *best,
			unsigned int lacked)
{
	if (!sched_cache_may_move(home, best))
		return false;
	return !sched_cache_lacks(home) || lacked >= SCHED_CACHE_PATIENCE ||
	       home->lack > SCHED_CACHE_LACK_LEAVE;
}

/**
 * sched_cache_may_shrink - may fewer LLCs than a home has hold the group?
 * @llcs:	LLCs of the home
 * @most:	threads that the largest LLC can be home to
 * @need:	CPUs that the threads need
 * @present:	threads that are there to run
 */
static inline bool
sched_cache_may_shrink(u32 llcs, u32 most, u32 need, u32 present)
{
	if (llcs < 2)
		return false;
	return sched_cache_fits(need, most, false) ||
	       sched_cache_fits(max(need, present), (llcs - 1) * most, false);
}

/**
 * sched_cache_should_shrink - are fewer LLCs enough for a home of several?
 * @smaller:	the best home of fewer LLCs
 * @need:	threads that have to find a place there
 * @holds:	threads that it is home to
 * @too_large:	scans in a row that found the home too large
 *
 * Only if it has room. Then with some to spare at once, else after some scans.
 */
static inline bool
sched_cache_should_shrink(const struct sched_cache_candidate *smaller, u32 need,
			  u32 holds, unsigned int too_large)
{
	if (sched_cache_lacks(smaller))
		return false;
	return too_large >= SCHED_CACHE_PATIENCE ||
	       need + SCHED_CACHE_SLACK_SHRINK <= holds;
}

#endif /* _KERNEL_SCHED_CACHE_POLICY_H */

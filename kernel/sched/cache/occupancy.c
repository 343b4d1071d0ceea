// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: decayed
 * run time in one word. Who adds to a slot, and when, is in tick.c.
 *
 * Run time halves at the end of each epoch of P jiffies, whether or not anyone
 * looks: whoever touches a word catches up first,
 *
 *	n = (now - stamp) / P		epochs that have ended since
 *	run >>= n,  stamp = now - now % P
 *
 * so an idle slot costs nothing. All slots have the same epochs, so that who
 * looks at many has to look at the time but once. A thread that always runs
 * adds one jiffy a jiffy. In the steady state, after the tick of the f-th jiffy
 * of an epoch,
 *
 *	run = P + f + 1			jiffies,  0 <= f < P
 *
 * and dividing by that gives the average number of running threads. For
 * P = 10: 11 jiffies right after the halving, 20 before the next.
 *
 * The stamp is in jiffies and not in epochs, so that a new P needs no
 * conversion: at most one epoch comes out shorter. Half of a wrap, 24 days at
 * 1000 Hz, is as good as forever; only a stamp a little ahead of us is what it
 * seems, see SCHED_CACHE_MAX_SKEW.
 */
#include "occupancy.h"

/**
 * sched_cache_occupancy_add - account run time
 * @word:	the slot's word
 * @now:	the moment
 * @us:		run time to add
 * @threads:	of so many threads, in units of SCHED_CACHE_THREAD
 *
 * More run time than the threads can have now, decayed, is from earlier epochs
 * and is cut: ticks may be late where a hypervisor has more to run than CPUs.
 *
 * Return: the word, decayed up to @now, with @us added.
 */
u64 sched_cache_occupancy_add(u64 word, const struct sched_cache_now *now,
			      u64 us, u32 threads)
{
	struct sched_cache_occupancy o = sched_cache_decayed(word, now);
	u64 most = o.window_us * threads / SCHED_CACHE_THREAD;

	o.run_us = min_t(u64, o.run_us + min(us, most), U32_MAX);
	return (u64)o.stamp << 32 | o.run_us;
}

/**
 * sched_cache_occupancy_aged - what run time that is accounted late is worth
 * @us:		run time of one thread, without a break, that ends at @now
 * @now:	the moment
 *
 * Added as it is, what was run before the epoch would count in full: three
 * threads that always run looked like 3.7, and their LLC like full.
 *
 * Return: what would be left of it, had each jiffy of it been added in time.
 */
u64 sched_cache_occupancy_aged(u64 us, const struct sched_cache_now *now)
{
	u64 most = (u64)(now->time - now->epoch + 1) * TICK_USEC;
	u64 sum = 0, part;

	for (unsigned int halved = 0; us && halved < 32; halved++) {
		part = min(us, most);
		sum += part >> halved;
		us -= part;
		most = (u64)now->period * TICK_USEC;
	}
	return sum;
}

/* Lockless: an update that loses the race is made again on the new word. */
void sched_cache_slot_add(struct sched_cache_slot *slot,
			  const struct sched_cache_now *now, u64 us, u32 threads)
{
	s64 old = atomic64_read(&slot->word), new;

	do {
		new = sched_cache_occupancy_add(old, now, us, threads);
	} while (!atomic64_try_cmpxchg_relaxed(&slot->word, &old, new));
}

u32 sched_cache_slot_threads(const struct sched_cache_slot *slot)
{
	struct sched_cache_now now = sched_cache_now();

	return sched_cache_slot_threads_at(slot, &now);
}

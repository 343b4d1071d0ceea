// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: decayed
 * run time in one word. Who adds to a slot, and when, is in tick.c.
 *
 * Run time halves at the end of each epoch of P jiffies, whether or not anyone
 * looks: whoever touches a word catches up first,
 *
 *	n = (now - stamp) / P		epochs that have ended since
 *	run >>= n,  stamp += n * P
 *
 * so an idle slot costs nothing. A thread that always runs adds one jiffy a
 * jiffy. In the steady state, after the tick of the f-th jiffy of an epoch,
 *
 *	run = P + f + 1			jiffies,  0 <= f < P
 *
 * and dividing by that gives the average number of running threads. For
 * P = 10: 11 jiffies right after the halving, 20 before the next.
 *
 * The stamp is in jiffies and not in epochs, so that a new P needs no
 * conversion. Half of a wrap, 24 days at 1000 Hz, is as good as forever; only
 * a stamp a little ahead of us is what it seems, see MAX_SKEW.
 */
#include <linux/jiffies.h>
#include <linux/math64.h>
#include <linux/minmax.h>

#include "knobs.h"
#include "occupancy.h"

struct occupancy {
	u32	stamp;
	u32	run_us;
};

/*
 * Another CPU may have seen a later jiffy: by one, or by as long as a
 * hypervisor kept this CPU from running between reading jiffies and the word.
 */
#define MAX_SKEW	(60U * HZ)

static struct occupancy decayed(u64 word, u32 now, u32 period)
{
	struct occupancy o = { .stamp = word >> 32, .run_us = (u32)word };
	u32 elapsed = now - o.stamp, epochs;

	/* An empty word, and above all a new one, has no epoch to go on with. */
	if (!o.run_us) {
		o.stamp = now - now % period;
		return o;
	}
	if (elapsed < period || -elapsed <= MAX_SKEW)
		return o;

	epochs = elapsed / period;
	o.run_us = epochs < 32 ? o.run_us >> epochs : 0;
	o.stamp += epochs * period;
	return o;
}

/* The run time, decayed, of a thread that always runs. */
static u32 window_us(const struct occupancy *o, u32 now, u32 period)
{
	s32 into_epoch = max_t(s32, now - o->stamp, 0);

	return (period + into_epoch + 1) * TICK_USEC;
}

/**
 * sched_cache_occupancy_add - account run time
 * @word:	the slot's word
 * @now:	jiffies
 * @period:	jiffies in an epoch, at least 1
 * @us:		run time to add
 * @threads:	of so many threads, in units of SCHED_CACHE_THREAD
 *
 * More run time than the threads can have now, decayed, is from earlier epochs
 * and is cut: ticks may be late where a hypervisor has more to run than CPUs.
 *
 * Return: the word, decayed up to @now, with @us added.
 */
u64 sched_cache_occupancy_add(u64 word, u32 now, u32 period, u64 us,
			      u32 threads)
{
	struct occupancy o = decayed(word, now, period);
	u64 most = (u64)window_us(&o, now, period) * threads /
		   SCHED_CACHE_THREAD;

	o.run_us = min_t(u64, o.run_us + min(us, most), U32_MAX);
	return (u64)o.stamp << 32 | o.run_us;
}

/**
 * sched_cache_occupancy_threads - average number of running threads
 * @word:	the slot's word
 * @now:	jiffies
 * @period:	jiffies in an epoch, at least 1
 *
 * Return: the average over the last epochs, in units of SCHED_CACHE_THREAD.
 */
u32 sched_cache_occupancy_threads(u64 word, u32 now, u32 period)
{
	struct occupancy o = decayed(word, now, period);

	return div_u64((u64)o.run_us * SCHED_CACHE_THREAD,
		       window_us(&o, now, period));
}

/* Lockless: an update that loses the race is made again on the new word. */
void sched_cache_slot_add(struct sched_cache_slot *slot, u64 us, u32 threads)
{
	u32 now = jiffies, period = sched_cache_epoch();
	s64 old = atomic64_read(&slot->word), new;

	do {
		new = sched_cache_occupancy_add(old, now, period, us, threads);
	} while (!atomic64_try_cmpxchg_relaxed(&slot->word, &old, new));
}

u32 sched_cache_slot_threads(struct sched_cache_slot *slot)
{
	u64 word = atomic64_read(&slot->word);

	/* Most groups never ran on most LLCs. */
	if (!(u32)word)
		return 0;
	return sched_cache_occupancy_threads(word, jiffies,
					     sched_cache_epoch());
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: decayed
 * run time in one word. Pure arithmetic: no locks, no CPUs, no tasks.
 */
#ifndef _KERNEL_SCHED_CACHE_OCCUPANCY_H
#define _KERNEL_SCHED_CACHE_OCCUPANCY_H

#include <linux/atomic.h>
#include <linux/jiffies.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/types.h>

#include "knobs.h"

/* Thread counts are fixed point: one thread that runs all the time. */
#define SCHED_CACHE_THREAD	1024U

/* Threads as users are told of them, in hundredths. */
static inline u32 sched_cache_centi(u32 threads)
{
	return div_u64(100ULL * threads, SCHED_CACHE_THREAD);
}

/**
 * struct sched_cache_slot - decayed run time on one LLC
 * @word:	upper half: when the current epoch began, in jiffies;
 *		lower half: decayed run time in us, it stops at U32_MAX
 *
 * Those of one LLC stand on a cache line that its CPUs write, and once a scan
 * the CPU that scans.
 */
struct sched_cache_slot {
	atomic64_t	word;
};

/**
 * struct sched_cache_now - the moment at which slots are looked at
 * @time:	in jiffies
 * @epoch:	when the epoch began, which is the same for all slots
 * @period:	jiffies in an epoch, at least 1
 * @window_us:	run time, decayed, of a thread that always ran
 */
struct sched_cache_now {
	u32	time;
	u32	epoch;
	u32	period;
	u64	window_us;
};

static __always_inline struct sched_cache_now
sched_cache_moment(unsigned long time, u32 period)
{
	u32 into_epoch = time % period;

	return (struct sched_cache_now) {
		.time = time,
		.epoch = time - into_epoch,
		.period = period,
		.window_us = (period + into_epoch + 1) * TICK_USEC,
	};
}

static __always_inline struct sched_cache_now sched_cache_now(void)
{
	return sched_cache_moment(jiffies, sched_cache_epoch());
}

/**
 * struct sched_cache_occupancy - a slot at some moment
 * @stamp:	when the epoch began, in jiffies
 * @run_us:	run time, decayed
 * @window_us:	the same of a thread that always ran
 */
struct sched_cache_occupancy {
	u32	stamp;
	u32	run_us;
	u64	window_us;
};

/*
 * Another CPU may have seen a later jiffy: by one, or by as long as a
 * hypervisor kept this CPU from running between reading jiffies and the word.
 */
#define SCHED_CACHE_MAX_SKEW	(60U * HZ)

static __always_inline struct sched_cache_occupancy
sched_cache_decayed(u64 word, const struct sched_cache_now *now)
{
	struct sched_cache_occupancy o = {
		.stamp = word >> 32,
		.run_us = word,
		.window_us = now->window_us,
	};
	u32 elapsed = now->time - o.stamp;
	u32 epochs = elapsed / now->period;

	/* An empty word, and above all a new one, has no epoch to go on with. */
	if (unlikely(epochs >= 32 && -elapsed <= SCHED_CACHE_MAX_SKEW && o.run_us)) {
		o.window_us = (now->period + 1) * TICK_USEC;
		return o;
	}
	if (epochs)
		o.stamp = now->epoch;
	o.run_us = epochs < 32 ? o.run_us >> epochs : 0;
	return o;
}

/**
 * sched_cache_occupancy_threads - average number of running threads
 * @word:	the slot's word
 * @now:	the moment
 *
 * Return: the average over the last epochs, in units of SCHED_CACHE_THREAD.
 */
static __always_inline u32
sched_cache_occupancy_threads(u64 word, const struct sched_cache_now *now)
{
	struct sched_cache_occupancy o = sched_cache_decayed(word, now);

	return div64_u64((u64)o.run_us * SCHED_CACHE_THREAD, o.window_us);
}

/* In line, for the scan, which reads most of the slots of a group at once. */
static __always_inline u32
sched_cache_slot_threads_at(const struct sched_cache_slot *slot,
			    const struct sched_cache_now *now)
{
	u64 word = atomic64_read(&slot->word);

	/* Most groups never ran on most LLCs. */
	if (!(u32)word)
		return 0;
	return sched_cache_occupancy_threads(word, now);
}

/* Was the same added to @a and to @b? */
static inline bool sched_cache_slot_same(const struct sched_cache_slot *a,
					 const struct sched_cache_slot *b)
{
	return atomic64_read(&a->word) == atomic64_read(&b->word);
}

u64 sched_cache_occupancy_aged(u64 us, const struct sched_cache_now *now);
u64 sched_cache_occupancy_add(u64 word, const struct sched_cache_now *now,
			      u64 us, u32 threads);

void sched_cache_slot_add(struct sched_cache_slot *slot,
			  const struct sched_cache_now *now, u64 us, u32 threads);
u32 sched_cache_slot_threads(const struct sched_cache_slot *slot);

#endif /* _KERNEL_SCHED_CACHE_OCCUPANCY_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: decayed
 * run time in one word. Pure arithmetic: no locks, no CPUs, no tasks.
 */
#ifndef _KERNEL_SCHED_CACHE_OCCUPANCY_H
#define _KERNEL_SCHED_CACHE_OCCUPANCY_H

#include <linux/atomic.h>
#include <linux/types.h>

/* Thread counts are fixed point: one thread that runs all the time. */
#define SCHED_CACHE_THREAD	1024U

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

u64 sched_cache_occupancy_add(u64 word, u32 now, u32 period, u64 us,
			      u32 threads);
u32 sched_cache_occupancy_threads(u64 word, u32 now, u32 period);

void sched_cache_slot_add(struct sched_cache_slot *slot, u64 us, u32 threads);
u32 sched_cache_slot_threads(struct sched_cache_slot *slot);

#endif /* _KERNEL_SCHED_CACHE_OCCUPANCY_H */

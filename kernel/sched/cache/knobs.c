// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: the
 * defaults of what the user sets, with their reasons.
 */
#include <linux/cache.h>
#include <linux/jiffies.h>

#include "knobs.h"

#define DEFAULT_EPOCH_MS	10

struct sched_cache_knobs sched_cache_knobs __read_mostly = {
	.enabled	= SCHED_CACHE_FOR_ALL,
	/* Every core busy once: more would run on SMT siblings or wait. */
	.overload_pct	= 50,
	/* One core of five; less comes and goes within an epoch. */
	.imb_pct	= 20,
	/* Only what surely fits, as a wrong home costs more than none. */
	.aggr_tolerance	= 1,
	/*
	 * A few ticks, so that an average means something, and some epochs to
	 * a home for a program that has changed, within 50 ms.
	 */
	.epoch_ms	= DEFAULT_EPOCH_MS,
	/* By then the occupancy is below 1/32, and the cache somebody else's. */
	.timeout_epochs	= 5,
	.epoch		= (DEFAULT_EPOCH_MS * HZ + MSEC_PER_SEC - 1) /
			  MSEC_PER_SEC,
};

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: what
 * the user sets. The files are in control.c.
 */
#ifndef _KERNEL_SCHED_CACHE_KNOBS_H
#define _KERNEL_SCHED_CACHE_KNOBS_H

#include <linux/compiler.h>

/* For whom the feature is. */
enum sched_cache_enabled {
	SCHED_CACHE_FOR_NOBODY,
	SCHED_CACHE_FOR_ALL,	/* but those who said no */
	SCHED_CACHE_FOR_ASKERS,	/* those who asked for it */
};

/**
 * struct sched_cache_knobs - the files in /sys/kernel/debug/sched/
 * @enabled:		llc_enabled, an enum sched_cache_enabled
 * @overload_pct:	llc_overload_pct, 1 to 100
 * @imb_pct:		llc_imb_pct, 0 to 100
 * @aggr_tolerance:	llc_aggr_tolerance, 0 to 100
 * @epoch_ms:		llc_epoch_period, 1 to 1000
 * @timeout_epochs:	llc_epoch_affinity_timeout, 1 to 1000
 * @epoch:		@epoch_ms in jiffies, rounded up: time is accounted by
 *			the tick, so nothing shorter can be told apart
 *
 * Read anywhere with READ_ONCE().
 */
struct sched_cache_knobs {
	unsigned int	enabled;
	unsigned int	overload_pct;
	unsigned int	imb_pct;
	unsigned int	aggr_tolerance;
	unsigned int	epoch_ms;
	unsigned int	timeout_epochs;
	unsigned int	epoch;
};

extern struct sched_cache_knobs sched_cache_knobs;

/* Jiffies in an epoch, at least 1. */
static inline unsigned int sched_cache_epoch(void)
{
	return READ_ONCE(sched_cache_knobs.epoch);
}

/* Jiffies without a running thread after which a group forgets its home. */
static inline unsigned long sched_cache_timeout(void)
{
	return (unsigned long)READ_ONCE(sched_cache_knobs.timeout_epochs) *
	       sched_cache_epoch();
}

#endif /* _KERNEL_SCHED_CACHE_KNOBS_H */

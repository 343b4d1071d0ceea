/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: bringing
 * tasks home, and apart when home is lost. The doors for fork and wakeup stand
 * in cache.h.
 */
#ifndef _KERNEL_SCHED_CACHE_PLACE_H
#define _KERNEL_SCHED_CACHE_PLACE_H

#include <linux/types.h>

struct task_struct;

/* Why a task is not moved home. */
enum sched_cache_refusal {
	SCHED_CACHE_NOT_EXEMPT,		/* it is left alone */
	SCHED_CACHE_NOT_NODE,		/* NUMA balancing wants another node */
	SCHED_CACHE_NOT_AFFINITY,	/* it may not run there */
	SCHED_CACHE_NOT_STALE,		/* nobody has rethought home for long */
	SCHED_CACHE_NOT_INTERVAL,	/* it was moved just now */
	SCHED_CACHE_NOT_FULL,		/* no CPU there is idle that it may use */
	SCHED_CACHE_NOT_CHANGED,	/* something did since it was decided */
};

bool sched_cache_is_exempt(const struct task_struct *p);
unsigned long sched_cache_home_of(const struct task_struct *p);
int sched_cache_idle_cpu_in(struct task_struct *p, unsigned long home, int from,
			    bool limited);
bool sched_cache_packs(int a, int b);
bool sched_cache_push_due(struct task_struct *p, int index);
void sched_cache_push(struct task_struct *p);

#endif /* _KERNEL_SCHED_CACHE_PLACE_H */

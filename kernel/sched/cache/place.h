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

enum sched_cache_event {
	SCHED_CACHE_FORK,	/* homed at fork */
	SCHED_CACHE_WAKE,	/* homed at wakeup */
	SCHED_CACHE_PUSH,	/* homed at the tick */
	SCHED_CACHE_SPREAD,	/* moved apart at the tick, home is lost */
	SCHED_CACHE_HOLD,	/* load balancing left a task at home */
	SCHED_CACHE_SPILL,	/* a full home let a task go */
	SCHED_CACHE_NR_EVENTS,
};

void sched_cache_count(enum sched_cache_event event);
unsigned long sched_cache_count_of(enum sched_cache_event event);

unsigned long sched_cache_home_of(const struct task_struct *p);
int sched_cache_idle_cpu_in(struct task_struct *p, unsigned long home, int from,
			    bool limited);
bool sched_cache_packs(int a, int b);
bool sched_cache_push_due(struct task_struct *p, int index);
void sched_cache_push(struct task_struct *p);

#endif /* _KERNEL_SCHED_CACHE_PLACE_H */

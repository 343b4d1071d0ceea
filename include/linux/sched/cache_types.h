/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: what a
 * task carries. Nothing here needs another scheduler type.
 */
#ifndef _LINUX_SCHED_CACHE_TYPES_H
#define _LINUX_SCHED_CACHE_TYPES_H

#include <linux/types.h>

struct sched_cache_group;

/* What a process or a cgroup has asked for, as in prctl(PR_SCHED_CACHE). */
enum sched_cache_mode {
	SCHED_CACHE_MODE_DEFAULT,	/* as llc_enabled says */
	SCHED_CACHE_MODE_OFF,		/* leave it alone */
	SCHED_CACHE_MODE_ON,		/* keep it together, however large */
};

/* Ways to move a task, the first of enum sched_cache_event. */
#define SCHED_CACHE_NR_MOVES	4

/**
 * struct sched_cache_task - the task's part of cache-aware scheduling
 * @group:	the group of the task's mm, NULL while the mm has one thread.
 *		Set and cleared by the task itself; others read it under RCU.
 * @flushed_ns:	the part of se.sum_exec_runtime that the group's occupancy
 *		already holds. Under the runqueue lock, or p->pi_lock while
 *		the task is off the runqueue.
 * @next_move:	jiffies; before this the task is not moved again.
 * @home_cpu:	the CPU that the task used last when it left its home, a
 *		good place to come back to; negative if there is none.
 * @seen:	jiffies, when the tick last found the task running.
 * @moves:	how often the feature moved the task, by how: fork, wakeup, push,
 *		spreading. Under the same locks as the move.
 * @mode:	an enum sched_cache_mode; of a new thread that of its parent.
 * @cgroup_mode: that of its cgroup, as the last tick found it.
 * @scan_due:	the tick chose this task to rethink the home of its group.
 * @work_queued: @work is queued.
 * @work:	runs when the task returns to user space; queued by the tick.
 */
struct sched_cache_task {
	struct sched_cache_group	*group;
	u64				flushed_ns;
	unsigned long			next_move;
	int				home_cpu;
	u32				seen;
	u32				moves[SCHED_CACHE_NR_MOVES];
	u8				mode;
	u8				cgroup_mode;
	bool				scan_due;
	bool				work_queued;
	struct callback_head		work;
};

/**
 * struct sched_cache_cgroup - the cgroup's part of cache-aware scheduling
 * @mode:	an enum sched_cache_mode, what cpu.llc_aggregation says.
 * @effective:	the same, or what the next ancestor says that says something.
 */
struct sched_cache_cgroup {
	u8	mode;
	u8	effective;
};

#endif /* _LINUX_SCHED_CACHE_TYPES_H */

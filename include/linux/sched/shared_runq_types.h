/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared run queues, see Documentation/scheduler/sched-shared-runq.rst: what
 * each task carries.
 */
#ifndef _LINUX_SCHED_SHARED_RUNQ_TYPES_H
#define _LINUX_SCHED_SHARED_RUNQ_TYPES_H

#include <linux/types.h>

struct shared_runq_shard;

/**
 * struct shared_runq_task - a task that waits in a shard
 * @node:	its place there, valid while @shard is not NULL
 * @shard:	where it waits, NULL if nowhere
 * @since:	when it began to wait, in ns of the clock of its run queue; some
 *		later if the task that runs there woke it up
 *
 * All are written under the lock of the shard. Only who holds the lock of the
 * task's run queue puts it into one, a task that waits for a CPU; it leaves
 * before it runs, sleeps or moves. So a running task is in none, nor is its child.
 */
struct shared_runq_task {
	struct list_head		node;
	struct shared_runq_shard	*shard;
	u64				since;
};

#endif /* _LINUX_SCHED_SHARED_RUNQ_TYPES_H */

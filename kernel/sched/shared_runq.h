/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared run queues, see Documentation/scheduler/sched-shared-runq.rst: the
 * doors, that is what the rest of the scheduler calls, and how cores are dealt
 * to shards. Each door is a static branch that is patched out while the feature
 * is off.
 */
#ifndef _KERNEL_SCHED_SHARED_RUNQ_H
#define _KERNEL_SCHED_SHARED_RUNQ_H

#include <linux/jump_label.h>
#include <linux/math.h>
#include <linux/sched.h>

struct dentry;

enum {
	/*
	 * Cores a shard, where the user does not say. CPUs that wake up many
	 * tasks at once then wait for each other's lock for a fifth of the
	 * time that one lock for 32 of them takes, and a CPU of an LLC of 8
	 * cores still looks into two shards only.
	 */
	SHARED_RUNQ_DFL_SHARD_CORES	= 6,
	/* As many as no LLC has: one shard for each. */
	SHARED_RUNQ_MAX_SHARD_CORES	= 1000,
};

/**
 * shared_runq_nr_shards - into how many shards is an LLC divided?
 * @cores:		cores of the LLC, at least 1
 * @shard_cores:	the most of a shard, 0 for the default
 */
static inline unsigned int
shared_runq_nr_shards(unsigned int cores, unsigned int shard_cores)
{
	return DIV_ROUND_UP(cores, shard_cores ?: SHARED_RUNQ_DFL_SHARD_CORES);
}

/**
 * shared_runq_shard_of_core - which shard of the LLC is a core's?
 * @core:	its number in the LLC, from 0
 * @cores:	cores of the LLC
 * @shards:	shards of the LLC
 *
 * Neighbours share one, and shards differ by one core at most: 8 cores in 2
 * shards are 4 and 4, not 6 and 2.
 */
static inline unsigned int
shared_runq_shard_of_core(unsigned int core, unsigned int cores,
			  unsigned int shards)
{
	return core * shards / cores;
}

#ifdef CONFIG_SCHED_SHARED_RUNQ

DECLARE_STATIC_KEY_FALSE(shared_runq_used);

void __shared_runq_offer(struct rq *rq, struct task_struct *p);
void __shared_runq_remove(struct task_struct *p);
int __shared_runq_take(struct rq *this_rq, struct rq_flags *rf);
void shared_runq_rebuild(void);
void shared_runq_toggle(void);
void shared_runq_init_debugfs(struct dentry *dir);

/*
 * @p has become runnable on @rq, as @is_new for the first time or after a move:
 * where it was wanted. Else it waits if others are there. Under the rq lock.
 */
static inline void
shared_runq_offer(struct rq *rq, struct task_struct *p, bool is_new)
{
	if (!static_branch_unlikely(&shared_runq_used) || is_new)
		return;
	/* Most wakeups find an idle CPU. */
	if (rq->nr_running < 2 || p->nr_cpus_allowed < 2)
		return;
	__shared_runq_offer(rq, p);
}

/* @p is about to run, or to leave its run queue. Under the rq lock. */
static inline void shared_runq_remove(struct task_struct *p)
{
	if (static_branch_unlikely(&shared_runq_used) &&
	    READ_ONCE(p->shared_runq.shard))
		__shared_runq_remove(p);
}

/*
 * @this_rq has nothing to run. Under its lock, pinned by @rf, which is dropped
 * if there is something to take.
 *
 * Return: as sched_balance_newidle(), 1 if fair tasks are there now, -1 if
 * others are, 0 if none.
 */
static inline int shared_runq_take(struct rq *this_rq, struct rq_flags *rf)
{
	return static_branch_unlikely(&shared_runq_used) ?
	       __shared_runq_take(this_rq, rf) : 0;
}

#else /* !CONFIG_SCHED_SHARED_RUNQ */

static inline void
shared_runq_offer(struct rq *rq, struct task_struct *p, bool is_new) { }

static inline void shared_runq_remove(struct task_struct *p) { }

static inline int shared_runq_take(struct rq *this_rq, struct rq_flags *rf)
{
	return 0;
}

static inline void shared_runq_rebuild(void) { }
static inline void shared_runq_toggle(void) { }
static inline void shared_runq_init_debugfs(struct dentry *dir) { }

#endif /* CONFIG_SCHED_SHARED_RUNQ */

#endif /* _KERNEL_SCHED_SHARED_RUNQ_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: the
 * threads of one mm.
 */
#ifndef _KERNEL_SCHED_CACHE_GROUP_H
#define _KERNEL_SCHED_CACHE_GROUP_H

#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/sched.h>

#include "occupancy.h"

struct mm_struct;

/**
 * struct sched_cache_group - the threads of one mm, and where they run
 * @home:	index of the LLC where they should run, or SCHED_CACHE_NO_LLC.
 *		Written by the one thread that scans, see @next_scan.
 * @nr_slots:	LLCs known when the group was made; it never has its home on
 *		one that came later
 * @need:	average running threads, in SCHED_CACHE_THREAD
 * @next_scan:	jiffies; the thread that moves it on is the one that scans
 * @created:	jiffies
 * @refs:	one for the mm, one for each task
 * @rcu:	frees the group when nobody can look any more
 * @claimed:	its part of what is claimed on its home
 * @slots:	run time by LLC
 *
 * Wakeups and ticks on all CPUs read the first line; it is written once an
 * epoch. Threads that come and go write the second.
 */
struct sched_cache_group {
	int			home;
	unsigned int		nr_slots;
	u32			need;
	unsigned long		next_scan;
	unsigned long		created;

	refcount_t		refs ____cacheline_aligned;
	struct rcu_head		rcu;

	struct sched_cache_slot	claimed;
	struct sched_cache_slot	slots[] __counted_by(nr_slots);
};

struct sched_cache_group *sched_cache_attach(struct task_struct *p,
					     struct mm_struct *mm);
unsigned int sched_cache_nr_groups(void);

/*
 * Kernel workers of a process never return to user space, where homing happens,
 * and go where their work is.
 */
static inline bool sched_cache_may_join(const struct task_struct *p)
{
	return p->mm &&
	       !(p->flags & (PF_EXITING | PF_KTHREAD | PF_USER_WORKER));
}

/* The group of @p, which may be another task's: under RCU or its rq lock. */
static inline struct sched_cache_group *
sched_cache_group_of(const struct task_struct *p)
{
	return READ_ONCE(p->sched_cache.group);
}

#endif /* _KERNEL_SCHED_CACHE_GROUP_H */

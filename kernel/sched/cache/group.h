/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: the
 * threads of one mm.
 */
#ifndef _KERNEL_SCHED_CACHE_GROUP_H
#define _KERNEL_SCHED_CACHE_GROUP_H

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/sched.h>

#include "debug.h"
#include "footprint.h"
#include "knobs.h"
#include "occupancy.h"

struct mm_struct;

/**
 * struct sched_cache_share - what a group has of one LLC
 * @run:	run time of its threads there
 * @present:	the same as if none of them had slept for long, see tick.c
 * @claimed:	its part of what is claimed there
 * @woken:	how often other programs there woke up a thread of the group,
 *		weighted, decayed at each scan
 */
struct sched_cache_share {
	struct sched_cache_slot	run;
	struct sched_cache_slot	present;
	struct sched_cache_slot	claimed;
	atomic_t		woken;
} ____cacheline_aligned;

/**
 * struct sched_cache_group - the threads of one mm, or of several that have
 *			     joined, and where they run
 * @home:	the LLCs where they should run, a bit for each, all on one
 *		node; 0 for none. Written by the thread that scans, by one that
 *		adds threads to a young group, and by the tick that forgets it.
 * @nr_shares:	LLCs known when the group was made; it never has its home on
 *		one that came later
 * @next_scan:	jiffies; the thread that moves it on is the one that scans
 * @created:	jiffies
 * @spread_until: jiffies; until then the threads move apart, as they were
 *		drawn together for a home that is lost
 * @last_spread: jiffies; the last that did so
 * @refs:	one for each mm, one for each task
 * @mms:	one, or more if processes have joined
 * @scanning:	a thread rethinks @home
 * @tgid:	the process that it was made for, to tell it by
 * @reason:	why @home is what it is, an enum sched_cache_reason
 * @need:	threads that the home was chosen for, in SCHED_CACHE_THREAD
 * @starts_since: jiffies; when the last threads began to be started
 * @starts:	so many since then
 * @too_large:	scans in a row that found @home larger than need be
 * @lacked:	scans in a row that found too little room there
 * @footprint: how much of its memory is used
 * @rcu:	frees the group when nobody can look any more
 * @debug:	what checks of itself need
 * @shares:	by LLC
 *
 * Wakeups and ticks on all CPUs read the first line; it is written once a
 * period. Threads that come and go write the second.
 */
struct sched_cache_group {
	unsigned long		home;
	unsigned int		nr_shares;
	unsigned long		next_scan;
	unsigned long		created;
	unsigned long		spread_until;
	unsigned long		last_spread;

	refcount_t		refs ____cacheline_aligned;
	atomic_t		mms;
	int			scanning;
	pid_t			tgid;
	u8			reason;
	u32			need;
	unsigned long		starts_since;
	int			starts;
	unsigned int		too_large;
	unsigned int		lacked;
	struct rcu_head		rcu;
	struct sched_cache_footprint footprint;
	struct sched_cache_group_debug debug;

	struct sched_cache_share shares[] __counted_by(nr_shares);
};

struct sched_cache_group *sched_cache_attach(struct task_struct *p,
					     struct mm_struct *mm);
int sched_cache_join(struct task_struct *p, struct task_struct *other);
unsigned int sched_cache_nr_groups(void);

/* Is it the group of several processes? */
static inline bool sched_cache_is_joint(const struct sched_cache_group *g)
{
	return atomic_read(&g->mms) > 1;
}

/* What the process of @p asks for, or else its cgroup: an enum sched_cache_mode. */
static inline u8 sched_cache_mode(const struct task_struct *p)
{
	return READ_ONCE(p->sched_cache.mode) ?:
	       READ_ONCE(p->sched_cache.cgroup_mode);
}

/* Do the user and the process itself want it in a group? */
static inline bool sched_cache_wanted(const struct task_struct *p)
{
	u8 mode = sched_cache_mode(p);

	return mode == SCHED_CACHE_MODE_ON ||
	       (mode == SCHED_CACHE_MODE_DEFAULT &&
		READ_ONCE(sched_cache_knobs.enabled) != SCHED_CACHE_FOR_ASKERS);
}

/*
 * Kernel workers of a process never return to user space, where homing happens,
 * and go where their work is.
 */
static inline bool sched_cache_may_join(const struct task_struct *p)
{
	return p->mm && sched_cache_wanted(p) &&
	       !(p->flags & (PF_EXITING | PF_KTHREAD | PF_USER_WORKER));
}

#endif /* _KERNEL_SCHED_CACHE_GROUP_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst:
 * choosing a home.
 */
#ifndef _KERNEL_SCHED_CACHE_HOME_H
#define _KERNEL_SCHED_CACHE_HOME_H

#include <linux/types.h>

struct cpumask;
struct sched_cache_group;
struct task_struct;

/**
 * struct sched_cache_wish - what the choice of a home rests on
 * @home:	where the group is now
 * @here:	the LLC where a young group's threads start, else negative
 * @partner:	the LLC where those run who wake the group up, or negative
 * @close:	they do so often
 * @node:	look for room on this one only
 * @within:	and on CPUs of these, NULL for all
 * @single:	several LLCs are not worth a thought
 * @need:	CPUs that the threads need, in SCHED_CACHE_THREAD
 * @expected:	the same for a new home: what may still begin to run counts
 * @present:	threads that are there to run
 * @footprint:	bytes in use
 */
struct sched_cache_wish {
	unsigned long		home;
	int			here;
	int			partner;
	bool			close;
	int			node;
	const struct cpumask	*within;
	bool			single;
	u32			need;
	u32			expected;
	u32			present;
	unsigned long		footprint;
};

/* home.c */
bool sched_cache_has_room(struct sched_cache_group *g,
			  const struct sched_cache_wish *w, int index);
unsigned long sched_cache_choose(struct sched_cache_group *g,
				 const struct sched_cache_wish *w,
				 const struct task_struct *p);
bool sched_cache_footprint_matters(const struct sched_cache_group *g,
				   const struct task_struct *p);
bool sched_cache_is_settled(struct sched_cache_group *g,
			    const struct sched_cache_wish *w, u32 own,
			    u32 most_away);

/* scan.c */
bool sched_cache_node_allows(const struct task_struct *p, int node);
unsigned int sched_cache_scan_period(const struct sched_cache_group *g);
void sched_cache_home_fork(struct sched_cache_group *g, struct task_struct *p);
void sched_cache_home_scan(struct sched_cache_group *g, struct task_struct *p);

#endif /* _KERNEL_SCHED_CACHE_HOME_H */

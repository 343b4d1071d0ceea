/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst:
 * choosing a home.
 */
#ifndef _KERNEL_SCHED_CACHE_HOME_H
#define _KERNEL_SCHED_CACHE_HOME_H

#include "group.h"
#include "llc.h"
#include "policy.h"

/* Why a group has the home that it has, or none; the trace events have the names. */
enum sched_cache_reason {
	SCHED_CACHE_BY_NOTHING,		/* nobody has thought of it yet */
	SCHED_CACHE_BY_START,		/* threads were started */
	SCHED_CACHE_BY_THREADS,		/* so many run, or too many */
	SCHED_CACHE_BY_FOOTPRINT,	/* its working set is too large */
	SCHED_CACHE_BY_AFFINITY,	/* a thread may not go where it fits */
	SCHED_CACHE_BY_NODE,		/* NUMA balancing does not want it there */
	SCHED_CACHE_BY_OCCUPANCY,	/* most of it runs there */
	SCHED_CACHE_BY_OVERLOAD,	/* others have filled the last home */
	SCHED_CACHE_BY_PARTNER,		/* those who wake it up run there */
	SCHED_CACHE_BY_USER,		/* it is to be kept together, however large */
	SCHED_CACHE_BY_TIMEOUT,		/* it has not run for long */
};

/**
 * struct sched_cache_choice - what became of the question for a home
 * @home:	the LLCs, 0 for none
 * @reason:	why
 */
struct sched_cache_choice {
	unsigned long		home;
	enum sched_cache_reason	reason;
};

/**
 * struct sched_cache_wish - what the choice of a home rests on
 * @home:	where the group is now
 * @here:	the LLC where a young group's threads start, else negative
 * @partner:	the LLC where those run who wake the group up, or negative
 * @close:	they do so often
 * @node:	look for room on this one only
 * @within:	and on CPUs of these, NULL for all
 * @tolerant:	however many threads and bytes, no LLC is too small
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
	bool			tolerant;
	bool			single;
	u32			need;
	u32			expected;
	u32			present;
	unsigned long		footprint;
};

/* What do others leave of an LLC to a group, of which @own threads run there? */
static __always_inline u32
sched_cache_room_beside(struct sched_cache_llc *llc,
			struct sched_cache_share *share, u32 limit, u32 own,
			const struct sched_cache_now *now)
{
	u32 busy = sched_cache_llc_busy_at(llc, now), claimed = 0;

	/* The words are the same while nobody else claims. */
	if (!sched_cache_slot_same(&llc->claimed, &share->claimed)) {
		claimed = sched_cache_slot_threads_at(&llc->claimed, now);
		claimed -= min(claimed,
			       sched_cache_slot_threads_at(&share->claimed, now));
	}
	return sched_cache_room(limit, busy, own, claimed);
}

/* home.c */
bool sched_cache_has_room(struct sched_cache_group *g,
			  const struct sched_cache_wish *w, int index);
struct sched_cache_choice
sched_cache_choose(struct sched_cache_group *g, const struct sched_cache_wish *w,
		   const struct task_struct *p);
bool sched_cache_footprint_matters(const struct sched_cache_group *g,
				   unsigned long rss);

/* Is the process of @p to be kept together in any case? */
static inline bool sched_cache_is_tolerant(const struct task_struct *p)
{
	return sched_cache_mode(p) == SCHED_CACHE_MODE_ON;
}

/* scan.c */
bool sched_cache_node_allows(const struct task_struct *p, int node);
unsigned int sched_cache_scan_period(const struct sched_cache_group *g);
void sched_cache_set_home(struct sched_cache_group *g,
			  const struct sched_cache_wish *w,
			  const struct sched_cache_choice *c);
void sched_cache_home_fork(struct sched_cache_group *g, struct task_struct *p);
void sched_cache_home_scan(struct sched_cache_group *g, struct task_struct *p);

#endif /* _KERNEL_SCHED_CACHE_HOME_H */

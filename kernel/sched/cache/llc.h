/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: the
 * table of last-level caches.
 */
#ifndef _KERNEL_SCHED_CACHE_LLC_H
#define _KERNEL_SCHED_CACHE_LLC_H

#include <linux/cache.h>
#include <linux/cpumask.h>
#include <linux/percpu.h>
#include <linux/sched/cache_types.h>

#include "occupancy.h"

#define SCHED_CACHE_NO_LLC	(-1)

/*
 * A home is a set of LLCs in one word. CPUs of further LLCs get no index, and
 * the feature leaves them alone.
 */
#define SCHED_CACHE_MAX_LLCS	BITS_PER_LONG

/* What is counted of each LLC. */
enum sched_cache_event {
	SCHED_CACHE_FORK,	/* homed here at fork */
	SCHED_CACHE_WAKE,	/* homed here at wakeup */
	SCHED_CACHE_PUSH,	/* homed here at the tick */
	SCHED_CACHE_SPREAD,	/* moved apart to here, home is lost */
	/* Of a task that stays or goes by itself. */
	SCHED_CACHE_HOLD,	/* load balancing left a task at home here */
	SCHED_CACHE_SPILL,	/* this full home let a task go */
	SCHED_CACHE_NR_EVENTS,
};

static_assert(SCHED_CACHE_HOLD == SCHED_CACHE_NR_MOVES);

/**
 * struct sched_cache_llc - one last-level cache
 * @nr_cpus:	CPUs that tasks are balanced over: neither offline nor isolated
 * @nr_cores:	cores among them
 * @node:	its NUMA node
 * @bytes:	its size, 0 if the machine does not tell
 * @limit:	running threads that make it full, in SCHED_CACHE_THREAD
 * @holds_threads: running threads that it can be home to, by llc_aggr_tolerance
 * @holds_bytes: working set that it can be home to, by llc_aggr_tolerance
 * @busy:	run time of all fair tasks here, by the tick
 * @claimed:	run time that groups at home here are expected to need
 * @events:	how often each happened since boot
 * @cpus:	every CPU that was ever seen on it, online or not
 *
 * Allocated once, never freed: an LLC keeps its index while its CPUs come and
 * go. All but the slots change only with the domains, the limits with the knobs
 * as well.
 */
struct sched_cache_llc {
	unsigned int		nr_cpus;
	unsigned int		nr_cores;
	int			node;
	unsigned long		bytes;
	u32			limit;
	u32			holds_threads;
	unsigned long		holds_bytes;

	struct sched_cache_slot	busy ____cacheline_aligned;
	struct sched_cache_slot	claimed;

	/* Written by whoever moves a task: seldom, but from other LLCs. */
	atomic_long_t		events[SCHED_CACHE_NR_EVENTS] ____cacheline_aligned;

	unsigned long		cpus[] ____cacheline_aligned;
};

DECLARE_PER_CPU_READ_MOSTLY(int, sched_cache_llc_index);
extern struct sched_cache_llc *sched_cache_llcs[SCHED_CACHE_MAX_LLCS];
extern u32 sched_cache_most_threads;

unsigned int sched_cache_nr_llcs(void);
unsigned int sched_cache_nr_active_llcs(void);
u32 sched_cache_llc_busy(const struct sched_cache_llc *llc);
unsigned long sched_cache_count_of(enum sched_cache_event event);
void sched_cache_recount_llcs(void);

/* The LLC of an index from sched_cache_llc_of(), not negative. */
static inline struct sched_cache_llc *sched_cache_llc(int index)
{
	return sched_cache_llcs[index];
}

/* The index of the LLC of @cpu, SCHED_CACHE_NO_LLC before its first domain. */
static inline int sched_cache_llc_of(int cpu)
{
	return READ_ONCE(per_cpu(sched_cache_llc_index, cpu));
}

/* One more @event of the LLC @index, not negative. */
static inline void sched_cache_count(int index, enum sched_cache_event event)
{
	atomic_long_inc(&sched_cache_llc(index)->events[event]);
}

/**
 * sched_cache_llc_busy_at - how many tasks run on an LLC
 * @llc:	an LLC
 * @now:	the moment
 *
 * Return: the average over the last epochs, in units of SCHED_CACHE_THREAD. At
 * most one for each CPU: a late tick must not make a full LLC look overloaded.
 */
static __always_inline u32
sched_cache_llc_busy_at(const struct sched_cache_llc *llc,
			const struct sched_cache_now *now)
{
	return min(sched_cache_slot_threads_at(&llc->busy, now),
		   READ_ONCE(llc->nr_cpus) * SCHED_CACHE_THREAD);
}

/* The home that is nothing but the LLC @index, 0 for SCHED_CACHE_NO_LLC. */
static inline unsigned long sched_cache_only(int index)
{
	return index >= 0 ? 1UL << index : 0;
}

/* Is the LLC @index, which may be SCHED_CACHE_NO_LLC, one of @home? */
static inline bool sched_cache_in(unsigned long home, int index)
{
	return home & sched_cache_only(index);
}

/* The node of a home that is not empty. */
static inline int sched_cache_node_of(unsigned long home)
{
	return sched_cache_llc(__ffs(home))->node;
}

static inline const struct cpumask *
sched_cache_llc_cpus(const struct sched_cache_llc *llc)
{
	return to_cpumask(llc->cpus);
}

#endif /* _KERNEL_SCHED_CACHE_LLC_H */

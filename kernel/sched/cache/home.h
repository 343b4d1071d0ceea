/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst:
 * choosing a home.
 */
#ifndef _KERNEL_SCHED_CACHE_HOME_H
#define _KERNEL_SCHED_CACHE_HOME_H

struct sched_cache_group;
struct sched_cache_llc;
struct task_struct;

u32 sched_cache_llc_limit(const struct sched_cache_llc *llc);
bool sched_cache_node_allows(const struct task_struct *p, int node);
unsigned int sched_cache_scan_period(const struct sched_cache_group *g);
void sched_cache_home_fork(struct sched_cache_group *g, struct task_struct *p);
void sched_cache_home_scan(struct sched_cache_group *g, struct task_struct *p);

#endif /* _KERNEL_SCHED_CACHE_HOME_H */

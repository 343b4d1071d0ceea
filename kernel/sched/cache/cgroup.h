/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: what the
 * cgroup of a task asks for.
 */
#ifndef _KERNEL_SCHED_CACHE_CGROUP_H
#define _KERNEL_SCHED_CACHE_CGROUP_H

#include "../sched.h"

#ifdef CONFIG_FAIR_GROUP_SCHED

/* Once a cgroup has said something. */
DECLARE_STATIC_KEY_FALSE(sched_cache_cgroups_say);

/* Under its pi_lock or rq lock, which keep @p in its cgroup. */
static inline void sched_cache_heed_cgroup(struct task_struct *p)
{
	if (static_branch_unlikely(&sched_cache_cgroups_say))
		WRITE_ONCE(p->sched_cache.cgroup_mode,
			   READ_ONCE(task_group(p)->sched_cache.effective));
}

#else

static inline void sched_cache_heed_cgroup(struct task_struct *p) { }

#endif

#endif /* _KERNEL_SCHED_CACHE_CGROUP_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: the
 * calls that fork, exec and exit make. The scheduler's own are in
 * kernel/sched/cache/cache.h.
 */
#ifndef _LINUX_SCHED_CACHE_H
#define _LINUX_SCHED_CACHE_H

#include <linux/errno.h>
#include <linux/jump_label.h>
#include <linux/mm_types.h>
#include <linux/sched.h>

#ifdef CONFIG_SCHED_CACHE

DECLARE_STATIC_KEY_FALSE(sched_cache_active);

void __sched_cache_fork(struct task_struct *p, u64 clone_flags);
void __sched_cache_detach(struct task_struct *p);
void __sched_cache_mm_exit(struct mm_struct *mm);

int sched_cache_prctl(unsigned long op, unsigned long pid, unsigned long arg,
		      unsigned long unused);

/*
 * A new task is in no group: its end would drop the reference of its parent,
 * which it is a copy of. The rest is set when it is attached to one.
 */
static inline void sched_cache_task_init(struct task_struct *p)
{
	p->sched_cache.group = NULL;
	p->sched_cache.scan_due = false;
	p->sched_cache.work_queued = false;
}

/* A copied mm starts without a group: the copy has one thread. */
static inline void sched_cache_mm_init(struct mm_struct *mm)
{
	mm->sched_cache = NULL;
}

/*
 * The last user of @mm is gone, so nobody can attach any more. What is left of
 * it, an idle CPU may keep for long.
 */
static inline void sched_cache_mm_exit(struct mm_struct *mm)
{
	if (mm->sched_cache)
		__sched_cache_mm_exit(mm);
}

/* @p was given its mm and is not visible yet. May sleep. */
static inline void sched_cache_fork(struct task_struct *p, u64 clone_flags)
{
	if (static_branch_unlikely(&sched_cache_active))
		__sched_cache_fork(p, clone_flags);
}

/* @p is current and has just left its old mm. */
static inline void sched_cache_exec(struct task_struct *p)
{
	if (p->sched_cache.group)
		__sched_cache_detach(p);
}

/* @p is about to be freed: it ran for the last time, or never. */
static inline void sched_cache_task_free(struct task_struct *p)
{
	if (p->sched_cache.group)
		__sched_cache_detach(p);
}

#else /* !CONFIG_SCHED_CACHE */

static inline void sched_cache_task_init(struct task_struct *p) { }
static inline void sched_cache_mm_init(struct mm_struct *mm) { }
static inline void sched_cache_mm_exit(struct mm_struct *mm) { }
static inline void sched_cache_fork(struct task_struct *p, u64 clone_flags) { }
static inline void sched_cache_exec(struct task_struct *p) { }
static inline void sched_cache_task_free(struct task_struct *p) { }

static inline int
sched_cache_prctl(unsigned long op, unsigned long pid, unsigned long arg,
		  unsigned long unused)
{
	return -EINVAL;
}

#endif /* CONFIG_SCHED_CACHE */

#endif /* _LINUX_SCHED_CACHE_H */

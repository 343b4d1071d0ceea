/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: the
 * doors, that is what the rest of the scheduler calls. Each is a static branch
 * that is patched out while the feature is off. What fork, exec and exit call
 * is in include/linux/sched/cache.h.
 */
#ifndef _KERNEL_SCHED_CACHE_CACHE_H
#define _KERNEL_SCHED_CACHE_CACHE_H

#include <linux/sched/cache.h>

struct dentry;
struct seq_file;

#ifdef CONFIG_SCHED_CACHE

int __sched_cache_select_cpu(struct task_struct *p, int prev_cpu, int cpu,
			     int wake_flags);
void __sched_cache_tick(struct rq *rq, struct task_struct *curr);
void __sched_cache_migrate(struct task_struct *p, int new_cpu);
bool __sched_cache_hold(struct task_struct *p, int src_cpu, int dst_cpu);
bool __sched_cache_hold_curr(struct rq *src_rq, int dst_cpu);
bool __sched_cache_lets_stranger_go(struct task_struct *p, int src_cpu,
				    int dst_cpu);
void sched_cache_build_llcs(const struct cpumask *cpu_map);
void sched_cache_count_llcs(void);
void sched_cache_init_debugfs(struct dentry *dir);
void sched_cache_show_task(struct task_struct *p, struct seq_file *m);
#ifdef CONFIG_FAIR_GROUP_SCHED
void sched_cache_online_group(struct task_group *tg);
#else
static inline void sched_cache_online_group(struct task_group *tg) { }
#endif

static __always_inline bool sched_cache_on(void)
{
	return static_branch_unlikely(&sched_cache_active) &&
	       sched_feat(SCHED_CACHE);
}

/* The group of @p, which may be another task's: under RCU or its rq lock. */
static inline struct sched_cache_group *
sched_cache_group_of(const struct task_struct *p)
{
	return READ_ONCE(p->sched_cache.group);
}

/*
 * Homing at fork and wakeup: @cpu is where @p would go, the result where it
 * goes. Under p->pi_lock.
 */
static inline int
sched_cache_select_cpu(struct task_struct *p, int prev_cpu, int cpu,
		       int wake_flags)
{
	/* Most processes have one thread. */
	if (!sched_cache_on() || !sched_cache_group_of(p))
		return cpu;
	return __sched_cache_select_cpu(p, prev_cpu, cpu, wake_flags);
}

/* Accounting, and homing of a task that does not sleep. Under the rq lock. */
static inline void sched_cache_tick(struct rq *rq, struct task_struct *curr)
{
	if (sched_cache_on())
		__sched_cache_tick(rq, curr);
}

/* Accounting of a task that changes its CPU. Under p->pi_lock or rq lock. */
static inline void sched_cache_migrate(struct task_struct *p, int new_cpu)
{
	if (sched_cache_on() && sched_cache_group_of(p))
		__sched_cache_migrate(p, new_cpu);
}

/* Holding: shall load balancing leave the queued @p where it is? */
static inline bool
sched_cache_hold(struct task_struct *p, int src_cpu, int dst_cpu)
{
	return sched_cache_on() && __sched_cache_hold(p, src_cpu, dst_cpu);
}

/* Holding: shall active balancing leave @src_rq's running task there? */
static inline bool sched_cache_hold_curr(struct rq *src_rq, int dst_cpu)
{
	return sched_cache_on() && __sched_cache_hold_curr(src_rq, dst_cpu);
}

/* May an idle CPU of another LLC take @p, which waits in the home of others? */
static inline bool
sched_cache_lets_stranger_go(struct task_struct *p, int src_cpu, int dst_cpu)
{
	return sched_cache_on() &&
	       __sched_cache_lets_stranger_go(p, src_cpu, dst_cpu);
}

#else /* !CONFIG_SCHED_CACHE */

static inline bool sched_cache_on(void) { return false; }

/* No function: its arguments would have places on the stack of the caller. */
#define sched_cache_select_cpu(p, prev_cpu, cpu, wake_flags) \
	((void)(p), (void)(prev_cpu), (void)(wake_flags), (cpu))

static inline void sched_cache_tick(struct rq *rq, struct task_struct *curr) { }

static inline void sched_cache_migrate(struct task_struct *p, int new_cpu) { }

static inline bool
sched_cache_hold(struct task_struct *p, int src_cpu, int dst_cpu)
{
	return false;
}

static inline bool sched_cache_hold_curr(struct rq *src_rq, int dst_cpu)
{
	return false;
}

static inline bool
sched_cache_lets_stranger_go(struct task_struct *p, int src_cpu, int dst_cpu)
{
	return false;
}

static inline void sched_cache_build_llcs(const struct cpumask *cpu_map) { }
static inline void sched_cache_count_llcs(void) { }
static inline void sched_cache_init_debugfs(struct dentry *dir) { }
static inline void sched_cache_online_group(struct task_group *tg) { }

static inline void
sched_cache_show_task(struct task_struct *p, struct seq_file *m) { }

#endif /* CONFIG_SCHED_CACHE */

#endif /* _KERNEL_SCHED_CACHE_CACHE_H */

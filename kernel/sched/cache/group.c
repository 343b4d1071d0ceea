// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: the
 * life of a group, from an mm's second thread to the end of its last. Where
 * the group should run is in home.c.
 *
 * References: the mm owns one, from the group's making until its last user is
 * gone. A task that uses the mm takes one for itself, and drops it when it
 * leaves the mm by exec or when its task_struct is freed. The memory goes a
 * grace period after the last reference, so whoever may look at a task may
 * look at its group:
 *
 *	task under RCU or rq lock  ->  p->sched_cache.group  ->  group
 *
 * A process with one thread has no group. A vfork child gets none either: it
 * is gone before anything is known of it.
 */
#include <linux/mmu_context.h>

#include <trace/events/sched_cache.h>

#include "../sched.h"
#include "debug.h"
#include "group.h"
#include "home.h"
#include "llc.h"

static atomic_t nr_groups;

/* Groups that hold memory for somebody. */
unsigned int sched_cache_nr_groups(void)
{
	return atomic_read(&nr_groups);
}

static struct sched_cache_group *alloc_group(void)
{
	unsigned int nr_shares = sched_cache_nr_llcs();
	struct sched_cache_group *g;

	g = kzalloc(struct_size(g, shares, nr_shares), GFP_KERNEL_ACCOUNT);
	if (!g)
		return NULL;

	g->nr_shares = nr_shares;
	g->tgid = current->tgid;
	g->created = jiffies;
	g->next_scan = jiffies;
	g->spread_until = jiffies;
	g->footprint.due = jiffies;
	g->starts_since = jiffies;
	refcount_set(&g->refs, 1);
	atomic_inc(&nr_groups);
	sched_cache_debug_add(g);
	return g;
}

static void put_group(struct sched_cache_group *g)
{
	if (!refcount_dec_and_test(&g->refs))
		return;
	trace_sched_cache_release(g);
	sched_cache_debug_remove(g);
	atomic_dec(&nr_groups);
	kfree_rcu(g, rcu);
}

static void put_group_of_mm(struct sched_cache_group *g)
{
	sched_cache_debug_mm_exit(g);
	put_group(g);
}

/* The group of @mm, made if need be: without memory there is none. */
static struct sched_cache_group *group_of_mm(struct mm_struct *mm)
{
	struct sched_cache_group *g = READ_ONCE(mm->sched_cache), *winner = NULL;

	if (g)
		return g;

	g = alloc_group();
	/* A full barrier: whoever sees the group sees it initialised. */
	if (g && !try_cmpxchg(&mm->sched_cache, &winner, g)) {
		put_group_of_mm(g);
		g = winner;
	}
	return g;
}

/**
 * sched_cache_attach - make a task a member of its mm's group
 * @p:	current, or a task that is not visible yet; in no group
 * @mm:	the mm that @p uses
 *
 * May sleep. Run time from before is not accounted.
 *
 * Return: the group, NULL if there is no memory for one.
 */
struct sched_cache_group *
sched_cache_attach(struct task_struct *p, struct mm_struct *mm)
{
	struct sched_cache_group *g = group_of_mm(mm);
	struct sched_cache_task *t = &p->sched_cache;

	if (!g)
		return NULL;

	sched_cache_check(!t->group);
	refcount_inc(&g->refs);
	sched_cache_debug_attach(g);
	/* Keep the tick from taking the one without the other. */
	local_irq_disable();
	t->flushed_ns = p->se.sum_exec_runtime;
	t->next_move = jiffies;
	t->home_cpu = -1;
	t->seen = jiffies;
	memset(t->moves, 0, sizeof(t->moves));
	WRITE_ONCE(t->group, g);
	local_irq_enable();
	trace_sched_cache_attach(g);
	return g;
}

/* @p leaves its group: it is current, or nobody can run it any more. */
void __sched_cache_detach(struct task_struct *p)
{
	struct sched_cache_group *g = p->sched_cache.group;

	WRITE_ONCE(p->sched_cache.group, NULL);
	WRITE_ONCE(p->sched_cache.scan_due, false);
	sched_cache_debug_detach(g);
	put_group(g);
}

void __sched_cache_mm_exit(struct mm_struct *mm)
{
	put_group_of_mm(mm->sched_cache);
	mm->sched_cache = NULL;
}

/*
 * A second user of current's mm: from now on there is something to keep
 * together.
 */
void __sched_cache_fork(struct task_struct *p, u64 clone_flags)
{
	struct sched_cache_group *g;

	if ((clone_flags & (CLONE_VM | CLONE_VFORK)) != CLONE_VM)
		return;
	if (!sched_cache_may_join(p))
		return;

	if (!current->sched_cache.group && !sched_cache_attach(current, p->mm))
		return;
	g = sched_cache_attach(p, p->mm);
	if (g)
		sched_cache_home_fork(g, current);
}

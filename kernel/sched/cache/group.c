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
 * look at its group, and whoever may look at an mm may take a reference:
 *
 *	task under RCU or rq lock  ->  p->sched_cache.group  ->  group
 *	mm under RCU		   ->  mm->sched_cache	     ->  group
 *
 * A process can join the group of another. Its mm then owns a reference to that
 * one, and each of its threads changes over at its next tick.
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

/* For the process @tgid, without a user yet. */
static struct sched_cache_group *alloc_group(pid_t tgid)
{
	unsigned int nr_shares = sched_cache_nr_llcs();
	struct sched_cache_group *g;

	g = kzalloc(struct_size(g, shares, nr_shares), GFP_KERNEL_ACCOUNT);
	if (!g)
		return NULL;

	g->nr_shares = nr_shares;
	g->tgid = tgid;
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

/* The caller's reference becomes that of an mm. */
static void count_mm(struct sched_cache_group *g)
{
	atomic_inc(&g->mms);
	sched_cache_debug_mm_join(g);
}

static void put_group_of_mm(struct sched_cache_group *g)
{
	atomic_dec(&g->mms);
	sched_cache_debug_mm_exit(g);
	put_group(g);
}

/* A reference to the group of @mm, which may be given another meanwhile. */
static struct sched_cache_group *get_group(struct mm_struct *mm)
{
	struct sched_cache_group *g;

	guard(rcu)();
	do {
		g = READ_ONCE(mm->sched_cache);
	} while (g && !refcount_inc_not_zero(&g->refs));
	return g;
}

/* The same, made if need be for @tgid: without memory there is none. */
static struct sched_cache_group *
get_or_make_group(struct mm_struct *mm, pid_t tgid)
{
	struct sched_cache_group *g = get_group(mm), *none = NULL;

	if (g)
		return g;

	g = alloc_group(tgid);
	if (!g)
		return NULL;
	count_mm(g);
	/* A full barrier: whoever sees the group sees it initialised. */
	if (!try_cmpxchg(&mm->sched_cache, &none, g))
		put_group_of_mm(g);
	return get_group(mm);
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
	struct sched_cache_group *g = get_or_make_group(mm, current->tgid);
	struct sched_cache_task *t = &p->sched_cache;

	if (!g)
		return NULL;

	sched_cache_check(!t->group);
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

/* @mm, which has users, owns the caller's reference to @g instead of what it had. */
static void give_group(struct mm_struct *mm, struct sched_cache_group *g)
{
	struct sched_cache_group *old;

	count_mm(g);
	/* A full barrier, as when a group is made. */
	old = xchg(&mm->sched_cache, g);
	if (old)
		put_group_of_mm(old);
}

static bool shares_group(struct mm_struct *mm)
{
	struct sched_cache_group *g;

	guard(rcu)();
	g = READ_ONCE(mm->sched_cache);
	return g && sched_cache_is_joint(g);
}

static int join(struct mm_struct *mm, struct sched_cache_group *g)
{
	if (!g)
		return -ENOMEM;
	give_group(mm, g);
	return 0;
}

/**
 * sched_cache_join - let two processes have one group
 * @p:		a thread of the one that joins
 * @other:	a thread of the one whose group that is; of the same process if it
 *		shall leave those whose group it shares
 *
 * May sleep.
 *
 * Return: 0, -ESRCH if one of them has no memory, as it ends or is the kernel's,
 * -ENOMEM.
 */
int sched_cache_join(struct task_struct *p, struct task_struct *other)
{
	struct mm_struct *mm = get_task_mm(p), *theirs = get_task_mm(other);
	int err = 0;

	if (!mm || !theirs)
		err = -ESRCH;
	else if (mm != theirs)
		err = join(mm, get_or_make_group(theirs, other->tgid));
	else if (shares_group(mm))
		err = join(mm, alloc_group(p->tgid));
	if (theirs)
		mmput(theirs);
	if (mm)
		mmput(mm);
	return err;
}

/* A child of a process that shares its group with others is one more of them. */
static void fork_process(struct task_struct *p)
{
	struct sched_cache_group *g;

	if (!p->mm || !shares_group(current->mm))
		return;
	g = get_group(current->mm);
	give_group(p->mm, g);
	if (sched_cache_may_join(p))
		sched_cache_attach(p, p->mm);
}

/*
 * A second user of current's mm: from now on there is something to keep
 * together.
 */
void __sched_cache_fork(struct task_struct *p, u64 clone_flags)
{
	struct sched_cache_group *g;

	if (!(clone_flags & CLONE_VM)) {
		fork_process(p);
		return;
	}
	if ((clone_flags & CLONE_VFORK) || !sched_cache_may_join(p))
		return;

	if (!current->sched_cache.group && !sched_cache_attach(current, p->mm))
		return;
	g = sched_cache_attach(p, p->mm);
	if (g)
		sched_cache_home_fork(g, current);
}

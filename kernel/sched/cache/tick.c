// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: the
 * accounting of where tasks run, and what the tick has a task do on its way
 * back to user space.
 *
 * A context switch costs nothing. What a task ran since it was last accounted
 * is the difference of two numbers that it carries,
 *
 *	pending = se.sum_exec_runtime - sched_cache.flushed_ns
 *
 * and goes to the LLC where it ran: at the tick, and when the task changes its
 * LLC. A task that sleeps between ticks keeps it until one of these.
 */
#include <linux/mmu_context.h>
#include <linux/task_work.h>

#include "../sched.h"
#include "cgroup.h"
#include "debug.h"
#include "group.h"
#include "home.h"
#include "knobs.h"
#include "llc.h"
#include "place.h"

/*
 * A thread is there from one tick that finds it running to the next, but for so
 * many ticks at most: one that runs a fourth of the time is then missed in one
 * tick of 18. And for an epoch at most, which a slot averages over.
 */
#define SEEN_TICKS	10U

static DEFINE_PER_CPU(u32, last_tick);

/* Jiffies since the last tick of a CPU, as far as @curr has been running. */
static u32 ticks_of(struct rq *rq, const struct task_struct *curr, u32 now)
{
	u32 ticks = now - per_cpu(last_tick, cpu_of(rq));
	u64 ns = curr->se.sum_exec_runtime - curr->se.prev_sum_exec_runtime;

	per_cpu(last_tick, cpu_of(rq)) = now;
	return ticks <= 1 ? 1 : clamp_t(u64, div_u64(ns, TICK_NSEC), 1, ticks);
}

/*
 * Run time of jiffies that had no tick, as in a guest whose CPUs have to wait for
 * the host's, or whose ticks found another task: in time, a part of it would have
 * been halved since.
 */
static u64 aged(u64 us, const struct sched_cache_now *now)
{
	return us < 2 * TICK_USEC ? us : sched_cache_occupancy_aged(us, now);
}

/* Account what @p ran since the last time to the LLC it ran on. */
static void flush(struct task_struct *p, struct sched_cache_group *g, int index,
		  const struct sched_cache_now *now)
{
	struct sched_cache_task *t = &p->sched_cache;
	u64 us = div_u64(p->se.sum_exec_runtime - t->flushed_ns, NSEC_PER_USEC);

	sched_cache_check(p->se.sum_exec_runtime >= t->flushed_ns);
	t->flushed_ns += us * NSEC_PER_USEC;
	if (index >= 0 && index < g->nr_shares)
		sched_cache_slot_add(&g->shares[index].run, now, aged(us, now),
				     SCHED_CACHE_THREAD);
}

/*
 * A thread that the tick finds running again after a few ticks was there all
 * the time, in some sense: it would have had a use for a CPU of its own.
 */
static void see(struct task_struct *p, struct sched_cache_group *g, int index,
		const struct sched_cache_now *now, bool late)
{
	u32 ticks = min3(now->time - p->sched_cache.seen, SEEN_TICKS, now->period);
	u64 us = ticks * TICK_USEC;

	p->sched_cache.seen = now->time;
	if (ticks && index < g->nr_shares)
		sched_cache_slot_add(&g->shares[index].present, now,
				     late ? aged(us, now) : us,
				     SEEN_TICKS * SCHED_CACHE_THREAD);
}

void __sched_cache_migrate(struct task_struct *p, int new_cpu)
{
	struct sched_cache_group *g = sched_cache_group_of(p);
	int index = sched_cache_llc_of(task_cpu(p));
	struct sched_cache_now now;

	if (index == sched_cache_llc_of(new_cpu))
		return;
	now = sched_cache_now();
	flush(p, g, index, &now);
	if (sched_cache_in(READ_ONCE(g->home), index))
		p->sched_cache.home_cpu = task_cpu(p);
}

/*
 * The feature was off when the process started its threads. A vfork child
 * borrows its parent's mm until exec.
 */
static bool wants_group(struct task_struct *p)
{
	return sched_cache_may_join(p) && !READ_ONCE(p->vfork_done) &&
	       (get_nr_threads(p) > 1 || READ_ONCE(p->mm->sched_cache));
}

/*
 * Has @p a companion, in its process or in a group that is there already? The
 * threads above may all be workers of io_uring, and can be many, so the tick
 * does not look.
 */
static bool has_companion(struct task_struct *p)
{
	struct task_struct *t;

	if (READ_ONCE(p->mm->sched_cache))
		return true;
	guard(rcu)();
	for_each_thread(p, t) {
		/* Set before others see the thread; other flags may change. */
		if (t != p && !(data_race(t->flags) & PF_USER_WORKER))
			return true;
	}
	return false;
}

/* Is @p, a user of an mm, still to be in @g? Its process may have joined another. */
static bool belongs(const struct task_struct *p, const struct sched_cache_group *g)
{
	return sched_cache_wanted(p) && READ_ONCE(p->mm->sched_cache) == g;
}

/*
 * Attach latecomers, detach who is not wanted, scan, push: what needs to sleep, or
 * cannot be atomic.
 */
static void task_work(struct callback_head *work)
{
	struct task_struct *p = current;
	struct sched_cache_group *g = p->sched_cache.group;

	/* From here on the tick may queue it again. */
	WRITE_ONCE(p->sched_cache.work_queued, false);
	if ((p->flags & PF_EXITING) || !p->mm)
		return;

	if (g && !belongs(p, g)) {
		__sched_cache_detach(p);
		g = NULL;
	}
	if (!g) {
		/* It may have called exec since the tick. */
		if (wants_group(p) && has_companion(p))
			sched_cache_attach(p, p->mm);
		return;
	}
	if (READ_ONCE(p->sched_cache.scan_due)) {
		WRITE_ONCE(p->sched_cache.scan_due, false);
		sched_cache_home_scan(g, p);
	}
	sched_cache_push(p);
}

/* A group that has not run for long starts anew: its data is in no cache. */
static void forget_home(struct sched_cache_group *g)
{
	const struct sched_cache_wish w = { .home = READ_ONCE(g->home) };
	const struct sched_cache_choice none = { .reason = SCHED_CACHE_BY_TIMEOUT };

	if (w.home)
		sched_cache_set_home(g, &w, &none);
}

/* Once a period one thread is to scan. */
static bool take_scan(struct sched_cache_group *g)
{
	unsigned long due = READ_ONCE(g->next_scan), now = jiffies;

	if (time_before(now, due) ||
	    !try_cmpxchg(&g->next_scan, &due, now + sched_cache_scan_period(g)))
		return false;
	if (time_after(now, due + sched_cache_timeout()))
		forget_home(g);
	return true;
}

/* Has @curr, which runs on LLC @index, something to do for its group? */
static bool work_due(struct task_struct *curr, struct sched_cache_group *g,
		     int index)
{
	if (!g)
		return wants_group(curr);
	if (curr->mm && !belongs(curr, g))
		return true;
	if (take_scan(g)) {
		WRITE_ONCE(curr->sched_cache.scan_due, true);
		return true;
	}
	return sched_cache_push_due(curr, index);
}

static void queue_task_work(struct task_struct *curr)
{
	struct sched_cache_task *t = &curr->sched_cache;

	if (READ_ONCE(t->work_queued))
		return;
	init_task_work(&t->work, task_work);
	WRITE_ONCE(t->work_queued, true);
	/* It fails for a task that does no more such work. */
	if (task_work_add(curr, &t->work, TWA_RESUME | TWAF_NO_ALLOC))
		WRITE_ONCE(t->work_queued, false);
}

void __sched_cache_tick(struct rq *rq, struct task_struct *curr)
{
	struct sched_cache_group *g = sched_cache_group_of(curr);
	int index = sched_cache_llc_of(cpu_of(rq));
	struct sched_cache_now now;
	u32 ticks;

	lockdep_assert_rq_held(rq);

	if (index < 0)
		return;
	now = sched_cache_now();
	ticks = ticks_of(rq, curr, now.time);
	sched_cache_slot_add(&sched_cache_llc(index)->busy, &now,
			     aged(ticks * TICK_USEC, &now), SCHED_CACHE_THREAD);
	if (g) {
		flush(curr, g, index, &now);
		see(curr, g, index, &now, ticks > 1);
	}

	sched_cache_heed_cgroup(curr);
	/* The tick of a nohz_full CPU, from afar: do not disturb it. */
	if (cpu_of(rq) == smp_processor_id() && work_due(curr, g, index))
		queue_task_work(curr);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: bringing
 * tasks home. Which LLC is home is decided in home.c, and what keeps them there
 * is in hold.c.
 *
 *	fork, wakeup	an idle CPU at home instead of the generic choice away
 *	tick		an away task pushes itself to an idle CPU at home, on
 *			its way back to user space, as in NUMA balancing
 *
 * Homing only ever takes an idle CPU, so it delays nobody: work conservation
 * comes before locality. So do affinity and cpusets, the task's preferred node,
 * capacity on asymmetric machines, and core scheduling.
 */
#include <linux/mmu_context.h>
#include <linux/stop_machine.h>

#include "../sched.h"
#include "group.h"
#include "home.h"
#include "knobs.h"
#include "llc.h"
#include "place.h"
#include "policy.h"

/*
 * A task is moved home at most so often, lest homing and balancing fight over
 * it: longer than a newly idle CPU's balancing takes to react, shorter than an
 * epoch.
 */
#define MOVE_INTERVAL_MS	4

static DEFINE_PER_CPU(unsigned long [SCHED_CACHE_NR_EVENTS], events);

void sched_cache_count(enum sched_cache_event event)
{
	this_cpu_inc(events[event]);
}

unsigned long sched_cache_count_of(enum sched_cache_event event)
{
	unsigned long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu(events, cpu)[event]);
	return sum;
}

/* The home of @p, SCHED_CACHE_NO_LLC if it has none or should not go there. */
int sched_cache_home_of(const struct task_struct *p)
{
	const struct sched_cache_group *g = sched_cache_group_of(p);
	int home;

	if (!g)
		return SCHED_CACHE_NO_LLC;
	home = READ_ONCE(g->home);
	if (home < 0 || p->policy == SCHED_IDLE || p->nr_cpus_allowed == 1 ||
	    time_after(jiffies, READ_ONCE(g->next_scan) + sched_cache_timeout()))
		return SCHED_CACHE_NO_LLC;
	if (!sched_cache_node_allows(p, sched_cache_llc(home)->node))
		return SCHED_CACHE_NO_LLC;
	return home;
}

/* Nothing but tasks of idle policy would have to wait for a newcomer. */
static bool is_idle(int cpu)
{
	struct rq *rq = cpu_rq(cpu);
	unsigned int nr_running = READ_ONCE(rq->nr_running);

	return available_idle_cpu(cpu) ||
	       (nr_running && nr_running == READ_ONCE(rq->cfs.idle_h_nr_running));
}

static bool is_idle_core(int cpu)
{
	int sibling;

	for_each_cpu(sibling, topology_sibling_cpumask(cpu)) {
		if (!is_idle(sibling))
			return false;
	}
	return true;
}

/* May @p run on @cpu, and may balancing move it there from @from? */
static bool may_run(struct task_struct *p, int cpu, int from)
{
	struct rq *rq = cpu_rq(cpu);

	if (!cpu_active(cpu) || !cpumask_test_cpu(cpu, p->cpus_ptr))
		return false;
	/* Partitions, and CPUs that are not balanced at all. */
	if (rq->rd != cpu_rq(from)->rd || !rcu_access_pointer(rq->sd))
		return false;
	if (sched_asym_cpucap_active() &&
	    arch_scale_cpu_capacity(cpu) < arch_scale_cpu_capacity(from))
		return false;
	return sched_cpu_cookie_match(rq, p);
}

/**
 * sched_cache_idle_cpu_at - an idle CPU for a task, an idle core if there is one
 * @p:		the task
 * @llc:	where
 * @start:	the CPU to look at first
 * @from:	the CPU where the task is, or would go
 * @room:	at most so many CPUs may be busy, the task's included
 *
 * Stops at the first idle core unless busy CPUs have to be counted.
 *
 * Return: a CPU, or -1.
 */
int sched_cache_idle_cpu_at(struct task_struct *p, struct sched_cache_llc *llc,
			    int start, int from, unsigned int room)
{
	const struct cpumask *cpus = sched_cache_llc_cpus(llc);
	bool count = room < READ_ONCE(llc->nr_cpus);
	int cpu, core = -1, thread = -1;
	unsigned int busy = 0;

	for_each_cpu_wrap(cpu, cpus, start) {
		if (!is_idle(cpu)) {
			busy++;
			continue;
		}
		if (core >= 0 || !may_run(p, cpu, from))
			continue;
		if (is_idle_core(cpu))
			core = cpu;
		else
			thread = cpu;
		if (core >= 0 && !count)
			return core;
	}
	if (count && busy >= room)
		return -1;
	return core >= 0 ? core : thread;
}

/* An idle CPU at home, unless home is full. */
static int idle_cpu_at_home(struct task_struct *p, int home, int from)
{
	struct sched_cache_llc *llc = sched_cache_llc(home);
	int start = p->sched_cache.home_cpu;

	if (start < 0)
		start = cpumask_first(sched_cache_llc_cpus(llc));
	return sched_cache_idle_cpu_at(p, llc, start, from,
			   sched_cache_llc_limit(llc) / SCHED_CACHE_THREAD);
}

static bool move_due(const struct task_struct *p)
{
	return time_after_eq(jiffies, p->sched_cache.next_move);
}

static void set_next_move(struct task_struct *p)
{
	p->sched_cache.next_move = jiffies + msecs_to_jiffies(MOVE_INTERVAL_MS);
}

int __sched_cache_select_cpu(struct task_struct *p, int prev_cpu, int cpu,
			     int wake_flags)
{
	const struct sched_cache_group *g = sched_cache_group_of(p);
	bool fork = wake_flags & WF_FORK;
	int home, new_cpu;

	lockdep_assert_held(&p->pi_lock);

	/* Most wakeups end here: nothing to keep together, or at home. */
	if (!g || READ_ONCE(g->home) == sched_cache_llc_of(cpu))
		return cpu;
	home = sched_cache_home_of(p);
	if (home < 0 || home == sched_cache_llc_of(cpu))
		return cpu;
	/* A thread that calls exec leaves the group. */
	if (!fork && !(wake_flags & WF_TTWU))
		return cpu;
	if (!fork && sched_cache_llc_of(prev_cpu) != home && !move_due(p))
		return cpu;

	if (sched_cache_llc_of(prev_cpu) == home)
		p->sched_cache.home_cpu = prev_cpu;
	new_cpu = idle_cpu_at_home(p, home, cpu);
	if (new_cpu < 0)
		return cpu;

	set_next_move(p);
	sched_cache_count(fork ? SCHED_CACHE_FORK : SCHED_CACHE_WAKE);
	return new_cpu;
}

struct push {
	struct task_struct	*p;
	int			cpu;
};

/* On the CPU of the task, which this preempted. */
static int push_stop(void *data)
{
	struct push *push = data;
	struct task_struct *p = push->p;
	struct rq *rq = this_rq(), *dst = cpu_rq(push->cpu);

	raw_spin_lock_irq(&p->pi_lock);
	double_rq_lock(rq, dst);
	/* Much may have changed since, and another task may have come first. */
	if (task_rq(p) == rq && task_on_rq_queued(p) && !p->se.sched_delayed &&
	    p->sched_class == &fair_sched_class && !is_migration_disabled(p) &&
	    is_idle(push->cpu) && may_run(p, push->cpu, cpu_of(rq))) {
		deactivate_task(rq, p, 0);
		set_task_cpu(p, push->cpu);
		activate_task(dst, p, 0);
		wakeup_preempt(dst, p, 0);
		sched_cache_count(SCHED_CACHE_PUSH);
	}
	double_rq_unlock(rq, dst);
	raw_spin_unlock_irq(&p->pi_lock);
	return 0;
}

/* Move current home, if it is away and home has a place. */
void sched_cache_push_home(struct task_struct *p)
{
	int from = raw_smp_processor_id(), home;
	struct push push = { .p = p };

	scoped_guard(rcu) {
		home = sched_cache_home_of(p);
		if (home < 0 || sched_cache_llc_of(from) == home)
			return;
		push.cpu = idle_cpu_at_home(p, home, from);
	}
	if (push.cpu >= 0)
		stop_one_cpu(from, push_stop, &push);
}

/* Is the away @p, which runs on LLC @index, to push itself home? */
bool sched_cache_push_due(struct task_struct *p, int index)
{
	int home = sched_cache_home_of(p);

	if (home < 0 || home == index || !move_due(p))
		return false;
	/* Its next wakeup would take it back. */
	if (sched_energy_enabled())
		return false;
	set_next_move(p);
	return true;
}

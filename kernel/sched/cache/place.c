// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: bringing
 * tasks home. Which LLC is home is decided in home.c, and what keeps them there
 * is in hold.c.
 *
 *	fork, wakeup	an idle CPU at home instead of the generic choice away
 *	tick		an away task pushes itself to an idle CPU at home, on
 *			its way back to user space, as in NUMA balancing; if
 *			home is lost, to one where fewer of its group are
 *
 * Homing only ever takes an idle CPU, so it delays nobody: work conservation
 * comes before locality. So do affinity and cpusets, the task's preferred node,
 * capacity on asymmetric machines, and core scheduling.
 */
#include <linux/mmu_context.h>
#include <linux/stop_machine.h>

#include <trace/events/sched_cache.h>

#include "../sched.h"
#include "group.h"
#include "home.h"
#include "knobs.h"
#include "llc.h"
#include "place.h"
#include "policy.h"

/*
 * A task is moved at most so often, lest homing and balancing fight over
 * it: longer than a newly idle CPU's balancing takes to react, shorter than an
 * epoch.
 */
#define MOVE_INTERVAL_MS	4

#ifdef CONFIG_FAIR_GROUP_SCHED
/* Is @p of a cgroup that runs when nothing else does? */
static bool is_of_idle_cgroup(const struct task_struct *p)
{
	const struct task_group *tg;

	for (tg = p->sched_task_group; tg; tg = tg->parent) {
		if (READ_ONCE(tg->idle))
			return true;
	}
	return false;
}
#else
static bool is_of_idle_cgroup(const struct task_struct *p)
{
	return false;
}
#endif

/*
 * Is @p left alone by homing, holding and spreading? For idle policy a CPU that
 * runs such tasks only is not idle.
 */
bool sched_cache_is_exempt(const struct task_struct *p)
{
	return !sched_cache_wanted(p) || p->policy == SCHED_IDLE ||
	       READ_ONCE(p->nr_cpus_allowed) == 1 || is_of_idle_cgroup(p);
}

/* The home of @p, 0 if it has none or should not go there. */
unsigned long sched_cache_home_of(const struct task_struct *p)
{
	const struct sched_cache_group *g = sched_cache_group_of(p);
	unsigned long home;

	if (!g)
		return 0;
	home = READ_ONCE(g->home);
	if (!home || sched_cache_is_exempt(p) ||
	    time_after(jiffies, READ_ONCE(g->next_scan) + sched_cache_timeout()))
		return 0;
	if (!sched_cache_node_allows(p, sched_cache_node_of(home)))
		return 0;
	return home;
}

/* Why is the home of its group none for @p? */
static enum sched_cache_refusal why_not(const struct task_struct *p,
					unsigned long home)
{
	if (sched_cache_is_exempt(p))
		return SCHED_CACHE_NOT_EXEMPT;
	if (!sched_cache_node_allows(p, sched_cache_node_of(home)))
		return SCHED_CACHE_NOT_NODE;
	return SCHED_CACHE_NOT_STALE;
}

/* May @p use any CPU of @home at all? */
static bool may_use(const struct task_struct *p, unsigned long home)
{
	unsigned int i;

	for_each_set_bit(i, &home, BITS_PER_LONG) {
		if (cpumask_intersects(p->cpus_ptr,
				       sched_cache_llc_cpus(sched_cache_llc(i))))
			return true;
	}
	return false;
}

/* No CPU of @home was found for @p, or, if there is none, no place apart. */
static void refuse(struct task_struct *p, enum sched_cache_event event,
		   unsigned long home)
{
	if (trace_sched_cache_refuse_enabled())
		trace_sched_cache_refuse(p, event, !home || may_use(p, home) ?
					 SCHED_CACHE_NOT_FULL :
					 SCHED_CACHE_NOT_AFFINITY);
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

#ifdef CONFIG_CFS_BANDWIDTH
/* Would @p wait on @cpu until its cgroup has run time again? */
static bool is_throttled(struct task_struct *p, int cpu)
{
	return READ_ONCE(task_group(p)->cfs_rq[cpu]->throttle_count);
}
#else
static bool is_throttled(struct task_struct *p, int cpu)
{
	return false;
}
#endif

/* Does asymmetric packing want tasks on CPU @a rather than on @b? */
bool sched_cache_packs(int a, int b)
{
	struct sched_domain *sd =
		rcu_dereference_check(per_cpu(sd_asym_packing, b),
				      rcu_read_lock_sched_held());

	return sd && cpumask_test_cpu(a, sched_domain_span(sd)) &&
	       sched_asym_prefer(a, b);
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
	return !sched_cache_packs(from, cpu) && !is_throttled(p, cpu) &&
	       sched_cpu_cookie_match(rq, p);
}

/*
 * An idle CPU on one LLC for @p, which is on @from or would go there: an idle
 * core if there is one, the first from @start on. None if @room CPUs are busy.
 * Stops at the first idle core unless busy CPUs have to be counted.
 */
static int idle_cpu_on(struct task_struct *p, struct sched_cache_llc *llc,
		       int start, int from, unsigned int room)
{
	const struct cpumask *cpus = sched_cache_llc_cpus(llc);
	bool count = room < READ_ONCE(llc->nr_cpus);
	int cpu, core = -1, thread = -1;
	unsigned int busy = 0;

	for_each_cpu_wrap(cpu, cpus, start) {
		if (!is_idle(cpu)) {
			if (++busy >= room)
				return -1;
			continue;
		}
		if (core >= 0 || !may_run(p, cpu, from))
			continue;
		if (is_idle_core(cpu))
			core = cpu;
		else if (thread < 0)
			thread = cpu;
		if (core >= 0 && !count)
			return core;
	}
	return core >= 0 ? core : thread;
}

/*
 * Where @p begins to look on an LLC: elsewhere for each thread, as their ticks
 * coincide, and one that was just started often sleeps when the next one comes.
 */
static int start_on(struct sched_cache_llc *llc, const struct task_struct *p)
{
	const struct cpumask *cpus = sched_cache_llc_cpus(llc);

	return cpumask_nth(p->pid % cpumask_weight(cpus), cpus);
}

/**
 * sched_cache_idle_cpu_in - an idle CPU for a task, an idle core if there is one
 * @p:		the task
 * @home:	LLCs, at least one; first the one where @p was last
 * @from:	the CPU where the task is, or would go
 * @limited:	leave out LLCs that are full
 *
 * Return: a CPU, or -1.
 */
int sched_cache_idle_cpu_in(struct task_struct *p, unsigned long home, int from,
			    bool limited)
{
	int last = p->sched_cache.home_cpu;
	int here = last < 0 ? SCHED_CACHE_NO_LLC : sched_cache_llc_of(last);
	struct sched_cache_llc *llc;
	unsigned int room, i;
	int start, cpu;

	for_each_set_bit_wrap(i, &home, BITS_PER_LONG, max(here, 0)) {
		llc = sched_cache_llc(i);
		start = i == here ? last : start_on(llc, p);
		room = limited ? READ_ONCE(llc->limit) / SCHED_CACHE_THREAD
			       : nr_cpu_ids;
		cpu = idle_cpu_on(p, llc, start, from, room);
		if (cpu >= 0)
			return cpu;
	}
	return -1;
}

/* How many CPUs of an LLC are idle that @p, on @from, may use? */
static unsigned int nr_idle(struct task_struct *p, struct sched_cache_llc *llc,
			    int from)
{
	unsigned int nr = 0;
	int cpu;

	for_each_cpu(cpu, sched_cache_llc_cpus(llc))
		nr += is_idle(cpu) && may_run(p, cpu, from);
	return nr;
}

/* How many threads of @g run on LLC @index, on average? */
static u32 run_on(struct sched_cache_group *g, int index)
{
	return index < g->nr_shares ?
	       sched_cache_slot_threads(&g->shares[index].run) : 0;
}

/*
 * Where @p goes on @from's node to get away from the threads it was drawn
 * together with: an LLC on which two CPUs more are idle than on its own, so
 * that not each of two goes to where the other was. And only if one thread less
 * of the group runs there on average: those that sleep most of the time find a
 * CPU where they are.
 */
static int spread_cpu(struct task_struct *p, int from)
{
	int index = sched_cache_llc_of(from);
	struct sched_cache_llc *own = sched_cache_llc(index);
	struct sched_cache_group *g = p->sched_cache.group;
	unsigned int most = nr_idle(p, own, from) + 1, idle;
	struct sched_cache_llc *best = NULL, *llc;
	u32 run = run_on(g, index);

	for (int i = 0; i < sched_cache_nr_llcs(); i++) {
		llc = sched_cache_llc(i);
		if (llc->node != own->node ||
		    run_on(g, i) + SCHED_CACHE_THREAD > run)
			continue;
		idle = nr_idle(p, llc, from);
		if (idle > most) {
			most = idle;
			best = llc;
		}
	}
	if (!best)
		return -1;
	return idle_cpu_on(p, best, start_on(best, p), from, nr_cpu_ids);
}

static bool move_due(const struct task_struct *p)
{
	return time_after_eq(jiffies, p->sched_cache.next_move);
}

static void set_next_move(struct task_struct *p)
{
	p->sched_cache.next_move = jiffies + msecs_to_jiffies(MOVE_INTERVAL_MS);
}

/* @p goes to @cpu instead of @from. */
static void count_move(struct task_struct *p, enum sched_cache_event event,
		       int from, int cpu)
{
	p->sched_cache.moves[event]++;
	sched_cache_count(sched_cache_llc_of(cpu), event);
	trace_sched_cache_move(p, event, from, cpu);
}

/*
 * If another program wakes up @p, its group may want to be near it. The work of
 * an interrupt is not current's, but that of a packet which current sends to a
 * process on the same machine is; softirqs on return from an interrupt can not
 * be told from it. Who is about to sleep, as it waits for the answer, counts
 * more.
 */
static void count_stranger(struct sched_cache_group *g, struct task_struct *p,
			   bool sync)
{
	int index = sched_cache_llc_of(raw_smp_processor_id());

	if (index >= 0 && index < g->nr_shares && !in_hardirq() &&
	    !(current->flags & (PF_KTHREAD | PF_USER_WORKER)) &&
	    current->mm != p->mm)
		atomic_add(sched_cache_wakeup_weight(sync),
			   &g->shares[index].woken);
}

/*
 * Is @cpu a place at home? The generic search is over when one LLC has no idle
 * CPU; if home is several, a busy CPU does not do.
 */
static bool is_at_home(unsigned long home, int cpu)
{
	return sched_cache_in(home, sched_cache_llc_of(cpu)) &&
	       (is_power_of_2(home) || is_idle(cpu));
}

/* Has @p no home although its group has one? */
static void trace_none(const struct sched_cache_group *g, struct task_struct *p,
		       enum sched_cache_event event)
{
	unsigned long home = READ_ONCE(g->home);

	if (home)
		trace_sched_cache_refuse(p, event, why_not(p, home));
}

static noinline int bring_home(struct task_struct *p, int prev_cpu, int cpu,
			       int wake_flags)
{
	struct sched_cache_group *g = sched_cache_group_of(p);
	unsigned long home = sched_cache_home_of(p);
	bool fork = wake_flags & WF_FORK;
	enum sched_cache_event event = fork ? SCHED_CACHE_FORK : SCHED_CACHE_WAKE;
	int new_cpu;

	if (sched_cache_group_of(current) != g)
		count_stranger(g, p, wake_flags & WF_SYNC);
	if (!home && trace_sched_cache_refuse_enabled())
		trace_none(g, p, event);
	if (!home || is_at_home(home, cpu))
		return cpu;
	/* A thread that calls exec leaves the group. */
	if (!fork && !(wake_flags & WF_TTWU))
		return cpu;
	if (sched_cache_in(home, sched_cache_llc_of(prev_cpu))) {
		p->sched_cache.home_cpu = prev_cpu;
	} else if (!fork && !move_due(p)) {
		trace_sched_cache_refuse(p, event, SCHED_CACHE_NOT_INTERVAL);
		return cpu;
	}
	new_cpu = sched_cache_idle_cpu_in(p, home, cpu, true);
	if (new_cpu < 0) {
		refuse(p, event, home);
		return cpu;
	}

	set_next_move(p);
	count_move(p, event, cpu, new_cpu);
	return new_cpu;
}

/*
 * Most wakeups end here: a thread of the group wakes up one that has no home, or
 * whose home is one LLC and the generic choice.
 */
int __sched_cache_select_cpu(struct task_struct *p, int prev_cpu, int cpu,
			     int wake_flags)
{
	const struct sched_cache_group *g = sched_cache_group_of(p);
	unsigned long home = READ_ONCE(g->home);

	lockdep_assert_held(&p->pi_lock);

	if (g == sched_cache_group_of(current) &&
	    (!home || home == sched_cache_only(sched_cache_llc_of(cpu))))
		return cpu;
	return bring_home(p, prev_cpu, cpu, wake_flags);
}

struct push {
	struct task_struct	*p;
	int			cpu;
	enum sched_cache_event	event;
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
		count_move(p, push->event, cpu_of(rq), push->cpu);
	} else {
		trace_sched_cache_refuse(p, push->event, SCHED_CACHE_NOT_CHANGED);
	}
	double_rq_unlock(rq, dst);
	raw_spin_unlock_irq(&p->pi_lock);
	return 0;
}

/* May @p move away from the threads of its group? */
static bool is_spreading(const struct task_struct *p)
{
	const struct sched_cache_group *g = sched_cache_group_of(p);

	return !READ_ONCE(g->home) && !sched_cache_is_exempt(p) &&
	       time_before(jiffies, READ_ONCE(g->spread_until));
}

/* One thread a jiffy, lest all see the same LLC idle and go there. */
static bool take_spread(struct sched_cache_group *g)
{
	unsigned long last = READ_ONCE(g->last_spread), now = jiffies;

	return last != now && try_cmpxchg(&g->last_spread, &last, now);
}

/* Is @p, which runs on LLC @index and is in a group, to push itself elsewhere? */
bool sched_cache_push_due(struct task_struct *p, int index)
{
	unsigned long home = sched_cache_home_of(p);
	bool due = home ? !sched_cache_in(home, index) : is_spreading(p);

	/* It may have moved to a CPU without an LLC since the tick. */
	if (index < 0)
		return false;
	/* With energy-aware placement its next wakeup would take it back. */
	return due && move_due(p) && !sched_energy_enabled();
}

/**
 * sched_cache_push - move current home, or away from its group
 * @p:	current, in a group
 *
 * Home, if it is away and home has a place. Apart, if home is lost.
 */
void sched_cache_push(struct task_struct *p)
{
	struct push push = { .p = p, .event = SCHED_CACHE_PUSH };
	int from = raw_smp_processor_id();
	unsigned long home;

	scoped_guard(rcu) {
		if (!sched_cache_push_due(p, sched_cache_llc_of(from)))
			return;
		home = sched_cache_home_of(p);
		if (home) {
			push.cpu = sched_cache_idle_cpu_in(p, home, from, true);
		} else if (take_spread(p->sched_cache.group)) {
			push.cpu = spread_cpu(p, from);
			push.event = SCHED_CACHE_SPREAD;
		} else {
			return;
		}
		set_next_move(p);
	}
	if (push.cpu >= 0)
		stop_one_cpu(from, push_stop, &push);
	else
		refuse(p, push.event, home);
}

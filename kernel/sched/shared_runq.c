// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shared run queues, see Documentation/scheduler/sched-shared-runq.rst: the
 * tasks that wait for a CPU, by last-level cache (LLC), so that a CPU of it that
 * becomes idle finds one without a look at every run queue.
 *
 * A shard is a list of tasks under a lock. Those of an LLC hold the tasks that
 * wait on its CPUs, each those of some neighbouring cores:
 *
 *	LLC 0: cores 0-3 -> shard 0 -> tasks that wait on the run queues of CPUs
 *	                      |  ^     0-3, the longest waiting first
 *	                      v  |
 *	       cores 4-7 -> shard 4 -> those of CPUs 4-7
 *
 * A task in a shard is still on its run queue, and runs there when its turn
 * comes: that it is in a shard is an offer to others.
 *
 *	wakes up on a busy CPU		shared_runq_offer()	into the shard
 *	is picked, sleeps, moves	shared_runq_remove()	out of it
 *	another CPU becomes idle	shared_runq_take()	out of it, and there
 *
 * There is one shard for each possible CPU, never freed, and a CPU of those
 * that use it gives it its name; so a task can leave a shard that nobody uses
 * any more. Which CPU uses which may change at any time: it decides only who
 * finds a task soon.
 *
 * Locks: shared_runq_mutex, for who uses what; the lock of a run queue, then
 * that of a shard. Under the lock of the shard a task in it stays on its run
 * queue, and so do its affinity and cgroup, since all that changes them
 * dequeues the task first. What else may forbid a move, throttling say, is
 * looked at again under the lock of the run queue. Of two shards only the mover
 * locks a second one.
 */
#include <linux/debugfs.h>
#include <linux/mmu_context.h>
#include <linux/sched/clock.h>
#include <linux/seq_file.h>

#include "knob.h"
#include "sched.h"
#include "stats.h"

enum {
	/*
	 * A CPU looks at so many tasks of a shard: of tasks that are kept from
	 * it by affinity the next may be, too, and the lock is held meanwhile.
	 */
	SHARED_RUNQ_MAX_WALK	= 8,
	/*
	 * Into so many shards of an LLC, from its own on: all of 96 cores, if
	 * the user does not make them smaller.
	 */
	SHARED_RUNQ_MAX_SHARDS	= 16,
	/* And of so many other LLCs, for a stranger there. */
	SHARED_RUNQ_MAX_LLCS	= 4,
	/*
	 * Who was woken up by the task that runs there waits for so much longer
	 * until it is taken: more than most servers need to answer and sleep,
	 * which leaves it CPU and cache, less than a request that takes long.
	 */
	SHARED_RUNQ_LOCAL_NS	= 50 * NSEC_PER_USEC,
};

/**
 * struct shared_runq_shard - tasks that wait on the CPUs of some cores
 * @lock:	for all but @next, @first, and @next_llc
 * @tasks:	the longest waiting first
 * @nr:		how many
 * @wait_ns:	how long CPUs waited for @lock
 * @next:	the next shard of the LLC, in a ring
 * @first:	the first shard of the LLC
 * @next_llc:	the first shard of the next LLC of the node, in a ring; of a
 *		first shard only
 */
struct shared_runq_shard {
	raw_spinlock_t			lock;
	unsigned int			nr;
	struct list_head		tasks;
	u64				wait_ns;
	struct shared_runq_shard	*next;
	struct shared_runq_shard	*first;
	struct shared_runq_shard	*next_llc;
} ____cacheline_aligned;

/**
 * struct shared_runq_cpu - what a CPU has to do with shards
 * @shard:	that of its core, NULL if no tasks are balanced over the CPU
 * @search_ns:	average time that it took to look for a task
 * @bring_ns:	and to bring one
 * @offered:	tasks that it put into shards, by waking them up
 * @taken:	tasks that it took
 */
struct shared_runq_cpu {
	struct shared_runq_shard	*shard;
	u64				search_ns;
	u64				bring_ns;
	unsigned long			offered;
	unsigned long			taken;
};

static DEFINE_PER_CPU_SHARED_ALIGNED(struct shared_runq_shard, shards);
static DEFINE_PER_CPU(struct shared_runq_cpu, shared_runq_cpus);

/* On before the first task enters a shard, until the last has left. */
DEFINE_STATIC_KEY_FALSE(shared_runq_used);

/* May tasks enter? */
static bool shared_runq_offers __read_mostly;

static unsigned int shard_cores __read_mostly;

/* For @shared_runq_used, @shard_cores, and what shards which CPU uses. */
static DEFINE_MUTEX(shared_runq_mutex);

static struct shared_runq_shard *shard_of(int cpu)
{
	return READ_ONCE(per_cpu(shared_runq_cpus, cpu).shard);
}

static void lock_shard(struct shared_runq_shard *shard)
	__acquires(&shard->lock)
{
	u64 start;

	if (raw_spin_trylock(&shard->lock))
		return;
	start = local_clock();
	raw_spin_lock(&shard->lock);
	WRITE_ONCE(shard->wait_ns, shard->wait_ns + local_clock() - start);
}

static void enter(struct shared_runq_shard *shard, struct task_struct *p)
{
	lockdep_assert_held(&shard->lock);
	list_add_tail(&p->shared_runq.node, &shard->tasks);
	WRITE_ONCE(p->shared_runq.shard, shard);
	WRITE_ONCE(shard->nr, shard->nr + 1);
}

static void leave(struct shared_runq_shard *shard, struct task_struct *p)
{
	lockdep_assert_held(&shard->lock);
	list_del(&p->shared_runq.node);
	/*
	 * Last of all: who sees NULL goes on without the lock, to enter another
	 * shard. Pairs with the acquire in __shared_runq_offer().
	 */
	smp_store_release(&p->shared_runq.shard, NULL);
	WRITE_ONCE(shard->nr, shard->nr - 1);
}

/* ---- offering ---- */

#ifdef CONFIG_CFS_BANDWIDTH
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

/* Is there another CPU of the LLC that @p may run on? */
static bool has_choice(struct task_struct *p, int cpu)
{
	struct sched_domain *sd = rcu_dereference_sched(per_cpu(sd_llc, cpu));

	return sd && cpumask_any_and_but(p->cpus_ptr, sched_domain_span(sd),
					 cpu) < nr_cpu_ids;
}

/* Does the task that runs on @rq wake up another, and not an interrupt? */
static bool is_woken_locally(struct rq *rq)
{
	return cpu_of(rq) == smp_processor_id() && !in_hardirq();
}

void __shared_runq_offer(struct rq *rq, struct task_struct *p)
{
	int cpu = cpu_of(rq);
	struct shared_runq_shard *shard = shard_of(cpu);

	lockdep_assert_rq_held(rq);
	if (!READ_ONCE(shared_runq_offers) || !shard)
		return;
	/* Where CPUs differ, one that is idle may be too small. */
	if (sched_asym_cpucap_active())
		return;
	if (task_on_cpu(rq, p) || is_migration_disabled(p) ||
	    is_throttled(p, cpu) || !has_choice(p, cpu))
		return;
	/* Pairs with the release in leave(). */
	if (SCHED_WARN_ON(smp_load_acquire(&p->shared_runq.shard)))
		return;

	lock_shard(shard);
	p->shared_runq.since = rq_clock(rq) +
			       (is_woken_locally(rq) ? SHARED_RUNQ_LOCAL_NS : 0);
	enter(shard, p);
	raw_spin_unlock(&shard->lock);
	__this_cpu_inc(shared_runq_cpus.offered);
}

void __shared_runq_remove(struct task_struct *p)
{
	struct shared_runq_shard *shard;

	/* Again, if it was moved from one to another. */
	while ((shard = READ_ONCE(p->shared_runq.shard))) {
		lock_shard(shard);
		if (p->shared_runq.shard == shard)
			leave(shard, p);
		raw_spin_unlock(&shard->lock);
	}
}

/* ---- taking ---- */

/* May @p leave its LLC, a home that is full of others? */
static bool may_come_from(struct task_struct *p, int src_cpu, struct rq *this_rq)
{
	return cpus_share_cache(src_cpu, cpu_of(this_rq)) ||
	       (cpu_rq(src_cpu)->rd == this_rq->rd &&
		sched_cache_lets_stranger_go(p, src_cpu, cpu_of(this_rq)));
}

/* Under the lock of its shard, or of its run queue. */
static bool may_run_here(struct task_struct *p, struct rq *this_rq)
{
	int src_cpu = task_cpu(p), cpu = cpu_of(this_rq);

	if (src_cpu == cpu || !cpumask_test_cpu(cpu, p->cpus_ptr))
		return false;
	return may_come_from(p, src_cpu, this_rq) &&
	       !is_migration_disabled(p) && !p->se.sched_delayed &&
	       !is_throttled(p, src_cpu) && !is_throttled(p, cpu) &&
	       /* It is the core's, whose lock is not held. */
	       data_race(sched_core_cookie_match(this_rq, p));
}

/* What it costs to look for a task and to bring it, on average. */
static u64 cost_of(const struct shared_runq_cpu *own)
{
	return own->search_ns + own->bring_ns;
}

/*
 * Who woke it up may be about to sleep, as a server that has answered. So it is
 * left where it is for as long as it would take to bring it.
 */
static bool waits_for_long(const struct task_struct *p, struct rq *this_rq)
{
	u64 cost = cost_of(this_cpu_ptr(&shared_runq_cpus));

	return (s64)(rq_clock(this_rq) - p->shared_runq.since) >= (s64)cost;
}

/*
 * The first task of a shard that may run on @this_rq, out of the shard. Who
 * comes next begins behind those that were looked at in vain, which may be
 * throttled for long.
 */
static struct task_struct *take_from(struct shared_runq_shard *shard,
				     struct rq *this_rq, struct rq **src_rq)
{
	struct task_struct *p, *found = NULL;
	int walked = 0;

	if (!READ_ONCE(shard->nr))
		return NULL;

	lock_shard(shard);
	list_for_each_entry(p, &shard->tasks, shared_runq.node) {
		if (walked++ == SHARED_RUNQ_MAX_WALK) {
			list_rotate_to_front(&p->shared_runq.node,
					     &shard->tasks);
			break;
		}
		if (waits_for_long(p, this_rq) && may_run_here(p, this_rq)) {
			*src_rq = task_rq(p);
			leave(shard, p);
			found = p;
			break;
		}
	}
	raw_spin_unlock(&shard->lock);
	return found;
}

/* A ring may be tied anew while we go round: count. */
static struct task_struct *take_from_ring(struct shared_runq_shard *start,
					  struct rq *this_rq,
					  struct rq **src_rq)
{
	struct shared_runq_shard *shard = start;
	struct task_struct *p;
	int i;

	for (i = 0; shard && i < SHARED_RUNQ_MAX_SHARDS; i++) {
		p = take_from(shard, this_rq, src_rq);
		if (p)
			return p;
		shard = READ_ONCE(shard->next);
		if (shard == start)
			break;
	}
	return NULL;
}

/* One who waits in the full home of others may go to another LLC of the node. */
static struct task_struct *take_stranger(struct shared_runq_shard *own,
					 struct rq *this_rq, struct rq **src_rq)
{
	struct shared_runq_shard *first = READ_ONCE(own->first), *llc = first;
	struct task_struct *p;
	int i;

	for (i = 0; llc && i < SHARED_RUNQ_MAX_LLCS; i++) {
		llc = READ_ONCE(llc->next_llc);
		if (llc == first)
			break;
		p = llc ? take_from_ring(llc, this_rq, src_rq) : NULL;
		if (p)
			return p;
	}
	return NULL;
}

/* Does @p still wait for another task there? */
static bool still_waits(struct task_struct *p, struct rq *src_rq)
{
	return task_rq(p) == src_rq && task_on_rq_queued(p) &&
	       p->sched_class == &fair_sched_class && !p->se.sched_delayed &&
	       !task_on_cpu(src_rq, p) && src_rq->nr_running > 1;
}

/* @p was found waiting on @src_rq. No run queue is locked, interrupts are off. */
static bool bring(struct task_struct *p, struct rq *src_rq, struct rq *this_rq)
{
	struct rq_flags rf;
	bool waits, comes;

	rq_lock(src_rq, &rf);
	waits = still_waits(p, src_rq);
	comes = waits && may_run_here(p, this_rq);
	if (waits)
		update_rq_clock(src_rq);
	if (comes) {
		deactivate_task(src_rq, p, DEQUEUE_NOCLOCK);
		set_task_cpu(p, cpu_of(this_rq));
	} else if (waits && !READ_ONCE(p->shared_runq.shard)) {
		__shared_runq_offer(src_rq, p);
	}
	rq_unlock(src_rq, &rf);
	if (!comes)
		return false;

	rq_lock(this_rq, &rf);
	update_rq_clock(this_rq);
	activate_task(this_rq, p, ENQUEUE_NOCLOCK);
	wakeup_preempt(this_rq, p, 0);
	rq_unlock(this_rq, &rf);
	return true;
}

static void learn(u64 *average, u64 ns)
{
	*average += ((s64)ns - (s64)*average) / 4;
}

/* It would be busy again before that. One long wait is forgotten. */
static bool is_idle_too_short(const struct rq *this_rq,
			      struct shared_runq_cpu *own)
{
	if (this_rq->avg_idle >= cost_of(own))
		return false;
	own->search_ns -= own->search_ns / 64;
	own->bring_ns -= own->bring_ns / 64;
	return true;
}

/* A task for @this_rq, and the run queue where it waits. */
static struct task_struct *look_for_task(struct shared_runq_shard *shard,
					 struct rq *this_rq, struct rq **src_rq)
{
	struct task_struct *p = take_from_ring(shard, this_rq, src_rq);

	if (!p && sched_cache_on())
		p = take_stranger(shard, this_rq, src_rq);
	return p;
}

int __shared_runq_take(struct rq *this_rq, struct rq_flags *rf)
{
	struct shared_runq_cpu *own = this_cpu_ptr(&shared_runq_cpus);
	struct shared_runq_shard *shard = READ_ONCE(own->shard);
	struct task_struct *p;
	struct rq *src_rq;
	u64 start, found;

	lockdep_assert_rq_held(this_rq);
	/* As newidle balancing: not if a task comes already, or the CPU goes. */
	if (!shard || READ_ONCE(this_rq->ttwu_pending) ||
	    !cpu_active(cpu_of(this_rq)) || is_idle_too_short(this_rq, own))
		return 0;

	/* Who was in a shard is not freed meanwhile. */
	rcu_read_lock();
	start = sched_clock_cpu(cpu_of(this_rq));
	p = look_for_task(shard, this_rq, &src_rq);
	found = sched_clock_cpu(cpu_of(this_rq));
	learn(&own->search_ns, found - start);
	if (!p) {
		rcu_read_unlock();
		return 0;
	}

	rq_unpin_lock(this_rq, rf);
	raw_spin_rq_unlock(this_rq);
	WRITE_ONCE(own->taken, own->taken + bring(p, src_rq, this_rq));
	rcu_read_unlock();
	raw_spin_rq_lock(this_rq);
	rq_repin_lock(this_rq, rf);
	learn(&own->bring_ns, sched_clock_cpu(cpu_of(this_rq)) - found);

	/* Tasks may have come while there was no lock. */
	if (!this_rq->nr_running)
		return 0;
	/* It will not be idle, as after newidle balancing. */
	this_rq->idle_stamp = 0;
	return this_rq->nr_running == this_rq->cfs.h_nr_queued ? 1 : -1;
}

/* ---- who uses which shard ---- */

/*
 * Move the tasks of @old that wait on CPUs of other shards, one at a time, as
 * interrupts are off. Those on CPUs without a shard are in none then.
 */
static void move_tasks(struct shared_runq_shard *old)
{
	LIST_HEAD(moving);
	struct shared_runq_shard *new;
	struct task_struct *p;

	lockdep_assert_held(&shared_runq_mutex);
	raw_spin_lock_irq(&old->lock);
	/* They can leave from here, too. */
	list_splice_init(&old->tasks, &moving);
	while (!list_empty(&moving)) {
		p = list_first_entry(&moving, struct task_struct,
				     shared_runq.node);
		new = READ_ONCE(shared_runq_offers) ? shard_of(task_cpu(p)) : NULL;
		if (new == old) {
			list_move_tail(&p->shared_runq.node, &old->tasks);
		} else if (!new) {
			leave(old, p);
		} else {
			raw_spin_lock_nested(&new->lock, SINGLE_DEPTH_NESTING);
			list_del(&p->shared_runq.node);
			WRITE_ONCE(old->nr, old->nr - 1);
			enter(new, p);
			raw_spin_unlock(&new->lock);
		}
		raw_spin_unlock_irq(&old->lock);
		cond_resched();
		raw_spin_lock_irq(&old->lock);
	}
	raw_spin_unlock_irq(&old->lock);
}

static void move_all_tasks(void)
{
	int cpu;

	/* For those who saw the CPUs use other shards, or an open door. */
	synchronize_rcu();
	for_each_possible_cpu(cpu) {
		if (READ_ONCE(per_cpu(shards, cpu).nr))
			move_tasks(&per_cpu(shards, cpu));
	}
}

/* The span of the LLC of @cpu, NULL if no tasks are balanced over it. */
static const struct cpumask *llc_span(int cpu)
{
	struct sched_domain *sd = rcu_dereference(per_cpu(sd_llc, cpu));

	return sd && rcu_access_pointer(cpu_rq(cpu)->sd) ?
	       sched_domain_span(sd) : NULL;
}

/* Is @cpu the first of its core in @span? */
static bool is_first_of_core(int cpu, const struct cpumask *span)
{
	return cpumask_first_and(topology_sibling_cpumask(cpu), span) == cpu;
}

static unsigned int nr_cores_of(const struct cpumask *span)
{
	unsigned int cores = 0;
	int cpu;

	for_each_cpu(cpu, span)
		cores += is_first_of_core(cpu, span);
	return cores;
}

/* Does @cpu use another shard than before? */
static bool assign(int cpu, struct shared_runq_shard *shard)
{
	bool changes = shard_of(cpu) != shard;

	WRITE_ONCE(per_cpu(shared_runq_cpus, cpu).shard, shard);
	return changes;
}

/* Divide the LLC of @span, and tie its shards to a ring. */
static bool assign_llc(const struct cpumask *span)
{
	unsigned int cores = nr_cores_of(span), core = 0, index, last = UINT_MAX;
	unsigned int nr = shared_runq_nr_shards(cores, shard_cores);
	struct shared_runq_shard *first = &per_cpu(shards, cpumask_first(span));
	struct shared_runq_shard *shard = first;
	bool changes = false;
	int cpu, sibling;

	for_each_cpu(cpu, span) {
		if (!is_first_of_core(cpu, span))
			continue;
		index = shared_runq_shard_of_core(core++, cores, nr);
		if (index != last) {
			if (last != UINT_MAX)
				WRITE_ONCE(shard->next, &per_cpu(shards, cpu));
			shard = &per_cpu(shards, cpu);
			WRITE_ONCE(shard->first, first);
			last = index;
		}
		for_each_cpu_and(sibling, topology_sibling_cpumask(cpu), span)
			changes |= assign(sibling, shard);
	}
	WRITE_ONCE(shard->next, first);
	return changes;
}

/* Tie the LLC of @first to those of its node that are tied already. */
static void tie_llc(int first)
{
	struct shared_runq_shard *shard = &per_cpu(shards, first), *other;
	int cpu;

	WRITE_ONCE(shard->next_llc, shard);
	for_each_cpu(cpu, cpumask_of_node(cpu_to_node(first))) {
		if (cpu >= first)
			break;
		other = shard_of(cpu);
		if (!other)
			continue;
		other = other->first;
		WRITE_ONCE(shard->next_llc, other->next_llc);
		WRITE_ONCE(other->next_llc, shard);
		break;
	}
}

static bool assign_all(void)
{
	const struct cpumask *span;
	bool changes = false;
	int cpu;

	rcu_read_lock();
	for_each_possible_cpu(cpu) {
		span = llc_span(cpu);
		if (!span) {
			changes |= assign(cpu, NULL);
		} else if (cpumask_first(span) == cpu) {
			changes |= assign_llc(span);
			tie_llc(cpu);
		}
	}
	rcu_read_unlock();
	return changes;
}

/**
 * shared_runq_rebuild - let CPUs use the shards that go with their domains
 *
 * Tasks that wait move along. Under the CPU hotplug lock, for domains that were
 * built or lost. May sleep.
 */
void shared_runq_rebuild(void)
{
	mutex_lock(&shared_runq_mutex);
	if (assign_all() && static_key_enabled(&shared_runq_used))
		move_all_tasks();
	mutex_unlock(&shared_runq_mutex);
}

/**
 * shared_runq_toggle - do as the feature bit says
 *
 * First the door out is opened, then that in; and closed when nobody is left.
 * Under the CPU hotplug lock. May sleep.
 */
void shared_runq_toggle(void)
{
	bool want = sched_feat(SHARED_RUNQ);

	mutex_lock(&shared_runq_mutex);
	if (want && !shared_runq_offers) {
		static_branch_enable_cpuslocked(&shared_runq_used);
		WRITE_ONCE(shared_runq_offers, true);
	} else if (!want && shared_runq_offers) {
		WRITE_ONCE(shared_runq_offers, false);
		move_all_tasks();
		static_branch_disable_cpuslocked(&shared_runq_used);
	}
	mutex_unlock(&shared_runq_mutex);
}

/* Before there are domains. */
static int __init shared_runq_init_shards(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		raw_spin_lock_init(&per_cpu(shards, cpu).lock);
		INIT_LIST_HEAD(&per_cpu(shards, cpu).tasks);
	}
	return 0;
}
early_initcall(shared_runq_init_shards);

static int __init shared_runq_late_init(void)
{
	cpus_read_lock();
	shared_runq_rebuild();
	shared_runq_toggle();
	cpus_read_unlock();
	return 0;
}
late_initcall(shared_runq_late_init);

/* ---- files in /sys/kernel/debug/sched/ ---- */

static ssize_t shard_cores_write(struct file *file, const char __user *ubuf,
				 size_t count, loff_t *ppos)
{
	unsigned int value;
	int err;

	err = sched_knob_parse(ubuf, count, 0, SHARED_RUNQ_MAX_SHARD_CORES,
			       &value);
	if (err)
		return err;

	cpus_read_lock();
	mutex_lock(&sched_domains_mutex);
	WRITE_ONCE(shard_cores, value);
	shared_runq_rebuild();
	mutex_unlock(&sched_domains_mutex);
	cpus_read_unlock();

	*ppos += count;
	return count;
}

static int shard_cores_show(struct seq_file *m, void *unused)
{
	seq_printf(m, "%u\n", READ_ONCE(shard_cores));
	return 0;
}

static int shard_cores_open(struct inode *inode, struct file *file)
{
	return single_open(file, shard_cores_show, NULL);
}

static const struct file_operations shard_cores_fops = {
	.open		= shard_cores_open,
	.read		= seq_read,
	.write		= shard_cores_write,
	.llseek		= seq_lseek,
	.release	= single_release,
};

#ifdef CONFIG_SCHED_SHARED_RUNQ_DEBUG
static unsigned long violations;

/* Is all of a shard as the comment at the top says? */
static void check_shard(struct shared_runq_shard *shard)
{
	struct task_struct *p;
	unsigned int nr = 0;
	bool ok = true;

	raw_spin_lock_irq(&shard->lock);
	list_for_each_entry(p, &shard->tasks, shared_runq.node) {
		nr++;
		ok &= p->shared_runq.shard == shard &&
		      !p->se.sched_delayed && !READ_ONCE(p->on_cpu);
	}
	ok &= nr == shard->nr;
	raw_spin_unlock_irq(&shard->lock);

	if (!ok && !violations++)
		pr_err("shared_runq: a shard holds what it must not\n");
}

static void show_violations(struct seq_file *m)
{
	seq_printf(m, "violations: %lu\n", violations);
}
#else
static void check_shard(struct shared_runq_shard *shard) { }
static void show_violations(struct seq_file *m) { }
#endif

/* The CPUs that use @shard, or that have left tasks there. */
static void show_shard(struct seq_file *m, int shard_cpu, struct cpumask *users)
{
	struct shared_runq_shard *shard = &per_cpu(shards, shard_cpu);
	int cpu;

	cpumask_clear(users);
	for_each_possible_cpu(cpu) {
		if (shard_of(cpu) == shard)
			cpumask_set_cpu(cpu, users);
	}
	check_shard(shard);
	if (cpumask_empty(users) && !READ_ONCE(shard->nr))
		return;
	seq_printf(m, "shard %d: cpus %*pbl waiting %u lock_wait_ns %llu\n",
		   shard_cpu, cpumask_pr_args(users), READ_ONCE(shard->nr),
		   READ_ONCE(shard->wait_ns));
}

static int shared_runq_status_show(struct seq_file *m, void *unused)
{
	unsigned long offered = 0, taken = 0;
	cpumask_var_t users;
	int cpu;

	if (!zalloc_cpumask_var(&users, GFP_KERNEL))
		return -ENOMEM;
	mutex_lock(&shared_runq_mutex);
	seq_printf(m, "state: %s\n", shared_runq_offers ?
		   "active" : "inactive (NO_SHARED_RUNQ)");
	for_each_possible_cpu(cpu) {
		offered += READ_ONCE(per_cpu(shared_runq_cpus, cpu).offered);
		taken += READ_ONCE(per_cpu(shared_runq_cpus, cpu).taken);
		show_shard(m, cpu, users);
	}
	mutex_unlock(&shared_runq_mutex);
	free_cpumask_var(users);
	seq_printf(m, "offered: %lu\ntaken: %lu\n", offered, taken);
	show_violations(m);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(shared_runq_status);

/**
 * shared_runq_init_debugfs - create the files
 * @dir:	/sys/kernel/debug/sched
 */
void __init shared_runq_init_debugfs(struct dentry *dir)
{
	debugfs_create_file("shared_runq_shard_cores", 0644, dir, NULL,
			    &shard_cores_fops);
	debugfs_create_file("shared_runq_status", 0444, dir, NULL,
			    &shared_runq_status_fops);
}

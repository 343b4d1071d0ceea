// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: the
 * table of last-level caches, and the static key that wants two of them. Built
 * from the scheduling domains; knows nothing of groups and homes.
 *
 * An LLC gets its index when its first CPU is seen and keeps it for good, as
 * groups keep run time by index. CPUs go offline and come back, cpusets cut
 * the machine into partitions and glue it together: only counts change.
 */
#include <linux/cacheinfo.h>
#include <linux/mmu_context.h>

#include "../sched.h"
#include "knobs.h"
#include "llc.h"
#include "policy.h"

/* On while the user wants it and there are two LLCs to choose from. */
DEFINE_STATIC_KEY_FALSE(sched_cache_active);

DEFINE_PER_CPU_READ_MOSTLY(int, sched_cache_llc_index) = SCHED_CACHE_NO_LLC;

/* Entries are added under sched_domains_mutex, and stay. */
struct sched_cache_llc *sched_cache_llcs[SCHED_CACHE_MAX_LLCS] __read_mostly;
static unsigned int nr_llcs __read_mostly;

/* Running threads that the largest of them can be home to. */
u32 sched_cache_most_threads __read_mostly;

/**
 * sched_cache_nr_llcs - how many LLCs were ever seen
 *
 * Every index is below this, and the entries below it can be looked up.
 */
unsigned int sched_cache_nr_llcs(void)
{
	/* Pairs with the release in add_llc(): the entry before its index. */
	return smp_load_acquire(&nr_llcs);
}

/* How many LLCs have a CPU that tasks are balanced over. */
unsigned int sched_cache_nr_active_llcs(void)
{
	unsigned int nr = 0;

	for (int i = 0; i < sched_cache_nr_llcs(); i++)
		nr += READ_ONCE(sched_cache_llc(i)->nr_cpus) > 0;
	return nr;
}

/* How many tasks run on an LLC now? */
u32 sched_cache_llc_busy(const struct sched_cache_llc *llc)
{
	struct sched_cache_now now = sched_cache_now();

	return sched_cache_llc_busy_at(llc, &now);
}

/* How often has @event happened on all LLCs since boot? */
unsigned long sched_cache_count_of(enum sched_cache_event event)
{
	unsigned long sum = 0;

	for (int i = 0; i < sched_cache_nr_llcs(); i++)
		sum += atomic_long_read(&sched_cache_llc(i)->events[event]);
	return sum;
}

static int add_llc(int cpu)
{
	struct sched_cache_llc *llc;

	if (nr_llcs == SCHED_CACHE_MAX_LLCS)
		return SCHED_CACHE_NO_LLC;

	llc = kzalloc(sizeof(*llc) + cpumask_size(), GFP_KERNEL);
	if (!llc)
		return SCHED_CACHE_NO_LLC;

	llc->node = cpu_to_node(cpu);
	sched_cache_llcs[nr_llcs] = llc;
	/* Pairs with the acquire in sched_cache_nr_llcs(). */
	smp_store_release(&nr_llcs, nr_llcs + 1);
	return nr_llcs - 1;
}

/* The index that a CPU of @span has already. */
static int index_of_span(const struct cpumask *span)
{
	int cpu;

	for_each_cpu(cpu, span) {
		if (sched_cache_llc_of(cpu) >= 0)
			return sched_cache_llc_of(cpu);
	}
	return SCHED_CACHE_NO_LLC;
}

/*
 * Give @cpu the index of the CPUs it shares its LLC with. Without memory it
 * has none until the domains are built again, nor beyond the last index, and
 * the feature leaves it alone.
 */
static void index_cpu(int cpu)
{
	struct sched_domain *sd;
	int index;

	if (sched_cache_llc_of(cpu) >= 0)
		return;

	rcu_read_lock();
	sd = rcu_dereference(per_cpu(sd_llc, cpu));
	index = sd ? index_of_span(sched_domain_span(sd)) : SCHED_CACHE_NO_LLC;
	rcu_read_unlock();

	if (index < 0)
		index = add_llc(cpu);
	if (index < 0)
		return;

	cpumask_set_cpu(cpu, to_cpumask(sched_cache_llc(index)->cpus));
	/* The entry before its index: readers depend on the address. */
	smp_store_release(&per_cpu(sched_cache_llc_index, cpu), index);
}

static unsigned long llc_bytes(int cpu)
{
	struct cpu_cacheinfo *ci = get_cpu_cacheinfo(cpu);

	if (!ci || !ci->info_list || !ci->num_leaves)
		return 0;
	return ci->info_list[ci->num_leaves - 1].size;
}

/* Are tasks balanced over @cpu? It is neither offline nor isolated. */
static bool is_balanced(int cpu)
{
	return rcu_access_pointer(cpu_rq(cpu)->sd);
}

/* Is @cpu, which is balanced, the first such of its core? */
static bool is_first_of_core(int cpu)
{
	int sibling;

	for_each_cpu(sibling, topology_sibling_cpumask(cpu)) {
		if (is_balanced(sibling))
			return sibling == cpu;
	}
	return true;
}

static void count_cpus(struct sched_cache_llc *llc)
{
	unsigned int cpus = 0, cores = 0;
	int cpu;

	for_each_cpu(cpu, to_cpumask(llc->cpus)) {
		if (!is_balanced(cpu))
			continue;
		cpus++;
		cores += is_first_of_core(cpu);
		if (!llc->bytes)
			llc->bytes = llc_bytes(cpu);
	}
	WRITE_ONCE(llc->nr_cores, cores);
	WRITE_ONCE(llc->nr_cpus, cpus);
}

/* Kept, as every scan and every hold asks for them. */
static void set_limits(struct sched_cache_llc *llc)
{
	u32 tolerance = READ_ONCE(sched_cache_knobs.aggr_tolerance);
	u32 limit = sched_cache_limit(llc->nr_cpus, llc->nr_cores,
				      READ_ONCE(sched_cache_knobs.overload_pct));

	WRITE_ONCE(llc->limit, limit);
	WRITE_ONCE(llc->holds_threads,
		   sched_cache_holds(limit, tolerance, SCHED_CACHE_MOST_THREADS));
	WRITE_ONCE(llc->holds_bytes,
		   sched_cache_holds(llc->bytes ?: ULONG_MAX, tolerance,
				     SCHED_CACHE_MOST_BYTES));
}

/* Bring the static key up to date. */
static void update_active(void)
{
	bool want = READ_ONCE(sched_cache_knobs.enabled) &&
		    sched_cache_nr_active_llcs() > 1;

	/* Without cpusets domains are built again without the hotplug lock. */
	if (want == static_key_enabled(&sched_cache_active))
		return;
	if (want)
		static_branch_enable_cpuslocked(&sched_cache_active);
	else
		static_branch_disable_cpuslocked(&sched_cache_active);
}

/**
 * sched_cache_count_llcs - count the CPUs of each LLC, and set its limits, again
 *
 * For domains that were built or lost, and for knobs that the limits depend on.
 * Under sched_domains_mutex, and the CPU hotplug lock unless booting.
 */
void sched_cache_count_llcs(void)
{
	u32 most = 0;

	for (int i = 0; i < nr_llcs; i++) {
		count_cpus(sched_cache_llc(i));
		set_limits(sched_cache_llc(i));
		most = max(most, sched_cache_llc(i)->holds_threads);
	}
	WRITE_ONCE(sched_cache_most_threads, most);
	update_active();
}

/**
 * sched_cache_build_llcs - enter new CPUs into the table
 * @cpu_map:	the CPUs whose domains were just built
 *
 * They are counted when those of the other partitions are built as well.
 * Under sched_domains_mutex, and the CPU hotplug lock unless booting.
 */
void sched_cache_build_llcs(const struct cpumask *cpu_map)
{
	int cpu;

	for_each_cpu(cpu, cpu_map)
		index_cpu(cpu);
}

/* sched_cache_count_llcs() for those who hold no lock. */
void sched_cache_recount_llcs(void)
{
	cpus_read_lock();
	mutex_lock(&sched_domains_mutex);
	sched_cache_count_llcs();
	mutex_unlock(&sched_domains_mutex);
	cpus_read_unlock();
}

/* The first domains are built before the size of the caches is known. */
static int __init sched_cache_late_init(void)
{
	sched_cache_recount_llcs();
	return 0;
}
late_initcall(sched_cache_late_init);

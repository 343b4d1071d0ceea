// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: what
 * load balancing asks before it takes a task out of its home, and an idle CPU
 * before it takes a stranger out of the home of others. The table of the
 * decision is in policy.h.
 */
#include <linux/mmu_context.h>

#include <trace/events/sched_cache.h>

#include "../sched.h"
#include "home.h"
#include "knobs.h"
#include "llc.h"
#include "place.h"
#include "policy.h"

/* Is @src_cpu at home, and @dst_cpu not? */
static bool leaves_home(unsigned long home, int src_cpu, int dst_cpu)
{
	if (!sched_cache_in(home, sched_cache_llc_of(src_cpu)) ||
	    sched_cache_in(home, sched_cache_llc_of(dst_cpu)))
		return false;
	/* Packing comes first, and capacity: a CPU may be too small for it. */
	if (sched_cache_packs(dst_cpu, src_cpu))
		return false;
	return !sched_asym_cpucap_active() ||
	       arch_scale_cpu_capacity(dst_cpu) <= arch_scale_cpu_capacity(src_cpu);
}

/* How full is the LLC @index? Both are 0 if it is not known. */
static void fullness(int index, u32 *busy, u32 *limit)
{
	struct sched_cache_llc *llc;

	*busy = 0;
	*limit = 0;
	if (index < 0)
		return;
	llc = sched_cache_llc(index);
	*busy = sched_cache_llc_busy(llc);
	*limit = READ_ONCE(llc->limit);
}

/* @p is at home on @src_cpu. */
static bool hold(struct task_struct *p, int src_cpu, int dst_cpu,
		 bool idle_at_home)
{
	int index = sched_cache_llc_of(src_cpu);
	u32 home_busy, home_limit, dst_busy, dst_limit;

	fullness(index, &home_busy, &home_limit);
	fullness(sched_cache_llc_of(dst_cpu), &dst_busy, &dst_limit);
	if (sched_cache_may_leave(idle_at_home, home_busy, home_limit, dst_busy,
				  dst_limit,
				  READ_ONCE(sched_cache_knobs.imb_pct))) {
		sched_cache_count(index, SCHED_CACHE_SPILL);
		trace_sched_cache_spill(p, src_cpu, dst_cpu);
		return false;
	}
	sched_cache_count(index, SCHED_CACHE_HOLD);
	trace_sched_cache_hold(p, src_cpu, dst_cpu);
	return true;
}

bool __sched_cache_hold(struct task_struct *p, int src_cpu, int dst_cpu)
{
	unsigned long home = sched_cache_home_of(p);

	return leaves_home(home, src_cpu, dst_cpu) &&
	       hold(p, src_cpu, dst_cpu,
		    sched_cache_idle_cpu_in(p, home, src_cpu, false) >= 0);
}

/* Under RCU; the task may be gone from there by the time we look. */
bool __sched_cache_hold_curr(struct rq *src_rq, int dst_cpu)
{
	struct task_struct *p = rcu_dereference(src_rq->curr);
	int src_cpu = cpu_of(src_rq);

	/* It runs, so nothing is gained for it by another CPU. */
	return p->sched_class == &fair_sched_class &&
	       leaves_home(sched_cache_home_of(p), src_cpu, dst_cpu) &&
	       hold(p, src_cpu, dst_cpu, true);
}

/*
 * A stranger may leave an LLC that is the full home of others, within the node,
 * if it does not leave its own home or miss it.
 */
bool __sched_cache_lets_stranger_go(struct task_struct *p, int src_cpu,
				    int dst_cpu)
{
	int src = sched_cache_llc_of(src_cpu), dst = sched_cache_llc_of(dst_cpu);
	unsigned long home = sched_cache_home_of(p);
	u32 busy, limit;

	if (src < 0 || dst < 0 ||
	    sched_cache_llc(src)->node != sched_cache_llc(dst)->node)
		return false;
	if (home && (sched_cache_in(home, src) || !sched_cache_in(home, dst)))
		return false;
	if (!sched_cache_slot_threads(&sched_cache_llc(src)->claimed))
		return false;
	fullness(src, &busy, &limit);
	return busy >= limit;
}

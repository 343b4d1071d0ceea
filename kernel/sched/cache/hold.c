// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: what
 * load balancing asks before it takes a task out of its home. The table of the
 * decision is in policy.h.
 */
#include <linux/mmu_context.h>

#include "../sched.h"
#include "home.h"
#include "knobs.h"
#include "llc.h"
#include "place.h"
#include "policy.h"

/* Does @p run at home now, and would it not on @dst_cpu? */
static bool leaves_home(struct task_struct *p, int home, int src_cpu,
			int dst_cpu)
{
	if (home < 0 || sched_cache_llc_of(src_cpu) != home ||
	    sched_cache_llc_of(dst_cpu) == home)
		return false;
	/* Capacity comes first: it may be leaving a CPU too small for it. */
	return !sched_asym_cpucap_active() ||
	       arch_scale_cpu_capacity(dst_cpu) <= arch_scale_cpu_capacity(src_cpu);
}

static bool hold(int home, int dst_cpu, bool idle_at_home)
{
	struct sched_cache_llc *h = sched_cache_llc(home), *d;
	int index = sched_cache_llc_of(dst_cpu);
	u32 busy = 0, limit = 0;

	if (index >= 0) {
		d = sched_cache_llc(index);
		busy = sched_cache_llc_busy(d);
		limit = sched_cache_llc_limit(d);
	}
	if (sched_cache_may_leave(idle_at_home, sched_cache_llc_busy(h),
				  sched_cache_llc_limit(h), busy, limit,
				  READ_ONCE(sched_cache_knobs.imb_pct))) {
		sched_cache_count(SCHED_CACHE_SPILL);
		return false;
	}
	sched_cache_count(SCHED_CACHE_HOLD);
	return true;
}

bool __sched_cache_hold(struct task_struct *p, int src_cpu, int dst_cpu)
{
	int home = sched_cache_home_of(p);
	struct sched_cache_llc *llc;

	if (!leaves_home(p, home, src_cpu, dst_cpu))
		return false;
	llc = sched_cache_llc(home);
	return hold(home, dst_cpu,
		    sched_cache_idle_cpu_at(p, llc, src_cpu, src_cpu, nr_cpu_ids) >= 0);
}

/* Under RCU; the task may be gone from there by the time we look. */
bool __sched_cache_hold_curr(struct rq *src_rq, int dst_cpu)
{
	struct task_struct *p = rcu_dereference(src_rq->curr);
	int home = sched_cache_home_of(p);

	if (p->sched_class != &fair_sched_class ||
	    !leaves_home(p, home, cpu_of(src_rq), dst_cpu))
		return false;
	/* It runs, so nothing is gained for it by another CPU. */
	return hold(home, dst_cpu, true);
}

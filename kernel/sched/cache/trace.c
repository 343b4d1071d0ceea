// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: the trace
 * events, and what only they compute. Nothing of it runs unless it is traced.
 */
#include <linux/bitops.h>
#include <linux/sched.h>

#include "group.h"
#include "home.h"
#include "llc.h"
#include "occupancy.h"
#include "place.h"

enum sched_cache_change {
	SCHED_CACHE_CHOSEN,
	SCHED_CACHE_GROWN,
	SCHED_CACHE_SHRUNK,
	SCHED_CACHE_MOVED,
	SCHED_CACHE_DROPPED,
};

static enum sched_cache_change sched_cache_change(unsigned long was,
						  unsigned long home)
{
	int grown = hweight_long(home) - hweight_long(was);

	if (!was)
		return SCHED_CACHE_CHOSEN;
	if (!home)
		return SCHED_CACHE_DROPPED;
	return grown > 0 ? SCHED_CACHE_GROWN :
	       grown < 0 ? SCHED_CACHE_SHRUNK : SCHED_CACHE_MOVED;
}

#define CREATE_TRACE_POINTS
#include <trace/events/sched_cache.h>

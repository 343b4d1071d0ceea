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

/* An index into the words of sched_cache_home. */
static int sched_cache_change(unsigned long was, unsigned long home)
{
	int grown = hweight_long(home) - hweight_long(was);

	if (!was)
		return 0;
	if (!home)
		return 4;
	return grown > 0 ? 1 : grown < 0 ? 2 : 3;
}

#define CREATE_TRACE_POINTS
#include <trace/events/sched_cache.h>

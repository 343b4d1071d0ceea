/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * llcsim, see tools/sched/llcsim/README.rst: the caches.
 * Private caches, LLCs and the directory that keeps them coherent. Knows
 * nothing of QEMU, so that tests can drive it with sequences made by hand.
 */
#ifndef LLCSIM_CACHE_H
#define LLCSIM_CACHE_H

#include "types.h"

/* Who served an access. */
enum cache_level {
	CACHE_PRIVATE,		/* the core's own cache; no stall */
	CACHE_LLC,		/* its LLC */
	CACHE_REMOTE,		/* another LLC of the node */
	CACHE_REMOTE_NODE,	/* an LLC of another node */
	CACHE_MEMORY,		/* the memory of the node */
	CACHE_MEMORY_NODE,	/* the memory of another node */
	NR_CACHE_LEVELS,
};

extern const char * const cache_level_names[NR_CACHE_LEVELS];

bool cache_init(void);

/*
 * CPU @cpu reads or writes the line at @offset of memory at time @now.
 * Returns the stall in ns and who served it.
 */
u64 cache_access(unsigned int cpu, u64 offset, bool store, u64 now,
		 enum cache_level *level);

/* The line is in the core's cache in the state that the access needs. */
bool cache_hits(unsigned int cpu, u64 offset, bool store);

#endif

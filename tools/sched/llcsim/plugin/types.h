/* SPDX-License-Identifier: GPL-2.0-only */
/* llcsim, see tools/sched/llcsim/README.rst: names that every file uses. */
#ifndef LLCSIM_TYPES_H
#define LLCSIM_TYPES_H

#include <stdbool.h>
#include <stdint.h>

typedef uint64_t u64;
typedef uint32_t u32;

enum {
	MAX_CPUS	= 128,
	MAX_CORES	= 64,	/* with caches; one bit each in a word of the directory */
	MAX_THREADS	= 4,	/* of a core */
	MAX_LLCS	= 32,	/* half a word of the directory */
	MAX_NODES	= 8,
};

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define BIT_ULL(n)	(1ull << (n))
#define NEVER		(~0ull)
#define NSEC_PER_SEC	1000000000ull
#define CACHELINE	__attribute__((aligned(64)))

#endif

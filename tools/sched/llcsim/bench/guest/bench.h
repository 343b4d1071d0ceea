/* SPDX-License-Identifier: GPL-2.0-only */
/* llcsim's benchmark: what its guest programs share. */
#ifndef LLCSIM_BENCH_H
#define LLCSIM_BENCH_H

#include <errno.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

typedef uint64_t u64;

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define NSEC_PER_MSEC	1000000ull
#define ALIGNED		_Alignas(64)

static inline u64 now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static inline void sleep_until(u64 ns)
{
	struct timespec t = { ns / 1000000000, ns % 1000000000 };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
		;
}

static inline void futex_wait(_Atomic int *futex, int value)
{
	syscall(SYS_futex, futex, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static inline void futex_wake(_Atomic int *futex, int threads)
{
	syscall(SYS_futex, futex, FUTEX_WAKE_PRIVATE, threads, NULL, NULL, 0);
}

static inline int argument(int argc, char **argv, int nr, int otherwise)
{
	return argc > nr ? atoi(argv[nr]) : otherwise;
}

/* For qsort() of u64. */
static inline int by_size(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return (x > y) - (x < y);
}

/* 64 KiB that threads share, a line each. */
enum { SHARED_LINES = 1024 };
static struct { ALIGNED _Atomic u64 value; } shared[SHARED_LINES];

/* @count accesses at random, @write_pct of a hundred of them stores. */
static inline void touch_shared(u64 *seed, int count, unsigned int write_pct)
{
	while (count--) {
		u64 s = *seed;

		s ^= s << 13;
		s ^= s >> 7;
		s ^= s << 17;
		*seed = s;
		if ((s >> 32) % 100 < write_pct)
			atomic_store_explicit(&shared[s % SHARED_LINES].value, s,
					      memory_order_relaxed);
		else
			(void)atomic_load_explicit(&shared[s % SHARED_LINES].value,
						   memory_order_relaxed);
	}
}

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* llcsim's benchmark: threads that do nothing but work on 64 KiB that they share. */
#ifndef LLCSIM_SHARERS_H
#define LLCSIM_SHARERS_H

#include <pthread.h>

#include "bench.h"

enum { MAX_SHARERS = 64, ACCESSES = 16 };

static struct {
	ALIGNED _Atomic u64 ops;
	_Atomic int stop;
	pthread_t thread;
} sharer[MAX_SHARERS];
static unsigned int sharers_write_pct = 25;

static void *share(void *nr)
{
	long i = (long)nr;
	u64 seed = 88172645463325252ull + i * 7919;

	while (!atomic_load_explicit(&sharer[i].stop, memory_order_relaxed)) {
		touch_shared(&seed, ACCESSES, sharers_write_pct);
		atomic_store_explicit(&sharer[i].ops, sharer[i].ops + 1, memory_order_relaxed);
	}
	return NULL;
}

static inline void sharers_start(int threads)
{
	for (long i = 0; i < threads; i++)
		if (pthread_create(&sharer[i].thread, NULL, share, (void *)i))
			exit(1);
}

static inline void sharers_stop(int from, int to)
{
	for (int i = from; i < to; i++)
		sharer[i].stop = 1;
	for (int i = from; i < to; i++)
		pthread_join(sharer[i].thread, NULL);
}

static inline u64 sharers_ops(int threads)
{
	u64 sum = 0;

	for (int i = 0; i < threads; i++)
		sum += sharer[i].ops;
	return sum;
}

/* Prints what the first @threads do in @ms from now on. */
static inline void sharers_rate(int threads, int ms)
{
	u64 begin = now(), ops = sharers_ops(threads);

	sleep_until(begin + ms * NSEC_PER_MSEC);
	ops = sharers_ops(threads) - ops;
	printf("ops/ms %.0f\n", ops * 1e6 / (now() - begin));
}

#endif

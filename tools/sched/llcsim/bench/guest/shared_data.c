// SPDX-License-Identifier: GPL-2.0-only
/*
 * shared_data THREADS MS WRITE_PCT [FIRST_THREADS FIRST_MS]: threads work on
 * 64 KiB that they share. With FIRST_THREADS so many run for FIRST_MS before, and
 * the rate is counted from 50 ms after all but THREADS have ended.
 */
#include <pthread.h>

#include "bench.h"

enum { MAX_THREADS = 64, ACCESSES = 16 };

static struct {
	ALIGNED _Atomic u64 ops;
	_Atomic int stop;
	pthread_t thread;
} worker[MAX_THREADS];
static unsigned int write_pct;

static void *work(void *nr)
{
	long i = (long)nr;
	u64 seed = 88172645463325252ull + i * 7919;

	while (!atomic_load_explicit(&worker[i].stop, memory_order_relaxed)) {
		touch_shared(&seed, ACCESSES, write_pct);
		atomic_store_explicit(&worker[i].ops, worker[i].ops + 1, memory_order_relaxed);
	}
	return NULL;
}

static void stop(int from, int to)
{
	for (int i = from; i < to; i++)
		worker[i].stop = 1;
	for (int i = from; i < to; i++)
		pthread_join(worker[i].thread, NULL);
}

static u64 all_ops(int threads)
{
	u64 sum = 0;

	for (int i = 0; i < threads; i++)
		sum += worker[i].ops;
	return sum;
}

int main(int argc, char **argv)
{
	int threads = argument(argc, argv, 1, 3), ms = argument(argc, argv, 2, 100);
	int first = argument(argc, argv, 4, threads), first_ms = argument(argc, argv, 5, 0);
	u64 begin, ops;

	write_pct = argument(argc, argv, 3, 25);
	if (threads < 1 || threads > first || first > MAX_THREADS)
		return 2;
	for (long i = 0; i < first; i++)
		if (pthread_create(&worker[i].thread, NULL, work, (void *)i))
			return 1;
	if (first > threads) {
		sleep_until(now() + first_ms * NSEC_PER_MSEC);
		stop(threads, first);
		sleep_until(now() + 50 * NSEC_PER_MSEC);
	}
	begin = now();
	ops = all_ops(threads);
	sleep_until(begin + ms * NSEC_PER_MSEC);
	ops = all_ops(threads) - ops;
	printf("ops/ms %.0f\n", ops * 1e6 / (now() - begin));
	stop(0, threads);
	return 0;
}

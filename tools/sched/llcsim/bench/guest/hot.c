// SPDX-License-Identifier: GPL-2.0-only
/*
 * hot THREADS MS HEAP_MB HOT_MB [apart]: threads share a heap, all of it resident,
 * and work on a part: pages that lie together in its middle, or apart all over it.
 * One access of four is a store. The rate is counted in the last half of MS.
 */
#include <pthread.h>
#include <sys/mman.h>

#include "bench.h"

enum { MAX_THREADS = 64, ACCESSES = 16, PAGE = 4096, LINE = 64 };

static struct {
	ALIGNED _Atomic u64 ops;
	pthread_t thread;
} worker[MAX_THREADS];
static char *hot;
static u64 hot_pages, distance;
static _Atomic int stop;

static void touch(u64 s)
{
	char *page = hot + (s >> 8) % hot_pages * distance;
	_Atomic char *line = (_Atomic char *)page + (s & 63) * LINE;

	if (!(s >> 6 & 3))
		atomic_store_explicit(line, 1, memory_order_relaxed);
	else
		(void)atomic_load_explicit(line, memory_order_relaxed);
}

static void *work(void *nr)
{
	long i = (long)nr;
	u64 s = 88172645463325252ull + i * 7919;

	while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
		for (int k = 0; k < ACCESSES; k++) {
			s ^= s << 13;
			s ^= s >> 7;
			s ^= s << 17;
			touch(s);
		}
		atomic_store_explicit(&worker[i].ops, worker[i].ops + 1,
				      memory_order_relaxed);
	}
	return NULL;
}

static u64 sum_of_ops(int threads)
{
	u64 sum = 0;

	for (int i = 0; i < threads; i++)
		sum += worker[i].ops;
	return sum;
}

int main(int argc, char **argv)
{
	int threads = argument(argc, argv, 1, 3), ms = argument(argc, argv, 2, 400);
	u64 heap_bytes = (u64)argument(argc, argv, 3, 500) << 20;
	u64 hot_bytes = (u64)argument(argc, argv, 4, 1) << 20, begin, ops;
	char *heap;

	if (threads < 1 || threads > MAX_THREADS || !hot_bytes || hot_bytes > heap_bytes)
		return 2;
	heap = mmap(NULL, heap_bytes, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (heap == MAP_FAILED)
		return 1;
	hot_pages = hot_bytes / PAGE;
	distance = argc > 5 ? heap_bytes / hot_pages : PAGE;
	hot = argc > 5 ? heap : heap + (heap_bytes - hot_bytes) / 2 / PAGE * PAGE;

	begin = now();
	for (long i = 0; i < threads; i++)
		if (pthread_create(&worker[i].thread, NULL, work, (void *)i))
			return 1;
	sleep_until(begin + ms * NSEC_PER_MSEC / 2);
	begin = now();
	ops = sum_of_ops(threads);
	sleep_until(begin + ms * NSEC_PER_MSEC / 2);
	ops = sum_of_ops(threads) - ops;
	printf("ops/ms %.0f\n", ops * 1e6 / (now() - begin));
	stop = 1;
	for (int i = 0; i < threads; i++)
		pthread_join(worker[i].thread, NULL);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * clock_test THREADS MS: no thread may read a time older than one that another
 * thread has already seen. Prints how often one did, and the number of reads.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef unsigned long long u64;

static _Atomic u64 latest, backwards, reads;
static u64 end;

static u64 now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static void *watch(void *unused)
{
	u64 seen, t;

	do {
		seen = latest;
		t = now();
		backwards += t < seen;
		reads++;
		while (seen < t && !atomic_compare_exchange_weak(&latest, &seen, t))
			;
	} while (t < end);
	return NULL;
}

int main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 4, ms = argc > 2 ? atoi(argv[2]) : 10;
	pthread_t thread[threads];

	end = now() + ms * 1000000ull;
	for (int i = 0; i < threads; i++)
		pthread_create(&thread[i], NULL, watch, NULL);
	for (int i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	printf("backwards %llu reads %llu\n", backwards, reads);
	return backwards != 0;
}

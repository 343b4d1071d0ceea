// SPDX-License-Identifier: GPL-2.0-only
/*
 * messenger WORKERS MS [WAKEUPS]: a messenger wakes workers by futex, each works
 * some us on data that all share and asks for more. In the manner of schbench.
 * Fails if there were fewer than WAKEUPS.
 */
#include <pthread.h>

#include "bench.h"

enum { MAX_WORKERS = 64, MAX_SAMPLES = 1 << 20, WORK = 200, WRITE_PCT = 25, WARM_UP_MS = 30 };

static struct {
	ALIGNED _Atomic int go;
	u64 posted_ns;
	pthread_t thread;
} worker[MAX_WORKERS];
static ALIGNED _Atomic u64 asking;		/* bit per worker */
static ALIGNED _Atomic int asked;		/* futex of the messenger */
static ALIGNED _Atomic int over;
static ALIGNED _Atomic unsigned int nr_samples;
static u64 sample[MAX_SAMPLES];

static void *work(void *nr)
{
	long i = (long)nr;
	u64 seed = 1234567 + i * 7919, waited;
	unsigned int at;

	while (!over) {
		worker[i].go = 0;
		asking |= 1ull << i;
		asked = 1;
		futex_wake(&asked, 1);
		while (!worker[i].go && !over)
			futex_wait(&worker[i].go, 0);
		waited = now() - worker[i].posted_ns;
		at = nr_samples++;
		if (at < MAX_SAMPLES)
			sample[at] = waited;
		touch_shared(&seed, WORK, WRITE_PCT);
	}
	return NULL;
}

static void *post(void *nr_workers)
{
	long workers = (long)nr_workers;
	u64 seed = 99, who;

	while (!over) {
		asked = 0;
		who = atomic_exchange(&asking, 0);
		if (!who && !over)
			futex_wait(&asked, 0);
		if (who)
			touch_shared(&seed, WORK / 10, WRITE_PCT);
		for (long i = 0; i < workers; i++) {
			if (!(who & 1ull << i))
				continue;
			worker[i].posted_ns = now();
			worker[i].go = 1;
			futex_wake(&worker[i].go, 1);
		}
	}
	return NULL;
}

static void finish(int workers, pthread_t messenger)
{
	over = 1;
	asked = 1;
	futex_wake(&asked, 1);
	pthread_join(messenger, NULL);
	for (int i = 0; i < workers; i++) {
		worker[i].go = 1;
		futex_wake(&worker[i].go, 1);
		pthread_join(worker[i].thread, NULL);
	}
}

int main(int argc, char **argv)
{
	int workers = argument(argc, argv, 1, 2), ms = argument(argc, argv, 2, 100);
	unsigned int n, wanted = argument(argc, argv, 3, 1);
	pthread_t messenger;
	u64 begin, ns;

	if (workers < 1 || workers > MAX_WORKERS)
		return 2;
	pthread_create(&messenger, NULL, post, (void *)(long)workers);
	for (long i = 0; i < workers; i++)
		pthread_create(&worker[i].thread, NULL, work, (void *)i);
	sleep_until(now() + WARM_UP_MS * NSEC_PER_MSEC);
	nr_samples = 0;
	begin = now();
	sleep_until(begin + ms * NSEC_PER_MSEC);
	n = nr_samples < MAX_SAMPLES ? nr_samples : MAX_SAMPLES;
	ns = now() - begin;
	finish(workers, messenger);
	if (n < wanted) {
		printf("only %u wakeups\n", n);
		return 1;
	}
	qsort(sample, n, sizeof(*sample), by_size);
	printf("p50 %.2f p99 %.2f p99.9 %.2f requests/ms %.1f\n", sample[n / 2] / 1e3,
	       sample[n * 99ull / 100] / 1e3, sample[n * 999ull / 1000] / 1e3, n * 1e6 / ns);
	return 0;
}

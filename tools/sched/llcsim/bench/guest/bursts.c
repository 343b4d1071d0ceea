// SPDX-License-Identifier: GPL-2.0-only
/*
 * bursts THREADS MS: requests that come one after the other, each work for 1 to 5 ms,
 * then a pause of up to 2 ms until the next. How many a second, and how long they
 * waited for a CPU. In the manner of a server with a few more threads than CPUs.
 */
#include <pthread.h>

#include "bench.h"

enum { MAX_THREADS = 256, MAX_SAMPLES = 1 << 16, MS_MIN = 1, MS_MAX = 5, PAUSE_US = 2000 };

static ALIGNED _Atomic unsigned int nr_samples;
static u64 sample[MAX_SAMPLES];
static u64 end_ns, turns_per_ms;

/* Work is a number of turns, not a time, which would end whoever ran. */
static void work(u64 turns)
{
	while (turns--)
		atomic_signal_fence(memory_order_seq_cst);
}

static void measure_turns(void)
{
	u64 begin = now();

	work(200000);
	turns_per_ms = 200000 * NSEC_PER_MSEC / (now() - begin);
}

static unsigned int chance(u64 *seed, unsigned int sides)
{
	*seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
	return (*seed >> 33) % sides;
}

static void *serve(void *nr)
{
	u64 seed = (long)nr * 7919 + 1, due = now(), waited;
	unsigned int at;

	for (;;) {
		due = now() + chance(&seed, PAUSE_US) * 1000ull;
		sleep_until(due);
		waited = now() - due;
		work(turns_per_ms * (MS_MIN * 100 + chance(&seed, (MS_MAX - MS_MIN) * 100)) / 100);
		if (now() > end_ns)
			return NULL;
		at = nr_samples++;
		if (at < MAX_SAMPLES)
			sample[at] = waited;
	}
}

int main(int argc, char **argv)
{
	int threads = argument(argc, argv, 1, 10), ms = argument(argc, argv, 2, 500);
	pthread_t thread[MAX_THREADS];
	unsigned int nr;

	if (threads < 1 || threads > MAX_THREADS)
		return 2;
	measure_turns();
	end_ns = now() + ms * NSEC_PER_MSEC;
	for (long i = 0; i < threads; i++)
		if (pthread_create(&thread[i], NULL, serve, (void *)i))
			return 1;
	for (int i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	nr = nr_samples < MAX_SAMPLES ? nr_samples : MAX_SAMPLES;
	if (!nr)
		return 1;
	qsort(sample, nr, sizeof(*sample), by_size);
	printf("p50 %.2f p99 %.2f max %.2f us, requests/ms %.4f\n", sample[nr / 2] / 1e3,
	       sample[nr * 99ull / 100] / 1e3, sample[nr - 1] / 1e3, (double)nr / ms);
	return 0;
}

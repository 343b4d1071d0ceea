// SPDX-License-Identifier: GPL-2.0-only
/*
 * barrier THREADS ROUNDS: threads work on shared data, some 10 us in one LLC and
 * 50 us across, then meet at a barrier. In the manner of a Verilator model.
 */
#include <pthread.h>

#include "bench.h"

enum { MAX_THREADS = 64, WORK = 600, WRITE_PCT = 10 };

static ALIGNED _Atomic int arrived;
static ALIGNED _Atomic int round_nr;
static int threads, rounds;

static void meet(void)
{
	int mine = round_nr;

	if (++arrived == threads) {
		arrived = 0;
		round_nr = mine + 1;
		futex_wake(&round_nr, threads);
	}
	while (round_nr == mine)
		futex_wait(&round_nr, mine);
}

static void *work(void *nr)
{
	u64 seed = 88172645463325252ull + (long)nr * 7919;

	for (int i = 0; i < rounds; i++) {
		touch_shared(&seed, WORK, WRITE_PCT);
		meet();
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread[MAX_THREADS];
	u64 begin;

	threads = argument(argc, argv, 1, 4);
	rounds = argument(argc, argv, 2, 1000);
	if (threads < 1 || threads > MAX_THREADS)
		return 2;
	begin = now();
	for (long i = 0; i < threads; i++)
		if (pthread_create(&thread[i], NULL, work, (void *)i))
			return 1;
	for (int i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	printf("rounds/ms %.2f\n", rounds * 1e6 / (now() - begin));
	return 0;
}

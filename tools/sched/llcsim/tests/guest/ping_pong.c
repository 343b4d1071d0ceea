// SPDX-License-Identifier: GPL-2.0-only
/* ping_pong CPU CPU HOPS: two threads pass a line on; prints ns per hop. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "llcsim.h"

static _Alignas(64) _Atomic long turn;
static long hops;
static int cpu[2];

static void *play(void *side)
{
	long me = (long)side;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu[me], &set);
	sched_setaffinity(0, sizeof(set), &set);
	for (long t; (t = turn) < hops;)
		if ((t & 1) == me)
			turn = t + 1;
	return NULL;
}

int main(int argc, char **argv)
{
	struct timespec a, b;
	pthread_t thread;

	if (argc < 4)
		return 2;
	cpu[0] = atoi(argv[1]);
	cpu[1] = atoi(argv[2]);
	hops = atol(argv[3]);
	llcsim_begin("ping_pong");
	clock_gettime(CLOCK_MONOTONIC, &a);
	pthread_create(&thread, NULL, play, (void *)1);
	play((void *)0);
	pthread_join(thread, NULL);
	clock_gettime(CLOCK_MONOTONIC, &b);
	llcsim_end("ping_pong");
	printf("ns %.1f\n", ((b.tv_sec - a.tv_sec) * 1e9 + b.tv_nsec - a.tv_nsec) / hops);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * everywhere MS: a thread on each CPU, which never leaves it, all of one process. A
 * region for MS after all of them have been running for a while.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>

#include "bench.h"
#include "llcsim.h"

enum { SETTLE_MS = 30 };

static void *run(void *cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((long)cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		exit(1);
	for (;;)
		;
	return NULL;
}

int main(int argc, char **argv)
{
	int ms = argument(argc, argv, 1, 50);
	pthread_t thread;

	for (long cpu = 0; cpu < sysconf(_SC_NPROCESSORS_ONLN); cpu++)
		if (pthread_create(&thread, NULL, run, (void *)cpu))
			return 1;
	sleep_until(now() + SETTLE_MS * NSEC_PER_MSEC);
	llcsim_begin("everywhere");
	sleep_until(now() + ms * NSEC_PER_MSEC);
	llcsim_end("everywhere");
	return 0;
}

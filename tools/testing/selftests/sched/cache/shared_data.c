// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: a load
 * of some threads that read and write one buffer, and where they ran.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "placement.h"

static void usage(const char *name)
{
	fprintf(stderr,
		"Usage: %s [-t THREADS] [-b BYTES] [-d MS | -n OPERATIONS]\n"
		"Threads read and write one buffer for MS milliseconds, or\n"
		"until each has done OPERATIONS.\n", name);
	exit(2);
}

static double seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static void report(const struct watch *watch)
{
	int llc, i;
	__u64 ns;

	printf("operations: %llu\n", watch->ops);
	printf("moves between LLCs: %llu\n", watch->moves);
	for (llc = 0; llc < llc_count(); llc++) {
		for (ns = 0, i = 0; i < watch->nr; i++)
			ns += watch->worker[i].llc_ns[llc];
		printf("LLC %d: %.3f s\n", llc, ns / 1e9);
	}
	printf("share of LLC %d: %.1f %%\n", watch->modal, watch->share);
}

int main(int argc, char **argv)
{
	struct crew_plan plan = { .nr = 3 };
	double begin = seconds();
	unsigned int ms = 1000;
	struct watch watch;
	struct crew *crew;
	int option, err;

	while ((option = getopt(argc, argv, "t:b:d:n:")) != -1) {
		if (option == 't')
			plan.nr = atoi(optarg);
		else if (option == 'b')
			plan.bytes = strtoul(optarg, NULL, 0);
		else if (option == 'd')
			ms = strtoul(optarg, NULL, 0);
		else if (option == 'n')
			plan.quota = strtoull(optarg, NULL, 0);
		else
			usage(argv[0]);
	}
	if (optind < argc)
		usage(argv[0]);

	crew = crew_start(&plan);
	if (!crew) {
		fprintf(stderr, "%s: cannot start %d threads\n", argv[0],
			plan.nr);
		return 1;
	}
	if (plan.quota) {
		err = crew_wait(crew);
	} else {
		crew_watch(crew, ms, &watch);
		err = crew_stop(crew);
		report(&watch);
	}
	printf("time: %.3f s\n", seconds() - begin);
	return err ? 1 : 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * late THREADS MS: threads that share 64 KiB run for 50 ms, spread by force over
 * the CPUs they may use, with the feature off. Then they may run anywhere and, if
 * $VARIANT is "on", llc_enabled becomes 1. The rate is counted from 100 ms on.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>

#include "sharers.h"

enum { SPREAD_MS = 50, SETTLE_MS = 100 };

static void set_knob(const char *value)
{
	const char *knobs = getenv("LLCSIM_KNOBS");
	char path[128];
	int fd;

	if (!knobs)
		return;
	snprintf(path, sizeof(path), "%s/llc_enabled", knobs);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, value, 1) != 1) {
		perror(path);
		exit(1);
	}
	close(fd);
}

static void set_cpus(int nr, const cpu_set_t *cpus)
{
	if (pthread_setaffinity_np(sharer[nr].thread, sizeof(*cpus), cpus))
		exit(1);
}

/* The CPU for thread @nr when @threads are spread over @allowed. */
static int spread(const cpu_set_t *allowed, int nr, int threads)
{
	int skip = nr * CPU_COUNT(allowed) / threads, cpu = 0;

	for (; !CPU_ISSET(cpu, allowed) || skip--; cpu++)
		;
	return cpu;
}

int main(int argc, char **argv)
{
	int threads = argument(argc, argv, 1, 3), ms = argument(argc, argv, 2, 60);
	cpu_set_t allowed, one;

	if (threads < 1 || threads > MAX_SHARERS || sched_getaffinity(0, sizeof(allowed), &allowed))
		return 2;
	set_knob("0");
	sharers_start(threads);
	for (int i = 0; i < threads; i++) {
		CPU_ZERO(&one);
		CPU_SET(spread(&allowed, i, threads), &one);
		set_cpus(i, &one);
	}
	sleep_until(now() + SPREAD_MS * NSEC_PER_MSEC);
	for (int i = 0; i < threads; i++)
		set_cpus(i, &allowed);
	if (!strcmp(getenv("VARIANT") ?: "", "on"))
		set_knob("1");
	sleep_until(now() + SETTLE_MS * NSEC_PER_MSEC);
	sharers_rate(threads, ms);
	sharers_stop(0, threads);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: run one
 * storm until there is a file END and tell in another how far it got.
 *
 *	storm NAME END SEED FILE
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "control.h"
#include "storm.h"

struct storm {
	const char *name;
	storm_round_fn *round;
	int nice;
	int (*end)(void);
};

/* Those that turn things get a CPU before those that only keep it busy. */
static const struct storm storms[] = {
	{ "toggle", storm_toggle, -5 },
	{ "runq", storm_runq, -5 },
	{ "fuzz", storm_fuzz },
	{ "read", storm_read },
	{ "hotplug", storm_hotplug, -5 },
	{ "cpuset", storm_cpuset, -5 },
	{ "cgroup", storm_cgroup, -5 },
	{ "aggregation", storm_aggregation, -5 },
	{ "fork", storm_fork },
	{ "group", storm_group },
	{ "affinity", storm_affinity, 0, storm_affinity_end },
	{ "mode", storm_mode, 0, storm_mode_end },
	{ }
};

static void tell(int fd, unsigned long done)
{
	char text[32];
	int len = snprintf(text, sizeof(text), "%lu\n", done);

	if (pwrite(fd, text, len, 0) != len)
		perror("storm: cannot write its figure");
}

static int run(const struct storm *storm, const char *end, int fd)
{
	unsigned long done = 0;
	int got = 0;

	while (got >= 0 && access(end, F_OK)) {
		got = storm->round();
		if (got > 0) {
			done += got;
			tell(fd, done);
		}
	}
	if (storm->end && storm->end())
		got = -1;
	return got < 0;
}

static const struct storm *find(const char *name)
{
	const struct storm *storm = storms;

	while (storm->name && strcmp(storm->name, name))
		storm++;
	return storm->name ? storm : NULL;
}

int main(int argc, char **argv)
{
	const struct storm *storm;
	int fd;

	/* A program of one of the storms, that has to do nothing. */
	if (argc == 1)
		return 0;
	storm = argc == 5 ? find(argv[1]) : NULL;
	if (!storm) {
		fprintf(stderr, "usage: storm NAME END SEED FILE\n");
		return 2;
	}
	fd = open(argv[4], O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0) {
		perror(argv[4]);
		return 2;
	}
	setpriority(PRIO_PROCESS, 0, storm->nice);
	/* The file is there: from now on allocations may fail on purpose. */
	if (getenv("faults") && *getenv("faults"))
		file_write("/proc/self/make-it-fail", "1", 1);
	dice_seed(strtoull(argv[3], NULL, 10));
	return run(storm, argv[2], fd);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: one
 * cgroup with a cpuset.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "control.h"
#include "cpuset.h"
#include "placement.h"

#define CGROUPS "/sys/fs/cgroup/"
#define CGROUP CGROUPS "sched_cache_test/"

static int cgroup_write(const char *file, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), CGROUP "%s", file);
	return file_write(path, text, strlen(text));
}

const char *cpuset_create(const cpu_set_t *cpus)
{
	char text[1024];

	if (access(CGROUPS "cgroup.subtree_control", W_OK))
		return "no cgroup2 at " CGROUPS;
	if (file_write(CGROUPS "cgroup.subtree_control", "+cpuset", 7))
		return "cgroup2 has no cpuset controller";
	rmdir(CGROUP);
	if (mkdir(CGROUP, 0755))
		return "cannot make " CGROUP;
	cpulist_print(cpus, text, sizeof(text));
	if (cgroup_write("cpuset.cpus", text))
		return "cannot set cpuset.cpus";
	return NULL;
}

int cpuset_partition(void)
{
	char text[128];

	if (cgroup_write("cpuset.cpus.partition", "root"))
		return -1;
	file_read(CGROUP "cpuset.cpus.partition", text, sizeof(text));
	return strcmp(text, "root\n");
}

int cpuset_enter(pid_t pid)
{
	char text[32];

	snprintf(text, sizeof(text), "%d", pid);
	return cgroup_write("cgroup.procs", text);
}

int cpuset_remove(void)
{
	return rmdir(CGROUP);
}

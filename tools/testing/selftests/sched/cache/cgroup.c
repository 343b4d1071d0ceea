// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: one
 * cgroup, and one inside it.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cgroup.h"
#include "control.h"
#include "placement.h"

#define CGROUPS "/sys/fs/cgroup/"
#define CGROUP CGROUPS "sched_cache_test/"

int cgroup_write(const char *file, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), CGROUP "%s", file);
	return file_write(path, text, strlen(text));
}

int cgroup_read(const char *file, char *text, size_t size)
{
	char path[128];

	snprintf(path, sizeof(path), CGROUP "%s", file);
	return file_read(path, text, size);
}

const char *cgroup_create(const char *controller)
{
	static char reason[128];
	char text[32];

	if (access(CGROUPS "cgroup.subtree_control", W_OK))
		return "no cgroup2 at " CGROUPS;
	snprintf(text, sizeof(text), "+%s", controller);
	snprintf(reason, sizeof(reason), "cgroup2 has no %s controller",
		 controller);
	if (file_write(CGROUPS "cgroup.subtree_control", text, strlen(text)))
		return reason;
	cgroup_remove();
	if (mkdir(CGROUP, 0755))
		return "cannot make " CGROUP;
	return NULL;
}

const char *cpuset_create(const cpu_set_t *cpus)
{
	const char *reason = cgroup_create("cpuset");
	char text[1024];

	if (reason)
		return reason;
	cpulist_print(cpus, text, sizeof(text));
	if (cgroup_write("cpuset.cpus", text))
		return "cannot set cpuset.cpus";
	return NULL;
}

/* @kind: root or isolated */
int cpuset_partition(const char *kind)
{
	char text[128];

	if (cgroup_write("cpuset.cpus.partition", kind))
		return -1;
	file_read(CGROUP "cpuset.cpus.partition", text, sizeof(text));
	text[strcspn(text, "\n")] = '\0';
	return strcmp(text, kind);
}

static int enter(const char *file, pid_t pid)
{
	char text[32];

	snprintf(text, sizeof(text), "%d", pid);
	return cgroup_write(file, text);
}

int cgroup_enter(pid_t pid)
{
	return enter("cgroup.procs", pid);
}

int cgroup_enter_inner(pid_t pid)
{
	return enter("inner/cgroup.procs", pid);
}

int cgroup_create_inner(const char *controller)
{
	char text[32];

	snprintf(text, sizeof(text), "+%s", controller);
	return cgroup_write("cgroup.subtree_control", text) ?:
	       mkdir(CGROUP "inner", 0755);
}

int cgroup_remove(void)
{
	rmdir(CGROUP "inner");
	return rmdir(CGROUP);
}

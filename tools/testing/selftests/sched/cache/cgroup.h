/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: one
 * cgroup, the only one that a test may have at a time, with one inside.
 */
#ifndef _SELFTESTS_SCHED_CACHE_CGROUP_H
#define _SELFTESTS_SCHED_CACHE_CGROUP_H

#include <sched.h>
#include <sys/types.h>

/* Why there is none to be had here, or NULL. */
const char *cgroup_create(const char *controller);
const char *cpuset_create(const cpu_set_t *cpus);

/* These return 0 or something else. */
int cpuset_partition(const char *kind);
int cgroup_write(const char *file, const char *text);
int cgroup_read(const char *file, char *text, size_t size);
int cgroup_enter(pid_t pid);

/* The inner one, whose files are inner/FILE. Then only that may have processes. */
int cgroup_create_inner(const char *controller);
int cgroup_enter_inner(pid_t pid);

int cgroup_remove(void);

#endif /* _SELFTESTS_SCHED_CACHE_CGROUP_H */

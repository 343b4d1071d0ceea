// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: threads
 * run where their cpuset says, and a partition of some CPUs does not switch
 * the feature off for the rest.
 */
#include <stdlib.h>
#include <sys/stat.h>

#include "cache_test.h"

#define CGROUPS "/sys/fs/cgroup/"
#define CGROUP CGROUPS "sched_cache_test/"

static int cgroup_write(const char *file, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), CGROUP "%s", file);
	return file_write(path, text, strlen(text));
}

static const char *cgroup_create(const cpu_set_t *cpus)
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

static int cgroup_partition(void)
{
	char text[128];

	if (cgroup_write("cpuset.cpus.partition", "root"))
		return -1;
	file_read(CGROUP "cpuset.cpus.partition", text, sizeof(text));
	return strcmp(text, "root\n");
}

static int cgroup_enter(const struct crew *crew)
{
	char text[32];

	snprintf(text, sizeof(text), "%d", crew->pid);
	return cgroup_write("cgroup.procs", text);
}

/* No worker spends time outside of @llc from now on. */
static void stays_inside(struct __test_metadata *_metadata,
			 const struct crew *crew, int llc)
{
	struct watch watch;
	int i;

	ASSERT_TRUE(crew_settle(crew));
	crew_watch(crew, WATCH_MS, &watch);
	for (i = 0; i < watch.nr; i++)
		expect_inside(_metadata, &watch, i, llc);
}

static int away_from(const struct crew *crew)
{
	struct watch watch;

	sleep_ms(GATHER_MS);
	crew_watch(crew, GATHER_MS, &watch);
	return (watch.modal + 1) % llc_count();
}

static void cpuset_is_obeyed(struct __test_metadata *_metadata, bool partition)
{
	struct crew *crew = crew_start(&(struct crew_plan){ .nr = 3 });
	const char *reason;
	int away;

	ASSERT_NE(NULL, crew);
	away = away_from(crew);
	reason = cgroup_create(llc_cpus(away));
	if (reason)
		SKIP(return, "%s", reason);
	if (partition)
		ASSERT_EQ(0, cgroup_partition());
	ASSERT_EQ(0, cgroup_enter(crew));
	stays_inside(_metadata, crew, away);
	EXPECT_EQ(0, crew_stop(crew));
	EXPECT_EQ(0, rmdir(CGROUP));
}

TEST_F(cache, cpuset_away_from_home_is_obeyed)
{
	cpuset_is_obeyed(_metadata, false);
}

TEST_F(cache, partition_of_one_llc_is_obeyed)
{
	cpuset_is_obeyed(_metadata, true);
}

/* One CPU for a partition leaves two LLCs for the threads outside of it. */
TEST_F(cache, partition_leaves_the_others_gathering)
{
	const struct crew_plan plan = { .nr = 3 };
	const char *reason;
	struct watch watch;
	struct crew *crew;
	cpu_set_t cpus;
	int cpu;

	CPU_ZERO(&cpus);
	for (cpu = CPU_SETSIZE - 1; llc_of(cpu) < 0; cpu--)
		;
	CPU_SET(cpu, &cpus);
	reason = cgroup_create(&cpus);
	if (reason)
		SKIP(return, "%s", reason);
	ASSERT_EQ(0, cgroup_partition());
	EXPECT_TRUE(status_active());
	crew = crew_start(&plan);
	ASSERT_NE(NULL, crew);
	sleep_ms(GATHER_MS);
	crew_watch(crew, WATCH_MS, &watch);
	expect_gathered(_metadata, &watch);
	EXPECT_EQ(0, crew_stop(crew));
	EXPECT_EQ(0, rmdir(CGROUP));
}

TEST_HARNESS_MAIN

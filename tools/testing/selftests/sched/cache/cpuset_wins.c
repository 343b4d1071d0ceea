// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: threads
 * run where their cpuset says, and a partition of some CPUs does not switch
 * the feature off for the rest.
 */
#include "cache_test.h"
#include "cgroup.h"

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
	reason = cpuset_create(llc_cpus(away));
	if (reason)
		SKIP(return, "%s", reason);
	if (partition)
		ASSERT_EQ(0, cpuset_partition("root"));
	ASSERT_EQ(0, cgroup_enter(crew->pid));
	stays_inside(_metadata, crew, away);
	EXPECT_EQ(0, crew_stop(crew));
	EXPECT_EQ(0, cgroup_remove());
}

TEST_F(cache, cpuset_away_from_home_is_obeyed)
{
	cpuset_is_obeyed(_metadata, false);
}

TEST_F(cache, partition_of_one_llc_is_obeyed)
{
	cpuset_is_obeyed(_metadata, true);
}

/*
 * CPUs of an isolated partition are not balanced. Two threads are at home there,
 * and the third is away on the only other CPU.
 */
TEST_F(cache, isolated_threads_stay_where_they_are)
{
	struct crew *crew = crew_start(&(struct crew_plan){ .nr = 3 });
	cpu_set_t cpus, own;
	const char *reason;
	int cpu, i, of[3], nr[2] = { 0 };
	long pushes;

	ASSERT_NE(NULL, crew);
	CPU_ZERO(&cpus);
	/* The last CPU of one LLC and the last two of another. */
	for (cpu = CPU_SETSIZE - 1, i = 0; cpu > 0 && i < 3; cpu--) {
		if (llc_of(cpu) < 0 || llc_of(cpu) > 1 ||
		    nr[llc_of(cpu)] > llc_of(cpu))
			continue;
		nr[llc_of(cpu)]++;
		CPU_SET(cpu, &cpus);
		of[i++] = cpu;
	}
	ASSERT_EQ(3, i);
	reason = cpuset_create(&cpus);
	if (reason)
		SKIP(return, "%s", reason);
	ASSERT_EQ(0, cpuset_partition("isolated"));
	ASSERT_EQ(0, cgroup_enter(crew->pid));
	for (i = 0; i < 3; i++) {
		CPU_ZERO(&own);
		CPU_SET(of[i], &own);
		ASSERT_EQ(0, crew_pin(crew, i, &own));
	}
	ASSERT_TRUE(crew_settle(crew));
	sleep_ms(GATHER_MS);
	pushes = status_word("moves", "push");
	for (i = 0; i < 3; i++)
		ASSERT_EQ(0, crew_pin(crew, i, &cpus));
	sleep_ms(WATCH_MS);
	EXPECT_EQ(pushes, status_word("moves", "push"));
	expect_none_lost(_metadata, crew);
	EXPECT_EQ(0, crew_stop(crew));
	EXPECT_EQ(0, cgroup_remove());
}

/* Nobody can be moved to an LLC whose CPUs are not balanced. */
TEST_F(cache, isolated_llc_is_no_llc)
{
	const char *reason = cpuset_create(llc_cpus(1));
	long llcs = status_number("llcs");

	if (reason)
		SKIP(return, "%s", reason);
	ASSERT_EQ(0, cpuset_partition("isolated"));
	EXPECT_EQ(llcs - 1, status_number("llcs"));
	EXPECT_EQ(0, cgroup_remove());
	EXPECT_EQ(llcs, status_number("llcs"));
}

/* One CPU for a partition leaves two LLCs for the threads outside of it. */
TEST_F(cache, partition_leaves_the_others_gathering)
{
	const struct crew_plan plan = { .nr = 3 };
	const char *reason;
	struct crew *crew;
	cpu_set_t cpus;
	int cpu;

	CPU_ZERO(&cpus);
	for (cpu = CPU_SETSIZE - 1; llc_of(cpu) < 0; cpu--)
		;
	CPU_SET(cpu, &cpus);
	reason = cpuset_create(&cpus);
	if (reason)
		SKIP(return, "%s", reason);
	ASSERT_EQ(0, cpuset_partition("root"));
	EXPECT_TRUE(status_active());
	crew = crew_start(&plan);
	ASSERT_NE(NULL, crew);
	expect_to_gather(_metadata, crew);
	EXPECT_EQ(0, crew_stop(crew));
	EXPECT_EQ(0, cgroup_remove());
}

TEST_HARNESS_MAIN

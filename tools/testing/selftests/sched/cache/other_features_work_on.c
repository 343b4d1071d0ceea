// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: threads
 * gather and get their share of CPU time beside bandwidth limits, core
 * scheduling and autogroups.
 */
#include <string.h>
#include <sys/prctl.h>

#include "cache_test.h"
#include "cgroup.h"

static void expect_to_work_on(struct __test_metadata *_metadata,
			      struct crew *crew)
{
	expect_to_gather(_metadata, crew);
	expect_none_lost(_metadata, crew);
	EXPECT_EQ(0, crew_stop(crew));
}

/* Two threads get three quarters of a CPU, and when the limit goes they gather. */
TEST_F(cache, limited_threads_get_their_bandwidth)
{
	const char *reason = cgroup_create("cpu");
	struct crew *crew;
	struct watch watch;

	if (reason)
		SKIP(return, "%s", reason);
	crew = crew_start(&(struct crew_plan){ .nr = 2 });
	ASSERT_NE(NULL, crew);
	ASSERT_EQ(0, cgroup_write("cpu.max", "15000 20000"));
	ASSERT_EQ(0, cgroup_enter(crew->pid));
	watch_settled(crew, &watch);
	EXPECT_LT(0.65, watch.cpus) {
		watch_print(&watch);
	}
	EXPECT_GT(0.85, watch.cpus) {
		watch_print(&watch);
	}
	expect_none_lost(_metadata, crew);
	EXPECT_EQ(0, cgroup_write("cpu.max", "max"));
	expect_to_work_on(_metadata, crew);
	EXPECT_EQ(0, cgroup_remove());
}

TEST_F(cache, threads_with_a_core_cookie_gather)
{
	struct crew *crew;

	if (prctl(PR_SCHED_CORE, PR_SCHED_CORE_CREATE, 0,
		  PR_SCHED_CORE_SCOPE_THREAD_GROUP, 0))
		SKIP(return, "no core scheduling, or no SMT");
	crew = crew_start(&(struct crew_plan){ .nr = 2 });
	ASSERT_NE(NULL, crew);
	expect_to_work_on(_metadata, crew);
}

#define AUTOGROUPS "/proc/sys/kernel/sched_autogroup_enabled"

/* A session is an autogroup. */
static bool start_session(void)
{
	return setsid() > 0;
}

static bool has_autogroup(pid_t pid)
{
	char path[64], text[64];

	snprintf(path, sizeof(path), "/proc/%d/autogroup", pid);
	return !file_read(path, text, sizeof(text)) &&
	       !strncmp(text, "/autogroup-", strlen("/autogroup-"));
}

TEST_F(cache, threads_of_an_autogroup_gather)
{
	struct crew *crew;
	char before[16];

	if (file_read(AUTOGROUPS, before, sizeof(before)))
		SKIP(return, "the kernel has no CONFIG_SCHED_AUTOGROUP");
	ASSERT_EQ(0, file_write(AUTOGROUPS, "1", 1));
	crew = crew_start(&(struct crew_plan){
		.begin = start_session, .nr = 2 });
	ASSERT_NE(NULL, crew);
	EXPECT_TRUE(has_autogroup(crew->pid));
	expect_to_work_on(_metadata, crew);
	EXPECT_EQ(0, file_write(AUTOGROUPS, before, strlen(before)));
}

TEST_HARNESS_MAIN

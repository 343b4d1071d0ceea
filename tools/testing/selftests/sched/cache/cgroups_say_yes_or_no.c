// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: what a
 * cgroup asks for in cpu.llc_aggregation is what the processes in it get.
 */
#include "cache_test.h"
#include "cgroup.h"

#define FILE_OF_MODE "cpu.llc_aggregation"

static void expect_mode(struct __test_metadata *_metadata, const char *text)
{
	char now[64] = "";

	EXPECT_EQ(0, cgroup_read(FILE_OF_MODE, now, sizeof(now)));
	EXPECT_STREQ(text, now);
}

static struct crew *start_inside(int (*enter)(pid_t pid))
{
	struct crew *crew = crew_start(&(struct crew_plan){ .nr = 3 });

	if (crew && enter(crew->pid)) {
		crew_stop(crew);
		return NULL;
	}
	return crew;
}

TEST_F(cache, nonsense_is_refused)
{
	const char *reason = cgroup_create("cpu");

	if (reason)
		SKIP(return, "%s", reason);
	expect_mode(_metadata, "default\n");
	EXPECT_EQ(0, cgroup_write(FILE_OF_MODE, " on"));
	EXPECT_EQ(-EINVAL, cgroup_write(FILE_OF_MODE, "\n"));
	EXPECT_EQ(-EINVAL, cgroup_write(FILE_OF_MODE, "1"));
	EXPECT_EQ(-EINVAL, cgroup_write(FILE_OF_MODE, "on off"));
	EXPECT_EQ(-EINVAL, cgroup_write(FILE_OF_MODE, "offf"));
	expect_mode(_metadata, "on\n");
	EXPECT_EQ(0, cgroup_remove());
}

TEST_F(cache, cgroup_may_say_no_and_say_nothing_again)
{
	const char *reason = cgroup_create("cpu");
	struct crew *crew;

	if (reason)
		SKIP(return, "%s", reason);
	crew = crew_start(&(struct crew_plan){ .nr = 3 });
	ASSERT_NE(NULL, crew);
	expect_to_gather(_metadata, crew);
	ASSERT_EQ(0, cgroup_write(FILE_OF_MODE, "off"));
	ASSERT_EQ(0, cgroup_enter(crew->pid));
	expect_off(_metadata, crew);
	ASSERT_EQ(0, cgroup_write(FILE_OF_MODE, "default"));
	expect_to_gather(_metadata, crew);
	EXPECT_EQ(0, crew_stop(crew));
	EXPECT_EQ(0, cgroup_remove());
}

TEST_F(cache, inner_cgroup_goes_by_the_outer_one_or_by_itself)
{
	const char *reason = cgroup_create("cpu");
	struct crew *crew;

	if (reason)
		SKIP(return, "%s", reason);
	ASSERT_EQ(0, knob_write("llc_aggr_tolerance", "0"));
	ASSERT_EQ(0, cgroup_write(FILE_OF_MODE, "off"));
	ASSERT_EQ(0, cgroup_create_inner("cpu"));
	crew = start_inside(cgroup_enter_inner);
	ASSERT_NE(NULL, crew);
	expect_off(_metadata, crew);
	ASSERT_EQ(0, cgroup_write("inner/" FILE_OF_MODE, "on"));
	expect_to_gather(_metadata, crew);
	ASSERT_EQ(0, cgroup_write("inner/" FILE_OF_MODE, "default"));
	expect_off(_metadata, crew);
	ASSERT_EQ(0, cgroup_write(FILE_OF_MODE, "on"));
	expect_to_gather(_metadata, crew);
	EXPECT_EQ(0, crew_stop(crew));
	EXPECT_EQ(0, cgroup_remove());
}

TEST_F(cache, process_is_heard_before_its_cgroup)
{
	const char *reason = cgroup_create("cpu");
	struct crew *crew;

	if (reason)
		SKIP(return, "%s", reason);
	ASSERT_EQ(0, cgroup_write(FILE_OF_MODE, "off"));
	crew = start_inside(cgroup_enter);
	ASSERT_NE(NULL, crew);
	expect_off(_metadata, crew);
	ASSERT_EQ(0, mode_ask(PR_SCHED_CACHE_SET, crew->pid, PR_SCHED_CACHE_ON, 0));
	expect_to_gather(_metadata, crew);
	EXPECT_EQ(0, crew_stop(crew));
	EXPECT_EQ(0, cgroup_remove());
}

TEST_F(cache, feature_may_be_for_the_cgroup_that_asked)
{
	const char *reason = cgroup_create("cpu");
	struct crew *crew;

	if (reason)
		SKIP(return, "%s", reason);
	ASSERT_EQ(0, knob_write("llc_enabled", "2"));
	crew = start_inside(cgroup_enter);
	ASSERT_NE(NULL, crew);
	expect_off(_metadata, crew);
	ASSERT_EQ(0, cgroup_write(FILE_OF_MODE, "on"));
	expect_to_gather(_metadata, crew);
	EXPECT_EQ(0, crew_stop(crew));
	EXPECT_EQ(0, cgroup_remove());
}

TEST_HARNESS_MAIN

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: what a
 * process asks for with prctl(PR_SCHED_CACHE) is what it gets.
 */
#include "cache_test.h"

static int get(pid_t pid)
{
	return mode_ask(PR_SCHED_CACHE_GET, pid, 0, 0);
}

static int set(pid_t pid, unsigned long mode)
{
	return mode_ask(PR_SCHED_CACHE_SET, pid, mode, 0);
}

/* A crew that was started by somebody who asked for @mode. */
static struct crew *start_with(unsigned long mode)
{
	struct crew *crew;

	if (set(0, mode))
		return NULL;
	crew = crew_start(&(struct crew_plan){ .nr = 3 });
	set(0, PR_SCHED_CACHE_DEFAULT);
	return crew;
}

TEST_F(cache, nonsense_is_refused)
{
	EXPECT_EQ(-EINVAL, mode_ask(PR_SCHED_CACHE_JOIN + 1, 0, 0, 0));
	EXPECT_EQ(-EINVAL, mode_ask(-1UL, 0, 0, 0));
	EXPECT_EQ(-EINVAL, set(0, PR_SCHED_CACHE_ON + 1));
	EXPECT_EQ(-EINVAL, set(0, -1UL));
	EXPECT_EQ(-EINVAL, mode_ask(PR_SCHED_CACHE_SET, 0, PR_SCHED_CACHE_ON, 1));
	EXPECT_EQ(-EINVAL, mode_ask(PR_SCHED_CACHE_GET, 0, 1, 0));
	EXPECT_EQ(-EINVAL, mode_ask(PR_SCHED_CACHE_GET, -1UL, 0, 0));
	EXPECT_EQ(-EINVAL, mode_ask(PR_SCHED_CACHE_GET, 1UL << 32, 0, 0));
	EXPECT_EQ(-ESRCH, get(0x7fffffff));
	EXPECT_EQ(PR_SCHED_CACHE_DEFAULT, get(0));
}

static bool cannot_set(void)
{
	return set(getppid(), PR_SCHED_CACHE_OFF) == -EPERM;
}

TEST_F(cache, process_of_another_user_is_not_changed)
{
	EXPECT_TRUE(holds_for_nobody(cannot_set));
	EXPECT_EQ(PR_SCHED_CACHE_DEFAULT, get(0));
}

TEST_F(cache, wish_is_inherited_and_stays_over_exec)
{
	pid_t pid;

	ASSERT_EQ(0, set(0, PR_SCHED_CACHE_OFF));
	pid = start_program();
	sleep_ms(GATHER_MS);
	EXPECT_EQ(PR_SCHED_CACHE_OFF, get(pid));
	EXPECT_TRUE(end_program(pid));
	EXPECT_EQ(0, set(0, PR_SCHED_CACHE_DEFAULT));
}

TEST_F(cache, process_that_says_no_has_no_group)
{
	struct crew *crew = start_with(PR_SCHED_CACHE_OFF);

	ASSERT_NE(NULL, crew);
	expect_off(_metadata, crew);
	EXPECT_EQ(self->groups, status_number("groups"));
	ASSERT_EQ(0, set(crew->pid, PR_SCHED_CACHE_DEFAULT));
	expect_to_gather(_metadata, crew);
	EXPECT_EQ(0, crew_stop(crew));
}

TEST_F(cache, threads_leave_their_group_when_their_process_says_no)
{
	struct crew *crew = crew_start(&(struct crew_plan){ .nr = 3 });

	ASSERT_NE(NULL, crew);
	expect_to_gather(_metadata, crew);
	ASSERT_EQ(0, set(crew->worker[1].tid, PR_SCHED_CACHE_OFF));
	expect_off(_metadata, crew);
	EXPECT_EQ(0, crew_stop(crew));
}

TEST_F(cache, process_that_says_yes_gathers_in_any_case)
{
	struct crew *crew;

	ASSERT_EQ(0, knob_write("llc_aggr_tolerance", "0"));
	crew = start_with(PR_SCHED_CACHE_ON);
	ASSERT_NE(NULL, crew);
	expect_to_gather(_metadata, crew);
	EXPECT_STREQ("user", thread_told(crew->pid, "llc_reason"));
	EXPECT_EQ(0, crew_stop(crew));
}

TEST_F(cache, feature_may_be_for_those_that_asked)
{
	struct crew *crew;

	ASSERT_EQ(0, knob_write("llc_enabled", "2"));
	crew = crew_start(&(struct crew_plan){ .nr = 3 });
	ASSERT_NE(NULL, crew);
	expect_off(_metadata, crew);
	ASSERT_EQ(0, set(crew->pid, PR_SCHED_CACHE_ON));
	expect_to_gather(_metadata, crew);
	EXPECT_EQ(0, crew_stop(crew));
}

TEST_HARNESS_MAIN

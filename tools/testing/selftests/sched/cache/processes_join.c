// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: processes
 * that join, with prctl(PR_SCHED_CACHE), are kept together as one.
 */
#include "cache_test.h"

enum { KTHREADD = 2 };

static int join(pid_t pid, pid_t other)
{
	return mode_ask(PR_SCHED_CACHE_JOIN, pid, other, 0);
}

static const char *told(const struct crew *crew, const char *key)
{
	return thread_told(crew->worker[0].tid, key);
}

/* Their threads, after a while on @llc, may go anywhere. */
static struct crew *start_on(int nr, int llc)
{
	struct crew *crew = crew_start(&(struct crew_plan){ .nr = nr });
	int i;

	for (i = 0; crew && i < nr; i++)
		crew_pin(crew, i, llc_cpus(llc));
	sleep_ms(GATHER_MS);
	for (i = 0; crew && i < nr; i++)
		crew_pin(crew, i, llc_all_cpus());
	return crew;
}

static void expect_on_one_llc(struct __test_metadata *_metadata,
			      const struct crew *a, const struct crew *b)
{
	struct watch watch_a, watch_b;

	watch_settled(a, &watch_a);
	crew_watch(b, WATCH_MS, &watch_b);
	expect_gathered(_metadata, &watch_a);
	expect_gathered(_metadata, &watch_b);
	EXPECT_EQ(watch_a.modal, watch_b.modal);
	EXPECT_STREQ("2", told(a, "llc_processes"));
	EXPECT_STREQ("2", told(b, "llc_processes"));
}

/* An LLC of 4 CPUs has room for 3 threads, and for whoever watches them. */
TEST_F(cache, programs_that_join_share_a_home)
{
	struct crew *a = start_on(2, 1), *b = start_on(1, 0);
	struct watch watch;

	ASSERT_NE(NULL, a);
	ASSERT_NE(NULL, b);
	watch_settled(a, &watch);
	ASSERT_EQ(1, watch.modal);
	EXPECT_STREQ("1", told(a, "llc_processes"));
	ASSERT_EQ(0, join(b->pid, a->pid));
	expect_on_one_llc(_metadata, a, b);
	EXPECT_EQ(self->groups + 1, status_number("groups"));
	EXPECT_EQ(0, crew_stop(a));
	expect_to_gather(_metadata, b);
	EXPECT_EQ(0, crew_stop(b));
}

TEST_F(cache, single_threads_that_join_share_a_home)
{
	struct crew *a = start_on(1, 0), *b = start_on(1, 1);

	ASSERT_NE(NULL, a);
	ASSERT_NE(NULL, b);
	EXPECT_STREQ("single", told(a, "llc_state"));
	ASSERT_EQ(0, join(a->worker[0].tid, b->worker[0].tid));
	expect_on_one_llc(_metadata, a, b);
	EXPECT_EQ(0, crew_stop(b));
	EXPECT_EQ(0, crew_stop(a));
}

TEST_F(cache, process_that_joins_itself_is_alone_again)
{
	struct crew *a = start_on(2, 0), *b = start_on(2, 1);

	ASSERT_NE(NULL, a);
	ASSERT_NE(NULL, b);
	ASSERT_EQ(0, join(b->pid, b->pid));
	EXPECT_EQ(self->groups + 2, status_number("groups"));
	ASSERT_EQ(0, join(b->pid, a->pid));
	sleep_ms(GATHER_MS);
	EXPECT_EQ(self->groups + 1, status_number("groups"));
	ASSERT_EQ(0, join(a->pid, a->worker[1].tid));
	sleep_ms(GATHER_MS);
	EXPECT_STREQ("1", told(a, "llc_processes"));
	EXPECT_STREQ("1", told(b, "llc_processes"));
	EXPECT_EQ(self->groups + 2, status_number("groups"));
	expect_to_gather(_metadata, a);
	EXPECT_EQ(0, crew_stop(a));
	EXPECT_EQ(0, crew_stop(b));
}

TEST_F(cache, child_of_one_that_joined_is_one_more_until_exec)
{
	struct crew *a = start_on(2, 0), *b;
	pid_t pid;

	ASSERT_NE(NULL, a);
	ASSERT_EQ(0, join(0, a->pid));
	b = crew_start(&(struct crew_plan){ .nr = 1 });
	ASSERT_NE(NULL, b);
	sleep_ms(GATHER_MS);
	EXPECT_STREQ("3", told(b, "llc_processes"));
	pid = start_program();
	sleep_ms(GATHER_MS);
	EXPECT_STREQ("single", thread_told(pid, "llc_state"));
	EXPECT_STREQ("3", told(b, "llc_processes"));
	EXPECT_TRUE(end_program(pid));
	EXPECT_EQ(0, join(0, 0));
	EXPECT_STREQ("2", told(b, "llc_processes"));
	EXPECT_EQ(0, crew_stop(b));
	EXPECT_EQ(0, crew_stop(a));
}

static bool cannot_join(void)
{
	return join(0, getppid()) == -EPERM && join(getppid(), 0) == -EPERM &&
	       !join(0, 0);
}

TEST_F(cache, process_of_another_user_is_not_joined)
{
	EXPECT_TRUE(holds_for_nobody(cannot_join));
}

TEST_F(cache, nothing_joins_what_is_no_process)
{
	EXPECT_EQ(-ESRCH, join(0, 0x7fffffff));
	EXPECT_EQ(-ESRCH, join(0x7fffffff, 0));
	EXPECT_EQ(-ESRCH, join(0, KTHREADD));
	EXPECT_EQ(-ESRCH, join(KTHREADD, 0));
	EXPECT_EQ(-EINVAL, join(0, -1));
	EXPECT_EQ(-EINVAL, mode_ask(PR_SCHED_CACHE_JOIN, 0, 1UL << 32, 0));
	EXPECT_EQ(-EINVAL, mode_ask(PR_SCHED_CACHE_JOIN, 0, 0, 1));
	EXPECT_STREQ("single", thread_told(getpid(), "llc_state"));
}

TEST_HARNESS_MAIN

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: tasks of
 * idle policy or of an idle cgroup, and those that another scheduling class
 * places, are not brought home while others of their group are. The rest of the
 * scheduler may still move them, so the feature's moves are what is counted.
 */
#include <linux/sched.h>
#include <sys/syscall.h>

#include "cache_test.h"
#include "cgroup.h"

/* As in linux/sched/types.h, which conflicts with the C library's. */
struct attr {
	__u32 size;
	__u32 policy;
	__u64 flags;
	__s32 nice;
	__u32 priority;
	__u64 runtime;
	__u64 deadline;
	__u64 period;
};

enum {
	WORKERS = 3,
	AWAY = WORKERS - 1,	/* the worker that is not at home */
};

/*
 * Two workers are at home for good, the third, which may go anywhere, is not;
 * the feature is off.
 */
static struct crew *start_with_one_away(void)
{
	struct crew *crew = crew_start(&(struct crew_plan){
		.nr = WORKERS, .nap_us = 1000 });
	struct watch watch;
	int i;

	if (!crew)
		return NULL;
	sleep_ms(GATHER_MS);
	crew_watch(crew, GATHER_MS, &watch);
	for (i = 0; i < AWAY; i++)
		crew_pin(crew, i, llc_cpus(watch.modal));
	crew_pin(crew, AWAY, llc_cpus((watch.modal + 1) % llc_count()));
	crew_settle(crew);
	knob_write("llc_enabled", "0");
	crew_pin(crew, AWAY, llc_all_cpus());
	return crew;
}

static long moves(void)
{
	return status_word("moves", "wake") + status_word("moves", "push");
}

/* Now nothing keeps it away but that it is left alone. */
static void expect_left_alone(struct __test_metadata *_metadata,
			      struct crew *crew)
{
	long before = moves();
	struct watch watch;

	ASSERT_LE(0, before);
	ASSERT_EQ(0, knob_write("llc_enabled", "1"));
	crew_watch(crew, WATCH_MS, &watch);
	EXPECT_EQ(before, moves()) {
		watch_print(&watch);
	}
	expect_none_lost(_metadata, crew);
	EXPECT_EQ(0, crew_stop(crew));
}

static int set_policy(const struct crew *crew, int policy, int priority)
{
	const struct sched_param param = { .sched_priority = priority };

	return sched_setscheduler(crew->worker[AWAY].tid, policy, &param);
}

static void expect_policy_stays(struct __test_metadata *_metadata, int policy,
				int priority)
{
	struct crew *crew = start_with_one_away();

	ASSERT_NE(NULL, crew);
	ASSERT_EQ(0, set_policy(crew, policy, priority));
	expect_left_alone(_metadata, crew);
}

TEST_F(cache, idle_policy_stays)
{
	expect_policy_stays(_metadata, SCHED_IDLE, 0);
}

TEST_F(cache, idle_cgroup_stays)
{
	const char *reason = cgroup_create("cpu");
	struct crew *crew;

	if (reason)
		SKIP(return, "%s", reason);
	ASSERT_EQ(0, cgroup_write("cpu.idle", "1"));
	crew = start_with_one_away();
	ASSERT_NE(NULL, crew);
	ASSERT_EQ(0, cgroup_enter(crew->pid));
	expect_left_alone(_metadata, crew);
	EXPECT_EQ(0, cgroup_remove());
}

TEST_F(cache, realtime_stays)
{
	expect_policy_stays(_metadata, SCHED_FIFO, 1);
}

TEST_F(cache, deadline_stays)
{
	const struct attr attr = {
		.size = sizeof(attr), .policy = SCHED_DEADLINE,
		.runtime = 3000000, .deadline = 10000000, .period = 10000000,
	};
	struct crew *crew = start_with_one_away();

	ASSERT_NE(NULL, crew);
	ASSERT_EQ(0, syscall(SYS_sched_setattr, crew->worker[AWAY].tid, &attr, 0));
	expect_left_alone(_metadata, crew);
}

/* What would not be left alone. */
TEST_F(cache, batch_policy_comes_home)
{
	struct crew *crew = start_with_one_away();

	ASSERT_NE(NULL, crew);
	ASSERT_EQ(0, set_policy(crew, SCHED_BATCH, 0));
	ASSERT_EQ(0, knob_write("llc_enabled", "1"));
	expect_to_gather(_metadata, crew);
	EXPECT_EQ(0, crew_stop(crew));
}

TEST_HARNESS_MAIN

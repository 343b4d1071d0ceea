// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: two
 * programs of three threads each take one LLC each.
 */
#include "cache_test.h"

static void expect_parted(struct __test_metadata *_metadata,
			  struct crew *one, struct crew *two)
{
	struct watch first, second;

	sleep_ms(GATHER_MS);
	crew_watch(one, WATCH_MS, &first);
	crew_watch(two, WATCH_MS, &second);
	expect_gathered(_metadata, &first);
	expect_gathered(_metadata, &second);
	EXPECT_NE(first.modal, second.modal) {
		watch_print(&first);
		watch_print(&second);
	}
	EXPECT_EQ(0, crew_stop(one));
	EXPECT_EQ(0, crew_stop(two));
}

TEST_F(cache, two_programs_take_one_llc_each)
{
	const struct crew_plan plan = { .nr = 3 };
	struct crew *one = crew_start(&plan), *two = crew_start(&plan);

	ASSERT_NE(NULL, one);
	ASSERT_NE(NULL, two);
	expect_parted(_metadata, one, two);
}

/* The affinity that kept both programs on one LLC goes away. */
TEST_F(cache, programs_that_ran_on_one_llc_part)
{
	const struct crew_plan plan = { .nr = 3 };
	struct crew *one, *two;
	int i;

	ASSERT_EQ(0, sched_setaffinity(0, sizeof(cpu_set_t), llc_cpus(0)));
	one = crew_start(&plan);
	two = crew_start(&plan);
	ASSERT_NE(NULL, one);
	ASSERT_NE(NULL, two);
	sleep_ms(GATHER_MS);
	for (i = 0; i < plan.nr; i++) {
		ASSERT_EQ(0, crew_pin(one, i, llc_all_cpus()));
		ASSERT_EQ(0, crew_pin(two, i, llc_all_cpus()));
	}
	expect_parted(_metadata, one, two);
}

TEST_HARNESS_MAIN

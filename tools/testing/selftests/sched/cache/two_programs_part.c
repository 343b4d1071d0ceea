// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: two
 * programs of three threads each take one LLC each.
 */
#include "cache_test.h"

TEST_F(cache, two_programs_take_one_llc_each)
{
	const struct crew_plan plan = { .nr = 3 };
	struct crew *one = crew_start(&plan), *two = crew_start(&plan);
	struct watch first, second;

	ASSERT_NE(NULL, one);
	ASSERT_NE(NULL, two);
	sleep_ms(GATHER_MS);
	crew_watch(one, WATCH_MS, &first);
	crew_watch(two, WATCH_MS, &second);
	EXPECT_LE(GATHERED_PCT, first.share);
	EXPECT_LE(GATHERED_PCT, second.share);
	EXPECT_NE(first.modal, second.modal);
	if (!__test_passed(_metadata)) {
		watch_print(&first);
		watch_print(&second);
	}
	EXPECT_EQ(0, crew_stop(one));
	EXPECT_EQ(0, crew_stop(two));
}

TEST_HARNESS_MAIN

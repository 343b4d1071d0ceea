// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: under
 * load the feature goes on and off at a high rate and every thread goes on.
 */
#include "cache_test.h"

enum {
	CREWS = 3,
	ROUNDS = 5,
	ROUND_TOGGLES = 40,
};

static int toggle_enabled(bool on)
{
	return knob_write("llc_enabled", on ? "1" : "0");
}

/* Toggle while crews work and others start and end. */
static void toggle(struct __test_metadata *_metadata, int (*set)(bool on))
{
	const struct crew_plan brief = { .nr = 4, .quota = 1 };
	struct crew *crew[CREWS], *visitor;
	int i, round;

	for (i = 0; i < CREWS; i++) {
		crew[i] = crew_start(&(struct crew_plan){
			.nr = 3, .nap_us = i * 200 });
		ASSERT_NE(NULL, crew[i]);
	}
	for (round = 0; round < ROUNDS; round++) {
		visitor = crew_start(&brief);
		ASSERT_NE(NULL, visitor);
		for (i = 0; i < ROUND_TOGGLES; i++)
			ASSERT_EQ(0, set(i % 2));
		EXPECT_EQ(0, crew_wait(visitor));
	}
	for (i = 0; i < CREWS; i++) {
		expect_none_lost(_metadata, crew[i]);
		EXPECT_EQ(0, crew_stop(crew[i]));
	}
}

TEST_F(cache, toggling_llc_enabled_loses_no_thread)
{
	toggle(_metadata, toggle_enabled);
}

TEST_F(cache, toggling_the_feature_loses_no_thread)
{
	toggle(_metadata, feature_write);
}

/* A crew that lived through it gathers when the feature stays on. */
TEST_F(cache, toggling_does_not_wear_out_gathering)
{
	struct crew *crew = crew_start(&(struct crew_plan){ .nr = 3 });
	int i;

	ASSERT_NE(NULL, crew);
	for (i = 0; i < ROUND_TOGGLES; i++)
		ASSERT_EQ(0, toggle_enabled(i % 2));
	expect_to_gather(_metadata, crew);
	EXPECT_EQ(0, crew_stop(crew));
}

TEST_HARNESS_MAIN

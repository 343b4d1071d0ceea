// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: each knob
 * takes 10,000 inputs, good ones and all kinds of bad ones, while the feature goes
 * on and off. A bad one changes nothing. SEED=N in the environment makes others.
 */
#include <stdlib.h>

#include "cache_test.h"
#include "storm.h"

enum {
	INPUTS = 10000,
	TOGGLE_EVERY = 50,
};

TEST_F_TIMEOUT(cache, bad_input_changes_nothing, 120)
{
	const char *seed = getenv("SEED");
	int i;

	dice_seed(seed ? strtoull(seed, NULL, 10) : 0);
	for (i = 0; i < INPUTS; i++) {
		if (i % TOGGLE_EVERY == 0)
			ASSERT_EQ(0, feature_write(dice(2)));
		ASSERT_EQ(1, storm_fuzz_alone()) {
			TH_LOG("input %d", i);
		}
	}
}

TEST_HARNESS_MAIN

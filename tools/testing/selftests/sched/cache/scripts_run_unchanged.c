// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: the
 * command lines people already use for cache-aware kernels work as they are.
 */
#include <stdlib.h>

#include "cache_test.h"

static const struct {
	const char *command;
	const char *file;
	const char *value;
} scripts[] = {
	{ "echo 50 > " SCHED_DEBUGFS "llc_overload_pct",
	  "llc_overload_pct", "50" },
	{ "echo 100 > " SCHED_DEBUGFS "llc_overload_pct",
	  "llc_overload_pct", "100" },
	{ "echo 1 > " SCHED_DEBUGFS "llc_aggr_tolerance",
	  "llc_aggr_tolerance", "1" },
	{ "echo 100 > " SCHED_DEBUGFS "llc_aggr_tolerance",
	  "llc_aggr_tolerance", "100" },
	{ "echo 0 > " SCHED_DEBUGFS "llc_enabled", "llc_enabled", "0" },
	{ "echo 1 > " SCHED_DEBUGFS "llc_enabled", "llc_enabled", "1" },
};

TEST_F(cache, knob_scripts_work)
{
	char text[KNOB_TEXT];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(scripts); i++) {
		EXPECT_EQ(0, system(scripts[i].command)) {
			TH_LOG("%s", scripts[i].command);
		}
		knob_read(scripts[i].file, text, sizeof(text));
		EXPECT_STREQ(scripts[i].value, text) {
			TH_LOG("after %s", scripts[i].command);
		}
	}
}

TEST_F(cache, feature_scripts_work)
{
	EXPECT_EQ(0, system("echo NO_SCHED_CACHE > " SCHED_DEBUGFS "features"));
	EXPECT_FALSE(feature_read());
	EXPECT_EQ(0, system("echo SCHED_CACHE > " SCHED_DEBUGFS "features"));
	EXPECT_TRUE(feature_read());
}

TEST_HARNESS_MAIN

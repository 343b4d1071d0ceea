// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: a
 * thread runs where its affinity mask says, wherever the home is.
 */
#include "cache_test.h"

enum {
	PINS = 40,
	PIN_MS = 25,
};

TEST_F(cache, thread_pinned_away_stays_away)
{
	struct crew *crew = crew_start(&(struct crew_plan){ .nr = 3 });
	struct watch watch;
	int away;

	ASSERT_NE(NULL, crew);
	sleep_ms(GATHER_MS);
	crew_watch(crew, GATHER_MS, &watch);
	away = (watch.modal + 1) % llc_count();

	ASSERT_EQ(0, crew_pin(crew, 1, llc_cpus(away)));
	ASSERT_TRUE(crew_settle(crew));
	crew_watch(crew, WATCH_MS, &watch);
	expect_inside(_metadata, &watch, 1, away);
	EXPECT_EQ(0, crew_stop(crew));
}

/* A thread obeys each new mask at once, while the others pull it home. */
TEST_F(cache, new_mask_is_obeyed_at_once)
{
	struct crew *crew = crew_start(&(struct crew_plan){ .nr = 3 });
	struct watch watch;
	int i, llc;

	ASSERT_NE(NULL, crew);
	for (i = 0; i < PINS; i++) {
		llc = i % llc_count();
		ASSERT_EQ(0, crew_pin(crew, 1, llc_cpus(llc)));
		ASSERT_TRUE(crew_settle(crew));
		crew_watch(crew, PIN_MS, &watch);
		expect_inside(_metadata, &watch, 1, llc);
	}
	EXPECT_EQ(0, crew_stop(crew));
}

TEST_HARNESS_MAIN

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: threads
 * that share data gather on one LLC within 200 ms and stay there.
 */
#include "cache_test.h"

/* Watch a new crew from GATHER_MS after its start on. */
static void watch_new_crew(struct __test_metadata *_metadata,
			   const struct crew_plan *plan)
{
	struct crew *crew = crew_start(plan);

	ASSERT_NE(NULL, crew);
	expect_to_gather(_metadata, crew);
	EXPECT_EQ(0, crew_stop(crew));
}

static int llc_size(void)
{
	return CPU_COUNT(llc_cpus(0));
}

TEST_F(cache, three_threads_gather)
{
	watch_new_crew(_metadata, &(struct crew_plan){ .nr = 3 });
}

TEST_F(cache, threads_that_fill_the_llc_gather)
{
	watch_new_crew(_metadata, &(struct crew_plan){ .nr = llc_size() });
}

TEST_F(cache, threads_that_sleep_gather)
{
	watch_new_crew(_metadata, &(struct crew_plan){
		.nr = llc_size(), .nap_us = 500 });
}

/* Threads that ran spread while the feature was off, then it goes on. */
TEST_F(cache, threads_that_ran_spread_gather)
{
	struct watch before, after;
	struct crew *crew;
	int i;

	ASSERT_EQ(0, knob_write("llc_enabled", "0"));
	crew = crew_start(&(struct crew_plan){ .nr = 3 });
	ASSERT_NE(NULL, crew);
	for (i = 0; i < 3; i++)
		ASSERT_EQ(0, crew_pin(crew, i, llc_cpus(i % llc_count())));
	ASSERT_TRUE(crew_settle(crew));
	crew_watch(crew, GATHER_MS, &before);
	EXPECT_GT(GATHERED_PCT, before.share);

	for (i = 0; i < 3; i++)
		ASSERT_EQ(0, crew_pin(crew, i, llc_all_cpus()));
	ASSERT_EQ(0, knob_write("llc_enabled", "1"));
	watch_settled(crew, &after);
	expect_gathered(_metadata, &after);
	EXPECT_EQ(0, crew_stop(crew));
}

/* One thread has to go meanwhile, but not the others with all the data. */
TEST_F(cache, who_comes_for_a_moment_moves_no_home)
{
	struct crew *crew = crew_start(&(struct crew_plan){ .nr = llc_size() });
	struct watch watch;
	char home[16];
	int i;

	ASSERT_NE(NULL, crew);
	watch_settled(crew, &watch);
	snprintf(home, sizeof(home), "%s", thread_told(crew->pid, "llc_home"));
	ASSERT_STRNE("", home);
	ASSERT_EQ(0, sched_setaffinity(0, sizeof(cpu_set_t), llc_cpus(watch.modal)));
	for (i = 0; i < 10; i++) {
		be_busy_us(20000);
		sleep_ms(GATHER_MS);
		EXPECT_STREQ(home, thread_told(crew->pid, "llc_home"));
	}
	EXPECT_EQ(0, crew_stop(crew));
}

TEST_HARNESS_MAIN

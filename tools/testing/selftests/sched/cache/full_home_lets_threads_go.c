// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: more
 * threads than an LLC holds are not squeezed, every CPU of the machine works.
 */
#include "cache_test.h"

static void use_all_cpus(struct __test_metadata *_metadata, int nr)
{
	struct crew *crew = crew_start(&(struct crew_plan){ .nr = nr });
	int cpus = CPU_COUNT(llc_all_cpus());
	struct watch watch;

	ASSERT_NE(NULL, crew);
	sleep_ms(2 * GATHER_MS);
	crew_watch(crew, WATCH_MS, &watch);
	/* One CPU that idles is a loss of 1; a debug kernel takes half of it. */
	EXPECT_LT(cpus - 0.9, watch.cpus) {
		watch_print(&watch);
	}
	expect_none_lost(_metadata, crew);
	EXPECT_EQ(0, crew_stop(crew));
}

TEST_F(cache, a_thread_for_each_cpu_uses_all_cpus)
{
	use_all_cpus(_metadata, CPU_COUNT(llc_all_cpus()));
}

TEST_F(cache, two_threads_for_each_cpu_use_all_cpus)
{
	use_all_cpus(_metadata, 2 * CPU_COUNT(llc_all_cpus()));
}

TEST_HARNESS_MAIN

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: more
 * threads than an LLC holds are not squeezed, every CPU of the machine works.
 */
#include "cache_test.h"

/* Idle time of all CPUs since boot, in seconds. */
static double idle_seconds(void)
{
	unsigned long long idle = 0;
	FILE *stat = fopen("/proc/stat", "r");

	if (!stat)
		return 0;
	if (fscanf(stat, "cpu %*u %*u %*u %llu", &idle) != 1)
		idle = 0;
	fclose(stat);
	return (double)idle / sysconf(_SC_CLK_TCK);
}

static void use_all_cpus(struct __test_metadata *_metadata, int nr)
{
	struct crew *crew = crew_start(&(struct crew_plan){ .nr = nr });
	struct watch watch;
	double idle;

	ASSERT_NE(NULL, crew);
	sleep_ms(2 * GATHER_MS);
	idle = idle_seconds();
	ASSERT_NE(0, idle);
	crew_watch(crew, WATCH_MS, &watch);
	idle = idle_seconds() - idle;
	/* A CPU that idles while a thread waits does so all the time. */
	EXPECT_GT(WATCH_MS / 1000.0 / 2, idle) {
		TH_LOG("CPUs were idle for %.2f s", idle);
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

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: nobody
 * waits much longer for a CPU than with the feature off, neither who wakes up
 * where a hog is at home nor who has to share a home with too many others.
 */
#include <sys/resource.h>

#include "cache_test.h"

enum {
	THREADS = 3,
	NAP_US = 1000,
	NICEST = 19,
	CREWS_PER_LLC = 2,
	/* Two runs of the same may differ by so much, above all if emulated. */
	DELAY_TIMES = 2,
	DELAY_US = 500,
	WAIT_TIMES = 4,
	WAIT_MS = 100,
};

/* On the first CPU of an LLC, for good. */
static struct crew *start_hog(int llc)
{
	struct crew *hog = crew_start(&(struct crew_plan){ .nr = 1 });
	cpu_set_t cpus;
	int cpu = 0;

	while (llc_of(cpu) != llc)
		cpu++;
	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	if (hog && !crew_pin(hog, 0, &cpus) &&
	    !setpriority(PRIO_PROCESS, hog->worker[0].tid, NICEST))
		return hog;
	return NULL;
}

/* Threads that often sleep and wake up, and where they are at home. */
static struct crew *start_interactive(int *home)
{
	struct crew *crew = crew_start(&(struct crew_plan){
		.nr = THREADS, .nap_us = NAP_US });
	struct watch watch;

	if (!crew)
		return NULL;
	sleep_ms(GATHER_MS);
	crew_watch(crew, GATHER_MS, &watch);
	*home = watch.modal;
	return crew;
}

/* One that was away comes home though a hog is there. */
TEST_F(cache, nice_hog_keeps_nobody_away)
{
	struct crew *crew, *hog;
	int home;

	crew = start_interactive(&home);
	ASSERT_NE(NULL, crew);
	hog = start_hog(home);
	ASSERT_NE(NULL, hog);
	ASSERT_EQ(0, crew_pin(crew, 1, llc_cpus((home + 1) % llc_count())));
	ASSERT_TRUE(crew_settle(crew));
	ASSERT_EQ(0, crew_pin(crew, 1, llc_all_cpus()));
	expect_to_gather(_metadata, crew);
	expect_none_lost(_metadata, hog);
	EXPECT_EQ(0, crew_stop(hog));
	EXPECT_EQ(0, crew_stop(crew));
}

static void watch_with(const struct crew *crew, const char *enabled,
		       struct watch *watch)
{
	knob_write("llc_enabled", enabled);
	watch_settled(crew, watch);
}

TEST_F(cache, nice_hog_delays_no_wakeup)
{
	struct watch off, on;
	struct crew *crew, *hog;
	int home;

	crew = start_interactive(&home);
	ASSERT_NE(NULL, crew);
	hog = start_hog(home);
	ASSERT_NE(NULL, hog);
	watch_with(crew, "1", &on);
	watch_with(crew, "0", &off);
	EXPECT_LT(0, watch_delay_us(&off));
	EXPECT_LE(watch_delay_us(&on),
		  DELAY_TIMES * watch_delay_us(&off) + DELAY_US) {
		TH_LOG("delay: %.0f us, off %.0f us", watch_delay_us(&on),
		       watch_delay_us(&off));
		watch_print(&on);
		watch_print(&off);
	}
	EXPECT_EQ(0, crew_stop(hog));
	EXPECT_EQ(0, crew_stop(crew));
}

/* The longest that a worker of several crews waits, in ms. */
static double longest_wait_ms(struct __test_metadata *_metadata,
			      const char *enabled)
{
	struct crew *crew[CREWS_PER_LLC * LLC_MAX];
	int i, nr = CREWS_PER_LLC * llc_count();
	__u64 longest = 0;

	knob_write("llc_enabled", enabled);
	for (i = 0; i < nr; i++) {
		crew[i] = crew_start(&(struct crew_plan){
			.nr = CPU_COUNT(llc_cpus(0)) });
		ASSERT_NE(NULL, crew[i]);
	}
	sleep_ms(WATCH_MS);
	for (i = 0; i < nr; i++) {
		/* What waits now counts, too. */
		expect_none_lost(_metadata, crew[i]);
		if (crew_longest_wait_ns(crew[i]) > longest)
			longest = crew_longest_wait_ns(crew[i]);
		EXPECT_EQ(0, crew_stop(crew[i]));
	}
	return longest / 1e6;
}

/* Each home gets twice as many threads as it has CPUs. */
TEST_F(cache, nobody_starves_at_a_full_home)
{
	double off = longest_wait_ms(_metadata, "0");
	double on = longest_wait_ms(_metadata, "1");

	EXPECT_LT(0, off);
	EXPECT_LE(on, WAIT_TIMES * off + WAIT_MS) {
		TH_LOG("longest wait: %.1f ms, off %.1f ms", on, off);
	}
}

TEST_HARNESS_MAIN

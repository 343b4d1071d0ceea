// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: threads
 * that do not fit one LLC run on the fewest LLCs that hold them, and on one
 * when there are fewer of them.
 */
#include <stdlib.h>

#include "cache_test.h"

/* CPUs of the largest LLC. */
static int llc_size(void)
{
	int llc, size = 0;

	for (llc = 0; llc < llc_count(); llc++) {
		if (CPU_COUNT(llc_cpus(llc)) > size)
			size = CPU_COUNT(llc_cpus(llc));
	}
	return size;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x < y) - (x > y);
}

/* Share of the @nr LLCs where most of the time was spent, in per cent. */
static double share_of_most(const struct watch *watch, int nr)
{
	double ns[LLC_MAX] = { 0 }, most = 0, all = 0;
	int i, llc;

	for (llc = 0; llc < llc_count(); llc++) {
		for (i = 0; i < watch->nr; i++)
			ns[llc] += watch->worker[i].llc_ns[llc];
	}
	qsort(ns, llc_count(), sizeof(*ns), by_size);
	for (llc = 0; llc < llc_count(); llc++) {
		all += ns[llc];
		if (llc < nr)
			most += ns[llc];
	}
	return all ? 100 * most / all : 0;
}

static void expect_on(struct __test_metadata *_metadata, int threads, int llcs)
{
	struct crew *crew = crew_start(&(struct crew_plan){ .nr = threads });
	struct watch watch;

	ASSERT_NE(NULL, crew);
	watch_settled(crew, &watch);
	EXPECT_LE(GATHERED_PCT, share_of_most(&watch, llcs)) {
		watch_print(&watch);
	}
	EXPECT_EQ(0, crew_stop(crew));
}

TEST_F(cache, half_a_group_more_than_an_llc_gets_two)
{
	if (llc_count() < 3)
		SKIP(return, "two of at most two LLCs are all of them");
	expect_on(_metadata, llc_size() + llc_size() / 2, 2);
}

TEST_F(cache, a_group_as_large_as_an_llc_gets_one)
{
	expect_on(_metadata, llc_size(), 1);
}

TEST_HARNESS_MAIN

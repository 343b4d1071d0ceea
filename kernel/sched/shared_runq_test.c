// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shared run queues, see Documentation/scheduler/sched-shared-runq.rst: KUnit
 * tests of how cores are dealt to shards.
 */
#include <kunit/test.h>
#include <linux/mmu_context.h>

#include "sched.h"

static void a_small_llc_has_one_shard(struct kunit *test)
{
	for (unsigned int cores = 1; cores <= SHARED_RUNQ_DFL_SHARD_CORES; cores++)
		KUNIT_EXPECT_EQ(test, 1U, shared_runq_nr_shards(cores, 0));
	KUNIT_EXPECT_EQ(test, 2U, shared_runq_nr_shards(8, 0));
	KUNIT_EXPECT_EQ(test, 6U, shared_runq_nr_shards(32, 0));
}

static void shards_are_as_small_as_the_knob_says(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, 8U, shared_runq_nr_shards(8, 1));
	KUNIT_EXPECT_EQ(test, 3U, shared_runq_nr_shards(8, 3));
	KUNIT_EXPECT_EQ(test, 1U, shared_runq_nr_shards(8, 8));
	KUNIT_EXPECT_EQ(test, 1U, shared_runq_nr_shards(8, 1000));
}

static void eight_cores_are_two_times_four(struct kunit *test)
{
	for (unsigned int core = 0; core < 8; core++)
		KUNIT_EXPECT_EQ(test, core / 4,
				shared_runq_shard_of_core(core, 8, 2));
}

/* Every shard is used, in order, by at most so many cores, equal but for one. */
static void every_core_has_a_shard(struct kunit *test)
{
	unsigned int cores, per, core, nr, index, last, size, least, most;

	for (cores = 1; cores <= 130; cores++) {
		for (per = 1; per <= 130; per++) {
			nr = shared_runq_nr_shards(cores, per);
			last = 0;
			size = 0;
			least = UINT_MAX;
			most = 0;
			for (core = 0; core < cores; core++) {
				index = shared_runq_shard_of_core(core, cores, nr);
				if (index != last) {
					KUNIT_ASSERT_EQ(test, last + 1, index);
					least = min(least, size);
					most = max(most, size);
					size = 0;
					last = index;
				}
				size++;
			}
			least = min(least, size);
			most = max(most, size);
			KUNIT_ASSERT_EQ(test, nr - 1, last);
			KUNIT_ASSERT_LE(test, most, per);
			KUNIT_ASSERT_LE(test, most - least, 1U);
		}
	}
}

static struct kunit_case shared_runq_cases[] = {
	KUNIT_CASE(a_small_llc_has_one_shard),
	KUNIT_CASE(shards_are_as_small_as_the_knob_says),
	KUNIT_CASE(eight_cores_are_two_times_four),
	KUNIT_CASE(every_core_has_a_shard),
	{}
};

static struct kunit_suite shared_runq_suite = {
	.name = "shared_runq",
	.test_cases = shared_runq_cases,
};

kunit_test_suite(shared_runq_suite);

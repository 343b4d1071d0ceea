// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: KUnit
 * tests of what a sample of the resident set tells.
 */
#include <kunit/test.h>
#include <linux/prandom.h>

#include "../footprint.h"

#define MB		256U		/* in pages of 4 KiB */
#define MOST		2048U

static void strides_are_odd_and_within_bounds(struct kunit *test)
{
	for (unsigned long pages = 0; pages < 1UL << 40; pages += pages / 3 + 1) {
		u32 stride = sched_cache_stride(pages, MOST);

		KUNIT_ASSERT_EQ(test, 1U, stride % 2);
		KUNIT_ASSERT_GE(test, stride, SCHED_CACHE_MIN_STRIDE);
		KUNIT_ASSERT_LE(test, stride, MOST + 1);
	}
}

static void a_sweep_looks_at_so_many_samples(struct kunit *test)
{
	u32 pages = 500 * MB, stride = sched_cache_stride(pages, MOST);

	KUNIT_EXPECT_LE(test, pages / stride, SCHED_CACHE_SAMPLES + 1);
	KUNIT_EXPECT_GE(test, pages / stride, SCHED_CACHE_SAMPLES - 1);
}

static void the_next_sample_is_the_next(struct kunit *test)
{
	for (u32 stride = 9; stride < 600; stride += 97) {
		u32 phase = stride / 3;

		for (unsigned long page = 0; page < 3 * stride; page++) {
			u32 far = sched_cache_next_sample(page, stride, phase);

			KUNIT_ASSERT_LT(test, far, stride);
			KUNIT_ASSERT_EQ(test, phase,
					(u32)((page + far) % stride));
		}
	}
}

/* How many of @hot pages from @at on do @sweeps sweeps look at? */
static u32 hits(u32 at, u32 hot, u32 stride, u32 from, u32 sweeps)
{
	u32 sum = 0;

	for (u32 turn = from; turn < from + sweeps; turn++) {
		u32 phase = sched_cache_phase(turn, stride), page = at;

		page += sched_cache_next_sample(page, stride, phase);
		if (page < at + hot)
			sum += DIV_ROUND_UP(at + hot - page, stride);
	}
	return sum;
}

/* Chance would give 8, and 4 to 12 in five of six cases only. */
static void sweeps_find_a_hot_mb_wherever_it_is(struct kunit *test)
{
	u32 stride = sched_cache_stride(500 * MB, MOST);

	for (u32 at = 0; at < 500 * MB; at += 37) {
		u32 found = hits(at, MB, stride, at % 1000, 16);

		KUNIT_ASSERT_GE(test, found, 6U);
		KUNIT_ASSERT_LE(test, found, 11U);
	}
}

static void every_page_has_its_turn(struct kunit *test)
{
	u32 stride = 101;

	for (u32 page = 0; page < stride; page++)
		KUNIT_ASSERT_GE(test, hits(page, 1, stride, 0, 4 * stride), 1U);
}

static u32 sum_of(u32 looked, u32 used, int sweeps)
{
	struct sched_cache_seen sweep = { .looked = looked, .used = used };
	struct sched_cache_seen sum = {};

	while (sweeps--)
		sched_cache_seen_add(&sum, &sweep);
	return sched_cache_seen_unused(&sum);
}

/* In pages, of @pages. */
static u32 estimate(u32 pages, u32 looked, u32 used, int sweeps)
{
	return sched_cache_used_pages(pages, sum_of(looked, used, sweeps));
}

static void without_a_sample_all_is_used(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, 0U, sum_of(0, 0, 0));
	KUNIT_EXPECT_EQ(test, 0U, sum_of(1, 0, 1));
	KUNIT_EXPECT_EQ(test, 1000UL, sched_cache_used_pages(1000, 0));
	KUNIT_EXPECT_EQ(test, ~0UL, sched_cache_used_pages(~0UL, 0));
}

static void what_is_used_all_is_used_all(struct kunit *test)
{
	for (int sweeps = 1; sweeps < 100; sweeps++)
		KUNIT_ASSERT_EQ(test, 0U, sum_of(256, 256, sweeps));
}

static void no_hit_is_taken_for_one(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, 500 * MB / 256, estimate(500 * MB, 256, 0, 1));
	KUNIT_EXPECT_GE(test, 500 * MB / 4096 + 1, estimate(500 * MB, 256, 0, 16));
}

static void the_standard_deviation_is_added(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, (4 + 2 + 1) * 1024U, estimate(1 << 18, 256, 4, 1));
	KUNIT_EXPECT_EQ(test, (64 + 8 + 1) * 1024U, estimate(1 << 18, 256, 64, 1));
}

static void the_estimate_is_above_and_within_a_factor_of_2(struct kunit *test)
{
	for (u32 used = 1; used <= 256; used++) {
		u32 pages = estimate(65536, 256, used, 16);

		KUNIT_ASSERT_GE(test, pages, used * 256);
		KUNIT_ASSERT_LE(test, pages, used * 256 * 3 / 2);
	}
}

static void sums_stay_within_bounds(struct kunit *test)
{
	struct sched_cache_seen sum = {}, sweep;
	struct rnd_state rnd;

	prandom_seed_state(&rnd, 1);
	for (int i = 0; i < 10000; i++) {
		sweep.looked = prandom_u32_state(&rnd) % (1 << 20);
		sweep.used = prandom_u32_state(&rnd) % (sweep.looked + 1);
		sched_cache_seen_add(&sum, &sweep);
		KUNIT_ASSERT_LE(test, sum.used, sum.looked);
		KUNIT_ASSERT_LE(test, sum.looked,
				(SCHED_CACHE_SEEN_MOST + (1U << 20)) *
				SCHED_CACHE_SEEN_UNIT);
		KUNIT_ASSERT_LT(test, sched_cache_seen_unused(&sum),
				SCHED_CACHE_ALL);
	}
}

/* Counting sweeps from the change on until the estimate is below or above. */
static int sweeps_until(u32 before, u32 after, u32 mb)
{
	struct sched_cache_seen sum = {}, sweep = { .looked = 256, .used = before };
	bool grows = after > before;
	u32 pages;

	for (int i = 0; i < 100; i++)
		sched_cache_seen_add(&sum, &sweep);
	sweep.used = after;
	for (int i = 1; i <= 100; i++) {
		sched_cache_seen_add(&sum, &sweep);
		pages = sched_cache_used_pages(500 * MB,
					       sched_cache_seen_unused(&sum));
		if (grows ? pages > mb * MB : pages < mb * MB)
			return i;
	}
	return 100;
}

static void a_program_that_begins_to_use_all_is_seen(struct kunit *test)
{
	KUNIT_EXPECT_LE(test, sweeps_until(0, 256, 16), 1);
	KUNIT_EXPECT_LE(test, sweeps_until(0, 256, 499), 1);
}

static void a_program_that_uses_all_no_more_is_seen(struct kunit *test)
{
	KUNIT_EXPECT_LE(test, sweeps_until(256, 0, 16), 6);
}

/* 8 hits more than usual are no more than chance. */
static void chance_does_not_make_another_program(struct kunit *test)
{
	struct sched_cache_seen sum = {}, sweep = { .looked = 256 };

	for (int i = 0; i < 8; i++)
		sched_cache_seen_add(&sum, &sweep);
	sweep.used = SCHED_CACHE_SEEN_CHANCE;
	sched_cache_seen_add(&sum, &sweep);
	KUNIT_EXPECT_EQ(test, 9 * 256U * SCHED_CACHE_SEEN_UNIT, sum.looked);
	sweep.used = 5 * SCHED_CACHE_SEEN_CHANCE;
	sched_cache_seen_add(&sum, &sweep);
	KUNIT_EXPECT_EQ(test, 256U * SCHED_CACHE_SEEN_UNIT, sum.looked);
}

static void only_much_more_use_makes_another_program(struct kunit *test)
{
	struct sched_cache_seen sum = { .looked = 4096, .used = 256 };
	struct sched_cache_seen sweep = { .looked = 256, .used = 4 * 16 + 8 };

	KUNIT_EXPECT_FALSE(test, sched_cache_seen_changed(&sum, &sweep));
	sweep.used++;
	KUNIT_EXPECT_TRUE(test, sched_cache_seen_changed(&sum, &sweep));
	sum = (struct sched_cache_seen) {};
	KUNIT_EXPECT_FALSE(test, sched_cache_seen_changed(&sum, &sweep));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(strides_are_odd_and_within_bounds),
	KUNIT_CASE(a_sweep_looks_at_so_many_samples),
	KUNIT_CASE(the_next_sample_is_the_next),
	KUNIT_CASE(sweeps_find_a_hot_mb_wherever_it_is),
	KUNIT_CASE(every_page_has_its_turn),
	KUNIT_CASE(without_a_sample_all_is_used),
	KUNIT_CASE(what_is_used_all_is_used_all),
	KUNIT_CASE(no_hit_is_taken_for_one),
	KUNIT_CASE(the_standard_deviation_is_added),
	KUNIT_CASE(the_estimate_is_above_and_within_a_factor_of_2),
	KUNIT_CASE(sums_stay_within_bounds),
	KUNIT_CASE(a_program_that_begins_to_use_all_is_seen),
	KUNIT_CASE(a_program_that_uses_all_no_more_is_seen),
	KUNIT_CASE(chance_does_not_make_another_program),
	KUNIT_CASE(only_much_more_use_makes_another_program),
	{}
};

static struct kunit_suite sched_cache_footprint_suite = {
	.name = "sched_cache_footprint",
	.test_cases = cases,
};

kunit_test_suite(sched_cache_footprint_suite);

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: KUnit
 * tests of the decisions.
 */
#include <kunit/test.h>

#include "../policy.h"

#define T	SCHED_CACHE_THREAD

static void half_the_capacity_is_every_core_once(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, 4 * T, sched_cache_limit(4, 4, 50));
	KUNIT_EXPECT_EQ(test, 4 * T, sched_cache_limit(8, 4, 50));
	KUNIT_EXPECT_EQ(test, 1 * T, sched_cache_limit(1, 1, 50));
}

static void more_than_half_takes_smt(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, 4 * T, sched_cache_limit(4, 4, 100));
	KUNIT_EXPECT_EQ(test, 8 * T, sched_cache_limit(8, 4, 100));
	KUNIT_EXPECT_EQ(test, 6 * T, sched_cache_limit(8, 4, 75));
}

static void the_limit_grows_with_the_knob(struct kunit *test)
{
	u32 last = 0, limit;

	for (u32 pct = 1; pct <= 100; pct++) {
		limit = sched_cache_limit(32, 16, pct);
		KUNIT_EXPECT_GT(test, limit, last);
		last = limit;
	}
	KUNIT_EXPECT_EQ(test, 0U, sched_cache_limit(0, 0, 100));
	KUNIT_EXPECT_EQ(test, 8192 * T, sched_cache_limit(8192, 8192, 100));
}

static void tolerance_scales_limits(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, 100ULL, sched_cache_tolerate(100, 1));
	KUNIT_EXPECT_EQ(test, 101ULL, sched_cache_tolerate(100, 2));
	KUNIT_EXPECT_EQ(test, 196ULL, sched_cache_tolerate(100, 50));
	KUNIT_EXPECT_EQ(test, 5000ULL, sched_cache_tolerate(100, 99));
	/* A cache of 1 GiB, in bytes. */
	KUNIT_EXPECT_EQ(test, 50ULL << 30, sched_cache_tolerate(1ULL << 30, 99));
}

static void an_llc_holds_what_tolerance_lets_it(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, 0ULL, sched_cache_holds(100, 0, 1000));
	KUNIT_EXPECT_EQ(test, 0ULL, sched_cache_holds(0, 100, 1000));
	KUNIT_EXPECT_EQ(test, 100ULL, sched_cache_holds(100, 1, 1000));
	KUNIT_EXPECT_EQ(test, 196ULL, sched_cache_holds(100, 50, 1000));
	KUNIT_EXPECT_EQ(test, 1000ULL, sched_cache_holds(100, 99, 1000));
	KUNIT_EXPECT_EQ(test, 1000ULL, sched_cache_holds(100, 100, 1000));
	/* A size that the machine does not tell. */
	KUNIT_EXPECT_EQ(test, 0ULL, sched_cache_holds(ULONG_MAX, 0, 1000));
	KUNIT_EXPECT_EQ(test, 1000ULL, sched_cache_holds(ULONG_MAX, 1, 1000));
}

/* Of as many LLCs as there can be, each of which holds as much as it may. */
static void all_llcs_together_do_not_overflow(struct kunit *test)
{
	static const u32 tolerances[] = { 1, 50, 99, 100 };
	u32 limit = sched_cache_limit(8192, 8192, 100), threads;
	unsigned long bytes, sum_of_bytes;
	u32 sum_of_threads;

	for (int i = 0; i < ARRAY_SIZE(tolerances); i++) {
		threads = sched_cache_holds(limit, tolerances[i],
					    SCHED_CACHE_MOST_THREADS);
		bytes = sched_cache_holds(ULONG_MAX, tolerances[i],
					  SCHED_CACHE_MOST_BYTES);
		sum_of_threads = 0;
		sum_of_bytes = 0;
		for (int llc = 0; llc < SCHED_CACHE_MAX_LLCS; llc++) {
			sum_of_threads += threads;
			sum_of_bytes += bytes;
		}
		KUNIT_EXPECT_EQ(test, (u64)threads * SCHED_CACHE_MAX_LLCS,
				sum_of_threads);
		KUNIT_EXPECT_EQ(test, bytes, sum_of_bytes / SCHED_CACHE_MAX_LLCS);
		/* All the threads of a machine of this size, and one more CPU. */
		KUNIT_EXPECT_TRUE(test, sched_cache_fits(limit, sum_of_threads, true));
		KUNIT_EXPECT_TRUE(test, sched_cache_fits(limit, sum_of_threads, false));
	}
}

static void threads_that_always_run_need_a_cpu_each(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, 0U, sched_cache_need(0, 0));
	KUNIT_EXPECT_EQ(test, 4 * T, sched_cache_need(4 * T, 4 * T));
	/* More running than present: the averages are of different ticks. */
	KUNIT_EXPECT_EQ(test, 4 * T, sched_cache_need(4 * T, 3 * T));
	KUNIT_EXPECT_EQ(test, 8192 * T, sched_cache_need(8192 * T, 8192 * T));
}

static void threads_that_sleep_need_more_than_their_average(struct kunit *test)
{
	u32 need;

	/* The example at sched_cache_need(). */
	need = sched_cache_need(9 * T * 2 / 5, 9 * T);
	KUNIT_EXPECT_GT(test, need, 5 * T);
	KUNIT_EXPECT_LT(test, need, 5 * T + T / 5);
	for (u32 present = 1; present <= 64 * T; present += T / 3) {
		for (u32 running = 0; running <= present; running += T / 3) {
			need = sched_cache_need(running, present);
			KUNIT_ASSERT_GE(test, need, running);
			KUNIT_ASSERT_LE(test, need, present);
		}
	}
}

/* Where none needs more than one CPU, the root is not taken. */
static void nearly_busy_threads_need_a_cpu_each(struct kunit *test)
{
	for (u32 nr = 1; nr <= 16; nr++) {
		u32 present = nr * T, running = present - T * nr / (nr + 1);
		u64 variance = (u64)running * (present - running) / present;
		u32 root = int_sqrt(variance * T) + 1;

		KUNIT_EXPECT_EQ(test, present, sched_cache_need(running, present));
		KUNIT_EXPECT_GE(test, running + root, present);
		/* One thread less than that, and it is. */
		if (nr > 1)
			KUNIT_EXPECT_LT(test, sched_cache_need(running - T, present),
					present);
	}
}

/* Homes of @llcs LLCs, the largest of which holds four threads. */
static void homes_that_fewer_llcs_hold_may_shrink(struct kunit *test)
{
	KUNIT_EXPECT_FALSE(test, sched_cache_may_shrink(1, 4 * T, 0, 0));
	KUNIT_EXPECT_FALSE(test, sched_cache_may_shrink(2, 4 * T, 5 * T, 5 * T));
	KUNIT_EXPECT_TRUE(test, sched_cache_may_shrink(2, 4 * T, 4 * T, 9 * T));
	KUNIT_EXPECT_FALSE(test, sched_cache_may_shrink(3, 4 * T, 5 * T, 9 * T));
	KUNIT_EXPECT_TRUE(test, sched_cache_may_shrink(3, 4 * T, 5 * T, 8 * T));
	KUNIT_EXPECT_TRUE(test, sched_cache_may_shrink(3, 4 * T, 8 * T, 5 * T));
}

static void others_leave_what_they_neither_use_nor_claim(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, 4 * T, sched_cache_room(4 * T, 3 * T, 3 * T, 0));
	KUNIT_EXPECT_EQ(test, 3 * T, sched_cache_room(4 * T, 4 * T, 3 * T, 0));
	KUNIT_EXPECT_EQ(test, 2 * T, sched_cache_room(4 * T, 4 * T, 3 * T, 2 * T));
	/* Averages of different moments, and more claimed than there is. */
	KUNIT_EXPECT_EQ(test, 4 * T, sched_cache_room(4 * T, 2 * T, 3 * T, 0));
	KUNIT_EXPECT_EQ(test, 0U, sched_cache_room(4 * T, 0, 0, 5 * T));
}

static void a_group_at_home_may_be_a_little_larger(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, sched_cache_fits(4 * T, 4 * T, false));
	KUNIT_EXPECT_TRUE(test, sched_cache_fits(4 * T + T / 4, 4 * T, false));
	KUNIT_EXPECT_FALSE(test, sched_cache_fits(4 * T + T / 2, 4 * T, false));
	KUNIT_EXPECT_TRUE(test, sched_cache_fits(4 * T + T / 2, 4 * T, true));
	KUNIT_EXPECT_FALSE(test, sched_cache_fits(5 * T, 4 * T, true));
}

/* One of @nr values; a loop over a number goes through all combinations. */
static u32 take(u32 *number, u32 nr)
{
	u32 value = *number % nr;

	*number /= nr;
	return value;
}

/* The table at the top of policy.h, for LLCs of 1 to 4 threads. */
static void tasks_leave_home_as_the_table_says(struct kunit *test)
{
	bool idle, leave, overloaded, emptier;

	for (u32 i = 0; i < 2 * 9 * 5 * 9 * 5 * 101; i++) {
		u32 rest = i, home_busy, home_limit, dst_busy, dst_limit, pct;

		idle = take(&rest, 2);
		home_busy = take(&rest, 9);
		home_limit = take(&rest, 5);
		dst_busy = take(&rest, 9);
		dst_limit = take(&rest, 5);
		pct = rest;

		overloaded = home_limit && home_busy > home_limit;
		emptier = home_limit && dst_limit &&
			  100 * dst_busy / dst_limit + pct <=
			  100 * home_busy / home_limit;
		leave = sched_cache_may_leave(idle, home_busy, home_limit,
					      dst_busy, dst_limit, pct);
		KUNIT_ASSERT_EQ(test, !idle || (overloaded && emptier), leave);
	}
}

static struct sched_cache_candidate candidate(u32 nr)
{
	return (struct sched_cache_candidate) {
		.home = 1 + nr % 2,
		.own = nr / 2 % 3 * T,
		.room = nr / 6 % 3 * T,
		.lack = nr / 18 % 3 * T,
	};
}

static void any_home_is_better_than_none(struct kunit *test)
{
	struct sched_cache_candidate none = {}, c = candidate(0);

	KUNIT_EXPECT_TRUE(test, sched_cache_better(&c, &none));
}

static void room_for_all_comes_first(struct kunit *test)
{
	struct sched_cache_candidate roomy = { .home = 1, .room = 4 * T };
	struct sched_cache_candidate own = {
		.home = 2, .own = 3 * T, .room = 3 * T, .lack = T,
	};

	KUNIT_EXPECT_TRUE(test, sched_cache_better(&roomy, &own));
	KUNIT_EXPECT_FALSE(test, sched_cache_better(&own, &roomy));
}

/* Whatever the order in which they are looked at, one of the best is taken. */
static void better_is_an_order(struct kunit *test)
{
	enum { NR = 2 * 3 * 3 * 3 };

	for (u32 i = 0; i < NR * NR * NR; i++) {
		struct sched_cache_candidate a = candidate(i % NR),
			b = candidate(i / NR % NR), c = candidate(i / NR / NR);
		bool ab = sched_cache_better(&a, &b);

		KUNIT_ASSERT_FALSE(test, ab && sched_cache_better(&b, &a));
		if (ab && sched_cache_better(&b, &c))
			KUNIT_ASSERT_TRUE(test, sched_cache_better(&a, &c));
	}
}

static void equals_do_not_move(struct kunit *test)
{
	struct sched_cache_candidate home = { .home = 1, .own = 2 * T, .room = 4 * T };
	struct sched_cache_candidate best = { .home = 2, .own = 2 * T, .room = 4 * T };

	KUNIT_EXPECT_FALSE(test, sched_cache_should_move(&home, &home, 0));
	KUNIT_EXPECT_FALSE(test, sched_cache_should_move(&home, &best, 0));
	best.own = 4 * T;
	KUNIT_EXPECT_FALSE(test, sched_cache_should_move(&home, &best, 0));
	best.own = 5 * T;
	KUNIT_EXPECT_TRUE(test, sched_cache_should_move(&home, &best, 0));
}

static void lack_moves_only_to_where_is_none(struct kunit *test)
{
	struct sched_cache_candidate home = { .home = 1, .own = 2 * T, .lack = 2 * T };
	struct sched_cache_candidate best = { .home = 2, .room = 4 * T };

	KUNIT_EXPECT_TRUE(test, sched_cache_should_move(&home, &best, 1));
	best.lack = 1;
	KUNIT_EXPECT_FALSE(test, sched_cache_should_move(&home, &best, 100));
	best.lack = 0;
	home.lack = T / 2;
	KUNIT_EXPECT_FALSE(test, sched_cache_should_move(&home, &best, 100));
}

/* All data would have to move as well. */
static void lack_of_one_place_may_pass(struct kunit *test)
{
	struct sched_cache_candidate home = { .home = 1, .own = 3 * T, .lack = T };
	struct sched_cache_candidate best = { .home = 2, .room = 4 * T };

	KUNIT_EXPECT_FALSE(test, sched_cache_should_move(&home, &best, 1));
	KUNIT_EXPECT_FALSE(test, sched_cache_should_move(&home, &best, 4));
	KUNIT_EXPECT_TRUE(test, sched_cache_should_move(&home, &best, 5));
}

/* Two homes do not each look better from the other. */
static void no_group_moves_to_and_fro(struct kunit *test)
{
	enum { NR = 2 * 3 * 3 * 3 };

	for (u32 i = 0; i < NR * NR; i++) {
		struct sched_cache_candidate a = candidate(i % NR),
			b = candidate(i / NR);

		bool there = sched_cache_should_move(&a, &b, 5);
		bool back = sched_cache_should_move(&b, &a, 5);

		KUNIT_ASSERT_FALSE(test, there && back);
	}
}

static void no_home_shrinks_to_where_is_no_room(struct kunit *test)
{
	struct sched_cache_candidate smaller = { .home = 1, .lack = T };

	for (unsigned int scans = 0; scans < 100; scans++)
		KUNIT_EXPECT_FALSE(test, sched_cache_should_shrink(&smaller, T,
								   8 * T, scans));
}

static void a_home_shrinks_at_once_or_after_some_scans(struct kunit *test)
{
	struct sched_cache_candidate smaller = { .home = 1, .lack = T / 2 };

	/* Half a thread is spared. */
	KUNIT_EXPECT_TRUE(test, sched_cache_should_shrink(&smaller, 3 * T + T / 2,
							  4 * T, 0));
	/* Less is. */
	KUNIT_EXPECT_FALSE(test, sched_cache_should_shrink(&smaller, 4 * T, 4 * T, 4));
	KUNIT_EXPECT_TRUE(test, sched_cache_should_shrink(&smaller, 4 * T, 4 * T, 5));
}

static void who_waits_for_the_answer_counts_more(struct kunit *test)
{
	u32 plain = sched_cache_wakeup_weight(false);

	KUNIT_EXPECT_LT(test, 0, plain);
	KUNIT_EXPECT_EQ(test, 2 * plain, sched_cache_wakeup_weight(true));
}

static void partners_wake_up_from_one_llc(struct kunit *test)
{
	KUNIT_EXPECT_FALSE(test, sched_cache_is_partner(0, 0));
	KUNIT_EXPECT_FALSE(test, sched_cache_is_partner(7, 7));
	KUNIT_EXPECT_TRUE(test, sched_cache_is_partner(8, 8));
	KUNIT_EXPECT_TRUE(test, sched_cache_is_partner(75, 100));
	KUNIT_EXPECT_FALSE(test, sched_cache_is_partner(74, 100));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(half_the_capacity_is_every_core_once),
	KUNIT_CASE(more_than_half_takes_smt),
	KUNIT_CASE(the_limit_grows_with_the_knob),
	KUNIT_CASE(tolerance_scales_limits),
	KUNIT_CASE(an_llc_holds_what_tolerance_lets_it),
	KUNIT_CASE(all_llcs_together_do_not_overflow),
	KUNIT_CASE(threads_that_always_run_need_a_cpu_each),
	KUNIT_CASE(threads_that_sleep_need_more_than_their_average),
	KUNIT_CASE(nearly_busy_threads_need_a_cpu_each),
	KUNIT_CASE(homes_that_fewer_llcs_hold_may_shrink),
	KUNIT_CASE(others_leave_what_they_neither_use_nor_claim),
	KUNIT_CASE(a_group_at_home_may_be_a_little_larger),
	KUNIT_CASE(tasks_leave_home_as_the_table_says),
	KUNIT_CASE(any_home_is_better_than_none),
	KUNIT_CASE(room_for_all_comes_first),
	KUNIT_CASE(better_is_an_order),
	KUNIT_CASE(equals_do_not_move),
	KUNIT_CASE(lack_moves_only_to_where_is_none),
	KUNIT_CASE(lack_of_one_place_may_pass),
	KUNIT_CASE(no_group_moves_to_and_fro),
	KUNIT_CASE(no_home_shrinks_to_where_is_no_room),
	KUNIT_CASE(a_home_shrinks_at_once_or_after_some_scans),
	KUNIT_CASE(who_waits_for_the_answer_counts_more),
	KUNIT_CASE(partners_wake_up_from_one_llc),
	{}
};

static struct kunit_suite sched_cache_policy_suite = {
	.name = "sched_cache_policy",
	.test_cases = cases,
};

kunit_test_suite(sched_cache_policy_suite);

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: KUnit
 * tests of decayed run time in one word.
 */
#include <kunit/test.h>
#include <linux/jiffies.h>
#include <linux/prandom.h>

#include "../occupancy.h"

/* Jiffies far from 0, so that stamps may lie before and after. */
#define NOW	1000000U
#define P	10U

static u32 run_us(u64 word)
{
	return word;
}

/* The word, after @threads ran for @us. */
static u64 add_threads(u64 word, u32 time, u32 period, u64 us, u32 threads)
{
	struct sched_cache_now now = sched_cache_moment(time, period);

	return sched_cache_occupancy_add(word, &now, us, threads);
}

static u64 add(u64 word, u32 time, u64 us)
{
	return add_threads(word, time, P, us, SCHED_CACHE_THREAD);
}

static u32 threads_of(u64 word, u32 time, u32 period)
{
	struct sched_cache_now now = sched_cache_moment(time, period);

	return sched_cache_occupancy_threads(word, &now);
}

/* A word with @us of run time whose epoch begins at NOW. */
static u64 word_of(u32 us)
{
	return (u64)NOW << 32 | us;
}

static void run_time_halves_at_the_end_of_each_epoch(struct kunit *test)
{
	static const u32 epochs[] = { 0, 1, 2, 19, 31, 32, 33, 63, 64, 65, 1000 };
	u64 word = word_of(1 << 20);

	for (int i = 0; i < ARRAY_SIZE(epochs); i++) {
		u32 n = epochs[i], want = n < 32 ? (1 << 20) >> n : 0;

		KUNIT_EXPECT_EQ(test, want, run_us(add(word, NOW + n * P, 0)));
		KUNIT_EXPECT_EQ(test, want,
				run_us(add(word, NOW + n * P + P - 1, 0)));
	}
}

static void epochs_that_are_caught_up_are_not_lost(struct kunit *test)
{
	u64 at_once = add(word_of(1 << 20), NOW + 7 * P + 3, 0);
	u64 step_by_step = word_of(1 << 20);

	for (u32 now = NOW; now <= NOW + 7 * P + 3; now++)
		step_by_step = add(step_by_step, now, 0);
	KUNIT_EXPECT_EQ(test, at_once, step_by_step);
}

/* Another CPU has seen a later jiffy. */
static void time_that_goes_back_changes_nothing(struct kunit *test)
{
	u64 word = word_of(4096);

	KUNIT_EXPECT_EQ(test, word, add(word, NOW - 1, 0));
	KUNIT_EXPECT_EQ(test, word, add(word, NOW - P, 0));
	KUNIT_EXPECT_EQ(test, word, add(word, NOW - 30 * HZ, 0));
}

static void a_wrap_of_jiffies_is_no_event(struct kunit *test)
{
	u64 word = (u64)(u32)-4 << 32 | 1 << 20;

	KUNIT_EXPECT_EQ(test, 1U << 20, run_us(add(word, 5, 0)));
	KUNIT_EXPECT_EQ(test, 1U << 19, run_us(add(word, 6, 0)));
}

static void an_empty_word_takes_the_epoch_of_now(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, (u64)NOW << 32 | 77, add(0, NOW, 77));
	KUNIT_EXPECT_EQ(test, (u64)NOW << 32 | 77, add(0, NOW + P - 1, 77));
}

static void a_busy_thread_is_one_thread(struct kunit *test)
{
	for (u32 period = 1; period <= 100; period++) {
		u64 word = 0;
		u32 now, threads;

		for (now = NOW; now < NOW + 12 * period; now++)
			word = add_threads(word, now, period, TICK_USEC,
					   SCHED_CACHE_THREAD);
		threads = threads_of(word, now - 1, period);
		KUNIT_EXPECT_LE(test, threads, SCHED_CACHE_THREAD);
		KUNIT_EXPECT_GE(test, threads, SCHED_CACHE_THREAD * 98 / 100);
	}
}

/*
 * The reader's jiffy is the last of an epoch, the word was caught up with the
 * next one: half of it is gone, but not half of the thread.
 */
static void a_reader_that_is_late_sees_a_whole_thread(struct kunit *test)
{
	u64 word = 0;

	for (u32 now = NOW; now <= NOW + 12 * P; now++)
		word = add(word, now, TICK_USEC);
	KUNIT_EXPECT_LE(test, threads_of(word, NOW + 12 * P - 1, P),
			SCHED_CACHE_THREAD);
	KUNIT_EXPECT_GE(test, threads_of(word, NOW + 12 * P - 1, P),
			SCHED_CACHE_THREAD * 98 / 100);
}

/* After another period was set, words are one epoch too old at most. */
static void all_words_get_the_same_epochs(struct kunit *test)
{
	u64 word = word_of(1 << 20) + (3ULL << 32);

	word = add(word, NOW + P + 3, 0);
	KUNIT_EXPECT_EQ(test, NOW + P, (u32)(word >> 32));
	KUNIT_EXPECT_EQ(test, 1U << 19, run_us(word));
}

static void no_time_is_no_thread(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, 0U, threads_of(0, NOW, P));
	KUNIT_EXPECT_EQ(test, 0U, threads_of(word_of(U32_MAX), NOW + 32 * P, P));
}

static void a_full_word_stays_full(struct kunit *test)
{
	u64 word = word_of(U32_MAX);

	word = add_threads(word, NOW, P, 1 << 30, U32_MAX);
	KUNIT_EXPECT_EQ(test, word_of(U32_MAX), word);
}

/* Ticks come late where a hypervisor has more to run than CPUs. */
static void a_late_tick_adds_no_more_than_the_window(struct kunit *test)
{
	u32 most = (P + 1) * TICK_USEC;

	KUNIT_EXPECT_EQ(test, most, run_us(add(0, NOW, 1000 * most)));
	KUNIT_EXPECT_EQ(test, 2 * most,
			run_us(add_threads(0, NOW, P, 1000 * most,
					   2 * SCHED_CACHE_THREAD)));
}

/* At the moment of a late tick a thread that always runs is what it is in time. */
static void late_ticks_tell_what_ticks_in_time_do(struct kunit *test)
{
	for (u32 late = 1; late <= 4 * P; late++) {
		u64 in_time = 0, lumps = 0;

		for (u32 t = 0; t < 12 * P; t++) {
			struct sched_cache_now now = sched_cache_moment(NOW + t, P);

			in_time = add(in_time, NOW + t, TICK_USEC);
			if ((t + 1) % late)
				continue;
			lumps = add(lumps, NOW + t,
				    sched_cache_occupancy_aged((u64)late * TICK_USEC, &now));
			KUNIT_ASSERT_LE(test, run_us(lumps), run_us(in_time) + 32);
			KUNIT_ASSERT_GE(test, run_us(lumps) + 32, run_us(in_time));
		}
	}
}

static void slots_never_hold_more_than_was_run(struct kunit *test)
{
	struct rnd_state rnd;

	prandom_seed_state(&rnd, 1);
	for (int round = 0; round < 200; round++) {
		u32 period = 1 + prandom_u32_state(&rnd) % 100, now = NOW;
		u64 word = 0, sum = 0;

		for (int i = 0; i < 100; i++) {
			u32 us = prandom_u32_state(&rnd) % 20000;

			now += prandom_u32_state(&rnd) % (2 * period);
			word = add_threads(word, now, period, us,
					   SCHED_CACHE_THREAD);
			sum += us;
			KUNIT_ASSERT_LE(test, (u64)run_us(word), sum);
			/* The stamp is never ahead, and not an epoch behind. */
			KUNIT_ASSERT_LT(test, now - (u32)(word >> 32), period);
		}
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(run_time_halves_at_the_end_of_each_epoch),
	KUNIT_CASE(epochs_that_are_caught_up_are_not_lost),
	KUNIT_CASE(time_that_goes_back_changes_nothing),
	KUNIT_CASE(a_wrap_of_jiffies_is_no_event),
	KUNIT_CASE(an_empty_word_takes_the_epoch_of_now),
	KUNIT_CASE(a_busy_thread_is_one_thread),
	KUNIT_CASE(a_reader_that_is_late_sees_a_whole_thread),
	KUNIT_CASE(all_words_get_the_same_epochs),
	KUNIT_CASE(no_time_is_no_thread),
	KUNIT_CASE(a_full_word_stays_full),
	KUNIT_CASE(a_late_tick_adds_no_more_than_the_window),
	KUNIT_CASE(late_ticks_tell_what_ticks_in_time_do),
	KUNIT_CASE(slots_never_hold_more_than_was_run),
	{}
};

static struct kunit_suite sched_cache_occupancy_suite = {
	.name = "sched_cache_occupancy",
	.test_cases = cases,
};

kunit_test_suite(sched_cache_occupancy_suite);

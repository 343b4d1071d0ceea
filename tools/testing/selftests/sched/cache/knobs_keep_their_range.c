// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: every
 * knob takes its bounds, refuses the rest with EINVAL and keeps its old value.
 */
#include "cache_test.h"

static const char * const not_a_number[] = {
	"", "\n", " ", "abc", "5x", "x5", "1.5", "1 2", "-", "NaN",
};

static const char * const out_of_any_range[] = {
	"-1", "-2147483648", "1001", "2147483648", "4294967296", "4294967297",
	"18446744073709551616", "18446744073709551617",
	"99999999999999999999999999999999999999999999999999999999999999999999",
};

static bool knob_is(const char *name, const char *expected)
{
	char text[KNOB_TEXT];

	return !knob_read(name, text, sizeof(text)) && !strcmp(text, expected);
}

static bool takes(const char *name, int value)
{
	char text[KNOB_TEXT];

	snprintf(text, sizeof(text), "%d", value);
	return !knob_write(name, text) && knob_is(name, text);
}

static bool refuses(const char *name, const char *text)
{
	char before[KNOB_TEXT];
	int err;

	knob_read(name, before, sizeof(before));
	err = knob_write(name, text);
	if (err == -EINVAL && knob_is(name, before))
		return true;
	printf("# %s: \"%s\" gave %d, value before %s\n", name, text, err,
	       before);
	return false;
}

TEST_F(cache, bounds_are_taken)
{
	const struct knob *knob;

	for (knob = knobs; knob < knobs + knobs_there(); knob++) {
		EXPECT_TRUE(takes(knob->name, knob->max)) {
			TH_LOG("%s: %d", knob->name, knob->max);
		}
		EXPECT_TRUE(takes(knob->name, knob->min)) {
			TH_LOG("%s: %d", knob->name, knob->min);
		}
	}
}

TEST_F(cache, out_of_range_is_refused)
{
	const struct knob *knob;
	char text[KNOB_TEXT];
	size_t i;

	for (knob = knobs; knob < knobs + knobs_there(); knob++) {
		snprintf(text, sizeof(text), "%d", knob->max + 1);
		EXPECT_TRUE(refuses(knob->name, text));
		snprintf(text, sizeof(text), "%d", knob->min - 1);
		EXPECT_TRUE(refuses(knob->name, text));
		for (i = 0; i < ARRAY_SIZE(out_of_any_range); i++)
			EXPECT_TRUE(refuses(knob->name, out_of_any_range[i]));
	}
}

TEST_F(cache, not_a_number_is_refused)
{
	const struct knob *knob;
	size_t i;

	for (knob = knobs; knob < knobs + knobs_there(); knob++) {
		for (i = 0; i < ARRAY_SIZE(not_a_number); i++)
			EXPECT_TRUE(refuses(knob->name, not_a_number[i]));
	}
}

TEST_F(cache, status_is_read_only)
{
	EXPECT_GT(0, knob_write("llc_status", "1"));
}

TEST_F(cache, feature_toggles)
{
	EXPECT_TRUE(feature_read());
	EXPECT_TRUE(status_active());
	EXPECT_EQ(0, feature_write(false));
	EXPECT_FALSE(feature_read());
	EXPECT_FALSE(status_active());
	EXPECT_EQ(0, feature_write(true));
	EXPECT_TRUE(feature_read());
	EXPECT_TRUE(status_active());
}

TEST_F(cache, enabled_toggles)
{
	EXPECT_EQ(0, knob_write("llc_enabled", "0"));
	EXPECT_FALSE(status_active());
	EXPECT_EQ(0, knob_write("llc_enabled", "1"));
	EXPECT_TRUE(status_active());
}

TEST_HARNESS_MAIN

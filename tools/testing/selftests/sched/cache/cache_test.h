/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: what
 * every test starts from (the feature on, two LLCs) and must leave behind (the
 * knobs and the groups of before, no complaint in the kernel log, no violation
 * that a kernel with CONFIG_SCHED_CACHE_DEBUG has counted).
 */
#ifndef _SELFTESTS_SCHED_CACHE_CACHE_TEST_H
#define _SELFTESTS_SCHED_CACHE_CACHE_TEST_H

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "../../kselftest_harness.h"
#include "control.h"
#include "placement.h"

enum {
	GATHER_MS = 200,	/* by then threads that share have gathered */
	WATCH_MS = 1000,
	GATHERED_PCT = 95,	/* share of the modal LLC from then on */
	RELEASE_MS = 2000,	/* grace period after a process has ended */
};

FIXTURE(cache)
{
	struct knob_values knobs;
	long groups;
	long violations;
	long long log;
};

FIXTURE_SETUP(cache)
{
	const char *absent = cache_absent();

	if (absent)
		SKIP(return, "%s", absent);
	self->log = log_last();
	self->groups = status_number("groups");
	self->violations = status_number("violations");
	knobs_save(&self->knobs);
	ASSERT_EQ(0, feature_write(true));
	ASSERT_EQ(0, knob_write("llc_enabled", "1"));
}

/* In the parent: by now the crews of a test that failed half way are dead. */
FIXTURE_TEARDOWN_PARENT(cache)
{
	char line[1024];

	knobs_restore(&self->knobs);
	EXPECT_TRUE(groups_become(self->groups, RELEASE_MS));
	EXPECT_EQ(self->violations, status_number("violations"));
	EXPECT_FALSE(log_complains(self->log, line, sizeof(line))) {
		TH_LOG("kernel log: %s", line);
	}
}

static inline void expect_gathered(struct __test_metadata *_metadata,
				   const struct watch *watch)
{
	EXPECT_LE(GATHERED_PCT, watch->share) {
		watch_print(watch);
	}
}

/* What a crew does once it has had the time to gather. */
static inline void watch_settled(const struct crew *crew, struct watch *watch)
{
	sleep_ms(GATHER_MS);
	crew_watch(crew, WATCH_MS, watch);
}

/* Whatever was done to a crew, soon it is on one LLC, and stays there. */
static inline void expect_to_gather(struct __test_metadata *_metadata,
				    const struct crew *crew)
{
	struct watch watch;

	watch_settled(crew, &watch);
	expect_gathered(_metadata, &watch);
}

/* Each thread knows by now that it is to be left alone, and is in no group. */
static inline void expect_off(struct __test_metadata *_metadata,
			      const struct crew *crew)
{
	int i;

	sleep_ms(GATHER_MS);
	for (i = 0; i < crew->plan.nr; i++) {
		EXPECT_STREQ("off", thread_told(crew->worker[i].tid, "llc_state"));
		EXPECT_STREQ("", thread_told(crew->worker[i].tid, "llc_home"));
	}
}

/* A thread that shares its CPU may wait for long, but not for ever. */
static inline void expect_none_lost(struct __test_metadata *_metadata,
				    const struct crew *crew)
{
	struct watch watch;

	EXPECT_TRUE(crew_settle(crew)) {
		crew_watch(crew, GATHER_MS, &watch);
		watch_print(&watch);
	}
}

static inline void expect_inside(struct __test_metadata *_metadata,
				 const struct watch *watch, int worker, int llc)
{
	EXPECT_EQ(0, watch_outside(watch, worker, llc)) {
		watch_print(watch);
	}
}

#endif /* _SELFTESTS_SCHED_CACHE_CACHE_TEST_H */

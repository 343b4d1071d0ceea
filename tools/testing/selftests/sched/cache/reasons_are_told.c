// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: what it
 * does with a thread, and why, is in /proc/PID/sched and in trace events.
 */
#include <linux/sched.h>
#include <stdlib.h>
#include <string.h>

#include "cache_test.h"

#define TRACEFS "/sys/kernel/tracing/"

static long told_moves(pid_t tid)
{
	return atol(thread_told(tid, "llc_moves_fork")) +
	       atol(thread_told(tid, "llc_moves_wake")) +
	       atol(thread_told(tid, "llc_moves_push"));
}

/* Does the trace have a line with all of these in it? A NULL ends them. */
static bool traced(const char * const *words)
{
	FILE *file = fopen(TRACEFS "trace", "r");
	const char * const *word = words;
	char line[1024];

	while (file && *word && fgets(line, sizeof(line), file)) {
		for (word = words; *word && strstr(line, *word); word++)
			;
	}
	if (file)
		fclose(file);
	return !*word;
}

static int trace(bool on)
{
	return file_write(TRACEFS "events/sched_cache/enable", on ? "1" : "0", 1);
}

TEST_F(cache, thread_at_home_says_so)
{
	struct crew *crew = crew_start(&(struct crew_plan){ .nr = 3 });
	struct watch watch;
	char home[8];
	int i;

	ASSERT_NE(NULL, crew);
	watch_settled(crew, &watch);
	snprintf(home, sizeof(home), "%d", watch.modal);
	for (i = 0; i < 3; i++) {
		EXPECT_STREQ("home", thread_told(crew->worker[i].tid, "llc_state"));
		EXPECT_STREQ(home, thread_told(crew->worker[i].tid, "llc_home"));
	}
	EXPECT_LE(GATHERED_PCT, atoi(thread_told(crew->pid, "llc_home_pct")));
	EXPECT_EQ(0, crew_stop(crew));
}

TEST_F(cache, thread_kept_away_says_so)
{
	struct crew *crew = crew_start(&(struct crew_plan){ .nr = 3 });
	struct watch watch;
	pid_t tid;

	ASSERT_NE(NULL, crew);
	watch_settled(crew, &watch);
	tid = crew->worker[2].tid;
	ASSERT_EQ(0, crew_pin(crew, 2, llc_cpus((watch.modal + 1) % llc_count())));
	ASSERT_TRUE(crew_settle(crew));
	EXPECT_STREQ("away", thread_told(tid, "llc_state"));
	ASSERT_EQ(0, crew_pin(crew, 2, llc_all_cpus()));
	watch_settled(crew, &watch);
	EXPECT_STREQ("home", thread_told(tid, "llc_state"));
	EXPECT_LT(0, told_moves(tid));
	EXPECT_EQ(0, crew_stop(crew));
}

TEST_F(cache, group_without_home_says_why)
{
	struct crew *crew = crew_start(&(struct crew_plan){ .nr = 3 });
	struct watch watch;

	ASSERT_NE(NULL, crew);
	ASSERT_EQ(0, knob_write("llc_aggr_tolerance", "0"));
	watch_settled(crew, &watch);
	EXPECT_STREQ("homeless", thread_told(crew->pid, "llc_state"));
	EXPECT_STREQ("none", thread_told(crew->pid, "llc_home"));
	EXPECT_STREQ("threads", thread_told(crew->pid, "llc_reason"));
	EXPECT_EQ(0, crew_stop(crew));
}

TEST_F(cache, single_and_exempt_threads_say_so)
{
	const struct sched_param param = { 0 };
	struct crew *crew = crew_start(&(struct crew_plan){ .nr = 3 });

	ASSERT_NE(NULL, crew);
	EXPECT_STREQ("single", thread_told(getpid(), "llc_state"));
	ASSERT_EQ(0, sched_setscheduler(crew->worker[1].tid, SCHED_IDLE, &param));
	EXPECT_STREQ("exempt", thread_told(crew->worker[1].tid, "llc_state"));
	EXPECT_EQ(0, crew_stop(crew));
}

TEST_F(cache, trace_tells_a_group_from_its_first_home_to_its_end)
{
	char group[32];
	const char * const attach[] = { "sched_cache_attach:", group, NULL };
	const char * const home[] = { "sched_cache_home:", group, "was=0x0 ",
				      "change=chosen", NULL };
	const char * const release[] = { "sched_cache_release:", group, NULL };
	struct watch watch;
	struct crew *crew;

	if (access(TRACEFS "events/sched_cache/enable", W_OK))
		SKIP(return, "no " TRACEFS "events/sched_cache");
	ASSERT_EQ(0, trace(true));
	crew = crew_start(&(struct crew_plan){ .nr = 3 });
	ASSERT_NE(NULL, crew);
	watch_settled(crew, &watch);
	snprintf(group, sizeof(group), "group=%d ", crew->pid);
	EXPECT_EQ(0, crew_stop(crew));
	EXPECT_TRUE(groups_become(self->groups, RELEASE_MS));
	ASSERT_EQ(0, trace(false));
	EXPECT_TRUE(traced(attach));
	EXPECT_TRUE(traced(home));
	EXPECT_TRUE(traced(release));
}

TEST_HARNESS_MAIN

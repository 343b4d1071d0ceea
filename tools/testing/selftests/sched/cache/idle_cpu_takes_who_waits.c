// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shared run queues, see Documentation/scheduler/sched-shared-runq.rst: a CPU
 * that becomes idle takes a task that waits beside it, and only one that it may
 * run, while the feature goes on and off and shards change.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "../../kselftest_harness.h"
#include "cache_test.h"

#define SHARD_CORES "shared_runq_shard_cores"

enum {
	RUN_MS = 500,
	BURST_US = 300,
	NAP_US = 150,
	CROWD = 4,
	TOGGLES = 200,
	/* Of a hundred wakeups, some are those of other programs. */
	OTHERS = 10,
};

FIXTURE(runq)
{
	char shard_cores[KNOB_TEXT];
	bool on;
	long long log;
	cpu_set_t cpus;		/* of one LLC, with a domain */
	int nr_cpus;
};

FIXTURE_SETUP(runq)
{
	const char *absent = cache_absent();
	cpu_set_t isolated;

	if (absent)
		SKIP(return, "%s", absent);
	if (knobs_there() < KNOBS)
		SKIP(return, "the kernel has no CONFIG_SCHED_SHARED_RUNQ");
	self->cpus = *llc_cpus(0);
	if (cpus_isolated(&isolated)) {
		CPU_AND(&isolated, &isolated, &self->cpus);
		CPU_XOR(&self->cpus, &self->cpus, &isolated);
	}
	self->nr_cpus = CPU_COUNT(&self->cpus);
	if (self->nr_cpus < 2)
		SKIP(return, "the LLC of CPU 0 has one CPU");
	self->log = log_last();
	self->on = runq_read();
	ASSERT_EQ(0, knob_read(SHARD_CORES, self->shard_cores, KNOB_TEXT));
	ASSERT_EQ(0, knob_write(SHARD_CORES, "0"));
	ASSERT_EQ(0, runq_write(true));
}

FIXTURE_TEARDOWN_PARENT(runq)
{
	char line[1024];

	knob_write(SHARD_CORES, self->shard_cores);
	runq_write(self->on);
	EXPECT_GE(0, runq_number("violations"));
	EXPECT_FALSE(log_complains(self->log, line, sizeof(line))) {
		TH_LOG("kernel log: %s", line);
	}
}

/* Bursts and naps in @cpus. Returns how often it woke up, -1 if elsewhere. */
static int bursts_inside(const cpu_set_t *cpus)
{
	__u64 end = clock_ns(CLOCK_MONOTONIC) + RUN_MS * 1000000ULL;
	int wakeups = 0;

	if (sched_setaffinity(0, sizeof(*cpus), cpus))
		return -1;
	while (clock_ns(CLOCK_MONOTONIC) < end) {
		usleep(NAP_US);
		if (!CPU_ISSET(sched_getcpu(), cpus))
			return -1;
		be_busy_us(BURST_US);
		if (!CPU_ISSET(sched_getcpu(), cpus))
			return -1;
		wakeups++;
	}
	return wakeups;
}

static pid_t start_bursts(const cpu_set_t *cpus)
{
	pid_t pid = fork();

	if (!pid)
		_exit(bursts_inside(cpus) <= 0);
	return pid;
}

/* @nr processes with bursts in @cpus: all were where they may be. */
static bool run_bursts(int nr, const cpu_set_t *cpus)
{
	bool well = true;
	int status, i;

	for (i = 0; i < nr; i++)
		well &= start_bursts(cpus) > 0;
	while (wait(&status) > 0)
		well &= !status;
	return well;
}

TEST_F(runq, who_waits_is_offered_and_taken)
{
	long offered = runq_number("offered"), taken = runq_number("taken");

	EXPECT_TRUE(run_bursts(self->nr_cpus + 2, &self->cpus));
	EXPECT_LT(offered, runq_number("offered"));
	EXPECT_LT(taken, runq_number("taken"));
}

TEST_F(runq, who_waits_is_left_alone_when_it_is_off)
{
	long offered, taken;

	ASSERT_EQ(0, runq_write(false));
	offered = runq_number("offered");
	taken = runq_number("taken");
	EXPECT_TRUE(run_bursts(self->nr_cpus + 2, &self->cpus));
	EXPECT_EQ(offered, runq_number("offered"));
	EXPECT_EQ(taken, runq_number("taken"));
}

/* What may run on one CPU only has nothing to hope for from others. */
TEST_F(runq, who_may_run_on_one_cpu_is_not_offered)
{
	long before = runq_number("offered");
	cpu_set_t one;
	int cpu = 0;

	while (!CPU_ISSET(cpu, &self->cpus))
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	EXPECT_TRUE(run_bursts(3, &one));
	EXPECT_GT(before + OTHERS, runq_number("offered"));
}

/* One CPU of the LLC and all of another: no CPU of the LLC is to be hoped for. */
TEST_F(runq, who_has_no_choice_in_the_llc_is_not_offered)
{
	long offered = runq_number("offered");
	cpu_set_t few = *llc_cpus(1);
	int cpu;

	for (cpu = 0; CPU_COUNT(&few) > 1; cpu++)
		CPU_CLR(cpu, &few);
	for (cpu = 0; !CPU_ISSET(cpu, &self->cpus); cpu++)
		;
	CPU_SET(cpu, &few);
	EXPECT_TRUE(run_bursts(5, &few));
	EXPECT_GT(offered + OTHERS, runq_number("offered"));
}

TEST_F(runq, nobody_leaves_its_affinity)
{
	cpu_set_t half = self->cpus;
	long taken = runq_number("taken");
	pid_t pid;
	int cpu, status = 1;

	for (cpu = 0; CPU_COUNT(&half) > self->nr_cpus / 2; cpu++)
		CPU_CLR(cpu, &half);
	/* Others that make the CPUs of the rest idle all the time. */
	pid = fork();
	if (!pid)
		_exit(!run_bursts(self->nr_cpus, &self->cpus));
	ASSERT_LT(0, pid);
	EXPECT_TRUE(run_bursts(CPU_COUNT(&half) + 1, &half));
	/* run_bursts() has waited for that child, too. */
	EXPECT_EQ(-1, waitpid(pid, &status, 0));
	EXPECT_LT(taken, runq_number("taken"));
}

static int nr_shards(void)
{
	char text[16384], *line, *rest = text;
	int nr = 0;

	file_read(SCHED_DEBUGFS "shared_runq_status", text, sizeof(text));
	while ((line = strsep(&rest, "\n")))
		nr += !strncmp(line, "shard ", 6) && !strstr(line, "cpus  ");
	return nr;
}

TEST_F(runq, one_core_a_shard_makes_more_shards_than_all_in_one)
{
	int few, many;

	ASSERT_EQ(0, knob_write(SHARD_CORES, "1000"));
	few = nr_shards();
	ASSERT_EQ(0, knob_write(SHARD_CORES, "1"));
	many = nr_shards();
	EXPECT_EQ(llc_count(), few);
	EXPECT_LT(few, many);
}

/*
 * So many wait at any time that some are in a shard whenever it goes off, and
 * whenever shards change, which they do twice while it is on.
 */
TEST_F(runq, no_task_is_lost_when_it_goes_on_and_off)
{
	int i;
	pid_t pid = fork();

	if (!pid)
		_exit(!run_bursts(self->nr_cpus * CROWD, &self->cpus));
	ASSERT_LT(0, pid);
	for (i = 0; i < TOGGLES; i++) {
		ASSERT_EQ(0, runq_write(i % 2));
		ASSERT_EQ(0, knob_write(SHARD_CORES, (i + 1) % 4 < 2 ? "1" : "0"));
	}
	ASSERT_EQ(pid, waitpid(pid, &i, 0));
	EXPECT_EQ(0, i);
}

TEST_HARNESS_MAIN

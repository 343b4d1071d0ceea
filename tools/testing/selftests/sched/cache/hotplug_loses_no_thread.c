// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: CPUs of
 * the home go away and come back under load, and every thread goes on. CPUs that
 * are away count for nothing.
 */
#include <sys/wait.h>

#include "cache_test.h"
#include "cgroup.h"
#include "storm.h"

enum { READS = 2000 };

static bool can_go_offline(int llc)
{
	char path[128];
	int cpu;

	for (cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		snprintf(path, sizeof(path),
			 "/sys/devices/system/cpu/cpu%d/online", cpu);
		if (CPU_ISSET(cpu, llc_cpus(llc)) && access(path, W_OK))
			return false;
	}
	return true;
}

/* The last LLC all CPUs of which can go offline (the boot CPU cannot). */
static int find_llc(void)
{
	int llc = llc_count() - 1;

	while (llc >= 0 && !can_go_offline(llc))
		llc--;
	return llc;
}

static int set_online(int llc, bool on)
{
	int cpu, err = 0;

	for (cpu = 0; cpu < CPU_SETSIZE && !err; cpu++) {
		if (CPU_ISSET(cpu, llc_cpus(llc)))
			err = cpu_online(cpu, on);
	}
	return err;
}

/*
 * On 6.12 the fair server counts as one more task, and a CPU that goes away
 * while it is active complains that it was not vacated. Runtime 0 stops it.
 * 6.12 also complains of a server that is stopped twice: run on its CPU, so
 * that it is active.
 */
static void set_fair_server(int llc, const char *runtime)
{
	char path[128];
	cpu_set_t before, own;
	int cpu;

	sched_getaffinity(0, sizeof(before), &before);
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, llc_cpus(llc)))
			continue;
		CPU_ZERO(&own);
		CPU_SET(cpu, &own);
		sched_setaffinity(0, sizeof(own), &own);
		snprintf(path, sizeof(path),
			 SCHED_DEBUGFS "fair_server/cpu%d/runtime", cpu);
		file_write(path, runtime, strlen(runtime));
	}
	sched_setaffinity(0, sizeof(before), &before);
}

/* Make @llc the home: the feature goes on when all threads run there. */
static struct crew *start_at_home(int llc)
{
	struct crew *crew;
	int i;

	knob_write("llc_enabled", "0");
	crew = crew_start(&(struct crew_plan){ .nr = 3 });
	for (i = 0; crew && i < 3; i++)
		crew_pin(crew, i, llc_cpus(llc));
	knob_write("llc_enabled", "1");
	sleep_ms(GATHER_MS);
	for (i = 0; crew && i < 3; i++)
		crew_pin(crew, i, llc_all_cpus());
	return crew;
}

/* @runtime: what the fair server of its CPUs is to get back. */
static struct crew *start_without_fair_server(int llc, char runtime[KNOB_TEXT])
{
	file_read(SCHED_DEBUGFS "fair_server/cpu0/runtime", runtime, KNOB_TEXT);
	set_fair_server(llc, "0");
	return start_at_home(llc);
}

TEST_F_TIMEOUT(cache, offline_home_loses_no_thread, 60)
{
	int llc = find_llc(), round;
	char runtime[KNOB_TEXT];
	struct crew *crew;

	if (llc < 0)
		SKIP(return, "every LLC has a CPU that cannot go offline");
	crew = start_without_fair_server(llc, runtime);
	ASSERT_NE(NULL, crew);
	for (round = 0; round < 3; round++) {
		EXPECT_EQ(0, set_online(llc, false));
		sleep_ms(GATHER_MS);
		expect_none_lost(_metadata, crew);
		EXPECT_EQ(0, set_online(llc, true));
		sleep_ms(GATHER_MS);
		expect_none_lost(_metadata, crew);
	}
	set_fair_server(llc, runtime);
	expect_to_gather(_metadata, crew);
	EXPECT_EQ(0, crew_stop(crew));
}

/* All but the last of its CPUs go one by one, and come back. */
TEST_F_TIMEOUT(cache, home_that_goes_cpu_by_cpu_loses_no_thread, 60)
{
	int llc = find_llc(), cpu, gone = 0;
	char runtime[KNOB_TEXT];
	struct crew *crew;

	if (llc < 0)
		SKIP(return, "every LLC has a CPU that cannot go offline");
	crew = start_without_fair_server(llc, runtime);
	ASSERT_NE(NULL, crew);
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, llc_cpus(llc)) ||
		    ++gone == CPU_COUNT(llc_cpus(llc)))
			continue;
		EXPECT_EQ(0, cpu_online(cpu, false));
		sleep_ms(50);
		expect_none_lost(_metadata, crew);
	}
	EXPECT_TRUE(status_active());
	for (cpu = CPU_SETSIZE - 1; cpu >= 0; cpu--) {
		if (CPU_ISSET(cpu, llc_cpus(llc)))
			cpu_online(cpu, true);
		sleep_ms(CPU_ISSET(cpu, llc_cpus(llc)) ? 50 : 0);
	}
	set_fair_server(llc, runtime);
	expect_to_gather(_metadata, crew);
	EXPECT_EQ(0, crew_stop(crew));
}

/* Reads at random places end at the end of a file, whatever it tells. */
TEST_F_TIMEOUT(cache, files_are_read_while_cpus_come_and_go, 60)
{
	int llc = find_llc(), status = -1, i;
	char runtime[KNOB_TEXT];
	pid_t pid;

	if (llc < 0)
		SKIP(return, "every LLC has a CPU that cannot go offline");
	file_read(SCHED_DEBUGFS "fair_server/cpu0/runtime", runtime,
		  sizeof(runtime));
	set_fair_server(llc, "0");
	pid = fork();
	if (!pid) {
		for (i = 0; i < READS; i++) {
			if (storm_read() < 0)
				_exit(1);
		}
		_exit(0);
	}
	while (!waitpid(pid, &status, WNOHANG)) {
		EXPECT_EQ(0, set_online(llc, false));
		EXPECT_EQ(0, set_online(llc, true));
	}
	EXPECT_EQ(0, status);
	set_fair_server(llc, runtime);
}

/*
 * A partition that loses its last CPU gets no domains that would tell. It can
 * lose it only without the bandwidth of a fair server.
 */
TEST_F_TIMEOUT(cache, offline_partition_is_no_llc, 60)
{
	int llc = find_llc(), llcs = status_number("llcs");
	char runtime[KNOB_TEXT];
	const char *reason;

	if (llc < 0)
		SKIP(return, "every LLC has a CPU that cannot go offline");
	reason = cpuset_create(llc_cpus(llc));
	if (reason)
		SKIP(return, "%s", reason);
	file_read(SCHED_DEBUGFS "fair_server/cpu0/runtime", runtime,
		  sizeof(runtime));
	set_fair_server(llc, "0");
	EXPECT_EQ(0, cpuset_partition("root"));
	EXPECT_EQ(0, set_online(llc, false));
	EXPECT_EQ(llcs - 1, status_number("llcs"));
	EXPECT_EQ(llcs > 2, status_active());
	EXPECT_EQ(0, set_online(llc, true));
	EXPECT_EQ(llcs, status_number("llcs"));
	EXPECT_TRUE(status_active());
	EXPECT_EQ(0, cgroup_remove());
	set_fair_server(llc, runtime);
}

TEST_HARNESS_MAIN

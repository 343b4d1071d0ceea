// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: the
 * machine has the LLCs the environment promises (LLC_EXPECT) and the kernel
 * sees the same ones as sysfs. Run it first: without, nothing after it counts.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../kselftest_harness.h"
#include "control.h"
#include "placement.h"

static int expected_llcs(void)
{
	const char *text = getenv("LLC_EXPECT");

	return text ? atoi(text) : 0;
}

/* Count the cores of some CPUs: those that are first among their siblings. */
static int count_cores(const cpu_set_t *cpus)
{
	char path[128], text[1024];
	int cpu, cores = 0;

	for (cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, cpus))
			continue;
		snprintf(path, sizeof(path),
			 "/sys/devices/system/cpu/cpu%d/topology/core_cpus_list",
			 cpu);
		file_read(path, text, sizeof(text));
		cores += atoi(text) == cpu;
	}
	return cores;
}

/* CPUs without scheduling domains are on no LLC that the kernel knows. */
static bool same_as_sysfs(const char *list, int cores)
{
	cpu_set_t cpus, isolated, rest;
	int llc;

	if (cpulist_parse(list, &cpus))
		return false;
	cpus_isolated(&isolated);
	for (llc = 0; llc < llc_count(); llc++) {
		CPU_AND(&rest, &isolated, llc_cpus(llc));
		CPU_XOR(&rest, &rest, llc_cpus(llc));
		if (CPU_EQUAL(&cpus, &rest))
			return cores == count_cores(&cpus);
	}
	return false;
}

TEST(sysfs_shows_the_promised_llcs)
{
	if (!expected_llcs())
		SKIP(return, "LLC_EXPECT is not set");
	EXPECT_EQ(expected_llcs(), llc_count());
}

TEST(status_shows_the_llcs_of_sysfs)
{
	char text[8192], list[1024], *line, *rest = text;
	int cores, seen = 0;

	if (!expected_llcs() && access(SCHED_DEBUGFS "llc_status", R_OK))
		SKIP(return, "the kernel has no CONFIG_SCHED_CACHE");

	ASSERT_EQ(0, knob_write("llc_enabled", llc_count() > 1 ? "1" : "0"));
	EXPECT_EQ(llc_count() > 1, status_active());
	EXPECT_EQ(llc_count(), status_number("llcs"));
	EXPECT_LE(0, status_number("groups"));

	ASSERT_EQ(0, file_read(SCHED_DEBUGFS "llc_status", text, sizeof(text)));
	while ((line = strsep(&rest, "\n"))) {
		if (sscanf(line, "llc %*d: cpus %1023s cores %d", list,
			   &cores) != 2)
			continue;
		EXPECT_TRUE(same_as_sysfs(list, cores)) {
			TH_LOG("not in sysfs: %s", line);
		}
		seen++;
	}
	EXPECT_EQ(llc_count(), seen);
}

TEST_HARNESS_MAIN

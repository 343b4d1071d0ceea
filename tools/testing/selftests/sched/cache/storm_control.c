// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: storms
 * of what root can turn while tasks run: the two switches, CPUs, cpuset
 * partitions and cgroups. The knobs with numbers belong to storm_fuzz.c, which
 * must know what they hold.
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cgroup.h"
#include "control.h"
#include "placement.h"
#include "storm.h"

#define CGROUPS "/sys/fs/cgroup/"
#define CPUSET CGROUPS "sched_cache_test/"
#define CGROUP CGROUPS "sched_cache_storm/"

enum {
	ONLINE_TRIES = 100,
};

/* At 1 kHz, as far as the machine can. */
int storm_toggle(void)
{
	int err;

	sleep_ms(1);
	err = dice(2) ? knob_write("llc_enabled", dice(2) ? "1" : "0") :
			feature_write(dice(2));
	return err ? wrong("a switch said %s", strerror(-err)) : 1;
}

static int nr_cpus(void)
{
	return sysconf(_SC_NPROCESSORS_CONF);
}

/* A CPU that is told to come must come, if not at once. */
static int bring_back(int cpu)
{
	int tries = ONLINE_TRIES, err;

	while ((err = cpu_online(cpu, true)) && --tries)
		sleep_ms(10);
	if (err)
		return wrong("CPU %d stays away: %s", cpu, strerror(-err));
	return 0;
}

static int cycle_cpus(const cpu_set_t *cpus)
{
	cpu_set_t gone;
	int cpu, nr = 0;

	CPU_ZERO(&gone);
	for (cpu = 1; cpu < nr_cpus(); cpu++) {
		if (CPU_ISSET(cpu, cpus) && !cpu_online(cpu, false)) {
			CPU_SET(cpu, &gone);
			nr++;
		}
	}
	sleep_ms(dice(20));
	for (cpu = 1; cpu < nr_cpus(); cpu++) {
		if (CPU_ISSET(cpu, &gone) && bring_back(cpu))
			return -1;
	}
	return nr;
}

/*
 * One CPU or a whole LLC goes and comes back. What toggles and what changes
 * cpusets has to wait meanwhile, so let it have its time.
 */
int storm_hotplug(void)
{
	int cpu = 1 + dice(nr_cpus() - 1), llc = llc_of(cpu);
	cpu_set_t one;

	sleep_ms(dice(200));
	if (llc >= 0 && !dice(4))
		return cycle_cpus(llc_cpus(llc));
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	return cycle_cpus(&one);
}

static void some_cpus(cpu_set_t *cpus)
{
	int first = 1 + dice(nr_cpus() - 1);
	int last = first + dice(nr_cpus() - first);

	CPU_ZERO(cpus);
	for (; first <= last; first++)
		CPU_SET(first, cpus);
}

static int write_text(const char *path, const char *text)
{
	return file_write(path, text, strlen(text));
}

/* A load, without the priority of the storm that starts it. */
static struct crew *start_load(void)
{
	const struct crew_plan plan = { .nr = 1 + dice(4), .nap_us = 3000 };
	struct crew *crew = crew_start(&plan);
	int i;

	for (i = 0; crew && i < plan.nr; i++)
		setpriority(PRIO_PROCESS, crew->worker[i].tid, 0);
	return crew;
}

/*
 * A partition comes, changes its CPUs and its kind under load, and goes. Not to
 * be isolated: 6.12 then starts kernel workers under cpuset_mutex, which wait for
 * whoever moves a process to a cgroup, who waits for cpuset_mutex.
 */
int storm_cpuset(void)
{
	static const char * const kinds[] = { "root", "member" };
	char text[4096];
	const char *reason;
	struct crew *crew;
	cpu_set_t cpus;
	int changes;

	some_cpus(&cpus);
	reason = cpuset_create(&cpus);
	if (reason)
		return wrong("%s", reason);
	crew = start_load();
	if (crew)
		cgroup_enter(crew->pid);
	for (changes = dice(5); changes >= 0; changes--) {
		write_text(CPUSET "cpuset.cpus.partition", kinds[dice(2)]);
		sleep_ms(dice(20));
		some_cpus(&cpus);
		cpulist_print(&cpus, text, sizeof(text));
		write_text(CPUSET "cpuset.cpus", text);
	}
	if (crew)
		crew_stop(crew);
	return cgroup_remove() ? wrong("cpuset: %s", strerror(errno)) : 1;
}

/* A cgroup with a bandwidth limit comes, gets tasks and goes. */
int storm_cgroup(void)
{
	struct crew *crew;
	char text[32];

	write_text(CGROUPS "cgroup.subtree_control", "+cpu");
	if (mkdir(CGROUP, 0755))
		return wrong("cgroup: %s", strerror(errno));
	crew = start_load();
	if (crew) {
		snprintf(text, sizeof(text), "%d", crew->pid);
		write_text(CGROUP "cgroup.procs", text);
	}
	snprintf(text, sizeof(text), "%u 10000", 1000 + dice(40000));
	write_text(CGROUP "cpu.max", text);
	snprintf(text, sizeof(text), "%u", 1 + dice(10000));
	write_text(CGROUP "cpu.weight", text);
	sleep_ms(dice(20));
	/* With its limit the crew could take long to see that it may stop. */
	write_text(CGROUP "cpu.max", "max");
	if (crew)
		crew_stop(crew);
	return rmdir(CGROUP) ? wrong("cgroup: %s", strerror(errno)) : 1;
}

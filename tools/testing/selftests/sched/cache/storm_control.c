// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: storms
 * of what root can turn while tasks run: the switches, CPUs, cpuset
 * partitions and cgroups. The knobs with numbers belong to storm_fuzz.c, which
 * must know what they hold.
 */
#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cgroup.h"
#include "control.h"
#include "placement.h"
#include "storm.h"

#define CGROUPS "/sys/fs/cgroup/"
#define CPUSET CGROUPS "sched_cache_test/"
#define CGROUP CGROUPS "sched_cache_storm/"
#define OUTER CGROUPS "sched_cache_outer/"

enum {
	ONLINE_TRIES = 100,
	INNER = 2,
	OUTER_SAYS = 32,	/* times, while the inner ones come and go */
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

/*
 * The same for shared run queues and their shards, which recount what they hold
 * when asked.
 */
int storm_runq(void)
{
	int err;

	sleep_ms(1);
	err = dice(2) ? knob_write("shared_runq_shard_cores", dice(2) ? "1" : "0") :
			runq_write(dice(2));
	if (err)
		return wrong("shared run queues said %s", strerror(-err));
	if (!dice(64) && runq_number("violations") > 0)
		return wrong("shared_runq_status tells of violations");
	return 1;
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

static int write_in(const char *cgroup, const char *file, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), "%s%s", cgroup, file);
	return write_text(path, text);
}

static int move(const char *cgroup, pid_t pid)
{
	char text[32];

	snprintf(text, sizeof(text), "%d", pid);
	return write_in(cgroup, "cgroup.procs", text);
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
	if (crew)
		move(CGROUP, crew->pid);
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

static const char * const inner[INNER] = { OUTER "0/", OUTER "1/" };

static const char * const says[] = {
	[PR_SCHED_CACHE_DEFAULT]	= "default\n",
	[PR_SCHED_CACHE_OFF]		= "off\n",
	[PR_SCHED_CACHE_ON]		= "on\n",
};

static int what_says(const char *cgroup)
{
	char path[128], text[32] = "";
	int mode;

	snprintf(path, sizeof(path), "%scpu.llc_aggregation", cgroup);
	file_read(path, text, sizeof(text));
	for (mode = PR_SCHED_CACHE_ON; mode >= 0; mode--) {
		if (!strcmp(text, says[mode]))
			return mode;
	}
	return wrong("aggregation: %s says %s", cgroup, text);
}

/* Nobody else may write there. */
static int say(const char *cgroup, int mode)
{
	int err = write_in(cgroup, "cpu.llc_aggregation", says[mode]);

	if (err)
		return wrong("aggregation: %s", strerror(-err));
	if (what_says(cgroup) != mode)
		return wrong("aggregation: %s did not keep %s", cgroup,
			     says[mode]);
	return 0;
}

static int say_nonsense(const char *cgroup)
{
	static const char * const texts[] = {
		"\n", "1", "of", "onn", "off on", "default\n\noff", "\xff",
	};
	const char *text = texts[dice(sizeof(texts) / sizeof(*texts))];

	if (write_in(cgroup, "cpu.llc_aggregation", text) == -EINVAL)
		return 0;
	return wrong("aggregation: nonsense was not refused: %s", text);
}

static pid_t start_outer(void)
{
	pid_t pid;
	int i;

	/* The child's dice must not fall as the last child's did. */
	dice(2);
	pid = fork();
	if (pid)
		return pid;
	for (i = 0; i < OUTER_SAYS; i++) {
		if (say(OUTER, dice(3)))
			_exit(1);
	}
	_exit(0);
}

/* One without processes goes and comes back, and takes @pid. */
static int change_inner(const char *cgroup, pid_t pid)
{
	int err;

	if (!rmdir(cgroup) && mkdir(cgroup, 0755))
		return wrong("aggregation: %s", strerror(errno));
	err = dice(3) ? say(cgroup, dice(3)) : say_nonsense(cgroup);
	if (!err && move(cgroup, pid))
		err = wrong("aggregation: no way into %s", cgroup);
	return err;
}

/* What a thread does has to follow from what the two say. */
static int check(const char *cgroup, pid_t pid)
{
	int mode = what_says(cgroup) ?: what_says(OUTER);
	const char *told = thread_told(pid, "llc_state");
	bool off = !strcmp(told, "off");

	if (mode < 0)
		return -1;
	if ((mode == PR_SCHED_CACHE_OFF && !off) ||
	    (mode == PR_SCHED_CACHE_ON && off))
		return wrong("aggregation: %s, for %s", told, says[mode]);
	return 0;
}

static int change_and_check(pid_t pid)
{
	pid_t child = start_outer();
	int changes, status, which = 0, err = 0;

	for (changes = 1 + dice(8); changes && !err; changes--) {
		which = dice(INNER);
		err = change_inner(inner[which], pid);
	}
	if (child > 0 && (waitpid(child, &status, 0) != child || status))
		err = -1;
	return err ?: check(inner[which], pid);
}

static int create(void)
{
	int i;

	write_in(CGROUPS, "cgroup.subtree_control", "+cpu");
	if (mkdir(OUTER, 0755) ||
	    write_in(OUTER, "cgroup.subtree_control", "+cpu"))
		return -1;
	for (i = 0; i < INNER; i++) {
		if (mkdir(inner[i], 0755))
			return -1;
	}
	return 0;
}

/*
 * Cgroups say what they ask for, one of them around the others, while a process
 * moves between these. What holds is what its own says, or else the outer one.
 */
int storm_aggregation(void)
{
	struct crew *crew;
	int i, err = 0;

	if (create())
		return wrong("aggregation: %s", strerror(errno));
	crew = start_load();
	if (crew) {
		err = change_and_check(crew->pid);
		crew_stop(crew);
	}
	for (i = 0; i < INNER; i++)
		rmdir(inner[i]);
	if (rmdir(OUTER) && !err)
		err = wrong("aggregation: %s", strerror(errno));
	return err ?: 1;
}

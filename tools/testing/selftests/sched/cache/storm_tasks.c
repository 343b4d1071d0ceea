// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: storms
 * of tasks that come, move and go. Where memory runs out on purpose a round
 * may get nothing done.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "control.h"
#include "placement.h"
#include "storm.h"

#define SELF "/proc/self/exe"

enum {
	BATCH = 4,
	STACK = 64 * 1024,
	MEMBERS = 8,
};

static void exec_nothing(void)
{
	execl(SELF, SELF, NULL);
	_exit(127);
}

static pid_t fork_exit(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	return pid;
}

static pid_t fork_exec(void)
{
	pid_t pid = fork();

	if (!pid)
		exec_nothing();
	return pid;
}

/* What posix_spawn() of this C library is: clone() with CLONE_VFORK. */
static pid_t vfork_exec(void)
{
	pid_t pid = vfork();

	if (!pid)
		exec_nothing();
	return pid;
}

/* A child that outlives its parent. */
static pid_t fork_orphan(void)
{
	pid_t pid = fork();

	if (!pid) {
		fork_exit();
		_exit(0);
	}
	return pid;
}

static int return_zero(void *unused)
{
	return 0;
}

/* Shares the mm without being a thread. */
static pid_t clone_vm(void)
{
	static char stack[BATCH][STACK] __attribute__((aligned(16)));
	static int next;

	next = (next + 1) % BATCH;
	return clone(return_zero, stack[next] + STACK, CLONE_VM | SIGCHLD,
		     NULL);
}

int storm_fork(void)
{
	static pid_t (* const start[])(void) = {
		fork_exit, fork_exec, vfork_exec, fork_orphan, clone_vm,
	};
	pid_t pid[BATCH];
	int i, done = 0;

	for (i = 0; i < BATCH; i++)
		pid[i] = start[dice(sizeof(start) / sizeof(*start))]();
	for (i = 0; i < BATCH; i++)
		done += pid[i] > 0 && waitpid(pid[i], NULL, 0) == pid[i];
	return done;
}

static volatile unsigned long sink;

static void work_us(unsigned int us)
{
	unsigned int i;

	for (i = 0; i < us * 50; i++)
		sink++;
}

static void *member(void *arg)
{
	work_us((unsigned long)arg);
	return NULL;
}

static void *member_execs(void *unused)
{
	exec_nothing();
	return NULL;
}

/* A process with threads, that ends in one of the ways there are. */
static void group_main(void)
{
	unsigned int way = dice(4);
	pthread_t thread[MEMBERS];
	int i, nr = 0, want = 1 + dice(MEMBERS);

	for (i = 0; i < want; i++) {
		nr += !pthread_create(&thread[nr], NULL, member,
				      (void *)(unsigned long)dice(3000));
	}
	work_us(dice(1000));
	if (way == 0)
		pthread_exit(NULL);
	if (way == 1 && !pthread_create(&thread[0], NULL, member_execs, NULL))
		pause();
	if (way == 2)
		_exit(0);
	for (i = 0; i < nr; i++)
		pthread_join(thread[i], NULL);
	_exit(0);
}

int storm_group(void)
{
	bool killed = !dice(5);
	pid_t pid;

	/* The child's dice must not fall as the last child's did. */
	dice(2);
	pid = fork();
	if (!pid)
		group_main();
	if (pid < 0)
		return 0;
	if (killed) {
		usleep(dice(2000));
		kill(pid, SIGKILL);
	}
	return waitpid(pid, NULL, 0) == pid;
}

static struct crew *crew;

static void random_cpus(cpu_set_t *cpus)
{
	int cpu, nr = sysconf(_SC_NPROCESSORS_CONF);

	if (dice(2)) {
		*cpus = *llc_all_cpus();
		return;
	}
	CPU_ZERO(cpus);
	CPU_SET(dice(nr), cpus);
	for (cpu = 0; cpu < nr; cpu++) {
		if (!dice(3))
			CPU_SET(cpu, cpus);
	}
}

/* The threads of a busy process get other CPUs all the time. */
int storm_affinity(void)
{
	const struct crew_plan plan = { .nr = 4, .nap_us = 3000 };
	cpu_set_t cpus;

	if (!crew)
		crew = crew_start(&plan);
	if (!crew)
		return 0;
	usleep(dice(2000));
	random_cpus(&cpus);
	return !crew_pin(crew, dice(plan.nr), &cpus);
}

/* None of them may have been lost. */
int storm_affinity_end(void)
{
	int i, err = 0;

	if (!crew)
		return 0;
	for (i = 0; i < crew->plan.nr; i++)
		crew_pin(crew, i, llc_all_cpus());
	if (!crew_settle(crew))
		err = wrong("affinity: a thread does not run any more");
	return crew_stop(crew) ? wrong("affinity: the crew failed") : err;
}

/* What no process can ask for. */
static bool ask_nonsense(void)
{
	unsigned long op = dice(3), pid = dice(2) ? crew->pid : 0, mode = dice(3);

	switch (dice(4)) {
	case 0:
		op += PR_SCHED_CACHE_JOIN + 1;
		break;
	case 1:
		pid = 0x80000000UL << dice(32);
		break;
	case 2:
		op = PR_SCHED_CACHE_SET;
		mode = PR_SCHED_CACHE_ON + 1UL + dice(1000);
		break;
	default:
		return mode_ask(op, pid, mode, 1UL << dice(64)) == -EINVAL;
	}
	return mode_ask(op, pid, mode, 0) == -EINVAL;
}

/* Another process to join, which may end while others have its group. */
static struct crew *other;

static int renew_other(void)
{
	const struct crew_plan plan = { .nr = 2, .nap_us = 3000 };

	if (other && !dice(8)) {
		if (crew_stop(other))
			return wrong("mode: the other crew failed");
		other = NULL;
	}
	if (!other)
		other = crew_start(&plan);
	return 0;
}

/*
 * One of three processes, this one among them, joins another, or leaves those
 * that it joined. What it starts afterwards is born into its group.
 */
static int join_or_part(void)
{
	const pid_t pids[] = { 0, crew->pid, other->pid };
	pid_t joins = pids[dice(3)], whom = pids[dice(3)];
	int err = mode_ask(PR_SCHED_CACHE_JOIN, joins, whom, 0);

	if (err && err != -ENOMEM)
		return wrong("mode: %d cannot join %d: %s", joins, whom,
			     strerror(-err));
	return !err;
}

/* Busy processes say yes and no all the time, and nonsense, and join and part. */
int storm_mode(void)
{
	const struct crew_plan plan = { .nr = 4, .nap_us = 3000 };
	unsigned long mode = dice(3);

	if (!crew)
		crew = crew_start(&plan);
	if (!crew)
		return 0;
	usleep(dice(20000));
	if (!ask_nonsense())
		return wrong("mode: nonsense was not refused");
	if (mode_ask(PR_SCHED_CACHE_SET, crew->pid, mode, 0) ||
	    mode_ask(PR_SCHED_CACHE_GET, crew->pid, 0, 0) != (int)mode)
		return wrong("mode: %lu was not set", mode);
	if (renew_other())
		return -1;
	return other ? join_or_part() : 0;
}

int storm_mode_end(void)
{
	int err = 0;

	if (other && crew_stop(other))
		err = wrong("mode: the other crew failed");
	if (crew && crew_stop(crew))
		err = wrong("mode: the crew failed");
	return err;
}

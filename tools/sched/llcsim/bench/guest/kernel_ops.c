// SPDX-License-Identifier: GPL-2.0-only
/*
 * kernel_ops OPERATION COUNT [RUNS]: does one thing COUNT times on one CPU inside a
 * region of its own name, so that its instructions can be counted; RUNS regions.
 *
 * An operation is not over when its system call returns: ticks, and what RCU frees
 * later, belong to it. Their part of one operation is random. That of thousands is
 * not, so COUNT should be large. The first COUNT are not measured: after them the
 * caches of slabs, pages and stacks are as full as they stay.
 *
 * Only the messages need a second thread. A wakeup is half a message between two
 * CPUs of an LLC: the woken thread may run on either, so the kernel has to choose.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>

#include "bench.h"
#include "llcsim.h"

enum { CPU = 1, SIBLING = 0, SETTLE_MS = 100 };

static _Atomic int futex;
static int there[2], back[2];
static int count;

static void *echo(void *unused)
{
	char c;

	while (read(there[0], &c, 1) == 1 && write(back[1], &c, 1) == 1)
		;
	return unused;
}

static void start_echo(void)
{
	pthread_t thread;

	if (pipe(there) || pipe(back) || pthread_create(&thread, NULL, echo, NULL))
		exit(1);
}

static void message(void)
{
	char c = 'x';

	if (write(there[1], &c, 1) != 1 || read(back[0], &c, 1) != 1)
		exit(1);
}

static void allow(int cpu, int other)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	CPU_SET(other, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

/* Messages for so long that a program with a home has found it. */
static void start_apart(void)
{
	u64 end = now() + SETTLE_MS * NSEC_PER_MSEC;

	allow(CPU, SIBLING);
	start_echo();
	while (now() < end)
		message();
}

static void fork_exec_wait(void)
{
	pid_t child = vfork();

	if (!child) {
		execl("/bin/true", "true", NULL);
		_exit(127);
	}
	waitpid(child, NULL, 0);
}

static void *nothing(void *unused)
{
	return unused;
}

static void thread_create_join(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, nothing, NULL))
		exit(1);
	pthread_join(thread, NULL);
}

/* Nobody waits: the cost of the call. */
static void wake_nobody(void)
{
	futex_wake(&futex, 1);
}

static const struct {
	const char *name;
	void (*once)(void);
	void (*before)(void);
	int counts;		/* 0 is 1 */
} operation[] = {
	{ "message", message, start_echo },
	{ "wakeup", message, start_apart, 2 },
	{ "fork_exec_wait", fork_exec_wait },
	{ "thread_create_join", thread_create_join },
	{ "futex_wake", wake_nobody },
};

static void repeat(unsigned int nr)
{
	for (int i = 0; i < count; i += operation[nr].counts ?: 1)
		operation[nr].once();
}

static void measure(unsigned int nr, int run)
{
	char region[48];

	snprintf(region, sizeof(region), "%s.%s.%d", operation[nr].name,
		 getenv("VARIANT") ?: "free", run);
	llcsim_begin(region);
	repeat(nr);
	llcsim_end(region);
}

int main(int argc, char **argv)
{
	int runs = argument(argc, argv, 3, 1);

	allow(CPU, CPU);
	count = argument(argc, argv, 2, 100);
	for (unsigned int i = 0; i < ARRAY_SIZE(operation); i++) {
		if (argc < 2 || strcmp(argv[1], operation[i].name))
			continue;
		if (operation[i].before)
			operation[i].before();
		repeat(i);
		for (int run = 0; run < runs; run++)
			measure(i, run);
	}
	return 0;
}

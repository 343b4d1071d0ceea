// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: tasks
 * that share an mm without being threads of one process are one group, and
 * forks that fail and programs that are started leave nothing of it behind.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "cache_test.h"

enum {
	STACK = 64 * 1024,
	CLONES = 2,
	FAILURES = 100,
};

static char stacks[CLONES][STACK] __attribute__((aligned(16)));

/* What processes tell the test. */
struct told {
	pid_t clone[CLONES];
	int failures;
};

static struct told *told_new(void)
{
	return mmap(NULL, sizeof(struct told), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

static int wait_for_end(void *unused)
{
	while (pause())
		;
	return 0;
}

static int become_reader(void *end)
{
	dup2(*(int *)end, STDIN_FILENO);
	execlp("cat", "cat", NULL);
	return 127;
}

/* A process, and others with its mm, that do as @run says. */
static pid_t start_clones(struct told *told, int (*run)(void *), void *arg)
{
	pid_t pid = fork();
	int i;

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (i = 0; i < CLONES; i++)
		told->clone[i] = clone(run, stacks[i] + STACK,
				       CLONE_VM | SIGCHLD, arg);
	_exit(wait_for_end(NULL));
}

static void end_of(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

TEST_F(cache, processes_with_one_mm_are_one_group)
{
	struct told *told = told_new();
	pid_t pid;

	ASSERT_NE(MAP_FAILED, told);
	/* Who loses its parent becomes our child. */
	ASSERT_EQ(0, prctl(PR_SET_CHILD_SUBREAPER, 1));
	pid = start_clones(told, wait_for_end, NULL);
	sleep_ms(GATHER_MS);
	EXPECT_EQ(self->groups + 1, status_number("groups"));
	end_of(pid);
	end_of(told->clone[0]);
	sleep_ms(GATHER_MS);
	EXPECT_EQ(self->groups + 1, status_number("groups"));
	end_of(told->clone[1]);
	EXPECT_TRUE(groups_become(self->groups, RELEASE_MS));
}

/* A program that was started has an mm of its own, and nothing of the old. */
TEST_F(cache, exec_leaves_the_group_of_the_mm)
{
	struct told *told = told_new();
	int end[2], i;
	pid_t pid;

	ASSERT_NE(MAP_FAILED, told);
	ASSERT_EQ(0, pipe2(end, O_CLOEXEC));
	ASSERT_EQ(0, prctl(PR_SET_CHILD_SUBREAPER, 1));
	pid = start_clones(told, become_reader, end);
	sleep_ms(GATHER_MS);
	end_of(pid);
	EXPECT_TRUE(groups_become(self->groups, RELEASE_MS));
	for (i = 0; i < CLONES; i++) {
		EXPECT_EQ(0, waitpid(told->clone[i], NULL, WNOHANG));
		end_of(told->clone[i]);
	}
}

/* A cgroup that is none is noticed late, when the child has joined the group. */
static void fail_to_fork(struct told *told)
{
	struct clone_args args = {
		.flags = CLONE_VM | CLONE_INTO_CGROUP,
		.exit_signal = SIGCHLD,
		.stack = (uintptr_t)stacks[0],
		.stack_size = STACK,
		.cgroup = INT_MAX,
	};
	int i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (i = 0; i < FAILURES; i++) {
		if (syscall(SYS_clone3, &args, sizeof(args)) < 0 &&
		    errno == EBADF)
			told->failures++;
	}
	wait_for_end(NULL);
}

TEST_F(cache, forks_that_fail_leave_no_group)
{
	struct told *told = told_new();
	pid_t pid;

	ASSERT_NE(MAP_FAILED, told);
	pid = fork();
	if (!pid)
		fail_to_fork(told);
	sleep_ms(GATHER_MS);
	EXPECT_EQ(FAILURES, told->failures);
	/* Its only member is the process. */
	EXPECT_EQ(self->groups + 1, status_number("groups"));
	end_of(pid);
	EXPECT_TRUE(groups_become(self->groups, RELEASE_MS));
}

TEST_HARNESS_MAIN

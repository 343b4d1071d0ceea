// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: a
 * process of one thread has no group, however it was started.
 */
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include "cache_test.h"

extern char **environ;

/* A program that waits for the end of its input. */
static char * const reader[] = { "cat", NULL };

enum start { FORK, VFORK, SPAWN };

static void become_reader(int input)
{
	dup2(input, STDIN_FILENO);
	execvp(reader[0], reader);
	_exit(127);
}

/* @groups: their number while parent and child of a vfork share an mm. */
static pid_t start(enum start how, int input, long *groups)
{
	posix_spawn_file_actions_t actions;
	pid_t pid = -1;

	switch (how) {
	case FORK:
		pid = fork();
		if (!pid)
			become_reader(input);
		break;
	case VFORK:
		pid = vfork();
		if (!pid) {
			*groups = status_number("groups");
			become_reader(input);
		}
		break;
	case SPAWN:
		posix_spawn_file_actions_init(&actions);
		posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
		posix_spawnp(&pid, reader[0], &actions, NULL, reader, environ);
		posix_spawn_file_actions_destroy(&actions);
	}
	return pid;
}

static void count_groups(struct __test_metadata *_metadata, long before,
			 enum start how)
{
	long groups_in_vfork = before;
	int end[2], status = -1;
	pid_t pid;

	ASSERT_EQ(0, pipe2(end, O_CLOEXEC));
	pid = start(how, end[0], &groups_in_vfork);
	ASSERT_LT(0, pid);
	sleep_ms(50);
	EXPECT_EQ(before, groups_in_vfork);
	EXPECT_EQ(before, status_number("groups"));
	EXPECT_EQ(0, waitpid(pid, &status, WNOHANG));
	close(end[1]);
	waitpid(pid, &status, 0);
	EXPECT_EQ(0, status);
}

TEST_F(cache, forked_program_has_no_group)
{
	count_groups(_metadata, self->groups, FORK);
}

TEST_F(cache, vforked_program_has_no_group)
{
	count_groups(_metadata, self->groups, VFORK);
}

TEST_F(cache, spawned_program_has_no_group)
{
	count_groups(_metadata, self->groups, SPAWN);
}

TEST_F(cache, busy_process_has_no_group)
{
	struct crew *crew = crew_start(&(struct crew_plan){ .nr = 1 });

	ASSERT_NE(NULL, crew);
	sleep_ms(GATHER_MS);
	EXPECT_EQ(self->groups, status_number("groups"));
	EXPECT_EQ(0, crew_stop(crew));
}

/* The count can be trusted: a second thread does make a group. */
TEST_F(cache, second_thread_makes_a_group)
{
	struct crew *crew = crew_start(&(struct crew_plan){ .nr = 2 });

	ASSERT_NE(NULL, crew);
	sleep_ms(GATHER_MS);
	EXPECT_EQ(self->groups + 1, status_number("groups"));
	EXPECT_EQ(0, crew_stop(crew));
}

TEST_HARNESS_MAIN

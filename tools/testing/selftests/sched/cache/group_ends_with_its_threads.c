// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: a group
 * lives as long as the process of several threads it belongs to.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sys/wait.h>

#include "cache_test.h"
#include "cgroup.h"

enum {
	CREWS = 32,
	OOM_BYTES = 8 << 20,	/* far above the limit; what is left is far below */
};

#define OOM_LIMIT "4M"

TEST_F(cache, exit_ends_the_group)
{
	struct crew *crew = crew_start(&(struct crew_plan){ .nr = 4 });

	ASSERT_NE(NULL, crew);
	EXPECT_TRUE(groups_become(self->groups + 1, GATHER_MS));
	EXPECT_EQ(0, crew_stop(crew));
	EXPECT_TRUE(groups_become(self->groups, RELEASE_MS));
}

TEST_F(cache, kill_ends_the_group)
{
	struct crew *crew = crew_start(&(struct crew_plan){ .nr = 4 });

	ASSERT_NE(NULL, crew);
	EXPECT_TRUE(groups_become(self->groups + 1, GATHER_MS));
	EXPECT_EQ(0, kill(crew->pid, SIGKILL));
	EXPECT_EQ(SIGKILL, crew_wait(crew));
	EXPECT_TRUE(groups_become(self->groups, RELEASE_MS));
}

static bool enter_cgroup(void)
{
	return !cgroup_enter(getpid());
}

TEST_F(cache, oom_kill_ends_the_group)
{
	const char *reason = cgroup_create("memory");
	struct crew *crew;

	if (reason)
		SKIP(return, "%s", reason);
	crew = crew_start(&(struct crew_plan){
		.begin = enter_cgroup, .nr = 4, .bytes = OOM_BYTES });
	ASSERT_NE(NULL, crew);
	/* Now it has touched most of its pages. */
	ASSERT_TRUE(crew_settle(crew));
	EXPECT_TRUE(groups_become(self->groups + 1, GATHER_MS));
	EXPECT_EQ(0, cgroup_write("memory.max", OOM_LIMIT));
	EXPECT_EQ(SIGKILL, crew_wait(crew));
	EXPECT_TRUE(groups_become(self->groups, RELEASE_MS));
	EXPECT_EQ(0, cgroup_remove());
}

static void *become_reader(void *input)
{
	dup2(*(int *)input, STDIN_FILENO);
	execlp("cat", "cat", NULL);
	_exit(127);
}

/* The thread's exec ends the others and gives the process a new mm. */
TEST_F(cache, exec_from_a_thread_ends_the_group)
{
	int end[2], status = -1;
	pthread_t thread;
	pid_t pid;

	ASSERT_EQ(0, pipe2(end, O_CLOEXEC));
	pid = fork();
	if (!pid) {
		pthread_create(&thread, NULL, become_reader, end);
		pause();
	}
	sleep_ms(GATHER_MS);
	EXPECT_TRUE(groups_become(self->groups, RELEASE_MS));
	EXPECT_EQ(0, waitpid(pid, &status, WNOHANG));
	close(end[1]);
	waitpid(pid, &status, 0);
	EXPECT_EQ(0, status);
}

TEST_F(cache, groups_of_short_lives_all_end)
{
	struct crew *crew;
	int i;

	for (i = 0; i < CREWS; i++) {
		crew = crew_start(&(struct crew_plan){ .nr = 4, .quota = 1 });
		ASSERT_NE(NULL, crew);
		EXPECT_EQ(0, crew_wait(crew));
	}
	EXPECT_TRUE(groups_become(self->groups, RELEASE_MS));
}

TEST_HARNESS_MAIN

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: a CPU
 * that isolcpus= takes from the domains is on no LLC that the feature knows. A
 * thread goes there between the tick that wants it to move and the end of its
 * system call, when it does.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "cache_test.h"

enum {
	THREADS = 3,
	LARGE = 1 << 20,	/* bytes that take the kernel some ms */
	ROUNDS = 200,
};

struct readers {
	pid_t tid[THREADS];
	unsigned long reads[THREADS];
	int started;
};

static void *read_on(void *arg)
{
	struct readers *readers = arg;
	int i = __atomic_fetch_add(&readers->started, 1, __ATOMIC_RELAXED);
	int fd = open("/dev/zero", O_RDONLY);
	char *buffer = malloc(LARGE);

	__atomic_store_n(&readers->tid[i], gettid(), __ATOMIC_RELEASE);
	while (read(fd, buffer, LARGE) == LARGE)
		__atomic_fetch_add(&readers->reads[i], 1, __ATOMIC_RELAXED);
	return NULL;
}

static pid_t start_readers(struct readers *readers)
{
	pid_t pid = fork();
	pthread_t thread;
	int i;

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (i = 1; i < THREADS; i++)
		pthread_create(&thread, NULL, read_on, readers);
	read_on(readers);
	_exit(1);
}

/* From now on the group has no home, and spreads for ten seconds. */
static void spread_for_long(void)
{
	knob_write("llc_epoch_affinity_timeout", "1000");
	knob_write("llc_aggr_tolerance", "0");
}

TEST_F_TIMEOUT(cache, spreading_thread_goes_to_a_cpu_without_llc, 60)
{
	struct readers *readers;
	cpu_set_t isolated;
	int round, i;
	pid_t pid;

	if (!cpus_isolated(&isolated))
		SKIP(return, "no CPU is isolated (isolcpus=)");
	readers = mmap(NULL, sizeof(*readers), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, readers);
	pid = start_readers(readers);
	sleep_ms(GATHER_MS);
	spread_for_long();
	for (round = 0; round < ROUNDS; round++) {
		i = round % THREADS;
		ASSERT_EQ(0, sched_setaffinity(readers->tid[i], sizeof(isolated),
					       &isolated));
		sleep_ms(1);
		ASSERT_EQ(0, sched_setaffinity(readers->tid[i], sizeof(cpu_set_t),
					       llc_all_cpus()));
		sleep_ms(5);
	}
	for (i = 0; i < THREADS; i++)
		EXPECT_LT(0, readers->reads[i]);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

TEST_HARNESS_MAIN

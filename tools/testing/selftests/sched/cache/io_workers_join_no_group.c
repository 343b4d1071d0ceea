// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: a worker
 * that the kernel starts for a process, as io_uring does, is no thread of it: it
 * makes no group, and keeps none from gathering or from its end.
 */
#include <fcntl.h>
#include <linux/io_uring.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "cache_test.h"

enum {
	PIECE = 1 << 20,
	PIECES = 1024,		/* all of them take the worker long */
	THREADS = 2,
};

static int ring_setup(struct io_uring_params *params)
{
	return syscall(SYS_io_uring_setup, 1, params);
}

/* One entry of either kind is less than a page. */
static void *ring_map(int ring, off_t what)
{
	return mmap(NULL, getpagesize(), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_POPULATE, ring, what);
}

/* Fill a buffer with zeroes over and over, what a worker is to do at once. */
static bool fill_entry(struct io_uring_sqe *sqe)
{
	static struct iovec piece[PIECES];
	char *buffer = malloc(PIECE);
	int i, zero = open("/dev/zero", O_RDONLY);

	for (i = 0; i < PIECES; i++)
		piece[i] = (struct iovec){ buffer, PIECE };
	sqe->opcode = IORING_OP_READV;
	sqe->flags = IOSQE_ASYNC;
	sqe->fd = zero;
	sqe->addr = (unsigned long)piece;
	sqe->len = PIECES;
	return buffer && zero >= 0;
}

/* The worker is there when the system call returns. */
static bool start_worker(void)
{
	struct io_uring_params params = { 0 };
	int ring = ring_setup(&params);
	struct io_uring_sqe *sqe = ring_map(ring, IORING_OFF_SQES);
	char *queue = ring_map(ring, IORING_OFF_SQ_RING);
	unsigned int *tail = (unsigned int *)(queue + params.sq_off.tail);

	if (ring < 0 || sqe == MAP_FAILED || queue == MAP_FAILED ||
	    !fill_entry(sqe))
		return false;
	/* The index of the entry is 0, as all of the queue. */
	__atomic_store_n(tail, 1, __ATOMIC_RELEASE);
	return syscall(SYS_io_uring_enter, ring, 1, 0, 0, NULL, 0) == 1;
}

/* Why the kernel starts no workers, or NULL. */
static const char *workers_absent(void)
{
	struct io_uring_params params = { 0 };
	int ring = ring_setup(&params);

	if (ring < 0)
		return "the kernel has no CONFIG_IO_URING, or it is disabled";
	close(ring);
	return NULL;
}

/* As the kernel counts them, workers and all. */
static int nr_threads(pid_t pid)
{
	static const char key[] = "\nThreads:";
	char path[64], text[4096], *line;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	file_read(path, text, sizeof(text));
	line = strstr(text, key);
	return line ? atoi(line + strlen(key)) : 0;
}

TEST_F(cache, thread_with_a_worker_has_no_group)
{
	const char *absent = workers_absent();
	struct crew *crew;

	if (absent)
		SKIP(return, "%s", absent);
	crew = crew_start(&(struct crew_plan){
		.begin = start_worker, .nr = 1 });
	ASSERT_NE(NULL, crew);
	EXPECT_LT(1, nr_threads(crew->pid));
	sleep_ms(GATHER_MS);
	EXPECT_EQ(self->groups, status_number("groups"));
	EXPECT_EQ(0, crew_stop(crew));
}

TEST_F(cache, threads_with_a_worker_gather)
{
	const char *absent = workers_absent();
	struct crew *crew;

	if (absent)
		SKIP(return, "%s", absent);
	crew = crew_start(&(struct crew_plan){
		.begin = start_worker, .nr = THREADS });
	ASSERT_NE(NULL, crew);
	EXPECT_LT(THREADS, nr_threads(crew->pid));
	EXPECT_TRUE(groups_become(self->groups + 1, GATHER_MS));
	expect_to_gather(_metadata, crew);
	expect_none_lost(_metadata, crew);
	EXPECT_EQ(0, crew_stop(crew));
	EXPECT_TRUE(groups_become(self->groups, RELEASE_MS));
}

TEST_HARNESS_MAIN

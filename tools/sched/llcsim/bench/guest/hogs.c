// SPDX-License-Identifier: GPL-2.0-only
/*
 * hogs THREADS MS: threads that are always busy, each with memory of its own that
 * no cache holds. They end after MS, or on SIGTERM.
 */
#include <pthread.h>

#include "bench.h"

enum { LINE = 64, LINES = (8 << 20) / LINE, STEP = 40503 };

static void *hog(void *unused)
{
	char *data = malloc(LINES * LINE);
	unsigned int at = 0;

	if (!data)
		exit(1);
	/* STEP is odd and LINES a power of two: it comes by every line */
	for (;;) {
		at = (at + STEP) % LINES;
		(*(volatile char *)(data + at * LINE))++;
	}
	return unused;
}

int main(int argc, char **argv)
{
	int threads = argument(argc, argv, 1, 3), ms = argument(argc, argv, 2, 100);
	u64 end = now() + ms * NSEC_PER_MSEC;
	pthread_t thread;

	for (int i = 0; i < threads; i++)
		if (pthread_create(&thread, NULL, hog, NULL))
			return 1;
	sleep_until(end);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/* stream THREADS MBYTES MS: every thread reads its own MBYTES in a circle; prints MB/s. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "llcsim.h"

enum { LINE = 64, CHUNK = 1 << 16 };

static size_t bytes;
static _Atomic unsigned long chunks;
static _Atomic int ready, stop;

static void *stream(void *unused)
{
	char *data = malloc(bytes);

	memset(data, 1, bytes);
	ready++;
	for (size_t at = 0; !stop; at = (at + CHUNK) % bytes) {
		for (size_t i = 0; i < CHUNK; i += LINE)
			(void)*(volatile char *)(data + at + i);
		chunks++;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 1, ms = argc > 3 ? atoi(argv[3]) : 10;
	struct timespec a, b;
	pthread_t thread;
	unsigned long n;

	bytes = (argc > 2 ? atoi(argv[2]) : 4) << 20;
	for (int i = 0; i < threads; i++)
		pthread_create(&thread, NULL, stream, NULL);
	while (ready < threads)
		usleep(100);
	llcsim_begin("stream");
	usleep(ms * 200);
	n = chunks;
	clock_gettime(CLOCK_MONOTONIC, &a);
	usleep(ms * 1000);
	n = chunks - n;
	clock_gettime(CLOCK_MONOTONIC, &b);
	llcsim_end("stream");
	stop = 1;
	printf("MB/s %.0f\n", n * (double)CHUNK /
	       ((b.tv_sec - a.tv_sec) * 1e6 + (b.tv_nsec - a.tv_nsec) / 1e3));
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * storm JOBS COUNT: as make -j does for small files, JOBS processes each start
 * COUNT programs one after the other and wait for them. Each program works on
 * 128 KiB of its own for some 100 us.
 */
#include <sys/wait.h>

#include "bench.h"

enum { OWN_BYTES = 128 << 10, ROUNDS = 2 };

static int small_program(void)
{
	static char data[OWN_BYTES];
	int sum = 0;

	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < OWN_BYTES; i += 16)
			sum += ++data[i];
	return sum == 1;
}

static int run_one(void)
{
	pid_t child = fork();
	int status;

	if (!child) {
		execl("/proc/self/exe", "storm", NULL);
		_exit(127);
	}
	return child > 0 && waitpid(child, &status, 0) == child && !status;
}

static int job(int count)
{
	while (count--)
		if (!run_one())
			return 1;
	return 0;
}

int main(int argc, char **argv)
{
	int jobs = argument(argc, argv, 1, 0), count = argument(argc, argv, 2, 10);
	int status, failed = 0;
	u64 begin;

	if (!jobs)
		return small_program();
	begin = now();
	for (int i = 0; i < jobs; i++)
		if (!fork())
			_exit(job(count));
	for (int i = 0; i < jobs; i++)
		failed |= wait(&status) < 0 || status;
	printf("programs/ms %.2f\n", jobs * count * 1e6 / (now() - begin));
	return failed;
}

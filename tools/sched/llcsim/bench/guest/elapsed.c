// SPDX-License-Identifier: GPL-2.0-only
/* elapsed PROGRAM ARG...: runs a program, prints how many ms it took. */
#include <sys/wait.h>

#include "bench.h"

int main(int argc, char **argv)
{
	u64 begin = now();
	int status;
	pid_t child;

	if (argc < 2)
		return 2;
	child = fork();
	if (!child) {
		execvp(argv[1], argv + 1);
		perror(argv[1]);
		_exit(127);
	}
	if (child < 0 || waitpid(child, &status, 0) < 0)
		return 1;
	printf("elapsed_ms %.3f\n", (now() - begin) / 1e6);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

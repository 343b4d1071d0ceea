// SPDX-License-Identifier: GPL-2.0-only
/*
 * llcmark begin NAME | end NAME | run NAME PROGRAM ARG...
 * Opens and closes a measured region from a guest script.
 */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "llcsim.h"

static int run(const char *name, char **command)
{
	int status;
	pid_t child;

	llcsim_begin(name);
	child = fork();
	if (!child) {
		execvp(command[0], command);
		perror(command[0]);
		_exit(127);
	}
	if (child < 0 || waitpid(child, &status, 0) < 0) {
		perror("llcmark");
		return 1;
	}
	llcsim_end(name);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "begin")) {
		llcsim_begin(argv[2]);
		return 0;
	}
	if (argc == 3 && !strcmp(argv[1], "end")) {
		llcsim_end(argv[2]);
		return 0;
	}
	if (argc > 3 && !strcmp(argv[1], "run"))
		return run(argv[2], argv + 3);
	fputs("usage: llcmark begin NAME | end NAME | run NAME PROGRAM ARG...\n", stderr);
	return 2;
}

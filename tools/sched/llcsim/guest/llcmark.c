// SPDX-License-Identifier: GPL-2.0-only
/*
 * llcmark begin NAME | end NAME | run NAME PROGRAM ARG... | after MS NAME PROGRAM ARG...
 * Opens and closes a measured region from a guest script. With after the region
 * begins MS ms after the program, which should run longer.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "llcsim.h"

static int run(const char *name, int after_ms, char **command)
{
	int status;
	pid_t child;

	if (!after_ms)
		llcsim_begin(name);
	child = fork();
	if (!child) {
		execvp(command[0], command);
		perror(command[0]);
		_exit(127);
	}
	if (after_ms) {
		usleep(after_ms * 1000);
		llcsim_begin(name);
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
		return run(argv[2], 0, argv + 3);
	if (argc > 4 && !strcmp(argv[1], "after"))
		return run(argv[3], atoi(argv[2]), argv + 4);
	fputs("usage: llcmark begin NAME | end NAME | run NAME PROGRAM ARG... |\n"
	      "       after MS NAME PROGRAM ARG...\n", stderr);
	return 2;
}

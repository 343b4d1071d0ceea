// SPDX-License-Identifier: GPL-2.0-only
/*
 * llctop, see llctop.8: switches cache-aware scheduling off and on, and back to
 * what it was whatever happens. A child of its own waits for the end of a pipe
 * whose other end only llctop holds, and then writes the old value: when llctop
 * has ended, in any way, the kernel closes it.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "files.h"
#include "knob.h"
#include "status.h"

#define KNOB	"sys/kernel/debug/sched/llc_enabled"

static int guard_pipe = -1;
static pid_t guard;

/* In the child: no signal from the terminal, nor from who ends llctop's group. */
static void wait_and_restore(int fd, const char *was)
{
	char byte;

	setsid();
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	while (read(fd, &byte, 1) < 0 && errno == EINTR)
		;
	_exit(files_write(KNOB, was) ? 1 : 0);
}

/* May the feature be switched? Off for another reason it will not go on. */
static int check_status(void)
{
	struct status status;
	int error = 0;

	status_read(&status);
	if (status.feature == FEATURE_ABSENT) {
		fputs("llctop: this kernel has no cache-aware scheduling to compare\n",
		      stderr);
		error = -1;
	} else if (status.feature == FEATURE_UNKNOWN) {
		fprintf(stderr, "llctop: --compare: %s\n", status.reason);
		error = -1;
	} else if (status.feature == FEATURE_INACTIVE &&
		   !strstr(status.reason, "llc_enabled")) {
		fprintf(stderr, "llctop: cache-aware scheduling cannot be switched on: %s\n",
			status.reason);
		error = -1;
	}
	status_free(&status);
	return error;
}

/* Begins to guard the knob. Returns 0, or -1 when it has said why not. */
int knob_guard(void)
{
	char was[16];
	ssize_t length;
	int fd[2];

	if (check_status())
		return -1;
	length = files_read(was, sizeof(was), KNOB);
	if (length <= 0 || was[0] < '0' || was[0] > '9') {
		fprintf(stderr, "llctop: /%s cannot be read: %s\n", KNOB,
			length < 0 ? strerror(-length) : "no number");
		return -1;
	}
	if (pipe2(fd, O_CLOEXEC)) {
		perror("llctop: pipe");
		return -1;
	}
	guard = fork();
	if (guard < 0) {
		perror("llctop: fork");
		return -1;
	}
	if (!guard) {
		close(fd[1]);
		wait_and_restore(fd[0], was);
	}
	close(fd[0]);
	guard_pipe = fd[1];
	return 0;
}

/* 0 if there is none. */
int knob_guard_pid(void)
{
	return guard;
}

/* Returns 0, or -1 when it has said why not. */
int knob_set(int enabled)
{
	char now[16];
	int error = files_write(KNOB, enabled ? "1\n" : "0\n");

	if (error) {
		fprintf(stderr, "llctop: /%s cannot be written: %s\n", KNOB,
			geteuid() ? "root is needed" : strerror(-error));
		return -1;
	}
	if (files_read(now, sizeof(now), KNOB) <= 0 ||
	    now[0] != '0' + enabled) {
		fprintf(stderr, "llctop: the kernel does not switch cache-aware scheduling %s\n",
			enabled ? "on" : "off");
		return -1;
	}
	return 0;
}

void knob_restore(void)
{
	int status;
	pid_t pid;

	if (guard_pipe < 0)
		return;
	close(guard_pipe);
	guard_pipe = -1;
	do {
		pid = waitpid(guard, &status, 0);
	} while (pid < 0 && errno == EINTR);
	if (pid < 0 || status)
		fprintf(stderr, "llctop: /%s could not be restored\n", KNOB);
}

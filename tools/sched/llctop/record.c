// SPDX-License-Identifier: GPL-2.0-only
/*
 * llctop, see llctop.8: runs a command, once or with cache-aware scheduling off
 * and then on, looks where its threads are, and has it drawn.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "files.h"
#include "knob.h"
#include "llctop.h"
#include "options.h"
#include "record.h"
#include "status.h"
#include "svg.h"
#include "timeline.h"
#include "topology.h"
#include "tracker.h"

/* Looks may take this share of a CPU, else they become rarer. */
#define MAX_COST	0.1

/* A signal that ends llctop goes on to the command, which may care. */
static volatile sig_atomic_t stopped, child_pid;

static const int stop_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

static void stop(int signal)
{
	stopped = signal;
	/* A terminal sends these to the command itself. */
	if (child_pid > 0 && (signal == SIGTERM || signal == SIGHUP))
		kill(child_pid, signal);
}

static void catch_signals(void)
{
	struct sigaction action = { .sa_handler = stop };

	for (size_t i = 0; i < ARRAY_SIZE(stop_signals); i++)
		sigaction(stop_signals[i], &action, NULL);
}

static double seconds_of(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

static double clock_seconds(void)
{
	return seconds_of(CLOCK_MONOTONIC);
}

/* Until @time, or until the process of @pidfd has ended. */
static void wait_until(double time, int pidfd)
{
	struct pollfd end = { .fd = pidfd, .events = POLLIN };
	double left = time - clock_seconds();
	struct timespec rest;

	if (left <= 0)
		return;
	rest.tv_sec = left;
	rest.tv_nsec = (left - rest.tv_sec) * 1e9;
	ppoll(&end, 1, &rest, NULL);
}

/* A byte on @failed tells that there is no command; exec closes it. */
static void exec_command(char **command, int failed)
{
	int error;

	execvp(command[0], command);
	error = errno;
	fprintf(stderr, "llctop: %s: %s\n", command[0], strerror(error));
	if (write(failed, "", 1) < 1)
		perror("llctop: pipe");
	_exit(error == ENOENT ? 127 : 126);
}

/* Returns whether the child has become the command. */
static bool has_started(int failed[2])
{
	char byte;
	ssize_t got;

	close(failed[1]);
	do
		got = read(failed[0], &byte, 1);
	while (got < 0 && errno == EINTR);
	close(failed[0]);
	return !got;
}

/* Has the command ended? Reaps orphans that it left, too. */
static bool has_ended(pid_t command, int *status)
{
	pid_t pid;
	int any;

	while ((pid = waitpid(-1, &any, WNOHANG)) > 0) {
		if (pid == command) {
			*status = any;
			return true;
		}
	}
	return false;
}

/* As a shell tells it. */
static int exit_status(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) :
	       WEXITSTATUS(status);
}

static void follow(struct tracker *tracker, const struct record_options *options,
		   pid_t command, int *status)
{
	double begin = clock_seconds(), next = begin, now, cost;
	/* -1 with an old kernel: then the end is noticed at a look. */
	int pidfd = syscall(SYS_pidfd_open, command, 0);

	while (!has_ended(command, status)) {
		now = clock_seconds();
		cost = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
		tracker_look(tracker, now - begin);
		cost = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - cost;
		next += options->interval;
		if (next < now + cost / MAX_COST)
			next = now + cost / MAX_COST;
		wait_until(next, pidfd);
	}
	tracker->timeline->seconds = clock_seconds() - begin;
	if (pidfd >= 0)
		close(pidfd);
}

/* Runs the command and fills @timeline. Returns its exit status. */
static int run(const struct record_options *options,
	       const struct topology *topology, struct timeline *timeline)
{
	struct tracker tracker;
	int status = 0, failed[2];
	pid_t command;

	fflush(NULL);
	if (pipe2(failed, O_CLOEXEC)) {
		perror("llctop: pipe");
		return EXIT_FAILED;
	}
	command = fork();
	if (command < 0) {
		perror("llctop: fork");
		return EXIT_FAILED;
	}
	if (!command) {
		for (size_t i = 0; i < ARRAY_SIZE(stop_signals); i++)
			signal(stop_signals[i], SIG_DFL);
		exec_command(options->command, failed[1]);
	}
	timeline->has_run = has_started(failed);
	child_pid = command;
	tracker_init(&tracker, topology, timeline, command, knob_guard_pid());
	follow(&tracker, options, command, &status);
	child_pid = 0;
	tracker_free(&tracker);
	timeline_sort(timeline);
	return exit_status(status);
}

static void say(const struct timeline *timeline)
{
	struct timeline_sum sum;

	timeline_sum(timeline, &sum);
	fprintf(stderr, "llctop: %s%s%.3f s, %d threads, ",
		timeline->name, timeline->name[0] ? ": " : "",
		timeline->seconds, sum.threads);
	/* What is printed as 0 is nothing to take a share of. */
	if (sum.run >= 0.001)
		fprintf(stderr, "ran %.3f s, %.1f %% of it on the modal LLC, %d changes of LLC\n",
			sum.run, sum.modal_pct, sum.changes);
	else
		fprintf(stderr, "ran too short a time to tell where\n");
}

static char *join(char **words)
{
	char *line = must_copy("");
	size_t length = 0, more;

	for (int i = 0; words[i]; i++) {
		more = strlen(words[i]);
		line = must_grow(line, length + more + 2, 1);
		length += sprintf(line + length, "%s%s", i ? " " : "",
				  words[i]);
	}
	return line;
}

/* Of two exit statuses the first that is not 0. */
static int run_both(const struct record_options *options,
		    const struct topology *topology,
		    struct timeline *timelines, int *count)
{
	static const char * const names[] = { "off", "on" };
	int status, result = 0;

	if (knob_guard())
		return EXIT_FAILED;
	atexit(knob_restore);
	for (int i = 0; i < 2 && !stopped; i++) {
		if (knob_set(i)) {
			result = EXIT_FAILED;
			break;
		}
		timelines[i].name = names[i];
		status = run(options, topology, &timelines[i]);
		*count = i + 1;
		if (!result)
			result = status;
		if (!timelines[i].has_run)
			break;
		say(&timelines[i]);
	}
	knob_restore();
	return result;
}

static int write_drawing(const struct record_options *options,
			 const struct timeline *timelines, int count)
{
	char *command = join(options->command);
	int error = svg_write(options->file, command, timelines, count);

	if (error)
		fprintf(stderr, "llctop: %s: %s\n", options->file,
			strerror(errno));
	else
		fprintf(stderr, "llctop: wrote %s\n", options->file);
	free(command);
	return error;
}

static bool has_run(const struct timeline *timelines, int count)
{
	for (int i = 0; i < count; i++) {
		if (timelines[i].has_run)
			return true;
	}
	return false;
}

/* A file that is not there yet needs a folder that may be written to. */
static bool may_write(const char *path)
{
	char *copy;
	struct stat is;
	bool may;

	if (!stat(path, &is) && S_ISDIR(is.st_mode)) {
		errno = EISDIR;
		return false;
	}
	if (!access(path, W_OK))
		return true;
	if (errno != ENOENT)
		return false;
	copy = must_copy(path);
	may = !access(dirname(copy), W_OK);
	free(copy);
	return may;
}

int record_main(int argc, char **argv)
{
	static struct topology topology;
	struct timeline timelines[2];
	struct record_options options;
	struct status feature;
	int count = 0, status;

	options_parse_record(&options, argc, argv);
	/* Before the command runs for an hour. */
	if (!may_write(options.file)) {
		fprintf(stderr, "llctop: %s: %s\n", options.file,
			strerror(errno));
		return EXIT_FAILED;
	}
	status_read(&feature);
	topology_init(&topology);
	topology_update(&topology, &feature);
	status_free(&feature);
	for (int i = 0; i < 2; i++)
		timeline_init(&timelines[i], topology.nr_llcs);

	catch_signals();
	/* Children whose parent has ended become ours, and are still found. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (options.compare) {
		status = run_both(&options, &topology, timelines, &count);
	} else {
		status = run(&options, &topology, &timelines[0]);
		count = 1;
		if (timelines[0].has_run)
			say(&timelines[0]);
	}
	if (has_run(timelines, count) &&
	    write_drawing(&options, timelines, count) && !status)
		status = EXIT_FAILED;
	for (int i = 0; i < 2; i++)
		timeline_free(&timelines[i]);
	topology_free(&topology);
	return status;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * llctop, see llctop.8: shows where the threads of processes run on a machine
 * with several last-level caches, and what cache-aware scheduling does about
 * it (Documentation/scheduler/sched-cache.rst). Here it begins; tables and
 * documents are printed from here.
 */
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "files.h"
#include "json.h"
#include "llctop.h"
#include "once.h"
#include "options.h"
#include "record.h"
#include "sample.h"
#include "screen.h"

static volatile sig_atomic_t stopped;

static void stop(int signal)
{
	stopped = signal;
}

static void sleep_for(double seconds)
{
	struct timespec time = {
		.tv_sec = seconds,
		.tv_nsec = (seconds - (long)seconds) * 1e9,
	};

	nanosleep(&time, NULL);
}

static void take_interval(struct sample *sample, double delay)
{
	int looks = sample_nr_looks(sample, delay);

	sample_begin_interval(sample);
	for (int i = 0; i < looks && !stopped; i++) {
		if (files_are_real())
			sleep_for(delay / looks);
		files_advance();
		sample_look(sample);
	}
	sample_end_interval(sample);
}

/* A JSON document that is broken off is none: a signal ends it at an interval. */
static int print_intervals(const struct options *options)
{
	bool json = options->output == OUTPUT_JSON;
	struct sigaction action = { .sa_handler = stop };
	static struct sample sample;
	int found = 0;

	if (json) {
		sigaction(SIGINT, &action, NULL);
		sigaction(SIGTERM, &action, NULL);
	}
	sample_init(&sample, options->pids, options->nr_pids);
	if (json)
		json_begin();
	for (int i = 0; i < options->count && !stopped; i++) {
		take_interval(&sample, options->delay);
		found |= sample.nr_processes;
		if (json) {
			json_print(&sample, &options->order, options->threads,
				   !i);
		} else {
			if (i)
				putchar('\n');
			once_print(&sample, &options->order,
				   options->threads);
		}
		fflush(stdout);
	}
	if (json)
		json_end();
	sample_free(&sample);
	if (fflush(stdout) || ferror(stdout)) {
		perror("llctop: standard output");
		return EXIT_FAILED;
	}
	if (options->nr_pids && !found) {
		fputs("llctop: there is no process with such a PID\n", stderr);
		return EXIT_FAILED;
	}
	return stopped ? 128 + stopped : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	struct options options;
	int status;

	/* Not numbers: JSON wants points in them, whatever the user's locale. */
	setlocale(LC_CTYPE, "");
	files_init(getenv("LLCTOP_ROOT"));
	if (argc > 1 && !strcmp(argv[1], "record"))
		return record_main(argc - 1, argv + 1);
	options_parse(&options, argc, argv,
		      isatty(STDIN_FILENO) && isatty(STDOUT_FILENO));
	if (options.output == OUTPUT_SCREEN)
		status = screen_run(&options);
	else
		status = print_intervals(&options);
	free(options.pids);
	return status;
}

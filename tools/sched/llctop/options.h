/* SPDX-License-Identifier: GPL-2.0-only */
/* llctop, see llctop.8: the arguments. */
#ifndef LLCTOP_OPTIONS_H
#define LLCTOP_OPTIONS_H

#include <stdbool.h>

#include "columns.h"

enum output {
	OUTPUT_SCREEN,
	OUTPUT_ONCE,
	OUTPUT_JSON,
};

struct options {
	enum output output;
	double delay;		/* seconds */
	int count;		/* intervals, 0 for no end */
	int *pids;
	int nr_pids;
	bool threads;
	struct order order;
};

struct record_options {
	const char *file;
	bool compare;
	double interval;	/* seconds between looks */
	char **command;
};

void options_parse(struct options *options, int argc, char **argv,
		   bool terminal);
void options_parse_record(struct record_options *options, int argc,
			  char **argv);
bool parse_seconds(const char *text, double least, double most, double *value);
bool parse_count(const char *text, int *value);
int parse_pids(const char *text, int **pids);

#endif /* LLCTOP_OPTIONS_H */

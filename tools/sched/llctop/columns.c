// SPDX-License-Identifier: GPL-2.0-only
/*
 * llctop, see llctop.8: the columns of the tables of processes, the order of
 * the rows and the texts in them. Where homes are not known, the LLC with the
 * most run time takes their place.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bars.h"
#include "columns.h"
#include "llctop.h"
#include "utf8.h"

/* A bar of shares has a character for each LLC, up to here. */
#define MAX_BAR		16

static const struct {
	const char *key;
	const char *title, *placement_title;
	int width;
	bool left;
} columns[NR_COLUMNS] = {
	[COLUMN_PID]	  = { "pid",	 "PID",	    NULL,    7,	 false },
	[COLUMN_USER]	  = { "user",	 "USER",    NULL,    8,	 true },
	[COLUMN_THREADS]  = { "threads", "THR",	    NULL,    4,	 false },
	[COLUMN_CPU]	  = { "cpu",	 "CPU%",    NULL,    6,	 false },
	[COLUMN_HOME]	  = { "home",	 "HOME",    "MOST",  6,	 true },
	[COLUMN_HOME_PCT] = { "home%",	 "HOME%",   "MOST%", 5,	 false },
	[COLUMN_MOVES]	  = { "moves",	 "MOVES/s", NULL,    7,	 false },
	[COLUMN_STATE]	  = { "state",	 "STATE",   NULL,    8,	 true },
	[COLUMN_REASON]	  = { "reason",	 "REASON",  NULL,    16, true },
	[COLUMN_SHARE]	  = { "share",	 "SHARE",   NULL,    5,	 true },
	[COLUMN_COMMAND]  = { "command", "COMMAND", NULL,    12, true },
};

/* Returns the column, or -1. */
int column_find(const char *key)
{
	for (int i = 0; i < NR_COLUMNS; i++) {
		if (!strcmp(columns[i].key, key))
			return i;
	}
	return -1;
}

const char *column_key(enum column column)
{
	return columns[column].key;
}

const char *column_title(enum column column, bool homes)
{
	if (!homes && columns[column].placement_title)
		return columns[column].placement_title;
	return columns[column].title;
}

bool column_is_left(enum column column)
{
	return columns[column].left;
}

int column_width(enum column column, int nr_llcs)
{
	int bar = nr_llcs < MAX_BAR ? nr_llcs : MAX_BAR;

	if (column == COLUMN_SHARE && bar > columns[column].width)
		return bar;
	return columns[column].width;
}

/*
 * Which columns have room in @width: the important ones first. Returns what is
 * left for the command.
 */
int columns_fit(int width, int nr_llcs, bool *shown)
{
	static const enum column important[] = {
		COLUMN_COMMAND, COLUMN_PID, COLUMN_CPU, COLUMN_HOME,
		COLUMN_HOME_PCT, COLUMN_SHARE, COLUMN_THREADS, COLUMN_STATE,
		COLUMN_MOVES, COLUMN_USER, COLUMN_REASON,
	};
	int used = 0, more;

	for (int i = 0; i < NR_COLUMNS; i++)
		shown[i] = false;
	for (size_t i = 0; i < ARRAY_SIZE(important); i++) {
		more = column_width(important[i], nr_llcs) + 1;
		if (i && used + more > width)
			break;
		shown[important[i]] = true;
		used += more;
	}
	return columns[COLUMN_COMMAND].width + width - used;
}

static void home_text(const struct sample *sample,
		      const struct process *process, char *buf, size_t size)
{
	if (!sample->homes && process->most_llc >= 0)
		snprintf(buf, size, "%d", process->most_llc);
	else if (!sample->homes || !process->group.has_home)
		snprintf(buf, size, "-");
	else if (!index_set_count(&process->group.home))
		snprintf(buf, size, "none");
	else
		index_set_format(&process->group.home, buf, size);
}

static double home_pct(const struct sample *sample,
		       const struct process *process)
{
	if (!sample->homes)
		return process->most_llc < 0 ? -1 : process->most_pct;
	return process->group.home_pct;
}

static const char *or_dash(const char *text)
{
	return text[0] ? text : "-";
}

/* The text of a cell, without control characters; numbers are right as they are. */
void column_text(enum column column, const struct sample *sample,
		 const struct process *process, char *buf, size_t size)
{
	switch (column) {
	case COLUMN_PID:
		snprintf(buf, size, "%d", process->pid);
		break;
	case COLUMN_USER:
		snprintf(buf, size, "%s", process->user);
		break;
	case COLUMN_THREADS:
		snprintf(buf, size, "%d", process->nr_threads);
		break;
	case COLUMN_CPU:
		snprintf(buf, size, "%.1f", process->cpu_pct);
		break;
	case COLUMN_HOME:
		home_text(sample, process, buf, size);
		break;
	case COLUMN_HOME_PCT:
		if (home_pct(sample, process) < 0)
			snprintf(buf, size, "-");
		else
			snprintf(buf, size, "%.0f", home_pct(sample, process));
		break;
	case COLUMN_MOVES:
		snprintf(buf, size, "%.1f", process_moves_per_s(process));
		break;
	case COLUMN_STATE:
		snprintf(buf, size, "%s", or_dash(process->state));
		break;
	case COLUMN_REASON:
		snprintf(buf, size, "%s", or_dash(process->group.reason));
		break;
	case COLUMN_SHARE:
		list_shares(buf, size, process->by_llc,
			    sample->topology.nr_llcs);
		break;
	case COLUMN_COMMAND:
		snprintf(buf, size, "%s", process->command);
		break;
	case NR_COLUMNS:
		break;
	}
	utf8_clean(buf);
}

/* What sort_array() has no parameter for */
static const struct sample *sorted_sample;
static const struct order *sorted_order;

static int compare_numbers(double a, double b)
{
	return (a > b) - (a < b);
}

/* Numbers in descending order, names and PIDs in ascending order. */
static int compare_by(enum column by, const struct process *a,
		      const struct process *b)
{
	switch (by) {
	case COLUMN_USER:
		return strcmp(a->user, b->user);
	case COLUMN_THREADS:
		return b->nr_threads - a->nr_threads;
	case COLUMN_CPU:
		return compare_numbers(b->cpu_pct, a->cpu_pct);
	case COLUMN_HOME:
		if (!sorted_sample->homes)
			return a->most_llc - b->most_llc;
		return index_set_first(&a->group.home, 0) -
		       index_set_first(&b->group.home, 0);
	case COLUMN_HOME_PCT:
		return compare_numbers(home_pct(sorted_sample, b),
				       home_pct(sorted_sample, a));
	case COLUMN_MOVES:
		return compare_numbers(process_moves_per_s(b),
				       process_moves_per_s(a));
	case COLUMN_STATE:
		return strcmp(a->state, b->state);
	case COLUMN_REASON:
		return strcmp(a->group.reason, b->group.reason);
	case COLUMN_SHARE:
		return compare_numbers(b->most_pct, a->most_pct);
	case COLUMN_COMMAND:
		return strcmp(a->command, b->command);
	case COLUMN_PID:
	case NR_COLUMNS:
		break;
	}
	return a->pid - b->pid;
}

static int compare_rows(const void *x, const void *y)
{
	const struct process *a = *(const struct process **)x;
	const struct process *b = *(const struct process **)y;
	int result = compare_by(sorted_order->by, a, b);

	if (result)
		return sorted_order->reverse ? -result : result;
	return a->pid - b->pid;
}

static bool contains(const char *text, const char *part)
{
	size_t length = strlen(part);

	for (; *text; text++) {
		if (!strncasecmp(text, part, length))
			return true;
	}
	return false;
}

/* Does the command, the user or the PID contain @filter, whatever its case? */
bool columns_match(const struct process *process, const char *filter)
{
	char pid[16];

	if (!filter[0])
		return true;
	snprintf(pid, sizeof(pid), "%d", process->pid);
	return contains(process->command, filter) ||
	       contains(process->user, filter) || contains(pid, filter);
}

/* Fills @rows, which has room for all processes. Returns how many are shown. */
int columns_sort(const struct sample *sample, const struct order *order,
		 const struct process **rows)
{
	int count = 0;

	for (int i = 0; i < sample->nr_processes; i++) {
		if (columns_match(&sample->processes[i], order->filter))
			rows[count++] = &sample->processes[i];
	}
	sorted_sample = sample;
	sorted_order = order;
	sort_array(rows, count, sizeof(*rows), compare_rows);
	return count;
}

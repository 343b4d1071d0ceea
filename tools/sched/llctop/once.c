// SPDX-License-Identifier: GPL-2.0-only
/*
 * llctop, see llctop.8: a plain table, for --once and for what is no terminal.
 * Lines are as long as they have to be.
 */
#include <stdio.h>
#include <stdlib.h>

#include "bars.h"
#include "once.h"
#include "utf8.h"

#define SHARE_WIDTH	22

static void print_llcs(const struct sample *sample)
{
	const struct topology *topology = &sample->topology;
	const struct llc *llc;
	char cpus[80], size[16];

	printf("%3s %-20s %4s %6s %6s %5s\n", "LLC", "CPUS", "NODE", "SIZE",
	       "LOAD%", sample->homes ? "HOMES" : "MOST");
	for (int i = 0; i < topology->nr_llcs; i++) {
		llc = &topology->llc[i];
		index_set_format(&llc->cpus, cpus, sizeof(cpus));
		short_size(size, sizeof(size), llc->bytes);
		printf("%3d %-20s ", i, cpus);
		if (llc->node >= 0)
			printf("%4d ", llc->node);
		else
			printf("%4s ", "-");
		printf("%6s ", size);
		if (llc->online)
			printf("%6.1f ", sample->load[i].pct);
		else
			printf("%6s ", "off");
		printf("%5d\n", sample->load[i].processes);
	}
}

static int width_of(enum column column)
{
	return column == COLUMN_SHARE ? SHARE_WIDTH : column_width(column, 1);
}

static void print_cell(enum column column, const char *text)
{
	if (column == COLUMN_COMMAND)
		printf("%s\n", text);
	else if (column_is_left(column))
		printf("%-*s ", width_of(column), text);
	else
		printf("%*s ", width_of(column), text);
}

/* In the columns of their process; where it has a reason, they have their LLC. */
static void print_threads(const struct sample *sample,
			  const struct process *process)
{
	const struct thread *thread;
	char share[64], comm[64], llc[16];

	for (int i = 0; i < process->nr_threads; i++) {
		thread = &process->threads[i];
		list_shares(share, sizeof(share), thread->by_llc,
			    sample->topology.nr_llcs);
		snprintf(comm, sizeof(comm), "%s", thread->comm);
		utf8_clean(comm);
		snprintf(llc, sizeof(llc), "llc-%d", thread->llc);
		printf("%7d %-8s %4s %6.1f %-6s %5s %7.1f %-8s %-16s %-*s  %s\n",
		       thread->tid, "-", "-", thread->cpu_pct, "-", "-",
		       thread->moves_per_s,
		       thread->sched.state[0] ? thread->sched.state : "-",
		       thread->llc < 0 ? "-" : llc, SHARE_WIDTH, share, comm);
	}
}

static void print_processes(const struct sample *sample,
			    const struct order *order, bool threads)
{
	const struct process **rows;
	char cell[4097];
	int count;

	rows = must_alloc(sample->nr_processes, sizeof(*rows));
	count = columns_sort(sample, order, rows);
	for (int c = 0; c < NR_COLUMNS; c++)
		print_cell(c, column_title(c, sample->homes));
	for (int i = 0; i < count; i++) {
		for (int c = 0; c < NR_COLUMNS; c++) {
			column_text(c, sample, rows[i], cell, sizeof(cell));
			print_cell(c, cell);
		}
		if (threads)
			print_threads(sample, rows[i]);
	}
	free(rows);
}

static void print_counters(const struct status *status)
{
	if (status->groups < 0 && status->holds < 0)
		return;
	printf("groups %lld, moves since boot:", status->groups);
	for (int i = 0; i < MOVE_KINDS; i++) {
		if (status->moves[i] >= 0)
			printf(" %s %lld", move_names[i], status->moves[i]);
	}
	printf(", holds %lld, spills %lld\n", status->holds, status->spills);
}

void once_print(const struct sample *sample, const struct order *order,
		bool threads)
{
	char message[256];

	status_message(&sample->status, sample->homes, message,
		       sizeof(message));
	puts(message);
	if (sample->topology.source > FROM_CACHES)
		puts("sysfs does not tell of caches: a package counts as an LLC");
	print_counters(&sample->status);
	putchar('\n');
	print_llcs(sample);
	putchar('\n');
	print_processes(sample, order, threads);
}

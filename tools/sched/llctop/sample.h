/* SPDX-License-Identifier: GPL-2.0-only */
/* llctop, see llctop.8: what is known of processes and LLCs, look by look. */
#ifndef LLCTOP_SAMPLE_H
#define LLCTOP_SAMPLE_H

#include "procfile.h"
#include "schedfile.h"
#include "status.h"
#include "topology.h"

/*
 * A look reads where each thread is and how long it has run; the run time since
 * the last look counts for the LLC where the thread is. An interval is some
 * looks; what is shown is of an interval. Shares are older, too: they are
 * halved at the end of each.
 */
struct thread {
	int tid;
	unsigned long long start;
	char comm[64];
	char run_state;
	int cpu, llc;		/* -1 if on none */
	unsigned long long run_ns;	/* since it began */
	double *by_llc;		/* run time, ns, halved each interval */

	/* Of the interval */
	double interval_ns;
	int changes;		/* of the LLC, seen by looks */
	double cpu_pct, changes_per_s, moves_per_s;

	/* From the sched file */
	struct sched_thread sched;
	long long moved[MOVE_KINDS];	/* in the interval */
	bool has_moved;
};

struct process {
	int pid, uid;
	unsigned long long start;
	char comm[64];
	char *user, *command;	/* as they are, not cleaned */
	bool fresh;		/* both have to be read */
	int nr_threads;
	struct thread *threads;
	double *by_llc;

	/* Of the interval */
	double interval_ns;
	double cpu_pct, changes_per_s;
	int most_llc;		/* -1 if it has not run */
	double most_pct;

	/* From the sched files */
	bool has_lines;
	struct sched_group group;
	char state[16];
	double *run;		/* running threads by LLC, or NULL */
	bool has_moves;
	double moves_per_s[MOVE_KINDS];
};

struct llc_load {
	double pct;		/* of the time of its online CPUs */
	int processes;		/* at home there, or most of them there */
};

struct sample {
	/* Which processes; all multithreaded ones if there are none */
	const int *pids;
	int nr_pids;

	struct status status;
	struct topology topology;
	double time, begin;	/* seconds since boot */
	double cost;		/* seconds that the last look took */
	int nr_processes;
	struct process *processes;	/* by PID */
	struct llc_load *load;
	bool homes;		/* some process tells of a home */

	struct cpu_time cpu_time[MAX_INDEX];
};

void sample_init(struct sample *sample, const int *pids, int nr_pids);
void sample_begin_interval(struct sample *sample);
void sample_look(struct sample *sample);
void sample_end_interval(struct sample *sample);
void sample_copy(struct sample *to, const struct sample *from);
void sample_free(struct sample *sample);
int sample_nr_looks(const struct sample *sample, double delay);
double sample_seconds(const struct sample *sample);
double process_moves_per_s(const struct process *process);

#endif /* LLCTOP_SAMPLE_H */

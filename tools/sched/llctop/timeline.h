/* SPDX-License-Identifier: GPL-2.0-only */
/* llctop, see llctop.8: where the threads of a command ran, and when. */
#ifndef LLCTOP_TIMELINE_H
#define LLCTOP_TIMELINE_H

#include <stdbool.h>

#include "topology.h"

/* From @begin to @end a thread ran for @run seconds, on @llc. */
struct span {
	float begin, end, run;
	int llc;
};

struct track {
	int pid, tid;
	unsigned long long start;
	char comm[64];
	unsigned long long run_ns;
	int llc;		/* at the last look; -1 if on none */
	double last;		/* time of it */
	double run;		/* seconds on all LLCs */
	int changes;		/* of the LLC */
	int nr_spans, room;
	struct span *spans;
};

struct timeline {
	const char *name;	/* "off", "on" or empty */
	int nr_llcs;
	bool has_run;		/* the command was there */
	double seconds;		/* from begin to end of the command */
	int looks;
	int nr_tracks, room;
	struct track *tracks;
	int nr_slots;
	int *slots;		/* tracks by TID, a hash table */
	double *by_llc;		/* run time, seconds */
};

/* Sums over a timeline */
struct timeline_sum {
	double run;		/* seconds */
	double modal_pct;	/* of it was on the modal LLC of its process */
	int changes, threads, processes;
};

void timeline_init(struct timeline *timeline, int nr_llcs);
void timeline_free(struct timeline *timeline);
struct track *timeline_track(struct timeline *timeline, int pid, int tid,
			     unsigned long long start, const char *comm);
void timeline_add(struct timeline *timeline, struct track *track, double time,
		  int llc, unsigned long long run_ns);
void timeline_sort(struct timeline *timeline);
int timeline_windows(const struct timeline *timeline);
void timeline_modal(const struct timeline *timeline, int nr_windows,
		    double *modal, double *run);
void timeline_sum(const struct timeline *timeline, struct timeline_sum *sum);
void track_spread(const struct track *track, double begin, double width,
		  int columns, int nr_llcs, double *run);

#endif /* LLCTOP_TIMELINE_H */

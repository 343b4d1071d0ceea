// SPDX-License-Identifier: GPL-2.0-only
/*
 * llctop, see llctop.8: where the threads of a command ran, and when. A track
 * is a thread, a span the time in which it ran without a break on one LLC, as
 * far as looks can tell. Nothing here reads a file.
 *
 * The modal LLC of a process is the one with the most of its run time in a
 * window of time. For windows w and processes p
 *
 *	share = sum(max over LLCs of run(w, p, LLC)) / sum(run(w, p))
 *
 * is 1 if the threads of each process ran together, even if the process moved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bars.h"
#include "llctop.h"
#include "timeline.h"

/* Windows: so many of a command, but none shorter than some looks. */
#define MAX_WINDOWS	100
#define MIN_WINDOW	0.05

void timeline_init(struct timeline *timeline, int nr_llcs)
{
	memset(timeline, 0, sizeof(*timeline));
	timeline->name = "";
	timeline->nr_llcs = nr_llcs;
	timeline->by_llc = must_alloc(nr_llcs, sizeof(double));
}

void timeline_free(struct timeline *timeline)
{
	for (int i = 0; i < timeline->nr_tracks; i++)
		free(timeline->tracks[i].spans);
	free(timeline->tracks);
	free(timeline->slots);
	free(timeline->by_llc);
}

/* The slot of a thread, or the free one where it belongs. */
static int *find_slot(const struct timeline *timeline, int tid,
		      unsigned long long start)
{
	unsigned int mask = timeline->nr_slots - 1, i = tid * 2654435761u;
	const struct track *track;

	for (;; i++) {
		if (timeline->slots[i & mask] < 0)
			break;
		track = &timeline->tracks[timeline->slots[i & mask]];
		if (track->tid == tid && track->start == start)
			break;
	}
	return &timeline->slots[i & mask];
}

/* Twice as many slots as tracks, at least. */
static void make_slots(struct timeline *timeline)
{
	const struct track *track;

	timeline->nr_slots = timeline->nr_slots ? timeline->nr_slots * 2 : 64;
	timeline->slots = must_grow(timeline->slots, timeline->nr_slots,
				    sizeof(int));
	for (int i = 0; i < timeline->nr_slots; i++)
		timeline->slots[i] = -1;
	for (int i = 0; i < timeline->nr_tracks; i++) {
		track = &timeline->tracks[i];
		*find_slot(timeline, track->tid, track->start) = i;
	}
}

/* The track of a thread, a new one if need be; valid until the next call. */
struct track *timeline_track(struct timeline *timeline, int pid, int tid,
			     unsigned long long start, const char *comm)
{
	struct track *track;
	int *slot;

	if (timeline->nr_slots <= timeline->nr_tracks * 2)
		make_slots(timeline);
	slot = find_slot(timeline, tid, start);
	if (*slot >= 0) {
		track = &timeline->tracks[*slot];
	} else {
		if (timeline->nr_tracks == timeline->room) {
			timeline->room += 16 + timeline->room;
			timeline->tracks = must_grow(timeline->tracks,
						     timeline->room,
						     sizeof(*track));
		}
		*slot = timeline->nr_tracks;
		track = &timeline->tracks[timeline->nr_tracks++];
		memset(track, 0, sizeof(*track));
		track->pid = pid;
		track->tid = tid;
		track->start = start;
		track->llc = -1;
		track->last = -1;
	}
	/* exec and prctl change it: the last one stays. */
	snprintf(track->comm, sizeof(track->comm), "%s", comm);
	return track;
}

static struct span *add_span(struct track *track)
{
	if (track->nr_spans == track->room) {
		track->room += 8 + track->room;
		track->spans = must_grow(track->spans, track->room,
					 sizeof(struct span));
	}
	return &track->spans[track->nr_spans++];
}

/* Does what follows go on where the last span ended, about as busy? */
static bool goes_on(const struct span *span, double begin, double end,
		    double run, int llc)
{
	double was = span->run / (span->end - span->begin);
	double now = run / (end - begin);

	return span->llc == llc && span->end > begin - 0.00001 &&
	       now - was < 0.2 && was - now < 0.2;
}

/**
 * timeline_add - a look at a thread
 * @timeline:	to which it belongs
 * @track:	the thread
 * @time:	seconds since the command began
 * @llc:	where it is; -1 if on none
 * @run_ns:	how long it has run since it began
 */
void timeline_add(struct timeline *timeline, struct track *track, double time,
		  int llc, unsigned long long run_ns)
{
	double ran = run_ns > track->run_ns ? run_ns - track->run_ns : 0;
	double begin = track->last >= 0 ? track->last : time - ran / 1e9;
	struct span *span;

	ran /= 1e9;
	if (begin < 0)
		begin = 0;
	if (ran > time - begin)
		ran = time - begin;
	if (llc >= 0 && ran > 0) {
		span = track->nr_spans ? &track->spans[track->nr_spans - 1] :
		       NULL;
		if (span && goes_on(span, begin, time, ran, llc)) {
			span->end = time;
			span->run += ran;
		} else {
			*add_span(track) = (struct span) {
				begin, time, ran, llc
			};
		}
		track->run += ran;
		timeline->by_llc[llc] += ran;
	}
	if (llc >= 0 && track->llc >= 0 && llc != track->llc)
		track->changes++;
	if (llc >= 0)
		track->llc = llc;
	track->run_ns = run_ns;
	track->last = time;
}

static int compare_tracks(const void *x, const void *y)
{
	const struct track *a = x, *b = y;

	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return (a->tid > b->tid) - (a->tid < b->tid);
}

/* Threads of a process side by side; timeline_track() may not follow. */
void timeline_sort(struct timeline *timeline)
{
	sort_array(timeline->tracks, timeline->nr_tracks,
		   sizeof(*timeline->tracks), compare_tracks);
}

/**
 * track_spread - add the run time of a thread to columns of time
 * @track:	the thread
 * @begin:	of the first column
 * @width:	of each, in seconds
 * @columns:	how many there are
 * @nr_llcs:	values in each
 * @run:	@columns times @nr_llcs of them, seconds
 */
void track_spread(const struct track *track, double begin, double width,
		  int columns, int nr_llcs, double *run)
{
	const struct span *span;
	double from, to, rate;
	int first, last;

	for (int i = 0; i < track->nr_spans; i++) {
		span = &track->spans[i];
		if (span->end <= span->begin)
			continue;
		rate = span->run / (span->end - span->begin);
		first = (span->begin - begin) / width;
		last = (span->end - begin) / width;
		for (int c = first; c <= last && c < columns; c++) {
			from = begin + c * width;
			to = from + width;
			if (from < span->begin)
				from = span->begin;
			if (to > span->end)
				to = span->end;
			if (to > from)
				run[c * nr_llcs + span->llc] += (to - from) *
								rate;
		}
	}
}

int timeline_windows(const struct timeline *timeline)
{
	int windows = timeline->seconds / MIN_WINDOW;

	return windows < 1 ? 1 : windows > MAX_WINDOWS ? MAX_WINDOWS : windows;
}

/* Adds what a process ran in each window, and what of it on its modal LLC. */
static void add_process(const double *by_llc, int nr_windows, int nr_llcs,
			double *modal, double *run)
{
	const double *window;
	int most;

	for (int w = 0; w < nr_windows; w++) {
		window = by_llc + w * nr_llcs;
		most = most_of(window, nr_llcs);
		if (most < 0)
			continue;
		modal[w] += window[most];
		run[w] += sum_of(window, nr_llcs);
	}
}

/* By window: run time, and run time on the modal LLC of its process. */
void timeline_modal(const struct timeline *timeline, int nr_windows,
		    double *modal, double *run)
{
	int nr_llcs = timeline->nr_llcs, size = nr_windows * nr_llcs;
	double width = timeline->seconds / nr_windows;
	double *by_llc = must_alloc(size, sizeof(double));
	const struct track *track;

	memset(modal, 0, nr_windows * sizeof(double));
	memset(run, 0, nr_windows * sizeof(double));
	for (int i = 0; width > 0 && i < timeline->nr_tracks; i++) {
		track = &timeline->tracks[i];
		track_spread(track, 0, width, nr_windows, nr_llcs, by_llc);
		if (i + 1 < timeline->nr_tracks && track[1].pid == track->pid)
			continue;
		add_process(by_llc, nr_windows, nr_llcs, modal, run);
		memset(by_llc, 0, size * sizeof(double));
	}
	free(by_llc);
}

void timeline_sum(const struct timeline *timeline, struct timeline_sum *sum)
{
	int nr_windows = timeline_windows(timeline);
	double *modal = must_alloc(nr_windows, sizeof(double));
	double *run = must_alloc(nr_windows, sizeof(double));
	const struct track *track;

	memset(sum, 0, sizeof(*sum));
	timeline_modal(timeline, nr_windows, modal, run);
	sum->run = sum_of(run, nr_windows);
	sum->modal_pct = share_pct(sum_of(modal, nr_windows), sum->run);
	sum->threads = timeline->nr_tracks;
	for (int i = 0; i < timeline->nr_tracks; i++) {
		track = &timeline->tracks[i];
		sum->changes += track->changes;
		sum->processes += !i || track[-1].pid != track->pid;
	}
	free(modal);
	free(run);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * llctop, see llctop.8: draws timelines, one under the other on one scale of
 * time: a row for each thread, or for each process where there are many, in the
 * color of the LLC, paler where it ran less; below, the share of run time on the
 * modal LLC.
 */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bars.h"
#include "llctop.h"
#include "svg.h"
#include "utf8.h"

/* Pixels */
#define WIDTH		1200
#define LEFT		190
#define PLOT		(WIDTH - LEFT - 20)
#define TOP		84
#define ROW		14
#define GAP		3
#define SHARE_HEIGHT	80
#define LEGEND_ITEM	76
#define PER_LEGEND_ROW	((WIDTH - 40) / LEGEND_ITEM)

/* A row for each thread up to here, then for each process, then the busiest. */
#define MAX_ROWS	64

struct row {
	const struct track *first;
	int count;		/* tracks */
	double run;
};

struct drawing {
	FILE *file;
	double seconds;		/* the time scale */
	int columns;		/* PLOT pixels, one each */
};

/* The colors that differ most first, then around the circle. */
static void llc_color(int llc, char *buf, size_t size)
{
	static const char * const first[] = {
		"#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd",
		"#8c564b", "#e377c2", "#17becf", "#bcbd22", "#7f7f7f",
	};

	if (llc < (int)ARRAY_SIZE(first))
		snprintf(buf, size, "%s", first[llc]);
	else
		snprintf(buf, size, "hsl(%d,65%%,%d%%)", llc * 137 % 360,
			 40 + llc % 3 * 12);
}

__attribute__((format(printf, 5, 6)))
static void text_at(const struct drawing *d, double x, double y,
		    const char *class, const char *format, ...)
{
	char text[4096];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	fprintf(d->file, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, class);
	utf8_print_xml(d->file, text);
	fputs("</text>\n", d->file);
}

static void line_at(const struct drawing *d, double x1, double y1, double x2,
		    double y2)
{
	fprintf(d->file,
		"<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
		x1, y1, x2, y2);
}

/* Three steps are told apart, more are not. */
static int shade_of(double busy)
{
	return busy <= 0.001 ? 0 : busy < 0.25 ? 1 : busy < 0.7 ? 2 : 3;
}

static void draw_rect(const struct drawing *d, int from, int to, double y,
		      int llc, int shade)
{
	static const char * const opacity[] = { "0", ".4", ".7", "1" };
	char color[32];

	llc_color(llc, color, sizeof(color));
	fprintf(d->file,
		"<rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%d\" fill=\"%s\" fill-opacity=\"%s\"/>\n",
		LEFT + from, y, to - from, ROW - GAP, color, opacity[shade]);
}

/* Columns side by side that look the same are one rectangle. */
static void draw_columns(const struct drawing *d, const double *run,
			 int nr_llcs, int threads, double y)
{
	double width = d->seconds / d->columns;
	int llc, shade, last_llc = -1, last_shade = 0, from = 0;

	for (int c = 0; c <= d->columns; c++) {
		llc = c < d->columns ? most_of(run + c * nr_llcs, nr_llcs) : -1;
		shade = llc < 0 ? 0 : shade_of(sum_of(run + c * nr_llcs,
						      nr_llcs) /
					       width / threads);
		if (llc == last_llc && shade == last_shade)
			continue;
		if (last_llc >= 0 && last_shade)
			draw_rect(d, from, c, y, last_llc, last_shade);
		from = c;
		last_llc = llc;
		last_shade = shade;
	}
}

static void draw_row(const struct drawing *d, const struct row *row,
		     int nr_llcs, double y)
{
	double *run = must_alloc(d->columns * nr_llcs, sizeof(double));
	const struct track *track = row->first;

	for (int i = 0; i < row->count; i++)
		track_spread(&track[i], 0, d->seconds / d->columns, d->columns,
			     nr_llcs, run);
	if (row->count == 1)
		text_at(d, LEFT - 6, y + ROW - GAP - 1, "row", "%.20s %d",
			track->comm, track->tid);
	else
		text_at(d, LEFT - 6, y + ROW - GAP - 1, "row",
			"%.14s %d (%d)", track->comm, track->pid, row->count);
	draw_columns(d, run, nr_llcs, row->count, y);
	free(run);
}

static int compare_rows(const void *x, const void *y)
{
	const struct row *a = x, *b = y;

	return a->run < b->run ? 1 : a->run > b->run ? -1 : 0;
}

static int compare_places(const void *x, const void *y)
{
	const struct row *a = x, *b = y;

	return (a->first > b->first) - (a->first < b->first);
}

/* By thread if there is room, else by process. Returns how many. */
static int make_rows(const struct timeline *timeline, struct row **rows)
{
	bool by_thread = timeline->nr_tracks <= MAX_ROWS;
	const struct track *track;
	int count = 0;

	*rows = must_alloc(timeline->nr_tracks, sizeof(struct row));
	for (int i = 0; i < timeline->nr_tracks; i++) {
		track = &timeline->tracks[i];
		if (by_thread || !i || track[-1].pid != track->pid)
			(*rows)[count++].first = track;
		(*rows)[count - 1].count++;
		(*rows)[count - 1].run += track->run;
	}
	return count;
}

/* Of too many rows those that ran most, in their places. */
static int keep_busiest(struct row *rows, int count)
{
	if (count <= MAX_ROWS)
		return count;
	sort_array(rows, count, sizeof(*rows), compare_rows);
	sort_array(rows, MAX_ROWS, sizeof(*rows), compare_places);
	return MAX_ROWS;
}

/* 1, 2 or 5 times a power of ten, for about ten steps. */
static double step_of(double seconds)
{
	double step = pow(10, floor(log10(seconds / 5)));

	if (seconds / step > 25)
		return step * 5;
	if (seconds / step > 12)
		return step * 2;
	return step;
}

static void draw_time(const struct drawing *d, double top, double bottom)
{
	double step = step_of(d->seconds), x;

	fputs("<g stroke=\"#ddd\">\n", d->file);
	for (int i = 0; i * step <= d->seconds * 1.0001; i++) {
		x = LEFT + i * step / d->seconds * PLOT;
		line_at(d, x, top, x, bottom);
	}
	fputs("</g>\n", d->file);
	for (int i = 0; i * step <= d->seconds * 1.0001; i++)
		text_at(d, LEFT + i * step / d->seconds * PLOT, bottom + 14,
			"tick", "%g s", i * step);
}

static void draw_share(const struct drawing *d,
		       const struct timeline *timeline, double y)
{
	int nr_windows = timeline_windows(timeline);
	double *modal = must_alloc(nr_windows, sizeof(double));
	double *run = must_alloc(nr_windows, sizeof(double));
	double x, share;
	bool pen = false;

	timeline_modal(timeline, nr_windows, modal, run);
	text_at(d, LEFT - 6, y + 10, "row", "modal LLC, 100 %%");
	text_at(d, LEFT - 6, y + SHARE_HEIGHT, "row", "0 %%");
	fputs("<path fill=\"none\" stroke=\"#222\" stroke-width=\"1.5\" d=\"M0 0", d->file);
	for (int w = 0; w < nr_windows; w++) {
		if (run[w] <= 0) {
			pen = false;
			continue;
		}
		share = modal[w] / run[w];
		x = LEFT + (double)w / nr_windows * timeline->seconds /
		    d->seconds * PLOT;
		fprintf(d->file, "%c%.1f %.1fH%.1f", pen ? 'L' : 'M', x,
			y + SHARE_HEIGHT * (1 - share),
			x + timeline->seconds / nr_windows / d->seconds * PLOT);
		pen = true;
	}
	fputs("\"/>\n", d->file);
	free(modal);
	free(run);
}

static double height_of(const struct timeline *timeline)
{
	struct row *rows;
	int count = make_rows(timeline, &rows);

	count = keep_busiest(rows, count);
	free(rows);
	return 24 + count * ROW + 34 + SHARE_HEIGHT + 44;
}

/* Returns where it ends. */
static double draw_timeline(const struct drawing *d,
			    const struct timeline *timeline, double y)
{
	struct timeline_sum sum;
	struct row *rows;
	int all = make_rows(timeline, &rows), count;
	double top;

	timeline_sum(timeline, &sum);
	count = keep_busiest(rows, all);
	text_at(d, LEFT, y + 12, "head",
		"%s%s%.3f s, %d threads in %d processes, %.1f %% of run time on the modal LLC, %d changes of LLC%s",
		timeline->name, timeline->name[0] ? ": " : "",
		timeline->seconds, sum.threads, sum.processes, sum.modal_pct,
		sum.changes, all > count ? ", the busiest processes:" : "");
	y += 24;
	top = y;
	draw_time(d, top, top + count * ROW);
	for (int i = 0; i < count; i++, y += ROW)
		draw_row(d, &rows[i], timeline->nr_llcs, y);
	y += 34;
	draw_time(d, y, y + SHARE_HEIGHT);
	draw_share(d, timeline, y);
	free(rows);
	return y + SHARE_HEIGHT + 44;
}

static double legend_height(int nr_llcs)
{
	return (nr_llcs + PER_LEGEND_ROW - 1) / PER_LEGEND_ROW * 18;
}

static void draw_legend(const struct drawing *d, int nr_llcs)
{
	char color[32];

	for (int i = 0; i < nr_llcs; i++) {
		double x = 20 + i % PER_LEGEND_ROW * LEGEND_ITEM;
		double y = 44 + i / PER_LEGEND_ROW * 18;

		llc_color(i, color, sizeof(color));
		fprintf(d->file,
			"<rect x=\"%.0f\" y=\"%.0f\" width=\"12\" height=\"12\" fill=\"%s\"/>\n",
			x, y, color);
		text_at(d, x + 17, y + 10, "key", "LLC %d", i);
	}
}

static void draw(struct drawing *d, const char *command,
		 const struct timeline *timelines, int count)
{
	int nr_llcs = timelines[0].nr_llcs;
	double y = TOP + legend_height(nr_llcs) - 18, height = y;

	for (int i = 0; i < count; i++)
		height += height_of(&timelines[i]);
	fprintf(d->file,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" viewBox=\"0 0 %d %.0f\">\n"
		"<style>text{font:11px sans-serif;fill:#222}.title{font-size:16px;font-weight:bold}.head{font-size:13px;font-weight:bold}.row{text-anchor:end}.tick{text-anchor:middle;fill:#666}</style>\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
		WIDTH, height, WIDTH, height);
	text_at(d, 20, 26, "title", "%.150s", command);
	draw_legend(d, nr_llcs);
	for (int i = 0; i < count; i++)
		y = draw_timeline(d, &timelines[i], y);
	fputs("</svg>\n", d->file);
}

/* Returns 0, or -1 with errno set. */
int svg_write(const char *path, const char *command,
	      const struct timeline *timelines, int count)
{
	struct drawing d = { .columns = PLOT };
	int error;

	for (int i = 0; i < count; i++) {
		if (timelines[i].seconds > d.seconds)
			d.seconds = timelines[i].seconds;
	}
	if (d.seconds <= 0)
		d.seconds = 0.001;
	d.file = fopen(path, "we");
	if (!d.file)
		return -1;
	draw(&d, command, timelines, count);
	error = ferror(d.file);
	return fclose(d.file) || error ? -1 : 0;
}

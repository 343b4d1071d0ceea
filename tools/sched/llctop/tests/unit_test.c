// SPDX-License-Identifier: GPL-2.0-only
/*
 * llctop, see llctop.8: tests of its pure functions. Prints what is not as it
 * should be; the last line says how many checks there were.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bars.h"
#include "columns.h"
#include "indexset.h"
#include "layout.h"
#include "options.h"
#include "procfile.h"
#include "schedfile.h"
#include "status.h"
#include "timeline.h"
#include "topology.h"
#include "utf8.h"

static int checks, failures;

#define check(condition) check_at(condition, #condition, __func__, __LINE__)

static void check_at(bool good, const char *what, const char *where, int line)
{
	checks++;
	if (good)
		return;
	failures++;
	printf("%s, line %d: not so: %s\n", where, line, what);
}

static bool same(const char *is, const char *wanted)
{
	if (!strcmp(is, wanted))
		return true;
	printf("\"%s\" instead of \"%s\"\n", is, wanted);
	return false;
}

static bool near(double is, double wanted)
{
	if (is < wanted + 0.000001 && is > wanted - 0.000001)
		return true;
	printf("%g instead of %g\n", is, wanted);
	return false;
}

static const char *again(const char *list)
{
	static char buf[64];
	struct index_set set;

	if (index_set_parse(&set, list))
		return "bad";
	return index_set_format(&set, buf, sizeof(buf));
}

static void index_sets(void)
{
	struct index_set set = {};
	int index = -1;
	char buf[10];

	check(same(again("0-3,8\n"), "0-3,8"));
	check(same(again("5,4,63-65"), "4,5,63-65"));
	check(same(again(""), ""));
	check(same(again("\n"), ""));
	check(same(again("8191"), "8191"));
	check(same(again("8192"), "bad"));
	check(same(again("3-1"), "bad"));
	check(same(again("1-"), "bad"));
	check(same(again("-1"), "bad"));
	check(same(again("1;2"), "bad"));
	check(same(again("x"), "bad"));
	index_set_add(&set, -1);
	index_set_add(&set, MAX_INDEX);
	check(!index_set_count(&set));
	check(!index_set_has(&set, MAX_INDEX));
	check(index_set_first(&set, 0) == -1);
	check(!index_set_next(&set, &index));
	index_set_add(&set, MAX_INDEX - 1);
	check(index_set_first(&set, 7) == MAX_INDEX - 1);
	index = -1;
	check(index_set_next(&set, &index) && index == MAX_INDEX - 1);
	check(index_set_first(&set, MAX_INDEX) == -1);
	index_set_parse(&set, "0,2,4,6,8,10,12");
	check(same(index_set_format(&set, buf, sizeof(buf)), "0,2,4,6+"));
}

static const char stat_numbers[] =
	"R 1 0 0 0 0 0 0 0 0 0 70 7 0 0 20 0 5 0 333 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 42 0";

static void stat_files(void)
{
	struct task_stat stat;
	char text[512];

	snprintf(text, sizeof(text), "10 (a b) (c)) %s\n", stat_numbers);
	check(procfile_stat(&stat, text));
	check(same(stat.comm, "a b) (c)"));
	check(stat.state == 'R');
	check(stat.ppid == 1);
	check(stat.ticks == 77);
	check(stat.threads == 5);
	check(stat.start == 333);
	check(stat.cpu == 42);
	check(!procfile_stat(&stat, ""));
	check(!procfile_stat(&stat, "10 )("));
	check(!procfile_stat(&stat, "10 (a) R 1 2 3"));
	check(!procfile_stat(&stat, "10 (a"));
}

static void other_proc_files(void)
{
	unsigned long long run_ns;
	const char *rest = "cpu  1 2 3 4\n"
			   "cpu7 10 1 2 50 5 3 4 8 99 99\n"
			   "cpu9 1 1 1 1\n"
			   "intr 5";
	struct cpu_time time;
	char line[] = "a\0b c\0\0";
	int cpu;

	check(procfile_schedstat(&run_ns, "123 4 5\n") && run_ns == 123);
	check(!procfile_schedstat(&run_ns, ""));
	check(!procfile_schedstat(&run_ns, "x 1"));
	check(procfile_uid("Name:\tx\nUid:\t1\t2\t3\t4\n") == 2);
	check(procfile_uid("Name:\tx\n") == -1);
	rest = procfile_cpu_line(rest, &cpu, &time);
	check(rest && cpu == 7 && time.busy == 20 && time.total == 83);
	rest = procfile_cpu_line(rest, &cpu, &time);
	check(rest && cpu == 9 && time.busy == 3 && time.total == 4);
	check(!procfile_cpu_line(rest, &cpu, &time));
	procfile_cmdline(line, sizeof(line) - 1);
	check(same(line, "a b c"));
}

static void sched_files(void)
{
	static struct sched_lines lines;
	char text[] =
		"x (1, #threads: 2)\n"
		"llc_home                                     :                  0,2-3\n"
		"llc_state                                    :                   away\n"
		"llc_reason                                   :       too-many-threads\n"
		"llc_home_pct                                 :                     97\n"
		"llc_moves_spread                             :                     12\n"
		"llc_run_11                                   :                   1.87\n"
		"llc_run_                                     :                   5.00\n"
		"llc_run_2x                                   :                   5.00\n"
		"llc_what_is_this                             :                      1\n"
		"llc_no_colon\n";
	char none[] = "llc_home:none\n", stock[] = "se.vruntime : 1.0\n";

	schedfile_parse(&lines, text);
	check(lines.any && lines.group.has_home);
	check(index_set_count(&lines.group.home) == 3);
	check(index_set_has(&lines.group.home, 2));
	check(same(lines.thread.state, "away"));
	check(same(lines.group.reason, "too-many-threads"));
	check(lines.group.home_pct == 97);
	check(lines.thread.moves[3] == 12 && lines.thread.moves[0] == -1);
	check(lines.has_run && near(lines.run[11], 1.87));
	check(near(lines.run[2], 0) && near(lines.run[0], 0));
	schedfile_parse(&lines, none);
	check(lines.group.has_home && !index_set_count(&lines.group.home));
	check(lines.group.home_pct == -1);
	schedfile_parse(&lines, stock);
	check(!lines.any && !lines.group.has_home);
}

static void status_files(void)
{
	char active[] = "state: active\nllcs: 2\n"
		"llc 1: cpus 4-7 cores 2 node 1 bytes 33 busy 2.50 claimed 0.25\n"
		"groups: 3\nmoves: fork 1 wake 2 push 3 spread 4\n"
		"holds: 5\nspills: 6\nviolations: 7\nnews: 8\n";
	char inactive[] = "state: inactive (one LLC)\n", empty[] = "";
	struct status status;
	char message[256];

	status_parse(&status, active);
	check(status.feature == FEATURE_ACTIVE && status.nr_llcs == 1);
	check(status.llc[0].index == 1 && status.llc[0].cores == 2);
	check(index_set_count(&status.llc[0].cpus) == 4);
	check(status.llc[0].node == 1 && status.llc[0].bytes == 33);
	check(near(status.llc[0].busy, 2.5) && near(status.llc[0].claimed, .25));
	check(status.moves[0] == 1 && status.moves[3] == 4);
	check(status.groups == 3 && status.holds == 5 && status.spills == 6);
	check(status.violations == 7);
	status_free(&status);
	status_parse(&status, inactive);
	check(status.feature == FEATURE_INACTIVE && status.holds == -1);
	status_message(&status, false, message, sizeof(message));
	check(same(message, "cache-aware scheduling is off (one LLC): placement alone"));
	status_free(&status);
	status_parse(&status, empty);
	check(status.feature == FEATURE_UNKNOWN);
}

static const char *json_of(const char *text)
{
	static char *buf;
	size_t size;
	FILE *file;

	free(buf);
	file = open_memstream(&buf, &size);
	utf8_print_json(file, text);
	fclose(file);
	return buf;
}

static const char *xml_of(const char *text)
{
	static char *buf;
	size_t size;
	FILE *file;

	free(buf);
	file = open_memstream(&buf, &size);
	utf8_print_xml(file, text);
	fclose(file);
	return buf;
}

static void texts(void)
{
	char dirty[] = "a\x1b\xc2\x9b\xff\xc3\xa9\n";
	unsigned int code;

	check(utf8_next("a", &code) == 1 && code == 'a');
	check(utf8_next("é", &code) == 2 && code == 0xe9);
	check(utf8_next("€", &code) == 3 && code == 0x20ac);
	check(utf8_next("\xf0\x9f\x90\xa7", &code) == 4 && code == 0x1f427);
	check(!utf8_next("\xc0\x80", &code));
	check(!utf8_next("\xe0\x80\x80", &code));
	check(!utf8_next("\xed\xa0\x80", &code));
	check(!utf8_next("\xf4\x90\x80\x80", &code));
	check(!utf8_next("\xc3", &code));
	check(!utf8_next("\x80", &code));
	utf8_clean(dirty);
	check(same(dirty, "a???é?"));
	check(same(json_of("\"\\\b\x7f\xff€"), "\"\\\"\\\\\\u0008\\u007f\xef\xbf\xbd€\""));
	check(same(xml_of("<a b=\"&\">\x01é\xff"),
		   "&lt;a b=&quot;&amp;&quot;&gt;?é\xef\xbf\xbd"));
}

static void bars(void)
{
	static const double one[] = { 0, 0, 5, 0 }, none[] = { 0, 0 },
		two[] = { 3, 0, 1 }, even[] = { 1, 1 };
	double many[64] = {};
	char buf[128];

	bar_load(buf, sizeof(buf), 10, 50);
	check(same(buf, "|||||50.0%"));
	bar_load(buf, sizeof(buf), 10, 0);
	check(same(buf, "      0.0%"));
	bar_load(buf, sizeof(buf), 5, 250);
	check(same(buf, "||250"));
	bar_load(buf, 4, 10, 100);
	check(strlen(buf) == 3);
	bar_shares(buf, sizeof(buf), 4, one, 4, false);
	check(same(buf, "..9."));
	bar_shares(buf, sizeof(buf), 4, two, 3, false);
	check(same(buf, "7.2"));
	bar_shares(buf, sizeof(buf), 4, two, 3, true);
	check(same(buf, "▇.▃"));
	bar_shares(buf, sizeof(buf), 4, none, 2, true);
	check(same(buf, ".."));
	many[63] = 1;
	bar_shares(buf, sizeof(buf), 16, many, 64, false);
	check(same(buf, "...............9"));
	bar_shares(buf, sizeof(buf), 16, many, 17, false);
	check(strlen(buf) == 9);
	list_shares(buf, sizeof(buf), two, 3);
	check(same(buf, "0:75 2:25"));
	list_shares(buf, sizeof(buf), even, 2);
	check(same(buf, "0:50 1:50"));
	list_shares(buf, sizeof(buf), none, 2);
	check(same(buf, "-"));
	for (int i = 0; i < 64; i++)
		many[i] = 1;
	list_shares(buf, sizeof(buf), many, 64);
	check(same(buf, "0:2 1:2 2:2 3:2"));
	short_size(buf, sizeof(buf), 32 << 20);
	check(same(buf, "32M"));
	short_size(buf, sizeof(buf), 1536 << 10);
	check(same(buf, "1536K"));
	short_size(buf, sizeof(buf), 0);
	check(same(buf, "-"));
	check(most_of(none, 2) == -1 && most_of(two, 3) == 0);
	check(topology_parse_size("32768K\n") == 32 << 20);
	check(topology_parse_size("2G") == 2ull << 30);
}

/* Whatever the size: no row outside of the screen, no two in one place. */
static bool fits(int nr_llcs, int lines, int width)
{
	struct layout layout;

	layout_make(&layout, nr_llcs, lines, width);
	return layout.table >= 0 && layout.table_rows >= 0 &&
	       layout.shown <= nr_llcs && layout.shown >= 0 &&
	       layout.shown <= layout.columns * layout.rows &&
	       layout.columns * layout.cell_width <= width &&
	       1 + layout.wide + layout.rows <= (lines > 1 ? lines - 1 : 1) &&
	       (layout.table < lines || lines <= 1);
}

static void layouts(void)
{
	struct layout layout;
	bool shown[NR_COLUMNS];
	bool good = true;

	for (int llcs = 1; llcs <= 64; llcs++) {
		for (int lines = 1; lines < 60; lines++) {
			for (int width = 1; width < 200; width += 7)
				good &= fits(llcs, lines, width);
		}
	}
	check(good);
	layout_make(&layout, 4, 24, 80);
	check(layout.wide && layout.shown == 4 && layout.table == 6);
	check(layout.table_rows == 16);
	layout_make(&layout, 64, 24, 80);
	check(!layout.wide && layout.shown == 64 && layout.columns == 7);
	layout_make(&layout, 64, 24, 40);
	check(layout.shown == 30 && layout.rows == 10);
	layout_make(&layout, 64, 50, 132);
	check(layout.shown == 64);
	check(columns_fit(200, 4, shown) > 100 && shown[COLUMN_REASON]);
	check(columns_fit(80, 4, shown) >= 12 && !shown[COLUMN_REASON]);
	check(shown[COLUMN_USER] && shown[COLUMN_STATE] && shown[COLUMN_PID]);
	columns_fit(10, 4, shown);
	check(shown[COLUMN_COMMAND] && !shown[COLUMN_PID]);
	check(layout_scroll(0, 5, 100, 10) == 0);
	check(layout_scroll(0, 10, 100, 10) == 1);
	check(layout_scroll(50, 10, 100, 10) == 10);
	check(layout_scroll(95, 99, 100, 10) == 90);
	check(layout_scroll(3, 0, 2, 10) == 0);
}

static void numbers(void)
{
	double seconds;
	int count, *pids;

	check(parse_seconds(".5", .1, 10, &seconds) && near(seconds, .5));
	check(!parse_seconds("inf", .1, 10, &seconds));
	check(!parse_seconds("", .1, 10, &seconds));
	check(!parse_seconds(".", .1, 10, &seconds));
	check(!parse_seconds("11", .1, 10, &seconds));
	check(parse_count("12", &count) && count == 12);
	check(!parse_count("0", &count) && !parse_count("+1", &count));
	check(parse_pids("1,22,333", &pids) == 3 && pids[2] == 333);
	free(pids);
	check(parse_pids("1,", &pids) == -1 && !pids);
}

static void timelines(void)
{
	double modal[4], run[4], columns[8] = {};
	struct timeline t;
	struct timeline_sum sum;
	struct track *track;

	timeline_init(&t, 2);
	/* A runs all the time, on LLC 0 and then on 1; B on 0 from 0.1 s on. */
	for (int i = 1; i <= 20; i++) {
		track = timeline_track(&t, 5, 5, 1, "a");
		timeline_add(&t, track, i * .01, i > 10, i * 10000000ull);
		if (i <= 10)
			continue;
		track = timeline_track(&t, 5, 6, 1, "b");
		timeline_add(&t, track, i * .01, 0, (i - 10) * 10000000ull);
	}
	t.seconds = .2;
	timeline_sort(&t);
	check(t.nr_tracks == 2 && t.tracks[0].nr_spans == 2);
	check(t.tracks[1].nr_spans == 1 && t.tracks[0].changes == 1);
	check(near(t.by_llc[0], .2) && near(t.by_llc[1], .1));
	check(timeline_windows(&t) == 4);
	timeline_modal(&t, 4, modal, run);
	check(near(modal[0], .05) && near(run[0], .05));
	check(near(modal[3], .05) && near(run[3], .1));
	timeline_sum(&t, &sum);
	check(near(sum.run, .3) && near(sum.modal_pct, 200 / 3.));
	check(sum.threads == 2 && sum.processes == 1 && sum.changes == 1);
	track_spread(&t.tracks[0], 0, .05, 4, 2, columns);
	check(near(columns[0], .05) && near(columns[7], .05));
	check(near(columns[1], 0) && near(columns[6], 0));
	timeline_free(&t);

	/* A process for each LLC is as good as it gets. A TID may come again. */
	timeline_init(&t, 2);
	timeline_add(&t, timeline_track(&t, 8, 8, 1, ""), .1, 0, 100000000);
	timeline_add(&t, timeline_track(&t, 9, 9, 1, ""), .1, 1, 100000000);
	timeline_track(&t, 9, 9, 2, "");
	t.seconds = .1;
	timeline_sum(&t, &sum);
	check(near(sum.modal_pct, 100) && sum.processes == 2);
	check(t.nr_tracks == 3);
	for (int i = 0; i < 1000; i++)
		timeline_track(&t, 100 + i, 100 + i, 1, "many");
	check(t.nr_tracks == 1003);
	check(timeline_track(&t, 600, 600, 1, "x")->pid == 600);
	check(t.nr_tracks == 1003);
	timeline_free(&t);
}

int main(void)
{
	index_sets();
	stat_files();
	other_proc_files();
	sched_files();
	status_files();
	texts();
	bars();
	layouts();
	numbers();
	timelines();
	printf("%d checks, %d failed\n", checks, failures);
	return failures ? 1 : 0;
}

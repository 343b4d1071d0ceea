// SPDX-License-Identifier: GPL-2.0-only
/*
 * llctop, see llctop.8: the screen. Waits for keys and for the next look, and
 * lets paint.c show what was found.
 */
#include <ctype.h>
#include <curses.h>
#include <langinfo.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "files.h"
#include "paint.h"
#include "screen.h"

#define KEY_ESCAPE	27
#define MIN_DELAY	0.2
#define MAX_DELAY	60.0

/* Until there is something to see */
#define FIRST_DELAY	0.5

static volatile sig_atomic_t stopped;

static void stop(int signal)
{
	stopped = signal;
}

/* Not the time of a fixture: the user's. */
static double clock_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

static void select_row(struct ui *ui, int key)
{
	int page = paint_table_rows() > 1 ? paint_table_rows() - 1 : 1;

	switch (key) {
	case KEY_UP:
		ui->selected--;
		break;
	case KEY_DOWN:
		ui->selected++;
		break;
	case KEY_PPAGE:
		ui->selected -= page;
		break;
	case KEY_NPAGE:
		ui->selected += page;
		break;
	case KEY_HOME:
		ui->selected = 0;
		break;
	case KEY_END:
		ui->selected = 1 << 30;
		break;
	}
	if (ui->selected < 0)
		ui->selected = 0;
}

static void sort_by(struct ui *ui, enum column column)
{
	ui->order.by = column;
	ui->order.reverse = false;
}

static void next_column(struct ui *ui, int step)
{
	sort_by(ui, (ui->order.by + NR_COLUMNS + step) % NR_COLUMNS);
}

static void type_filter(struct ui *ui, int key)
{
	char *filter = ui->order.filter;
	size_t length = strlen(filter);

	if (key == KEY_ESCAPE)
		filter[0] = '\0';
	if (key == KEY_ESCAPE || key == '\n' || key == '\r' ||
	    key == KEY_ENTER)
		ui->typing = false;
	else if ((key == KEY_BACKSPACE || key == 127 || key == '\b') && length)
		filter[length - 1] = '\0';
	else if (key >= ' ' && key < 127 &&
		 length + 1 < sizeof(ui->order.filter))
		snprintf(filter + length, 2, "%c", key);
}

static void switch_view(struct ui *ui)
{
	static int selected, top;

	if (ui->view == VIEW_THREADS) {
		ui->view = VIEW_PROCESSES;
		ui->selected = selected;
		ui->top = top;
	} else if (ui->pid) {
		selected = ui->selected;
		top = ui->top;
		ui->view = VIEW_THREADS;
		ui->selected = 0;
		ui->top = 0;
	}
}

static void change_delay(struct ui *ui, double factor)
{
	ui->delay *= factor;
	if (ui->delay < MIN_DELAY)
		ui->delay = MIN_DELAY;
	if (ui->delay > MAX_DELAY)
		ui->delay = MAX_DELAY;
}

/* Returns false if the user wants to quit. */
static bool take_key(struct ui *ui, int key)
{
	static enum view before_help;

	if (key == KEY_RESIZE)
		return true;
	if (ui->view == VIEW_HELP) {
		ui->view = before_help;
		return key != 'q';
	}
	if (ui->typing) {
		type_filter(ui, key);
		return true;
	}
	switch (key) {
	case 'q':
	case KEY_F(10):
		return false;
	case 'h':
	case '?':
	case KEY_F(1):
		before_help = ui->view;
		ui->view = VIEW_HELP;
		break;
	case 't':
	case '\n':
	case '\r':
	case KEY_ENTER:
		switch_view(ui);
		break;
	case '/':
	case '\\':
	case KEY_F(4):
		ui->typing = true;
		break;
	case KEY_ESCAPE:
		if (ui->view == VIEW_THREADS)
			switch_view(ui);
		else
			ui->order.filter[0] = '\0';
		break;
	case 'f':
	case ' ':
		ui->frozen = !ui->frozen;
		break;
	case '<':
	case KEY_LEFT:
		next_column(ui, -1);
		break;
	case '>':
	case KEY_RIGHT:
		next_column(ui, 1);
		break;
	case 'r':
		ui->order.reverse = !ui->order.reverse;
		break;
	case 'N':
		sort_by(ui, COLUMN_PID);
		break;
	case 'C':
		sort_by(ui, COLUMN_CPU);
		break;
	case 'T':
		sort_by(ui, COLUMN_THREADS);
		break;
	case 'H':
		sort_by(ui, COLUMN_HOME_PCT);
		break;
	case 'M':
		sort_by(ui, COLUMN_MOVES);
		break;
	case '+':
		change_delay(ui, 2);
		break;
	case '-':
		change_delay(ui, 0.5);
		break;
	case 12:
		clearok(stdscr, TRUE);
		break;
	default:
		select_row(ui, key);
	}
	return true;
}

/* Serves keys until @end, or as long as the screen is frozen. */
static bool serve_keys(struct ui *ui, const struct sample *sample, double end)
{
	double left;
	int key;

	while (!stopped) {
		left = end - clock_seconds();
		if (left <= 0 && !ui->frozen)
			return true;
		timeout(ui->frozen || left > 1 ? 1000 : (int)(left * 1000) + 1);
		key = getch();
		if (key == ERR)
			continue;
		if (!take_key(ui, key))
			return false;
		paint(ui, sample);
	}
	return false;
}

static bool take_interval(struct ui *ui, struct sample *sample,
			  struct sample *shown, bool first)
{
	double begin = clock_seconds(), delay;
	int looks = sample_nr_looks(sample, ui->delay);

	sample_begin_interval(sample);
	for (int i = 1; i <= looks; i++) {
		delay = first && ui->delay > FIRST_DELAY ? FIRST_DELAY :
			ui->delay;
		if (!serve_keys(ui, shown, begin + delay * i / looks))
			return false;
		files_advance();
		sample_look(sample);
	}
	sample_end_interval(sample);
	sample_copy(shown, sample);
	paint(ui, shown);
	return true;
}

static bool is_utf8(void)
{
	return !strcmp(nl_langinfo(CODESET), "UTF-8");
}

int screen_run(const struct options *options)
{
	struct sigaction action = { .sa_handler = stop };
	static struct sample sample, shown;
	struct ui ui = {
		.order = options->order,
		.delay = options->delay,
		.blocks = is_utf8(),
	};
	SCREEN *screen = newterm(NULL, stdout, stdin);

	if (!screen) {
		fprintf(stderr, "llctop: no screen on a terminal of type '%s'; see --once\n",
			getenv("TERM") ? getenv("TERM") : "");
		return EXIT_FAILED;
	}
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	cbreak();
	noecho();
	curs_set(0);
	keypad(stdscr, TRUE);
	set_escdelay(50);
	paint_init();

	sample_init(&sample, options->pids, options->nr_pids);
	sample_copy(&shown, &sample);
	if (options->threads && options->nr_pids == 1) {
		ui.view = VIEW_THREADS;
		ui.pid = options->pids[0];
	}
	paint(&ui, &shown);
	for (int i = 0; !options->count || i < options->count; i++) {
		if (!take_interval(&ui, &sample, &shown, !i))
			break;
	}
	endwin();
	delscreen(screen);
	sample_free(&sample);
	sample_free(&shown);
	return stopped ? 128 + stopped : EXIT_SUCCESS;
}

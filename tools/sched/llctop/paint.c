// SPDX-License-Identifier: GPL-2.0-only
/*
 * llctop, see llctop.8: paints what a sample says with ncurses. Everything is
 * cut at the edge of the screen, however small it is.
 */
#include <curses.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "bars.h"
#include "layout.h"
#include "paint.h"
#include "utf8.h"

enum {
	PAIR_GOOD = 1,
	PAIR_FAIR,
	PAIR_BAD,
	PAIR_HEADER,
	PAIR_SELECTED,
	PAIR_QUIET,
};

static int table_rows;

void paint_init(void)
{
	if (!has_colors())
		return;
	start_color();
	use_default_colors();
	init_pair(PAIR_GOOD, COLOR_GREEN, -1);
	init_pair(PAIR_FAIR, COLOR_YELLOW, -1);
	init_pair(PAIR_BAD, COLOR_RED, -1);
	init_pair(PAIR_HEADER, COLOR_BLACK, COLOR_GREEN);
	init_pair(PAIR_SELECTED, COLOR_BLACK, COLOR_CYAN);
	init_pair(PAIR_QUIET, COLOR_CYAN, -1);
}

static attr_t pair(int number, attr_t without_colors)
{
	return has_colors() ? (attr_t)COLOR_PAIR(number) : without_colors;
}

/* Rows of the table as they were painted last. */
int paint_table_rows(void)
{
	return table_rows;
}

/* The next character of @text, a "?" if the locale cannot show it. */
static int next_character(const char *text, wchar_t *wide, int *columns)
{
	mbstate_t state = {};
	size_t length = mbrtowc(wide, text, MB_CUR_MAX, &state);

	*columns = (ssize_t)length > 0 ? wcwidth(*wide) : -1;
	if (*columns < 0) {
		*wide = L'?';
		*columns = 1;
	}
	return (ssize_t)length > 0 ? length : 1;
}

/* @text in @width columns from @x on, the rest blank. */
static void put(int y, int x, int width, const char *text, bool left)
{
	int room = width < COLS - x ? width : COLS - x;
	int used = 0, columns, count = 0;
	wchar_t wide[512];

	if (y >= LINES || room <= 0)
		return;
	while (*text && count < (int)ARRAY_SIZE(wide)) {
		text += next_character(text, &wide[count], &columns);
		if (used + columns > room)
			break;
		used += columns;
		count++;
	}
	move(y, x);
	for (int i = used; !left && i < room; i++)
		addch(' ');
	addnwstr(wide, count);
	for (int i = used; left && i < room; i++)
		addch(' ');
}

static attr_t load_color(double pct)
{
	return pair(pct < 50 ? PAIR_GOOD : pct < 80 ? PAIR_FAIR : PAIR_BAD,
		    A_NORMAL);
}

static void put_bar(int y, int x, int width, double pct)
{
	char bar[256];

	if (width < 3 || y >= LINES || x >= COLS)
		return;
	bar_load(bar, sizeof(bar), width - 2, pct);
	put(y, x, 1, "[", true);
	attron(load_color(pct));
	put(y, x + 1, width - 2, bar, true);
	attroff(load_color(pct));
	put(y, x + width - 1, 1, "]", true);
}

static void put_number(int y, int x, int width, int number)
{
	char text[16] = "-";

	if (number >= 0)
		snprintf(text, sizeof(text), "%d", number);
	put(y, x, width, text, false);
}

/* " 12 0-7,64-71        0    32M [|||||      45.2%]     3" */
static void paint_wide_llc(const struct sample *sample, int index, int y,
			   int width)
{
	const struct llc *llc = &sample->topology.llc[index];
	char cpus[64], size[16];
	int bar = width - 41 > 60 ? 60 : width - 41;

	index_set_format(&llc->cpus, cpus, 20);
	short_size(size, sizeof(size), llc->bytes);
	put_number(y, 0, 3, index);
	put(y, 4, 18, cpus, true);
	put_number(y, 23, 4, llc->node);
	put(y, 28, 6, size, false);
	if (llc->online)
		put_bar(y, 35, bar, sample->load[index].pct);
	else
		put(y, 35, bar, " offline", true);
	put_number(y, 35 + bar, 6, sample->load[index].processes);
}

/* " 12[|||45]  3" */
static void paint_small_llc(const struct sample *sample, int index, int y,
			    int x, int width)
{
	put_number(y, x, 3, index);
	put_bar(y, x + 3, width - 7, sample->load[index].pct);
	put_number(y, x + width - 4, 3, sample->load[index].processes);
}

static void paint_llcs(const struct sample *sample,
		       const struct layout *layout)
{
	int y = 1, bar = COLS - 41 > 60 ? 60 : COLS - 41;

	if (layout->wide) {
		attron(A_BOLD);
		put(y, 0, 35, "LLC CPUS               NODE   SIZE", true);
		put(y, 35, bar, " LOAD", true);
		put(y, 35 + bar, 6, sample->homes ? "HOMES" : "MOST", false);
		attroff(A_BOLD);
		y++;
	}
	for (int i = 0; i < layout->shown; i++) {
		if (layout->wide)
			paint_wide_llc(sample, i, y + i, COLS);
		else
			paint_small_llc(sample, i, y + i % layout->rows,
					i / layout->rows * layout->cell_width,
					layout->cell_width);
	}
}

static const struct process *find_process(const struct sample *sample, int pid)
{
	for (int i = 0; i < sample->nr_processes; i++) {
		if (sample->processes[i].pid == pid)
			return &sample->processes[i];
	}
	return NULL;
}

/* Whose threads these are. */
static void describe_process(const struct sample *sample,
			     const struct process *process, char *buf,
			     size_t size)
{
	char home[64], command[256];

	column_text(COLUMN_HOME, sample, process, home, sizeof(home));
	column_text(COLUMN_COMMAND, sample, process, command, sizeof(command));
	snprintf(buf, size, "%d, %d threads, %s %s%s%s: %s", process->pid,
		 process->nr_threads, sample->homes ? "home" : "most on LLC",
		 home, process->group.reason[0] ? ", " : "",
		 process->group.reason, command);
}

static void describe_machine(const struct sample *sample,
			     const struct layout *layout, char *buf,
			     size_t size)
{
	int hidden = sample->topology.nr_llcs - layout->shown;
	char message[256], more[32] = "";

	status_message(&sample->status, sample->homes, message,
		       sizeof(message));
	if (hidden)
		snprintf(more, sizeof(more), ", %d LLCs not shown", hidden);
	snprintf(buf, size, "%d LLC%s%s; %s%s", sample->topology.nr_llcs,
		 sample->topology.nr_llcs == 1 ? "" : "s", more, message,
		 sample->topology.source > FROM_CACHES ?
		 " (a package counts as an LLC)" : "");
}

static void paint_message(const struct ui *ui, const struct sample *sample,
			  const struct layout *layout)
{
	const struct process *process = ui->view == VIEW_THREADS ?
					find_process(sample, ui->pid) : NULL;
	char line[512];
	int used;

	used = sprintf(line, "%s", ui->frozen ? "[frozen] " : "");
	if (process)
		describe_process(sample, process, line + used,
				 sizeof(line) - used);
	else
		describe_machine(sample, layout, line + used,
				 sizeof(line) - used);
	attron(pair(PAIR_QUIET, A_NORMAL));
	put(0, 0, COLS, line, true);
	attroff(pair(PAIR_QUIET, A_NORMAL));
}

static void put_shares(int y, int x, int width, const double *by_llc,
		       int nr_llcs, bool blocks)
{
	char bar[256];

	bar_shares(bar, sizeof(bar), width, by_llc, nr_llcs, blocks);
	put(y, x, width, bar, true);
}

static attr_t cell_color(enum column column, const struct sample *sample,
			 const struct process *process)
{
	double pct = sample->homes ? process->group.home_pct :
		     process->most_llc < 0 ? -1 : process->most_pct;

	if (column == COLUMN_SHARE)
		return pair(PAIR_QUIET, A_NORMAL);
	if (column != COLUMN_HOME_PCT || pct < 0)
		return A_NORMAL;
	return pair(pct >= 90 ? PAIR_GOOD : pct >= 60 ? PAIR_FAIR : PAIR_BAD,
		    A_NORMAL);
}

static int width_of(enum column column, int nr_llcs, int command)
{
	return column == COLUMN_COMMAND ? command :
	       column_width(column, nr_llcs);
}

static void paint_process(const struct ui *ui, const struct sample *sample,
			  const struct process *process, int y, bool selected,
			  const bool *shown, int command)
{
	int nr_llcs = sample->topology.nr_llcs, x = 0, width;
	attr_t attr;
	char cell[4097];

	if (selected)
		attron(pair(PAIR_SELECTED, A_REVERSE));
	put(y, 0, COLS, "", true);
	for (int c = 0; c < NR_COLUMNS; c++) {
		if (!shown[c])
			continue;
		width = width_of(c, nr_llcs, command);
		attr = selected ? A_NORMAL : cell_color(c, sample, process);
		attron(attr);
		if (c == COLUMN_SHARE) {
			put_shares(y, x, width, process->by_llc, nr_llcs,
				   ui->blocks);
		} else {
			column_text(c, sample, process, cell, sizeof(cell));
			put(y, x, width, cell, column_is_left(c));
		}
		attroff(attr);
		x += width + 1;
	}
	if (selected)
		attroff(pair(PAIR_SELECTED, A_REVERSE));
}

static void paint_header(const struct ui *ui, const struct sample *sample,
			 int y, const bool *shown, int command)
{
	attr_t header = pair(PAIR_HEADER, A_REVERSE);
	int nr_llcs = sample->topology.nr_llcs, x = 0, width;

	attron(header);
	put(y, 0, COLS, "", true);
	for (int c = 0; c < NR_COLUMNS; c++) {
		if (!shown[c])
			continue;
		width = width_of(c, nr_llcs, command);
		if (c == (int)ui->order.by)
			attron(A_BOLD | A_UNDERLINE);
		put(y, x, width, column_title(c, sample->homes),
		    column_is_left(c));
		attroff(A_BOLD | A_UNDERLINE);
		attron(header);
		x += width + 1;
	}
	attroff(header);
}

static void paint_processes(struct ui *ui, const struct sample *sample,
			    const struct layout *layout)
{
	const struct process **rows;
	bool shown[NR_COLUMNS];
	int count, command, i;

	rows = must_alloc(sample->nr_processes, sizeof(*rows));
	count = columns_sort(sample, &ui->order, rows);
	command = columns_fit(COLS, sample->topology.nr_llcs, shown);
	if (ui->selected >= count)
		ui->selected = count ? count - 1 : 0;
	ui->top = layout_scroll(ui->top, ui->selected, count,
				layout->table_rows);
	ui->pid = count ? rows[ui->selected]->pid : 0;
	paint_header(ui, sample, layout->table, shown, command);
	for (i = 0; i < layout->table_rows && ui->top + i < count; i++)
		paint_process(ui, sample, rows[ui->top + i],
			      layout->table + 1 + i,
			      ui->top + i == ui->selected, shown, command);
	if (!count && layout->table_rows)
		put(layout->table + 1, 0, COLS, ui->order.filter[0] ?
		    "  no process that the filter lets through" :
		    "  no process with several threads", true);
	free(rows);
}

static void paint_thread(const struct ui *ui, const struct sample *sample,
			 const struct thread *thread, int y, bool selected)
{
	char line[128], comm[64], llc[16] = "-";
	int nr_llcs = sample->topology.nr_llcs;
	int bar = column_width(COLUMN_SHARE, nr_llcs);

	if (selected)
		attron(pair(PAIR_SELECTED, A_REVERSE));
	if (thread->llc >= 0)
		snprintf(llc, sizeof(llc), "%d", thread->llc);
	snprintf(line, sizeof(line), "%7d %4d %4s %6.1f %c %-8s %7.1f ",
		 thread->tid, thread->cpu, llc, thread->cpu_pct,
		 thread->run_state,
		 thread->sched.state[0] ? thread->sched.state : "-",
		 thread->moves_per_s);
	put(y, 0, COLS, line, true);
	put_shares(y, 44, bar, thread->by_llc, nr_llcs, ui->blocks);
	snprintf(comm, sizeof(comm), "%s", thread->comm);
	utf8_clean(comm);
	put(y, 45 + bar, COLS - 45 - bar, comm, true);
	if (selected)
		attroff(pair(PAIR_SELECTED, A_REVERSE));
}

static int compare_cpu(const void *x, const void *y)
{
	const struct thread *a = *(const struct thread **)x;
	const struct thread *b = *(const struct thread **)y;

	if (a->cpu_pct != b->cpu_pct)
		return a->cpu_pct < b->cpu_pct ? 1 : -1;
	return a->tid - b->tid;
}

static void paint_threads(struct ui *ui, const struct sample *sample,
			  const struct layout *layout)
{
	const struct process *process = find_process(sample, ui->pid);
	int bar = column_width(COLUMN_SHARE, sample->topology.nr_llcs), i;
	int count = process ? process->nr_threads : 0;
	const struct thread **rows = must_alloc(count, sizeof(*rows));
	attr_t header = pair(PAIR_HEADER, A_REVERSE);

	for (i = 0; i < count; i++)
		rows[i] = &process->threads[i];
	if (ui->order.by == COLUMN_CPU)
		sort_array(rows, count, sizeof(*rows), compare_cpu);
	attron(header);
	put(layout->table, 0, COLS,
	    "    TID  CPU  LLC   CPU% S STATE    MOVES/s SHARE", true);
	put(layout->table, 45 + bar, COLS - 45 - bar, "NAME", true);
	attroff(header);
	if (ui->selected >= count)
		ui->selected = count ? count - 1 : 0;
	ui->top = layout_scroll(ui->top, ui->selected, count,
				layout->table_rows);
	for (i = 0; i < layout->table_rows && ui->top + i < count; i++)
		paint_thread(ui, sample, rows[ui->top + i],
			     layout->table + 1 + i,
			     ui->top + i == ui->selected);
	if (!process && layout->table_rows)
		put(layout->table + 1, 0, COLS, "  the process has ended", true);
	free(rows);
}

static void paint_help(void)
{
	static const char * const lines[] = {
		"llctop " LLCTOP_VERSION ": where threads run, by last-level cache (LLC)",
		"",
		"  up down PgUp PgDn Home End   select a row",
		"  < > or left right            sort by the column before or after",
		"  r                            reverse the order",
		"  N C T H M                    sort by PID, CPU%, THR, HOME%, MOVES/s",
		"  /                            filter: type, Enter; Esc removes it",
		"  t or Enter                   threads of the selected process, and back",
		"  f or space                   freeze, and go on",
		"  + -                          longer or shorter interval",
		"  h, q                         this help, quit",
		"",
		"  HOME     LLCs that are home to the process, HOME% of its run time there",
		"  MOST     without homes: the LLC where it ran most, and MOST% of it",
		"  MOVES/s  homings and spreadings; without the feature changes of the LLC",
		"  SHARE    run time by LLC, one place for each, in eighths or tenths",
		"  REASON   why the home last changed",
		"",
		"  any key goes back",
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		put(i, 0, COLS, lines[i], true);
}

static void paint_keys(const struct ui *ui)
{
	char line[256];

	if (ui->typing)
		snprintf(line, sizeof(line), "filter: %s_", ui->order.filter);
	else
		snprintf(line, sizeof(line),
			 "h help  t threads  / filter  <> sort: %s%s  f freeze  q quit  %.1f s%s%s",
			 ui->order.reverse ? "-" : "",
			 column_key(ui->order.by), ui->delay,
			 ui->order.filter[0] ? "  filter: " : "",
			 ui->order.filter);
	attron(pair(PAIR_HEADER, A_REVERSE));
	put(LINES - 1, 0, COLS - 1, line, true);
	attroff(pair(PAIR_HEADER, A_REVERSE));
}

void paint(struct ui *ui, const struct sample *sample)
{
	struct layout layout;

	erase();
	if (ui->view == VIEW_HELP) {
		paint_help();
		refresh();
		return;
	}
	layout_make(&layout, sample->topology.nr_llcs, LINES, COLS);
	table_rows = layout.table_rows;
	paint_message(ui, sample, &layout);
	paint_llcs(sample, &layout);
	if (ui->view == VIEW_THREADS)
		paint_threads(ui, sample, &layout);
	else
		paint_processes(ui, sample, &layout);
	paint_keys(ui);
	refresh();
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * llctop, see llctop.8: how the screen is divided. Pure functions of numbers.
 *
 *	line 0			what the kernel does
 *	then, if wide		header of the LLCs
 *	rows			LLCs, at most half of the screen
 *	table			header of the table
 *	table_rows		processes or threads
 *	last line		keys
 */
#include <string.h>

#include "layout.h"

/* An LLC with its CPUs, node and size; and one with its index and load alone. */
#define WIDE_CELL	60
#define SMALL_CELL	11

static int min(int a, int b)
{
	return a < b ? a : b;
}

static int max(int a, int b)
{
	return a > b ? a : b;
}

void layout_make(struct layout *layout, int nr_llcs, int lines, int width)
{
	/* Message, header of the table, keys */
	int most = max(0, (lines - 3) / 2);

	memset(layout, 0, sizeof(*layout));
	layout->wide = width >= WIDE_CELL && nr_llcs + 1 <= most;
	if (layout->wide) {
		layout->columns = 1;
		layout->rows = nr_llcs;
		layout->cell_width = width;
	} else if (most) {
		layout->columns = max(1, min(width / SMALL_CELL,
					     (nr_llcs + most - 1) / most));
		layout->rows = min(most, (nr_llcs + layout->columns - 1) /
				   layout->columns);
		layout->cell_width = width / layout->columns;
	}
	layout->shown = min(nr_llcs, layout->columns * layout->rows);
	layout->table = min(1 + layout->wide + layout->rows, max(lines - 1, 0));
	layout->table_rows = max(0, lines - layout->table - 2);
}

/* The first row shown, so that @selected is. */
int layout_scroll(int top, int selected, int count, int rows)
{
	if (selected < top)
		top = selected;
	if (selected >= top + rows)
		top = selected - rows + 1;
	return max(0, min(top, count - rows));
}

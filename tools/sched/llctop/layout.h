/* SPDX-License-Identifier: GPL-2.0-only */
/* llctop, see llctop.8: how the screen is divided. */
#ifndef LLCTOP_LAYOUT_H
#define LLCTOP_LAYOUT_H

#include <stdbool.h>

/* The upper part: LLCs in columns of cells. Line 0 is the message. */
struct layout {
	bool wide;		/* one LLC a line, with a header */
	int columns, rows;	/* of cells */
	int cell_width;
	int shown;		/* LLCs that have a cell */
	int table;		/* first line of the lower part */
	int table_rows;		/* without its header */
};

void layout_make(struct layout *layout, int nr_llcs, int lines, int width);
int layout_scroll(int top, int selected, int count, int rows);

#endif /* LLCTOP_LAYOUT_H */

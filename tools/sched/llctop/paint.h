/* SPDX-License-Identifier: GPL-2.0-only */
/* llctop, see llctop.8: paints what a sample says. */
#ifndef LLCTOP_PAINT_H
#define LLCTOP_PAINT_H

#include "columns.h"

enum view {
	VIEW_PROCESSES,
	VIEW_THREADS,		/* of one process */
	VIEW_HELP,
};

struct ui {
	struct order order;
	enum view view;
	bool frozen, typing;	/* the filter is being typed */
	int selected, top;	/* rows of the view */
	int pid;		/* VIEW_THREADS: whose; else selected */
	double delay;
	bool blocks;		/* the terminal has block characters */
};

void paint_init(void);
void paint(struct ui *ui, const struct sample *sample);
int paint_table_rows(void);

#endif /* LLCTOP_PAINT_H */

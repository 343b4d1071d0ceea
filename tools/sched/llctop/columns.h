/* SPDX-License-Identifier: GPL-2.0-only */
/* llctop, see llctop.8: the columns of the tables, their order and their texts. */
#ifndef LLCTOP_COLUMNS_H
#define LLCTOP_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include "sample.h"

enum column {
	COLUMN_PID,
	COLUMN_USER,
	COLUMN_THREADS,
	COLUMN_CPU,
	COLUMN_HOME,
	COLUMN_HOME_PCT,
	COLUMN_MOVES,
	COLUMN_STATE,
	COLUMN_REASON,
	COLUMN_SHARE,
	COLUMN_COMMAND,
	NR_COLUMNS
};

/* How rows are sorted and which of them are shown */
struct order {
	enum column by;
	bool reverse;
	char filter[64];
};

int column_find(const char *key);
const char *column_key(enum column column);
const char *column_title(enum column column, bool homes);
int column_width(enum column column, int nr_llcs);
bool column_is_left(enum column column);
void column_text(enum column column, const struct sample *sample,
		 const struct process *process, char *buf, size_t size);
int columns_fit(int width, int nr_llcs, bool *shown);
int columns_sort(const struct sample *sample, const struct order *order,
		 const struct process **rows);
bool columns_match(const struct process *process, const char *filter);

#endif /* LLCTOP_COLUMNS_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/* llctop, see llctop.8: the lines of cache-aware scheduling in /proc/PID/sched. */
#ifndef LLCTOP_SCHEDFILE_H
#define LLCTOP_SCHEDFILE_H

#include <stdbool.h>

#include "indexset.h"
#include "llctop.h"

/* What a thread's file tells of its group */
struct sched_group {
	bool has_home;		/* there is such a line; "none" is empty */
	struct index_set home;
	char reason[24];	/* empty if not told */
	int home_pct;		/* -1 if not told */
};

/* What it tells of the thread */
struct sched_thread {
	char state[16];		/* empty if not told */
	long long moves[MOVE_KINDS];	/* -1 if not told */
};

struct sched_lines {
	bool any;
	struct sched_group group;
	struct sched_thread thread;
	double run[MAX_LLCS];	/* running threads of the group by LLC */
	bool has_run;
};

void schedfile_parse(struct sched_lines *lines, char *text);

#endif /* LLCTOP_SCHEDFILE_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/* llctop, see llctop.8: follows a command and its children. */
#ifndef LLCTOP_TRACKER_H
#define LLCTOP_TRACKER_H

#include "timeline.h"

struct tracker {
	const struct topology *topology;
	struct timeline *timeline;
	int nr_pids, room;
	int *pids;		/* the command, its children, theirs */
	int self;		/* llctop: orphans become its children */
	int helper;		/* a child of it that is none of them, or 0 */
	bool no_children;	/* the kernel has no task/TID/children */
	int looks;
};

void tracker_init(struct tracker *tracker, const struct topology *topology,
		  struct timeline *timeline, int pid, int helper);
void tracker_look(struct tracker *tracker, double time);
void tracker_free(struct tracker *tracker);

#endif /* LLCTOP_TRACKER_H */

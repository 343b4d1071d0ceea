/* SPDX-License-Identifier: GPL-2.0-only */
/* llctop, see llctop.8: whether the kernel has the feature, and llc_status. */
#ifndef LLCTOP_STATUS_H
#define LLCTOP_STATUS_H

#include <stdbool.h>

#include "indexset.h"
#include "llctop.h"

enum feature {
	FEATURE_ABSENT,
	FEATURE_UNKNOWN,	/* llc_status cannot be read */
	FEATURE_INACTIVE,
	FEATURE_ACTIVE,
};

struct status_llc {
	struct index_set cpus;
	int index, cores, node;
	unsigned long long bytes;
	double busy, claimed;	/* running threads; negative if not told */
};

struct status {
	enum feature feature;
	char reason[80];	/* why inactive, or why unknown */
	int nr_llcs;
	struct status_llc *llc;
	/* Negative if not told. */
	long long groups, moves[MOVE_KINDS], holds, spills, violations;
};

void status_parse(struct status *status, char *text);
void status_read(struct status *status);
void status_free(struct status *status);
const char *status_feature_name(enum feature feature);
void status_message(const struct status *status, bool homes, char *buf,
		    size_t size);

#endif /* LLCTOP_STATUS_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/* llctop, see llctop.8: which CPUs share a last-level cache. */
#ifndef LLCTOP_TOPOLOGY_H
#define LLCTOP_TOPOLOGY_H

#include "indexset.h"
#include "llctop.h"
#include "status.h"

enum topology_source {
	FROM_STATUS,		/* the kernel's own table */
	FROM_CACHES,		/* what sysfs says of caches */
	FROM_PACKAGES,		/* no caches there: a package is taken for one */
	FROM_NOTHING,		/* one LLC for all */
};

struct llc {
	struct index_set cpus;
	int online, cores;	/* of its CPUs */
	int node, level, id;	/* -1 if not known */
	unsigned long long bytes;
	double busy, claimed;	/* from llc_status, else negative */
};

struct topology {
	enum topology_source source;
	int nr_llcs;
	struct llc *llc;
	struct index_set online;
	short llc_of[MAX_INDEX];	/* by CPU; -1 if none */
};

void topology_init(struct topology *topology);
bool topology_update(struct topology *topology, const struct status *status);
void topology_take_busy(struct topology *topology, const struct status *status);
void topology_free(struct topology *topology);
int topology_llc_of(const struct topology *topology, int cpu);
unsigned long long topology_parse_size(const char *text);
const char *topology_source_name(enum topology_source source);

#endif /* LLCTOP_TOPOLOGY_H */

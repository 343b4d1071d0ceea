/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * llcsim, see tools/sched/llcsim/README.rst: measured regions.
 * Opened and closed by marker instructions of the guest, by name.
 */
#ifndef LLCSIM_REGION_H
#define LLCSIM_REGION_H

#include <stdio.h>

#include "vcpu.h"

enum {
	REGION_BEGIN	= 0xaa1b037b,	/* orr x27, x27, x27 */
	REGION_END	= 0xaa1a035a,	/* orr x26, x26, x26 */
	REGION_NAME_LEN	= 32,
};

/* The caches are simulated only while a region is open. */
extern int region_open;

/*
 * After a marker the guest stores to a buffer that holds "llcsim:" and the
 * region's name. Each store is looked at until that one comes.
 */
void region_marker(struct vcpu *v, bool begin);
void region_store(struct vcpu *v, u64 offset);
void region_close_all(void);
void region_write(FILE *f);

#endif

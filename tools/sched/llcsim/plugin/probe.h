/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * llcsim, see tools/sched/llcsim/README.rst: what calls of a kernel function cost.
 * Counts the kernel's instructions from its entry to its return, callees included,
 * and the lines that it writes.
 */
#ifndef LLCSIM_PROBE_H
#define LLCSIM_PROBE_H

#include <stdio.h>

#include "vcpu.h"

enum { PROBE_POINTS = 64 };

/* Reads where the functions are; false with a message if unusable. */
bool probe_read(const char *file);

/* The number of the point at @address, -1 if there is none. */
int probe_point(u64 address);

/* @v came to @point, and had run @insns of the kernel's instructions before. */
void probe_reached(struct vcpu *v, unsigned int point, u64 insns);

/* @v, in a call, writes at @offset of memory. */
void probe_store(const struct vcpu *v, u64 offset);

void probe_write(FILE *f);

#endif

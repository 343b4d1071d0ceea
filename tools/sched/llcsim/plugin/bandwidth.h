/* SPDX-License-Identifier: GPL-2.0-only */
/* llcsim, see tools/sched/llcsim/README.rst: the memory of a node takes its time. */
#ifndef LLCSIM_BANDWIDTH_H
#define LLCSIM_BANDWIDTH_H

#include "types.h"

/* A line is asked of @node's memory at @now: ns in the queue. */
u64 bandwidth_wait(unsigned int node, u64 now);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * llcsim, see tools/sched/llcsim/README.rst: who ran where.
 * Run time per process, LLC and ms, and migrations between LLCs.
 */
#ifndef LLCSIM_TIMELINE_H
#define LLCSIM_TIMELINE_H

#include <stdio.h>

#include "vcpu.h"

/* @v has switched to another task, or a region begins or ends. */
void timeline_switch(struct vcpu *v);
void timeline_record(bool on);
/* The longest that a CPU idled while a task waited for another one. */
u64 timeline_longest_wait(void);
/* How long CPUs idled while a task waited on another CPU of their LLC. */
u64 timeline_idle_beside(void);
void timeline_write(FILE *f);

#endif

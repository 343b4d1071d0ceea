/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * llcsim, see tools/sched/llcsim/README.rst: a look into the guest's memory.
 * Finds the task that a CPU runs. Never writes.
 */
#ifndef LLCSIM_GUEST_H
#define LLCSIM_GUEST_H

#include "types.h"

enum { GUEST_COMM_LEN = 16 };

struct guest_task {
	u64 address;
	u32 pid, tgid;
	char comm[GUEST_COMM_LEN];
};

/* Reads where the kernel keeps its tasks; false with a message if unusable. */
bool guest_read_layout(const char *file);

/* Where the kernel has just switched to another task; 0 if not known. */
u64 guest_switch_address(void);

bool guest_current_task(unsigned int cpu, struct guest_task *task);

/* How many tasks run or wait on @cpu. */
unsigned int guest_nr_running(unsigned int cpu);

/* Reads @task again, which exec may have renamed. */
bool guest_read_task(struct guest_task *task);

/* @len bytes at @offset of the guest's memory, NULL if there are none. */
const void *guest_memory(u64 offset, u64 len);

#endif

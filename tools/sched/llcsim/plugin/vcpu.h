/* SPDX-License-Identifier: GPL-2.0-only */
/* llcsim, see tools/sched/llcsim/README.rst: what is kept of a virtual CPU. */
#ifndef LLCSIM_VCPU_H
#define LLCSIM_VCPU_H

#include "cache.h"
#include "insn.h"
#include "types.h"

enum vcpu_state {
	VCPU_HALTED,		/* waits for an interrupt */
	VCPU_KICKED,		/* was called, its thread has not come yet */
	VCPU_RUNS,
};

/* Everything here only grows; a region is the difference of two copies. */
struct counts {
	u64 insns, kernel_insns;
	u64 accesses, level[NR_CACHE_LEVELS];
	u64 stall_ns, idle_ns;
	u64 switches, migrations;	/* of tasks; migrations to another LLC */
};

/*
 * A tick is an instruction, or a stall as long as one. Translated code adds to
 * these without a call where QEMU can do that; they then lie where QEMU wants
 * them.
 */
struct ticks {
	u64 all;
	u64 kernel;		/* instructions in the kernel only */
};

struct vcpu {
	struct ticks *ticks, flushed;
	u64 stall_ticks, stall_ns;	/* since the last flush */

	u64 local_ns;
	double local_fraction;
	enum vcpu_state state;
	unsigned int index;

	/* At the gate, while too far ahead of the others. */
	bool waits;
	bool kicked;			/* while it waited, and has not noticed yet */
	bool let_through;		/* runs one block although the gate is closed */
	int gate;			/* futex: 0 closed, 1 open */
	void *halt_cond;		/* where its thread waits when halted */

	struct counts counts;
	int name_stores;		/* stores to look at for a region's name */
	bool name_begins;
	bool in_call;			/* of a function that is counted */
	struct pieces pieces;		/* of the last access that has some */
} CACHELINE;

extern struct vcpu *vcpus[MAX_CPUS];
extern unsigned int nr_vcpus;

#endif

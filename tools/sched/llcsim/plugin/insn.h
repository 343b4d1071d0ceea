/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * llcsim, see tools/sched/llcsim/README.rst: what an instruction does to memory.
 * How many accesses QEMU shows for one depends on its version, so the instruction
 * tells which belong together. Knows nothing of QEMU.
 */
#ifndef LLCSIM_INSN_H
#define LLCSIM_INSN_H

#include "types.h"

/* An atomic instruction or a store-exclusive: one access, for writing. */
bool insn_updates_memory(u32 op);

/* The bytes that one of several registers reads or writes, 0 if it is none of these. */
unsigned int insn_bytes(u32 op);

/* An access in pieces, as far as it was seen. */
struct pieces {
	u64 insn, next;		/* whose, and where the next one begins; or insn is 0 */
	unsigned int left;	/* bytes */
};

/* For a piece of @bytes at @vaddr; @insn is unique, of @all bytes. True if not the first. */
bool insn_goes_on(struct pieces *p, u64 insn, unsigned int all, u64 vaddr, unsigned int bytes);

#endif

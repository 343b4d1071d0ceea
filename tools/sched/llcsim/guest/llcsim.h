/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * For programs in the guest: open and close a measured region.
 * Outside llcsim the two instructions do nothing.
 */
#ifndef LLCSIM_GUEST_MARK_H
#define LLCSIM_GUEST_MARK_H

#include <stdio.h>

/* The store after the marker tells llcsim where the name is. */
#define LLCSIM_MARK(insn, name) do {						\
	static struct { char text[64]; } __attribute__((aligned(64))) mark;	\
										\
	snprintf(mark.text, sizeof(mark.text), "llcsim:%s", name);		\
	__asm__ volatile(insn "\n\tstrb %w1, %0"				\
			 : "+Q" (mark.text[0]) : "r" ('l') : "memory");		\
} while (0)

#define llcsim_begin(name)	LLCSIM_MARK("orr x27, x27, x27", name)
#define llcsim_end(name)	LLCSIM_MARK("orr x26, x26, x26", name)

#endif

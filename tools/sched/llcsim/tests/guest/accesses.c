// SPDX-License-Identifier: GPL-2.0-only
/*
 * accesses ROUNDS: a region for each way to load and store, ROUNDS times over.
 * Prints a line for each: the region, and the lines that one round touches.
 */
#include <stdio.h>
#include <stdlib.h>

#include "llcsim.h"

enum { PAGE = 4096 };

static _Alignas(PAGE) char data[2 * PAGE];
static unsigned long rounds;

/* x9 has the address; x10 to x15 and v0 to v3 are free. */
#define WAY(name, at, lines, insns) do {					\
	const char *way = name;							\
	unsigned long left = rounds;						\
										\
	llcsim_begin(way);							\
	__asm__ volatile(".arch armv8.2-a\n\tmov x9, %1\n"			\
			 "1:\t" insns "\n\tsubs %0, %0, #1\n\tb.ne 1b"		\
			 : "+r" (left) : "r" (data + (at))			\
			 : "x9", "x10", "x11", "x12", "x13", "x14", "x15",	\
			   "v0", "v1", "v2", "v3", "cc", "memory");		\
	llcsim_end(way);							\
	printf("%s %d\n", way, lines);						\
} while (0)

int main(int argc, char **argv)
{
	rounds = argc > 1 ? atol(argv[1]) : 50000;
	for (int i = 0; i < (int)sizeof(data); i++)
		data[i] = 0;
	WAY("ldr", 0, 1, "ldr x10, [x9]");
	WAY("ldr-over", 60, 2, "ldr x10, [x9]");
	WAY("str-over", 60, 2, "str x10, [x9]");
	WAY("ldr-over-page", PAGE - 4, 2, "ldr x10, [x9]");
	WAY("ldp-w", 0, 1, "ldp w10, w11, [x9]");
	WAY("ldpsw", 0, 1, "ldpsw x10, x11, [x9]");
	WAY("ldp-x", 0, 1, "ldp x10, x11, [x9]");
	WAY("ldp-x-over", 56, 2, "ldp x10, x11, [x9]");
	WAY("ldp-x-odd", 52, 2, "ldp x10, x11, [x9]");
	WAY("ldp-x-over-page", PAGE - 8, 2, "ldp x10, x11, [x9]");
	WAY("ldp-ldp", 0, 2, "ldp x10, x11, [x9]\n\tldp x12, x13, [x9, #16]");
	WAY("ldp-back", 0, 1, "ldp x10, x11, [x9]\n\teor x9, x9, #16");
	WAY("stp-w", 0, 1, "stp w10, w11, [x9]");
	WAY("stp-x", 0, 1, "stp x10, x11, [x9]");
	WAY("stp-x-over", 56, 2, "stp x10, x11, [x9]");
	WAY("ldr-q", 0, 1, "ldr q0, [x9]");
	WAY("ldr-q-over", 56, 2, "ldr q0, [x9]");
	WAY("ldur-q", 16, 1, "ldur q0, [x9, #-16]");
	WAY("str-q", 0, 1, "str q0, [x9]");
	WAY("ldp-d", 0, 1, "ldp d0, d1, [x9]");
	WAY("ldp-q", 0, 1, "ldp q0, q1, [x9]");
	WAY("ldp-q-over", 40, 2, "ldp q0, q1, [x9]");
	WAY("stp-q", 0, 1, "stp q0, q1, [x9]");
	WAY("stp-q-over", 48, 2, "stp q0, q1, [x9]");
	WAY("ld1-1", 0, 1, "ld1 {v0.16b}, [x9]");
	WAY("ld1-4", 0, 1, "ld1 {v0.16b-v3.16b}, [x9]");
	WAY("ld1-4-over", 32, 2, "ld1 {v0.16b-v3.16b}, [x9]");
	WAY("ld4", 0, 1, "ld4 {v0.16b-v3.16b}, [x9]");
	WAY("st1-2", 0, 1, "st1 {v0.16b-v1.16b}, [x9]");
	WAY("ldxr-stxr", 0, 2, "ldxr x10, [x9]\n\tstxr w11, x10, [x9]");
	WAY("ldxp-stxp", 0, 2, "ldxp x10, x11, [x9]\n\tstxp w12, x10, x11, [x9]");
	WAY("ldadd", 0, 1, "ldadd x10, x11, [x9]");
	WAY("swp", 0, 1, "swp x10, x11, [x9]");
	WAY("cas", 0, 1, "cas x10, x11, [x9]");
	WAY("casp", 0, 1, "casp x10, x11, x12, x13, [x9]");
	WAY("ldar-stlr", 0, 2, "ldar x10, [x9]\n\tstlr x10, [x9]");
	WAY("prfm", 0, 0, "prfm pldl1keep, [x9]");
	WAY("dc-zva", 0, 0, "dc zva, x9");
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * llcsim, see tools/sched/llcsim/README.rst: what an instruction does to memory.
 *
 * QEMU 7.2 shows a pair of registers as two accesses and 128 bits as two of 64; 10.0
 * shows a pair of 32 or 64 bits as one, and 128 bits as one. In both, structures come
 * by 64 bits or by the element.
 */
#include "insn.h"

struct pattern {
	u32 mask, value;
};

static bool is_one_of(u32 op, const struct pattern *p, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		if ((op & p[i].mask) == p[i].value)
			return true;
	return false;
}

bool insn_updates_memory(u32 op)
{
	static const struct pattern known[] = {
		{ 0x3f208c00, 0x38200000 },	/* LDADD, LDCLR, LDEOR, LDSET, ... */
		{ 0x3f20fc00, 0x38208000 },	/* SWP */
		{ 0x3fa07c00, 0x08a07c00 },	/* CAS */
		{ 0xbfa07c00, 0x08207c00 },	/* CASP */
		{ 0x3fe00000, 0x08000000 },	/* STXR, STLXR */
		{ 0xbfe00000, 0x88200000 },	/* STXP, STLXP */
	};

	return is_one_of(op, known, ARRAY_SIZE(known));
}

static unsigned int structure_bytes(u32 op)
{
	static const unsigned char registers[16] = {
		[0x0] = 4, [0x2] = 4, [0x4] = 3, [0x6] = 3, [0x7] = 1, [0x8] = 2, [0xa] = 2,
	};

	return registers[op >> 12 & 15] * (op & 1 << 30 ? 16 : 8);
}

unsigned int insn_bytes(u32 op)
{
	static const struct pattern pairs[] = {
		{ 0x3e000000, 0x28000000 },	/* LDP, LDNP, LDPSW, STP, STNP */
	}, vector_pairs[] = {
		{ 0x3e000000, 0x2c000000 },	/* the same for vectors */
	}, exclusive_pairs[] = {
		{ 0xbfa00000, 0x88200000 },	/* LDXP, LDAXP, STXP, STLXP */
		{ 0xbfa07c00, 0x08207c00 },	/* CASP */
	}, vectors[] = {
		{ 0xff800000, 0x3c800000 },	/* LDR, LDUR, STR, STUR of 128 bits */
		{ 0xff800000, 0x3d800000 },	/* with an unsigned offset */
		{ 0xff000000, 0x9c000000 },	/* LDR from the code */
	}, structures[] = {
		{ 0xbfbf0000, 0x0c000000 },	/* LD1 to LD4, ST1 to ST4 */
		{ 0xbfa00000, 0x0c800000 },	/* with a changed address */
	};

	if (is_one_of(op, pairs, ARRAY_SIZE(pairs)))
		return op >> 31 ? 16 : 8;
	if (is_one_of(op, vector_pairs, ARRAY_SIZE(vector_pairs)))
		return 8u << (op >> 30);
	if (is_one_of(op, exclusive_pairs, ARRAY_SIZE(exclusive_pairs)))
		return op & 1 << 30 ? 16 : 8;
	if (is_one_of(op, vectors, ARRAY_SIZE(vectors)))
		return 16;
	if (is_one_of(op, structures, ARRAY_SIZE(structures)))
		return structure_bytes(op);
	return 0;
}

bool insn_goes_on(struct pieces *p, u64 insn, unsigned int all, u64 vaddr, unsigned int bytes)
{
	bool on = p->insn == insn && p->next == vaddr;
	unsigned int left = on ? p->left : all;

	p->left = left > bytes ? left - bytes : 0;
	p->insn = p->left ? insn : 0;
	p->next = vaddr + bytes;
	return on;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * llcsim, see tools/sched/llcsim/README.rst: the model against access sequences
 * whose counts and times were worked out by hand. Needs no QEMU.
 *
 * The machine: two nodes of two LLCs; CPUs 0 and 1 are threads of one core, all
 * others are cores of their own. Private caches of 2 sets x 2 ways, LLCs of 4
 * sets x 2 ways, so that a few lines fill them.
 *
 *	node	0			1
 *	llc	0		1	2	3
 *	cpu	0=1 2		3 4	5	6
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../plugin/bandwidth.h"
#include "../plugin/cache.h"
#include "../plugin/insn.h"
#include "../plugin/machine.h"

enum {
	LLC_NS = 15, REMOTE_NS = 110, REMOTE_NODE_NS = 200,
	MEMORY_NS = 90, MEMORY_NODE_NS = 150,
};

static const char description[] =
	"cpu 0 core 0 llc 0 node 0\n"
	"cpu 1 core 0 llc 0 node 0\n"
	"cpu 2 core 1 llc 0 node 0\n"
	"cpu 3 core 2 llc 1 node 0\n"
	"cpu 4 core 3 llc 1 node 0\n"
	"cpu 5 core 4 llc 2 node 1\n"
	"cpu 6 core 5 llc 3 node 1\n"
	"llc 0 bytes 512\nllc 1 bytes 512\nllc 2 bytes 512\nllc 3 bytes 512\n"
	"node 0 bytes 1048576 bandwidth 0\n"
	"node 1 bytes 1048576 bandwidth 64\n"
	"private_bytes 256\nprivate_ways 2\nllc_ways 2\n"
	"llc_ns 15\nremote_ns 110\nremote_node_ns 200\nmemory_ns 90\nmemory_node_ns 150\n"
	"overlap 4\nquantum_ns 2000\n";

enum { NODE_1 = 1048576 };

static unsigned int passed, failed;
static u64 counts[NR_CACHE_LEVELS], stall;

static void expect(const char *what, u64 is, u64 should)
{
	if (is == should) {
		passed++;
		return;
	}
	failed++;
	printf("FAIL %s: %lu, not %lu\n", what, is, should);
}

static void restart(void)
{
	for (int i = 0; i < NR_CACHE_LEVELS; i++)
		counts[i] = 0;
	stall = 0;
}

static enum cache_level access_at(unsigned int cpu, u64 offset, bool store, u64 now)
{
	enum cache_level level;

	stall += cache_access(cpu, offset, store, now, &level);
	counts[level]++;
	return level;
}

static enum cache_level reads(unsigned int cpu, u64 offset)
{
	return access_at(cpu, offset, false, 0);
}

static enum cache_level writes(unsigned int cpu, u64 offset)
{
	return access_at(cpu, offset, true, 0);
}

/* Lines far from each other, in set 0 of every cache and no stream. */
static u64 line(unsigned int n)
{
	return n * 16 * 64;
}

static void test_cold_then_private(void)
{
	restart();
	expect("first read", reads(2, line(1)), CACHE_MEMORY);
	expect("second read", reads(2, line(1)), CACHE_PRIVATE);
	expect("another byte of the line", reads(2, line(1) + 63), CACHE_PRIVATE);
	expect("first write of a line held alone", writes(2, line(1)), CACHE_PRIVATE);
	expect("second write", writes(2, line(1)), CACHE_PRIVATE);
	expect("time", stall, MEMORY_NS);
}

static void test_ping_pong_in_llc(void)
{
	writes(0, line(2));
	restart();
	for (int i = 0; i < 100; i++) {
		writes(2, line(2));
		writes(0, line(2));
	}
	expect("ping-pong in an LLC: hops", counts[CACHE_LLC], 200);
	expect("ping-pong in an LLC: time", stall, 200 * LLC_NS);
}

static void test_ping_pong_across_llcs(void)
{
	writes(0, line(3));
	restart();
	for (int i = 0; i < 100; i++) {
		writes(3, line(3));
		writes(0, line(3));
	}
	expect("ping-pong across LLCs: hops", counts[CACHE_REMOTE], 200);
	expect("ping-pong across LLCs: time", stall, 200 * REMOTE_NS);
}

static void test_ping_pong_across_nodes(void)
{
	writes(0, line(4));
	restart();
	for (int i = 0; i < 10; i++) {
		writes(5, line(4));
		writes(0, line(4));
	}
	expect("ping-pong across nodes: hops", counts[CACHE_REMOTE_NODE], 20);
	expect("ping-pong across nodes: time", stall, 20 * REMOTE_NODE_NS);
}

static void test_read_shared(void)
{
	restart();
	expect("first reader", reads(0, line(5)), CACHE_MEMORY);
	expect("same LLC", reads(2, line(5)), CACHE_LLC);
	expect("other LLC", reads(3, line(5)), CACHE_REMOTE);
	expect("its neighbour", reads(4, line(5)), CACHE_LLC);
	expect("other node", reads(5, line(5)), CACHE_REMOTE_NODE);
	expect("other LLC of that node has it nearer", reads(6, line(5)), CACHE_REMOTE);
	for (unsigned int cpu = 0; cpu < 7; cpu++)
		expect("all have it now", reads(cpu, line(5)), CACHE_PRIVATE);
	expect("time", stall, MEMORY_NS + 2 * LLC_NS + 2 * REMOTE_NS + REMOTE_NODE_NS);
}

static void test_upgrade(void)
{
	reads(0, line(6));
	reads(2, line(6));
	restart();
	expect("write, a copy in the LLC", writes(0, line(6)), CACHE_LLC);
	expect("the copy is gone", reads(2, line(6)), CACHE_LLC);
	reads(3, line(6));
	expect("write, a copy in another LLC", writes(0, line(6)), CACHE_REMOTE);
	expect("that copy is gone", reads(3, line(6)), CACHE_REMOTE);
	reads(5, line(6));
	expect("write, a copy on another node", writes(0, line(6)), CACHE_REMOTE_NODE);
	expect("alone again", writes(0, line(6)), CACHE_PRIVATE);
}

static void test_smt_shares_private_cache(void)
{
	restart();
	reads(0, line(7));
	expect("the sibling hits", reads(1, line(7)), CACHE_PRIVATE);
	expect("the sibling writes", writes(1, line(7)), CACHE_PRIVATE);
	expect("it is the core's", writes(0, line(7)), CACHE_PRIVATE);
}

/* Three lines of one set in two ways: the oldest leaves. */
static void test_private_eviction(void)
{
	u64 a = 100 * 16 * 64, b = a + 128, c = a + 256 + 128;

	/* set 0 of 2 in the private cache; sets 0, 2 and 2 of 4 in the LLC */
	restart();
	reads(2, a);
	reads(2, b);
	expect("two ways hold two lines", reads(2, a), CACHE_PRIVATE);
	reads(2, c);
	expect("the oldest left", reads(2, a), CACHE_LLC);
	expect("and pushed out the next", reads(2, b), CACHE_LLC);
}

static void test_llc_eviction(void)
{
	restart();
	reads(3, line(20));
	reads(4, line(21));
	expect("two ways hold two lines", reads(3, line(20)), CACHE_PRIVATE);
	reads(4, line(22));
	expect("the oldest left the LLC and its cores", reads(3, line(20)), CACHE_MEMORY);
	expect("the written one too", writes(4, line(21)), CACHE_MEMORY);
}

static void test_memory_of_nodes(void)
{
	restart();
	expect("own node", reads(6, NODE_1 + line(30)), CACHE_MEMORY);
	expect("other node", reads(0, NODE_1 + line(34)), CACHE_MEMORY_NODE);
	expect("time", stall, MEMORY_NS + MEMORY_NODE_NS);
}

/* The first line of a stream pays all, the next ones a fourth each. */
static void test_stream_overlaps(void)
{
	restart();
	for (int i = 0; i < 9; i++)
		reads(6, 500 * 64 + i * 64);
	expect("stream: lines", counts[CACHE_MEMORY_NODE], 9);
	expect("stream: time", stall, MEMORY_NODE_NS + 8 * (MEMORY_NODE_NS / 4));
}

/*
 * 64 bytes per us: a line takes a us. Lines asked for at one time wait for each
 * other, less the slack of a quantum: 0, 0, 0, 1, 2, ... us.
 */
static void test_bandwidth(void)
{
	const u64 now = 1000000;

	for (u64 i = 0; i < 10; i++)
		expect("queue", bandwidth_wait(1, now), i < 2 ? 0 : (i - 2) * 1000);
	expect("an empty queue", bandwidth_wait(1, now + 1000000), 0);
	expect("no limit", bandwidth_wait(0, now), 0);
}

/* Words of a disassembler. */
static void test_instructions_in_pieces(void)
{
	static const struct {
		const char *text;
		u32 op;
		unsigned int bytes;
		bool updates;
	} known[] = {
		{ "ldr x0, [x1]", 0xf9400020, 0, false },
		{ "str w0, [x1, #4]", 0xb9000420, 0, false },
		{ "ldrsw x0, [x1]", 0xb9800020, 0, false },
		{ "ldr d0, [x1]", 0xfd400020, 0, false },
		{ "prfm pldl1keep, [x1]", 0xf9800020, 0, false },
		{ "ldp w0, w1, [x2]", 0x29400440, 8, false },
		{ "ldpsw x0, x1, [x2]", 0x69400440, 8, false },
		{ "ldp x0, x1, [x2, #16]", 0xa9410440, 16, false },
		{ "stp x0, x1, [x2, #-16]!", 0xa9bf0440, 16, false },
		{ "ldp x0, x1, [x2], #16", 0xa8c10440, 16, false },
		{ "stnp x0, x1, [x2]", 0xa8000440, 16, false },
		{ "ldp s0, s1, [x2]", 0x2d400440, 8, false },
		{ "ldp d0, d1, [x2]", 0x6d400440, 16, false },
		{ "stp q0, q1, [x2], #32", 0xac810440, 32, false },
		{ "ldr q0, [x1]", 0x3dc00020, 16, false },
		{ "str q0, [x1, x2]", 0x3ca26820, 16, false },
		{ "ldur q0, [x1, #1]", 0x3cc01020, 16, false },
		{ "str q0, [x1], #16", 0x3c810420, 16, false },
		{ "ldr q0, .", 0x9c000000, 16, false },
		{ "ldr d0, .", 0x5c000000, 0, false },
		{ "ldr b0, [x1]", 0x3d400020, 0, false },
		{ "ldr h0, [x1]", 0x7d400020, 0, false },
		{ "ld1 {v0.8b}, [x1]", 0x0c407020, 8, false },
		{ "ld1 {v0.16b}, [x1], #16", 0x4cdf7020, 16, false },
		{ "st1 {v0.4s-v1.4s}, [x1]", 0x4c00a820, 32, false },
		{ "ld1 {v0.16b-v2.16b}, [x1]", 0x4c406020, 48, false },
		{ "ld1 {v0.16b-v3.16b}, [x1], x2", 0x4cc22020, 64, false },
		{ "ld2 {v0.8b-v1.8b}, [x1]", 0x0c408020, 16, false },
		{ "st4 {v0.2d-v3.2d}, [x1]", 0x4c000c20, 64, false },
		{ "ldxr x0, [x1]", 0xc85f7c20, 0, false },
		{ "stxr w0, x1, [x2]", 0xc8007c41, 0, true },
		{ "ldxp x0, x1, [x2]", 0xc87f0440, 16, false },
		{ "ldaxp w0, w1, [x2]", 0x887f8440, 8, false },
		{ "stlxp w0, x1, x2, [x3]", 0xc8208861, 16, true },
		{ "casp x0, x1, x2, x3, [x4]", 0x48207c82, 16, true },
		{ "caspal w0, w1, w2, w3, [x4]", 0x0860fc82, 8, true },
		{ "cas x0, x1, [x2]", 0xc8a07c41, 0, true },
		{ "ldadd x0, x1, [x2]", 0xf8200041, 0, true },
		{ "swpal w0, w1, [x2]", 0xb8e08041, 0, true },
		{ "ldar x0, [x1]", 0xc8dffc20, 0, false },
		{ "stlr x0, [x1]", 0xc89ffc20, 0, false },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(known); i++) {
		expect(known[i].text, insn_bytes(known[i].op), known[i].bytes);
		expect(known[i].text, insn_updates_memory(known[i].op), known[i].updates);
	}
}

/* Two halves, the whole, a loop that goes on where it ended, and a fault in between. */
static void test_pieces_are_one(void)
{
	struct pieces p = { 0 };

	expect("first half", insn_goes_on(&p, 1, 16, 100, 8), false);
	expect("second half", insn_goes_on(&p, 1, 16, 108, 8), true);
	expect("the next round", insn_goes_on(&p, 1, 16, 116, 8), false);
	expect("its second half", insn_goes_on(&p, 1, 16, 124, 8), true);
	expect("the whole", insn_goes_on(&p, 1, 16, 132, 16), false);
	expect("the next round", insn_goes_on(&p, 1, 16, 148, 16), false);
	expect("before a fault", insn_goes_on(&p, 1, 16, 200, 8), false);
	expect("once more", insn_goes_on(&p, 1, 16, 200, 8), false);
	expect("after it", insn_goes_on(&p, 1, 16, 208, 8), true);
	expect("one", insn_goes_on(&p, 1, 16, 300, 8), false);
	expect("another behind it", insn_goes_on(&p, 2, 16, 308, 8), false);
	expect("four pieces", insn_goes_on(&p, 3, 32, 400, 8), false);
	for (u64 at = 408; at < 432; at += 8)
		expect("four pieces", insn_goes_on(&p, 3, 32, at, 8), true);
	expect("after four pieces", insn_goes_on(&p, 3, 32, 432, 8), false);
}

static bool make_machine(void)
{
	char file[] = "/tmp/llcsim-test-XXXXXX";
	int fd = mkstemp(file);
	bool ok;

	if (fd < 0 || write(fd, description, sizeof(description) - 1) < 0)
		return false;
	close(fd);
	ok = machine_read(file) && cache_init();
	unlink(file);
	return ok;
}

int main(void)
{
	if (!make_machine())
		return 1;
	test_cold_then_private();
	test_ping_pong_in_llc();
	test_ping_pong_across_llcs();
	test_ping_pong_across_nodes();
	test_read_shared();
	test_upgrade();
	test_smt_shares_private_cache();
	test_private_eviction();
	test_llc_eviction();
	test_memory_of_nodes();
	test_stream_overlaps();
	test_bandwidth();
	test_instructions_in_pieces();
	test_pieces_are_one();
	printf("%u passed, %u failed\n", passed, failed);
	return failed != 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * llcsim, see tools/sched/llcsim/README.rst: the plugin.
 *
 * One shared object, loaded twice: as a TCG plugin it sees blocks, memory
 * accesses, halts and wakeups of the vCPUs; by LD_PRELOAD it replaces the clock
 * that QEMU gives the guest (host.c). This file connects QEMU to the parts and
 * decides nothing.
 *
 *	machine=FILE	the machine to simulate (machine.c)
 *	guest=FILE	where the kernel keeps its tasks (guest.c), optional
 *	probes=FILE	kernel functions whose calls to count (probe.c), optional
 *	result=FILE	where the counts go
 *	model=0		no caches: every access hits
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "qemu_plugin.h"

#include "cache.h"
#include "guest.h"
#include "host.h"
#include "insn.h"
#include "machine.h"
#include "probe.h"
#include "region.h"
#include "time.h"
#include "timeline.h"

QP_EXPORT int qemu_plugin_version = API;

#define RAM_BASE	0x40000000ull
#define KERNEL_SPACE	BIT_ULL(63)

enum { LINE = 64, PIECES_BITS = 7 };

static const char *result_file;
static bool model = true;
static u64 memory_bytes, first_node_bytes;
static clock_t host_start;
static u64 slice_ticks;
static u64 all_insns;

/* ---- memory ---- */

/*
 * QEMU gives the physical address, except that before 8.2 it adds the offset
 * among all RAM to the offset in the parent region. With several nodes the
 * parent is no longer the address space but the whole memory, so that a node's
 * place counts twice and the base not at all. Nodes are of one size.
 */
static u64 offset_of(const struct qemu_plugin_hwaddr *hw)
{
	u64 address = qemu_plugin_hwaddr_phys_addr(hw);

	if (API == 1 && machine.nr_nodes > 1)
		return address - address / (2 * first_node_bytes) * first_node_bytes;
	return address - RAM_BASE;
}

static bool simulated(void)
{
	return model && __atomic_load_n(&region_open, __ATOMIC_RELAXED);
}

static bool watched(const struct vcpu *v)
{
	return simulated() || v->name_stores || v->in_call;
}

/* A line, or the part of one, that an instruction reads or writes. */
static void line_access(struct vcpu *v, qemu_plugin_meminfo_t info, u64 vaddr)
{
	struct qemu_plugin_hwaddr *hw = qemu_plugin_get_hwaddr(info, vaddr);
	bool store = qemu_plugin_mem_is_store(info);
	enum cache_level level;
	u64 offset, ns;

	if (!hw || qemu_plugin_hwaddr_is_io(hw))
		return;
	offset = offset_of(hw);
	if (offset >= memory_bytes)
		return;
	if (v->name_stores && store)
		region_store(v, offset);
	if (v->in_call && store)
		probe_store(v, offset);
	if (!simulated())
		return;
	v->counts.accesses++;
	if (cache_hits(v->index, offset, store)) {
		v->counts.level[CACHE_PRIVATE]++;
		return;
	}
	ns = cache_access(v->index, offset, store, v->local_ns + v->stall_ns, &level);
	v->counts.level[level]++;
	if (ns)
		time_stall(v, ns);
	/* one block may stall many times */
	if (v->ticks->all >= slice_ticks)
		time_slice_end(v);
}

/*
 * An instruction accesses each line that it touches once, whatever it reads or writes
 * there and in how many pieces QEMU shows that. @pieces: the bytes of all of them
 * and the instruction's address, or 0 if it has one.
 */
static void memory_access(unsigned int i, qemu_plugin_meminfo_t info, uint64_t vaddr,
			  void *pieces)
{
	u64 bytes = BIT_ULL(qemu_plugin_mem_size_shift(info)), insn = (u64)pieces;
	unsigned int all = insn % BIT_ULL(PIECES_BITS);
	struct vcpu *v = vcpus[i];
	bool counted;

	if (!watched(v))
		return;
	counted = insn && insn_goes_on(&v->pieces, insn, all, vaddr, bytes) && vaddr % LINE;
	if (!counted)
		line_access(v, info, vaddr);
	if (vaddr % LINE + bytes > LINE)
		line_access(v, info, vaddr - vaddr % LINE + LINE);
}

/* ---- instructions ---- */

static void begin_marker(unsigned int i, void *unused)
{
	region_marker(vcpus[i], true);
}

static void end_marker(unsigned int i, void *unused)
{
	region_marker(vcpus[i], false);
}

/* @block: its point, and its length, all of which counts as run already. */
static void point_reached(unsigned int i, void *block)
{
	struct vcpu *v = vcpus[i];
	size_t b = (size_t)block;

	probe_reached(v, b % PROBE_POINTS, time_kernel_insns(v) - b / PROBE_POINTS);
}

static void watch_block(struct qemu_plugin_insn *first, size_t insns)
{
	int point = probe_point(qemu_plugin_insn_vaddr(first));

	if (point >= 0)
		qemu_plugin_register_vcpu_insn_exec_cb(first, point_reached, QP_CB_NO_REGS,
						       (void *)(insns * PROBE_POINTS + point));
}

static void task_switched(unsigned int i, void *unused)
{
	timeline_switch(vcpus[i]);
}

static u32 opcode(struct qemu_plugin_insn *insn)
{
	u32 op = 0;

#if API == 1
	memcpy(&op, qemu_plugin_insn_data(insn), sizeof(op));
#else
	qemu_plugin_insn_data(insn, &op, sizeof(op));
#endif
	return op;
}

static void watch_insn(struct qemu_plugin_insn *insn)
{
	u32 op = opcode(insn);
	u64 pieces = insn_bytes(op);

	if (op == REGION_BEGIN)
		qemu_plugin_register_vcpu_insn_exec_cb(insn, begin_marker, QP_CB_NO_REGS, NULL);
	if (op == REGION_END)
		qemu_plugin_register_vcpu_insn_exec_cb(insn, end_marker, QP_CB_NO_REGS, NULL);
	if (guest_switch_address() && qemu_plugin_insn_vaddr(insn) == guest_switch_address())
		qemu_plugin_register_vcpu_insn_exec_cb(insn, task_switched, QP_CB_NO_REGS, NULL);
	/*
	 * QEMU before 8.2 shows an update as one access that reads and writes, later as
	 * a read and then a write, which would cost a line that others hold twice.
	 */
	if (pieces)
		pieces |= qemu_plugin_insn_vaddr(insn) << PIECES_BITS;
	qemu_plugin_register_vcpu_mem_cb(insn, memory_access, QP_CB_NO_REGS,
					 insn_updates_memory(op) ? QP_MEM_W : QP_MEM_RW,
					 (void *)pieces);
}

#if API == 1
static void block_runs(unsigned int i, void *insns)
{
	struct ticks *t = vcpus[i]->ticks;

	t->all += (u64)insns;
	if (t->all >= slice_ticks)
		time_slice_end(vcpus[i]);
}

static void kernel_block_runs(unsigned int i, void *insns)
{
	vcpus[i]->ticks->kernel += (u64)insns;
	block_runs(i, insns);
}

static void count_block(struct qemu_plugin_tb *tb, size_t n, bool kernel)
{
	qemu_plugin_register_vcpu_tb_exec_cb(tb, kernel ? kernel_block_runs : block_runs,
					     QP_CB_NO_REGS, (void *)n);
}

static void prepare_ticks(void)
{
}

static void place_ticks(struct vcpu *v)
{
	v->ticks = calloc(1, sizeof(*v->ticks));
}
#else
static struct qemu_plugin_scoreboard *board;

static void slice_ends(unsigned int i, void *unused)
{
	time_slice_end(vcpus[i]);
}

static void count_block(struct qemu_plugin_tb *tb, size_t n, bool kernel)
{
	qemu_plugin_u64 all = { board, offsetof(struct ticks, all) };
	qemu_plugin_u64 in_kernel = { board, offsetof(struct ticks, kernel) };

	if (kernel)
		qemu_plugin_register_vcpu_tb_exec_inline_per_vcpu(tb, QP_ADD_U64, in_kernel, n);
	qemu_plugin_register_vcpu_tb_exec_inline_per_vcpu(tb, QP_ADD_U64, all, n);
	qemu_plugin_register_vcpu_tb_exec_cond_cb(tb, slice_ends, QP_CB_NO_REGS, QP_GE, all,
						  slice_ticks, NULL);
}

static void prepare_ticks(void)
{
	board = qemu_plugin_scoreboard_new(sizeof(struct ticks));
}

/* QEMU moves the board when it grows for a new vCPU. */
static void place_ticks(struct vcpu *v)
{
	for (unsigned int i = 0; i < nr_vcpus; i++)
		if (vcpus[i])
			vcpus[i]->ticks = qemu_plugin_scoreboard_find(board, i);
	v->ticks = qemu_plugin_scoreboard_find(board, v->index);
}
#endif

static void block_checked(unsigned int i, void *unused)
{
	time_check_lead(vcpus[i]);
}

static void translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t n = qemu_plugin_tb_n_insns(tb);
	struct qemu_plugin_insn *first = qemu_plugin_tb_get_insn(tb, 0);

	count_block(tb, n, qemu_plugin_insn_vaddr(first) & KERNEL_SPACE);
	if (machine.debug)
		qemu_plugin_register_vcpu_tb_exec_cb(tb, block_checked, QP_CB_NO_REGS, NULL);
	watch_block(first, n);
	for (size_t k = 0; k < n; k++)
		watch_insn(qemu_plugin_tb_get_insn(tb, k));
}

/* ---- vCPUs, start and end ---- */

static void vcpu_starts(qemu_plugin_id_t id, unsigned int i)
{
	struct vcpu *v = aligned_alloc(64, sizeof(*v));

	memset(v, 0, sizeof(*v));
	v->index = i;
	place_ticks(v);
	time_vcpu_starts(v);
}

static void vcpu_halts(qemu_plugin_id_t id, unsigned int i)
{
	time_vcpu_halts(vcpus[i]);
}

static void vcpu_resumes(qemu_plugin_id_t id, unsigned int i)
{
	time_vcpu_resumes(vcpus[i]);
}

static void write_result(FILE *f)
{
	const struct time_quality *q = time_quality();
	double host_s = (double)(clock() - host_start) / CLOCKS_PER_SEC;

	for (unsigned int i = 0; i < nr_vcpus; i++)
		all_insns += vcpus[i]->counts.insns;
	fprintf(f, "{\"guest_ns\": %lu,\n\"insns\": %lu,\n\"host_cpu_s\": %.2f,\n",
		time_now(), all_insns, host_s);
	fprintf(f, "\"quality\": {\"max_lead_ns\": %lu, \"leads_over_quantum\": %lu, ",
		q->max_lead_ns, q->leads_over_quantum);
	fprintf(f, "\"leaks\": %lu},\n", q->leaks);
	fputs("\"regions\": ", f);
	region_write(f);
	fputs(",\n\"timeline\": ", f);
	timeline_write(f);
	fputs(",\n\"probes\": ", f);
	probe_write(f);
	fputs("}\n", f);
}

static void guest_ends(qemu_plugin_id_t id, void *unused)
{
	FILE *f;

	region_close_all();
	if (!result_file)
		return;
	f = fopen(result_file, "w");
	if (!f) {
		perror(result_file);
		return;
	}
	write_result(f);
	fclose(f);
}

static bool parse(int argc, char **argv)
{
	bool have_machine = false;

	for (int k = 0; k < argc; k++) {
		const char *value = strchr(argv[k], '=');

		value = value ? value + 1 : "";
		if (!strncmp(argv[k], "machine=", 8))
			have_machine = machine_read(value);
		else if (!strncmp(argv[k], "guest=", 6) && guest_read_layout(value))
			continue;
		else if (!strncmp(argv[k], "probes=", 7) && probe_read(value))
			continue;
		else if (!strncmp(argv[k], "result=", 7))
			result_file = strdup(value);
		else if (!strncmp(argv[k], "model=", 6))
			model = atoi(value);
		else
			return fprintf(stderr, "llcsim: cannot use argument %s\n", argv[k]), false;
	}
	return have_machine;
}

QP_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info,
				  int argc, char **argv)
{
	if (!parse(argc, argv))
		return -1;
	if ((unsigned int)info->system.smp_vcpus != machine.nr_cpus) {
		fprintf(stderr, "llcsim: QEMU has %d CPUs, the machine %u\n",
			info->system.smp_vcpus, machine.nr_cpus);
		return -1;
	}
	if (model && !cache_init()) {
		perror("llcsim: the caches");
		return -1;
	}
	memory_bytes = machine_memory_bytes();
	first_node_bytes = machine.node_bytes[0];
	host_start = clock();
	time_init();
	slice_ticks = time_slice_ticks();
	prepare_ticks();
	host_take_over();
	qemu_plugin_register_vcpu_init_cb(id, vcpu_starts);
	qemu_plugin_register_vcpu_idle_cb(id, vcpu_halts);
	qemu_plugin_register_vcpu_resume_cb(id, vcpu_resumes);
	qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
	qemu_plugin_register_atexit_cb(id, guest_ends, NULL);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * llcsim, see tools/sched/llcsim/README.rst: a look into the guest's memory.
 *
 * The plugin lives in QEMU's process, so the guest's memory is mapped. The
 * driver gives each node a memfd, in the order of the nodes; /proc/self/maps
 * tells where they are. From the kernel's symbols and offsets, which the driver
 * takes from the kernel's build, follows the task that a CPU has switched to:
 *
 *	__entry_task + __per_cpu_offset[cpu]  ->  task_struct  ->  pid, tgid, comm
 *	runqueues + __per_cpu_offset[cpu]     ->  nr_running
 *
 * An address in the kernel's image and one in its linear map have different
 * ways to physical memory. Without address randomisation both are sums.
 */
#include <stdio.h>
#include <string.h>

#include "guest.h"
#include "machine.h"

/* QEMU's virt machine loads an arm64 Image so far into its memory. */
enum { IMAGE_OFFSET = 0x200000 };
#define RAM_BASE	0x40000000ull

enum {
	TEXT, END, PAGE_OFFSET, MEMSTART, PER_CPU_OFFSET, ENTRY_TASK, SWITCH,
	RUNQUEUES, NR_RUNNING, PID, TGID, COMM, NR_LAYOUT,
};

static struct {
	const char *name;
	u64 value;
	bool given;
} layout[NR_LAYOUT] = {
	[TEXT]		 = { .name = "text" },
	[END]		 = { .name = "end" },
	[PAGE_OFFSET]	 = { .name = "page_offset" },
	[MEMSTART]	 = { .name = "memstart_addr" },
	[PER_CPU_OFFSET] = { .name = "per_cpu_offset" },
	[ENTRY_TASK]	 = { .name = "entry_task" },
	[SWITCH]	 = { .name = "switch" },
	[RUNQUEUES]	 = { .name = "runqueues" },
	[NR_RUNNING]	 = { .name = "nr_running" },
	[PID]		 = { .name = "pid" },
	[TGID]		 = { .name = "tgid" },
	[COMM]		 = { .name = "comm" },
};

static struct { unsigned long inode; const char *base; } node_memory[MAX_NODES];
static unsigned int nr_mapped;
static bool known;

static void map_node(unsigned long inode, const char *base)
{
	unsigned int i;

	if (nr_mapped == MAX_NODES)
		return;
	for (i = nr_mapped++; i && node_memory[i - 1].inode > inode; i--)
		node_memory[i] = node_memory[i - 1];
	node_memory[i].inode = inode;
	node_memory[i].base = base;
}

static void find_memory(void)
{
	unsigned long start, end, inode;
	FILE *f = fopen("/proc/self/maps", "r");
	char line[512];

	while (f && fgets(line, sizeof(line), f))
		if (strstr(line, "/memfd:memory-backend-memfd") &&
		    sscanf(line, "%lx-%lx %*s %*s %*s %lu", &start, &end, &inode) == 3)
			map_node(inode, (const char *)start);
	if (f)
		fclose(f);
}

const void *guest_memory(u64 offset, u64 len)
{
	if (!nr_mapped)
		find_memory();
	for (unsigned int i = 0; i < machine.nr_nodes && i < nr_mapped; i++) {
		if (offset + len <= machine.node_bytes[i])
			return node_memory[i].base + offset;
		offset -= machine.node_bytes[i];
	}
	return NULL;
}

static const void *at(u64 address, u64 len)
{
	const u64 *start;

	if (address >= layout[TEXT].value && address < layout[END].value)
		return guest_memory(address - layout[TEXT].value + IMAGE_OFFSET, len);
	start = guest_memory(layout[MEMSTART].value - layout[TEXT].value + IMAGE_OFFSET,
			     sizeof(*start));
	if (!start || address < layout[PAGE_OFFSET].value)
		return NULL;
	return guest_memory(address - layout[PAGE_OFFSET].value + *start - RAM_BASE, len);
}

bool guest_read_layout(const char *file)
{
	FILE *f = fopen(file, "r");
	char name[32];
	unsigned long value;

	if (!f) {
		perror(file);
		return false;
	}
	while (fscanf(f, "%31s %lx", name, &value) == 2)
		for (int i = 0; i < NR_LAYOUT; i++)
			if (!strcmp(name, layout[i].name)) {
				layout[i].value = value;
				layout[i].given = true;
			}
	fclose(f);
	for (int i = 0; i < NR_LAYOUT; i++)
		if (!layout[i].given) {
			fprintf(stderr, "llcsim: %s: no %s\n", file, layout[i].name);
			return false;
		}
	known = true;
	return true;
}

u64 guest_switch_address(void)
{
	return known ? layout[SWITCH].value : 0;
}

bool guest_read_task(struct guest_task *task)
{
	const char *t = at(task->address, layout[COMM].value + GUEST_COMM_LEN);

	if (!t)
		return false;
	memcpy(&task->pid, t + layout[PID].value, sizeof(task->pid));
	memcpy(&task->tgid, t + layout[TGID].value, sizeof(task->tgid));
	memcpy(task->comm, t + layout[COMM].value, sizeof(task->comm));
	task->comm[GUEST_COMM_LEN - 1] = '\0';
	return true;
}

static const void *per_cpu(u64 address, unsigned int cpu, u64 len)
{
	const u64 *offset = at(layout[PER_CPU_OFFSET].value + cpu * sizeof(*offset),
			       sizeof(*offset));

	return offset ? at(address + *offset, len) : NULL;
}

unsigned int guest_nr_running(unsigned int cpu)
{
	const u32 *nr = per_cpu(layout[RUNQUEUES].value + layout[NR_RUNNING].value, cpu,
				sizeof(*nr));

	return nr ? *nr : 0;
}

bool guest_current_task(unsigned int cpu, struct guest_task *task)
{
	const u64 *entry = per_cpu(layout[ENTRY_TASK].value, cpu, sizeof(*entry));

	if (!entry)
		return false;
	task->address = *entry;
	return guest_read_task(task);
}

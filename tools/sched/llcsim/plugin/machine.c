// SPDX-License-Identifier: GPL-2.0-only
/*
 * llcsim, see tools/sched/llcsim/README.rst: the simulated machine as numbers.
 *
 * The driver writes the description, one fact a line:
 *
 *	cpu 0 core 0 llc 0 node 0
 *	llc 0 bytes 33554432
 *	node 0 bytes 1073741824 bandwidth 38400
 *	private_bytes 1048576
 *	remote_ns 110
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "machine.h"

struct machine machine = {
	.private_bytes = 1 << 20, .private_ways = 8, .llc_ways = 16,
	.insn_ns = 0.5, .smt_factor = 1.0, .llc_ns = 15, .remote_ns = 110,
	.remote_node_ns = 200, .memory_ns = 110, .memory_node_ns = 200,
	.overlap = 1, .quantum_ns = 1000, .serial = 1,
};

static const struct {
	const char *name;
	enum { UINT, ULONG, REAL } type;
	size_t offset;
} scalars[] = {
	{ "private_bytes",	ULONG, offsetof(struct machine, private_bytes) },
	{ "private_ways",	UINT,  offsetof(struct machine, private_ways) },
	{ "llc_ways",		UINT,  offsetof(struct machine, llc_ways) },
	{ "insn_ns",		REAL,  offsetof(struct machine, insn_ns) },
	{ "smt_factor",		REAL,  offsetof(struct machine, smt_factor) },
	{ "llc_ns",		ULONG, offsetof(struct machine, llc_ns) },
	{ "remote_ns",		ULONG, offsetof(struct machine, remote_ns) },
	{ "remote_node_ns",	ULONG, offsetof(struct machine, remote_node_ns) },
	{ "memory_ns",		ULONG, offsetof(struct machine, memory_ns) },
	{ "memory_node_ns",	ULONG, offsetof(struct machine, memory_node_ns) },
	{ "overlap",		UINT,  offsetof(struct machine, overlap) },
	{ "quantum_ns",		ULONG, offsetof(struct machine, quantum_ns) },
	{ "serial",		UINT,  offsetof(struct machine, serial) },
	{ "debug",		UINT,  offsetof(struct machine, debug) },
};

static bool read_scalar(const char *line)
{
	char name[32];
	double value;

	if (sscanf(line, "%31s %lf", name, &value) != 2 || value < 0)
		return false;
	for (unsigned int i = 0; i < ARRAY_SIZE(scalars); i++) {
		void *field = (char *)&machine + scalars[i].offset;

		if (strcmp(name, scalars[i].name))
			continue;
		if (scalars[i].type == UINT)
			*(unsigned int *)field = value;
		else if (scalars[i].type == ULONG)
			*(u64 *)field = value;
		else
			*(double *)field = value;
		return true;
	}
	return false;
}

static unsigned int at_least(unsigned int have, unsigned int index)
{
	return have > index ? have : index + 1;
}

static bool read_line(const char *line)
{
	unsigned int i, core, llc, node;
	unsigned long bytes, bandwidth;
	struct machine *m = &machine;

	if (sscanf(line, "cpu %u core %u llc %u node %u", &i, &core, &llc, &node) == 4) {
		if (i >= MAX_CPUS || core >= MAX_CPUS || llc >= MAX_LLCS || node >= MAX_NODES)
			return false;
		m->cpu[i] = (struct machine_cpu){ .core = core, .llc = llc, .node = node };
		m->llc_node[llc] = node;
		m->nr_cpus = at_least(m->nr_cpus, i);
		m->nr_cores = at_least(m->nr_cores, core);
		m->nr_llcs = at_least(m->nr_llcs, llc);
		m->nr_nodes = at_least(m->nr_nodes, node);
		return true;
	}
	if (sscanf(line, "llc %u bytes %lu", &i, &bytes) == 2) {
		if (i >= MAX_LLCS)
			return false;
		m->llc_bytes[i] = bytes;
		return true;
	}
	if (sscanf(line, "node %u bytes %lu bandwidth %lu", &i, &bytes, &bandwidth) == 3) {
		if (i >= MAX_NODES)
			return false;
		m->node_bytes[i] = bytes;
		m->node_bandwidth[i] = bandwidth;
		return true;
	}
	return read_scalar(line);
}

static void find_siblings(void)
{
	struct machine *m = &machine;

	for (unsigned int a = 0; a < m->nr_cpus; a++)
		for (unsigned int b = 0; b < m->nr_cpus; b++)
			if (a != b && m->cpu[a].core == m->cpu[b].core &&
			    m->cpu[a].nr_siblings < MAX_THREADS - 1)
				m->cpu[a].sibling[m->cpu[a].nr_siblings++] = b;
}

static const char *what_is_missing(void)
{
	struct machine *m = &machine;

	if (!m->nr_cpus)
		return "no cpu line";
	if (!m->private_ways || !m->llc_ways || m->private_bytes < 64 * m->private_ways)
		return "the private cache is smaller than one set";
	for (unsigned int i = 0; i < m->nr_llcs; i++)
		if (m->llc_bytes[i] < 64 * m->llc_ways)
			return "an LLC is smaller than one set";
	for (unsigned int i = 0; i < m->nr_nodes; i++)
		if (!m->node_bytes[i])
			return "a node has no memory";
	if (m->insn_ns <= 0 || m->smt_factor < 1 || !m->overlap || !m->quantum_ns)
		return "insn_ns, overlap and quantum_ns must be above 0, smt_factor at least 1";
	return NULL;
}

bool machine_read(const char *file)
{
	FILE *f = fopen(file, "r");
	const char *missing;
	char line[256];

	if (!f) {
		perror(file);
		return false;
	}
	while (fgets(line, sizeof(line), f)) {
		if (line[0] == '#' || line[0] == '\n' || read_line(line))
			continue;
		fprintf(stderr, "llcsim: %s: cannot use: %s", file, line);
		fclose(f);
		return false;
	}
	fclose(f);
	missing = what_is_missing();
	if (missing) {
		fprintf(stderr, "llcsim: %s: %s\n", file, missing);
		return false;
	}
	find_siblings();
	return true;
}

unsigned int machine_node_of(u64 offset)
{
	unsigned int node = 0;

	while (node + 1 < machine.nr_nodes && offset >= machine.node_bytes[node])
		offset -= machine.node_bytes[node++];
	return node;
}

u64 machine_memory_bytes(void)
{
	u64 sum = 0;

	for (unsigned int i = 0; i < machine.nr_nodes; i++)
		sum += machine.node_bytes[i];
	return sum;
}

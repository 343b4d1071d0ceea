/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * llcsim, see tools/sched/llcsim/README.rst: the simulated machine as numbers.
 * Which CPU belongs to which core, LLC and node; sizes; latencies. No state.
 */
#ifndef LLCSIM_MACHINE_H
#define LLCSIM_MACHINE_H

#include "types.h"

struct machine_cpu {
	unsigned int core, llc, node;
	unsigned int nr_siblings, sibling[MAX_THREADS - 1];	/* other threads of the core */
};

struct machine {
	unsigned int nr_cpus, nr_cores, nr_llcs, nr_nodes;
	struct machine_cpu cpu[MAX_CPUS];

	u64 private_bytes;		/* per core, all private levels as one */
	unsigned int private_ways;
	u64 llc_bytes[MAX_LLCS];
	unsigned int llc_ways;
	unsigned int llc_node[MAX_LLCS];

	u64 node_bytes[MAX_NODES];	/* memory of a node, consecutive */
	u64 node_bandwidth[MAX_NODES];	/* bytes per us, 0 is no limit */

	double insn_ns;			/* one instruction that hits */
	double smt_factor;		/* the same while a sibling runs too */
	u64 llc_ns;			/* served by the own LLC */
	u64 remote_ns;			/* by another LLC of the node */
	u64 remote_node_ns;		/* by an LLC of another node */
	u64 memory_ns;			/* by the memory of the node */
	u64 memory_node_ns;		/* by the memory of another node */
	unsigned int overlap;		/* misses of a stream in flight at once */
	u64 quantum_ns;			/* how far a vCPU may be ahead */
	unsigned int serial;		/* vCPUs run one by one */
	unsigned int debug;		/* end the run when time goes wrong */
};

extern struct machine machine;

/* Reads "key value..." lines; prints what is wrong and returns false. */
bool machine_read(const char *file);
unsigned int machine_node_of(u64 offset);
u64 machine_memory_bytes(void);

#endif

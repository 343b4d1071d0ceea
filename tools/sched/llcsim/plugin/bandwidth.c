// SPDX-License-Identifier: GPL-2.0-only
/*
 * llcsim, see tools/sched/llcsim/README.rst: the memory of a node takes its time.
 *
 * One queue per node. A line occupies the memory for 64 bytes / bandwidth:
 *
 *	start = max(now, free)		free = start + 64 / bandwidth
 *	wait  = max(0, start - now - quantum)
 *
 * The vCPUs' times differ by up to a quantum. Without the slack one that is
 * behind would wait for lines that one ahead asked for in its future. In the
 * long run the slack does not matter: the throughput is the bandwidth.
 * Times are in ps, as a line takes less than 2 ns on a large machine.
 */
#include "bandwidth.h"
#include "machine.h"

static struct { u64 free_ps; } CACHELINE queue[MAX_NODES];

u64 bandwidth_wait(unsigned int node, u64 now)
{
	u64 now_ps = now * 1000, slack_ps = machine.quantum_ns * 1000, was, start;

	if (!machine.node_bandwidth[node])
		return 0;
	was = __atomic_load_n(&queue[node].free_ps, __ATOMIC_RELAXED);
	do {
		start = was > now_ps ? was : now_ps;
	} while (!__atomic_compare_exchange_n(&queue[node].free_ps, &was,
			start + 64 * 1000000 / machine.node_bandwidth[node],
			true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	return start > now_ps + slack_ps ? (start - now_ps - slack_ps) / 1000 : 0;
}

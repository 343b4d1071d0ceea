/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: a load
 * of threads that share data, and on which LLC each of them spends its time.
 *
 * A crew is a process of its own. Its workers read and write one buffer and
 * account their CPU time to the LLC of the CPU they find themselves on. The
 * process that watches shares only the counters with them, so watching does
 * not make it a member of the crew.
 */
#ifndef _SELFTESTS_SCHED_CACHE_PLACEMENT_H
#define _SELFTESTS_SCHED_CACHE_PLACEMENT_H

#include <linux/types.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

enum {
	LLC_MAX = 64,
	CREW_MAX = 256,
	STEP_MAX = 32,
};

/* What sysfs says of the LLCs, numbered by their lowest CPU. */
int llc_count(void);
int llc_of(int cpu);
const cpu_set_t *llc_cpus(int llc);
const cpu_set_t *llc_all_cpus(void);
/* What isolcpus= took from the domains. */
bool cpus_isolated(cpu_set_t *cpus);

int cpulist_parse(const char *text, cpu_set_t *cpus);
void cpulist_print(const cpu_set_t *cpus, char *text, size_t size);

/* How a crew works. Zero stands for the default in all but nr. */
struct crew_plan {
	bool (*begin)(void);	/* what its process does first, or ends */
	int nr;			/* workers, the first is the group leader */
	size_t bytes;		/* size of the shared buffer */
	__u64 quota;		/* operations of each worker, then it ends */
	unsigned int nap_us;	/* sleep so long after each millisecond */
};

struct worker {
	pid_t tid;
	int llc;
	__u64 ops;
	__u64 moves;		/* changes of LLC seen by the worker */
	__u64 ns;		/* CPU time */
	__u64 naps;
	__u64 wait_ns;		/* it neither ran nor was it to sleep */
	__u64 longest_ns;	/* at a time, since it began */
	__u64 llc_ns[LLC_MAX];	/* CPU time by LLC, without what was stolen */
};

struct crew {
	struct crew_plan plan;
	pid_t pid;
	int started;
	bool stop;
	void *buffer;
	struct worker worker[CREW_MAX];
};

/* What a crew did during some time. */
struct watch {
	int nr;
	int modal;		/* the LLC where most of the time was spent */
	double share;		/* per cent of all CPU time spent there */
	double cpus;		/* CPU time over elapsed time */
	__u64 ops;
	__u64 moves;
	struct worker worker[CREW_MAX];
	int steps;
	double step_share[STEP_MAX];	/* share by 100 ms, for the log */
};

struct crew *crew_start(const struct crew_plan *plan);
void crew_watch(const struct crew *crew, unsigned int ms, struct watch *watch);
int crew_pin(const struct crew *crew, int worker, const cpu_set_t *cpus);
bool crew_settle(const struct crew *crew);
__u64 crew_longest_wait_ns(const struct crew *crew);
int crew_wait(struct crew *crew);
int crew_stop(struct crew *crew);

/* CPU time in ns a worker spent outside of an LLC. */
__u64 watch_outside(const struct watch *watch, int worker, int llc);
/* From the end of a nap until the worker runs, on average; 0 without naps. */
double watch_delay_us(const struct watch *watch);
void watch_print(const struct watch *watch);

__u64 clock_ns(clockid_t clock);
void sleep_ms(unsigned int ms);
/* Elapsed time, as of sleep_ms(), which a thread that has to wait for its CPU uses up. */
void be_busy_us(unsigned int us);

#endif /* _SELFTESTS_SCHED_CACHE_PLACEMENT_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: storms
 * that run side by side to make the kernel complain.
 */
#ifndef _SELFTESTS_SCHED_CACHE_STORM_H
#define _SELFTESTS_SCHED_CACHE_STORM_H

/*
 * One round of a storm. Returns what it got done, 0 if the kernel refused for
 * a good reason, or a negative number if something is wrong and was printed.
 */
typedef int storm_round_fn(void);

/* storm_control.c: what root can turn while tasks run */
storm_round_fn storm_toggle;
storm_round_fn storm_runq;
storm_round_fn storm_hotplug;
storm_round_fn storm_cpuset;
storm_round_fn storm_cgroup;
storm_round_fn storm_aggregation;

/* storm_fuzz.c: what root can write and read */
storm_round_fn storm_fuzz;
storm_round_fn storm_fuzz_alone;	/* nobody else writes a knob */
storm_round_fn storm_read;

/* storm_tasks.c: tasks that come, move and go */
storm_round_fn storm_fork;
storm_round_fn storm_group;
storm_round_fn storm_affinity;
int storm_affinity_end(void);
storm_round_fn storm_mode;
int storm_mode_end(void);

/* storm_dice.c; a number from 0 to @sides - 1 */
void dice_seed(unsigned long long seed);
unsigned int dice(unsigned int sides);
int wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif /* _SELFTESTS_SCHED_CACHE_STORM_H */

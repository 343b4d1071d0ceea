/* SPDX-License-Identifier: GPL-2.0-only */
/* llctop, see llctop.8: takes the texts of files in /proc to pieces. */
#ifndef LLCTOP_PROCFILE_H
#define LLCTOP_PROCFILE_H

#include <stdbool.h>

/* From /proc/PID/stat or /proc/PID/task/TID/stat */
struct task_stat {
	char comm[64];
	char state;
	int ppid, cpu;
	long threads;
	unsigned long long ticks;	/* user and system time */
	unsigned long long start;	/* ticks since boot */
};

/* Ticks of a CPU since boot, from /proc/stat */
struct cpu_time {
	unsigned long long busy, total;
};

bool procfile_stat(struct task_stat *stat, const char *text);
bool procfile_schedstat(unsigned long long *run_ns, const char *text);
int procfile_uid(const char *status);
const char *procfile_cpu_line(const char *text, int *cpu,
			      struct cpu_time *time);
void procfile_cmdline(char *text, long length);

#endif /* LLCTOP_PROCFILE_H */

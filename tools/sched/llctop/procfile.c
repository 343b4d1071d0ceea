// SPDX-License-Identifier: GPL-2.0-only
/*
 * llctop, see llctop.8: takes the texts of files in /proc to pieces. Nothing
 * here reads a file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "procfile.h"

/* Fields of stat as proc(5) counts them */
enum {
	STAT_STATE	= 3,
	STAT_PPID	= 4,
	STAT_UTIME	= 14,
	STAT_STIME	= 15,
	STAT_THREADS	= 20,
	STAT_START	= 22,
	STAT_CPU	= 39,
};

static void take_field(struct task_stat *stat, int field, const char *text)
{
	switch (field) {
	case STAT_STATE:
		stat->state = *text;
		break;
	case STAT_PPID:
		stat->ppid = atoi(text);
		break;
	case STAT_UTIME:
	case STAT_STIME:
		stat->ticks += strtoull(text, NULL, 10);
		break;
	case STAT_THREADS:
		stat->threads = atol(text);
		break;
	case STAT_START:
		stat->start = strtoull(text, NULL, 10);
		break;
	case STAT_CPU:
		stat->cpu = atoi(text);
		break;
	}
}

/* The name is in brackets and may hold brackets, spaces and newlines. */
bool procfile_stat(struct task_stat *stat, const char *text)
{
	const char *begin = strchr(text, '('), *end = strrchr(text, ')');
	int field = STAT_STATE;

	memset(stat, 0, sizeof(*stat));
	if (!begin || !end || end < begin)
		return false;
	snprintf(stat->comm, sizeof(stat->comm), "%.*s",
		 (int)(end - begin - 1), begin + 1);
	for (text = end + 1; *text == ' '; field++) {
		text++;
		take_field(stat, field, text);
		text += strcspn(text, "\n ");
	}
	return field > STAT_CPU;
}

/* The run time, if the kernel counts any. */
bool procfile_schedstat(unsigned long long *run_ns, const char *text)
{
	char *end;

	*run_ns = strtoull(text, &end, 10);
	return end > text && *end == ' ';
}

/* The effective user of /proc/PID/status, or -1. */
int procfile_uid(const char *status)
{
	const char *line = strstr(status, "\nUid:");
	int uid;

	if (!line || sscanf(line, "\nUid: %*d %d", &uid) != 1)
		return -1;
	return uid;
}

/*
 * The next line of a CPU in /proc/stat: user, nice, system, idle, iowait, irq,
 * softirq, steal. Returns what follows it, or NULL if there is none.
 */
const char *procfile_cpu_line(const char *text, int *cpu,
			      struct cpu_time *time)
{
	unsigned long long v[8] = {};
	int used;

	while (text && *text) {
		if (sscanf(text, "cpu%d%n", cpu, &used) == 1 && *cpu >= 0 &&
		    sscanf(text + used, "%llu %llu %llu %llu %llu %llu %llu %llu",
			   &v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6],
			   &v[7]) >= 4)
			break;
		text = strchr(text, '\n');
		text += !!text;
	}
	if (!text || !*text)
		return NULL;
	time->busy = v[0] + v[1] + v[2] + v[5] + v[6];
	time->total = time->busy + v[3] + v[4] + v[7];
	text = strchr(text, '\n');
	return text ? text + 1 : "";
}

/* Makes one line of the arguments, which NULs end. */
void procfile_cmdline(char *text, long length)
{
	while (length > 0 && !text[length - 1])
		length--;
	for (long i = 0; i < length; i++) {
		if (!text[i])
			text[i] = ' ';
	}
}

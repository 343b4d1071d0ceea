// SPDX-License-Identifier: GPL-2.0-only
/*
 * llctop, see llctop.8: whether the kernel has cache-aware scheduling, and what
 * /sys/kernel/debug/sched/llc_status tells. Its lines are optional, and those
 * that are not known are left alone.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "status.h"

const char * const move_names[MOVE_KINDS] = { "fork", "wake", "push", "spread" };

const char *status_feature_name(enum feature feature)
{
	static const char * const names[] = {
		[FEATURE_ABSENT]	= "absent",
		[FEATURE_UNKNOWN]	= "unknown",
		[FEATURE_INACTIVE]	= "inactive",
		[FEATURE_ACTIVE]	= "active",
	};

	return names[feature];
}

static void status_init(struct status *status)
{
	memset(status, 0, sizeof(*status));
	status->groups = -1;
	status->holds = -1;
	status->spills = -1;
	status->violations = -1;
	for (int i = 0; i < MOVE_KINDS; i++)
		status->moves[i] = -1;
}

/* "active", or "inactive (reason)" */
static void parse_state(struct status *status, const char *text)
{
	size_t length;

	if (!strncmp(text, "active", 6)) {
		status->feature = FEATURE_ACTIVE;
		return;
	}
	status->feature = FEATURE_INACTIVE;
	text += strcspn(text, "(");
	text += *text == '(';
	length = strcspn(text, ")");
	snprintf(status->reason, sizeof(status->reason), "%.*s", (int)length,
		 text);
}

/* "0: cpus 0-3 cores 4 node 0 bytes 16777216 busy 0.00 claimed 0.00" */
static void parse_llc(struct status *status, char *text)
{
	struct status_llc llc = { .node = -1, .busy = -1, .claimed = -1 };
	char *save, *key, *value, *end;

	llc.index = strtol(text, &end, 10);
	if (end == text || *end != ':' || llc.index < 0 ||
	    llc.index >= MAX_LLCS)
		return;
	key = strtok_r(end + 1, " ", &save);
	while (key) {
		value = strtok_r(NULL, " ", &save);
		if (!value)
			break;
		if (!strcmp(key, "cpus") && index_set_parse(&llc.cpus, value))
			return;
		else if (!strcmp(key, "cores"))
			llc.cores = atoi(value);
		else if (!strcmp(key, "node"))
			llc.node = atoi(value);
		else if (!strcmp(key, "bytes"))
			llc.bytes = strtoull(value, NULL, 10);
		else if (!strcmp(key, "busy"))
			llc.busy = strtod(value, NULL);
		else if (!strcmp(key, "claimed"))
			llc.claimed = strtod(value, NULL);
		key = strtok_r(NULL, " ", &save);
	}
	status->llc = must_grow(status->llc, status->nr_llcs + 1, sizeof(llc));
	status->llc[status->nr_llcs++] = llc;
}

/* " fork 4 wake 0 push 0 spread 0" */
static void parse_moves(struct status *status, char *text)
{
	char *save, *key, *value;

	key = strtok_r(text, " ", &save);
	while (key) {
		value = strtok_r(NULL, " ", &save);
		for (int i = 0; value && i < MOVE_KINDS; i++) {
			if (!strcmp(key, move_names[i]))
				status->moves[i] = atoll(value);
		}
		key = strtok_r(NULL, " ", &save);
	}
}

static void parse_line(struct status *status, char *line)
{
	if (!strncmp(line, "state: ", 7))
		parse_state(status, line + 7);
	else if (!strncmp(line, "llc ", 4))
		parse_llc(status, line + 4);
	else if (!strncmp(line, "groups: ", 8))
		status->groups = atoll(line + 8);
	else if (!strncmp(line, "moves: ", 7))
		parse_moves(status, line + 7);
	else if (!strncmp(line, "holds: ", 7))
		status->holds = atoll(line + 7);
	else if (!strncmp(line, "spills: ", 8))
		status->spills = atoll(line + 8);
	else if (!strncmp(line, "violations: ", 12))
		status->violations = atoll(line + 12);
}

/* Takes @text, an llc_status, to pieces. */
void status_parse(struct status *status, char *text)
{
	char *save, *line;

	status_init(status);
	status->feature = FEATURE_UNKNOWN;
	for (line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save))
		parse_line(status, line);
	if (status->feature == FEATURE_UNKNOWN)
		snprintf(status->reason, sizeof(status->reason),
			 "llc_status tells no state");
}

/* Why there is no llc_status: is debugfs there, and what is in it? */
static void explain(struct status *status, int error)
{
	bool empty = true;
	struct dirent *entry;
	DIR *dir;

	status->feature = FEATURE_UNKNOWN;
	if (error == EACCES || error == EPERM) {
		snprintf(status->reason, sizeof(status->reason),
			 "debugfs cannot be read: %s", geteuid() ?
			 "root is needed" : strerror(error));
		return;
	}
	dir = files_opendir("sys/kernel/debug");
	while (dir && (entry = readdir(dir)))
		empty &= entry->d_name[0] == '.';
	if (dir)
		closedir(dir);
	if (error == ENOENT && !empty)
		status->feature = FEATURE_ABSENT;
	else if (error == ENOENT)
		snprintf(status->reason, sizeof(status->reason),
			 "debugfs is not mounted");
	else
		snprintf(status->reason, sizeof(status->reason),
			 "llc_status cannot be read: %s", strerror(error));
}

void status_read(struct status *status)
{
	static char text[1 << 17];
	ssize_t length;

	length = files_read(text, sizeof(text),
			    "sys/kernel/debug/sched/llc_status");
	if (length >= 0) {
		status_parse(status, text);
		return;
	}
	status_init(status);
	explain(status, -length);
}

void status_free(struct status *status)
{
	free(status->llc);
	status->llc = NULL;
	status->nr_llcs = 0;
}

/* One line for the user; @homes says whether /proc tells of homes. */
void status_message(const struct status *status, bool homes, char *buf,
		    size_t size)
{
	const char *rest = homes ? "homes are from /proc" : "placement alone";

	switch (status->feature) {
	case FEATURE_ACTIVE:
		snprintf(buf, size, "cache-aware scheduling is active%s",
			 homes ? "" : "; /proc tells no homes: placement alone");
		break;
	case FEATURE_INACTIVE:
		snprintf(buf, size, "cache-aware scheduling is off%s%s%s: %s",
			 status->reason[0] ? " (" : "", status->reason,
			 status->reason[0] ? ")" : "", rest);
		break;
	case FEATURE_ABSENT:
		if (homes)
			snprintf(buf, size, "no llc_status: %s", rest);
		else
			snprintf(buf, size,
				 "this kernel has no cache-aware scheduling: %s",
				 rest);
		break;
	case FEATURE_UNKNOWN:
		snprintf(buf, size, "%s; %s", status->reason, rest);
		break;
	}
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * llctop, see llctop.8: the lines of cache-aware scheduling in /proc/PID/sched,
 * "llc_home                   :                   0-1". Each of them is
 * optional, and what is not understood counts as not there.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "schedfile.h"

static char *trim(char *text)
{
	char *end;

	while (isspace((unsigned char)*text))
		text++;
	end = text + strlen(text);
	while (end > text && isspace((unsigned char)end[-1]))
		*--end = '\0';
	return text;
}

static bool is_number(const char *text)
{
	return isdigit((unsigned char)*text);
}

static void take_home(struct sched_group *group, const char *value)
{
	if (!strcmp(value, "none"))
		group->has_home = true;
	else
		group->has_home = is_number(value) &&
				  !index_set_parse(&group->home, value);
}

static void take_moves(struct sched_thread *thread, const char *kind,
		       const char *value)
{
	for (int i = 0; i < MOVE_KINDS; i++) {
		if (!strcmp(kind, move_names[i]) && is_number(value))
			thread->moves[i] = atoll(value);
	}
}

static void take_run(struct sched_lines *lines, const char *name,
		     const char *value)
{
	char *end;
	long index = strtol(name, &end, 10);

	if (!is_number(name) || *end || index >= MAX_LLCS || !is_number(value))
		return;
	lines->run[index] = strtod(value, NULL);
	lines->has_run = true;
}

static void take_line(struct sched_lines *lines, const char *name,
		      const char *value)
{
	lines->any = true;
	if (!strcmp(name, "home"))
		take_home(&lines->group, value);
	else if (!strcmp(name, "state"))
		snprintf(lines->thread.state, sizeof(lines->thread.state), "%s",
			 value);
	else if (!strcmp(name, "reason"))
		snprintf(lines->group.reason, sizeof(lines->group.reason), "%s",
			 value);
	else if (!strcmp(name, "home_pct") && is_number(value))
		lines->group.home_pct = atoi(value);
	else if (!strncmp(name, "moves_", 6))
		take_moves(&lines->thread, name + 6, value);
	else if (!strncmp(name, "run_", 4))
		take_run(lines, name + 4, value);
}

/* Takes @text, a sched file, to pieces. */
void schedfile_parse(struct sched_lines *lines, char *text)
{
	char *save, *line, *colon;

	memset(lines, 0, sizeof(*lines));
	lines->group.home_pct = -1;
	for (int i = 0; i < MOVE_KINDS; i++)
		lines->thread.moves[i] = -1;
	for (line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		if (strncmp(line, "llc_", 4))
			continue;
		colon = strchr(line, ':');
		if (!colon)
			continue;
		*colon = '\0';
		take_line(lines, trim(line) + 4, trim(colon + 1));
	}
}

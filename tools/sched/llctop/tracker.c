// SPDX-License-Identifier: GPL-2.0-only
/*
 * llctop, see llctop.8: follows a command and its children, and enters where
 * their threads are into a timeline. Children are found by what the kernel says
 * of each thread (CONFIG_PROC_CHILDREN), else by the parents of all processes,
 * which takes longer. Those whose parent has ended are llctop's own, as it is a
 * subreaper. A child that lives shorter than it takes to find it is not seen.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "llctop.h"
#include "procfile.h"
#include "tracker.h"

/* Children are looked for at the first looks, then at one of so many. */
#define FIRST_LOOKS	20
#define CHILDREN_EVERY	4

static char text[1 << 16];

void tracker_init(struct tracker *tracker, const struct topology *topology,
		  struct timeline *timeline, int pid, int helper)
{
	memset(tracker, 0, sizeof(*tracker));
	tracker->topology = topology;
	tracker->timeline = timeline;
	tracker->self = getpid();
	tracker->helper = helper;
	tracker->room = 16;
	tracker->pids = must_alloc(tracker->room, sizeof(int));
	tracker->pids[tracker->nr_pids++] = pid;
}

void tracker_free(struct tracker *tracker)
{
	free(tracker->pids);
}

static bool is_known(const struct tracker *tracker, int pid)
{
	for (int i = 0; i < tracker->nr_pids; i++) {
		if (tracker->pids[i] == pid)
			return true;
	}
	return false;
}

static void add_pid(struct tracker *tracker, int pid)
{
	if (pid == tracker->helper || is_known(tracker, pid))
		return;
	if (tracker->nr_pids == tracker->room) {
		tracker->room *= 2;
		tracker->pids = must_grow(tracker->pids, tracker->room,
					  sizeof(int));
	}
	tracker->pids[tracker->nr_pids++] = pid;
}

static void add_children(struct tracker *tracker, int pid, int tid)
{
	char *next = text, *end;
	ssize_t length;
	long child;

	length = files_read(text, sizeof(text), "proc/%d/task/%d/children",
			    pid, tid);
	/* Of a thread that is still there: then the file is missing. */
	if (length == -ENOENT &&
	    files_read(text, sizeof(text), "proc/%d/stat", pid) > 0)
		tracker->no_children = true;
	if (length <= 0)
		return;
	while ((child = strtol(next, &end, 10)) > 0) {
		add_pid(tracker, child);
		next = end;
	}
}

/* Parents come before their children, but for PIDs that began anew. */
static void add_by_parent(struct tracker *tracker)
{
	DIR *dir = files_opendir("proc");
	struct task_stat stat;
	int pid;

	while (dir && (pid = files_next_number(dir)) > 0) {
		if (is_known(tracker, pid) ||
		    files_read(text, sizeof(text), "proc/%d/stat", pid) <= 0 ||
		    !procfile_stat(&stat, text))
			continue;
		if (stat.ppid == tracker->self || is_known(tracker, stat.ppid))
			add_pid(tracker, pid);
	}
	if (dir)
		closedir(dir);
}

static void look_at_thread(struct tracker *tracker, int pid, int tid,
			   double time)
{
	unsigned long long run_ns;
	struct task_stat stat;
	struct track *track;

	if (files_read(text, sizeof(text), "proc/%d/task/%d/stat", pid,
		       tid) <= 0 || !procfile_stat(&stat, text))
		return;
	if (files_read(text, sizeof(text), "proc/%d/task/%d/schedstat", pid,
		       tid) <= 0 || !procfile_schedstat(&run_ns, text))
		run_ns = stat.ticks * (1000000000ull / sysconf(_SC_CLK_TCK));
	track = timeline_track(tracker->timeline, pid, tid, stat.start,
			       stat.comm);
	timeline_add(tracker->timeline, track, time,
		     topology_llc_of(tracker->topology, stat.cpu), run_ns);
}

/* Returns false if the process has ended. */
static bool look_at_process(struct tracker *tracker, int pid, double time,
			    bool children)
{
	DIR *dir = files_opendir("proc/%d/task", pid);
	bool found = false;
	int tid;

	if (!dir)
		return false;
	while ((tid = files_next_number(dir)) > 0) {
		found = true;
		look_at_thread(tracker, pid, tid, time);
		if (children && !tracker->no_children)
			add_children(tracker, pid, tid);
	}
	closedir(dir);
	return found;
}

/* @time is in seconds since the command began. */
void tracker_look(struct tracker *tracker, double time)
{
	bool children = tracker->looks < FIRST_LOOKS ||
			!(tracker->looks % CHILDREN_EVERY);
	int kept = 0;

	tracker->looks++;
	if (children && !tracker->no_children)
		add_children(tracker, tracker->self, tracker->self);
	if (children && tracker->no_children)
		add_by_parent(tracker);
	/* Children that are found on the way are looked at, too. */
	for (int i = 0; i < tracker->nr_pids; i++) {
		if (look_at_process(tracker, tracker->pids[i], time, children))
			tracker->pids[kept++] = tracker->pids[i];
	}
	tracker->nr_pids = kept;
	tracker->timeline->looks++;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * llctop, see llctop.8: reads what /proc says of processes and threads at one
 * look. They come and go at any time: what cannot be read has ended, and is
 * left out.
 */
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "look.h"

static char text[1 << 16];

unsigned long long look_ticks_to_ns(unsigned long long ticks)
{
	static long hz;

	if (!hz)
		hz = sysconf(_SC_CLK_TCK);
	return ticks * (1000000000ull / hz);
}

static void free_thread(struct thread *thread)
{
	free(thread->by_llc);
}

void look_free(struct process *process)
{
	for (int i = 0; i < process->nr_threads; i++)
		free_thread(&process->threads[i]);
	free(process->threads);
	free(process->by_llc);
	free(process->run);
	free(process->user);
	free(process->command);
}

static bool is_wanted(const struct sample *sample, int pid)
{
	for (int i = 0; i < sample->nr_pids; i++) {
		if (sample->pids[i] == pid)
			return true;
	}
	return !sample->nr_pids;
}

static bool read_stat(struct task_stat *stat, int pid, int tid)
{
	ssize_t length;

	if (tid)
		length = files_read(text, sizeof(text),
				    "proc/%d/task/%d/stat", pid, tid);
	else
		length = files_read(text, sizeof(text), "proc/%d/stat", pid);
	return length > 0 && procfile_stat(stat, text);
}

/* To the ns if the kernel counts so, else to the tick. */
static unsigned long long read_run_ns(const struct task_stat *stat, int pid,
				      int tid)
{
	unsigned long long run_ns;

	if (files_read(text, sizeof(text), "proc/%d/task/%d/schedstat", pid,
		       tid) > 0 && procfile_schedstat(&run_ns, text))
		return run_ns;
	return look_ticks_to_ns(stat->ticks);
}

static bool read_thread(struct thread *thread, const struct sample *sample,
			int pid, int tid)
{
	struct task_stat stat;

	if (!read_stat(&stat, pid, tid))
		return false;
	memset(thread, 0, sizeof(*thread));
	thread->tid = tid;
	thread->start = stat.start;
	thread->run_state = stat.state;
	thread->cpu = stat.cpu;
	thread->llc = topology_llc_of(&sample->topology, stat.cpu);
	thread->run_ns = read_run_ns(&stat, pid, tid);
	memcpy(thread->comm, stat.comm, sizeof(thread->comm));
	return true;
}

static int compare_threads(const void *a, const void *b)
{
	const struct thread *x = a, *y = b;

	return (x->tid > y->tid) - (x->tid < y->tid);
}

static void read_threads(struct process *process, const struct sample *sample)
{
	DIR *dir = files_opendir("proc/%d/task", process->pid);
	int tid, room = 0;

	if (!dir)
		return;
	while ((tid = files_next_number(dir)) > 0) {
		if (process->nr_threads == room) {
			room += 8 + room;
			process->threads = must_grow(process->threads, room,
						     sizeof(struct thread));
		}
		if (read_thread(&process->threads[process->nr_threads], sample,
				process->pid, tid))
			process->nr_threads++;
	}
	closedir(dir);
	sort_array(process->threads, process->nr_threads,
		   sizeof(struct thread), compare_threads);
}

static bool read_process(struct process *process, const struct sample *sample,
			 int pid)
{
	struct task_stat stat;

	memset(process, 0, sizeof(*process));
	if (!is_wanted(sample, pid) || !read_stat(&stat, pid, 0))
		return false;
	if (stat.threads < 2 && !sample->nr_pids)
		return false;
	process->pid = pid;
	process->uid = -1;
	process->start = stat.start;
	process->most_llc = -1;
	process->group.home_pct = -1;
	process->fresh = true;
	memcpy(process->comm, stat.comm, sizeof(process->comm));
	read_threads(process, sample);
	if (!process->nr_threads) {
		free(process->threads);
		return false;
	}
	return true;
}

static int compare_processes(const void *a, const void *b)
{
	const struct process *x = a, *y = b;

	return (x->pid > y->pid) - (x->pid < y->pid);
}

/* All processes that are there, by PID. Returns how many. */
int look_processes(const struct sample *sample, struct process **processes)
{
	DIR *dir = files_opendir("proc");
	int pid, count = 0, room = 0;

	*processes = NULL;
	if (!dir)
		return 0;
	while ((pid = files_next_number(dir)) > 0) {
		if (count == room) {
			room += 16 + room;
			*processes = must_grow(*processes, room,
					       sizeof(struct process));
		}
		count += read_process(&(*processes)[count], sample, pid);
	}
	closedir(dir);
	sort_array(*processes, count, sizeof(struct process), compare_processes);
	return count;
}

void look_user(struct process *process)
{
	struct passwd *user;
	char number[16];

	files_read(text, sizeof(text), "proc/%d/status", process->pid);
	process->uid = procfile_uid(text);
	user = process->uid >= 0 ? getpwuid(process->uid) : NULL;
	snprintf(number, sizeof(number), "%d", process->uid);
	free(process->user);
	process->user = must_copy(user ? user->pw_name :
				  process->uid >= 0 ? number : "?");
}

void look_command(struct process *process)
{
	ssize_t length = files_read(text, 4096, "proc/%d/cmdline",
				    process->pid);

	if (length > 0)
		procfile_cmdline(text, length);
	else
		snprintf(text, sizeof(text), "[%s]", process->comm);
	free(process->command);
	process->command = must_copy(text);
}

/* The file of a thread; returns false if it has no line of the feature. */
static bool read_sched(struct sched_lines *lines, int pid, int tid)
{
	ssize_t length;

	if (tid == pid)
		length = files_read(text, sizeof(text), "proc/%d/sched", pid);
	else
		length = files_read(text, sizeof(text), "proc/%d/task/%d/sched",
				    pid, tid);
	if (length <= 0)
		return false;
	schedfile_parse(lines, text);
	return lines->any;
}

static void take_thread_lines(struct thread *thread,
			      const struct sched_thread *now)
{
	thread->has_moved = false;
	for (int i = 0; i < MOVE_KINDS; i++) {
		thread->moved[i] = 0;
		if (now->moves[i] < 0)
			continue;
		thread->has_moved = true;
		if (thread->sched.moves[i] >= 0 &&
		    now->moves[i] > thread->sched.moves[i])
			thread->moved[i] = now->moves[i] -
					   thread->sched.moves[i];
	}
	thread->sched = *now;
}

static void take_group_lines(struct process *process,
			     const struct sched_lines *lines, int nr_llcs)
{
	process->has_lines = true;
	process->group = lines->group;
	free(process->run);
	process->run = NULL;
	if (!lines->has_run)
		return;
	process->run = must_alloc(nr_llcs, sizeof(double));
	memcpy(process->run, lines->run, nr_llcs * sizeof(double));
}

/*
 * The leader tells of the group, unless it has ended and others go on. If two
 * threads have no lines, no thread will.
 */
void look_sched(struct process *process, int nr_llcs)
{
	static struct sched_lines lines;
	struct thread *thread;
	int without = 0;

	for (int i = 0; i < process->nr_threads && without < 2; i++) {
		thread = &process->threads[i];
		if (!read_sched(&lines, process->pid, thread->tid)) {
			thread->sched.state[0] = '\0';
			without += !process->has_lines;
			continue;
		}
		take_thread_lines(thread, &lines.thread);
		if (thread->run_state == 'Z' && process->nr_threads > 1)
			continue;
		if (!process->has_lines) {
			take_group_lines(process, &lines, nr_llcs);
			memcpy(process->state, lines.thread.state,
			       sizeof(process->state));
		}
	}
	/* A leader that sleeps is in the group yet after it was told to leave. */
	if (strcmp(process->state, "off") && process->group.has_home &&
	    index_set_count(&process->group.home))
		snprintf(process->state, sizeof(process->state), "home");
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * llctop, see llctop.8: what is known of processes and LLCs, look by look.
 * A PID that is used again is told by the time it began. look.c reads.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bars.h"
#include "files.h"
#include "look.h"
#include "sample.h"

/* The longest time between two looks, and the most of them in an interval. */
#define LOOK_SECONDS	0.25
#define MAX_LOOKS	8

/* Of the time, unless one look takes more. */
#define MAX_COST	0.05

/* Looks in an interval of @delay seconds: so that moves are seen, but cheap. */
int sample_nr_looks(const struct sample *sample, double delay)
{
	int looks = delay / LOOK_SECONDS + 0.5;

	if (looks > MAX_LOOKS)
		looks = MAX_LOOKS;
	if (looks * sample->cost > delay * MAX_COST)
		looks = delay * MAX_COST / sample->cost;
	return looks < 1 ? 1 : looks;
}

static double cpu_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

/* Homings and spreadings; without the feature changes of the LLC that were seen. */
double process_moves_per_s(const struct process *process)
{
	double sum = 0;

	if (!process->has_moves)
		return process->changes_per_s;
	for (int i = 0; i < MOVE_KINDS; i++)
		sum += process->moves_per_s[i];
	return sum;
}

double sample_seconds(const struct sample *sample)
{
	double seconds = sample->time - sample->begin;

	return seconds > 0.001 ? seconds : 0.001;
}

static void free_processes(struct sample *sample)
{
	for (int i = 0; i < sample->nr_processes; i++)
		look_free(&sample->processes[i]);
	free(sample->processes);
	sample->processes = NULL;
	sample->nr_processes = 0;
}

void sample_free(struct sample *sample)
{
	free_processes(sample);
	free(sample->load);
	status_free(&sample->status);
	topology_free(&sample->topology);
}

/* Did it begin after the last look? Then all its run time is of the interval. */
static bool is_new(const struct sample *sample, unsigned long long start)
{
	return sample->time > 0 &&
	       look_ticks_to_ns(start + 1) / 1e9 >= sample->time;
}

/* @new takes what was known of @old, and the run time in between counts. */
static void follow_thread(const struct sample *sample, struct process *process,
			  struct thread *new, struct thread *old)
{
	double ran = 0;

	if (old) {
		if (new->run_ns > old->run_ns)
			ran = new->run_ns - old->run_ns;
		new->by_llc = old->by_llc;
		old->by_llc = NULL;
		new->interval_ns = old->interval_ns;
		new->changes = old->changes + (new->llc != old->llc &&
					       new->llc >= 0 && old->llc >= 0);
		new->sched = old->sched;
		memcpy(new->moved, old->moved, sizeof(new->moved));
		new->has_moved = old->has_moved;
	} else {
		new->by_llc = must_alloc(sample->topology.nr_llcs,
					 sizeof(double));
		for (int i = 0; i < MOVE_KINDS; i++)
			new->sched.moves[i] = is_new(sample, new->start) ? 0 : -1;
		if (is_new(sample, new->start))
			ran = new->run_ns;
	}
	new->interval_ns += ran;
	process->interval_ns += ran;
	if (new->llc >= 0) {
		new->by_llc[new->llc] += ran;
		process->by_llc[new->llc] += ran;
	}
}

static void follow_threads(const struct sample *sample, struct process *new,
			   struct process *old)
{
	int nr_old = old ? old->nr_threads : 0, o = 0;
	struct thread *was;

	for (int i = 0; i < new->nr_threads; i++) {
		while (o < nr_old && old->threads[o].tid < new->threads[i].tid)
			o++;
		was = o < nr_old && old->threads[o].tid == new->threads[i].tid &&
		      old->threads[o].start == new->threads[i].start ?
		      &old->threads[o] : NULL;
		follow_thread(sample, new, &new->threads[i], was);
	}
}

static void follow_process(const struct sample *sample, struct process *new,
			   struct process *old)
{
	if (old) {
		new->by_llc = old->by_llc;
		old->by_llc = NULL;
		new->interval_ns = old->interval_ns;
		new->uid = old->uid;
		new->user = old->user;
		old->user = NULL;
		new->command = old->command;
		old->command = NULL;
		new->fresh = strcmp(new->comm, old->comm);
	} else {
		new->by_llc = must_alloc(sample->topology.nr_llcs,
					 sizeof(double));
	}
	follow_threads(sample, new, old);
}

/* Reads where all threads are, and counts what they ran since the last look. */
void sample_look(struct sample *sample)
{
	double now, begin = cpu_seconds();
	struct process *processes, *was;
	int count, o = 0;

	now = files_now();
	count = look_processes(sample, &processes);
	for (int i = 0; i < count; i++) {
		while (o < sample->nr_processes &&
		       sample->processes[o].pid < processes[i].pid)
			o++;
		was = o < sample->nr_processes &&
		      sample->processes[o].pid == processes[i].pid &&
		      sample->processes[o].start == processes[i].start ?
		      &sample->processes[o] : NULL;
		follow_process(sample, &processes[i], was);
	}
	free_processes(sample);
	sample->processes = processes;
	sample->nr_processes = count;
	sample->time = now;
	sample->cost = cpu_seconds() - begin;
}

static void sum_up(struct process *process, const struct sample *sample)
{
	double seconds = sample_seconds(sample);
	int nr_llcs = sample->topology.nr_llcs, changes = 0;
	struct thread *thread;
	long long moved;

	memset(process->moves_per_s, 0, sizeof(process->moves_per_s));
	for (int i = 0; i < process->nr_threads; i++) {
		thread = &process->threads[i];
		moved = 0;
		for (int k = 0; k < MOVE_KINDS; k++) {
			moved += thread->moved[k];
			process->moves_per_s[k] += thread->moved[k] / seconds;
		}
		process->has_moves |= thread->has_moved;
		changes += thread->changes;
		thread->cpu_pct = thread->interval_ns / seconds / 1e7;
		thread->changes_per_s = thread->changes / seconds;
		thread->moves_per_s = thread->has_moved ? moved / seconds :
				      thread->changes_per_s;
	}
	process->cpu_pct = process->interval_ns / seconds / 1e7;
	process->changes_per_s = changes / seconds;
	process->most_llc = most_of(process->by_llc, nr_llcs);
	process->most_pct = process->most_llc < 0 ? 0 :
		share_pct(process->by_llc[process->most_llc],
			  sum_of(process->by_llc, nr_llcs));
}

/* Busy share of each LLC since the last time. */
static void read_load(struct sample *sample)
{
	int nr_llcs = sample->topology.nr_llcs, cpu, llc;
	double *busy = must_alloc(nr_llcs, sizeof(double));
	double *total = must_alloc(nr_llcs, sizeof(double));
	struct cpu_time now, *last;
	static char text[1 << 20];
	const char *rest = text;

	files_read(text, sizeof(text), "proc/stat");
	while ((rest = procfile_cpu_line(rest, &cpu, &now))) {
		llc = topology_llc_of(&sample->topology, cpu);
		if (llc < 0)
			continue;
		last = &sample->cpu_time[cpu];
		if (now.busy >= last->busy && now.total > last->total) {
			busy[llc] += now.busy - last->busy;
			total[llc] += now.total - last->total;
		}
		*last = now;
	}
	free(sample->load);
	sample->load = must_alloc(nr_llcs, sizeof(*sample->load));
	for (int i = 0; i < nr_llcs; i++)
		sample->load[i].pct = share_pct(busy[i], total[i]);
	free(busy);
	free(total);
}

static void count_processes(struct sample *sample)
{
	const struct process *process;
	int llc;

	for (int i = 0; i < sample->nr_processes; i++) {
		process = &sample->processes[i];
		if (!sample->homes) {
			if (process->most_llc >= 0)
				sample->load[process->most_llc].processes++;
			continue;
		}
		llc = -1;
		while (index_set_next(&process->group.home, &llc)) {
			if (llc < sample->topology.nr_llcs)
				sample->load[llc].processes++;
		}
	}
}

/* Reads what is read once an interval, and says what the interval was. */
void sample_end_interval(struct sample *sample)
{
	struct process *process;

	sample->homes = false;
	read_load(sample);
	for (int i = 0; i < sample->nr_processes; i++) {
		process = &sample->processes[i];
		if (process->fresh || !process->command) {
			look_user(process);
			look_command(process);
			process->fresh = false;
		}
		look_sched(process, sample->topology.nr_llcs);
		sum_up(process, sample);
		sample->homes |= process->has_lines && process->group.has_home;
	}
	count_processes(sample);
	status_free(&sample->status);
	status_read(&sample->status);
	topology_take_busy(&sample->topology, &sample->status);
}

static void halve(double *by_llc, int nr_llcs)
{
	for (int i = 0; i < nr_llcs; i++)
		by_llc[i] /= 2;
}

/* From here on counts what the next sample_end_interval() tells. */
void sample_begin_interval(struct sample *sample)
{
	struct process *process;
	int nr_llcs;

	if (topology_update(&sample->topology, &sample->status)) {
		free_processes(sample);
		sample_look(sample);
	}
	nr_llcs = sample->topology.nr_llcs;
	sample->begin = sample->time;
	for (int i = 0; i < sample->nr_processes; i++) {
		process = &sample->processes[i];
		process->interval_ns = 0;
		halve(process->by_llc, nr_llcs);
		for (int t = 0; t < process->nr_threads; t++) {
			process->threads[t].interval_ns = 0;
			process->threads[t].changes = 0;
			halve(process->threads[t].by_llc, nr_llcs);
		}
	}
}

static double *copy_reals(const double *from, int count)
{
	double *to = must_alloc(count, sizeof(*to));

	memcpy(to, from, count * sizeof(*to));
	return to;
}

static void copy_process(struct process *to, const struct process *from,
			 int nr_llcs)
{
	*to = *from;
	to->user = must_copy(from->user);
	to->command = must_copy(from->command);
	to->by_llc = copy_reals(from->by_llc, nr_llcs);
	to->run = from->run ? copy_reals(from->run, nr_llcs) : NULL;
	to->threads = must_alloc(from->nr_threads, sizeof(*to->threads));
	for (int i = 0; i < from->nr_threads; i++) {
		to->threads[i] = from->threads[i];
		to->threads[i].by_llc = copy_reals(from->threads[i].by_llc,
						   nr_llcs);
	}
}

/* What is shown while looks go on: a copy of what an interval has ended with. */
void sample_copy(struct sample *to, const struct sample *from)
{
	int nr_llcs = from->topology.nr_llcs;

	sample_free(to);
	*to = *from;
	to->status.llc = NULL;
	to->status.nr_llcs = 0;
	to->topology.llc = must_alloc(nr_llcs, sizeof(struct llc));
	memcpy(to->topology.llc, from->topology.llc,
	       nr_llcs * sizeof(struct llc));
	to->load = must_alloc(nr_llcs, sizeof(*to->load));
	memcpy(to->load, from->load, nr_llcs * sizeof(*to->load));
	to->processes = must_alloc(from->nr_processes, sizeof(*to->processes));
	for (int i = 0; i < from->nr_processes; i++)
		copy_process(&to->processes[i], &from->processes[i], nr_llcs);
}

/* The first look, which only later ones give a meaning. */
void sample_init(struct sample *sample, const int *pids, int nr_pids)
{
	memset(sample, 0, sizeof(*sample));
	sample->pids = pids;
	sample->nr_pids = nr_pids;
	topology_init(&sample->topology);
	status_read(&sample->status);
	topology_update(&sample->topology, &sample->status);
	sample_look(sample);
	sample_end_interval(sample);
}

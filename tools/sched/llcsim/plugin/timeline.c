// SPDX-License-Identifier: GPL-2.0-only
/*
 * llcsim, see tools/sched/llcsim/README.rst: who ran where.
 *
 * At every switch of tasks the time since the last one goes to the process that
 * ran, in buckets of 1 ms per LLC. The idle task and processes beyond the first
 * MAX_PROCESSES are left out.
 *
 * The same moments tell how long one CPU idles while another has a task that waits,
 * which should be no longer than load balancing takes to notice. A wait counts from
 * the last switch on its CPU: one of two tasks has waited since then, and of more
 * at least one. Whether it may run on the idle CPU is not looked at. And how long
 * CPUs idle, in all, while a task waits beside them, on another CPU of their LLC: run
 * queues are looked at now and then, so a wait counts from the first look, and
 * whoever waited less than that may not count at all.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "guest.h"
#include "host.h"
#include "machine.h"
#include "time.h"
#include "timeline.h"

enum {
	BUCKET_NS = 1000000,
	MAX_PROCESSES = 512,
	MAX_BUCKETS = 60000,	/* a minute of the guest */
	MAX_PIDS = 1 << 16,
	WAIT_SAMPLE_NS = 20000,
};

struct process {
	u32 tgid;
	char comm[GUEST_COMM_LEN];
	u64 total_ns;
	unsigned int first, nr_buckets;
	u32 *ns;		/* [nr_buckets][nr_llcs] */
};

struct on_cpu {
	struct process *process;
	struct guest_task task;
	u64 since_ns;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct process process[MAX_PROCESSES];
static unsigned int nr_processes;
static struct on_cpu on_cpu[MAX_CPUS];
static unsigned char last_llc[MAX_PIDS];	/* llc + 1, 0 is unknown */
static bool recording;

static struct {
	u64 idle_since[MAX_CPUS], waits_since[MAX_CPUS];	/* NEVER: does not */
	u64 sampled_ns, longest_ns;
	u64 added_ns, idle_beside_ns;
} waiting;

static struct process *find_process(const struct guest_task *task)
{
	struct process *p;

	for (unsigned int i = nr_processes; i--;)
		if (process[i].tgid == task->tgid)
			return &process[i];
	if (nr_processes == MAX_PROCESSES)
		return NULL;
	p = &process[nr_processes++];
	p->tgid = task->tgid;
	return p;
}

static u32 *bucket(struct process *p, unsigned int at)
{
	unsigned int nr_llcs = machine.nr_llcs, have = p->nr_buckets;

	if (!have)
		p->first = at;
	if (at < p->first || at - p->first >= MAX_BUCKETS)
		return NULL;
	at -= p->first;
	if (at >= have) {
		u32 *more = realloc(p->ns, (at + 64) * nr_llcs * sizeof(*more));

		if (!more)
			return NULL;
		p->ns = more;
		p->nr_buckets = at + 64;
		memset(p->ns + have * nr_llcs, 0,
		       (p->nr_buckets - have) * nr_llcs * sizeof(*more));
	}
	return p->ns + at * nr_llcs;
}

static void add(struct process *p, unsigned int llc, u64 from, u64 to)
{
	p->total_ns += to - from;
	while (from < to) {
		u64 end = (from / BUCKET_NS + 1) * BUCKET_NS, stop = end < to ? end : to;
		u32 *ns = bucket(p, from / BUCKET_NS);

		if (ns)
			ns[llc] += stop - from;
		from = stop;
	}
}

static void leave(unsigned int cpu, u64 now)
{
	struct on_cpu *c = &on_cpu[cpu];

	if (recording && c->process && c->since_ns < now) {
		add(c->process, machine.cpu[cpu].llc, c->since_ns, now);
		/* after exec the process has another name */
		if (guest_read_task(&c->task) && c->task.tgid == c->process->tgid)
			memcpy(c->process->comm, c->task.comm, sizeof(c->task.comm));
	}
	c->since_ns = now;
}

static u64 least(const u64 *since)
{
	u64 min = NEVER;

	for (unsigned int i = 0; i < machine.nr_cpus; i++)
		min = since[i] < min ? since[i] : min;
	return min;
}

static u64 later(u64 a, u64 b)
{
	return a > b ? a : b;
}

/* Since when has a task waited on a CPU of this LLC? */
static u64 waits_in_llc_since(unsigned int llc)
{
	u64 min = NEVER;

	for (unsigned int i = 0; i < machine.nr_cpus; i++)
		if (machine.cpu[i].llc == llc && waiting.waits_since[i] < min)
			min = waiting.waits_since[i];
	return min;
}

/* The time since the last call, with what was known of it. */
static void add_idle_beside(u64 now)
{
	u64 since;

	for (unsigned int i = 0; i < machine.nr_cpus; i++) {
		if (waiting.idle_since[i] >= now)
			continue;
		since = later(waiting.idle_since[i], waits_in_llc_since(machine.cpu[i].llc));
		since = later(since, waiting.added_ns);
		if (since < now)
			waiting.idle_beside_ns += now - since;
	}
	waiting.added_ns = later(waiting.added_ns, now);
}

static void note_waiting(u64 now)
{
	u64 idle, waits;

	for (unsigned int i = 0; i < machine.nr_cpus; i++)
		if (guest_nr_running(i) < 2)
			waiting.waits_since[i] = NEVER;
		else if (waiting.waits_since[i] == NEVER)
			waiting.waits_since[i] = now;
	waiting.sampled_ns = now;
	idle = least(waiting.idle_since);
	waits = least(waiting.waits_since);
	if (idle < now && waits < now && now - (idle > waits ? idle : waits) > waiting.longest_ns)
		waiting.longest_ns = now - (idle > waits ? idle : waits);
}

static void start_waiting(u64 now)
{
	for (unsigned int i = 0; i < machine.nr_cpus; i++) {
		waiting.idle_since[i] = on_cpu[i].task.address && !on_cpu[i].task.pid ? now : NEVER;
		waiting.waits_since[i] = NEVER;
	}
	waiting.sampled_ns = now;
	waiting.added_ns = now;
	waiting.longest_ns = 0;
	waiting.idle_beside_ns = 0;
}

u64 timeline_longest_wait(void)
{
	return waiting.longest_ns;
}

u64 timeline_idle_beside(void)
{
	return waiting.idle_beside_ns;
}

static void note_migration(struct vcpu *v, u32 pid)
{
	unsigned char llc = machine.cpu[v->index].llc + 1, *last = &last_llc[pid % MAX_PIDS];

	if (*last && *last != llc)
		v->counts.migrations++;
	*last = llc;
}

void timeline_switch(struct vcpu *v)
{
	u64 now = time_vcpu_now(v);
	struct on_cpu *c = &on_cpu[v->index];
	struct guest_task task;

	if (!guest_current_task(v->index, &task))
		return;
	host_lock(&lock);
	v->counts.switches++;
	leave(v->index, now);
	c->process = task.pid && recording ? find_process(&task) : NULL;
	c->task = task;
	if (recording)
		add_idle_beside(now);
	waiting.idle_since[v->index] = task.pid ? NEVER : now;
	waiting.waits_since[v->index] = NEVER;
	if (recording && now > waiting.sampled_ns + WAIT_SAMPLE_NS)
		note_waiting(now);
	if (task.pid)
		note_migration(v, task.pid);
	pthread_mutex_unlock(&lock);
}

/* A task that runs on across the begin of the first region is seen at its next switch. */
void timeline_record(bool on)
{
	u64 now = time_now();

	host_lock(&lock);
	for (unsigned int i = 0; i < machine.nr_cpus; i++)
		leave(i, now);
	if (recording)
		add_idle_beside(now);
	recording = on;
	if (on)
		start_waiting(now);
	pthread_mutex_unlock(&lock);
}

static void write_process(FILE *f, const struct process *p)
{
	const unsigned int nr_llcs = machine.nr_llcs;

	fprintf(f, "{\"pid\": %u, \"comm\": \"", p->tgid);
	for (const char *c = p->comm; *c; c++)
		fputc(*c < ' ' || *c == '"' || *c == '\\' ? '?' : *c, f);
	fprintf(f, "\", \"run_ns\": %lu, \"buckets\": [", p->total_ns);
	for (unsigned int i = 0, n = 0; i < p->nr_buckets; i++) {
		const u32 *ns = p->ns + i * nr_llcs;
		u64 sum = 0;

		for (unsigned int l = 0; l < nr_llcs; l++)
			sum += ns[l];
		if (!sum)
			continue;
		fprintf(f, "%s\n  [%u", n++ ? "," : "", p->first + i);
		for (unsigned int l = 0; l < nr_llcs; l++)
			fprintf(f, ", %u", ns[l]);
		fputc(']', f);
	}
	fputs("]}", f);
}

/* Each bucket is [ms, ns on LLC 0, ns on LLC 1, ...]. */
void timeline_write(FILE *f)
{
	if (!guest_switch_address()) {
		fputs("null", f);
		return;
	}
	fputs("[", f);
	for (unsigned int i = 0; i < nr_processes; i++) {
		fputs(i ? ",\n " : "\n ", f);
		write_process(f, &process[i]);
	}
	fputs("]", f);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * llcsim, see tools/sched/llcsim/README.rst: what calls of a kernel function cost.
 *
 * The driver writes where the function begins, where its callers go on after it,
 * and where the kernel takes an interrupt, one address a line:
 *
 *	call		sched_cache_home_scan	0xffff80008006a0b0
 *	return		sched_cache_home_scan	0xffff8000800697e4
 *	interrupt	vectors			0xffff800080010a80
 *
 * All of these begin a block, so that the instructions before them are known
 * exactly. A call with an interrupt in between is left out, as is one that ends on
 * another CPU than it began on.
 *
 * What a call writes is kept by line, with the LLCs whose CPUs wrote it in a call:
 * a line that more than one of them writes wanders from cache to cache. Whether
 * the caches are simulated or not does not matter.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "machine.h"
#include "probe.h"
#include "region.h"

enum { MAX_PROBES = 8, MAX_CALLS = 1 << 16, NAME_LEN = 64, MAX_LINES = 1 << 14 };

enum event { CALL, RETURN, INTERRUPT };

static const char * const events[] = {
	[CALL] = "call", [RETURN] = "return", [INTERRUPT] = "interrupt",
};

struct call {
	bool open;
	u64 begin;
};

/* A line of memory; @stores is 0 where none is kept. */
struct line {
	u64 nr, llcs;
	u32 stores;
};

static struct probe {
	char name[NAME_LEN];
	u32 insns[MAX_CALLS];
	unsigned int nr_calls, interrupted;
	struct call call[MAX_CPUS];
	struct line line[MAX_LINES];
	unsigned int nr_lines;
	bool lost_lines;		/* there were more than that */
} *probe;
static unsigned int nr_probes;
static struct { u64 address; enum event event; unsigned int probe; } point[PROBE_POINTS];
static unsigned int nr_points;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int event_of(const char *name)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(events); i++)
		if (!strcmp(name, events[i]))
			return i;
	return -1;
}

static int find_probe(const char *name)
{
	for (unsigned int i = 0; i < nr_probes; i++)
		if (!strcmp(name, probe[i].name))
			return i;
	if (nr_probes == MAX_PROBES)
		return -1;
	memcpy(probe[nr_probes].name, name, strlen(name) + 1);
	return nr_probes++;
}

bool probe_read(const char *file)
{
	FILE *f = fopen(file, "r");
	char event[16], name[NAME_LEN];
	unsigned long address;
	bool usable = true;

	probe = calloc(MAX_PROBES, sizeof(*probe));
	if (!f || !probe) {
		perror(file);
		return false;
	}
	while (usable && fscanf(f, "%15s %63s %lx", event, name, &address) == 3) {
		int what = event_of(event), nr = what == INTERRUPT ? 0 : find_probe(name);

		usable = what >= 0 && nr >= 0 && nr_points < PROBE_POINTS;
		if (usable)
			point[nr_points++] = (typeof(*point)){ address, what, nr };
	}
	if (!usable)
		fprintf(stderr, "llcsim: %s: cannot use %s %s\n", file, event, name);
	fclose(f);
	return usable;
}

int probe_point(u64 address)
{
	for (unsigned int i = 0; i < nr_points; i++)
		if (point[i].address == address)
			return i;
	return -1;
}

static void interrupted(struct vcpu *v)
{
	for (unsigned int i = 0; i < nr_probes; i++) {
		probe[i].interrupted += probe[i].call[v->index].open;
		probe[i].call[v->index].open = false;
	}
}

static bool in_call(const struct vcpu *v)
{
	for (unsigned int i = 0; i < nr_probes; i++)
		if (probe[i].call[v->index].open)
			return true;
	return false;
}

/* Where the line is kept, or is to be; one place always stays empty. */
static struct line *find_line(struct probe *p, u64 nr)
{
	unsigned int i = nr * 0x9e3779b97f4a7c15ull >> 32;

	for (;; i++) {
		struct line *l = &p->line[i % MAX_LINES];

		if (!l->stores || l->nr == nr)
			return l;
	}
}

static void keep_store(struct probe *p, u64 nr, unsigned int llc)
{
	struct line *l = find_line(p, nr);

	if (!l->stores && p->nr_lines == MAX_LINES - 1) {
		p->lost_lines = true;
		return;
	}
	p->nr_lines += !l->stores;
	l->nr = nr;
	l->llcs |= BIT_ULL(llc);
	l->stores++;
}

void probe_store(const struct vcpu *v, u64 offset)
{
	host_lock(&lock);
	for (unsigned int i = 0; i < nr_probes; i++)
		if (probe[i].call[v->index].open)
			keep_store(&probe[i], offset / 64, machine.cpu[v->index].llc);
	pthread_mutex_unlock(&lock);
}

void probe_reached(struct vcpu *v, unsigned int nr, u64 insns)
{
	struct probe *p = &probe[point[nr].probe];
	struct call *c = &p->call[v->index];

	host_lock(&lock);
	if (point[nr].event == CALL)
		*c = (struct call){ __atomic_load_n(&region_open, __ATOMIC_RELAXED), insns };
	else if (point[nr].event == INTERRUPT)
		interrupted(v);
	else if (c->open && p->nr_calls < MAX_CALLS)
		p->insns[p->nr_calls++] = insns - c->begin;
	if (point[nr].event == RETURN)
		c->open = false;
	v->in_call = in_call(v);
	pthread_mutex_unlock(&lock);
}

static int in_order(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return (x > y) - (x < y);
}

/* The lines, and those of more than one LLC. */
static void write_lines(FILE *f, const struct probe *p)
{
	unsigned int shared = 0;
	u64 stores = 0;

	for (unsigned int i = 0; i < MAX_LINES; i++) {
		const struct line *l = &p->line[i];

		if (l->llcs & (l->llcs - 1)) {
			shared++;
			stores += l->stores;
		}
	}
	fprintf(f, ", \"lines\": %u, \"shared_lines\": %u, \"shared_stores\": %lu",
		p->nr_lines, shared, stores);
}

void probe_write(FILE *f)
{
	fputs("{", f);
	for (unsigned int i = 0; i < nr_probes; i++) {
		struct probe *p = &probe[i];

		qsort(p->insns, p->nr_calls, sizeof(*p->insns), in_order);
		fprintf(f, "%s\"%s\": {\"calls\": %u, \"interrupted\": %u", i ? ", " : "",
			p->name, p->nr_calls, p->interrupted);
		if (p->nr_calls)
			fprintf(f, ", \"min\": %u, \"median\": %u, \"max\": %u", p->insns[0],
				p->insns[p->nr_calls / 2], p->insns[p->nr_calls - 1]);
		if (!p->lost_lines)
			write_lines(f, p);
		fputs("}", f);
	}
	fputs("}", f);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * llcsim, see tools/sched/llcsim/README.rst: measured regions.
 *
 * A region is the difference of all counts between its begin and its end. Its
 * name is found in the guest's memory: the marker is followed by a store to a
 * buffer with the name, and the plugin sees where a store goes. Stores of an
 * interrupt that comes in between go elsewhere and are passed over.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "guest.h"
#include "host.h"
#include "machine.h"
#include "region.h"
#include "time.h"
#include "timeline.h"

enum { MAX_REGIONS = 512, NAME_STORES = 100000 };

static const char magic[] = "llcsim:";

struct region {
	char name[REGION_NAME_LEN];
	bool open;
	unsigned int times;
	u64 begin_ns, ns;
	u64 longest_wait_ns, idle_beside_ns;
	struct counts begin[MAX_CPUS], sum[MAX_CPUS];
};

int region_open;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct region *region;
static unsigned int nr_regions;

static void add_difference(struct counts *sum, const struct counts *from,
			   const struct counts *to)
{
	const u64 *a = (const u64 *)from, *b = (const u64 *)to;
	u64 *s = (u64 *)sum;

	for (unsigned int i = 0; i < sizeof(*sum) / sizeof(*s); i++)
		s[i] += b[i] - a[i];
}

static struct region *find_region(const char *name)
{
	if (!region)
		region = calloc(MAX_REGIONS, sizeof(*region));
	for (unsigned int i = 0; i < nr_regions; i++)
		if (!strcmp(region[i].name, name))
			return &region[i];
	if (!region || nr_regions == MAX_REGIONS)
		return NULL;
	memcpy(region[nr_regions].name, name, REGION_NAME_LEN);
	return &region[nr_regions++];
}

static void open_region(struct region *r, u64 now)
{
	if (r->open)
		return;
	for (unsigned int i = 0; i < nr_vcpus; i++)
		r->begin[i] = vcpus[i]->counts;
	r->begin_ns = now;
	r->open = true;
	__atomic_store_n(&region_open, region_open + 1, __ATOMIC_RELEASE);
	if (region_open == 1)
		timeline_record(true);
}

static void close_region(struct region *r, u64 now)
{
	if (!r->open)
		return;
	if (region_open == 1)
		timeline_record(false);
	__atomic_store_n(&region_open, region_open - 1, __ATOMIC_RELEASE);
	r->open = false;
	r->times++;
	r->ns += now - r->begin_ns;
	if (timeline_longest_wait() > r->longest_wait_ns)
		r->longest_wait_ns = timeline_longest_wait();
	r->idle_beside_ns += timeline_idle_beside();
	for (unsigned int i = 0; i < nr_vcpus; i++)
		add_difference(&r->sum[i], &r->begin[i], &vcpus[i]->counts);
}

void region_marker(struct vcpu *v, bool begin)
{
	v->name_stores = NAME_STORES;
	v->name_begins = begin;
}

void region_store(struct vcpu *v, u64 offset)
{
	const char *text = guest_memory(offset, sizeof(magic) - 1 + REGION_NAME_LEN);
	char name[REGION_NAME_LEN] = "";
	struct region *r;
	u64 now;

	v->name_stores--;
	if (!text || memcmp(text, magic, sizeof(magic) - 1))
		return;
	v->name_stores = 0;
	for (int i = 0; i < REGION_NAME_LEN - 1 && text[sizeof(magic) - 1 + i]; i++) {
		char c = text[sizeof(magic) - 1 + i];

		name[i] = c < ' ' || c == '"' || c == '\\' ? '?' : c;
	}
	now = time_vcpu_now(v);
	host_lock(&lock);
	r = find_region(name);
	if (r && v->name_begins)
		open_region(r, now);
	else if (r)
		close_region(r, now);
	pthread_mutex_unlock(&lock);
}

void region_close_all(void)
{
	host_lock(&lock);
	for (unsigned int i = 0; i < nr_regions; i++)
		close_region(&region[i], time_now());
	pthread_mutex_unlock(&lock);
}

static void write_counts(FILE *f, const struct counts *c)
{
	fprintf(f, "\"insns\": %lu, \"user_insns\": %lu, \"kernel_insns\": %lu, ",
		c->insns, c->insns - c->kernel_insns, c->kernel_insns);
	fprintf(f, "\"accesses\": %lu, \"private\": %lu", c->accesses, c->level[CACHE_PRIVATE]);
	for (unsigned int i = CACHE_LLC; i < NR_CACHE_LEVELS; i++)
		fprintf(f, ", \"%s\": %lu", cache_level_names[i], c->level[i]);
	fprintf(f, ", \"stall_ns\": %lu, \"idle_ns\": %lu", c->stall_ns, c->idle_ns);
	fprintf(f, ", \"switches\": %lu, \"llc_migrations\": %lu", c->switches, c->migrations);
}

static void write_region(FILE *f, const struct region *r)
{
	struct counts sum = { 0 }, zero = { 0 };

	for (unsigned int i = 0; i < nr_vcpus; i++)
		add_difference(&sum, &zero, &r->sum[i]);
	fprintf(f, "{\"name\": \"%s\", \"times\": %u, \"begin_ns\": %lu, \"ns\": %lu, ",
		r->name, r->times, r->begin_ns, r->ns);
	write_counts(f, &sum);
	fprintf(f, ", \"longest_wait_ns\": %lu, \"idle_beside_ns\": %lu", r->longest_wait_ns,
		r->idle_beside_ns);
	fputs(", \"cpu_busy_ns\": [", f);
	for (unsigned int i = 0; i < nr_vcpus; i++) {
		u64 idle = r->sum[i].idle_ns;

		fprintf(f, "%s%lu", i ? ", " : "", r->ns > idle ? r->ns - idle : 0);
	}
	fputs("], \"cpu_kernel_insns\": [", f);
	for (unsigned int i = 0; i < nr_vcpus; i++)
		fprintf(f, "%s%lu", i ? ", " : "", r->sum[i].kernel_insns);
	fputs("]}", f);
}

void region_write(FILE *f)
{
	fputs("[", f);
	for (unsigned int i = 0; i < nr_regions; i++) {
		fputs(i ? ",\n " : "\n ", f);
		write_region(f, &region[i]);
	}
	fputs("]", f);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * llctop, see llctop.8: which CPUs share a last-level cache.
 *
 * If llc_status can be read, the LLCs and their indexes are those of the
 * kernel. CPUs that it does not list are grouped by the cache of the highest
 * level that sysfs tells of, and an LLC gets its index when it is first seen,
 * in the order of the CPUs, and keeps it: a CPU that goes offline leaves sysfs.
 * Without caches in sysfs, as in some guests, a package is taken for one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "topology.h"

#define CPU_DIR		"sys/devices/system/cpu"
#define NODE_DIR	"sys/devices/system/node"

struct cache {
	struct index_set cpus;
	int level, id;
	unsigned long long bytes;
};

const char *topology_source_name(enum topology_source source)
{
	static const char * const names[] = {
		[FROM_STATUS]	= "llc_status",
		[FROM_CACHES]	= "caches",
		[FROM_PACKAGES]	= "packages",
		[FROM_NOTHING]	= "none",
	};

	return names[source];
}

/* "32768K" as in cache/index3/size */
unsigned long long topology_parse_size(const char *text)
{
	char *end;
	unsigned long long size = strtoull(text, &end, 10);

	switch (*end) {
	case 'G':
		return size << 30;
	case 'M':
		return size << 20;
	case 'K':
		return size << 10;
	}
	return size;
}

void topology_init(struct topology *topology)
{
	memset(topology, 0, sizeof(*topology));
	for (int cpu = 0; cpu < MAX_INDEX; cpu++)
		topology->llc_of[cpu] = -1;
}

void topology_free(struct topology *topology)
{
	free(topology->llc);
	topology->llc = NULL;
	topology->nr_llcs = 0;
}

int topology_llc_of(const struct topology *topology, int cpu)
{
	return cpu >= 0 && cpu < MAX_INDEX ? topology->llc_of[cpu] : -1;
}

static int read_number(const char *path, int cpu, int index, const char *name)
{
	char text[32];

	if (files_read(text, sizeof(text), path, cpu, index, name) <= 0)
		return -1;
	return atoi(text);
}

/* One of the caches of @cpu, if it is there and holds data. */
static bool read_cache(struct cache *cache, int cpu, int index)
{
	static const char path[] = CPU_DIR "/cpu%d/cache/index%d/%s";
	char text[4096];

	memset(cache, 0, sizeof(*cache));
	cache->level = read_number(path, cpu, index, "level");
	if (cache->level < 0)
		return false;
	if (files_read(text, sizeof(text), path, cpu, index, "type") > 0 &&
	    !strncmp(text, "Instruction", 11))
		return false;
	if (files_read(text, sizeof(text), path, cpu, index,
		       "shared_cpu_list") < 0 ||
	    index_set_parse(&cache->cpus, text))
		return false;
	index_set_add(&cache->cpus, cpu);
	cache->id = read_number(path, cpu, index, "id");
	if (files_read(text, sizeof(text), path, cpu, index, "size") > 0)
		cache->bytes = topology_parse_size(text);
	return true;
}

/* The cache of @cpu with the highest level. Indexes may have gaps. */
static bool read_last_cache(struct cache *last, int cpu)
{
	struct cache cache;
	bool found = false;

	for (int index = 0; index < 10; index++) {
		if (!read_cache(&cache, cpu, index))
			continue;
		if (!found || cache.level > last->level)
			*last = cache;
		found = true;
	}
	return found;
}

static bool read_cpu_list(struct index_set *set, int cpu, const char *name)
{
	char text[4096];

	return files_read(text, sizeof(text), CPU_DIR "/cpu%d/topology/%s",
			  cpu, name) > 0 && !index_set_parse(set, text);
}

static bool read_package(struct index_set *cpus, int cpu)
{
	return read_cpu_list(cpus, cpu, "package_cpus_list") ||
	       read_cpu_list(cpus, cpu, "core_siblings_list");
}

static bool read_core(struct index_set *cpus, int cpu)
{
	return read_cpu_list(cpus, cpu, "core_cpus_list") ||
	       read_cpu_list(cpus, cpu, "thread_siblings_list");
}

/* CPUs without a list of those online: all that /proc/stat tells of. */
static void online_from_stat(struct index_set *online)
{
	static char text[1 << 20];
	char *line = text;
	int cpu;

	memset(online, 0, sizeof(*online));
	files_read(text, sizeof(text), "proc/stat");
	for (; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (sscanf(line, "cpu%d ", &cpu) == 1)
			index_set_add(online, cpu);
	}
}

static void read_online(struct index_set *online)
{
	char text[4096];

	if (files_read(text, sizeof(text), CPU_DIR "/online") <= 0 ||
	    index_set_parse(online, text))
		online_from_stat(online);
}

static struct llc *add_llc(struct topology *topology)
{
	struct llc *llc;

	topology->llc = must_grow(topology->llc, topology->nr_llcs + 1,
				  sizeof(*llc));
	llc = &topology->llc[topology->nr_llcs++];
	memset(llc, 0, sizeof(*llc));
	llc->node = -1;
	llc->level = -1;
	llc->id = -1;
	llc->busy = -1;
	llc->claimed = -1;
	return llc;
}

static void put_cpu(struct topology *topology, int cpu, int index)
{
	topology->llc_of[cpu] = index;
	index_set_add(&topology->llc[index].cpus, cpu);
}

static void take_status(struct topology *topology, const struct status *status)
{
	const struct status_llc *from;
	struct llc *llc;
	int cpu;

	for (int i = 0; i < status->nr_llcs; i++) {
		from = &status->llc[i];
		while (topology->nr_llcs <= from->index)
			add_llc(topology);
		llc = &topology->llc[from->index];
		llc->node = from->node;
		llc->bytes = from->bytes;
		llc->busy = from->busy;
		llc->claimed = from->claimed;
		cpu = -1;
		while (index_set_next(&from->cpus, &cpu))
			put_cpu(topology, cpu, from->index);
	}
}

/* The index that one of @cpus has already, else a new one, or -1. */
static int index_of(struct topology *topology, const struct index_set *cpus)
{
	int cpu;

	cpu = -1;
	while (index_set_next(cpus, &cpu)) {
		if (topology->llc_of[cpu] >= 0)
			return topology->llc_of[cpu];
	}
	if (topology->nr_llcs == MAX_LLCS)
		return -1;
	add_llc(topology);
	return topology->nr_llcs - 1;
}

/* Put @first and all that share its last cache on their LLC. */
static void place_cpu(struct topology *topology, int first)
{
	enum topology_source source = FROM_CACHES;
	struct cache cache;
	int cpu, index;

	if (!read_last_cache(&cache, first)) {
		source = FROM_PACKAGES;
		if (!read_package(&cache.cpus, first)) {
			cache.cpus = topology->online;
			source = FROM_NOTHING;
		}
	}
	index_set_add(&cache.cpus, first);
	index = index_of(topology, &cache.cpus);
	if (index < 0)
		return;
	cpu = -1;
	while (index_set_next(&cache.cpus, &cpu)) {
		if (topology->llc_of[cpu] < 0)
			put_cpu(topology, cpu, index);
	}
	if (source > topology->source)
		topology->source = source;
}

/* What llc_status does not tell, and nobody who takes packages for caches. */
static void describe_llc(struct llc *llc, const struct index_set *online)
{
	struct cache cache;
	int cpu;

	cpu = -1;
	while (index_set_next(&llc->cpus, &cpu)) {
		if (index_set_has(online, cpu))
			break;
	}
	if (cpu < 0 || !read_last_cache(&cache, cpu))
		return;
	llc->level = cache.level;
	llc->id = cache.id;
	if (!llc->bytes)
		llc->bytes = cache.bytes;
}

static void read_nodes(struct topology *topology)
{
	struct index_set nodes, cpus;
	char text[4096];
	int node, cpu, index;

	if (files_read(text, sizeof(text), NODE_DIR "/online") <= 0 ||
	    index_set_parse(&nodes, text))
		return;
	node = -1;
	while (index_set_next(&nodes, &node)) {
		if (files_read(text, sizeof(text), NODE_DIR "/node%d/cpulist",
			       node) <= 0 || index_set_parse(&cpus, text))
			continue;
		cpu = -1;
		while (index_set_next(&cpus, &cpu)) {
			index = topology->llc_of[cpu];
			if (index >= 0 && topology->llc[index].node < 0)
				topology->llc[index].node = node;
		}
	}
}

/* Online CPUs and cores of each LLC; without a list a CPU is a core. */
static void count_cpus(struct topology *topology)
{
	struct index_set seen = {}, core;
	struct llc *llc;
	int cpu, sibling;

	for (int i = 0; i < topology->nr_llcs; i++) {
		topology->llc[i].online = 0;
		topology->llc[i].cores = 0;
	}
	cpu = -1;
	while (index_set_next(&topology->online, &cpu)) {
		if (topology->llc_of[cpu] < 0)
			continue;
		llc = &topology->llc[topology->llc_of[cpu]];
		llc->online++;
		if (index_set_has(&seen, cpu))
			continue;
		llc->cores++;
		if (!read_core(&core, cpu))
			continue;
		sibling = -1;
		while (index_set_next(&core, &sibling))
			index_set_add(&seen, sibling);
	}
}

static bool same_set(const struct index_set *a, const struct index_set *b)
{
	return !memcmp(a, b, sizeof(*a));
}

/* What of an LLC changes all the time. */
void topology_take_busy(struct topology *topology, const struct status *status)
{
	const struct status_llc *from;

	for (int i = 0; i < status->nr_llcs; i++) {
		from = &status->llc[i];
		if (from->index >= topology->nr_llcs)
			continue;
		topology->llc[from->index].busy = from->busy;
		topology->llc[from->index].claimed = from->claimed;
	}
}

/**
 * topology_update - look whether CPUs came or went, and at what llc_status says
 * @topology:	from topology_init() or the last update
 * @status:	as it is now
 *
 * Returns true if there are more LLCs than before, or an index has another
 * meaning, so that what was kept by index is worth nothing.
 */
bool topology_update(struct topology *topology, const struct status *status)
{
	static struct topology old;
	struct index_set online;
	bool changed = false;
	int cpu;

	read_online(&online);
	if (topology->nr_llcs && same_set(&online, &topology->online))
		return false;

	old = *topology;
	topology->online = online;
	topology->source = FROM_STATUS;
	if (status->nr_llcs) {
		topology->nr_llcs = 0;
		topology->llc = NULL;
		for (cpu = 0; cpu < MAX_INDEX; cpu++)
			topology->llc_of[cpu] = -1;
		take_status(topology, status);
	} else if (old.nr_llcs) {
		topology->source = old.source;
	}
	cpu = -1;
	while (index_set_next(&online, &cpu)) {
		if (topology->llc_of[cpu] < 0)
			place_cpu(topology, cpu);
	}
	for (int i = 0; i < topology->nr_llcs; i++)
		describe_llc(&topology->llc[i], &online);
	read_nodes(topology);
	count_cpus(topology);

	for (cpu = 0; cpu < MAX_INDEX; cpu++)
		changed |= old.llc_of[cpu] >= 0 &&
			   old.llc_of[cpu] != topology->llc_of[cpu];
	if (status->nr_llcs)
		free(old.llc);
	return changed || topology->nr_llcs != old.nr_llcs;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * llcsim, see tools/sched/llcsim/README.rst: the caches.
 *
 * The directory has one entry per 64-byte line of memory: the cores that hold
 * the line, the LLCs that do, and whether it was written. It is the truth; the
 * tag arrays only say what must leave when a set is full (the oldest line).
 *
 *	access		held by the core	own LLC		other LLC	none
 *	read		0			llc		remote		memory
 *	write, alone	0 (and own it)		llc		remote		memory
 *	write, shared	llc: copies in the LLC; remote: copies outside it
 *
 * An LLC holds whatever its cores hold: a line that leaves the LLC leaves their
 * private caches too. A line written by one LLC is in no other.
 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bandwidth.h"
#include "cache.h"
#include "machine.h"

const char * const cache_level_names[NR_CACHE_LEVELS] = {
	"private", "llc", "remote", "remote_node", "memory", "memory_node",
};

#define LLC_MASK	0xffffffffull
#define DIRTY		BIT_ULL(32)
#define LOCKED		BIT_ULL(63)
#define NO_LINE		(~0u)

struct line {
	u64 cores;
	u64 llcs;		/* LLC_MASK, DIRTY, LOCKED */
};

struct cache {
	int lock;
	unsigned int sets, ways;
	u32 *tag;		/* [sets][ways] */
	unsigned char *oldest;	/* [sets] */
} CACHELINE;

/* The last lines that missed, to know a stream when one is read. */
struct stream {
	u32 last[4];
	unsigned int next;
} CACHELINE;

static struct line *directory;
static struct cache private[MAX_CORES], llc[MAX_LLCS];
static struct stream stream[MAX_CPUS];
static u64 llc_cores[MAX_LLCS];
static u64 node_llcs[MAX_NODES];

static struct line *lock_line(u32 nr)
{
	struct line *line = &directory[nr];

	while (__atomic_fetch_or(&line->llcs, LOCKED, __ATOMIC_ACQUIRE) & LOCKED)
		sched_yield();
	return line;
}

static void unlock_line(struct line *line, u64 cores, u64 llcs)
{
	__atomic_store_n(&line->cores, cores, __ATOMIC_RELAXED);
	__atomic_store_n(&line->llcs, llcs & ~LOCKED, __ATOMIC_RELEASE);
}

/* Returns the line that had to leave, or NO_LINE. */
static u32 insert(struct cache *c, u32 nr)
{
	u32 set = nr % c->sets, *tag = c->tag + (size_t)set * c->ways, victim;
	unsigned int way;

	while (__atomic_exchange_n(&c->lock, 1, __ATOMIC_ACQUIRE))
		sched_yield();
	for (way = 0; way < c->ways && tag[way] != nr; way++)
		;
	if (way < c->ways) {
		victim = NO_LINE;
	} else {
		for (way = 0; way < c->ways && tag[way] != NO_LINE; way++)
			;
		if (way == c->ways) {
			way = c->oldest[set];
			c->oldest[set] = (way + 1) % c->ways;
		}
		victim = tag[way];
		tag[way] = nr;
	}
	__atomic_store_n(&c->lock, 0, __ATOMIC_RELEASE);
	return victim;
}

static void evict(u32 nr, u64 cores, u64 llcs)
{
	struct line *line;

	if (nr == NO_LINE)
		return;
	line = lock_line(nr);
	llcs = line->llcs & ~llcs;
	unlock_line(line, line->cores & ~cores, llcs & LLC_MASK ? llcs : 0);
}

/* A prefetcher would have asked for this line already. */
static bool in_stream(unsigned int cpu, u32 nr)
{
	struct stream *s = &stream[cpu];

	for (unsigned int i = 0; i < 4; i++) {
		if (nr - s->last[i] - 1 < 2 || s->last[i] - nr - 1 < 2) {
			s->last[i] = nr;
			return true;
		}
	}
	s->last[s->next++ % 4] = nr;
	return false;
}

static enum cache_level who_serves(const struct machine_cpu *c, u64 others, bool here,
				   bool store, u64 offset)
{
	/* a write takes the line from the farthest that holds it */
	if (others && (store || !here))
		return (store ? others & ~node_llcs[c->node] :
			!(others & node_llcs[c->node])) ?
			CACHE_REMOTE_NODE : CACHE_REMOTE;
	if (here)
		return CACHE_LLC;
	return machine_node_of(offset) == c->node ? CACHE_MEMORY : CACHE_MEMORY_NODE;
}

static u64 latency(enum cache_level level)
{
	switch (level) {
	case CACHE_LLC:		return machine.llc_ns;
	case CACHE_REMOTE:	return machine.remote_ns;
	case CACHE_REMOTE_NODE:	return machine.remote_node_ns;
	case CACHE_MEMORY:	return machine.memory_ns;
	case CACHE_MEMORY_NODE:	return machine.memory_node_ns;
	default:		return 0;
	}
}

bool cache_hits(unsigned int cpu, u64 offset, bool store)
{
	struct line *line = &directory[offset >> 6];
	u64 core = 1ull << machine.cpu[cpu].core;
	u64 cores = __atomic_load_n(&line->cores, __ATOMIC_RELAXED);

	if (!store)
		return cores & core;
	return cores == core &&
	       __atomic_load_n(&line->llcs, __ATOMIC_RELAXED) ==
	       (DIRTY | 1ull << machine.cpu[cpu].llc);
}

u64 cache_access(unsigned int cpu, u64 offset, bool store, u64 now,
		 enum cache_level *level)
{
	const struct machine_cpu *c = &machine.cpu[cpu];
	u64 core = 1ull << c->core, here = 1ull << c->llc, cores, llcs, ns;
	u32 nr = offset >> 6;
	struct line *line;
	bool held, in_llc;

	if (cache_hits(cpu, offset, store)) {
		*level = CACHE_PRIVATE;
		return 0;
	}

	line = lock_line(nr);
	cores = line->cores;
	llcs = line->llcs;
	held = cores & core;
	in_llc = llcs & here;
	if (held && (!store || (cores == core && (llcs & LLC_MASK) == here)))
		*level = CACHE_PRIVATE;
	else
		*level = who_serves(c, llcs & LLC_MASK & ~here, in_llc, store, offset);
	if (store)
		unlock_line(line, core, here | DIRTY);
	else
		unlock_line(line, cores | core, llcs | here);

	if (!held)
		evict(insert(&private[c->core], nr), core, 0);
	if (!in_llc)
		evict(insert(&llc[c->llc], nr), llc_cores[c->llc], here);

	ns = latency(*level);
	if (*level >= CACHE_MEMORY) {
		if (machine.overlap > 1 && in_stream(cpu, nr))
			ns /= machine.overlap;
		ns += bandwidth_wait(machine_node_of(offset), now);
	}
	return ns;
}

static bool cache_make(struct cache *c, u64 bytes, unsigned int ways)
{
	c->lock = 0;
	c->ways = ways;
	c->sets = bytes / 64 / ways;
	c->tag = malloc((size_t)c->sets * ways * sizeof(*c->tag));
	c->oldest = calloc(c->sets, sizeof(*c->oldest));
	if (!c->tag || !c->oldest)
		return false;
	memset(c->tag, 0xff, (size_t)c->sets * ways * sizeof(*c->tag));
	return true;
}

bool cache_init(void)
{
	struct machine *m = &machine;

	if (m->nr_cores > MAX_CORES) {
		errno = EINVAL;
		return false;
	}
	directory = mmap(NULL, (machine_memory_bytes() >> 6) * sizeof(*directory),
			 PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (directory == MAP_FAILED)
		return false;
	for (unsigned int i = 0; i < m->nr_cores; i++)
		if (!cache_make(&private[i], m->private_bytes, m->private_ways))
			return false;
	for (unsigned int i = 0; i < m->nr_llcs; i++) {
		if (!cache_make(&llc[i], m->llc_bytes[i], m->llc_ways))
			return false;
		node_llcs[m->llc_node[i]] |= 1ull << i;
	}
	for (unsigned int i = 0; i < m->nr_cpus; i++)
		llc_cores[m->cpu[i].llc] |= 1ull << m->cpu[i].core;
	return true;
}

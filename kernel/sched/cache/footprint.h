/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: how
 * much of its memory a process uses. The arithmetic of samples, as pure
 * functions, and what a group remembers of them.
 */
#ifndef _KERNEL_SCHED_CACHE_FOOTPRINT_H
#define _KERNEL_SCHED_CACHE_FOOTPRINT_H

#include <linux/compiler.h>
#include <linux/math.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/types.h>
#include <asm/page.h>

struct sched_cache_group;
struct task_struct;

enum {
	/*
	 * So many pages of the resident set, evenly spread, are looked at in a
	 * sweep: 4 of them are in 8 MB of 500 MB that are in use.
	 */
	SCHED_CACHE_SAMPLES	= 256,
	/* No more than this many in one page table. */
	SCHED_CACHE_MIN_STRIDE	= 8,
	/* Sums are kept in this fraction of a page, so that they can be halved. */
	SCHED_CACHE_SEEN_UNIT	= 16,
	/*
	 * Sums are halved once so many of the pages were in use, which is as
	 * exact as need be: within a fifth; or when so many pages were looked
	 * at: enough to find 1 MB in 500 MB 8 times.
	 */
	SCHED_CACHE_SEEN_USED	= 64,
	SCHED_CACHE_SEEN_MOST	= 8192,
	/*
	 * A program that uses so many times as much, and more than a few pages
	 * of a sample tell by chance, is another one.
	 */
	SCHED_CACHE_SEEN_TIMES	= 4,
	SCHED_CACHE_SEEN_CHANCE	= 8,
	/* All of the resident set, as a share. */
	SCHED_CACHE_ALL		= 1 << 20,
};

/**
 * struct sched_cache_seen - a sample of the resident set
 * @looked:	pages looked at
 * @used:	those that were accessed since their bit was cleared
 */
struct sched_cache_seen {
	u32	looked;
	u32	used;
};

/**
 * struct sched_cache_footprint - what is known of the memory a group uses
 * @unused:	share of the resident set, in SCHED_CACHE_ALL, that is not used;
 *		0 while nothing is known
 * @turn:	sweeps so far
 * @stride:	every so manyth page is looked at
 * @phase:	and this one of them
 * @due:	jiffies; the next step is not before
 * @busy:	bit 0: a thread does a step
 * @looked:	address; below it the sweep has seen all
 * @ready:	below it accessed bits were cleared in the last step but one
 * @cleared:	below it in the last step
 * @sweep:	what this sweep has seen, in pages
 * @sum:	what earlier ones saw, in SCHED_CACHE_SEEN_UNIT, decayed
 *
 * All but @unused, @due and @busy belong to the thread that holds @busy.
 */
struct sched_cache_footprint {
	u32			unused;
	u32			turn;
	u32			stride;
	u32			phase;
	unsigned long		due;
	unsigned long		busy;
	unsigned long		looked;
	unsigned long		ready;
	unsigned long		cleared;
	struct sched_cache_seen	sweep;
	struct sched_cache_seen	sum;
};

/**
 * sched_cache_stride - one page of how many should be looked at?
 * @pages:	resident
 * @most:	no fewer than one of these
 *
 * Return: an odd number: programs place things at powers of two.
 */
static inline u32 sched_cache_stride(unsigned long pages, u32 most)
{
	return clamp(pages / SCHED_CACHE_SAMPLES,
		     (unsigned long)SCHED_CACHE_MIN_STRIDE,
		     (unsigned long)most) | 1;
}

/**
 * sched_cache_phase - which page of each stride should be looked at?
 * @turn:	sweeps so far
 * @stride:	pages
 *
 * Multiples of the golden ratio: each falls into the largest gap that those
 * before left. So n sweeps make an even grid of n times as many pages, and few
 * of them find a small hot part, wherever it is.
 *
 * Return: a number below @stride.
 */
static inline u32 sched_cache_phase(u32 turn, u32 stride)
{
	return (u64)(turn * 0x9e3779b9U) * stride >> 32;
}

/**
 * sched_cache_next_sample - how far is it to the next page to look at?
 * @page:	a page's number: its address, so that it is the same page when
 *		its bit is cleared and when it is looked at, whatever was
 *		mapped and unmapped in between
 * @stride:	pages
 * @phase:	below @stride
 *
 * Return: pages, 0 if @page is one.
 */
static inline u32
sched_cache_next_sample(unsigned long page, u32 stride, u32 phase)
{
	u32 past = page % stride;

	return past <= phase ? phase - past : phase + stride - past;
}

/**
 * sched_cache_seen_changed - does the program use more than it did?
 * @sum:	of earlier sweeps, in SCHED_CACHE_SEEN_UNIT
 * @sweep:	a sweep or a part of it, in pages
 */
static inline bool
sched_cache_seen_changed(const struct sched_cache_seen *sum,
			 const struct sched_cache_seen *sweep)
{
	u64 expected = (u64)sum->used * sweep->looked;

	return sum->looked &&
	       sweep->used > SCHED_CACHE_SEEN_CHANCE + SCHED_CACHE_SEEN_TIMES *
			     div_u64(expected, sum->looked);
}

/**
 * sched_cache_seen_add - add what a sweep has seen
 * @sum:	of earlier sweeps, in SCHED_CACHE_SEEN_UNIT
 * @sweep:	in pages
 *
 * What is exact enough is halved before: many used pages are forgotten within
 * a few sweeps, few used pages only after many. A program that begins to use
 * much more is believed at once, as it is not to be kept together any longer.
 */
static inline void sched_cache_seen_add(struct sched_cache_seen *sum,
					const struct sched_cache_seen *sweep)
{
	if (sched_cache_seen_changed(sum, sweep))
		*sum = (struct sched_cache_seen) {};
	while (sum->used > SCHED_CACHE_SEEN_USED * SCHED_CACHE_SEEN_UNIT ||
	       sum->looked > SCHED_CACHE_SEEN_MOST * SCHED_CACHE_SEEN_UNIT) {
		sum->used /= 2;
		sum->looked /= 2;
	}
	sum->used += sweep->used * SCHED_CACHE_SEEN_UNIT;
	sum->looked += sweep->looked * SCHED_CACHE_SEEN_UNIT;
}

/* Will another sweep tell nothing new, unless the program changes? */
static inline bool sched_cache_seen_enough(const struct sched_cache_seen *sum)
{
	return sum->used >= SCHED_CACHE_SEEN_USED * SCHED_CACHE_SEEN_UNIT / 2 ||
	       sum->looked >= SCHED_CACHE_SEEN_MOST * SCHED_CACHE_SEEN_UNIT / 4;
}

/**
 * sched_cache_seen_unused - the share that is not used
 * @sum:	in SCHED_CACHE_SEEN_UNIT
 *
 * With u of n pages in use, (u + sqrt(u) + 1) / n are taken for used: u and
 * its standard deviation, and one for what no sample has hit yet. So a process
 * is not taken for small before that is known.
 *
 * Return: in SCHED_CACHE_ALL, rounded down.
 */
static inline u32 sched_cache_seen_unused(const struct sched_cache_seen *sum)
{
	u64 used = sum->used + int_sqrt(sum->used * SCHED_CACHE_SEEN_UNIT) +
		   SCHED_CACHE_SEEN_UNIT;

	if (used >= sum->looked)
		return 0;
	return div_u64((sum->looked - used) * SCHED_CACHE_ALL, sum->looked);
}

/* @unused of @pages taken off. */
static inline unsigned long sched_cache_used_pages(unsigned long pages, u32 unused)
{
	return pages - mul_u64_u32_shr(pages, unused, 20);
}

/**
 * sched_cache_footprint - how much memory does a process use?
 * @f:		of its group
 * @rss:	pages that are resident
 *
 * Samples leave out what a process keeps but does not use. Before there are any
 * it is all that is resident. Hinting faults of NUMA balancing are not asked:
 * they are counted for a thread, not for its process.
 *
 * Return: bytes.
 */
static inline unsigned long
sched_cache_footprint(const struct sched_cache_footprint *f, unsigned long rss)
{
	return sched_cache_used_pages(rss, READ_ONCE(f->unused)) << PAGE_SHIFT;
}

void sched_cache_footprint_sample(struct sched_cache_footprint *f,
				  struct task_struct *p);

#endif /* _KERNEL_SCHED_CACHE_FOOTPRINT_H */

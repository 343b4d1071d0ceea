// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: how
 * much of its memory a process uses, by a look at a few page-table entries.
 *
 * Processors set a bit in a page-table entry when they use it. Clear it in some
 * entries, wait, and see in how many it is set again:
 *
 *	footprint = resident set * used / looked at
 *
 * A sweep looks at one page of every stride of the address space, a stride
 * being 1/256 of the resident set, and each sweep at another one. It takes some
 * steps, each of them done by a thread that rethinks the home anyway: look at
 * what the last but one has cleared, and clear some more,
 *
 *	0 ........ looked ........ ready ........ cleared ........ TASK_SIZE
 *	  counted         look now       next time       clear now
 *
 * Example: 1 MB of 500 MB is in use. A stride is 500 pages, so that 256 pages
 * are looked at in a sweep of 20 steps of 10 ms, one of which is in use in each
 * second sweep. After the first, 0 of 256 were seen: taken for 1 of 256, 2 MB.
 * After 16 sweeps 8 of 4096 were: taken for 12 of 4096, 1.4 MB. If the program
 * begins to use all, the next sweep tells.
 *
 * Nobody else should notice. The bit is what reclaim goes by, so a page whose
 * bit was set gets the young flag, which tells it the same, and loses the idle
 * flag, as idle page tracking would have done. A processor that has the entry
 * in its TLB does not set the bit again: TLBs are flushed once in a step that
 * clears a bit.
 *
 * A process whose resident set fits an LLC pays nothing.
 */
#include <linux/hugetlb.h>
#include <linux/mm.h>
#include <linux/mmu_notifier.h>
#include <linux/page_idle.h>
#include <linux/pagewalk.h>
#include <linux/sched.h>
#include <linux/tick.h>
#include <asm/tlbflush.h>

#include "footprint.h"

enum {
	/*
	 * Between two steps; half of the time between clearing and looking. In
	 * 20 ms a thread reads as much as an LLC holds, from memory as slow as
	 * 110 ns a line: what it uses less often does not stay there.
	 */
	STEP_MS		= 10,
	/* Once enough is known. */
	REST_MS		= 30,
	/*
	 * What clearing may cost, in units of 33 ns on a simulated machine of
	 * 2 instructions a ns and 110 ns a line from memory; to look costs half.
	 */
	BUDGET		= 300,
	/* An entry of a directory, or a hole. */
	ENTRY		= 1,
	/* A mapping is looked up in a tree. */
	MAPPING		= 8,
	/* A lock, an entry, a struct page: one line of each. */
	SAMPLE		= 20,
	/* One sample in so many page tables at least. */
	MOST_TABLES	= 4,
};

/* One walk over a part of the address space. */
struct walk {
	u32			stride;
	u32			phase;
	bool			clear;
	int			budget;
	unsigned long		at;	/* it came so far */
	struct sched_cache_seen	seen;
};

/* Return: 1 to end the walk. */
static int spend(struct walk *w, int cost, unsigned long at)
{
	w->at = at;
	w->budget -= cost;
	return w->budget <= 0;
}

/* The entry is locked, so the page stays. */
static void see(struct walk *w, struct page *page, bool used, int samples)
{
	struct folio *folio;

	w->seen.looked += samples;
	if (!used)
		return;
	w->seen.used += samples;
	if (!w->clear)
		return;
	folio = page_folio(page);
	folio_clear_idle(folio);
	folio_set_young(folio);
}

static void see_pte(struct walk *w, struct vm_area_struct *vma,
		    unsigned long addr, pte_t *pte)
{
	pte_t entry = ptep_get(pte);
	struct page *page;

	if (!pte_present(entry))
		return;
	page = vm_normal_page(vma, addr, entry);
	if (!page)
		return;
	see(w, page, w->clear ? ptep_test_and_clear_young(vma, addr, pte)
			      : pte_young(entry), 1);
}

#ifdef CONFIG_TRANSPARENT_HUGEPAGE
/* It has one bit, so it is used as a whole. */
static void see_pmd(struct walk *w, struct vm_area_struct *vma,
		    unsigned long addr, pmd_t *pmd, int samples)
{
	pmd_t entry = pmdp_get(pmd);
	struct page *page;

	if (!pmd_present(entry) || !pmd_trans_huge(entry))
		return;
	addr &= HPAGE_PMD_MASK;
	page = vm_normal_page_pmd(vma, addr, entry);
	if (!page)
		return;
	see(w, page, w->clear ? pmdp_test_and_clear_young(vma, addr, pmd)
			      : pmd_young(entry), samples);
}
#else
static void see_pmd(struct walk *w, struct vm_area_struct *vma,
		    unsigned long addr, pmd_t *pmd, int samples)
{
}
#endif

static int walk_pmd(pmd_t *pmd, unsigned long addr, unsigned long next,
		    struct mm_walk *walk)
{
	struct walk *w = walk->private;
	unsigned long first = addr + PAGE_SIZE *
		sched_cache_next_sample(addr >> PAGE_SHIFT, w->stride, w->phase);
	unsigned long step = w->stride * PAGE_SIZE;
	int samples;
	pte_t *pte;
	/* Of the page table, or of the entry of a huge page. */
	spinlock_t *ptl;

	if (first >= next)
		return spend(w, ENTRY, next);
	samples = DIV_ROUND_UP(next - first, step);

	if (pmd_trans_huge(pmdp_get(pmd))) {
		ptl = pmd_lock(walk->mm, pmd);
		see_pmd(w, walk->vma, addr, pmd, samples);
		spin_unlock(ptl);
		return spend(w, SAMPLE, next);
	}

	/* None if the table went away; another sweep will come. */
	pte = pte_offset_map_lock(walk->mm, pmd, first, &ptl);
	if (!pte)
		return spend(w, ENTRY, next);
	/* For sparse, which does not see that it is locked. */
	__acquire(ptl);
	for (addr = first; addr < next && w->budget > 0; addr += step) {
		see_pte(w, walk->vma, addr, pte + ((addr - first) >> PAGE_SHIFT));
		w->budget -= SAMPLE;
	}
	pte_unmap_unlock(pte, ptl);
	return spend(w, ENTRY, min(addr, next));
}

static int walk_hole(unsigned long addr, unsigned long next, int depth,
		     struct mm_walk *walk)
{
	return spend(walk->private, ENTRY, next);
}

/*
 * Memory of devices has no pages, and huge entries that the walk would split.
 * Pages of hugetlbfs are no part of the resident set.
 */
static bool has_samples(struct vm_area_struct *vma)
{
	return !(vma->vm_flags & (VM_IO | VM_PFNMAP | VM_MIXEDMAP)) &&
	       !vma_is_dax(vma) && !is_vm_hugetlb_page(vma);
}

/* Return: 0 to walk over the mapping, 1 not to, less to end the walk. */
static int walk_mapping(unsigned long addr, unsigned long next,
			struct mm_walk *walk)
{
	if (spend(walk->private, MAPPING, addr))
		return -EAGAIN;
	return !has_samples(walk->vma);
}

static const struct mm_walk_ops walk_ops = {
	.test_walk	= walk_mapping,
	.pmd_entry	= walk_pmd,
	.pte_hole	= walk_hole,
	.walk_lock	= PGWALK_RDLOCK,
};

/* Return: what was seen on the way to @w->at, which is @to or before. */
static void walk(struct walk *w, struct mm_struct *mm, unsigned long from,
		 unsigned long to)
{
	w->at = from;
	if (!walk_page_range(mm, from, to, &walk_ops, w))
		w->at = to;
}

static void begin_sweep(struct sched_cache_footprint *f, u32 stride)
{
	f->sweep = (struct sched_cache_seen) {};
	f->stride = stride;
	f->phase = sched_cache_phase(f->turn++, stride);
	f->looked = 0;
	f->ready = 0;
	f->cleared = 0;
}

static void end_sweep(struct sched_cache_footprint *f)
{
	sched_cache_seen_add(&f->sum, &f->sweep);
	WRITE_ONCE(f->unused, sched_cache_seen_unused(&f->sum));
	f->cleared = 0;
}

static struct walk walk_of(const struct sched_cache_footprint *f)
{
	return (struct walk) {
		.stride = f->stride,
		.phase = f->phase,
		.budget = BUDGET,
	};
}

/* See which of the bits are set again that were cleared the last but one time. */
static void look(struct sched_cache_footprint *f, struct mm_struct *mm)
{
	struct walk w = walk_of(f);

	/* What was mapped since then may not fit in the budget: leave it out. */
	walk(&w, mm, f->looked, f->ready);
	f->sweep.looked += w.seen.looked;
	f->sweep.used += w.seen.used;
	f->looked = f->ready;
	f->ready = f->cleared;
}

static void clear(struct sched_cache_footprint *f, struct mm_struct *mm)
{
	struct walk w = walk_of(f);

	w.clear = true;
	walk(&w, mm, f->cleared, TASK_SIZE);
	f->cleared = w.at;
	if (w.seen.used)
		flush_tlb_mm(mm);
}

/* More is to be learned, or has to be, as the program has changed. */
static bool is_urgent(const struct sched_cache_footprint *f)
{
	return !sched_cache_seen_enough(&f->sum) ||
	       sched_cache_seen_changed(&f->sum, &f->sweep);
}

static void step(struct sched_cache_footprint *f, struct mm_struct *mm)
{
	u32 stride = sched_cache_stride(get_mm_rss(mm),
					MOST_TABLES * PTRS_PER_PTE);

	if (f->cleared)
		look(f, mm);
	if (f->looked >= TASK_SIZE)
		end_sweep(f);
	/* A sweep of a process that has grown would take too long. */
	if (!f->cleared || stride > 2 * f->stride)
		begin_sweep(f, stride);
	if (f->cleared < TASK_SIZE)
		clear(f, mm);
	WRITE_ONCE(f->due, jiffies + msecs_to_jiffies(is_urgent(f) ? STEP_MS
								   : REST_MS));
}

/*
 * What a guest keeps in its TLBs cannot be flushed from here, and CPUs without
 * a tick must not be interrupted for it: there the resident set counts. Under
 * the mmap lock, so that nobody begins to watch the mm meanwhile.
 */
static bool may_sample(struct mm_struct *mm)
{
	return !mm_has_notifiers(mm) && !tick_nohz_full_enabled();
}

/**
 * sched_cache_footprint_sample - learn more of what a process uses
 * @f:	of its group
 * @p:	current, a thread of it, on its way to user space; may sleep
 *
 * At most one step, if it is time for one and nobody changes the mappings.
 */
void sched_cache_footprint_sample(struct sched_cache_footprint *f,
				  struct task_struct *p)
{
	struct mm_struct *mm = p->mm;

	if (time_before(jiffies, READ_ONCE(f->due)))
		return;
	if (test_and_set_bit_lock(0, &f->busy))
		return;
	if (mmap_read_trylock(mm)) {
		if (may_sample(mm))
			step(f, mm);
		mmap_read_unlock(mm);
	}
	clear_bit_unlock(0, &f->busy);
}

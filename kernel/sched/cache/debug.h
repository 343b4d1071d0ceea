/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: what the
 * kernel checks of itself with CONFIG_SCHED_CACHE_DEBUG. Without it nothing of
 * this is left.
 */
#ifndef _KERNEL_SCHED_CACHE_DEBUG_H
#define _KERNEL_SCHED_CACHE_DEBUG_H

#include <linux/bug.h>
#include <linux/types.h>

struct sched_cache_group;
struct seq_file;

#ifdef CONFIG_SCHED_CACHE_DEBUG

/**
 * struct sched_cache_group_debug - what a recount needs to know of a group
 * @node:	in the list of all groups
 * @tasks:	tasks that say that they hold a reference
 * @mms:	mms that do
 * @orphaned:	jiffies, when the last of them gave it back
 * @seen:	tasks that point to the group, during a recount
 * @changed:	a task came or went meanwhile
 */
struct sched_cache_group_debug {
	struct list_head	node;
	int			tasks;
	int			mms;
	unsigned long		orphaned;
	int			seen;
	bool			changed;
};

void sched_cache_violated(void);
void sched_cache_debug_add(struct sched_cache_group *g);
void sched_cache_debug_remove(struct sched_cache_group *g);
void sched_cache_debug_attach(struct sched_cache_group *g);
void sched_cache_debug_detach(struct sched_cache_group *g);
void sched_cache_debug_mm_join(struct sched_cache_group *g);
void sched_cache_debug_mm_exit(struct sched_cache_group *g);
void sched_cache_debug_home(const struct sched_cache_group *g,
			    unsigned long home);
void sched_cache_debug_show(struct seq_file *m);

/* What must be so: each time it is not is counted, the first one is told. */
#define sched_cache_check(condition) do {				\
	bool __violated = !(condition);					\
									\
	if (__violated)							\
		sched_cache_violated();					\
	WARN_ONCE(__violated, "sched/cache: violated: %s\n", #condition); \
} while (0)

#else /* !CONFIG_SCHED_CACHE_DEBUG */

struct sched_cache_group_debug { };

static inline void sched_cache_debug_add(struct sched_cache_group *g) { }
static inline void sched_cache_debug_remove(struct sched_cache_group *g) { }
static inline void sched_cache_debug_attach(struct sched_cache_group *g) { }
static inline void sched_cache_debug_detach(struct sched_cache_group *g) { }
static inline void sched_cache_debug_mm_join(struct sched_cache_group *g) { }
static inline void sched_cache_debug_mm_exit(struct sched_cache_group *g) { }

static inline void sched_cache_debug_home(const struct sched_cache_group *g,
					  unsigned long home) { }

static inline void sched_cache_debug_show(struct seq_file *m) { }

#define sched_cache_check(condition) BUILD_BUG_ON_INVALID(condition)

#endif /* CONFIG_SCHED_CACHE_DEBUG */

#endif /* _KERNEL_SCHED_CACHE_DEBUG_H */

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: what a
 * cgroup asks for, in its file cpu.llc_aggregation.
 *
 * A cgroup that says "default" goes by its parent. What comes out of it is kept in
 * each cgroup, and a thread has a copy that it renews at its ticks: wakeups and
 * load balancing look at threads whose cgroup may be about to change.
 */
#include <linux/cgroup.h>
#include <linux/init.h>
#include <linux/mmu_context.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "../sched.h"
#include "cgroup.h"

static const char * const words[] = {
	[SCHED_CACHE_MODE_DEFAULT]	= "default",
	[SCHED_CACHE_MODE_OFF]		= "off",
	[SCHED_CACHE_MODE_ON]		= "on",
};

/* What cgroups say, and that a new one goes by it. */
static DEFINE_MUTEX(modes_lock);

DEFINE_STATIC_KEY_FALSE(sched_cache_cgroups_say);

static int inherit(struct task_group *tg, void *unused)
{
	struct sched_cache_cgroup *c = &tg->sched_cache;

	WRITE_ONCE(c->effective, c->mode ?: tg->parent->sched_cache.effective);
	return 0;
}

/* @tg is among the children of its parent, where a writer finds it. */
void sched_cache_online_group(struct task_group *tg)
{
	guard(mutex)(&modes_lock);
	inherit(tg, NULL);
}

static struct task_group *tg_of(struct cgroup_subsys_state *css)
{
	return container_of(css, struct task_group, css);
}

static int show(struct seq_file *m, void *unused)
{
	seq_printf(m, "%s\n", words[READ_ONCE(tg_of(seq_css(m))->sched_cache.mode)]);
	return 0;
}

static ssize_t write(struct kernfs_open_file *of, char *text, size_t len, loff_t off)
{
	struct task_group *tg = tg_of(of_css(of));
	int mode = sysfs_match_string(words, strstrip(text));

	if (mode < 0)
		return mode;
	static_branch_enable(&sched_cache_cgroups_say);
	guard(mutex)(&modes_lock);
	WRITE_ONCE(tg->sched_cache.mode, mode);
	guard(rcu)();
	walk_tg_tree_from(tg, inherit, tg_nop, NULL);
	return len;
}

static struct cftype files[] = {
	{
		.name		= "llc_aggregation",
		.flags		= CFTYPE_NOT_ON_ROOT,
		.seq_show	= show,
		.write		= write,
	},
	{ }
};

static int __init add_files(void)
{
	return cgroup_add_dfl_cftypes(&cpu_cgrp_subsys, files);
}
late_initcall(add_files);

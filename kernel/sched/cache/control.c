// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: the
 * files in /sys/kernel/debug/sched/. Values and defaults are in knobs.c.
 */
#include <linux/debugfs.h>
#include <linux/mmu_context.h>
#include <linux/seq_file.h>

#include "../knob.h"
#include "../sched.h"
#include "debug.h"
#include "group.h"
#include "knobs.h"
#include "llc.h"
#include "place.h"

/* ---- knobs ---- */

struct knob {
	const char	*name;
	unsigned int	*value;
	unsigned int	min;
	unsigned int	max;
	void		(*apply)(void);
};

static void apply_epoch(void)
{
	WRITE_ONCE(sched_cache_knobs.epoch,
		   msecs_to_jiffies(sched_cache_knobs.epoch_ms));
}

static const struct knob knobs[] = {
	{ "llc_enabled", &sched_cache_knobs.enabled, SCHED_CACHE_FOR_NOBODY,
	  SCHED_CACHE_FOR_ASKERS, sched_cache_recount_llcs },
	{ "llc_overload_pct", &sched_cache_knobs.overload_pct, 1, 100,
	  sched_cache_recount_llcs },
	{ "llc_imb_pct", &sched_cache_knobs.imb_pct, 0, 100 },
	{ "llc_aggr_tolerance", &sched_cache_knobs.aggr_tolerance, 0, 100,
	  sched_cache_recount_llcs },
	{ "llc_epoch_period", &sched_cache_knobs.epoch_ms, 1, 1000, apply_epoch },
	{ "llc_epoch_affinity_timeout", &sched_cache_knobs.timeout_epochs, 1,
	  1000 },
};

/* One writer at a time, so that a value and what it stands for agree. */
static DEFINE_MUTEX(knobs_mutex);

static ssize_t knob_write(struct file *file, const char __user *ubuf,
			  size_t count, loff_t *ppos)
{
	const struct knob *knob = file_inode(file)->i_private;
	unsigned int value;
	int err;

	err = sched_knob_parse(ubuf, count, knob->min, knob->max, &value);
	if (err)
		return err;

	mutex_lock(&knobs_mutex);
	WRITE_ONCE(*knob->value, value);
	if (knob->apply)
		knob->apply();
	mutex_unlock(&knobs_mutex);

	*ppos += count;
	return count;
}

/* On a machine with one LLC llc_enabled reads 0, whatever was written. */
static int knob_show(struct seq_file *m, void *unused)
{
	const struct knob *knob = m->private;
	unsigned int value = READ_ONCE(*knob->value);

	if (knob->value == &sched_cache_knobs.enabled &&
	    !static_key_enabled(&sched_cache_active))
		value = SCHED_CACHE_FOR_NOBODY;
	seq_printf(m, "%u\n", value);
	return 0;
}

static int knob_open(struct inode *inode, struct file *file)
{
	return single_open(file, knob_show, inode->i_private);
}

static const struct file_operations knob_fops = {
	.open		= knob_open,
	.read		= seq_read,
	.write		= knob_write,
	.llseek		= seq_lseek,
	.release	= single_release,
};

/* ---- llc_status ---- */

/* Why the feature does nothing, NULL if it does not do nothing. */
static const char *inactive_reason(void)
{
	/* First what no knob can mend. */
	if (sched_cache_nr_active_llcs() < 2)
		return "one LLC";
	if (!READ_ONCE(sched_cache_knobs.enabled))
		return "llc_enabled is 0";
	if (!sched_feat(SCHED_CACHE))
		return "NO_SCHED_CACHE";
	return NULL;
}

static void show_threads(struct seq_file *m, const char *name, u32 threads)
{
	u32 centi = sched_cache_centi(threads);

	seq_printf(m, " %s %u.%02u", name, centi / 100, centi % 100);
}

static const char * const events[SCHED_CACHE_NR_EVENTS] = {
	[SCHED_CACHE_FORK]	= "fork",
	[SCHED_CACHE_WAKE]	= "wake",
	[SCHED_CACHE_PUSH]	= "push",
	[SCHED_CACHE_SPREAD]	= "spread",
	[SCHED_CACHE_HOLD]	= "holds",
	[SCHED_CACHE_SPILL]	= "spills",
};

static void show_events(struct seq_file *m)
{
	int i;

	seq_puts(m, "moves:");
	for (i = 0; i < SCHED_CACHE_NR_MOVES; i++)
		seq_printf(m, " %s %lu", events[i], sched_cache_count_of(i));
	seq_putc(m, '\n');
	for (; i < SCHED_CACHE_NR_EVENTS; i++)
		seq_printf(m, "%s: %lu\n", events[i], sched_cache_count_of(i));
}

static void show_llc(struct seq_file *m, int index)
{
	struct sched_cache_llc *llc = sched_cache_llc(index);

	seq_printf(m, "llc %d: cpus %*pbl cores %u node %d bytes %lu", index,
		   cpumask_pr_args(sched_cache_llc_cpus(llc)),
		   READ_ONCE(llc->nr_cores), llc->node, llc->bytes);
	show_threads(m, "busy", sched_cache_llc_busy(llc));
	show_threads(m, "claimed", sched_cache_slot_threads(&llc->claimed));
	for (int i = 0; i < SCHED_CACHE_NR_EVENTS; i++)
		seq_printf(m, " %s %lu", events[i],
			   (unsigned long)atomic_long_read(&llc->events[i]));
	seq_putc(m, '\n');
}

static int llc_status_show(struct seq_file *m, void *unused)
{
	const char *reason = inactive_reason();
	unsigned int nr_llcs = sched_cache_nr_llcs();

	if (reason)
		seq_printf(m, "state: inactive (%s)\n", reason);
	else if (READ_ONCE(sched_cache_knobs.enabled) == SCHED_CACHE_FOR_ASKERS)
		seq_puts(m, "state: active (for those that asked)\n");
	else
		seq_puts(m, "state: active\n");
	seq_printf(m, "llcs: %u\n", sched_cache_nr_active_llcs());
	for (int i = 0; i < nr_llcs; i++)
		show_llc(m, i);
	seq_printf(m, "groups: %u\n", sched_cache_nr_groups());
	show_events(m);
	sched_cache_debug_show(m);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(llc_status);

/**
 * sched_cache_init_debugfs - create the files
 * @dir:	/sys/kernel/debug/sched
 */
void __init sched_cache_init_debugfs(struct dentry *dir)
{
	for (int i = 0; i < ARRAY_SIZE(knobs); i++)
		debugfs_create_file(knobs[i].name, 0644, dir, (void *)&knobs[i],
				    &knob_fops);
	debugfs_create_file("llc_status", 0444, dir, NULL, &llc_status_fops);
}

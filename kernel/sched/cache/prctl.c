// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: what a
 * process may ask for, prctl(PR_SCHED_CACHE), and what is asked for at boot.
 *
 * Each thread carries the wish of its process, so that a new one has that of its
 * parent, and exec changes nothing. A thread finds out at its next tick.
 */
#include <linux/err.h>
#include <linux/init.h>
#include <linux/kstrtox.h>
#include <linux/mmu_context.h>
#include <linux/prctl.h>
#include <linux/printk.h>
#include <linux/security.h>

#include "../sched.h"
#include "group.h"
#include "knobs.h"

static_assert(SCHED_CACHE_MODE_DEFAULT == PR_SCHED_CACHE_DEFAULT);
static_assert(SCHED_CACHE_MODE_OFF == PR_SCHED_CACHE_OFF);
static_assert(SCHED_CACHE_MODE_ON == PR_SCHED_CACHE_ON);

/* As for sched_setaffinity(). */
static int may_set(struct task_struct *p)
{
	const struct cred *own = current_cred(), *cred;
	bool allowed;

	scoped_guard(rcu) {
		cred = __task_cred(p);
		allowed = uid_eq(own->euid, cred->euid) ||
			  uid_eq(own->euid, cred->uid) ||
			  ns_capable(cred->user_ns, CAP_SYS_NICE);
	}
	return allowed ? security_task_setscheduler(p) : -EPERM;
}

/* A thread that is being started meanwhile may be missed, as by a fork before. */
static void set_mode(struct task_struct *p, enum sched_cache_mode mode)
{
	struct task_struct *t;

	guard(rcu)();
	for_each_thread(p, t)
		WRITE_ONCE(t->sched_cache.mode, mode);
}

static int set(struct task_struct *p, unsigned long mode)
{
	int err;

	if (mode > SCHED_CACHE_MODE_ON)
		return -EINVAL;
	err = may_set(p);
	if (!err)
		set_mode(p, mode);
	return err;
}

static struct task_struct *find_task(unsigned long pid)
{
	struct task_struct *p;

	if (pid > INT_MAX)
		return ERR_PTR(-EINVAL);
	guard(rcu)();
	p = pid ? find_task_by_vpid(pid) : current;
	return p ? get_task_struct(p) : ERR_PTR(-ESRCH);
}

/* Let @p join the group of the process @pid. */
static int join(struct task_struct *p, unsigned long pid)
{
	struct task_struct *other = find_task(pid);
	int err;

	if (IS_ERR(other))
		return PTR_ERR(other);
	err = may_set(p) ?: may_set(other);
	if (!err)
		err = sched_cache_join(p, other);
	put_task_struct(other);
	return err;
}

static int act(unsigned long op, struct task_struct *p, unsigned long arg)
{
	switch (op) {
	case PR_SCHED_CACHE_GET:
		return READ_ONCE(p->sched_cache.mode);
	case PR_SCHED_CACHE_SET:
		return set(p, arg);
	default:
		return join(p, arg);
	}
}

/**
 * sched_cache_prctl - ask for cache-aware scheduling, or not to have it
 * @op:		PR_SCHED_CACHE_GET, PR_SCHED_CACHE_SET or PR_SCHED_CACHE_JOIN
 * @pid:	a process, by any of its threads; 0 is the caller's
 * @arg:	the mode to set, or whose group to join; for PR_SCHED_CACHE_GET 0
 * @unused:	0
 *
 * Return: for PR_SCHED_CACHE_GET the mode, else 0; -EINVAL if an argument makes
 * no sense, -ESRCH without such a process, -EPERM if it is another user's and the
 * caller has no CAP_SYS_NICE, -ENOMEM.
 */
int sched_cache_prctl(unsigned long op, unsigned long pid, unsigned long arg,
		      unsigned long unused)
{
	struct task_struct *p;
	int ret;

	if (op > PR_SCHED_CACHE_JOIN || unused ||
	    (op == PR_SCHED_CACHE_GET && arg))
		return -EINVAL;
	p = find_task(pid);
	if (IS_ERR(p))
		return PTR_ERR(p);
	ret = act(op, p, arg);
	put_task_struct(p);
	return ret;
}

/* sched_cache= on the kernel command line: llc_enabled from the start. */
static int __init enable_at_boot(char *text)
{
	unsigned int value;

	if (!kstrtouint(text, 10, &value) && value <= SCHED_CACHE_FOR_ASKERS)
		sched_cache_knobs.enabled = value;
	else
		pr_warn("sched_cache=%s is not 0, 1 or 2, ignored\n", text);
	return 1;
}
__setup("sched_cache=", enable_at_boot);

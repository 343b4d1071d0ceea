/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: what it
 * does, and why. LLCs are bits, threads are counted in hundredths.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM sched_cache

#if !defined(_TRACE_SCHED_CACHE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _TRACE_SCHED_CACHE_H

#include <linux/tracepoint.h>

struct sched_cache_group;
struct sched_cache_wish;

/* /proc/PID/sched has the same names. */
#define SCHED_CACHE_REASONS				\
	EM(SCHED_CACHE_BY_NOTHING,	"-")		\
	EM(SCHED_CACHE_BY_START,	"start")	\
	EM(SCHED_CACHE_BY_THREADS,	"threads")	\
	EM(SCHED_CACHE_BY_FOOTPRINT,	"working-set")	\
	EM(SCHED_CACHE_BY_AFFINITY,	"affinity")	\
	EM(SCHED_CACHE_BY_NODE,		"node")		\
	EM(SCHED_CACHE_BY_OCCUPANCY,	"occupancy")	\
	EM(SCHED_CACHE_BY_OVERLOAD,	"overload")	\
	EM(SCHED_CACHE_BY_PARTNER,	"partner")	\
	EM(SCHED_CACHE_BY_USER,		"user")		\
	EMe(SCHED_CACHE_BY_TIMEOUT,	"timeout")

#define SCHED_CACHE_CHANGES				\
	EM(SCHED_CACHE_CHOSEN,		"chosen")	\
	EM(SCHED_CACHE_GROWN,		"grown")	\
	EM(SCHED_CACHE_SHRUNK,		"shrunk")	\
	EM(SCHED_CACHE_MOVED,		"moved")	\
	EMe(SCHED_CACHE_DROPPED,	"dropped")

#define SCHED_CACHE_MOVES				\
	EM(SCHED_CACHE_FORK,		"fork")		\
	EM(SCHED_CACHE_WAKE,		"wake")		\
	EM(SCHED_CACHE_PUSH,		"push")		\
	EMe(SCHED_CACHE_SPREAD,		"spread")

#define SCHED_CACHE_REFUSALS				\
	EM(SCHED_CACHE_NOT_EXEMPT,	"exempt")	\
	EM(SCHED_CACHE_NOT_NODE,	"node")		\
	EM(SCHED_CACHE_NOT_AFFINITY,	"affinity")	\
	EM(SCHED_CACHE_NOT_STALE,	"stale")	\
	EM(SCHED_CACHE_NOT_INTERVAL,	"interval")	\
	EM(SCHED_CACHE_NOT_FULL,	"full")		\
	EMe(SCHED_CACHE_NOT_CHANGED,	"changed")

/* What user space is told of the enums, ... */
#undef EM
#undef EMe
#define EM(value, text)		TRACE_DEFINE_ENUM(value);
#define EMe(value, text)	TRACE_DEFINE_ENUM(value);

SCHED_CACHE_REASONS
SCHED_CACHE_CHANGES
SCHED_CACHE_MOVES
SCHED_CACHE_REFUSALS

/* ... and how they are printed. */
#undef EM
#undef EMe
#define EM(value, text)		{ value, text },
#define EMe(value, text)	{ value, text }

DECLARE_EVENT_CLASS(sched_cache_group_class,

	TP_PROTO(struct sched_cache_group *g),

	TP_ARGS(g),

	TP_STRUCT__entry(
		__field(pid_t,		group)
		__field(unsigned int,	refs)
	),

	TP_fast_assign(
		__entry->group	= g->tgid;
		__entry->refs	= refcount_read(&g->refs);
	),

	TP_printk("group=%d refs=%u", __entry->group, __entry->refs)
);

/*
 * One more thread is in the group, which its mm has a reference to as well. It
 * may have no number yet; current starts it.
 */
DEFINE_EVENT(sched_cache_group_class, sched_cache_attach,
	TP_PROTO(struct sched_cache_group *g),
	TP_ARGS(g));

/* The last thread of the group is gone, and the mm. */
DEFINE_EVENT(sched_cache_group_class, sched_cache_release,
	TP_PROTO(struct sched_cache_group *g),
	TP_ARGS(g));

/* A group gets another home, or loses it. */
TRACE_EVENT(sched_cache_home,

	TP_PROTO(struct sched_cache_group *g, const struct sched_cache_wish *w,
		 unsigned long home, int reason),

	TP_ARGS(g, w, home, reason),

	TP_STRUCT__entry(
		__field(pid_t,		group)
		__field(unsigned long,	was)
		__field(unsigned long,	home)
		__field(int,		change)
		__field(int,		reason)
		__field(u32,		need)
		__field(u32,		present)
		__field(unsigned long,	footprint)
		__dynamic_array(u32,	run, g->nr_shares)
	),

	TP_fast_assign(
		u32 *run = __get_dynamic_array(run);

		__entry->group		= g->tgid;
		__entry->was		= w->home;
		__entry->home		= home;
		__entry->change		= sched_cache_change(w->home, home);
		__entry->reason		= reason;
		__entry->need		= sched_cache_centi(w->need);
		__entry->present	= sched_cache_centi(w->present);
		__entry->footprint	= w->footprint;
		for (unsigned int i = 0; i < g->nr_shares; i++)
			run[i] = sched_cache_centi(
				sched_cache_slot_threads(&g->shares[i].run));
	),

	TP_printk("group=%d was=%#lx home=%#lx change=%s reason=%s need=%u present=%u footprint=%lu run=%s",
		  __entry->group, __entry->was, __entry->home,
		  __print_symbolic(__entry->change, SCHED_CACHE_CHANGES),
		  __print_symbolic(__entry->reason, SCHED_CACHE_REASONS),
		  __entry->need, __entry->present, __entry->footprint,
		  /* User space parses this, and knows no sizeof(). */
		  __print_array(__get_dynamic_array(run),
				__get_dynamic_array_len(run) / 4, 4))
);

/* A task goes to CPU @cpu instead of @from. */
TRACE_EVENT(sched_cache_move,

	TP_PROTO(struct task_struct *p, int event, int from, int cpu),

	TP_ARGS(p, event, from, cpu),

	TP_STRUCT__entry(
		__array(char,		comm, TASK_COMM_LEN)
		__field(pid_t,		pid)
		__field(int,		event)
		__field(int,		from)
		__field(int,		cpu)
	),

	TP_fast_assign(
		memcpy(__entry->comm, p->comm, TASK_COMM_LEN);
		__entry->pid	= p->pid;
		__entry->event	= event;
		__entry->from	= from;
		__entry->cpu	= cpu;
	),

	TP_printk("comm=%s pid=%d how=%s from=%d cpu=%d",
		  __entry->comm, __entry->pid,
		  __print_symbolic(__entry->event, SCHED_CACHE_MOVES),
		  __entry->from, __entry->cpu)
);

/* A task is not moved home. */
TRACE_EVENT(sched_cache_refuse,

	TP_PROTO(struct task_struct *p, int event, int reason),

	TP_ARGS(p, event, reason),

	TP_STRUCT__entry(
		__array(char,		comm, TASK_COMM_LEN)
		__field(pid_t,		pid)
		__field(int,		event)
		__field(int,		reason)
	),

	TP_fast_assign(
		memcpy(__entry->comm, p->comm, TASK_COMM_LEN);
		__entry->pid	= p->pid;
		__entry->event	= event;
		__entry->reason	= reason;
	),

	TP_printk("comm=%s pid=%d how=%s reason=%s",
		  __entry->comm, __entry->pid,
		  __print_symbolic(__entry->event, SCHED_CACHE_MOVES),
		  __print_symbolic(__entry->reason, SCHED_CACHE_REFUSALS))
);

DECLARE_EVENT_CLASS(sched_cache_balance_class,

	TP_PROTO(struct task_struct *p, int from, int cpu),

	TP_ARGS(p, from, cpu),

	TP_STRUCT__entry(
		__array(char,		comm, TASK_COMM_LEN)
		__field(pid_t,		pid)
		__field(int,		from)
		__field(int,		cpu)
	),

	TP_fast_assign(
		memcpy(__entry->comm, p->comm, TASK_COMM_LEN);
		__entry->pid	= p->pid;
		__entry->from	= from;
		__entry->cpu	= cpu;
	),

	TP_printk("comm=%s pid=%d from=%d cpu=%d",
		  __entry->comm, __entry->pid, __entry->from, __entry->cpu)
);

/* Load balancing leaves a task at home on CPU @from. */
DEFINE_EVENT(sched_cache_balance_class, sched_cache_hold,
	TP_PROTO(struct task_struct *p, int from, int cpu),
	TP_ARGS(p, from, cpu));

/* A full home lets load balancing take a task to CPU @cpu. */
DEFINE_EVENT(sched_cache_balance_class, sched_cache_spill,
	TP_PROTO(struct task_struct *p, int from, int cpu),
	TP_ARGS(p, from, cpu));

#endif /* _TRACE_SCHED_CACHE_H */

/* This part must be outside protection */
#include <trace/define_trace.h>

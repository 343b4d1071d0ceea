// SPDX-License-Identifier: GPL-2.0-only
/*
 * llctop, see llctop.8: the JSON document, whose keys llctop.8 describes. A key
 * is always there; what is not known is null.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "llctop.h"
#include "utf8.h"

/* Keys of an object follow one another; the first has no comma before it. */
static const char *comma = "";

static void key(const char *name)
{
	printf("%s\"%s\": ", comma, name);
	comma = ", ";
}

static void open_with(int bracket)
{
	putchar(bracket);
	comma = "";
}

static void close_with(int bracket)
{
	putchar(bracket);
	comma = ", ";
}

static void next_object(void)
{
	printf("%s\n   ", comma);
	open_with('{');
}

static void put_string(const char *name, const char *value)
{
	key(name);
	utf8_print_json(stdout, value);
}

static void put_string_or_null(const char *name, const char *value)
{
	if (value[0])
		put_string(name, value);
	else
		key(name), fputs("null", stdout);
}

static void put_integer(const char *name, long long value)
{
	key(name);
	printf("%lld", value);
}

/* Negative values are not known. */
static void put_known(const char *name, long long value)
{
	key(name);
	if (value < 0)
		fputs("null", stdout);
	else
		printf("%lld", value);
}

static void put_real(const char *name, double value)
{
	key(name);
	printf("%.3f", value);
}

static void put_known_real(const char *name, double value)
{
	if (value < 0)
		put_known(name, -1);
	else
		put_real(name, value);
}

static void put_boolean(const char *name, bool value)
{
	key(name);
	fputs(value ? "true" : "false", stdout);
}

static void put_set(const char *name, const struct index_set *set)
{
	const char *separator = "";
	int i;

	key(name);
	putchar('[');
	i = -1;
	while (index_set_next(set, &i)) {
		printf("%s%d", separator, i);
		separator = ", ";
	}
	putchar(']');
}

/* Percent of the sum, by LLC. */
static void put_shares(const char *name, const double *by_llc, int nr_llcs)
{
	double sum = 0;

	for (int i = 0; i < nr_llcs; i++)
		sum += by_llc[i];
	key(name);
	putchar('[');
	for (int i = 0; i < nr_llcs; i++)
		printf("%s%.1f", i ? ", " : "",
		       sum > 0 ? by_llc[i] * 100 / sum : 0);
	putchar(']');
}

static void put_reals(const char *name, const double *by_llc, int nr_llcs)
{
	key(name);
	if (!by_llc) {
		fputs("null", stdout);
		return;
	}
	putchar('[');
	for (int i = 0; i < nr_llcs; i++)
		printf("%s%.2f", i ? ", " : "", by_llc[i]);
	putchar(']');
}

static void put_feature(const struct sample *sample)
{
	char message[256];

	status_message(&sample->status, sample->homes, message,
		       sizeof(message));
	key("feature");
	open_with('{');
	put_string("state", status_feature_name(sample->status.feature));
	put_string_or_null("reason", sample->status.reason);
	put_boolean("homes", sample->homes);
	put_string("message", message);
	close_with('}');
}

static void put_counters(const struct status *status)
{
	key("counters");
	open_with('{');
	put_known("groups", status->groups);
	for (int i = 0; i < MOVE_KINDS; i++) {
		char name[32];

		snprintf(name, sizeof(name), "moves_%s", move_names[i]);
		put_known(name, status->moves[i]);
	}
	put_known("holds", status->holds);
	put_known("spills", status->spills);
	put_known("violations", status->violations);
	close_with('}');
}

static void put_llc(const struct sample *sample, int index)
{
	const struct llc *llc = &sample->topology.llc[index];

	next_object();
	put_integer("index", index);
	put_set("cpus", &llc->cpus);
	put_integer("online_cpus", llc->online);
	put_integer("cores", llc->cores);
	put_known("node", llc->node);
	put_known("cache_level", llc->level);
	put_known("cache_id", llc->id);
	put_known("bytes", llc->bytes ? (long long)llc->bytes : -1);
	put_real("load_pct", sample->load[index].pct);
	put_integer("processes", sample->load[index].processes);
	put_known_real("busy", llc->busy);
	put_known_real("claimed", llc->claimed);
	close_with('}');
}

static void put_moves(bool known, const double *per_s)
{
	key("moves_per_s");
	if (!known) {
		fputs("null", stdout);
		return;
	}
	open_with('{');
	for (int i = 0; i < MOVE_KINDS; i++)
		put_real(move_names[i], per_s[i]);
	close_with('}');
}

static void put_thread(const struct sample *sample,
		       const struct thread *thread)
{
	double per_s[MOVE_KINDS];

	for (int i = 0; i < MOVE_KINDS; i++)
		per_s[i] = thread->moved[i] / sample_seconds(sample);
	next_object();
	put_integer("tid", thread->tid);
	put_string("name", thread->comm);
	put_known("cpu", thread->cpu);
	put_known("llc", thread->llc);
	put_real("cpu_pct", thread->cpu_pct);
	put_string_or_null("state", thread->sched.state);
	put_moves(thread->has_moved, per_s);
	put_real("llc_changes_per_s", thread->changes_per_s);
	put_shares("share_pct_by_llc", thread->by_llc,
		   sample->topology.nr_llcs);
	close_with('}');
}

static void put_process(const struct sample *sample,
			const struct process *process, bool threads)
{
	int nr_llcs = sample->topology.nr_llcs;

	next_object();
	put_integer("pid", process->pid);
	put_known("uid", process->uid);
	put_string("user", process->user);
	put_string("name", process->comm);
	put_string("command", process->command);
	put_integer("threads", process->nr_threads);
	put_real("cpu_pct", process->cpu_pct);
	if (process->group.has_home)
		put_set("home", &process->group.home);
	else
		put_known("home", -1);
	put_known("home_pct", process->group.home_pct);
	put_string_or_null("state", process->state);
	put_string_or_null("reason", process->group.reason);
	put_known("most_llc", process->most_llc);
	put_known_real("most_pct",
		       process->most_llc < 0 ? -1 : process->most_pct);
	put_moves(process->has_moves, process->moves_per_s);
	put_real("llc_changes_per_s", process->changes_per_s);
	put_shares("share_pct_by_llc", process->by_llc, nr_llcs);
	put_reals("running_by_llc", process->run, nr_llcs);
	key("thread_list");
	if (threads) {
		open_with('[');
		for (int i = 0; i < process->nr_threads; i++)
			put_thread(sample, &process->threads[i]);
		close_with(']');
	} else {
		fputs("null", stdout);
	}
	close_with('}');
}

void json_begin(void)
{
	open_with('{');
	put_string("llctop", LLCTOP_VERSION);
	put_integer("format", 1);
	key("samples");
	open_with('[');
}

/* A member of samples: one interval. */
void json_print(const struct sample *sample, const struct order *order,
		bool threads, bool first)
{
	const struct process **rows;
	int count;

	comma = first ? "" : ", ";
	printf("%s\n ", comma);
	open_with('{');
	put_real("uptime_s", sample->time);
	put_real("interval_s", sample_seconds(sample));
	put_feature(sample);
	put_string("topology", topology_source_name(sample->topology.source));
	put_counters(&sample->status);
	key("llcs");
	open_with('[');
	for (int i = 0; i < sample->topology.nr_llcs; i++)
		put_llc(sample, i);
	close_with(']');
	rows = must_alloc(sample->nr_processes, sizeof(*rows));
	count = columns_sort(sample, order, rows);
	key("processes");
	open_with('[');
	for (int i = 0; i < count; i++)
		put_process(sample, rows[i], threads);
	close_with(']');
	close_with('}');
	free(rows);
}

void json_end(void)
{
	puts("]}");
}

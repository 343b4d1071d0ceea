/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: what
 * the tests read and write below /sys and /proc, and ask for with prctl().
 */
#ifndef _SELFTESTS_SCHED_CACHE_CONTROL_H
#define _SELFTESTS_SCHED_CACHE_CONTROL_H

#include <linux/prctl.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define SCHED_DEBUGFS "/sys/kernel/debug/sched/"

enum {
	KNOBS = 7,
	KNOB_TEXT = 32,
};

/* The knobs and the bounds the document promises for them. */
struct knob {
	const char *name;
	int min;
	int max;
};

extern const struct knob knobs[KNOBS];

/* So many of the first are there: the last needs CONFIG_SCHED_SHARED_RUNQ. */
int knobs_there(void);

struct knob_values {
	char text[KNOBS][KNOB_TEXT];
	bool feature;
};

/* These return 0 or a negative error number. */
int file_write(const char *path, const void *data, size_t len);
int file_read(const char *path, char *text, size_t size);
int knob_write(const char *name, const char *text);
int knob_read(const char *name, char *text, size_t size);
int feature_write(bool on);
int runq_write(bool on);
int cpu_online(int cpu, bool on);

bool feature_read(void);
bool runq_read(void);
void knobs_save(struct knob_values *values);
void knobs_restore(const struct knob_values *values);

/* Why the feature cannot be tested here, or NULL. */
const char *cache_absent(void);

/* The headers may be older than the kernel. */
#ifndef PR_SCHED_CACHE
#define PR_SCHED_CACHE		0x53434143
#define PR_SCHED_CACHE_GET	0
#define PR_SCHED_CACHE_SET	1
#define PR_SCHED_CACHE_JOIN	2
#define PR_SCHED_CACHE_DEFAULT	0
#define PR_SCHED_CACHE_OFF	1
#define PR_SCHED_CACHE_ON	2
#endif

/* prctl(PR_SCHED_CACHE), but a negative error number instead of errno. */
int mode_ask(unsigned long op, unsigned long pid, unsigned long mode,
	     unsigned long unused);

/* Does @holds return true in a child of the user nobody? */
bool holds_for_nobody(bool (*holds)(void));

/* A child that calls exec, and its end. */
pid_t start_program(void);
bool end_program(pid_t pid);

/*
 * The value of a line of a thread's file /proc/TID/sched, empty if there is none;
 * until the next call.
 */
const char *thread_told(pid_t tid, const char *key);

/* The number after "KEY:" in llc_status, or -1. */
long status_number(const char *key);

/* The same of shared_runq_status. */
long runq_number(const char *key);

/* Of a line of llc_status, the number after WORD. */
long status_word(const char *key, const char *word);
bool status_active(void);
bool groups_become(long nr, unsigned int ms);

/* The kernel log's last record, and the first complaint in it after one. */
long long log_last(void);
bool log_complains(long long last, char *record, size_t size);

#endif /* _SELFTESTS_SCHED_CACHE_CONTROL_H */

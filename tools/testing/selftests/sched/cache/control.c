// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: what
 * the tests read and write below /sys and /proc, and ask for with prctl().
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "control.h"
#include "placement.h"

enum { NOBODY = 65534 };

const struct knob knobs[KNOBS] = {
	{ "llc_enabled", 0, 2 },
	{ "llc_overload_pct", 1, 100 },
	{ "llc_imb_pct", 0, 100 },
	{ "llc_aggr_tolerance", 0, 100 },
	{ "llc_epoch_period", 1, 1000 },
	{ "llc_epoch_affinity_timeout", 1, 1000 },
	{ "shared_runq_shard_cores", 0, 1000 },
};

int knobs_there(void)
{
	return access(SCHED_DEBUGFS "shared_runq_shard_cores", F_OK) ?
	       KNOBS - 1 : KNOBS;
}

int file_write(const char *path, const void *data, size_t len)
{
	int fd = open(path, O_WRONLY), err = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, data, len) < 0)
		err = -errno;
	close(fd);
	return err;
}

int file_read(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY);
	ssize_t len = 0, got;

	*text = '\0';
	if (fd < 0)
		return -errno;
	while ((got = read(fd, text + len, size - 1 - len)) > 0)
		len += got;
	text[len] = '\0';
	close(fd);
	return got < 0 ? -EIO : 0;
}

int knob_write(const char *name, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), SCHED_DEBUGFS "%s", name);
	return file_write(path, text, strlen(text));
}

int knob_read(const char *name, char *text, size_t size)
{
	char path[128];
	int err;

	snprintf(path, sizeof(path), SCHED_DEBUGFS "%s", name);
	err = file_read(path, text, size);
	text[strcspn(text, "\n")] = '\0';
	return err;
}

int feature_write(bool on)
{
	return knob_write("features", on ? "SCHED_CACHE" : "NO_SCHED_CACHE");
}

int runq_write(bool on)
{
	return knob_write("features", on ? "SHARED_RUNQ" : "NO_SHARED_RUNQ");
}

static bool has_feature(const char *name)
{
	char text[4096], *word, *rest = text;

	knob_read("features", text, sizeof(text));
	while ((word = strsep(&rest, " "))) {
		if (!strcmp(word, name))
			return true;
	}
	return false;
}

bool feature_read(void)
{
	return has_feature("SCHED_CACHE");
}

bool runq_read(void)
{
	return has_feature("SHARED_RUNQ");
}

int cpu_online(int cpu, bool on)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online",
		 cpu);
	return file_write(path, on ? "1" : "0", 1);
}

void knobs_save(struct knob_values *values)
{
	int i;

	for (i = 0; i < knobs_there(); i++)
		knob_read(knobs[i].name, values->text[i], KNOB_TEXT);
	values->feature = feature_read();
}

void knobs_restore(const struct knob_values *values)
{
	int i;

	for (i = 0; i < knobs_there(); i++)
		knob_write(knobs[i].name, values->text[i]);
	feature_write(values->feature);
}

const char *cache_absent(void)
{
	if (access(SCHED_DEBUGFS "features", W_OK))
		return "no write access to " SCHED_DEBUGFS;
	if (access(SCHED_DEBUGFS "llc_status", R_OK))
		return "the kernel has no CONFIG_SCHED_CACHE";
	if (llc_count() < 2)
		return "the machine has one LLC";
	return NULL;
}

int mode_ask(unsigned long op, unsigned long pid, unsigned long mode,
	     unsigned long unused)
{
	int ret = prctl(PR_SCHED_CACHE, op, pid, mode, unused);

	return ret < 0 ? -errno : ret;
}

bool holds_for_nobody(bool (*holds)(void))
{
	int status = 1;
	pid_t pid = fork();

	if (!pid)
		_exit(setuid(NOBODY) || !holds());
	return pid > 0 && waitpid(pid, &status, 0) == pid && !status;
}

pid_t start_program(void)
{
	pid_t pid = fork();

	if (!pid) {
		execlp("sleep", "sleep", "10", NULL);
		_exit(1);
	}
	return pid;
}

bool end_program(pid_t pid)
{
	/* Of a fork that failed, -1 would be everybody. */
	return pid > 0 && !kill(pid, SIGKILL) && waitpid(pid, NULL, 0) == pid;
}

const char *thread_told(pid_t tid, const char *key)
{
	static char text[16384];
	size_t len = strlen(key);
	char path[64], *line, *rest = text;

	snprintf(path, sizeof(path), "/proc/%d/sched", tid);
	file_read(path, text, sizeof(text));
	while ((line = strsep(&rest, "\n"))) {
		if (strncmp(line, key, len) || !strchr(" :", line[len]))
			continue;
		line = strchr(line, ':') + 1;
		return line + strspn(line, " ");
	}
	return "";
}

static char *status_line(const char *file, const char *key, char *text,
			 size_t size)
{
	size_t len = strlen(key);
	char *line, *rest = text;

	file_read(file, text, size);
	while ((line = strsep(&rest, "\n"))) {
		if (!strncmp(line, key, len) && line[len] == ':')
			return line + len + 1;
	}
	return NULL;
}

static long number_of(const char *file, const char *key)
{
	char text[8192], *value, *end;
	long number;

	value = status_line(file, key, text, sizeof(text));
	if (!value)
		return -1;
	number = strtol(value, &end, 10);
	return end == value ? -1 : number;
}

long status_number(const char *key)
{
	return number_of(SCHED_DEBUGFS "llc_status", key);
}

long runq_number(const char *key)
{
	return number_of(SCHED_DEBUGFS "shared_runq_status", key);
}

long status_word(const char *key, const char *word)
{
	char text[8192], *value, *end, *found;
	long number;

	value = status_line(SCHED_DEBUGFS "llc_status", key, text,
			    sizeof(text));
	while ((found = strsep(&value, " "))) {
		if (!strcmp(found, word))
			break;
	}
	if (!found || !value)
		return -1;
	number = strtol(value, &end, 10);
	return end == value ? -1 : number;
}

bool status_active(void)
{
	char text[8192], *value;

	value = status_line(SCHED_DEBUGFS "llc_status", "state", text,
			    sizeof(text));
	return value && !strcmp(value, " active");
}

/* Groups go after a grace period, so wait up to @ms for their number. */
bool groups_become(long nr, unsigned int ms)
{
	unsigned int step = 10;
	long now;

	while ((now = status_number("groups")) != nr && ms >= step) {
		sleep_ms(step);
		ms -= step;
	}
	if (now != nr)
		printf("# groups: %ld, expected %ld\n", now, nr);
	return now == nr;
}

/* Read the log's next record, "PRIORITY,NUMBER,TIME,FLAGS;TEXT". */
static bool log_next(int fd, char *record, size_t size, long long *number)
{
	ssize_t len;

	do {
		len = read(fd, record, size - 1);
	} while (len < 0 && errno == EPIPE);
	if (len <= 0)
		return false;
	record[len] = '\0';
	return sscanf(record, "%*d,%lld", number) == 1;
}

long long log_last(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK);
	long long number = -1;
	char record[1024];

	while (log_next(fd, record, sizeof(record), &number))
		;
	close(fd);
	return number;
}

/*
 * When a cgroup is out of memory its report has a trace, which is no complaint.
 * When the machine is, "Out of memory:" follows, which is one.
 */
static bool is_oom_trace(const char *record, bool *report)
{
	if (strstr(record, " invoked oom-killer:"))
		*report = true;
	else if (strstr(record, "oom-kill:constraint="))
		*report = false;
	return *report && strstr(record, "Call Trace:");
}

bool log_complains(long long last, char *record, size_t size)
{
	static const char * const bad[] = {
		"WARNING:", "BUG:", "Oops", "INFO: task", "INFO: rcu",
		"rcu: INFO", "possible recursive locking", "Call Trace",
		"Out of memory:",
	};
	bool found = false, report = false;
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK);
	long long number;
	size_t i;

	while (!found && log_next(fd, record, size, &number)) {
		if (is_oom_trace(record, &report))
			continue;
		for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
			if (number > last && strstr(record, bad[i]))
				found = true;
		}
	}
	close(fd);
	return found;
}

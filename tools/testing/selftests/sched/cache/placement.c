// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: a load
 * of threads that share data, and on which LLC each of them spends its time.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "control.h"
#include "placement.h"

enum {
	DFL_BYTES = 64 * 1024,
	CHUNK_OPS = 1000,
	STEP_MS = 100,
	LOST_MS = 10000,
	/* A chunk takes far less. The rest was stolen from a virtual CPU. */
	CHUNK_MAX_NS = 2000000,
};

#define load(x)		__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define add(x, n)	__atomic_fetch_add(&(x), n, __ATOMIC_RELAXED)

static struct {
	int nr;
	int of[CPU_SETSIZE];
	cpu_set_t cpus[LLC_MAX];
	cpu_set_t all;
} llcs;

int cpulist_parse(const char *text, cpu_set_t *cpus)
{
	int first, last, len;

	CPU_ZERO(cpus);
	while (sscanf(text, "%d%n", &first, &len) == 1) {
		text += len;
		last = first;
		if (sscanf(text, "-%d%n", &last, &len) == 1)
			text += len;
		if (first < 0 || last >= CPU_SETSIZE)
			return -ERANGE;
		for (; first <= last; first++)
			CPU_SET(first, cpus);
		if (*text == ',')
			text++;
	}
	return *text && *text != '\n' ? -EINVAL : 0;
}

void cpulist_print(const cpu_set_t *cpus, char *text, size_t size)
{
	size_t len = 0;
	int cpu;

	*text = '\0';
	for (cpu = 0; cpu < CPU_SETSIZE && len < size; cpu++) {
		if (CPU_ISSET(cpu, cpus))
			len += snprintf(text + len, size - len, "%s%d",
					len ? "," : "", cpu);
	}
}

static bool read_cache(int cpu, int index, const char *file, char *text,
		       size_t size)
{
	char path[128];
	FILE *stream;
	bool got;

	snprintf(path, sizeof(path),
		 "/sys/devices/system/cpu/cpu%d/cache/index%d/%s",
		 cpu, index, file);
	stream = fopen(path, "r");
	if (!stream)
		return false;
	got = fgets(text, size, stream);
	fclose(stream);
	return got;
}

/* The CPUs that share the cache of the highest level with @cpu. */
static bool read_llc(int cpu, cpu_set_t *cpus)
{
	int index, highest = 0;
	char text[1024];

	for (index = 0; read_cache(cpu, index, "level", text, sizeof(text));
	     index++) {
		if (atoi(text) <= highest)
			continue;
		highest = atoi(text);
		if (!read_cache(cpu, index, "shared_cpu_list", text,
				sizeof(text)) ||
		    cpulist_parse(text, cpus))
			return false;
	}
	return highest > 0;
}

static void read_llcs(void)
{
	int cpu, other;
	cpu_set_t cpus;

	if (llcs.nr)
		return;
	memset(llcs.of, -1, sizeof(llcs.of));
	for (cpu = 0; cpu < CPU_SETSIZE && llcs.nr < LLC_MAX; cpu++) {
		if (llcs.of[cpu] >= 0 || !read_llc(cpu, &cpus))
			continue;
		for (other = 0; other < CPU_SETSIZE; other++) {
			if (CPU_ISSET(other, &cpus))
				llcs.of[other] = llcs.nr;
		}
		CPU_OR(&llcs.all, &llcs.all, &cpus);
		llcs.cpus[llcs.nr++] = cpus;
	}
}

int llc_count(void)
{
	read_llcs();
	return llcs.nr;
}

int llc_of(int cpu)
{
	read_llcs();
	return llcs.of[cpu];
}

const cpu_set_t *llc_cpus(int llc)
{
	read_llcs();
	return &llcs.cpus[llc];
}

const cpu_set_t *llc_all_cpus(void)
{
	read_llcs();
	return &llcs.all;
}

/* False if there are none. */
bool cpus_isolated(cpu_set_t *cpus)
{
	char text[256];

	CPU_ZERO(cpus);
	return !file_read("/sys/devices/system/cpu/isolated", text,
			  sizeof(text)) &&
	       !cpulist_parse(text, cpus) && CPU_COUNT(cpus);
}

__u64 clock_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

void sleep_ms(unsigned int ms)
{
	struct timespec ts = { ms / 1000, ms % 1000 * 1000000L };

	while (nanosleep(&ts, &ts) && errno == EINTR)
		;
}

void be_busy_us(unsigned int us)
{
	__u64 end = clock_ns(CLOCK_MONOTONIC) + us * 1000ULL;

	while (clock_ns(CLOCK_MONOTONIC) < end)
		;
}

/* Read and write the shared buffer here and there. */
static void work_chunk(__u64 *buffer, size_t words, __u32 *random)
{
	int i;

	for (i = 0; i < CHUNK_OPS; i++) {
		*random = *random * 1664525 + 1013904223;
		add(buffer[(*random >> 8) % words], 1);
	}
}

/* The time since the last call belongs to the LLC the worker is on now. */
static void account(struct worker *worker, __u64 delta)
{
	int llc = llc_of(sched_getcpu());

	if (llc != worker->llc)
		add(worker->moves, worker->llc >= 0);
	worker->llc = llc;
	add(worker->ns, delta);
	if (llc >= 0)
		add(worker->llc_ns[llc],
		    delta < CHUNK_MAX_NS ? delta : CHUNK_MAX_NS);
	add(worker->ops, CHUNK_OPS);
}

/* Of the time that @passed it @ran and was to sleep: the rest is too much. */
static void account_wait(struct worker *worker, __u64 passed, __u64 ran,
			 __u64 slept)
{
	__u64 wait = passed > ran + slept ? passed - ran - slept : 0;

	add(worker->wait_ns, wait);
	add(worker->naps, slept > 0);
	if (wait > worker->longest_ns)
		__atomic_store_n(&worker->longest_ns, wait, __ATOMIC_RELAXED);
}

static void *work(void *arg)
{
	struct crew *crew = arg;
	const struct crew_plan *plan = &crew->plan;
	struct worker *worker = &crew->worker[add(crew->started, 1)];
	__u64 now, last = clock_ns(CLOCK_THREAD_CPUTIME_ID), rested = last;
	__u64 time, seen = clock_ns(CLOCK_MONOTONIC), slept = 0;
	__u32 random = syscall(SYS_gettid);

	__atomic_store_n(&worker->tid, random, __ATOMIC_RELEASE);
	while (!load(crew->stop) && !(plan->quota && worker->ops >= plan->quota)) {
		work_chunk(crew->buffer, plan->bytes / sizeof(__u64), &random);
		now = clock_ns(CLOCK_THREAD_CPUTIME_ID);
		time = clock_ns(CLOCK_MONOTONIC);
		account(worker, now - last);
		account_wait(worker, time - seen, now - last, slept);
		last = now;
		seen = time;
		slept = 0;
		if (plan->nap_us && now - rested > 1000000) {
			usleep(plan->nap_us);
			rested = now;
			slept = plan->nap_us * 1000ULL;
		}
	}
	return NULL;
}

static void crew_main(struct crew *crew)
{
	pthread_t thread[CREW_MAX];
	int i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (crew->plan.begin && !crew->plan.begin())
		_exit(1);
	crew->buffer = calloc(1, crew->plan.bytes);
	if (!crew->buffer)
		_exit(1);
	for (i = 1; i < crew->plan.nr; i++) {
		if (pthread_create(&thread[i], NULL, work, crew))
			_exit(1);
	}
	work(crew);
	for (i = 1; i < crew->plan.nr; i++)
		pthread_join(thread[i], NULL);
	_exit(0);
}

static bool has_ended(pid_t pid)
{
	siginfo_t info = { 0 };

	return waitid(P_PID, pid, &info, WEXITED | WNOHANG | WNOWAIT) ||
	       info.si_pid;
}

static bool all_began(const struct crew *crew)
{
	bool ended = has_ended(crew->pid);
	int i;

	for (i = 0; i < crew->plan.nr; i++) {
		while (!__atomic_load_n(&crew->worker[i].tid,
					__ATOMIC_ACQUIRE)) {
			if (ended)
				return false;
			sleep_ms(1);
			ended = has_ended(crew->pid);
		}
	}
	return true;
}

/* Returns when every worker has begun. */
struct crew *crew_start(const struct crew_plan *plan)
{
	struct crew *crew;
	pid_t pid;
	int i;

	read_llcs();
	if (plan->nr < 1 || plan->nr > CREW_MAX)
		return NULL;
	crew = mmap(NULL, sizeof(*crew), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (crew == MAP_FAILED)
		return NULL;
	crew->plan = *plan;
	if (!plan->bytes)
		crew->plan.bytes = DFL_BYTES;
	for (i = 0; i < plan->nr; i++)
		crew->worker[i].llc = -1;

	/* The child must not store its 0: they share the memory. */
	pid = fork();
	if (!pid)
		crew_main(crew);
	crew->pid = pid;
	if (pid > 0 && all_began(crew))
		return crew;
	crew_wait(crew);
	return NULL;
}

int crew_pin(const struct crew *crew, int worker, const cpu_set_t *cpus)
{
	if (sched_setaffinity(crew->worker[worker].tid, sizeof(*cpus), cpus))
		return -errno;
	return 0;
}

/*
 * Wait until every worker has begun and ended a piece of work: none has time to
 * account from before the call. False if one does nothing for LOST_MS.
 */
bool crew_settle(const struct crew *crew)
{
	int i, ms = 0;
	__u64 ops;

	for (i = 0; i < crew->plan.nr; i++) {
		ops = load(crew->worker[i].ops);
		while (load(crew->worker[i].ops) < ops + 2 * CHUNK_OPS) {
			if (ms++ == LOST_MS)
				return false;
			sleep_ms(1);
		}
	}
	return true;
}

__u64 crew_longest_wait_ns(const struct crew *crew)
{
	__u64 longest = 0;
	int i;

	for (i = 0; i < crew->plan.nr; i++) {
		if (load(crew->worker[i].longest_ns) > longest)
			longest = load(crew->worker[i].longest_ns);
	}
	return longest;
}

/* Returns the exit status of the crew, 0 when all went well. */
int crew_wait(struct crew *crew)
{
	int status = -1;

	/* Of a fork that failed, -1 would be any child. */
	if (crew->pid > 0)
		waitpid(crew->pid, &status, 0);
	munmap(crew, sizeof(*crew));
	return status;
}

int crew_stop(struct crew *crew)
{
	__atomic_store_n(&crew->stop, true, __ATOMIC_RELAXED);
	return crew_wait(crew);
}

static void sample(const struct crew *crew, struct worker *to)
{
	int i, llc;

	for (i = 0; i < crew->plan.nr; i++) {
		const struct worker *from = &crew->worker[i];

		to[i].tid = from->tid;
		to[i].llc = load(from->llc);
		to[i].ops = load(from->ops);
		to[i].moves = load(from->moves);
		to[i].ns = load(from->ns);
		to[i].naps = load(from->naps);
		to[i].wait_ns = load(from->wait_ns);
		to[i].longest_ns = load(from->longest_ns);
		for (llc = 0; llc < llcs.nr; llc++)
			to[i].llc_ns[llc] = load(from->llc_ns[llc]);
	}
}

/* The LLC where workers spent most time between two samples; its share. */
static double compare(const struct worker *from, const struct worker *to,
		      int nr, int *modal)
{
	__u64 ns, total = 0, most = 0;
	int i, llc;

	*modal = 0;
	for (llc = 0; llc < llcs.nr; llc++) {
		for (ns = 0, i = 0; i < nr; i++)
			ns += to[i].llc_ns[llc] - from[i].llc_ns[llc];
		total += ns;
		if (ns > most) {
			most = ns;
			*modal = llc;
		}
	}
	return total ? 100.0 * most / total : 0;
}

/* Watch the crew for @ms milliseconds. */
void crew_watch(const struct crew *crew, unsigned int ms, struct watch *watch)
{
	static struct worker first[CREW_MAX], last[CREW_MAX];
	__u64 begin = clock_ns(CLOCK_MONOTONIC), ns = 0;
	struct worker *now = watch->worker;
	int i, llc, modal;

	memset(watch, 0, sizeof(*watch));
	watch->nr = crew->plan.nr;
	sample(crew, first);
	memcpy(last, first, sizeof(last));
	do {
		sleep_ms(ms < STEP_MS ? ms : STEP_MS);
		ms -= ms < STEP_MS ? ms : STEP_MS;
		sample(crew, now);
		if (watch->steps < STEP_MAX)
			watch->step_share[watch->steps++] =
				compare(last, now, watch->nr, &modal);
		memcpy(last, now, sizeof(last));
	} while (ms);

	watch->share = compare(first, now, watch->nr, &watch->modal);
	for (i = 0; i < watch->nr; i++) {
		now[i].ns -= first[i].ns;
		now[i].ops -= first[i].ops;
		now[i].moves -= first[i].moves;
		now[i].naps -= first[i].naps;
		now[i].wait_ns -= first[i].wait_ns;
		watch->ops += now[i].ops;
		watch->moves += now[i].moves;
		ns += now[i].ns;
		for (llc = 0; llc < llcs.nr; llc++)
			now[i].llc_ns[llc] -= first[i].llc_ns[llc];
	}
	watch->cpus = (double)ns / (clock_ns(CLOCK_MONOTONIC) - begin);
}

__u64 watch_outside(const struct watch *watch, int worker, int llc)
{
	__u64 ns = 0;
	int other;

	for (other = 0; other < llcs.nr; other++) {
		if (other != llc)
			ns += watch->worker[worker].llc_ns[other];
	}
	return ns;
}

double watch_delay_us(const struct watch *watch)
{
	__u64 ns = 0, naps = 0;
	int i;

	for (i = 0; i < watch->nr; i++) {
		ns += watch->worker[i].wait_ns;
		naps += watch->worker[i].naps;
	}
	return naps ? ns / 1e3 / naps : 0;
}

void watch_print(const struct watch *watch)
{
	int i, llc;

	printf("# share %.1f %% on LLC %d, %.2f CPUs, %llu moves; by 100 ms:",
	       watch->share, watch->modal, watch->cpus,
	       watch->moves);
	for (i = 0; i < watch->steps; i++)
		printf(" %.0f", watch->step_share[i]);
	printf("\n");
	for (i = 0; i < watch->nr; i++) {
		printf("# worker %d on LLC %d, %llu ops, waited %.1f ms, %.1f at most; ms by LLC:",
		       i, watch->worker[i].llc,
		       watch->worker[i].ops,
		       watch->worker[i].wait_ns / 1e6,
		       watch->worker[i].longest_ns / 1e6);
		for (llc = 0; llc < llcs.nr; llc++)
			printf(" %.1f", watch->worker[i].llc_ns[llc] / 1e6);
		printf("\n");
	}
	fflush(stdout);
}

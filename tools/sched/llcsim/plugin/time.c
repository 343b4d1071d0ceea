// SPDX-License-Identifier: GPL-2.0-only
/*
 * llcsim, see tools/sched/llcsim/README.rst: simulated time.
 *
 *	local(v)  a vCPU's own time: insn_ns per instruction, plus its stalls
 *	clock	  the guest's clock, the same for all:
 *		  min(local(v) of those that run, QEMU's next timer)
 *
 * The vCPUs run in parallel on host threads. Each looks at the clock once in a
 * slice, two fifths of the quantum, and one that is more than a slice ahead
 * waits at its gate. So none is ever more than a quantum ahead of the clock.
 * When all are halted the clock jumps to the next timer.
 *
 * Nothing here depends on how fast the host is, which takes three precautions:
 *
 * - A halted vCPU that was kicked counts as running from then on, although its
 *   host thread may take long to come: the clock does not pass it by. It starts
 *   at the time of the vCPU that kicked it, not at the clock, so that no message
 *   arrives before it was sent.
 * - The clock stops at a timer until QEMU's main loop has served it.
 * - The clock stops from when a vCPU tells the main loop of a new timer until
 *   the main loop sleeps again and has said when that timer is due.
 *
 * A vCPU that others wait for may itself wait for one at the gate, say for a TLB
 * shootdown. QEMU kicks those it waits for, and a kick opens the gate for one
 * block, after which the vCPU sees what QEMU wants. QEMU says it just after the
 * kick, hence a short sleep; a vCPU that has missed it, as it comes to its gate
 * without having left the loop that runs blocks since the kick, gets a block soon.
 * So many TLB shootdowns in a row can take a waiting vCPU beyond the quantum.
 * When nothing has moved for 100 ms of the host, a gate lets one block through all
 * the same: a leak, counted.
 *
 * With serial=1 the vCPUs also run one by one: the slowest, until it is a slice
 * ahead of the next. That costs little on a host of two CPUs and makes runs
 * repeat to a few parts in ten thousand.
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "host.h"
#include "machine.h"
#include "time.h"

enum {
	LEAK_AFTER_NS	= 100000000,
	KICK_NS		= 50000,
	AFTER_KICK_NS	= 100000,
};

struct vcpu *vcpus[MAX_CPUS];
unsigned int nr_vcpus;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static u64 clock_ns, next_timer_ns = NEVER;
static bool main_awake = true, main_sleeps_awake;
static unsigned int notifying;
static struct time_quality quality;
static u64 slice_ns;
static u64 progress;		/* counts what may open a gate */
static struct vcpu *holder;	/* the one that runs, if they run one by one */
static __thread struct vcpu *self;

void time_init(void)
{
	/* one slice to the gate, one after it, the rest for a block's end */
	slice_ns = machine.quantum_ns * 2 / 5 ?: 1;
}

u64 time_now(void)
{
	return __atomic_load_n(&clock_ns, __ATOMIC_ACQUIRE);
}

/* The run is worth nothing from here on. */
static void wrong(const char *what, unsigned long a, unsigned long b)
{
	fprintf(stderr, what, a, b);
	_exit(TIME_WRONG_STATUS);
}

u64 time_shown(void)
{
	static u64 shown;
	u64 before = __atomic_load_n(&shown, __ATOMIC_ACQUIRE), now = time_now();

	if (!machine.debug)
		return now;
	if (now < before)
		wrong("llcsim: debug: the guest's clock went back from %lu to %lu ns\n",
		      before, now);
	for (;;) {
		if (before >= now ||
		    __atomic_compare_exchange_n(&shown, &before, now, false,
						__ATOMIC_RELEASE, __ATOMIC_ACQUIRE))
			return now;
	}
}

/*
 * The clock may have gone on since, which only makes the lead smaller. A block that
 * is let through a closed gate, for a kick or as a leak, is what the gate cannot
 * help; time_slice_end() counts those beyond the quantum.
 */
void time_check_lead(const struct vcpu *v)
{
	u64 insns = v->ticks->all - v->flushed.all - v->stall_ticks;
	u64 at = v->local_ns + v->stall_ns + (u64)(insns * machine.insn_ns), now = time_now();

	if (at > now + machine.quantum_ns && !v->let_through)
		wrong("llcsim: debug: CPU %lu is %lu ns ahead, more than the quantum\n",
		      v->index, at - now);
}

u64 time_slice_ticks(void)
{
	return slice_ns / machine.insn_ns ?: 1;
}

const struct time_quality *time_quality(void)
{
	return &quality;
}

/* Until the gate opens, or nothing has moved anywhere for a while. */
static void gate_wait(struct vcpu *v)
{
	struct timespec t = { 0, v->kicked ? AFTER_KICK_NS : LEAK_AFTER_NS };
	struct timespec kick = { 0, KICK_NS };
	bool was_kicked = v->kicked;
	u64 before;

	do {
		before = __atomic_load_n(&progress, __ATOMIC_RELAXED);
		syscall(SYS_futex, &v->gate, FUTEX_WAIT_PRIVATE, 0, &t, NULL, 0);
	} while (!was_kicked && !__atomic_load_n(&v->gate, __ATOMIC_ACQUIRE) &&
		 before != __atomic_load_n(&progress, __ATOMIC_RELAXED));
	if (v->kicked && !was_kicked)
		nanosleep(&kick, NULL);
}

static void gate_open(struct vcpu *v)
{
	v->waits = false;
	__atomic_store_n(&v->gate, 1, __ATOMIC_RELEASE);
	syscall(SYS_futex, &v->gate, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static struct vcpu *slowest(void)
{
	struct vcpu *min = NULL;

	for (unsigned int i = 0; i < nr_vcpus; i++) {
		struct vcpu *v = vcpus[i];

		if (v && v->state != VCPU_HALTED && (!min || v->local_ns < min->local_ns))
			min = v;
	}
	return min;
}

/* Whether a vCPU need not wait at its gate. */
static bool may_run(const struct vcpu *v)
{
	if (v->local_ns > clock_ns + slice_ns)
		return false;
	return !machine.serial || (v == holder && !main_awake && !notifying);
}

static void advance_clock(void)
{
	const struct vcpu *v = slowest();
	u64 t = v ? v->local_ns : NEVER;

	if (main_awake || notifying)
		return;
	if (t > next_timer_ns)
		t = next_timer_ns;
	if (t == NEVER)
		return;
	if (t > clock_ns)
		__atomic_store_n(&clock_ns, t, __ATOMIC_RELEASE);
	if (clock_ns >= next_timer_ns) {
		next_timer_ns = NEVER;
		main_awake = true;
		host_wake_main_loop();
	}
}

static void choose_holder(void)
{
	struct vcpu *v = slowest();

	if (!holder || holder->state == VCPU_HALTED ||
	    (v && holder->local_ns > v->local_ns + slice_ns))
		holder = v;
}

/*
 * Something changed: move the clock as far as it may go and open the gates of
 * those that may run now. A vCPU leaves its gate only when it may run half a
 * slice, or two would change places for every block.
 */
static void settle(void)
{
	progress++;
	advance_clock();
	if (machine.serial)
		choose_holder();
	for (unsigned int i = 0; i < nr_vcpus; i++) {
		struct vcpu *v = vcpus[i];

		if (v && v->waits && may_run(v) &&
		    (machine.serial || v->local_ns <= clock_ns + slice_ns / 2))
			gate_open(v);
	}
}

static bool sibling_runs(struct vcpu *v)
{
	const struct machine_cpu *c = &machine.cpu[v->index];

	for (unsigned int i = 0; i < c->nr_siblings; i++) {
		struct vcpu *s = vcpus[c->sibling[i]];

		if (s && s->state == VCPU_RUNS)
			return true;
	}
	return false;
}

/* Ticks become time. Threads of one core share its pipeline, not its stalls. */
static void flush(struct vcpu *v)
{
	u64 insns = v->ticks->all - v->flushed.all - v->stall_ticks;
	double ns = insns * machine.insn_ns + v->local_fraction;

	if (sibling_runs(v))
		ns += insns * machine.insn_ns * (machine.smt_factor - 1);
	v->local_ns += (u64)ns + v->stall_ns;
	v->local_fraction = ns - (u64)ns;
	v->counts.insns += insns;
	v->counts.kernel_insns += v->ticks->kernel - v->flushed.kernel;
	v->counts.stall_ns += v->stall_ns;
	v->flushed = *v->ticks;
	v->stall_ticks = 0;
	v->stall_ns = 0;
}

static void restart_ticks(struct vcpu *v, u64 ticks)
{
	*v->ticks = (struct ticks){ .all = ticks };
	v->flushed = *v->ticks;
}

u64 time_kernel_insns(const struct vcpu *v)
{
	return v->counts.kernel_insns + v->ticks->kernel - v->flushed.kernel;
}

void time_stall(struct vcpu *v, u64 ns)
{
	u64 ticks = ns / machine.insn_ns;

	v->ticks->all += ticks;
	v->stall_ticks += ticks;
	v->stall_ns += ns;
}

static void note_lead(struct vcpu *v)
{
	u64 lead = v->local_ns > clock_ns ? v->local_ns - clock_ns : 0;

	if (lead > quality.max_lead_ns)
		quality.max_lead_ns = lead;
	if (lead > machine.quantum_ns)
		quality.leads_over_quantum++;
}

void time_slice_end(struct vcpu *v)
{
	bool runs;

	self = v;
	host_lock(&lock);
	flush(v);
	note_lead(v);
	settle();
	if (!may_run(v)) {
		v->waits = true;
		v->gate = 0;
		pthread_mutex_unlock(&lock);
		gate_wait(v);
		host_lock(&lock);
		if (!v->gate && !v->kicked)
			quality.leaks++;
		v->waits = false;
	}
	runs = may_run(v);
	/* behind a closed gate the next block comes here again */
	restart_ticks(v, runs ? 0 : time_slice_ticks());
	v->let_through = !runs;
	pthread_mutex_unlock(&lock);
}

u64 time_vcpu_now(struct vcpu *v)
{
	u64 now;

	host_lock(&lock);
	flush(v);
	now = v->local_ns;
	pthread_mutex_unlock(&lock);
	return now;
}

void time_vcpu_starts(struct vcpu *v)
{
	host_lock(&lock);
	v->state = VCPU_RUNS;
	v->local_ns = clock_ns;
	vcpus[v->index] = v;
	if (v->index >= nr_vcpus)
		nr_vcpus = v->index + 1;
	pthread_mutex_unlock(&lock);
}

void time_vcpu_halts(struct vcpu *v)
{
	self = v;
	host_lock(&lock);
	flush(v);
	v->state = VCPU_HALTED;
	settle();
	pthread_mutex_unlock(&lock);
}

static void catch_up(struct vcpu *v, u64 now)
{
	if (v->local_ns < now) {
		v->counts.idle_ns += now - v->local_ns;
		v->local_ns = now;
	}
}

void time_vcpu_resumes(struct vcpu *v)
{
	host_lock(&lock);
	catch_up(v, clock_ns);
	v->state = VCPU_RUNS;
	settle();
	restart_ticks(v, may_run(v) ? 0 : time_slice_ticks());
	pthread_mutex_unlock(&lock);
}

/* A halted vCPU's thread goes to sleep, perhaps again after an idle kick. */
bool time_cond_wait(void *cond)
{
	struct vcpu *v = self;

	if (!v || v->state == VCPU_RUNS)
		return false;
	host_lock(&lock);
	v->halt_cond = cond;
	v->state = VCPU_HALTED;
	settle();
	pthread_mutex_unlock(&lock);
	return true;
}

bool time_was_kicked(void)
{
	bool kicked;

	host_lock(&lock);
	kicked = self->state == VCPU_KICKED;
	pthread_mutex_unlock(&lock);
	return kicked;
}

/* Only outside translated code does a vCPU take a lock of QEMU. */
void time_mutex_lock(void)
{
	if (self)
		self->kicked = false;
}

static struct vcpu *who_waits_on(void *cond)
{
	for (unsigned int i = 0; i < nr_vcpus; i++)
		if (vcpus[i] && vcpus[i]->halt_cond == cond)
			return vcpus[i];
	return NULL;
}

void time_cond_wakes(void *cond)
{
	struct vcpu *v = who_waits_on(cond);

	if (!v || v == self)
		return;
	host_lock(&lock);
	if (v->state == VCPU_HALTED) {
		if (self && self->state == VCPU_RUNS) {
			flush(self);
			catch_up(v, self->local_ns);
		}
		catch_up(v, clock_ns);
		v->state = VCPU_KICKED;
		settle();
	} else if (v->state == VCPU_RUNS) {
		v->kicked = true;
		if (v->waits)
			gate_open(v);
	}
	pthread_mutex_unlock(&lock);
}

void time_main_sleeps(u64 timeout_ns)
{
	host_lock(&lock);
	next_timer_ns = timeout_ns == NEVER ? NEVER : clock_ns + timeout_ns;
	if (notifying)
		main_sleeps_awake = true;
	else
		main_awake = false;
	settle();
	pthread_mutex_unlock(&lock);
}

void time_main_wakes(void)
{
	host_lock(&lock);
	main_awake = true;
	main_sleeps_awake = false;
	pthread_mutex_unlock(&lock);
}

void time_notify_begins(void)
{
	host_lock(&lock);
	notifying++;
	main_awake = true;
	pthread_mutex_unlock(&lock);
}

/* The main loop may have taken the event and gone to sleep again meanwhile. */
void time_notify_ends(void)
{
	host_lock(&lock);
	if (!--notifying && main_sleeps_awake)
		host_wake_main_loop();
	settle();
	pthread_mutex_unlock(&lock);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * llcsim, see tools/sched/llcsim/README.rst: functions of the host's C library
 * that QEMU calls and that are replaced by LD_PRELOAD.
 *
 *	clock_gettime	CLOCK_MONOTONIC is the guest's clock
 *	ppoll		the main loop sleeps until the next timer of the guest
 *	write		a vCPU tells the main loop that there is a new timer
 *	pthread_cond_wait, pthread_cond_broadcast
 *			a halted vCPU sleeps, and somebody kicks it
 *	pthread_mutex_lock
 *			a vCPU has left translated code
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "host.h"
#include "time.h"

#define EXPORTED	__attribute__((visibility("default")))

enum { MAX_POLLED = 64, LOOK_AGAIN_NS = 20000000 };

static int (*host_clock_gettime)(clockid_t clock, struct timespec *t);
static int (*host_ppoll)(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
			 const sigset_t *mask);
static ssize_t (*host_write)(int fd, const void *data, size_t n);
static int (*host_mutex_lock)(pthread_mutex_t *mutex);
static int (*host_cond_wait)(pthread_cond_t *cond, pthread_mutex_t *mutex);
static int (*host_cond_timedwait)(pthread_cond_t *cond, pthread_mutex_t *mutex,
				  const struct timespec *until);
static int (*host_cond_broadcast)(pthread_cond_t *cond);

static bool taken_over;
static pthread_t main_loop;
static u64 host_start_ns;
static int wake_fd = -1;
static int polled[MAX_POLLED];
static unsigned int nr_polled;

__attribute__((constructor)) static void find_host_functions(void)
{
	struct timespec t;

	host_clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
	host_ppoll = dlsym(RTLD_NEXT, "ppoll");
	host_write = dlsym(RTLD_NEXT, "write");
	host_mutex_lock = dlsym(RTLD_NEXT, "pthread_mutex_lock");
	host_cond_wait = dlsym(RTLD_NEXT, "pthread_cond_wait");
	host_cond_timedwait = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
	host_cond_broadcast = dlsym(RTLD_NEXT, "pthread_cond_broadcast");
	host_clock_gettime(CLOCK_MONOTONIC, &t);
	host_start_ns = t.tv_sec * NSEC_PER_SEC + t.tv_nsec;
	wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
}

void host_lock(pthread_mutex_t *mutex)
{
	host_mutex_lock(mutex);
}

void host_take_over(void)
{
	main_loop = pthread_self();
	taken_over = true;
}

void host_wake_main_loop(void)
{
	u64 one = 1;

	if (host_write(wake_fd, &one, sizeof(one)) < 0)
		return;
}

EXPORTED int clock_gettime(clockid_t clock, struct timespec *t)
{
	u64 now;

	if (!taken_over || clock != CLOCK_MONOTONIC)
		return host_clock_gettime(clock, t);
	now = host_start_ns + time_shown();
	t->tv_sec = now / NSEC_PER_SEC;
	t->tv_nsec = now % NSEC_PER_SEC;
	return 0;
}

static void remember_polled(const struct pollfd *fds, nfds_t n)
{
	unsigned int known = 0;

	for (nfds_t i = 0; i < n && known < MAX_POLLED; i++)
		polled[known++] = fds[i].fd;
	__atomic_store_n(&nr_polled, known, __ATOMIC_RELEASE);
}

/* The timeout is in the guest's time, so the host must not measure it. */
EXPORTED int ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
		   const sigset_t *mask)
{
	static const struct timespec at_once = { 0, 0 };
	struct pollfd all[n + 1];
	u64 drain;
	int ready;

	if (!taken_over || !pthread_equal(pthread_self(), main_loop))
		return host_ppoll(fds, n, timeout, mask);

	memcpy(all, fds, n * sizeof(*fds));
	all[n] = (struct pollfd){ .fd = wake_fd, .events = POLLIN };
	remember_polled(fds, n);
	ready = host_ppoll(all, n + 1, &at_once, mask);
	if (!ready && (!timeout || timeout->tv_sec || timeout->tv_nsec)) {
		time_main_sleeps(!timeout ? NEVER :
				 timeout->tv_sec * NSEC_PER_SEC + timeout->tv_nsec);
		ready = host_ppoll(all, n + 1, NULL, mask);
		time_main_wakes();
	}
	if (ready > 0 && all[n].revents && read(wake_fd, &drain, sizeof(drain)) > 0)
		ready--;
	memcpy(fds, all, n * sizeof(*fds));
	return ready > 0 ? ready : 0;
}

static bool wakes_main_loop(int fd, size_t n)
{
	unsigned int known = __atomic_load_n(&nr_polled, __ATOMIC_ACQUIRE);

	if (!taken_over || n != sizeof(u64) || pthread_equal(pthread_self(), main_loop))
		return false;
	for (unsigned int i = 0; i < known; i++)
		if (polled[i] == fd)
			return true;
	return false;
}

EXPORTED ssize_t write(int fd, const void *data, size_t n)
{
	ssize_t written;

	if (!host_write)
		host_write = dlsym(RTLD_NEXT, "write");
	if (!wakes_main_loop(fd, n))
		return host_write(fd, data, n);
	time_notify_begins();
	written = host_write(fd, data, n);
	time_notify_ends();
	return written;
}

EXPORTED int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	if (!host_mutex_lock)
		host_mutex_lock = dlsym(RTLD_NEXT, "pthread_mutex_lock");
	if (taken_over)
		time_mutex_lock();
	return host_mutex_lock(mutex);
}

/*
 * QEMU kicks without the mutex, so a kick can come just before the vCPU waits. QEMU
 * does not mind, but the clock waits for whoever was kicked. Hence look again now
 * and then; who waits on a condition must expect to be woken for nothing.
 */
static int wait_halted(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
	struct timespec until;
	int err;

	do {
		host_clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += LOOK_AGAIN_NS;
		if (until.tv_nsec >= (long)NSEC_PER_SEC) {
			until.tv_nsec -= NSEC_PER_SEC;
			until.tv_sec++;
		}
		err = host_cond_timedwait(cond, mutex, &until);
	} while (err == ETIMEDOUT && !time_was_kicked());
	return err == ETIMEDOUT ? 0 : err;
}

EXPORTED int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
	if (taken_over && time_cond_wait(cond))
		return wait_halted(cond, mutex);
	return host_cond_wait(cond, mutex);
}

EXPORTED int pthread_cond_broadcast(pthread_cond_t *cond)
{
	if (taken_over)
		time_cond_wakes(cond);
	return host_cond_broadcast(cond);
}

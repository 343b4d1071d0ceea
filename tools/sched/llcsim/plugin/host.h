/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * llcsim, see tools/sched/llcsim/README.rst: functions of the host's C library
 * that QEMU calls and that are replaced, so that its clock is simulated time.
 */
#ifndef LLCSIM_HOST_H
#define LLCSIM_HOST_H

#include <pthread.h>

/* The plugin's own locks; the replaced function is for QEMU's. */
void host_lock(pthread_mutex_t *mutex);

/* From here on QEMU's clock is ours. Called in the thread of the main loop. */
void host_take_over(void);
void host_wake_main_loop(void);

#endif

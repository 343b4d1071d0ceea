/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * llcsim, see tools/sched/llcsim/README.rst: simulated time.
 * When a vCPU must wait for the others and what the guest's clock shows.
 */
#ifndef LLCSIM_TIME_H
#define LLCSIM_TIME_H

#include "vcpu.h"

/* How well the vCPUs were kept together. */
struct time_quality {
	u64 max_lead_ns;	/* beyond the guest's clock at the end of a slice */
	u64 leads_over_quantum;
	u64 leaks;		/* blocks let through a closed gate */
};

/* QEMU's exit status when debug=1 found time wrong; driver/run.py knows it. */
enum { TIME_WRONG_STATUS = 123 };

void time_init(void);
u64 time_now(void);
/* Ticks of a vCPU after which time_slice_end() is due. */
u64 time_slice_ticks(void);
void time_stall(struct vcpu *v, u64 ns);

/* The kernel's instructions that @v ran so far, those of its present block included. */
u64 time_kernel_insns(const struct vcpu *v);
const struct time_quality *time_quality(void);

/* Called in the vCPU's own thread. */
void time_vcpu_starts(struct vcpu *v);
void time_slice_end(struct vcpu *v);
/* With debug=1, before every block: ends the run if @v is too far ahead for it. */
void time_check_lead(const struct vcpu *v);
void time_vcpu_halts(struct vcpu *v);
void time_vcpu_resumes(struct vcpu *v);
u64 time_vcpu_now(struct vcpu *v);

/* Called by the functions of the host that are replaced, see host.c. */
void time_mutex_lock(void);
/* True if a halted vCPU is about to wait. */
bool time_cond_wait(void *cond);
/* Whether the vCPU that calls was kicked and has not begun to run. */
bool time_was_kicked(void);
void time_cond_wakes(void *cond);
/* What the guest's clock shows; with debug=1 it ends the run if that went back. */
u64 time_shown(void);
void time_main_sleeps(u64 timeout_ns);
void time_main_wakes(void);
void time_notify_begins(void);
void time_notify_ends(void);

#endif

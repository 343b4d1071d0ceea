/* SPDX-License-Identifier: GPL-2.0-only */
/* llctop, see llctop.8: reads what /proc says of processes at one look. */
#ifndef LLCTOP_LOOK_H
#define LLCTOP_LOOK_H

#include "sample.h"

unsigned long long look_ticks_to_ns(unsigned long long ticks);
int look_processes(const struct sample *sample, struct process **processes);
void look_user(struct process *process);
void look_command(struct process *process);
void look_sched(struct process *process, int nr_llcs);
void look_free(struct process *process);

#endif /* LLCTOP_LOOK_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/* llctop, see llctop.8: switches the feature, and back whatever happens. */
#ifndef LLCTOP_KNOB_H
#define LLCTOP_KNOB_H

int knob_guard(void);
int knob_guard_pid(void);
int knob_set(int enabled);
void knob_restore(void);

#endif /* LLCTOP_KNOB_H */

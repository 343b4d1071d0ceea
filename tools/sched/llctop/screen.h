/* SPDX-License-Identifier: GPL-2.0-only */
/* llctop, see llctop.8: the screen. */
#ifndef LLCTOP_SCREEN_H
#define LLCTOP_SCREEN_H

#include "options.h"

int screen_run(const struct options *options);

#endif /* LLCTOP_SCREEN_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/* llctop, see llctop.8: a plain table. */
#ifndef LLCTOP_ONCE_H
#define LLCTOP_ONCE_H

#include <stdbool.h>

#include "columns.h"

void once_print(const struct sample *sample, const struct order *order,
		bool threads);

#endif /* LLCTOP_ONCE_H */

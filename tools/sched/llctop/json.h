/* SPDX-License-Identifier: GPL-2.0-only */
/* llctop, see llctop.8: the JSON document, whose keys llctop.8 describes. */
#ifndef LLCTOP_JSON_H
#define LLCTOP_JSON_H

#include <stdbool.h>

#include "columns.h"

void json_begin(void);
void json_print(const struct sample *sample, const struct order *order,
		bool threads, bool first);
void json_end(void);

#endif /* LLCTOP_JSON_H */

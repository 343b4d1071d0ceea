/* SPDX-License-Identifier: GPL-2.0-only */
/* llctop, see llctop.8: draws timelines. */
#ifndef LLCTOP_SVG_H
#define LLCTOP_SVG_H

#include "timeline.h"

int svg_write(const char *path, const char *command,
	      const struct timeline *timelines, int count);

#endif /* LLCTOP_SVG_H */

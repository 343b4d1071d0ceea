/* SPDX-License-Identifier: GPL-2.0-only */
/* llctop, see llctop.8: texts of unknown origin, for terminals, JSON and SVG. */
#ifndef LLCTOP_UTF8_H
#define LLCTOP_UTF8_H

#include <stdio.h>

int utf8_next(const char *text, unsigned int *code);
void utf8_clean(char *text);
void utf8_print_json(FILE *file, const char *text);
void utf8_print_xml(FILE *file, const char *text);

#endif /* LLCTOP_UTF8_H */

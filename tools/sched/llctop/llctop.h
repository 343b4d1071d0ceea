/* SPDX-License-Identifier: GPL-2.0-only */
/* llctop, see llctop.8: what all files share. */
#ifndef LLCTOP_H
#define LLCTOP_H

#include <stddef.h>

#define LLCTOP_VERSION	"1.0"

#define MAX_LLCS	512
#define MOVE_KINDS	4

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

/* Exit statuses */
enum {
	EXIT_FAILED	= 1,
	EXIT_USAGE	= 2,
};

/* Memory, or an end with a message. */
void *must_alloc(size_t nmemb, size_t size);
void *must_grow(void *memory, size_t nmemb, size_t size);
char *must_copy(const char *text);

void sort_array(void *base, size_t nmemb, size_t size,
		int (*compare)(const void *a, const void *b));

extern const char * const move_names[MOVE_KINDS];

#endif /* LLCTOP_H */

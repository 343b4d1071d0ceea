// SPDX-License-Identifier: GPL-2.0-only
/* llctop, see llctop.8: memory, or an end with a message; arrays. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "llctop.h"

static void *or_die(void *memory)
{
	if (!memory) {
		fputs("llctop: out of memory\n", stderr);
		exit(EXIT_FAILED);
	}
	return memory;
}

/* Zeroed. */
void *must_alloc(size_t nmemb, size_t size)
{
	return or_die(calloc(nmemb ? nmemb : 1, size));
}

void *must_grow(void *memory, size_t nmemb, size_t size)
{
	return or_die(reallocarray(memory, nmemb ? nmemb : 1, size));
}

char *must_copy(const char *text)
{
	return or_die(strdup(text));
}

/* qsort() wants an array even if it is empty. */
void sort_array(void *base, size_t nmemb, size_t size,
		int (*compare)(const void *a, const void *b))
{
	if (nmemb > 1)
		qsort(base, nmemb, size, compare);
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * llctop, see llctop.8: sets of small numbers, CPUs or LLCs, and their lists
 * ("0-3,8").
 */
#ifndef LLCTOP_INDEXSET_H
#define LLCTOP_INDEXSET_H

#include <stdbool.h>
#include <stddef.h>

#define MAX_INDEX	8192

struct index_set {
	unsigned long long word[MAX_INDEX / 64];
};

void index_set_add(struct index_set *set, int index);
bool index_set_has(const struct index_set *set, int index);
int index_set_count(const struct index_set *set);
int index_set_first(const struct index_set *set, int from);
bool index_set_next(const struct index_set *set, int *index);
int index_set_parse(struct index_set *set, const char *list);
char *index_set_format(const struct index_set *set, char *buf, size_t size);

#endif /* LLCTOP_INDEXSET_H */

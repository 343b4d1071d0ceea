// SPDX-License-Identifier: GPL-2.0-only
/*
 * llctop, see llctop.8: sets of small numbers, CPUs or LLCs, and their lists
 * as the kernel prints them ("0-3,8"). What does not fit is left out.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "indexset.h"

void index_set_add(struct index_set *set, int index)
{
	if (index >= 0 && index < MAX_INDEX)
		set->word[index / 64] |= 1ull << index % 64;
}

bool index_set_has(const struct index_set *set, int index)
{
	return index >= 0 && index < MAX_INDEX &&
	       set->word[index / 64] >> index % 64 & 1;
}

int index_set_count(const struct index_set *set)
{
	int count = 0;

	for (int i = 0; i < MAX_INDEX / 64; i++)
		count += __builtin_popcountll(set->word[i]);
	return count;
}

/* The first member from @from on, or -1. */
int index_set_first(const struct index_set *set, int from)
{
	unsigned long long word;

	for (int i = from / 64; i < MAX_INDEX / 64; i++) {
		word = set->word[i];
		if (i == from / 64)
			word &= ~0ull << from % 64;
		if (word)
			return i * 64 + __builtin_ctzll(word);
	}
	return -1;
}

/* Makes @index the next member after what it is; from -1 on these are all. */
bool index_set_next(const struct index_set *set, int *index)
{
	*index = index_set_first(set, *index + 1);
	return *index >= 0;
}

static int parse_number(const char **text)
{
	char *end;
	long number;

	if (!isdigit((unsigned char)**text))
		return -1;
	number = strtol(*text, &end, 10);
	if (number >= MAX_INDEX)
		return -1;
	*text = end;
	return number;
}

/* Returns 0, or -1 if @list is none; an empty list is an empty set. */
int index_set_parse(struct index_set *set, const char *list)
{
	int first, last;

	memset(set, 0, sizeof(*set));
	while (isspace((unsigned char)*list))
		list++;
	while (*list && !isspace((unsigned char)*list)) {
		first = parse_number(&list);
		last = first;
		if (first >= 0 && *list == '-') {
			list++;
			last = parse_number(&list);
		}
		if (first < 0 || last < first)
			return -1;
		for (int i = first; i <= last; i++)
			index_set_add(set, i);
		if (*list == ',')
			list++;
		else if (*list && !isspace((unsigned char)*list))
			return -1;
	}
	return 0;
}

/* A list that is longer than @buf ends with "+". Returns @buf. */
char *index_set_format(const struct index_set *set, char *buf, size_t size)
{
	char range[32];
	size_t used = 0;
	int first, last, length;

	buf[0] = '\0';
	first = -1;
	while (index_set_next(set, &first)) {
		for (last = first; index_set_has(set, last + 1); last++)
			;
		length = snprintf(range, sizeof(range), "%s%d",
				  used ? "," : "", first);
		if (last > first)
			length += snprintf(range + length,
					   sizeof(range) - length, "%s%d",
					   last == first + 1 ? "," : "-", last);
		if (used + length + 2 > size) {
			snprintf(buf + used, size - used, "+");
			break;
		}
		memcpy(buf + used, range, length + 1);
		used += length;
		first = last;
	}
	return buf;
}

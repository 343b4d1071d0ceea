// SPDX-License-Identifier: GPL-2.0-only
/*
 * llctop, see llctop.8: small bars and numbers of few digits. Pure functions of
 * numbers.
 */
#include <stdio.h>
#include <string.h>

#include "bars.h"

/* The largest shares that list_shares() tells. */
#define MAX_LISTED	4

double share_pct(double part, double whole)
{
	return whole > 0 ? part * 100 / whole : 0;
}

double sum_of(const double *by_llc, int nr_llcs)
{
	double sum = 0;

	for (int i = 0; i < nr_llcs; i++)
		sum += by_llc[i];
	return sum;
}

/* Where the most is, or -1 if nothing is anywhere. */
int most_of(const double *by_llc, int nr_llcs)
{
	int most = -1;

	for (int i = 0; i < nr_llcs; i++) {
		if (by_llc[i] > (most < 0 ? 0 : by_llc[most]))
			most = i;
	}
	return most;
}

/* "|||||    45.2%", @width wide; the number lies over the bar. */
void bar_load(char *buf, size_t size, int width, double pct)
{
	char number[16];
	int full, length;

	if (width >= (int)size)
		width = size - 1;
	if (pct < 0)
		pct = 0;
	full = pct > 100 ? width : (int)(pct * width / 100 + 0.5);
	memset(buf, ' ', width);
	memset(buf, '|', full);
	buf[width] = '\0';
	length = snprintf(number, sizeof(number), width > 9 ? "%.1f%%" : "%.0f",
			  pct);
	if (length <= width)
		memcpy(buf + width - length, number, length);
}

/* In eighths as block characters, or in tenths as digits; "." is nothing. */
static const char *level_text(double share, bool blocks)
{
	static const char * const digits[] = {
		"0", "1", "2", "3", "4", "5", "6", "7", "8", "9",
	};
	static const char * const eighths[] = {
		"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█",
	};
	int level;

	if (share <= 0)
		return ".";
	level = share * (blocks ? 8 : 10);
	if (blocks)
		return eighths[level > 7 ? 7 : level];
	return digits[level > 9 ? 9 : level];
}

/*
 * A character for each LLC, or for some that lie side by side if there are more
 * than @width: their share of the sum.
 */
void bar_shares(char *buf, size_t size, int width, const double *by_llc,
		int nr_llcs, bool blocks)
{
	double whole = sum_of(by_llc, nr_llcs), part;
	int per = nr_llcs > width ? (nr_llcs + width - 1) / width : 1;
	size_t used = 0;

	buf[0] = '\0';
	for (int i = 0; i < nr_llcs; i += per) {
		part = sum_of(by_llc + i, i + per > nr_llcs ? nr_llcs - i : per);
		if (used + 4 >= size)
			break;
		used += sprintf(buf + used, "%s",
				level_text(whole > 0 ? part / whole : 0,
					   blocks));
	}
}

/* "2:87 0:13", LLC and percent, the largest first; "-" if there is nothing. */
void list_shares(char *buf, size_t size, const double *by_llc, int nr_llcs)
{
	double whole = sum_of(by_llc, nr_llcs), pct, last = 101;
	int best, last_llc = -1;
	size_t used = 0;

	snprintf(buf, size, "-");
	for (int n = 0; n < MAX_LISTED && used + 12 < size; n++) {
		best = -1;
		pct = 0;
		for (int i = 0; i < nr_llcs; i++) {
			double p = share_pct(by_llc[i], whole);

			if (p > last || (p == last && i <= last_llc) ||
			    p <= pct)
				continue;
			best = i;
			pct = p;
		}
		if (best < 0 || pct < 0.5)
			break;
		used += snprintf(buf + used, size - used, "%s%d:%.0f",
				 used ? " " : "", best, pct);
		last = pct;
		last_llc = best;
	}
}

/* "32M"; "-" for 0 */
void short_size(char *buf, size_t size, unsigned long long bytes)
{
	static const char units[] = "BKMGT";
	int unit = 0;

	while (bytes >= 10240 || (bytes >= 1024 && !(bytes % 1024))) {
		if (!units[unit + 1])
			break;
		bytes /= 1024;
		unit++;
	}
	if (bytes)
		snprintf(buf, size, "%llu%c", bytes, units[unit]);
	else
		snprintf(buf, size, "-");
}

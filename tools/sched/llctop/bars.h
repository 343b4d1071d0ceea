/* SPDX-License-Identifier: GPL-2.0-only */
/* llctop, see llctop.8: small bars and numbers of few digits. */
#ifndef LLCTOP_BARS_H
#define LLCTOP_BARS_H

#include <stdbool.h>
#include <stddef.h>

double share_pct(double part, double whole);
void bar_load(char *buf, size_t size, int width, double pct);
void bar_shares(char *buf, size_t size, int width, const double *by_llc,
		int nr_llcs, bool blocks);
void list_shares(char *buf, size_t size, const double *by_llc, int nr_llcs);
void short_size(char *buf, size_t size, unsigned long long bytes);
int most_of(const double *by_llc, int nr_llcs);
double sum_of(const double *by_llc, int nr_llcs);

#endif /* LLCTOP_BARS_H */

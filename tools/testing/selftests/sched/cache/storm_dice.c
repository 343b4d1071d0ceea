// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: what all
 * storms do: throw dice, and tell what is wrong.
 */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include "storm.h"

static uint64_t random_state = 1;

void dice_seed(unsigned long long seed)
{
	random_state = seed * 0x9e3779b97f4a7c15ULL + 1;
}

unsigned int dice(unsigned int sides)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (random_state >> 32) % sides;
}

int wrong(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	printf("storm: ");
	vprintf(format, args);
	printf("\n");
	va_end(args);
	fflush(stdout);
	return -1;
}

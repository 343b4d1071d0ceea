// SPDX-License-Identifier: GPL-2.0-only
/*
 * shared_data THREADS MS WRITE_PCT [FIRST_THREADS FIRST_MS]: threads work on
 * 64 KiB that they share. With FIRST_THREADS so many run for FIRST_MS before, and
 * the rate is counted from 50 ms after all but THREADS have ended.
 */
#include "sharers.h"

enum { SETTLE_MS = 50 };

int main(int argc, char **argv)
{
	int threads = argument(argc, argv, 1, 3), ms = argument(argc, argv, 2, 100);
	int first = argument(argc, argv, 4, threads), first_ms = argument(argc, argv, 5, 0);

	sharers_write_pct = argument(argc, argv, 3, 25);
	if (threads < 1 || threads > first || first > MAX_SHARERS)
		return 2;
	sharers_start(first);
	if (first_ms) {
		sleep_until(now() + first_ms * NSEC_PER_MSEC);
		sharers_stop(threads, first);
		sleep_until(now() + SETTLE_MS * NSEC_PER_MSEC);
	}
	sharers_rate(threads, ms);
	sharers_stop(0, threads);
	return 0;
}

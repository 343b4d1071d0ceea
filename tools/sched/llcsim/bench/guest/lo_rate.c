// SPDX-License-Identifier: GPL-2.0-only
/*
 * lo_rate MS: what goes over the loopback device in MS, from 20 ms after the first
 * megabyte. tbench counts in whole seconds, which is too long here.
 */
#include "bench.h"

enum { MB = 1 << 20, SETTLE_MS = 20, LIMIT_MS = 3000 };

static u64 lo_bytes(void)
{
	unsigned long bytes = 0;
	FILE *f = fopen("/proc/net/dev", "r");
	char line[256];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, " lo: %lu", &bytes) == 1)
			break;
	if (f)
		fclose(f);
	return bytes;
}

int main(int argc, char **argv)
{
	u64 bytes = lo_bytes(), begin, limit = now() + LIMIT_MS * NSEC_PER_MSEC;

	while (lo_bytes() < bytes + MB) {
		if (now() > limit) {
			puts("nothing goes over lo");
			return 1;
		}
		sleep_until(now() + NSEC_PER_MSEC);
	}
	begin = now() + SETTLE_MS * NSEC_PER_MSEC;
	sleep_until(begin);
	bytes = lo_bytes();
	begin = now();
	sleep_until(begin + argument(argc, argv, 1, 50) * NSEC_PER_MSEC);
	bytes = lo_bytes() - bytes;
	printf("lo MB/s %.1f\n", bytes * 1e3 / (now() - begin));
	return 0;
}

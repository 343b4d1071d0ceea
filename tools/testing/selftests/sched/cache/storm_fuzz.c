// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cache-aware scheduling, see Documentation/scheduler/sched-cache.rst: storms
 * of what can be written to the knobs and read from all files. Bad input is
 * refused with EINVAL and changes nothing; good input is what is read next.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "control.h"
#include "storm.h"

enum {
	INPUT_MAX = 1 << 20,
	OFFSET_MAX = 16384,
	/* No number this long has to be taken: it may have leading zeros. */
	CANONICAL_MAX = 10,
};

/* What the document says must come of an input. */
enum verdict {
	TAKE,
	REFUSE,
	MAY_TAKE,
};

static char input[INPUT_MAX];

/* Digits, with a sign before and a newline behind that need not be. */
static enum verdict judge(const struct knob *knob, size_t len, long *value)
{
	size_t i = 0, digits;

	*value = 0;
	if (len && input[0] == '+')
		i++;
	for (digits = 0; i < len && input[i] >= '0' && input[i] <= '9'; i++) {
		if (*value < 1000000)
			*value = *value * 10 + input[i] - '0';
		digits++;
	}
	if (i < len && input[i] == '\n')
		i++;
	if (i != len || !digits || *value < knob->min || *value > knob->max)
		return REFUSE;
	if (len > CANONICAL_MAX || input[0] == '+')
		return MAY_TAKE;
	return TAKE;
}

static size_t put(const char *text)
{
	size_t len = strlen(text);

	memcpy(input, text, len);
	return len;
}

static size_t put_number(const char *format, long number)
{
	return snprintf(input, 64, format, number);
}

static long some_number(const struct knob *knob)
{
	switch (dice(6)) {
	case 0:
		return knob->min - 1L;
	case 1:
		return knob->max + 1L;
	case 2:
		return 1L << dice(63);
	case 3:
		return -(1L << dice(63));
	case 4:
		return (1L << 32) + knob->min + dice(knob->max);
	default:
		return knob->min + dice(knob->max - knob->min + 1);
	}
}

static size_t put_random(size_t len, int first, int number)
{
	size_t i;

	for (i = 0; i < len; i++)
		input[i] = first + dice(number);
	return len;
}

static size_t put_unlike_numbers(void)
{
	static const char * const texts[] = {
		"", "\n", " ", "-", "+", "0x", "0x10", "0b1", "1e1", "1.0",
		"5 ", " 5", "5\n\n", "5\r\n", "5;", "5,6", "--5", "+-5", "on",
		"\xd9\xa3", "\xef\xbc\x95", "\xc2\xa0\x35", "\xef\xbb\xbf\x35",
		"\xe2\x85\xa4", "\xf0\x9f\x99\x82", "\xff\xfe", "%d%n%s", "NaN",
	};

	return put(texts[dice(sizeof(texts) / sizeof(*texts))]);
}

/* A good number, then something that ends, hides or spoils it. */
static size_t put_spoiled(const struct knob *knob)
{
	size_t len = put_number("%ld", some_number(knob));

	if (dice(2))
		input[dice(len)] = dice(256);
	else
		input[len++] = dice(4) ? dice(256) : '\0';
	if (dice(2))
		input[len++] = '\n';
	return len;
}

static size_t put_large(void)
{
	size_t len = INPUT_MAX - dice(2) * dice(INPUT_MAX - 64);

	memset(input, "05\0\n "[dice(5)], len);
	return len;
}

static size_t make_input(const struct knob *knob)
{
	switch (dice(16)) {
	case 0:
		return put_unlike_numbers();
	case 1:
		return put_random(dice(40), 0, 256);
	case 2:
		return put_random(dice(40), '0', 10);
	case 3:
		return put_random(dice(12), ' ', 95);
	case 4:
		return put_spoiled(knob);
	case 5:
		return dice(8) ? put_number("%#lx", some_number(knob)) :
				 put_large();
	case 6:
		return put_number("%020ld", some_number(knob));
	case 7:
		return put_number("+%ld", some_number(knob));
	case 8:
		return put_number("%ld\n", some_number(knob));
	default:
		return put_number("%ld", some_number(knob));
	}
}

static int print_wrong(const struct knob *knob, size_t len, const char *what)
{
	char text[3 * 32 + 1] = "";
	size_t i;

	for (i = 0; i < len && i < 32; i++)
		sprintf(text + 3 * i, " %02x", (unsigned char)input[i]);
	return wrong("fuzz: %s: %s; input of %zu bytes:%s", knob->name, what,
		     len, text);
}

static bool alone;

/* The storms of toggling write these two meanwhile. */
static bool is_ours(const struct knob *knob)
{
	return alone || (strcmp(knob->name, "llc_enabled") &&
			 strcmp(knob->name, "shared_runq_shard_cores"));
}

static int check(const struct knob *knob, size_t len, ssize_t got, int err,
		 const char *before)
{
	char after[KNOB_TEXT], expected[KNOB_TEXT];
	enum verdict verdict;
	long value;

	verdict = judge(knob, len, &value);
	if (got < 0 && err != EINVAL)
		return print_wrong(knob, len, strerror(err));
	if (got >= 0 && (size_t)got != len)
		return print_wrong(knob, len, "took a part of it");
	if (verdict == TAKE && got < 0)
		return print_wrong(knob, len, "refused");
	if (verdict == REFUSE && got >= 0)
		return print_wrong(knob, len, "taken");
	if (!is_ours(knob))
		return 1;
	snprintf(expected, sizeof(expected), "%ld", value);
	if (knob_read(knob->name, after, sizeof(after)))
		return print_wrong(knob, len, "cannot be read");
	if (strcmp(after, got < 0 ? before : expected))
		return print_wrong(knob, len, after);
	return 1;
}

/* The second page is not there: nothing of an input that ends in it counts. */
static int write_fault(const struct knob *knob, int fd, const char *before)
{
	size_t page = getpagesize();
	char after[KNOB_TEXT], *map;
	ssize_t got;

	map = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (map == MAP_FAILED)
		return 0;
	munmap(map + page, page);
	map[page - 1] = '1';
	got = write(fd, map + page - 1, 2);
	munmap(map, page);
	if (got >= 0 || errno != EFAULT)
		return print_wrong(knob, 0, "took a half-mapped input");
	knob_read(knob->name, after, sizeof(after));
	if (is_ours(knob) && strcmp(before, after))
		return print_wrong(knob, 0, "a half-mapped input counts");
	return 1;
}

static int fuzz_knob(const struct knob *knob)
{
	char before[KNOB_TEXT], path[128];
	int fd, err, result;
	ssize_t got;
	size_t len;

	snprintf(path, sizeof(path), SCHED_DEBUGFS "%s", knob->name);
	fd = open(path, O_WRONLY);
	if (fd < 0)
		return wrong("fuzz: %s: %s", path, strerror(errno));
	knob_read(knob->name, before, sizeof(before));
	if (!dice(64)) {
		result = write_fault(knob, fd, before);
	} else {
		len = make_input(knob);
		if (dice(2))
			lseek(fd, dice(OFFSET_MAX), SEEK_SET);
		got = write(fd, input, len);
		err = errno;
		result = check(knob, len, got, err, before);
	}
	close(fd);
	return result;
}

/* One input for each knob, so what is counted is inputs a knob. */
int storm_fuzz(void)
{
	int i;

	for (i = 0; i < knobs_there(); i++) {
		if (fuzz_knob(&knobs[i]) < 0)
			return -1;
	}
	return 1;
}

int storm_fuzz_alone(void)
{
	alone = true;
	return storm_fuzz();
}

/* Reads end at the end of the file, and say nothing that was not asked for. */
int storm_read(void)
{
	static const char * const others[] = {
		"llc_status", "features", "shared_runq_status",
	};
	int nr = knobs_there();
	/* The last goes with the last knob. */
	int which = dice(nr + (nr == KNOBS ? 3 : 2));
	char text[OFFSET_MAX], path[128];
	ssize_t got = 0;
	int fd, reads;
	size_t size;

	snprintf(path, sizeof(path), SCHED_DEBUGFS "%s", which < nr ?
		 knobs[which].name : others[which - nr]);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return wrong("read: %s: %s", path, strerror(errno));
	for (reads = dice(8); reads >= 0 && got >= 0; reads--) {
		size = dice(4) ? dice(64) : dice(sizeof(text));
		if (!dice(4))
			lseek(fd, dice(2048), SEEK_SET);
		got = dice(2) ? read(fd, text, size) :
				pread(fd, text, size, dice(2048));
		if (got > (ssize_t)size)
			return wrong("read: %s: too much", path);
	}
	close(fd);
	return got < 0 ? wrong("read: %s: %s", path, strerror(errno)) : 1;
}

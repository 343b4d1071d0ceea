// SPDX-License-Identifier: GPL-2.0-only
/*
 * llctop, see llctop.8: reads files of /proc and /sys. For the tests
 * LLCTOP_ROOT=A:B:C puts folders in their place: A at the first look, B at the
 * next one, and C at all that follow. Time is then what their proc/uptime says.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "files.h"

/* The rest of LLCTOP_ROOT, and how much of it is the present root. */
static const char *root = "";
static int root_length;

static int length_of(const char *roots)
{
	return strcspn(roots, ":");
}

void files_init(const char *roots)
{
	root = roots ? roots : "";
	root_length = length_of(root);
}

/* Not folders of the tests, where nothing happens while one waits. */
bool files_are_real(void)
{
	return !root_length;
}

/* The next look begins. */
void files_advance(void)
{
	if (!root[root_length])
		return;
	root += root_length + 1;
	root_length = length_of(root);
}

static int make_path(char *path, const char *format, va_list args)
{
	int length = snprintf(path, PATH_MAX, "%.*s/", root_length, root);

	if (length < PATH_MAX)
		length += vsnprintf(path + length, PATH_MAX - length, format,
				    args);
	return length < PATH_MAX ? 0 : -ENAMETOOLONG;
}

static ssize_t read_all(int fd, char *buf, size_t size)
{
	size_t used = 0;
	ssize_t got;

	do {
		got = read(fd, buf + used, size - 1 - used);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		used += got;
	} while (got && used < size - 1);
	buf[used] = '\0';
	return used;
}

/**
 * files_read - read a file
 * @buf:	gets the text, or as much of it as fits, and a NUL
 * @size:	of @buf
 * @format:	path without the leading slash
 *
 * Returns the length, or a negative error number; then @buf is empty.
 */
ssize_t files_read(char *buf, size_t size, const char *format, ...)
{
	char path[PATH_MAX];
	va_list args;
	ssize_t length;
	int fd;

	buf[0] = '\0';
	va_start(args, format);
	length = make_path(path, format, args);
	va_end(args);
	if (length)
		return length;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	length = read_all(fd, buf, size);
	if (length < 0)
		buf[0] = '\0';
	close(fd);
	return length;
}

DIR *files_opendir(const char *format, ...)
{
	char path[PATH_MAX];
	va_list args;
	int error;

	va_start(args, format);
	error = make_path(path, format, args);
	va_end(args);
	errno = -error;
	return error ? NULL : opendir(path);
}

/* Returns 0 or a negative error number. */
int files_write(const char *path, const char *text)
{
	char full[PATH_MAX];
	int fd, error = 0;

	snprintf(full, sizeof(full), "%.*s/%s", root_length, root, path);
	fd = open(full, O_WRONLY | O_TRUNC | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		error = -errno;
	if (close(fd) && !error)
		error = -errno;
	return error;
}

/* The next entry of @dir that is a positive number, or -1. */
int files_next_number(DIR *dir)
{
	struct dirent *entry;
	char *end;
	long number;

	while ((entry = readdir(dir))) {
		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		number = strtol(entry->d_name, &end, 10);
		if (!*end && number > 0 && number <= INT_MAX)
			return number;
	}
	return -1;
}

/* Seconds since boot. */
double files_now(void)
{
	struct timespec now;
	char text[64];

	if (root_length && files_read(text, sizeof(text), "proc/uptime") > 0)
		return strtod(text, NULL);
	clock_gettime(CLOCK_BOOTTIME, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

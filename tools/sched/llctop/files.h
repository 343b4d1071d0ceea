/* SPDX-License-Identifier: GPL-2.0-only */
/* llctop, see llctop.8: reads files of /proc and /sys, or of what stands for them. */
#ifndef LLCTOP_FILES_H
#define LLCTOP_FILES_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

void files_init(const char *roots);
void files_advance(void);
bool files_are_real(void);
double files_now(void);

ssize_t files_read(char *buf, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
DIR *files_opendir(const char *format, ...)
	__attribute__((format(printf, 1, 2)));
int files_write(const char *path, const char *text);

int files_next_number(DIR *dir);

#endif /* LLCTOP_FILES_H */

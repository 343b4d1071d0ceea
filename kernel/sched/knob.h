/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Knobs in /sys/kernel/debug/sched/, see Documentation/scheduler/sched-cache.rst
 * and sched-shared-runq.rst: one number each, which is taken whole or not at all.
 */
#ifndef _KERNEL_SCHED_KNOB_H
#define _KERNEL_SCHED_KNOB_H

#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/uaccess.h>

/* Four digits and a newline, with room for leading zeros. */
#define SCHED_KNOB_INPUT_MAX	15

/**
 * sched_knob_parse - read what was written to a knob
 * @ubuf:	the text
 * @count:	its length
 * @min:	the least value
 * @max:	the largest value
 * @value:	the number, unchanged on error
 *
 * Return: 0, -EINVAL for what is no decimal number in the range, -EFAULT.
 */
static inline int sched_knob_parse(const char __user *ubuf, size_t count,
				   unsigned int min, unsigned int max,
				   unsigned int *value)
{
	char input[SCHED_KNOB_INPUT_MAX + 1];
	unsigned int number;

	if (count > SCHED_KNOB_INPUT_MAX)
		return -EINVAL;
	if (copy_from_user(input, ubuf, count))
		return -EFAULT;
	input[count] = '\0';
	if (strlen(input) != count || kstrtouint(input, 10, &number))
		return -EINVAL;
	if (number < min || number > max)
		return -EINVAL;
	*value = number;
	return 0;
}

#endif /* _KERNEL_SCHED_KNOB_H */

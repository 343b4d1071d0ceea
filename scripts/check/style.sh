#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# checkpatch --strict finds nothing in the series, that is in the hooks, in every
# line of every overlay file, and in the messages.
# usage: scripts/check/style.sh

set -eu
. "$(dirname "$0")/../lib.sh"
scripts/series.sh

# FILE_PATH_CHANGES asks for a MAINTAINERS change with every new file; the entry
# is there, in a patch of its own. In tools/, which is user space, no kernel header
# has the macros and types that these ask for, C has names with capitals, and a
# program may be a script without a suffix.
# Trace events are laid out as all of them are, and their lists are no expressions.
events='COMPLEX_MACRO|MACRO_ARG_UNUSED|TRAILING_SEMICOLON|PARENTHESIS_ALIGNMENT|OPEN_ENDED_LINE'
userspace='BIT_MACRO|ARRAY_SIZE|PREFER_DEFINED_ATTRIBUTE_MACRO|CAMELCASE|NEW_TYPEDEFS|VOLATILE|EXECUTE_PERMISSIONS|PREFER_KERNEL_TYPES|CONSTANT_COMPARISON|AVOID_EXTERNS'

# spdxcheck.py wants Debian's python3 with its modules, not another one in front of it.
PATH=/usr/bin:$PATH
cd "$tree"
for mail in "$top"/out/series/*.patch; do
	./scripts/checkpatch.pl --strict --terse --showfile --no-summary --show-types \
		--ignore FILE_PATH_CHANGES "$mail" 2>&1 | sed "s,^:,$(basename "$mail"):,"
done >"$top/build/style.log"
grep -vE -e "^tools/[^ ]* (ERROR|WARNING|CHECK):($userspace):" \
	-e "^include/trace/[^ ]* (ERROR|WARNING|CHECK):($events):" "$top/build/style.log" && die "checkpatch complains (above)"
say "$(kgit diff --name-only base refs/sched-cache/laid | wc -l) files in $(kgit rev-list --count base..refs/sched-cache/laid) patches"

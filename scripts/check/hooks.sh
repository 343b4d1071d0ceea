#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The hook budget: at most 20 call lines in existing .c files, no #if there.
# usage: scripts/check/hooks.sh

set -eu
. "$(dirname "$0")/../lib.sh"

scripts/patches.sh | while read -r patch; do cat "patches/$patch"; done | awk '
	/^\+\+\+ / { file = substr($2, 3); next }
	file !~ /\.c$/ || !/^\+/ { next }
	/^\+[ \t]*#[ \t]*(if|el|endif)/ { ifs++; print file ": " $0; next }
	/^\+[ \t]*#[ \t]*include/ || /^\+[ \t]*$/ || /^\+[ \t]*(\/\*|\*)/ { next }
	/sched_cache_[a-z_]*\(/ { calls++; where[file]++; next }
	{ other++ }
	END {
		for (f in where)
			printf "  %-28s %d\n", f, where[f]
		printf "%d call lines of at most 20, %d other lines of code, %d #if\n", calls, other, ifs
		exit calls > 20 || ifs > 0
	}'

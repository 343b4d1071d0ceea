#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The hook budget: at most 20 call lines of cache-aware scheduling in existing .c
# files and 10 of shared run queues, no #if there.
# usage: scripts/check/hooks.sh

set -eu
. "$(dirname "$0")/../lib.sh"

scripts/patches.sh | while read -r patch; do cat "patches/$patch"; done | awk '
	/^\+\+\+ / { file = substr($2, 3); next }
	file !~ /\.c$/ || !/^\+/ { next }
	/^\+[ \t]*#[ \t]*(if|el|endif)/ { ifs++; print file ": " $0; next }
	/^\+[ \t]*#[ \t]*include/ || /^\+[ \t]*$/ || /^\+[ \t]*(\/\*|\*)/ { next }
	/sched_cache_[a-z_]*\(/ { cache++; where[file]++; next }
	/shared_runq_[a-z_]*\(/ { runq++; where[file]++; next }
	{ other++ }
	END {
		for (f in where)
			printf "  %-28s %d\n", f, where[f]
		printf "%d call lines of at most 20, %d of at most 10, %d other lines of code, %d #if\n",
			cache, runq, other, ifs
		exit cache > 20 || runq > 10 || ifs > 0
	}'

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What before_after.py runs in a guest: each program of $programs (a comma between
# them) with llc_enabled 0, then 1. A region is the whole run; the one ending in
# .settled begins 100 ms after the program.

fail()
{
	echo "FAILED: $*"
	exit 1
}

# measure NR 0|1 PROGRAM ARGUMENTS...
measure()
{
	name=$1.$3.$2
	enabled=$2
	shift 2
	echo "$enabled" >"$LLCSIM_KNOBS/llc_enabled" || fail "llc_enabled does not take $enabled"
	llcmark run "$name" llcmark after 100 "$name.settled" "$@" >/tmp/out 2>&1 ||
		fail "$* ended with status $?: $(tail -n 1 /tmp/out)"
	echo "llc_enabled $enabled, $1: $(tail -n 1 /tmp/out)"
}

[ -n "$LLCSIM_KNOBS" ] || fail "the kernel has no llc_enabled"
nr=0
for program in $(echo "${programs:?}" | tr , ' '); do
	nr=$((nr + 1))
	for enabled in 0 1; do
		case $program in
		hackbench) measure $nr $enabled hackbench -T -p -f 2 -g 1 -l 46000 ;;
		shared_data) measure $nr $enabled shared_data 3 160 25 ;;
		*) fail "no program $program" ;;
		esac
	done
done
echo SUCCESS

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Three cases of the benchmark, once, without the stock kernel: each gives its
# numbers, and threads that are left over from a burst run as if pinned by hand.
# usage: scripts/check/bench-smoke.sh

set -eu
. "$(dirname "$0")/../lib.sh"
need qemu-system-aarch64 gnuplot
limit=0.8
out=out/bench-smoke
make --no-print-directory -C tools/sched/llcsim bench KERNEL= STOCK=none REPEATS=1 \
	CASES='burst hackbench-f4g4 storm' OUT="$top/$out"
ratio=$(awk -F ' *[|] *' '$2 == "burst" && $3 ~ /^rate/ { print $(NF - 1) }' "$out/report.md")
say "burst, on over pinned: $ratio, at least $limit"
awk -v r="$ratio" -v l="$limit" 'BEGIN { exit r < l }' || die "threads of a burst do not find home"

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Judges all pairs of a torture run with the judge of today.
# usage: scripts/torture/recheck.sh DIR      the last line is "N passed, N failed"

set -eu
. "$(dirname "$0")/../lib.sh"
run=${1-}
[ -e "$run/pairs" ] || die "usage: make recheck DIR=out/torture/DATE-TIME"

passed=0
failed=0
while read -r scenario kind <&3; do
	mkdir -p "$run/$scenario.$kind"
	if scripts/torture/judge.sh "$run/$scenario.$kind"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
	fi
done 3<"$run/pairs"
echo "torture: $passed as they must be, $failed not: $run"
[ $failed = 0 ]

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# One more scenario of the torture on one kind of kernel, another pair each time
# that make check has a turn for it. If its kernel is not built within BUILD seconds
# it is not run, which is said.
# usage: [DAY=N] [BUILD=600] scripts/check/torture-pair.sh
#   DAY  since 1970, to repeat another day's pair

set -eu
. "$(dirname "$0")/../lib.sh"
day=${DAY:-$(($(date +%s) / 86400))}

# Of four days one has the turn. Steps of 7, so that the kind changes with the scenario.
pair=$(sed '/^#/d; s/ .*//' configs/torture/kinds.txt | while read -r kind; do
	(cd configs/torture/scenarios && printf "%s $kind\n" *)
done | awk -v turn=$((day / 4)) '
	$1 !~ /^(broken|fuzz|64-cpus)$/ && $0 != "2x4 lockdep" { pair[n++] = $0 }
	END { print pair[turn * 7 % n] }')
scenario=${pair% *} kind=${pair#* }
say "torture: the pair is $pair"
status=0
timeout "${BUILD:-600}" scripts/torture/kernel.sh "$scenario" "$kind" || status=$?
if [ $status = 124 ]; then
	say "torture: no time for the kernel of $pair"
	exit 0
fi
[ $status = 0 ] || die "no kernel for $pair"
SCENARIO=$scenario KIND=$kind GUEST_SECONDS=21 LIMIT=${LIMIT:-900} exec scripts/torture/run.sh

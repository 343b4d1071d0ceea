#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# As much of the torture as make check has time for: lockdep on 2x4, the scenario
# that is broken on purpose, and one more pair, another one each day. If its kernel
# is not built within BUILD seconds it is not run, which is said.
# usage: [DAY=N] [BUILD=390] scripts/check/torture.sh
#   DAY  since 1970, to repeat another day's pair

set -eu
. "$(dirname "$0")/../lib.sh"
day=${DAY:-$(($(date +%s) / 86400))}
LIMIT=${LIMIT:-270}
GUEST_SECONDS=21
export LIMIT GUEST_SECONDS

SCENARIO='2x4 broken' KIND=lockdep scripts/torture/run.sh

# Steps of 7, so that the kind changes with the scenario.
pair=$(sed '/^#/d; s/ .*//' configs/torture/kinds.txt | while read -r kind; do
	(cd configs/torture/scenarios && printf "%s $kind\n" *)
done | awk -v day="$day" '
	$1 != "broken" && $0 != "2x4 lockdep" { pair[n++] = $0 }
	END { print pair[day * 7 % n] }')
scenario=${pair% *} kind=${pair#* }
timeout "${BUILD:-390}" scripts/torture/kernel.sh "$scenario" "$kind" || {
	[ $? = 124 ] || die "no kernel for $pair"
	say "torture: 2x4 lockdep and broken as they must be; no time for the kernel of $pair"
	exit 0
}
SCENARIO=$scenario KIND=$kind scripts/torture/run.sh

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Runs the tests of configs/tests.txt, one line each; the log of each is in
# out/check/. The last line is "N passed, N failed".
# usage: [ONLY="NAME..."] [TURN=0|1|2|3|all] scripts/check.sh
#   ONLY  these tests, whosever turn it is
#   TURN  of the tests that take turns (by the day)

set -eu
. "$(dirname "$0")/lib.sh"
ONLY=${ONLY-}
TURN=${TURN:-$(($(date +%s) / 86400 % 4))}
export ONLY TURN
case $TURN in
[0-3] | all) ;;
*) die "TURN=$TURN: 0, 1, 2, 3 or all" ;;
esac
for name in $ONLY; do
	grep -q "^$name " configs/tests.txt || die "ONLY=$name: no such test in configs/tests.txt"
done
scripts/tree.sh
mkdir -p out/check
: >out/check/results

scripts/check/lane.sh first
# The second lane is a session of its own, so that all of it ends when this one does.
env --default-signal=INT setsid scripts/check/lane.sh x86 &
x86=$!
# A shell's own kill may know no groups.
trap 'env kill -TERM -- "-$x86" 2>/dev/null || :' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
scripts/check/lane.sh arm64
wait $x86

passed=$(grep -c passed out/check/results || :)
failed=$(grep -c failed out/check/results || :)
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" != 0 ]

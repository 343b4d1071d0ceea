#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Every kernel of configs/mutants can be made: its diff applies to the tree, and
# what must catch it is there. make mutants builds and runs them, which takes hours.
# usage: scripts/check/mutants.sh

set -eu
. "$(dirname "$0")/../lib.sh"
programs=tools/testing/selftests/sched/cache
wrong=
for diff in configs/mutants/*.diff; do
	name=$(basename "$diff" .diff)
	kgit apply --check "$top/$diff" || wrong="$wrong $name"
	tests=$(sed -n 's/^Fails: //p' "$diff")
	[ -n "$tests" ] || grep -q '^Storms: .' "$diff" || die "$diff names nothing that catches it"
	! grep -q '^Storms:' "$diff" || grep -q '^Says: .' "$diff" || die "$diff has no Says: for its storms"
	for test in $tests; do
		[ -e "$programs/$test.c" ] || die "$diff: no selftest $test"
	done
done
[ -z "$wrong" ] || die "these do not apply, make them anew:$wrong"
say "$(find configs/mutants -name '*.diff' | wc -l) kernels can be made"

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Runs the tests of configs/tests.txt, one line each; the log of each is in
# out/check/. The last line is "N passed, N failed".
# usage: [ONLY="NAME..."] scripts/check.sh

set -eu
. "$(dirname "$0")/lib.sh"
mkdir -p out/check
scripts/tree.sh

for wanted in ${ONLY-}; do
	grep -q "^$wanted " configs/tests.txt || die "ONLY=$wanted: no such test in configs/tests.txt"
done

passed=0
failed=0
while read -r name command <&3; do
	case $name in
	'' | '#'*) continue ;;
	esac
	case " ${ONLY:-$name} " in
	*" $name "*) ;;
	*) continue ;;
	esac
	log=out/check/$name.log
	printf '%-22s ' "$name"
	start=$(date +%s)
	# shellcheck disable=SC2086
	if $command >"$log" 2>&1 </dev/null; then
		passed=$((passed + 1))
		printf 'passed %5d s  %s\n' $(($(date +%s) - start)) "$(tail -n 1 "$log")"
	else
		failed=$((failed + 1))
		printf 'FAILED %5d s  %s:\n' $(($(date +%s) - start)) "$log"
		# What a selftest says of its failure, which may be far from the end.
		{ grep -a -B 15 '^not ok' "$log" || :; tail -n 25 "$log"; } | sed 's/^/    /'
	fi
done 3<configs/tests.txt
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Runs the tests of one lane of configs/tests.txt in their order, for check.sh: a
# line for each, and a word in out/check/results.
# usage: ONLY="[NAME...]" TURN=0|1|2|3|all scripts/check/lane.sh LANE

set -eu
. "$(dirname "$0")/../lib.sh"

# run NAME COMMAND...
run()
{
	name=$1
	shift
	log=out/check/$name.log
	start=$(date +%s)
	if "$@" >"$log" 2>&1 </dev/null; then
		printf '%-22s passed %5d s  %s\n' "$name" $(($(date +%s) - start)) "$(tail -n 1 "$log")"
		echo passed >>out/check/results
	else
		printf '%-22s FAILED %5d s  %s:\n%s\n' "$name" $(($(date +%s) - start)) "$log" \
			"$({
				# What a selftest says of its failure, which may be far from the end.
				grep -a -B 15 '^not ok' "$log" || :
				tail -n 25 "$log"
			} | sed 's/^/    /')"
		echo failed >>out/check/results
	fi
}

# wanted NAME LANE: is it one of ONLY, or else in this lane's turn?
wanted()
{
	if [ "$ONLY" ]; then
		case " $ONLY " in
		*" $1 "*) ;;
		*) return 1 ;;
		esac
	else
		case $2 in
		*/"$TURN") ;;
		*/*) [ "$TURN" = all ] || return 1 ;;
		esac
	fi
}

while read -r name lane command <&3; do
	if [ "${lane%/*}" = "$1" ] && wanted "$name" "$lane"; then
		# shellcheck disable=SC2086
		run "$name" $command 3<&-
	fi
done 3<configs/tests.txt

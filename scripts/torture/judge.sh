#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Judges one pair of a torture run from what is in its folder: the guest must have
# said SUCCESS, every storm must have got on all the time, and the kernel must not
# have complained. Data races count if a function of ours takes part. A pair whose
# scenario is broken on purpose must fail, for the reason it names and no other.
# usage: scripts/torture/judge.sh DIR      -> DIR/judgement, one line of it printed;
#                                          exit status 0 if it ended as it must

set -eu
. "$(dirname "$0")/../lib.sh"
dir=${1-}
[ -d "$dir" ] || die "usage: scripts/torture/judge.sh DIR"
MUST_FAIL=
# shellcheck source=/dev/null
[ ! -e "$dir/scenario" ] || . "$dir/scenario"

console=$(mktemp)
trap 'rm -f "$console"' EXIT
trap 'exit 130' INT TERM
for file in console storms symbols; do
	[ -e "$dir/$file" ] || : >"$dir/$file"
done
tr -d '\r' <"$dir/console" | awk -f scripts/torture/races.awk "$dir/symbols" - >"$console"
{
	scripts/judge-console.sh "$console" 2>&1 || echo 'FAIL: console not clean'
	awk -f scripts/torture/progress.awk "$dir/storms" "$console"
} >"$dir/judgement"

wrong=$(sed -n 's/^FAIL: //p' "$dir/judgement" | paste -sd ';')
if [ -z "$wrong" ]; then
	verdict=PASS
elif [ -n "$MUST_FAIL" ] && [ "${wrong#"$MUST_FAIL"}" != "$wrong" ] && [ "${wrong#*;}" = "$wrong" ]; then
	verdict="FAIL, as it must: $wrong"
else
	verdict="FAIL: $wrong"
fi
echo "$verdict" >>"$dir/judgement"
printf '%-24s %s\n' "$(basename "$dir")" "$verdict"
case $verdict in
PASS) [ -z "$MUST_FAIL" ] ;;
'FAIL, as it must'*) ;;
*) exit 1 ;;
esac

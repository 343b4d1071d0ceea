#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The judge of torture runs can say no: it refuses every folder of
# configs/consoles/torture whose name starts with bad-, and takes those with good-.
# usage: scripts/check/torture-judge.sh

set -eu
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM
cp -r configs/consoles/torture/* "$tmp/"
wrong=
for dir in "$tmp"/*; do
	verdict=good
	scripts/torture/judge.sh "$dir" || verdict=bad
	case ${dir##*/} in
	"$verdict"-*) ;;
	*) wrong="$wrong ${dir##*/} ($verdict)" ;;
	esac
done
[ -z "$wrong" ] || die "judged wrongly:$wrong"
say "$(find "$tmp" -name judgement | wc -l) folders"

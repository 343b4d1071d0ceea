#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The judge of consoles can say no: it refuses every console of configs/consoles
# whose name starts with bad-, and takes those that start with good-.
# usage: scripts/check/judge.sh

set -eu
. "$(dirname "$0")/../lib.sh"
wrong=
count=0
for console in configs/consoles/*.txt; do
	count=$((count + 1))
	verdict=good
	scripts/judge-console.sh "$console" >/dev/null 2>&1 || verdict=bad
	case $(basename "$console") in
	"$verdict"-*) ;;
	*) wrong="$wrong $console ($verdict)" ;;
	esac
done
[ -z "$wrong" ] || die "judged wrongly:$wrong"
say "$count consoles"

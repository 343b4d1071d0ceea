#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Builds the kernel that a scenario needs of a kind, if need be, and prints its name.
# That of "x86 debug" is x86-debug, which configs/kernels.txt has, too.
# usage: scripts/torture/kernel.sh SCENARIO KIND

set -eu
. "$(dirname "$0")/../lib.sh"
[ $# = 2 ] || die "usage: scripts/torture/kernel.sh SCENARIO KIND"
list=$(awk -v n="$2" '$1 == n { print $2 }' configs/torture/kinds.txt)
FRAGMENTS=
# shellcheck source=/dev/null
. "configs/torture/scenarios/$1"

kernel=x86-${list##*[,/]}${FRAGMENTS:+-${FRAGMENTS##*/}}
FRAGMENTS="x86 $(echo "$list" | tr , ' ')${FRAGMENTS:+ $FRAGMENTS}" \
	setpriv --pdeathsig TERM scripts/kernel.sh "$kernel"
echo "$kernel"

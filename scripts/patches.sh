#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Prints the patches of patches/series in order, one a line.
# usage: scripts/patches.sh

set -eu
. "$(dirname "$0")/lib.sh"

[ -e patches/series ] || die "no patches/series"
sed 's/#.*//; s/[ 	]*$//; /^$/d' patches/series | while read -r patch; do
	[ -e "patches/$patch" ] || die "patches/series names $patch, which does not exist"
	printf '%s\n' "$patch"
done

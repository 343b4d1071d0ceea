#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# make refresh of an unchanged tree changes nothing in this repository, and
# make tree then has nothing to do.
# usage: scripts/check/refresh.sh

set -eu
. "$(dirname "$0")/../lib.sh"
sums()
{
	{ git ls-files; scripts/patches.sh | sed 's,^,patches/,'; } | sort -u |
		while read -r file; do [ ! -e "$file" ] || sha256sum "$file"; done
}
sums >build/refresh.before
scripts/tree.sh
scripts/refresh.sh
sums >build/refresh.after
diff build/refresh.before build/refresh.after >&2 || die "make refresh changed files of an unchanged tree (above)"
scripts/tree.sh 2>&1 | grep -q 'is up to date' || die "make tree after make refresh is not a no-op"

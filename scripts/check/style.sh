#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# checkpatch --strict finds nothing in the exported series and in the overlay files.
# usage: scripts/check/style.sh

set -eu
. "$(dirname "$0")/../lib.sh"
[ -e out/series/0000-cover-letter.txt ] || scripts/series.sh

# FILE_PATH_CHANGES asks for a MAINTAINERS change with every new file; the
# entry is there, in a patch of its own. Overlay: lines are our own trailer.
# spdxcheck.py wants Debian's python3 with its modules, not another one in front of it.
PATH=/usr/bin:$PATH
cd "$tree"
status=0
check()
{
	./scripts/checkpatch.pl --strict --terse --no-summary --show-types --ignore FILE_PATH_CHANGES "$@" || status=1
}
check "$top"/out/series/*.patch
"$top/scripts/overlay.sh" list | grep -E '\.(c|h|S|rst|sh|py)$|Kconfig$|Makefile$' >"$top/build/style-files"
# A file by itself has no patch around it, so its licence line is all of its header.
xargs ./scripts/checkpatch.pl --strict --terse --no-summary --show-types --ignore FILE_PATH_CHANGES -f \
	<"$top/build/style-files" || status=1
[ $status = 0 ] || die "checkpatch complains (above)"
say "$(wc -l <"$top/build/style-files") files and $(kgit rev-list --count base..refs/sched-cache/laid) patches"

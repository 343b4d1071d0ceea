#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Brings build/linux to base + series. Touches only files whose content differs,
# and never an edit there that is not saved in this repository.
# usage: [FORCE=1] [BASE_TARBALL=FILE] scripts/tree.sh
# SAVED=TREE, from refresh.sh, names a state of the tree that was just written back.

set -eu
. "$(dirname "$0")/lib.sh"
lock tree
scripts/base.sh

sum="$(kgit rev-parse base) $(scripts/overlay.sh sum)"
laid=$(kgit rev-parse refs/sched-cache/laid)
if [ "$sum" = "$(cat build/tree.sum 2>/dev/null)" ] && [ -z "${FORCE-}" ]; then
	say "build/linux is up to date: $(kgit rev-list --count "base..$laid") patches"
	exit 0
fi

new=$(scripts/commits.sh)
head=$(kgit rev-parse HEAD)
now=$(scripts/worktree.sh)
new_tree=$(kgit rev-parse "$new^{tree}")

saved()
{
	[ "$now" != "${SAVED-}" ] || return 0
	[ "$head" = "$laid" ] || [ "$head" = "$new" ] || return 1
	[ "$now" = "$(kgit rev-parse "$laid^{tree}")" ] || [ "$now" = "$new_tree" ]
}

if ! saved; then
	if [ "${FORCE-}" != 1 ]; then
		kgit log --oneline "$laid..$head" | sed 's/^/  commit /' | head -10 >&2
		kgit diff --name-only "$head" "$now" | sed 's/^/  edited /' | head -20 >&2
		die "build/linux holds changes that are not in this repository (above).
Write them back: make refresh. Give them up: make tree FORCE=1"
	fi
	kept=refs/sched-cache/given-up/$(date +%Y%m%d-%H%M%S)
	kgit update-ref "$kept" "$(echo 'Given up by make tree FORCE=1' |
		kgit commit-tree -p "$head" "$now")"
	say "giving up the changes in build/linux; git keeps them there as $kept"
fi

# Stage what is on disk, so that git sees which files really differ.
now=$(scripts/worktree.sh stage)
kgit read-tree -m -u "$now" "$new"
kgit update-ref --no-deref HEAD "$new"
kgit update-ref refs/heads/sched-cache "$new"
kgit symbolic-ref HEAD refs/heads/sched-cache
kgit update-ref refs/sched-cache/laid "$new"
rm -rf build/laid
mkdir build/laid
scripts/patches.sh >build/laid/order
cp patches/series build/laid/
while read -r patch; do cp "patches/$patch" build/laid/; done <build/laid/order
echo "$sum" >build/tree.sum
say "build/linux: base and $(kgit rev-list --count "base..$new") patches"

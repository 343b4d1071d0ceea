#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Exports overlay and hooks as one series for git am, with cover letter and
# base-commit, and proves it: git am onto a clean base gives the same tree.
# usage: scripts/series.sh     -> out/series/

set -eu
. "$(dirname "$0")/lib.sh"
need git
[ -d "$tree/.git" ] || die "no build/linux; run: make tree"
out=$top/out/series
last=$(scripts/commits.sh)
count=$(kgit rev-list --count "base..$last")
if [ "$count" -lt 8 ] || [ "$count" -gt 20 ]; then
	die "the series has $count patches; 8 to 20 are wanted: a reviewer reads no more"
fi

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM

# The cover letter takes name and date of the last patch: the same series, the same files.
GIT_COMMITTER_NAME=$(kgit log -1 --format=%an "$last")
GIT_COMMITTER_EMAIL=$(kgit log -1 --format=%ae "$last")
GIT_COMMITTER_DATE=$(kgit log -1 --format=%aD "$last")
export GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL GIT_COMMITTER_DATE
rm -rf "$out"
kgit format-patch -q --cover-letter --base=base --zero-commit --no-signature --no-renames \
	--subject-prefix=PATCH -o "$out" "base..$last"
cover=$out/0000-cover-letter.patch
title=$(head -1 configs/cover-letter.txt)
awk -v title="$title" -v text=configs/cover-letter.txt '
	{ sub(/\*\*\* SUBJECT HERE \*\*\*/, title) }
	/^\*\*\* BLURB HERE \*\*\*$/ {
		getline line <text
		getline line <text
		while ((getline line <text) > 0)
			print line
		next
	}
	{ print }' "$cover" >"$out/0000-cover-letter.txt"
# git am takes out/series/*.patch, and stops at a mail without a patch.
rm "$cover"

# A clone that shares the objects and checks out only the folders of the series.
kgit diff --name-only base "$last" | sed 's,/[^/]*$,,' | grep -v '^MAINTAINERS$' | sort -u >"$tmp/folders"
git clone -q -s -n -c gc.auto=0 -c advice.detachedHead=false "$tree" "$tmp/clone"
(
	cd "$tmp/clone"
	git sparse-checkout set --cone --stdin <"$tmp/folders"
	git checkout -q "$(kgit rev-parse base)"
	git am -q --whitespace=error "$out"/*.patch >"$tmp/am" 2>&1 || { cat "$tmp/am" >&2; exit 1; }
) || die "git am does not take the series"
[ "$(git -C "$tmp/clone" rev-parse 'HEAD^{tree}')" = "$(kgit rev-parse "$last^{tree}")" ] ||
	die "git am gives another tree than make tree"
say "series: $count patches and a cover letter in out/series; git am out/series/*.patch onto Linux $(kgit config sched-cache.version) gives the tree of make tree"

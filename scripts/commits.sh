#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Makes one commit per patch of the series over the base, in the object store of
# build/linux only: no file, branch or index there changes. Prints the last commit.
# usage: scripts/commits.sh [-v]     (-v: one line "COMMIT PATCH" for each instead)

set -eu
. "$(dirname "$0")/lib.sh"
need git
verbose=${1-}

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM

base=$(kgit rev-parse --verify -q base) || die "no base commit; run: make tree"
kgit ls-tree -r --name-only base >"$tmp/base"
scripts/patches.sh >"$tmp/series"
scripts/overlay.sh named >"$tmp/named"
scripts/overlay.sh list | sort >"$tmp/tracked"

# Every overlay file belongs to exactly one patch and replaces nothing.
cut -d' ' -f2 "$tmp/named" | sort >"$tmp/files"
twice=$(uniq -d "$tmp/files" | head -1)
[ -z "$twice" ] || die "$twice is named by an Overlay: line of more than one patch: $(
	awk -v f="$twice" '$2 == f { printf "%s ", $1 }' "$tmp/named")"
unnamed=$(comm -23 "$tmp/tracked" "$tmp/files")
if [ -n "$unnamed" ]; then
	[ "${UNNAMED-}" = skip ] || die "no patch has an Overlay: line for:
$unnamed
Add the line to the patch that the file enters with (or leave them out for now: UNNAMED=skip)"
	say "left out, since no patch has an Overlay: line for them:" "$unnamed"
fi
clash=$(sort "$tmp/base" | comm -12 - "$tmp/files" | grep -vx MAINTAINERS | head -1) || :
[ -z "$clash" ] || die "overlay file $clash would replace a file of the base; change it by a patch instead"

# Names the hunk that git could not apply, from git's own "patch failed: FILE:LINE".
refused()
{
	cat "$tmp/errors" >&2
	sed -n 's/^error: patch failed: \(.*\):\([0-9]*\)$/\1 \2/p' "$tmp/errors" |
	while read -r file line; do
		say "patches/$patch: this hunk of $file does not apply (fuzz 0):"
		awk -v f="+++ b/$file" -v l="$line" '
			/^diff |^--- / { show = 0 }
			/^\+\+\+ / { here = $0 == f }
			/^@@ / { split($2, a, /[-,]/); show = here && a[2] == l }
			show' "$tmp/diff" >&2
	done
	die "patches/$patch does not apply to Linux $(kgit config sched-cache.version)"
}

GIT_INDEX_FILE=$tmp/index
export GIT_INDEX_FILE
kgit read-tree base
commit=$base
while read -r patch; do
	git mailinfo "$tmp/message" "$tmp/diff" <"patches/$patch" >"$tmp/info" ||
		die "patches/$patch is no mail that git understands"
	field() { sed -n "s/^$1: //p" "$tmp/info"; }
	for need_field in Author Email Subject Date; do
		[ -n "$(field "$need_field")" ] || die "patches/$patch: no $need_field in its header (From:, Date:, Subject:)"
	done

	if grep -q '^@@ ' "$tmp/diff"; then
		kgit apply --numstat <"$tmp/diff" | cut -f3 | sort >"$tmp/touched"
		hit=$(comm -12 "$tmp/touched" "$tmp/files" | head -1)
		[ -z "$hit" ] || die "patches/$patch changes the overlay file $hit: change the file itself"
		kgit apply --cached --whitespace=nowarn <"$tmp/diff" 2>"$tmp/errors" || refused
		hit=$(sort "$tmp/base" | comm -13 - "$tmp/touched" | head -1)
		[ -z "$hit" ] || die "patches/$patch creates $hit: make it an overlay file"
	fi

	awk -v p="$patch" '$1 == p { print $2 }' "$tmp/named" >"$tmp/own"
	while read -r file; do
		from=$(scripts/overlay.sh path "$file")
		[ -f "$from" ] || die "patches/$patch names $file, but $from does not exist"
		mode=100644
		[ ! -x "$from" ] || mode=100755
		if [ "$file" = MAINTAINERS ]; then
			kgit cat-file blob :MAINTAINERS | awk -f scripts/maintainers.awk MAINTAINERS - >"$tmp/merged"
			from=$tmp/merged
		fi
		blob=$(kgit hash-object -w --no-filters "$(realpath "$from")")
		printf '%s %s\t%s\n' "$mode" "$blob" "$file"
	done <"$tmp/own" | kgit update-index --index-info

	{ field Subject; echo; cat "$tmp/message"; } | git stripspace >"$tmp/log"
	GIT_AUTHOR_NAME=$(field Author)
	GIT_AUTHOR_EMAIL=$(field Email)
	GIT_AUTHOR_DATE=$(field Date)
	GIT_COMMITTER_NAME=$GIT_AUTHOR_NAME
	GIT_COMMITTER_EMAIL=$GIT_AUTHOR_EMAIL
	GIT_COMMITTER_DATE=$GIT_AUTHOR_DATE
	export GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_AUTHOR_DATE
	export GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL GIT_COMMITTER_DATE
	commit=$(kgit commit-tree -p "$commit" -F "$tmp/log" "$(kgit write-tree)")
	[ "$verbose" != -v ] || echo "$commit $patch"
done <"$tmp/series"
[ "$verbose" = -v ] || echo "$commit"

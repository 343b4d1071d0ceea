#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Writes what was changed in build/linux back into overlay and patches, then lays
# the tree anew. Commits made there become patches of their own. An edit that is
# not committed goes into the last patch that changes its file, or into INTO=.
# usage: [INTO=NNNN-name.patch] scripts/refresh.sh

set -eu
. "$(dirname "$0")/lib.sh"
lock tree
need git
[ -d "$tree/.git" ] || die "no build/linux; run: make tree"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM

laid=$(kgit rev-parse refs/sched-cache/laid)
head=$(kgit rev-parse HEAD)
now=$(scripts/worktree.sh)
kgit merge-base --is-ancestor base "$head" || die "the commit checked out in build/linux is not based on the branch base"
[ -z "$(kgit rev-list --merges "base..$head")" ] || die "build/linux has a merge commit; make the branch linear: git rebase base"
[ ! -e "$tree/.git/rebase-merge" ] || die "build/linux is in the middle of a rebase; finish it first"

kgit ls-tree -r --name-only base | grep -vx MAINTAINERS | sort >"$tmp/base"
kgit rev-list --reverse "base..$head" >"$tmp/chain"

# The part of a patch that git applies, and the part above it.
hunks() { sed '1,/^---$/d' "$1"; }
header() { sed '/^---$/,$d' "$1"; }

# What changed in patches/ since the tree was laid?
patches_edited=
headers_edited=
cmp -s patches/series build/laid/series || patches_edited=y
while read -r patch; do
	hunks "patches/$patch" >"$tmp/a" 2>/dev/null || :
	hunks "build/laid/$patch" >"$tmp/b"
	cmp -s "$tmp/a" "$tmp/b" || patches_edited=y
	cmp -s "patches/$patch" "build/laid/$patch" || headers_edited=y
done <build/laid/order

# Who owns a file: "PATCH-NUMBER PATH" for all that the commits touch.
number=0
while read -r commit; do
	number=$((number + 1))
	kgit diff-tree -r --no-renames --no-commit-id --name-only "$commit" | sed "s/^/$number /"
done <"$tmp/chain" >"$tmp/touched"

# Edits that are not committed: ":MODE MODE BLOB BLOB STATUS<tab>PATH", hooks and overlay apart.
kgit diff-tree -r --no-renames "$head^{tree}" "$now" >"$tmp/edits"
awk -F '\t' 'NR == FNR { base[$1] = 1; next } $2 in base' "$tmp/base" "$tmp/edits" >"$tmp/edits.hook"
awk -F '\t' 'NR == FNR { base[$1] = 1; next } !($2 in base)' "$tmp/base" "$tmp/edits" >"$tmp/edits.overlay"

if [ "$head" != "$laid" ] && [ -n "$patches_edited$headers_edited" ]; then
	die "both patches/ and the commits in build/linux changed since make tree; undo one of them (git diff patches)"
fi
if [ -s "$tmp/edits.hook" ] && [ -n "$patches_edited" ]; then
	die "both patches/ and files in build/linux changed since make tree; undo one of them (git diff patches):
$(cut -f2 "$tmp/edits.hook")"
fi

# The series to write: file names and headers.
mkdir "$tmp/out"
if [ "$head" = "$laid" ]; then
	cp build/laid/order "$tmp/order"
	while read -r patch; do
		[ -e "patches/$patch" ] && header "patches/$patch" >"$tmp/out/$patch"
	done <"$tmp/order"
else
	: >"$tmp/order"
	while read -r commit; do
		number=$(($(wc -l <"$tmp/order") + 1))
		subject=$(kgit log -1 --format=%s "$commit")
		old=$(grep -lxF "Subject: [PATCH] $subject" patches/*.patch 2>/dev/null | head -1) || :
		slug=$(basename "${old:-$(kgit log -1 --format=%f "$commit" | tr '[:upper:]' '[:lower:]' | sed 's/^sched-cache-//' | cut -c1-48)}" .patch)
		patch=$(printf '%04d-%s.patch' "$number" "$(printf %s "$slug" | sed 's/^[0-9]*-//')")
		kgit log -1 --format='From: %an <%ae>%nDate: %aD%nSubject: [PATCH] %s%n%n%b' "$commit" |
			git stripspace >"$tmp/out/$patch"
		printf '%s\n' "$patch" >>"$tmp/order"
	done <"$tmp/chain"
fi

# Overlay: lines. A file belongs to the first commit that has it; one that is
# gone from the tree loses its line, and one that has none needs it.
kgit ls-tree -r --name-only "$now" | sort | comm -13 "$tmp/base" - >"$tmp/present"
if kgit diff --quiet base "$now" -- MAINTAINERS; then
	grep -vx MAINTAINERS "$tmp/present" >"$tmp/a" || :
	mv "$tmp/a" "$tmp/present"
fi
number=0
while read -r patch; do
	number=$((number + 1))
	[ -e "$tmp/out/$patch" ] || continue
	awk -v n="$number" '!($2 in first) { first[$2] = $1 } END { for (f in first) if (first[f] == n) print f }' \
		"$tmp/touched" | sort | comm -12 - "$tmp/present" >"$tmp/own"
	if [ "$head" = "$laid" ]; then
		sed -n 's/^Overlay: //p' "$tmp/out/$patch" >>"$tmp/own"
	fi
	awk -v own="$tmp/own" -v present="$tmp/present" -v same="$head $laid" '
		function rest(	i, f) {
			for (i = 1; i <= n; i++)
				if (!(order[i] in said))
					print "Overlay: " order[i]
			n = 0
		}
		BEGIN {
			while ((getline f <own) > 0)
				if (!(f in mine)) {
					mine[f] = 1
					order[++n] = f
				}
			while ((getline f <present) > 0)
				here[f] = 1
		}
		NR == FNR { if (/^Overlay: /) said[$2] = 1; next }
		/^Overlay: / { if ($2 in mine && $2 in here) print; next }
		/^Signed-off-by: / { rest() }
		{ print }
		END { rest() }' "$tmp/out/$patch" "$tmp/out/$patch" >"$tmp/a"
	mv "$tmp/a" "$tmp/out/$patch"
done <"$tmp/order"
cat "$tmp/out"/*.patch | sed -n 's/^Overlay: //p' | sort >"$tmp/named"
unnamed=$(comm -23 "$tmp/present" "$tmp/named")
[ -z "$unnamed" ] || [ "${UNNAMED-}" = skip ] || die "new in build/linux, and no patch has an Overlay: line for it:
$unnamed
Add 'Overlay: PATH' above the Signed-off-by: line of the patch it enters with, or commit it in build/linux (git add -f) as a patch of its own"

# The owner of each edited hook file.
: >"$tmp/fold"
while read -r mode1 mode2 blob1 blob2 status path; do
	owner=$(awk -v f="$path" '$2 == f { n = $1 } END { print n }' "$tmp/touched")
	if [ -z "$owner" ] && [ -n "${INTO-}" ]; then
		owner=$(grep -nxF "$INTO" "$tmp/order" | cut -d: -f1)
		[ -n "$owner" ] || die "INTO=$INTO is not in patches/series"
	fi
	[ -n "$owner" ] || die "no patch changes $path yet; say which one shall: make refresh INTO=NNNN-name.patch, or commit it in build/linux"
	: "$mode1 $blob1"
	[ "$status" != D ] || mode2=0
	printf '%s %s %s\t%s\n' "$owner" "$mode2" "$blob2" "$path" >>"$tmp/fold"
done <"$tmp/edits.hook"

# The hunks of each patch: between trees that hold files of the base only.
GIT_INDEX_FILE=$tmp/index
export GIT_INDEX_FILE
before=$(kgit rev-parse 'base^{tree}')
maintainers=$(kgit rev-parse base:MAINTAINERS)
number=0
: >"$tmp/series"
while read -r commit <&3 && read -r patch <&4; do
	number=$((number + 1))
	kgit read-tree "$commit"
	{
		kgit ls-files | sort | comm -13 "$tmp/base" - | grep -vx MAINTAINERS |
			sed 's/^/0 0000000000000000000000000000000000000000\t/'
		printf '100644 %s\tMAINTAINERS\n' "$maintainers"
		awk -v n="$number" '$1 <= n { sub(/^[0-9]+ /, ""); print }' "$tmp/fold"
	} | kgit update-index --index-info
	after=$(kgit write-tree)
	[ -e "$tmp/out/$patch" ] || continue
	{
		echo ---
		kgit diff-tree -p --no-renames --no-ext-diff --no-color --src-prefix=a/ --dst-prefix=b/ "$before" "$after" |
			grep -v '^index ' || :
	} >>"$tmp/out/$patch"
	before=$after
	if [ "$head" != "$laid" ] && ! grep -q '^Overlay: ' "$tmp/out/$patch" && ! grep -q '^@@ ' "$tmp/out/$patch"; then
		say "commit '$(kgit log -1 --format=%s "$commit")' only changes overlay files: folded into them, no patch of its own"
		rm "$tmp/out/$patch"
		continue
	fi
	printf '%s\n' "$patch" >>"$tmp/series"
done 3<"$tmp/chain" 4<"$tmp/order"
unset GIT_INDEX_FILE

# Overlay files: what changed in the tree only is written here, what changed
# here only stays, what changed differently in both is an error.
blob_of() { kgit rev-parse -q --verify "$1:$2" 2>/dev/null || echo none; }
kgit diff-tree -r --no-renames --name-only "$laid" "$now" | sort | comm -13 "$tmp/base" - >"$tmp/changed"
: >"$tmp/write"
while read -r file; do
	[ "$file" != MAINTAINERS ] || continue
	to=$(scripts/overlay.sh path "$file")
	here=none
	[ ! -e "$to" ] || here=$(git hash-object --no-filters "$to")
	new=$(blob_of "$now" "$file")
	old=$(blob_of "$laid" "$file")
	case $here in
	"$new" | "$old") ;;
	*) die "$to was changed both here and in build/linux since make tree; make them equal (diff $to build/linux/$file)" ;;
	esac
	printf '%s %s %s\n' "$new" "$to" "$file" >>"$tmp/write"
done <"$tmp/changed"

if ! kgit diff --quiet "$laid" "$now" -- MAINTAINERS; then
	kgit diff -U0 base "$now" -- MAINTAINERS >"$tmp/a" || :
	sed -n 's/^+\([^+].*\)\{0,1\}$/\1/p' "$tmp/a" | git stripspace >"$tmp/entries"
	kgit cat-file blob base:MAINTAINERS | awk -f scripts/maintainers.awk "$tmp/entries" - >"$tmp/a"
	kgit cat-file blob "$now:MAINTAINERS" | cmp -s - "$tmp/a" ||
		die "build/linux/MAINTAINERS has more changed than our entries, or they are not sorted in"
	{ grep '^#' MAINTAINERS 2>/dev/null || :; cat "$tmp/entries"; } >"$tmp/a"
	cp "$tmp/a" MAINTAINERS
	say "wrote MAINTAINERS"
fi

while read -r blob to file; do
	mode=$(kgit ls-tree "$now" -- "$file" | cut -d' ' -f1)
	if [ "$blob" = none ]; then
		rm -f "$to"
		say "removed $to"
		continue
	fi
	mkdir -p "$(dirname "$to")"
	kgit cat-file blob "$blob" >"$tmp/a"
	cmp -s "$tmp/a" "$to" || { cat "$tmp/a" >"$to"; say "wrote $to"; }
	case $mode in
	100755) [ -x "$to" ] || chmod +x "$to" ;;
	*) [ ! -x "$to" ] || chmod -x "$to" ;;
	esac
done <"$tmp/write"

if [ -z "$patches_edited" ]; then
	while read -r patch; do
		cmp -s "$tmp/out/$patch" "patches/$patch" || { cp "$tmp/out/$patch" "patches/$patch"; say "wrote patches/$patch"; }
	done <"$tmp/series"
	scripts/patches.sh >"$tmp/a"
	if ! cmp -s "$tmp/a" "$tmp/series"; then
		{ grep '^#' patches/series; cat "$tmp/series"; } >"$tmp/a" || :
		cp "$tmp/a" patches/series
		say "wrote patches/series"
		while read -r patch; do
			grep -qxF "$patch" "$tmp/series" || { rm -f "patches/$patch"; say "removed patches/$patch"; }
		done <build/laid/order
	fi
fi

SAVED=$now scripts/tree.sh

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Unpacks the kernel tarball and makes it the base commit of the git tree build/linux.
# usage: [BASE_TARBALL=FILE] scripts/base.sh

set -eu
. "$(dirname "$0")/lib.sh"
lock tree
need git tar xz

tarball=${BASE_TARBALL:-}
if [ -z "$tarball" ]; then
	tarball=/usr/src/linux-source-6.12.tar.xz
	[ -e "$tarball" ] || die "no $tarball; run: make deps, or give BASE_TARBALL=FILE"
fi
[ -r "$tarball" ] || die "cannot read $tarball; give BASE_TARBALL=FILE"
id=$(stat -c '%n %s %Y' "$tarball")

report()
{
	version=$(kgit config sched-cache.version)
	known=$(awk -v v="$version" '$1 == v { print "known to work"; exit }' configs/bases.txt)
	say "base: Linux $version from $tarball (${known:-not in configs/bases.txt: not tried before})"
}

if [ -d "$tree/.git" ] && [ "$(kgit config sched-cache.tarball || :)" = "$id" ]; then
	report
	exit 0
fi

free=$(df -Pk build | awk 'NR == 2 { print int($4 / 1024) }')
[ "$free" -ge 4000 ] || die "$free MiB free under $top/build, 4000 are needed: make room there"

new=build/base.new
rm -rf "$new"
mkdir -p "$new"
trap 'rm -rf "$new" build/base.index*' EXIT
trap 'exit 130' INT TERM

say "unpacking $tarball (half a minute)"
tar -xf "$tarball" -C "$new" --strip-components=1 ||
	die "$tarball does not unpack: is it a whole kernel tarball, is the disk full?"
[ -e "$new/kernel/sched/core.c" ] || die "$tarball holds no kernel source"
version=$(awk -F ' *= *' '/^VERSION/ { v = $2 } /^PATCHLEVEL/ { p = $2 } /^SUBLEVEL/ { s = $2 }
	/^EXTRAVERSION/ { e = $2; exit } END { print v "." p "." s e }' "$new/Makefile")
case $version in
6.12.*) ;;
*) die "$tarball holds Linux $version; the series is for 6.12" ;;
esac

first=
if [ ! -d "$tree/.git" ]; then
	first=y
	git -c init.defaultBranch=base init -q "$new"
	GIT_DIR=$PWD/$new/.git
else
	GIT_DIR=$tree/.git
fi
GIT_WORK_TREE=$PWD/$new
GIT_INDEX_FILE=$PWD/build/base.index
export GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE

# A threshold of 1 makes git stream all files into one pack: no 87,000 loose objects.
say "making the base commit (half a minute)"
git config gc.auto 0
git -c core.autocrlf=false -c core.bigFileThreshold=1 -c core.compression=1 add -A -f .
who='Kernel base <base@localhost>'
commit=$(printf 'Linux %s\n' "$version" |
	GIT_AUTHOR_NAME=${who% <*} GIT_AUTHOR_EMAIL=base@localhost GIT_AUTHOR_DATE='1700000000 +0000' \
	GIT_COMMITTER_NAME=${who% <*} GIT_COMMITTER_EMAIL=base@localhost GIT_COMMITTER_DATE='1700000000 +0000' \
	git commit-tree "$(git write-tree)")
git update-ref refs/heads/base "$commit"
git config sched-cache.version "$version"
if [ "$first" ]; then
	git update-ref refs/heads/sched-cache "$commit"
	git update-ref refs/sched-cache/laid "$commit"
	git symbolic-ref HEAD refs/heads/sched-cache
	mv build/base.index "$new/.git/index"
	[ ! -e "$tree" ] || die "$tree is in the way and no git tree of ours: move it away"
	mv "$new" "$tree"
fi
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
kgit config sched-cache.tarball "$id"
report

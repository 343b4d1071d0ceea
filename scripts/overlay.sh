#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The overlay: which files of this repository enter the kernel tree, and where.
# usage: scripts/overlay.sh list | path KERNEL-PATH | named | sum
#   list   kernel paths of the tracked overlay files
#   path   file of this repository that holds KERNEL-PATH
#   named  "PATCH KERNEL-PATH" for every Overlay: line of the series
#   sum    one hash over everything that the commits are made of

set -eu
. "$(dirname "$0")/lib.sh"
need git

list()
{
	git ls-files -- kernel include Documentation tools Kconfig MAINTAINERS |
		while read -r file; do
			[ ! -e "$file" ] || printf '%s\n' "$file"
		done | sed 's,^Kconfig$,kernel/sched/Kconfig,'
}

path()
{
	case $1 in
	kernel/sched/Kconfig) echo Kconfig ;;
	kernel/* | include/* | Documentation/* | tools/* | MAINTAINERS) printf '%s\n' "$1" ;;
	*) die "$1 is no place for an overlay file" ;;
	esac
}

named()
{
	scripts/patches.sh | while read -r patch; do
		awk -v p="$patch" '/^---$/ { exit } /^Overlay: / { print p, $2 }' "patches/$patch"
	done
}

sum()
{
	{
		cat scripts/commits.sh scripts/maintainers.awk
		scripts/patches.sh
		scripts/patches.sh | while read -r patch; do cat "patches/$patch"; done
		list
		named | while read -r patch file; do
			file=$(path "$file")
			if [ -x "$file" ]; then echo "x $file"; else echo "f $file"; fi
			cat "$file" || die "patches/$patch names $file, which does not exist"
		done
	} | sha256sum | cut -d' ' -f1
}

case ${1-} in
list | named | sum) "$1" ;;
path) path "$2" ;;
*) die "usage: scripts/overlay.sh list | path KERNEL-PATH | named | sum" ;;
esac

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Packs the guest's user space: busybox, hackbench with its libraries, the programs
# of tools/testing/selftests/sched/cache (static) and scripts/guest.
# usage: scripts/initramfs.sh               -> build/initramfs.cpio.gz
#        scripts/initramfs.sh NAME PROGRAM...  -> build/initramfs-NAME.cpio.gz,
#                                           with these programs of the host, too

set -eu
. "$(dirname "$0")/lib.sh"
lock initramfs
name=${1-}
[ $# = 0 ] || shift
set -- hackbench "$@"
need cpio gzip gcc make busybox "$@"
out=build/initramfs${name:+-$name}.cpio.gz
selftests=$top/build/selftests
source=$tree/tools/testing/selftests/sched/cache

# ldd fails on a static program.
! ldd "$(command -v busybox)" >/dev/null 2>&1 ||
	die "busybox is not static; run: make deps (package busybox-static)"

root=build/initramfs.root
log=build/selftests.log
rm -rf "$root"
trap 'rm -rf "$root" "$out.new"' EXIT
trap 'exit 130' INT TERM
mkdir -p "$root/bin" "$root/guest" "$root/lib64"
for dir in dev proc sys tmp etc sbin usr/bin usr/sbin; do mkdir -p "$root/$dir"; done

cp "$(command -v busybox)" "$root/bin/busybox"
busybox --list | while read -r applet; do
	[ "$applet" = busybox ] || ln -s busybox "$root/bin/$applet"
done

# Dynamic programs and what ldd says they need, at the same paths.
for program; do
	program=$(command -v "$program")
	cp --remove-destination "$program" "$root/bin/"
	ldd "$program" | grep -o '/[^ ]*' | while read -r library; do
		mkdir -p "$root$(dirname "$library")"
		cp -L "$library" "$root$library"
	done
done

if [ -e "$source/Makefile" ]; then
	mkdir -p "$selftests"
	make -C "$source" OUTPUT="$selftests" USERLDFLAGS=-static -j"$(nproc)" >"$log" 2>&1 || {
		cat "$log" >&2
		die "the selftests do not build"
	}
	find "$selftests" -maxdepth 1 -type f -perm -u+x -exec cp {} "$root/bin/" \;
fi

cp scripts/guest/* "$root/guest/"
cp scripts/guest/init "$root/init"
chmod +x "$root/init"

find "$root" -exec touch -h -d @0 {} +
(cd "$root" && find . | sort | cpio --quiet -o -H newc -R 0:0 --reproducible) | gzip -1n >"$out.new"
if cmp -s "$out.new" "$out"; then
	say "initramfs is up to date: $out"
else
	mv "$out.new" "$out"
	say "initramfs: $out, $(($(stat -c %s "$out") / 1024)) KiB"
fi

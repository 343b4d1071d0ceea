#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The prefixes of the series in configs/prefixes.txt boot, with the feature in the
# state that is given there.
# usage: scripts/check/prefixes-boot.sh

set -eu
. "$(dirname "$0")/../lib.sh"
lock prefixes-boot
# ../linux from where the objects are, as for every other kernel: ccache finds them.
steps=$top/build/steps-boot/linux
log=out/check/prefixes-boot-build.log
mkdir -p out/check

scripts/initramfs.sh
scripts/commits.sh -v >build/prefixes-boot
while read -r commit patch <&3; do
	state=$(awk -v n="${patch%%-*}" '$1 == n { print $2 }' configs/prefixes.txt)
	[ "$state" ] || continue
	checkout_at "$steps" "$commit"
	SRC=$steps OUT=$top/build/steps-boot/x86 scripts/kernel.sh x86 bzImage >"$log" 2>&1 || {
		tail -40 "$log" >&2
		die "the series up to $patch does not build"
	}
	KERNEL=steps-boot/x86 CONSOLE=out/console-prefix.txt LIMIT=120 QUIET=y \
		scripts/boot-guest.sh smoke "expect=$state" || die "the series up to $patch does not boot"
	say "$patch: boots, $state"
done 3<build/prefixes-boot

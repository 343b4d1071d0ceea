#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Every prefix of the series builds what it changes of the base with the option
# on and off; those of configs/prefixes.txt boot, with the feature in the state that
# is given there. With the option off core.o and fair.o are those of the base.
# usage: scripts/check/prefixes.sh

set -eu
. "$(dirname "$0")/../lib.sh"
lock prefixes
# ../linux from where the objects are, as for every other kernel: ccache finds them.
steps=$top/build/steps/linux
log=build/prefixes.log
: >"$log"

scripts/commits.sh -v >build/prefixes
base=$(kgit rev-parse base)

build()
{
	# shellcheck disable=SC2086
	SRC=$steps OUT=$top/build/steps/$1 scripts/kernel.sh "$2" prepare $changed_objects >>"$log" 2>&1 || {
		tail -40 "$log" >&2
		die "with the option $1, the series does not build up to $patch"
	}
}

# boot STATE
boot()
{
	SRC=$steps OUT=$top/build/steps/on scripts/kernel.sh x86 bzImage >>"$log" 2>&1 || {
		tail -40 "$log" >&2
		die "the series up to $patch does not link"
	}
	scripts/initramfs.sh
	KERNEL=steps/on CONSOLE=out/console-prefix.txt LIMIT=120 QUIET=y \
		scripts/boot-guest.sh smoke "expect=$1" || die "the series up to $patch does not boot"
	say "  $patch: boots, $1"
}

patch=base
checkout_at "$steps" "$base"
build off x86-off
mkdir -p build/steps/base
cp build/steps/off/kernel/sched/core.o build/steps/off/kernel/sched/fair.o build/steps/base/
say "  base: builds"

while read -r commit patch <&3; do
	checkout_at "$steps" "$commit"
	build off x86-off
	[ ! -e "$steps/kernel/sched/Kconfig" ] || build on x86
	say "  $patch: builds on and off"
	state=$(awk -v n="${patch%%-*}" '$1 == n { print $2 }' configs/prefixes.txt)
	[ -z "$state" ] || boot "$state"
done 3<build/prefixes

for object in core.o fair.o; do
	scripts/same-object.sh "build/steps/base/$object" "build/steps/off/kernel/sched/$object"
done

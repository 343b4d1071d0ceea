#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Every prefix of the series builds kernel/sched, fork and exec with the option
# on and off; and with it off core.o and fair.o are those of the base.
# usage: scripts/check/prefixes.sh

set -eu
. "$(dirname "$0")/../lib.sh"
lock prefixes
steps=$top/build/steps
log=build/prefixes.log
: >"$log"

scripts/commits.sh -v >build/prefixes
base=$(kgit rev-parse base)

build()
{
	SRC=$steps OUT=$top/build/steps-$1 scripts/kernel.sh "$2" prepare kernel/sched/ kernel/fork.o fs/exec.o >>"$log" 2>&1 || {
		tail -40 "$log" >&2
		die "with the option $1, the series does not build up to $patch"
	}
}

patch=base
checkout_at "$steps" "$base"
build off x86-off
mkdir -p build/steps-base
cp build/steps-off/kernel/sched/core.o build/steps-off/kernel/sched/fair.o build/steps-base/
say "  base: builds"

while read -r commit patch <&3; do
	checkout_at "$steps" "$commit"
	build off x86-off
	[ ! -e "$steps/kernel/sched/Kconfig" ] || build on x86
	say "  $patch: builds on and off"
done 3<build/prefixes

for object in core.o fair.o; do
	scripts/same-object.sh "build/steps-base/$object" "build/steps-off/kernel/sched/$object"
done

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Every prefix of the series builds what it changes of the base with the option
# on and off. With the option off all of these objects are those of the base, so a
# kernel without the option need not be booted; but for sys.o, where prctl() has one
# more case that it refuses.
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

patch=base
checkout_at "$steps" "$base"
build off x86-off
rm -rf build/steps/base
mkdir -p build/steps/base
# shellcheck disable=SC2086
objects=$(cd build/steps/off && find $changed_objects -name '*.o' ! -name sys.o && cp -r --parents $changed_objects ../base/)
say "  base: builds"

while read -r commit patch <&3; do
	checkout_at "$steps" "$commit"
	build off x86-off
	[ ! -e "$steps/kernel/sched/Kconfig" ] || build on x86
	say "  $patch: builds on and off"
done 3<build/prefixes

for object in $objects; do
	scripts/same-object.sh "build/steps/base/$object" "build/steps/off/$object"
done

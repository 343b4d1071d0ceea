#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The KUnit tests: they run when the kernel with all checks boots, and each suite
# must say that it passed.
# usage: scripts/check/kunit.sh

set -eu
. "$(dirname "$0")/../lib.sh"
suites="sched_cache_footprint sched_cache_occupancy sched_cache_policy shared_runq"
console=out/console-kunit.txt

scripts/kernel.sh x86-debug
scripts/initramfs.sh
KERNEL=x86-debug CONSOLE=$console LIMIT=120 QUIET=y scripts/boot-guest.sh smoke expect=active
sed -n 's/\r$//; s/^\[ *[0-9.]*\] //; /^ *\(not \)\{0,1\}ok [0-9]* /p; /^ *# [a-z]/p' "$console"
for suite in $suites; do
	grep -q "\] ok [0-9]* $suite" "$console" || die "$suite did not pass ($console)"
done
say "kunit: $(grep -c '\] *ok [0-9]* [a-z]' "$console") ok lines of $suites"

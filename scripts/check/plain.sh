#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The kernel of make kernel, without checks of its own: it boots, its knobs withstand
# fuzzing, and in a guest of 128 CPUs and 32 LLCs it passes the selftests that look
# at the LLCs, the files, the groups and where threads gather. QEMU runs the CPUs one
# after the other, so nearly all of the time of the latter is the boot. Feeding the
# knobs throws static branches so often that lockdep would take minutes.
# usage: scripts/check/plain.sh

set -eu
. "$(dirname "$0")/../lib.sh"
scripts/check/boot.sh x86 active
KERNEL=x86 CPUS=8 LLCS=2 LIMIT=600 CONSOLE=out/console-selftests-fuzz.txt \
	scripts/boot-guest.sh selftests tests=knobs_withstand_fuzzing
KERNEL=x86 CPUS=128 LLCS=32 LIMIT=1500 CONSOLE=out/console-many.txt scripts/boot-guest.sh selftests \
	'tests="knobs_keep_their_range single_thread_has_no_group group_ends_with_its_threads threads_that_share_gather"'

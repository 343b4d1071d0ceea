#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# 128 CPUs in 32 LLCs: the kernel boots and passes the selftests that look at the
# LLCs, the files, the groups and where threads gather. QEMU runs the CPUs one after
# the other, so nearly all of the time is the boot.
# usage: scripts/check/many.sh

set -eu
. "$(dirname "$0")/../lib.sh"
scripts/kernel.sh x86-many
scripts/initramfs.sh
KERNEL=x86-many CPUS=128 LLCS=32 LIMIT=1500 CONSOLE=out/console-many.txt scripts/boot-guest.sh selftests \
	'tests="knobs_keep_their_range single_thread_has_no_group group_ends_with_its_threads threads_that_share_gather"'

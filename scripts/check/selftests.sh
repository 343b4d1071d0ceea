#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The kselftests in a guest of 8 CPUs and 2 LLCs, on a kernel with lockdep and the
# other checks of configs/debug.config; then what needs more LLCs, in one of 16
# CPUs and 4 LLCs, and what needs SMT or an isolated CPU. What lockdep makes too
# slow is in plain.sh.
# usage: scripts/check/selftests.sh

set -eu
. "$(dirname "$0")/../lib.sh"
scripts/kernel.sh x86-debug
scripts/initramfs.sh
KERNEL=x86-debug CPUS=8 LLCS=2 LIMIT=900 scripts/boot-guest.sh selftests
KERNEL=x86-debug CPUS=16 LLCS=4 LIMIT=600 CONSOLE=out/console-selftests-16.txt \
	scripts/boot-guest.sh selftests tests=large_group_gets_few_llcs
KERNEL=x86-debug CPUS=16 LLCS=2 THREADS=2 APPEND=isolcpus=15 LIMIT=600 \
	CONSOLE=out/console-selftests-isolcpus.txt scripts/boot-guest.sh selftests \
	tests=cpu_without_llc_is_survived,other_features_work_on

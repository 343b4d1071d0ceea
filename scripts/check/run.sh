#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The main job of make run, and that a guest which does not say SUCCESS fails.
# usage: scripts/check/run.sh

set -eu
. "$(dirname "$0")/../lib.sh"
need qemu-system-aarch64 aarch64-linux-gnu-gcc dtc cpio
KERNEL=$(tools/sched/llcsim/llcsim kernel)
export KERNEL
! make --no-print-directory -C tools/sched/llcsim before-after GUEST=/dev/null ||
	die "a guest that runs nothing passed"
make --no-print-directory -C tools/sched/llcsim before-after

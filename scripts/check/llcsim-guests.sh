#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# llcsim's own tests, those in guests included, on the arm64 kernel of build/linux.
# usage: scripts/check/llcsim-guests.sh

set -eu
. "$(dirname "$0")/../lib.sh"
need qemu-system-aarch64 aarch64-linux-gnu-gcc dtc cpio
image=$(tools/sched/llcsim/llcsim kernel)
make --no-print-directory -C tools/sched/llcsim check KERNEL="$image"

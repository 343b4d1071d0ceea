#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# llctop and llcctl on the kernel that they are for, see scripts/guest/tools.
# usage: scripts/check/tools.sh

set -eu
. "$(dirname "$0")/../lib.sh"
for tool in llctop llcctl; do
	make --no-print-directory -s -C tools/sched/$tool >&2
done
scripts/kernel.sh x86-debug
scripts/initramfs.sh tools tools/sched/llctop/llctop tools/sched/llcctl/llcctl
KERNEL=x86-debug INITRD=build/initramfs-tools.cpio.gz LIMIT=300 scripts/boot-guest.sh tools

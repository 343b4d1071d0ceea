#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Builds a kernel of configs/kernels.txt, boots it and looks whether the feature is
# in the expected state.
# usage: [CPUS=] [LLCS=] [NODES=] [APPEND=] scripts/check/boot.sh KERNEL active|inactive|absent

set -eu
. "$(dirname "$0")/../lib.sh"
[ $# = 2 ] || die "usage: scripts/check/boot.sh KERNEL active|inactive|absent"
scripts/kernel.sh "$1"
scripts/initramfs.sh
KERNEL=$1 CONSOLE=out/console-$1-${CPUS:-8}-${LLCS:-2}.txt LIMIT=120 scripts/boot-guest.sh smoke "expect=$2"

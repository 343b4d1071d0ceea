#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The main job of make run, and that a guest which does not say SUCCESS fails.
# usage: scripts/check/run.sh

set -eu
. "$(dirname "$0")/../lib.sh"
scripts/kernel.sh x86
scripts/initramfs.sh
! CONSOLE=out/console-wrong.txt LIMIT=60 scripts/boot-guest.sh no-such-script 2>/dev/null ||
	die "a guest that runs nothing passed"
scripts/boot-guest.sh run

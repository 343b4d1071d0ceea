#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Configures and builds a kernel of configs/kernels.txt from build/linux, out of
# tree in build/NAME. Does nothing when neither tree nor fragments changed.
# usage: [SRC=DIR] [OUT=DIR] [FRAGMENTS=...] [TOOLCHAIN=...] scripts/kernel.sh NAME [MAKE-TARGET...]
#   SRC  another kernel tree than build/linux (for the checks)
#   OUT  another folder for the objects than build/NAME
#   FRAGMENTS  make NAME from these fragments, not as configs/kernels.txt says
#   TOOLCHAIN  what make is told of architecture and compiler, if not x86-64 and gcc

set -eu
. "$(dirname "$0")/lib.sh"
need make gcc bc bison flex
name=${1-}
[ -n "$name" ] || die "usage: scripts/kernel.sh NAME [MAKE-TARGET...]"
shift
src=${SRC:-$tree}
out=${OUT:-$top/build/$name}
lock "$(basename "$out")"

fragments=${FRAGMENTS:-$(awk -v n="$name" '$1 == n { $1 = ""; print }' configs/kernels.txt)}
[ -n "$fragments" ] || die "no kernel $name in configs/kernels.txt"
# shellcheck disable=SC2086
wanted=$(for f in $fragments; do cat "configs/$f.config"; done)

state=
if [ "$src" = "$tree" ] && [ $# = 0 ]; then
	state=$(printf '%s\n' "$wanted" "$(scripts/worktree.sh)" "$(gcc --version)" | sha256sum)
	if [ "$state" = "$(cat "$out/.state" 2>/dev/null)" ] && [ -e "$out/arch/x86/boot/bzImage" ]; then
		say "kernel $name is up to date: ${out#"$top/"}/arch/x86/boot/bzImage"
		exit 0
	fi
fi

free=$(df -Pk build | awk 'NR == 2 { print int($4 / 1024) }')
[ "$free" -ge 1000 ] || die "$free MiB free under $top/build, 1000 are needed for a kernel: make room there"
mkdir -p "$out"
# It is another kernel, or half of one, until it is built.
rm -f "$out/.state"

cc=gcc
! command -v ccache >/dev/null || cc='ccache gcc'
# Objects of one clone of this repository serve another.
CCACHE_BASEDIR=$top
CCACHE_NOHASHDIR=1
export CCACHE_BASEDIR CCACHE_NOHASHDIR
# shellcheck disable=SC2086
kmake()
{
	make -C "$src" O="$out" ARCH=x86_64 CC="$cc" KBUILD_BUILD_TIMESTAMP='Thu Jan  1 00:00:00 UTC 1970' \
		KBUILD_BUILD_USER=sched-cache KBUILD_BUILD_HOST=localhost KBUILD_BUILD_VERSION=1 \
		--no-print-directory -j"$(nproc)" ${TOOLCHAIN-} "$@"
}

# The last word on an option wins, so that a fragment can override another.
printf '%s\n' "$wanted" | awk '
	/^CONFIG_[A-Z0-9_]+=/ { split($0, a, "="); o = a[1] }
	/^# CONFIG_[A-Z0-9_]+ is not set$/ { o = $2 }
	!/^CONFIG_/ && !/^# CONFIG_.* is not set$/ { next }
	{ if (!(o in line)) order[++n] = o; line[o] = $0 }
	END { for (i = 1; i <= n; i++) print line[order[i]] }' >"$out/.wanted"
kmake KCONFIG_ALLCONFIG="$out/.wanted" allnoconfig >"$out/.config-log" 2>&1 || {
	cat "$out/.config-log" >&2
	die "kernel $name could not be configured"
}
lost=$(awk -v config="$out/.config" '
	BEGIN { while ((getline line <config) > 0) have[line] = 1 }
	/is not set$/ { for (l in have) if (index(l, $2 "=") == 1) print $0 ", but: " l; next }
	!($0 in have)' "$out/.wanted")
# An option that this tree does not know, or one with an unmet dependency.
[ -z "$lost" ] || [ "${LOST-}" = "$lost" ] || die "kernel $name: these options did not survive olddefconfig:
$lost"

say "building kernel $name ($(nproc) jobs): minutes the first time"
start=$(date +%s)
if [ $# = 0 ]; then
	set -- bzImage
fi
rm -f "$out/.failed"
{ kmake "$@" || echo y >"$out/.failed"; } | count_objects
[ ! -e "$out/.failed" ] || die "kernel $name does not build (above)"
[ -z "$state" ] || printf '%s\n' "$state" >"$out/.state"
say "kernel $name: built in $(($(date +%s) - start)) s"

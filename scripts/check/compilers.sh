#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# No compiler complains of our files with W=1, nor of the base's that we change
# without it (CONFIG_WERROR): clang, arm64, and one CPU and 32 bits, where the feature
# is out. sparse.sh does gcc for x86-64. kernel-doc understands our comments.
# usage: scripts/check/compilers.sh

set -eu
. "$(dirname "$0")/../lib.sh"
need clang ld.lld aarch64-linux-gnu-gcc
clang='CC=clang LD=ld.lld AR=llvm-ar NM=llvm-nm OBJCOPY=llvm-objcopy OBJDUMP=llvm-objdump STRIP=llvm-strip'

# compile NAME FRAGMENTS TOOLCHAIN
compile()
{
	log=build/compilers-$1.log
	rm -rf "build/compilers/$1/kernel/sched"
	# shellcheck disable=SC2086
	for w in '' W=1; do
		OUT=$top/build/compilers/$1 FRAGMENTS=$2 TOOLCHAIN=$3 \
			scripts/kernel.sh "$1" $w ${w:+KCFLAGS=-Wno-error} prepare $changed_objects >"$log" 2>&1 || {
			cat "$log" >&2
			die "$1 does not compile"
		}
	done
	if our_findings "$log"; then
		die "$1: W=1 complains (above)"
	fi
	say "compilers: $1"
}

compile clang "x86 cache-debug" "$clang"
compile arm64 "../tools/sched/llcsim/guest/arm64" "ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu- CC=aarch64-linux-gnu-gcc"
compile arm64-clang "../tools/sched/llcsim/guest/arm64" "ARCH=arm64 $clang"
compile one-cpu "x86 lean up preempt-none" ARCH=x86_64
compile rt "x86 lean preempt-rt" ARCH=x86_64
compile 32bit 32bit ARCH=i386

# shellcheck disable=SC2046
(cd build/linux && scripts/kernel-doc -none $(git ls-files kernel/sched include/linux/sched | grep -e cache -e shared_runq -e knob.h)) >build/kernel-doc.log 2>&1
if [ -s build/kernel-doc.log ]; then
	cat build/kernel-doc.log
	die "kernel-doc complains (above)"
fi
say "compilers: clang, arm64, arm64-clang, one-cpu, rt, 32bit and kernel-doc have no complaint"

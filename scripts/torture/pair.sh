#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Runs one scenario on one kind of kernel, which is built if need be. All that is
# needed to repeat it and to judge it again goes to RUN/SCENARIO.KIND.
# usage: [LIMIT=] [SEED=1] [BUILT=] [STORMS=] scripts/torture/pair.sh SCENARIO KIND SECONDS RUN
#   BUILT   folder under build/ of a kernel that is there
#   STORMS  others than the scenario's

set -eu
. "$(dirname "$0")/../lib.sh"
[ $# = 4 ] || die "usage: scripts/torture/pair.sh SCENARIO KIND SECONDS RUN"
scenario=$1 kind=$2 seconds=$3 dir=$4/$1.$2
mkdir -p "$dir"
kernel=${BUILT:-$(setpriv --pdeathsig TERM scripts/torture/kernel.sh "$scenario" "$kind")}
storms=${STORMS-}

# A scenario sets what it wants different.
CPUS=8 PRESENT='' LLCS=2 NODES=1 THREADS=1 MEM=2048
APPEND='' WORDS='' SECONDS_MIN=1 SECONDS_MAX=$seconds
STORMS='toggle runq fuzz read hotplug cpuset cgroup aggregation fork group affinity mode hackbench stress'
# shellcheck source=/dev/null
. "configs/torture/scenarios/$scenario"
STORMS=${storms:-$STORMS}
[ "$SECONDS_MAX" -ge "$seconds" ] || seconds=$SECONDS_MAX
[ "$SECONDS_MIN" -le "$seconds" ] || seconds=$SECONDS_MIN
APPEND="$APPEND $(awk -v n="$kind" '$1 == n { $1 = $2 = ""; print }' configs/torture/kinds.txt)"

cp "configs/torture/scenarios/$scenario" "$dir/scenario"
cp "build/$kernel/.config" "$dir/config"
echo "$STORMS" | tr ' =' '\n ' >"$dir/storms"
nm --defined-only "build/$kernel"/kernel/sched/cache/*.o "build/$kernel"/kernel/sched/shared_runq*.o |
	awk '$2 ~ /^[tT]$/ { print $3 }' | sort -u >"$dir/symbols"
{
	echo "commit $(git rev-parse HEAD)$(git diff --quiet HEAD || echo ', changed')"
	echo "tree $(kgit rev-parse 'refs/sched-cache/laid^{tree}')"
	sha256sum "build/$kernel/arch/x86/boot/bzImage" build/initramfs-torture.cpio.gz
} >"$dir/kernel"

# The emulated CPUs share one host thread: with a faster clock, SHIFT=0, a kernel
# that checks each step does some seconds of storms in as many minutes.
# shellcheck disable=SC2086
set -- CPUS="$CPUS" PRESENT="${PRESENT:-$CPUS}" LLCS="$LLCS" NODES="$NODES" THREADS="$THREADS" MEM="$MEM" \
	KERNEL="$kernel" INITRD=build/initramfs-torture.cpio.gz APPEND="$APPEND" SHIFT="${SHIFT:-2}" \
	LIMIT="${LIMIT:-$((600 + seconds * 60))}" CONSOLE="$dir/console" \
	scripts/boot-guest.sh torture seconds="$seconds" seed="${SEED:-1}" \
	storms="$(sed 's/ .*//' "$dir/storms" | paste -sd ,)" $WORDS
{
	printf env
	printf " '%s'" "$@"
	echo
} >"$dir/command"
exec env "$@"

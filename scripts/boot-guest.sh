#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Boots a kernel with several LLCs in QEMU, with KVM where it works, else emulated.
# Without NAME: a shell on this terminal. With NAME: runs scripts/guest/NAME in the
# guest and judges its console, exit status 0 only if judge-console.sh is content.
# usage: [CPUS=8] [LLCS=2] [NODES=1] [THREADS=1] [MEM=1024] [KERNEL=x86] [LIMIT=300]
#        scripts/boot-guest.sh [NAME [WORD=VALUE...]]
#   CPUS     hardware threads, a multiple of LLCS * THREADS
#   PRESENT  of these are there (all); the last ones are possible only
#   LLCS     last-level caches; NODES nodes share them evenly
#   MEM      MiB
#   KERNEL   folder under build/
#   LIMIT    seconds that NAME may take
#   CONSOLE  file for the console (out/console-NAME.txt)
#   SHIFT    an emulated instruction takes 2^SHIFT ns (2)
#   INITRD   the guest's programs (build/initramfs.cpio.gz)
#   BZIMAGE  another kernel than KERNEL's
#   DISK     image of a file system for /dev/vda, which becomes the root
#   WORD=VALUE  goes into the environment of NAME

set -eu
. "$(dirname "$0")/lib.sh"
qemu="qemu-system-x86_64"
need "$qemu" setpriv
cpus=${CPUS:-8}
present=${PRESENT:-$cpus}
llcs=${LLCS:-2}
nodes=${NODES:-1}
threads=${THREADS:-1}
mem=${MEM:-1024}
initrd=${INITRD:-build/initramfs.cpio.gz}
kernel=${BZIMAGE:-build/${KERNEL:-x86}/arch/x86/boot/bzImage}
limit=${LIMIT:-300}
name=${1-}
[ $# = 0 ] || shift

for number in "$cpus" "$present" "$llcs" "$nodes" "$threads" "$mem" "$limit"; do
	case $number in
	'' | *[!0-9]* | 0*) die "'$number' is no positive number (CPUS, PRESENT, LLCS, NODES, THREADS, MEM, LIMIT)" ;;
	esac
done
[ $((cpus % (llcs * threads))) = 0 ] || die "CPUS=$cpus is no multiple of LLCS=$llcs times THREADS=$threads"
[ $((llcs % nodes)) = 0 ] || die "LLCS=$llcs is no multiple of NODES=$nodes"
[ -e "$kernel" ] || die "no $kernel; run: make kernel"
[ -e "$initrd" ] || die "no $initrd; run: make initramfs"

# The L3 cache is per die, in the way of Intel's CPUID leaf 4.
if scripts/kvm-works.sh "$kernel"; then
	accel=kvm cpu=host,host-cache-info=off how='KVM'
	! grep -q AuthenticAMD /proc/cpuinfo || cpu=$cpu,topoext=on
else
	accel=tcg cpu=max,vendor=GenuineIntel,monitor=off how='emulation (KVM does not work here)'
fi

# Emulated: one host thread runs the CPUs in turn, on a clock that counts their
# instructions, 2^SHIFT ns each. So the guest's time does not depend on what else the
# host does. With a host thread for each CPU, QEMU before 8.1 also loses writes
# to code that another CPU translates, and the guest dies of a stale breakpoint
# when it patches a static branch. With a user at the shell time waits for him.
# Without MWAIT (monitor=off) a CPU that is offline halts; with it, it spins, and
# time does not skip ahead when the others are idle.
clock=
if [ "$accel" = tcg ]; then
	clock="-icount shift=${SHIFT:-2},sleep=$([ -n "$name" ] && echo off || echo on)"
fi

# tsc=reliable: the emulator's clock is no hardware's, a watchdog finds only jitter.
words="console=ttyS0 panic=-1 oops=panic tsc=reliable no_timer_check LLC_EXPECT=$llcs ${APPEND-} $*"
# shellcheck disable=SC2086
set -- -M q35 -accel "$accel" $clock -cpu "$cpu,l3-cache=on" -m "$mem" \
	-smp "$present,maxcpus=$cpus,sockets=$nodes,dies=$((llcs / nodes)),cores=$((cpus / llcs / threads)),threads=$threads" \
	-kernel "$kernel" -initrd "$initrd" -nodefaults -display none -monitor none -no-reboot

# One memory and CPU node per socket.
node=0
while [ "$nodes" -gt 1 ] && [ $node -lt "$nodes" ]; do
	per=$((cpus / nodes))
	set -- "$@" -object "memory-backend-ram,id=mem$node,size=$((mem / nodes))M" \
		-numa "node,nodeid=$node,memdev=mem$node,cpus=$((node * per))-$((node * per + per - 1))"
	node=$((node + 1))
done
if [ -n "${DISK-}" ]; then
	set -- "$@" -drive "file=$DISK,format=raw,if=virtio"
	words="root=/dev/vda rw $words"
fi
say "guest: $cpus CPUs, $llcs LLCs, $nodes node(s), kernel ${BZIMAGE:-${KERNEL:-x86}}, by $how"

if [ -z "$name" ]; then
	say "leave it with poweroff or Ctrl-C"
	exec setpriv --pdeathsig KILL "$qemu" "$@" -append "$words quiet" \
		-chardev stdio,id=console,signal=on -serial chardev:console
fi

console=${CONSOLE:-out/console-$name.txt}
mkdir -p "$(dirname "$console")"
: >"$console"
pid=
tail_pid=
# shellcheck disable=SC2317
cleanup()
{
	[ -z "$tail_pid" ] || kill "$tail_pid" 2>/dev/null || :
	[ -z "$pid" ] || kill -KILL "$pid" 2>/dev/null || :
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

setpriv --pdeathsig KILL "$qemu" "$@" -append "$words guest=$name" -serial "file:$console" </dev/null &
pid=$!
# What the guest says, without what its kernel says.
if [ "${QUIET-}" != y ]; then
	tail -n +1 -f --pid=$pid "$console" | sed -u '/^\[ *[0-9]*\.[0-9]*\] /d; s/\r$//' &
	tail_pid=$!
fi

start=$(date +%s)
last=
status=0
while kill -0 $pid 2>/dev/null; do
	if [ $(($(date +%s) - start)) -ge "$limit" ]; then
		kill -KILL $pid
		say "guest: stopped, it took more than $limit s (LIMIT=)"
		status=1
		break
	fi
	# The last word of init. A guest that then cannot switch itself off is ended.
	if [ -z "$last" ] && grep -q '^GUEST EXIT' "$console"; then
		last=$(date +%s)
	fi
	if [ "$last" ] && [ $(($(date +%s) - last)) -ge 15 ]; then
		kill -TERM $pid 2>/dev/null || :
		break
	fi
	sleep 0.2
done
wait $pid || status=1
pid=
sleep 0.2
scripts/judge-console.sh "$console" || status=1
say "guest: $name $([ $status = 0 ] && echo passed || echo failed) after $(($(date +%s) - start)) s, console in $console"
exit $status

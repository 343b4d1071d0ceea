#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Finds out whether KVM runs a kernel here: a /dev/kvm that opens may still not.
# Boots BZIMAGE for at most 10 s and waits for its first line. The answer is kept
# in build/ until the machine boots again.
# usage: scripts/kvm-works.sh BZIMAGE      exit status 0 if it does

set -eu
. "$(dirname "$0")/lib.sh"
image=${1-}
[ -r "$image" ] || die "usage: scripts/kvm-works.sh BZIMAGE"
[ "${KVM-}" != n ] && [ -w /dev/kvm ] || exit 1

answer=build/kvm
boot=$(cat /proc/sys/kernel/random/boot_id)
case $(cat "$answer" 2>/dev/null) in
"$boot y") exit 0 ;;
"$boot n") exit 1 ;;
esac

console=$(mktemp)
pid=
# shellcheck disable=SC2317
cleanup()
{
	[ -z "$pid" ] || kill -KILL "$pid" 2>/dev/null || :
	rm -f "$console"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

say "trying KVM (at most 10 s)"
setpriv --pdeathsig KILL qemu-system-x86_64 -M q35 -accel kvm -cpu host -m 256 -kernel "$image" \
	-append 'console=ttyS0 panic=-1' -nodefaults -display none -monitor none -no-reboot \
	-serial "file:$console" </dev/null >/dev/null 2>&1 &
pid=$!
works=n
tries=0
while [ $tries -lt 50 ] && kill -0 $pid 2>/dev/null; do
	! grep -q 'Linux version' "$console" || { works=y; break; }
	sleep 0.2
	tries=$((tries + 1))
done
mkdir -p build
echo "$boot $works" >"$answer"
[ $works = y ]

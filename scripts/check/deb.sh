#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# make deb, as its user meets it: the packages of a small kernel are installed in a
# fresh Debian, which makes the initrd, and boots from a disk to a login of root on a
# machine with 8 CPUs in 2 LLCs, see scripts/guest/installed. Then they are removed,
# and nothing of them may be left. Needs root and the network; takes long.
# usage: [SUITE=bookworm] scripts/check/deb.sh

set -eu
. "$(dirname "$0")/../lib.sh"
[ "$(id -u)" = 0 ] || die "root is needed to make a Debian in a folder; run: sudo make deb-check"
need mmdebstrap mke2fs unshare
suite=${SUITE:-bookworm}
work=$top/build/deb-check
packages=systemd-sysv,udev,initramfs-tools,zstd,rt-tests

scripts/kernel.sh x86-disk syncconfig
CONFIG=build/x86-disk/.config DEB_NAME=deb-check scripts/deb.sh
lock deb-check
read -r release <"$work/kernel/include/config/kernel.release"

base=$work/$suite.tar
if [ ! -e "$base" ]; then
	say "making a Debian $suite (minutes, from the network)"
	rm -f "$work/new.tar"
	mmdebstrap --quiet --mode=root --variant=minbase --include="$packages" "$suite" "$work/new.tar" >&2 ||
		die "mmdebstrap failed (above): is there a network?"
	mv "$work/new.tar" "$base"
fi

root=$work/root
disk=$work/disk.img
rm -rf --one-file-system "$root"
# What root makes here is the clone's owner's all the same.
give_back()
{
	rm -rf --one-file-system "$root" "$disk"
	chown -R --reference=scripts build out
}
trap give_back EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
mkdir "$root"
tar -xpf "$base" -C "$root"

# inside COMMAND...: what it mounts goes with it
inside()
{
	# shellcheck disable=SC2016
	unshare --mount --pid --fork --kill-child sh -c '
		mount -t proc proc "$0/proc" && mount -t tmpfs tmpfs "$0/run" &&
			mount --bind /dev "$0/dev" && exec chroot "$0" "$@"' "$root" \
		env DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
}

say "installing the packages"
mkdir "$root/packages"
cp "$top"/out/deb-check/*.deb "$root/packages"
inside sh -c 'apt-get -q -o Dpkg::Use-Pty=0 install -y --no-install-recommends /packages/*.deb' >"$work/install.log" 2>&1 || {
	tail -n 20 "$work/install.log" >&2
	die "the packages do not install (above)"
}
rm -r "$root/packages"
[ -s "$root/boot/initrd.img-$release" ] || die "no initrd was made for $release, see $work/install.log"

mkdir -p "$root/guest" "$root/etc/systemd/system/serial-getty@ttyS0.service.d"
cp scripts/guest/installed "$root/guest"
printf '%s\n' "$release" >"$root/guest/release"
cat >"$root/etc/systemd/system/serial-getty@ttyS0.service.d/autologin.conf" <<EOF
[Service]
ExecStart=
ExecStart=-/sbin/agetty --autologin root --noclear ttyS0 linux
EOF
cat >"$root/root/.profile" <<EOF
/guest/installed
echo GUEST EXIT \$?
poweroff -f
EOF

rm -f "$disk"
mke2fs -q -t ext4 -d "$root" "$disk" 2G
BZIMAGE=$root/boot/vmlinuz-$release INITRD=$root/boot/initrd.img-$release DISK=$disk \
	CPUS=8 LLCS=2 LIMIT=900 scripts/boot-guest.sh installed

say "removing the packages"
inside apt-get -q purge -y "linux-image-$release" "linux-headers-$release" llctop llcctl >"$work/remove.log" 2>&1 || {
	tail -n 20 "$work/remove.log" >&2
	die "the packages cannot be removed (above)"
}
left=$(cd "$root" && find boot lib/modules usr/src usr/bin usr/sbin usr/share/man usr/share/doc var/lib/initramfs-tools \
	-path "*$release*" -o -name 'llc*' 2>/dev/null) || :
[ -z "$left" ] || die "removing the packages left behind:
$left"
say "deb-check: $release was installed in Debian $suite, booted and removed"

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Builds Debian packages of the kernel in build/linux, for the machine that this runs
# on, and of llctop and llcctl. Does nothing when neither tree nor configuration
# changed.
# usage: [CONFIG=FILE] [DEBUG_INFO=1] [DEB_NAME=deb] scripts/deb.sh     -> out/deb/*.deb
#   CONFIG      the kernel's configuration, packed or not; what it does not say gets its
#               default. Without CONFIG that of the running kernel
#   DEBUG_INFO  1 keeps the debug information that the configuration asks for
#   DEB_NAME    another folder than deb, under build/ and out/ (for the check)

set -eu
. "$(dirname "$0")/lib.sh"
need make gcc bc bison flex zcat dpkg-buildpackage dh rsync strip openssl
given=${CONFIG-}
# Not for the kernel's make.
unset CONFIG
debug_info=${DEBUG_INFO:-0}
case $debug_info in
0 | 1) ;;
*) die "DEBUG_INFO=$debug_info: 0 or 1" ;;
esac
[ -d "$tree/.git" ] || die "no build/linux; run: make tree"
name=${DEB_NAME:-deb}
lock "$name"
work=$top/build/$name
objects=$work/kernel
out=$top/out/$name

if [ -z "$given" ]; then
	for given in "/boot/config-$(uname -r)" /proc/config.gz; do
		[ ! -r "$given" ] || break
	done
	[ -r "$given" ] || die "the running kernel $(uname -r) left no configuration in /boot or /proc/config.gz.
Give one: make deb CONFIG=FILE (Debian's are in the package linux-config-6.12)"
fi
[ -f "$given" ] || die "CONFIG=$given: no such regular file"
case $given in
*.xz) config=$(xzcat "$given") ;;
*.zst) config=$(zstd -dcq "$given") ;;
*) config=$(zcat -f "$given") ;;
esac || die "$given cannot be read (above)"
printf '%s\n' "$config" | grep -q '^CONFIG_[A-Z0-9_]*=' ||
	die "$given is no configuration of a kernel: it has no line CONFIG_...="

# dpkg-buildpackage asks for it when all is built.
dpkg-query -W -f '${db:Status-Status}' build-essential 2>/dev/null | grep -q '^installed' ||
	die "the package build-essential is not installed; run: make deps"
[ "$(git rev-parse --is-shallow-repository)" = false ] ||
	die "this clone has no history, which names the kernel; run: git fetch --unshallow"

# The series goes by how many commits changed it; + for changes that are in none.
series="kernel include patches Kconfig"
now=$(scripts/worktree.sh)
# shellcheck disable=SC2086
n=$(git rev-list --count HEAD -- $series)
# shellcheck disable=SC2086
git diff --quiet HEAD -- $series && [ "$now" = "$(kgit rev-parse 'refs/sched-cache/laid^{tree}')" ] || n=$n+
# shellcheck disable=SC2086
when=$(git log -1 --format=%cD -- $series)
base=$(kgit config sched-cache.version)
release=$base-sched-cache.$n
version=$base-$n
arch=$(dpkg --print-architecture)

state=$(printf '%s\n' "$release" "$debug_info" "$config" "$now" "$(gcc --version)" \
	"$(cat tools/sched/llctop/*.[ch8] tools/sched/llcctl/*.[c28])" | sha256sum)
if [ "$state" = "$(cat "$work/.state" 2>/dev/null)" ] && [ -e "$out/linux-image-${release}_${version}_$arch.deb" ]; then
	say "packages are up to date: out/$name, Linux $release"
	exit 0
fi
mkdir -p "$objects"
rm -f "$work/.state"

# 641 options took 352 MiB, without debug information.
room=$((200 + $(printf '%s\n' "$config" | grep -c '=[ym]$') * 2 / 3))
[ -e "$objects/vmlinux" ] || [ "$(free "$work")" -ge $room ] ||
	die "$(free "$work") MiB free under $work, $room are needed for a kernel of $given: make room there"

cc=gcc
! command -v ccache >/dev/null || cc='ccache gcc'
CCACHE_BASEDIR=$top
CCACHE_NOHASHDIR=1
export CCACHE_BASEDIR CCACHE_NOHASHDIR
kmake()
{
	make -C "$tree" O="$objects" CC="$cc" LOCALVERSION="-sched-cache.$n" KBUILD_BUILD_TIMESTAMP="$when" \
		KBUILD_BUILD_USER=sched-cache KBUILD_BUILD_HOST=localhost KBUILD_BUILD_VERSION="$n" \
		KDEB_PKGVERSION="$version" KDEB_CHANGELOG_DIST=unstable \
		--no-print-directory -j"$(nproc)" "$@"
}

# A distribution's certificates and keys are not here: the build makes a key and signs
# the modules with it, as a kernel that asks for signatures loads no others.
configure()
{
	set -- --set-str LOCALVERSION '' --disable LOCALVERSION_AUTO --enable SCHED_CACHE --enable SCHED_SHARED_RUNQ \
		--set-str SYSTEM_TRUSTED_KEYS '' --set-str SYSTEM_REVOCATION_KEYS '' \
		--set-str MODULE_SIG_KEY certs/signing_key.pem --enable MODULE_SIG_ALL
	[ "$debug_info" = 1 ] || set -- "$@" --enable DEBUG_INFO_NONE \
		--disable DEBUG_INFO_DWARF_TOOLCHAIN_DEFAULT --disable DEBUG_INFO_DWARF4 --disable DEBUG_INFO_DWARF5
	printf '%s\n' "$config" >"$objects/.config"
	"$tree/scripts/config" --file "$objects/.config" "$@"
	kmake olddefconfig
}

failed()
{
	[ "$(free "$work")" -ge 100 ] || die "the disk is full: $top/build needs more room"
	die "$@"
}

# tool_package NAME TEXT: of tools/sched/NAME, with what it is linked to
tool_package()
{
	root=$work/$1
	mkdir -p "$root/DEBIAN" "$root/debian" "$root/usr/share/doc/$1"
	make --no-print-directory -s -C "tools/sched/$1"
	make --no-print-directory -s -C "tools/sched/$1" install DESTDIR="$root" prefix=/usr
	strip "$root"/usr/*bin/"$1"
	find "$root/usr/share/man" -type f -exec gzip -9nf {} +
	cat >"$root/usr/share/doc/$1/copyright" <<-EOF
		$1 is of tools/sched of Linux with cache-aware scheduling. It may be used
		under the GNU General Public License, version 2:
		/usr/share/common-licenses/GPL-2
	EOF
	cat >"$root/debian/control" <<-EOF
		Source: $1

		Package: $1
		Architecture: any
	EOF
	depends=$(cd "$root" && dpkg-shlibdeps -O usr/*bin/"$1" 2>>"$work/log" | sed -n 's/^shlibs:Depends=//p')
	[ -n "$depends" ] || failed "what $1 is linked to is unknown, see build/$name/log"
	rm -r "$root/debian"
	cat >"$root/DEBIAN/control" <<-EOF
		Package: $1
		Version: $version
		Architecture: $arch
		Maintainer: sched-cache <sched-cache@localhost>
		Section: admin
		Priority: optional
		Depends: $depends
		Description: $2
		 For a kernel with cache-aware scheduling, as
		 linux-image-$release.
	EOF
	dpkg-deb --root-owner-group --build "$root" "$work" >/dev/null
}

say "configuring Linux $release as $given says"
configure >"$work/log" 2>&1 || {
	tail -n 20 "$work/log" >&2
	failed "the kernel cannot be configured (above)"
}
grep -q '^CONFIG_SCHED_CACHE=y' "$objects/.config" ||
	die "CONFIG_SCHED_CACHE does not survive in $given: it needs CONFIG_SMP, CONFIG_64BIT and CONFIG_MMU"
# It needs CONFIG_DEBUG_FS.
if ! grep -q '^CONFIG_SCHED_DEBUG=y' "$objects/.config" || grep -q '^CONFIG_DEBUG_FS_ALLOW_NONE=y' "$objects/.config"; then
	say "$given has no CONFIG_SCHED_DEBUG, or nobody may use debugfs: there will be no llc_status and no knobs"
fi

say "building ($(nproc) jobs): minutes to hours, as $given says"
start=$(date +%s)
rm -f "$work/.failed"
{ kmake headers all || echo y >"$work/.failed"; } | count_objects
[ ! -e "$work/.failed" ] || failed "the kernel does not build (above)"

say "packing"
rm -rf "$work"/*.deb "$work/llctop" "$work/llcctl"
kmake bindeb-pkg >"$work/log" 2>&1 || {
	tail -n 20 "$work/log" >&2
	failed "the kernel's packages cannot be made (above; all of it is in build/$name/log)"
}
umask 022
tool_package llctop "where threads run, by last-level cache"
tool_package llcctl "run a command with cache-aware scheduling or without"

# linux-libc-dev stays where it is: installed, it would replace the distribution's.
rm -rf "$out"
mkdir -p "$out"
mv "$work"/linux-image-*.deb "$work"/linux-headers-*.deb "$work"/llctop_*.deb "$work"/llcctl_*.deb "$out"
printf '%s\n' "$state" >"$work/.state"
say "packages: out/$name, Linux $release, after $(($(date +%s) - start)) s"
ls "$out" >&2
say "how to install, boot once and go back: INSTALL.md"

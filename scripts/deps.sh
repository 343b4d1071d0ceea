#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Installs the Debian packages of configs/packages-debian.txt that are missing.
# usage: scripts/deps.sh

set -eu
. "$(dirname "$0")/lib.sh"

installed()
{
	[ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

missing=$(sed 's/#.*//; /^$/d' configs/packages-debian.txt | while read -r package; do
	installed "$package" || printf '%s ' "$package"
done)
missing=${missing% }
# A tarball of the user's own replaces the packaged one.
if [ -n "${BASE_TARBALL-}" ]; then
	missing=$(printf '%s' "$missing" | sed 's/linux-source-6.12 \{0,1\}//')
fi
if [ -z "$missing" ]; then
	say "deps: all packages are installed"
	exit 0
fi

release=$(. /etc/os-release 2>/dev/null && echo "${ID-} ${VERSION_ID-}") || release=unknown
case $release in
'debian 12' | 'debian 13') ;;
*) die "this is $release; packages are known for Debian 12 and 13 only.
Install what corresponds to these yourself, then run what does not look for Debian packages (tree, refresh, kernel, boot, series): $missing" ;;
esac

as_root=
if [ "$(id -u)" != 0 ]; then
	by_hand="run as root, then repeat:
apt-get update && apt-get install --no-install-recommends $missing"
	command -v sudo >/dev/null || die "root is needed to install packages and there is no sudo; $by_hand"
	say "deps: root is needed to install packages; sudo may ask for your password"
	sudo -v || die "sudo does not make you root (its reason is above); $by_hand"
	as_root=sudo
fi

apt()
{
	$as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o Dpkg::Use-Pty=0 "$@"
}

free=$(df -Pk /usr | awk 'NR == 2 { print int($4 / 1024) }')
[ "$free" -ge 1500 ] || die "$free MiB free on /usr, 1500 are needed for the packages: make room there"
say "deps: installing $missing"
apt -o APT::Update::Error-Mode=any update >&2 ||
	say "deps: the package lists could not all be fetched; trying with those at hand"
# One call for all: each takes a second where apt keeps no index of its lists.
# shellcheck disable=SC2086
offered=$(apt-cache show --no-all-versions $missing 2>/dev/null | sed -n 's/^Package: //p')
for package in $missing; do
	printf '%s\n' "$offered" | grep -qxF "$package" || die "no package source offers $package.
No network? Then connect and repeat. On Debian 12 linux-source-6.12 is one of the security updates, which
an installed system has and a bootstrapped one lacks: add the suite bookworm-security, component main,
to /etc/apt/sources.list, or give BASE_TARBALL=FILE"
done
# shellcheck disable=SC2086
apt install -y --no-install-recommends $missing >&2 ||
	die "apt-get could not install them (its reason is above): check network and disk space, then repeat"

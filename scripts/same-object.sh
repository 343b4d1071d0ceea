#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Two x86-64 objects are the same to the machine: the disassembly of every section,
# relocations included, and the contents of every section that is loaded. One
# thing may differ, since lines were added above it: the line numbers that WARN and
# BUG print. They stand in no instruction, only in __bug_table: entries of 12 bytes,
# the line in bytes 8 and 9. Nothing else is masked.
# usage: scripts/same-object.sh OBJECT OBJECT

set -eu
. "$(dirname "$0")/lib.sh"
need objdump objcopy
[ $# = 2 ] || die "usage: scripts/same-object.sh OBJECT OBJECT"
for object; do
	[ -s "$object" ] || die "$object: no such object"
done

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM

describe()
{
	objdump -dr "$1" | sed '/file format/d' >"$tmp/$2.code"
	objcopy -O binary --only-section=__bug_table --set-section-flags __bug_table=alloc,contents "$1" "$tmp/$2.bin" 2>/dev/null || : >"$tmp/$2.bin"
	od -An -v -tx1 -w12 "$tmp/$2.bin" | awk '{ $9 = $10 = "--"; print }' >"$tmp/$2.bugs"
	# Sections that are loaded, but __bug_table, whose relocations stay in.
	sections=$(objdump -h "$1" | awk '/^ *[0-9]+ / { name = $2 } /ALLOC/ { print name }' | grep -vx __bug_table | sort -u)
	for section in $sections; do
		objdump -s -j "$section" "$1" | sed '/file format/d'
	done >"$tmp/$2.data"
	objdump -h "$1" | awk '/^ *[0-9]+ / { name = $2; size = $3 } /ALLOC/ { print name, size }' >"$tmp/$2.sizes"
	objdump -r "$1" | awk '/^RELOCATION RECORDS FOR/ { keep = !/\.debug|\.discard/ } keep && !/file format/' >"$tmp/$2.relocations"
}

describe "$1" a
describe "$2" b
status=0
for part in code sizes data bugs relocations; do
	cmp -s "$tmp/a.$part" "$tmp/b.$part" || {
		say "$(basename "$1"): $part differ:"
		diff "$tmp/a.$part" "$tmp/b.$part" | head -12 >&2 || :
		status=1
	}
done
[ $status = 0 ] || die "$2 is not the same as $1"
say "$(basename "$1"): the same, $(grep -c '^ *[0-9a-f]*:' "$tmp/a.code") lines of code and relocations, $(wc -l <"$tmp/a.bugs") line numbers left out"

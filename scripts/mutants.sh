#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Shows that the selftests and the storms can fail: builds each kernel of
# configs/mutants, which is wrong on purpose in one place, from its Fragments: (x86).
# The tests of its Fails: line, in a guest as its Guest: line says, must all fail, and
# the judge of the torture must find what its Says: line has after its Storms:.
# usage: scripts/mutants.sh [NAME...]      all of configs/mutants without NAME

set -eu
. "$(dirname "$0")/lib.sh"
lock mutants
need git
laid=$(kgit rev-parse --verify -q refs/sched-cache/laid) || die "no build/linux; run: make tree"
# ../linux from where the objects are, as for every other kernel: ccache finds them.
src=$top/build/mutants/linux

[ $# != 0 ] || {
	for diff in configs/mutants/*.diff; do
		diff=${diff##*/}
		set -- "$@" "${diff%.diff}"
	done
}
for name; do
	[ -e "configs/mutants/$name.diff" ] || die "no configs/mutants/$name.diff; there are: $(cd configs/mutants && echo *.diff)"
done

# A second work tree, so that build/linux stays as it is.
checkout_at "$src" "$laid"
trap 'checkout_at "$src" "$laid"' EXIT
trap 'exit 130' INT TERM

# caught NAME TEST [WORD=VALUE...]: did TEST fail on the kernel that was just built?
caught()
{
	console=out/mutants/$1-$2.txt
	test=$2
	shift 2
	if env "$@" KERNEL="mutants/$kernel" QUIET=y CONSOLE="$console" LIMIT=120 \
		scripts/boot-guest.sh selftests "tests=$test" >/dev/null 2>&1; then
		return 1
	fi
	# The boot must have come as far as the test.
	grep -q -e '^not ok' -e '^FAILED' -e "^# $test" "$console"
}

# stormed NAME STORMS SAYS: are the storms judged as failed, and as expected?
stormed()
{
	dir=out/mutants/$1-storms
	rm -rf "$dir"
	! BUILT=mutants/$kernel STORMS=$2 RUN=$dir SCENARIO=2x4 KIND=lockdep GUEST_SECONDS=21 \
		LIMIT=900 QUIET=y scripts/torture/run.sh >/dev/null 2>&1 &&
		grep -Eq "$3" "$dir/2x4.lockdep/console" "$dir/2x4.lockdep/judgement"
}

# count RESULT WHAT
count()
{
	say "$(printf '%-8s' "$1") $2"
	case $1 in
	caught) passed=$((passed + 1)) ;;
	*) failed=$((failed + 1)) ;;
	esac
}

scripts/initramfs.sh
mkdir -p out/mutants
passed=0
failed=0
for name; do
	diff=configs/mutants/$name.diff
	checkout_at "$src" "$laid"
	git -C "$src" apply "$top/$diff" || die "$diff does not apply; make it anew"
	fragments=$(sed -n 's/^Fragments: //p' "$diff")
	# A folder for each configuration: to change it would compile all anew.
	kernel=$(echo "${fragments:-x86}" | tr ' ' -)
	SRC=$src OUT=$top/build/mutants/$kernel FRAGMENTS=${fragments:-x86} scripts/kernel.sh x86 bzImage >"out/mutants/$name-build.txt" 2>&1 || {
		tail -20 "out/mutants/$name-build.txt" >&2
		die "$name does not build"
	}
	tests=$(sed -n 's/^Fails: //p' "$diff")
	guest=$(sed -n 's/^Guest: //p' "$diff")
	for test in $tests; do
		# shellcheck disable=SC2086
		if caught "$name" "$test" $guest; then
			count caught "$name by $test"
		else
			count MISSED "$name by $test (out/mutants/$name-$test.txt)"
		fi
	done
	storms=$(sed -n 's/^Storms: //p' "$diff")
	[ -n "$storms" ] || continue
	if stormed "$name" "$storms" "$(sed -n 's/^Says: //p' "$diff")"; then
		count caught "$name by storms"
	else
		count MISSED "$name by storms (out/mutants/$name-storms)"
	fi
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# sparse and gcc with W=1 find nothing in the files of kernel/sched/cache.
# usage: scripts/check/sparse.sh

set -eu
. "$(dirname "$0")/../lib.sh"
need sparse
objects=$(kgit ls-files kernel/sched/cache kernel/sched/shared_runq.c | sed -n 's/\.c$/.o/p' | grep -v /tests/)
[ -n "$objects" ] || die "no kernel/sched/cache/*.c in build/linux"
log=build/sparse.log

# Objects of their own, built by sparse and W=1 each time, with what only debug
# builds have.
# shellcheck disable=SC2086
(cd build/sparse 2>/dev/null && rm -f $objects) || :
# shellcheck disable=SC2086
OUT=$top/build/sparse FRAGMENTS="x86 cache-debug" scripts/kernel.sh x86 C=2 W=1 prepare $objects >"$log" 2>&1 || {
	cat "$log" >&2
	exit 1
}
# A finding in a line of the base is the base's: sparse cannot follow the locks
# that sched.h takes in pairs, wherever it is included.
sed -i 's,/cache/\.\./,/,g' "$log"
if our_findings "$log"; then
	die "sparse or W=1 complain (above)"
fi
say "$(echo "$objects" | wc -w) objects"

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Judges the console of a guest: it passes only if the guest printed SUCCESS on a
# line of its own and the kernel complained of nothing. Prints what is wrong.
# usage: scripts/judge-console.sh CONSOLE-FILE

set -eu
. "$(dirname "$0")/lib.sh"
console=${1-}
[ -r "$console" ] || die "usage: scripts/judge-console.sh CONSOLE-FILE"

text=$(mktemp)
trap 'rm -f "$text"' EXIT
tr -d '\r' <"$console" >"$text"

status=0
# What the kernel prints when it finds itself wrong, as in rcutorture's
# parse-console.sh, and what the tests add to it.
badness='WARNING:|BUG:|BUG at |Oops|general protection fault|Kernel panic|Call Trace:|------------\[ cut here|\
|UBSAN:|KASAN:|KCSAN:|INFO: rcu_|rcu: INFO:|rcu_.*detected stalls|self-detected stall|INFO: task .* blocked for more than|\
|INFO: possible |INFO: trying to register non-static key|INFO: lockdep|possible recursive locking|\
|possible circular locking|inconsistent lock state|bad unlock balance|suspicious RCU usage|\
|ODEBUG:|list_add corruption|list_del corruption|scheduling while atomic|sleeping function called|\
|soft lockup|hard LOCKUP|refcount_t:|unable to handle|double fault|stack-protector|\
|workqueue lockup|NMI backtrace|segfault at|Out of memory:|Unable to mount root|sched: .* domain .* broken|BROKEN|\
|ERROR: |DEBUG_LOCKS_WARN_ON|turning off the locking correctness validator'
badness=$(printf %s "$badness" | tr -d '\\\n')
found=$(grep -nE "$badness" "$text" | head -20) || :
if [ -n "$found" ]; then
	say "the kernel complained ($console):" "
$found"
	status=1
fi
if ! grep -qx 'SUCCESS' "$text"; then
	say "the guest did not say SUCCESS ($console); its last lines:" "
$(tail -5 "$text")"
	status=1
fi
exit "$status"

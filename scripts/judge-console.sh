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
# The report of a cgroup that is out of memory has a trace, which is no complaint;
# that of the machine ends with one.
tr -d '\r' <"$console" |
	sed '/ invoked oom-killer: /,/oom-kill:constraint=/s/Call Trace:/trace:/' >"$text"

status=0
found=$(grep -nEf configs/badness.txt "$text" | head -20) || :
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

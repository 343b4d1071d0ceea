#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What llcctl says of wrong arguments, and on a kernel without the feature. That it
# does what it should is for the selftests' guest.
# usage: ./test.sh

failed=0
passed=0

# is STATUS TEXT ARGUMENT...: llcctl ends so, and says so
is() {
	status=$1 text=$2
	shift 2
	said=$(./llcctl "$@" 2>&1)
	got=$?
	case $got:$said in
	"$status:"*"$text"*) passed=$((passed + 1)) ;;
	*)
		failed=$((failed + 1))
		echo "llcctl $*: status $got, not $status, and it said: $said"
		;;
	esac
}

is 0 'usage: llcctl' --help
is 0 'llcctl 1.0' --version
is 2 'no mode'
is 2 'no mode' true
is 2 'no command' --on
is 2 'more than one mode' --on --off true
is 2 'either a process or a command' -p 1 --off true
is 2 'number of a process' -p 0
is 2 'number of a process' -p -1
is 2 'number of a process' -p 12x
is 2 'number of a process' -p 99999999999
is 2 'nosuch' --nosuch true
is 2 'see llcctl --help' --nosuch true
is 2 'more than one process' -p 1 -p 1
is 2 'more than one process' -p 1 --join 1 --join 1
is 2 '--join takes the number of a process' -p 1 --join x
is 2 '--join goes with -p only' --join 1 true
is 2 '--join goes with -p only' -p 1 --join 1 --off

if ./llcctl --help >/dev/full 2>/dev/null; then
	failed=$((failed + 1))
	echo "llcctl --help does not notice that it cannot write"
else
	passed=$((passed + 1))
fi

# On a kernel that has it the rest would be different.
if ./llcctl -p $$ >/dev/null 2>&1; then
	is 0 'default' -p $$
	is 127 'nosuchcommand' --on nosuchcommand
	is 126 'Permission' --on /
	is 3 '' --off sh -c 'exit 3'
	is 0 ': off' --off sh -c './llcctl -p $$'
	is 1 'No such process' -p 2147483647
	is 1 'No such process' -p $$ --join 2147483647
	is 0 '' -p $$ --join $$
else
	is 1 'no CONFIG_SCHED_CACHE' --on true
	is 1 'no CONFIG_SCHED_CACHE' -p $$
	is 1 'no CONFIG_SCHED_CACHE' -p $$ --join $$
fi
echo "llcctl: $passed passed, $failed failed"
[ $failed = 0 ]

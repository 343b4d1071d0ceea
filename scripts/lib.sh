# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# What all scripts of the pipeline share: where things are, how to say and how to fail.
# Sourced, never run. Everything works from the top of the repository.

cd "$(dirname "$0")/.." || exit 1
while [ ! -e scripts/lib.sh ]; do
	[ "$PWD" != / ] || exit 1
	cd .. || exit 1
done
top=$PWD
tree=$top/build/linux
export LC_ALL=C
# Not as the user who made this clone, or after root made build/ here?
if [ -e build ] && [ ! -w build ]; then
	printf '%s: %s\n' "${0##*/}" "$top/build is somebody else's; run: sudo chown -R \"\$USER\" build out" >&2
	exit 1
fi
# What was said to this repository's make is not for the kernel's.
unset MAKEFLAGS MFLAGS MAKELEVEL

say()
{
	printf '%s\n' "$*" >&2
}

die()
{
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 1
}

need()
{
	for need_cmd; do
		command -v "$need_cmd" >/dev/null ||
			die "$need_cmd is not installed; run: make deps"
	done
}

# Only one script at a time may change what is under build/. A script that
# another one calls inherits the lock.
lock()
{
	[ "${SCHED_CACHE_LOCKED-}" != "$1" ] || return 0
	mkdir -p build
	exec 9>"build/.lock-$1"
	flock -n 9 || {
		say "waiting for another make that works on build/ ($1)"
		flock 9
	}
	SCHED_CACHE_LOCKED=$1
	export SCHED_CACHE_LOCKED
}

# git in the kernel tree, unmoved by the user's configuration of diffs, lines and name
kgit()
{
	git -C "$tree" -c core.autocrlf=false -c core.quotePath=false \
		-c core.safecrlf=false -c advice.detachedHead=false \
		-c user.name='make tree' -c user.email=make-tree@localhost "$@"
}

# What holds all of the base's code that the series changes.
export changed_objects='kernel/sched/ kernel/fork.o kernel/sys.o fs/exec.o'

# our_findings LOG: what compilers and sparse said there of our own files, if anything
our_findings()
{
	grep -E '(kernel/sched/cache/|kernel/sched/shared_runq|kernel/sched/knob|include/linux/sched/cache|include/linux/sched/shared_runq|include/trace/events/sched_cache)[^ ]*:[0-9]+:[0-9]+: (warning|error)' "$1"
}

# checkout_at DIR COMMIT: a second work tree of build/linux, made if need be. Only
# files that differ from the commit are touched.
checkout_at()
{
	if [ ! -e "$1/.git" ]; then
		rm -rf "$1"
		kgit worktree prune
		say "checking out ${1#"$top/"}"
		kgit worktree add -q --detach "$1" "$2"
	fi
	git -C "$1" checkout -q --force --detach "$2"
}

# What the kernel's make says, as a count
count_objects()
{
	awk '/^  (CC|AS|LD|AR) / && ++n % 250 == 0 { print "  " n " objects"; fflush() }' >&2
}

# free DIR: MiB
free()
{
	df -Pk "$1" | awk 'NR == 2 { print int($4 / 1024) }'
}

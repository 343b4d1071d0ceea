#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Prints the tree id of build/linux as it is on disk, unsaved edits and new files
# included. Changes nothing there, but with "stage" git's index.
# usage: scripts/worktree.sh [stage]

set -eu
. "$(dirname "$0")/lib.sh"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM
GIT_INDEX_FILE=$tree/.git/index
export GIT_INDEX_FILE
if [ "${1-}" != stage ]; then
	cp -p "$GIT_INDEX_FILE" "$tmp/index"
	GIT_INDEX_FILE=$tmp/index
fi

# Debian's .gitignore ends with "/*", which would hide every new file.
sed '/^\/\*$/d' "$tree/.gitignore" >"$tmp/exclude"
kgit add -u .
kgit ls-files -z -o --exclude-from="$tmp/exclude" | kgit update-index -z --add --stdin
kgit write-tree

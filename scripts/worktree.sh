#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Prints the tree id of build/linux as it is on disk, unsaved edits and new files
# included. Changes nothing there.
# usage: scripts/worktree.sh

set -eu
. "$(dirname "$0")/lib.sh"

index=$(mktemp)
trap 'rm -f "$index" "$index.lock"' EXIT
trap 'exit 130' INT TERM
cp "$tree/.git/index" "$index"
GIT_INDEX_FILE=$index
export GIT_INDEX_FILE
kgit add -A .
kgit write-tree

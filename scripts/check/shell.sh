#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Every shell script of this repository is clean for shellcheck.
# usage: scripts/check/shell.sh

set -eu
. "$(dirname "$0")/../lib.sh"
need shellcheck
git grep -lE '^#!/bin/sh' -- . ':!tools/testing' >build/shell-files
xargs shellcheck -x <build/shell-files
say "$(wc -l <build/shell-files) scripts"

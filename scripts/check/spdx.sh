#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Every tracked file names its licence, but for texts that have a fixed form.
# usage: scripts/check/spdx.sh

set -eu
. "$(dirname "$0")/../lib.sh"
missing=$(git grep -L SPDX-License-Identifier -- . ':!Documentation/ABI' ':!LICENSES' ':!MAINTAINERS' ':!patches' \
	':!configs/cover-letter.txt' ':!configs/badness.txt' ':!configs/consoles' ':!configs/mutants' \
	':!tools/testing/selftests/*/config' ':!tools/testing/selftests/*/settings') || :
[ -z "$missing" ] || die "no SPDX-License-Identifier in:
$missing"
say "$(git ls-files | wc -l) tracked files"

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The torture that each make check has time for: lockdep on 2x4, and the scenario
# that is broken on purpose and must be reported. torture-pair.sh runs others.
# usage: scripts/check/torture.sh

set -eu
. "$(dirname "$0")/../lib.sh"
SCENARIO='2x4 broken' KIND=lockdep GUEST_SECONDS=21 LIMIT=${LIMIT:-900} exec scripts/torture/run.sh

# SPDX-License-Identifier: GPL-2.0-only
"""llcsim's driver: prepares a guest, runs QEMU with the plugin, keeps the result."""


class Error(Exception):
    """Something the user can put right; the text says what."""

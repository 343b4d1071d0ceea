# SPDX-License-Identifier: GPL-2.0-only
"""What guests gave, kept, so that a benchmark that was interrupted can go on.

A guest is told by all that decides what it gives: kernel, script, machine, seed,
programs, the simulator itself. What is older than DAYS is thrown away.
"""
import gzip
import hashlib
import json
import os
import time

from driver.places import TOOL, qemu_version

DAYS = 14
TOOL_PARTS = ("driver", "guest", "plugin", "presets")


def _digest(paths):
    """Of the contents of files, by their names."""
    total = hashlib.sha256()
    for path in sorted(paths, key=os.path.basename):
        with open(path, "rb") as f:
            total.update(os.path.basename(path).encode() + hashlib.sha256(f.read()).digest())
    return total.hexdigest()


def _tool_files():
    for part in TOOL_PARTS:
        for directory, _, names in os.walk(os.path.join(TOOL, part)):
            yield from (os.path.join(directory, n) for n in names if not n.endswith(".pyc"))


class Boots:
    """The guests of a directory, of the images and files that a benchmark uses."""

    def __init__(self, directory, images, files):
        self.directory = directory
        self.images = {path: _digest([path]) for path in images}
        self.common = [_digest(_tool_files()), _digest([f.split(":")[0] for f in files]),
                       qemu_version()]
        os.makedirs(directory, exist_ok=True)
        for name in os.listdir(directory):
            path = os.path.join(directory, name)
            if time.time() - os.stat(path).st_mtime > DAYS * 86400:
                os.remove(path)

    def path(self, image, *what):
        """Where a guest is kept; what tells it from others must be fit for JSON."""
        text = json.dumps([self.images[image], self.common, what], sort_keys=True)
        return os.path.join(self.directory,
                            hashlib.sha256(text.encode()).hexdigest()[:32] + ".json.gz")

    @staticmethod
    def find(path):
        """(output, result), or None."""
        try:
            with gzip.open(path, "rt", encoding="utf-8") as f:
                return tuple(json.load(f))
        except (OSError, EOFError, ValueError):
            return None

    @staticmethod
    def keep(path, output, result):
        """As a whole or not at all, whenever we are stopped."""
        with gzip.open(path + ".new", "wt", encoding="utf-8", compresslevel=4) as f:
            json.dump([output, result], f)
        os.replace(path + ".new", path)

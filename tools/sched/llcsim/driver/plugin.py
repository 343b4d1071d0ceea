# SPDX-License-Identifier: GPL-2.0-only
"""The plugin's shared object, for the emulator at hand."""
import os
import subprocess

from . import Error
from .places import TOOL, locked, need, products, qemu_version

SOURCE = os.path.join(TOOL, "plugin")
# The first version of QEMU with an interface that we know, and the interface's.
# Interface 4 can add and compare in translated code; before it every block calls.
INTERFACES = (((9, 0), 4), ((7, 0), 1))


def interface():
    version = qemu_version()
    for first, api in INTERFACES:
        if version >= first:
            if api == 1 and version >= (8, 2):
                break
            return api
    raise Error(f"QEMU {version[0]}.{version[1]} is not supported; 7.0 to 8.1 and 9.0 on are")


def _files(source):
    return [os.path.join(source, f) for f in sorted(os.listdir(source)) if f[-2:] in (".c", ".h")]


def compile_plugin(source, path):
    """Makes the shared object path of the directory source."""
    need("gcc")
    run = subprocess.run(["gcc", "-O2", "-Wall", f"-DAPI={interface()}", "-shared", "-fPIC",
                          "-fvisibility=hidden", "-o", path,
                          *[f for f in _files(source) if f.endswith(".c")], "-ldl", "-lpthread"],
                         capture_output=True, text=True, check=False)
    if run.returncode:
        raise Error(f"the plugin does not compile:\n{run.stderr}")


def build():
    """Compiles the plugin when a source is newer; returns its path."""
    with locked("plugin"):
        path = os.path.join(products(), f"llcsim-{interface()}.so")
        newest = max(os.stat(f).st_mtime for f in _files(SOURCE))
        if not os.path.exists(path) or os.stat(path).st_mtime <= newest:
            compile_plugin(SOURCE, path + ".new")
            os.replace(path + ".new", path)
        return path

# SPDX-License-Identifier: GPL-2.0-only
"""Where things are: the tool, the kernel source it belongs to, its products."""
import ctypes
import fcntl
import os
import re
import subprocess
from contextlib import contextmanager

from . import Error

PR_SET_PDEATHSIG = 1    # prctl(2)
TOOL = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
TOP = os.path.dirname(os.path.dirname(os.path.dirname(TOOL)))


def in_repository():
    """True in the repository of the series, false in a kernel tree."""
    return os.path.exists(os.path.join(TOP, "patches", "series"))


def products():
    """The directory for whatever is built or fetched; made when missing."""
    path = os.environ.get("LLCSIM_BUILD")
    if not path and in_repository():
        path = os.path.join(TOP, "build", "llcsim")
    if not path:
        cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        path = os.path.join(cache, "llcsim")
    path = os.path.abspath(path)
    os.makedirs(path, exist_ok=True)
    return path


@contextmanager
def locked(what):
    """Two runs at a time must not make the same product."""
    with open(os.path.join(products(), what + ".lock"), "w", encoding="ascii") as f:
        fcntl.flock(f, fcntl.LOCK_EX)
        yield


def kernel_source():
    """The tree that the default kernel is built from."""
    if not in_repository():
        return TOP
    return os.path.join(TOP, "build", "linux")


def need(*programs):
    """Stop with the packages' names when a program is missing."""
    packages = {
        "qemu-system-aarch64": "qemu-system-arm", "dtc": "device-tree-compiler",
        "aarch64-linux-gnu-gcc": "gcc-aarch64-linux-gnu libc6-dev-arm64-cross",
        "cpio": "cpio", "gcc": "gcc libc6-dev", "make": "make", "apt-get": "apt",
        "dpkg": "dpkg", "gnuplot": "gnuplot-nox", "flex": "flex", "bison": "bison", "bc": "bc",
    }
    missing = []
    for program in programs:
        if subprocess.run(["which", program], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, check=False).returncode:
            missing.append(packages.get(program, program))
    if missing:
        raise Error("missing programs; run: apt-get install " + " ".join(missing))


def ends_with_us(signal_number):
    """To call in a child before its program starts: the signal ends it when we end, however."""
    parent = os.getpid()

    def child():
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal_number)
        if os.getppid() != parent:
            os._exit(1)

    return child


def qemu_program():
    return os.environ.get("QEMU", "qemu-system-aarch64")


def qemu_version():
    """(major, minor) of the emulator."""
    need(qemu_program())
    text = subprocess.run([qemu_program(), "--version"], capture_output=True,
                          text=True, check=True).stdout
    found = re.search(r"version (\d+)\.(\d+)", text)
    if not found:
        raise Error(f"{qemu_program()} does not tell its version")
    return int(found[1]), int(found[2])

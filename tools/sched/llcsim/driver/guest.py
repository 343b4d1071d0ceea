# SPDX-License-Identifier: GPL-2.0-only
"""The guest's file system: programs of Debian's arm64 packages, ours, and a script.

The packages are fetched with a configuration of their own, so that the host's
package state stays untouched, and unpacked, not installed.
"""
import os
import re
import shutil
import subprocess

from . import Error
from .places import TOOL, locked, need, products

CC = "aarch64-linux-gnu-gcc"
READELF = "aarch64-linux-gnu-readelf"
LOADER = "lib/ld-linux-aarch64.so.1"


def _lines(name):
    with open(os.path.join(TOOL, "guest", name), encoding="ascii") as f:
        return [line.strip() for line in f if line.strip() and not line.startswith("#")]


def _apt_environment(root):
    """A private apt for arm64 with the host's sources."""
    for d in ("lists/partial", "cache/archives/partial", "state"):
        os.makedirs(os.path.join(root, d), exist_ok=True)
    with open(os.path.join(root, "state/status"), "w", encoding="ascii"):
        pass
    conf = os.path.join(root, "apt.conf")
    with open(conf, "w", encoding="ascii") as f:
        f.write(f'APT::Architecture "arm64";\nAPT::Architectures {{ "arm64"; }};\n'
                f'APT::Sandbox::User "";\n'
                f'Dir::State::Lists "{root}/lists";\nDir::State::status "{root}/state/status";\n'
                f'Dir::Cache "{root}/cache";\n')
    return dict(os.environ, APT_CONFIG=conf, LC_ALL="C")


def _libraries_of(packages, env):
    """The packages and those of their dependencies that are libraries."""
    wanted, todo = [], list(packages)
    while todo:
        package = todo.pop()
        if package in wanted:
            continue
        wanted.append(package)
        out = subprocess.run(["apt-cache", "depends", "--no-recommends", "--no-suggests",
                              "--no-conflicts", "--no-breaks", "--no-replaces", "--no-enhances",
                              package], env=env, capture_output=True, text=True, check=False).stdout
        todo += re.findall(r"^ +(?:Pre)?Depends: (z?lib[^\s<>]+)$", out, flags=re.M)
    return wanted


def fetch(say=print):
    """Fetches and unpacks the guest's packages; returns their directory."""
    root = os.path.join(products(), "packages")
    unpacked, stamp = os.path.join(root, "root"), os.path.join(root, "done")
    wanted = _lines("packages.txt")
    if os.path.exists(stamp):
        with open(stamp, encoding="ascii") as f:
            if f.read().split() == wanted:
                return unpacked
    need("apt-get", "dpkg")
    say("llcsim: fetching the guest's programs (Debian packages for arm64)")
    os.makedirs(root, exist_ok=True)
    env = _apt_environment(root)
    subprocess.run(["apt-get", "-q", "update"], env=env, capture_output=True, check=False)
    run = subprocess.run(["apt-get", "-q", "download", *_libraries_of(wanted, env)], env=env,
                         cwd=root, capture_output=True, text=True, check=False)
    if run.returncode:
        raise Error("the guest's packages cannot be fetched; is there a network, and do the "
                    f"host's apt sources have arm64?\n  {run.stderr.strip()}")
    shutil.rmtree(unpacked, ignore_errors=True)
    for deb in sorted(f for f in os.listdir(root) if f.endswith(".deb")):
        subprocess.run(["dpkg", "-x", os.path.join(root, deb), unpacked], check=True)
    with open(stamp, "w", encoding="ascii") as f:
        f.write("\n".join(wanted) + "\n")
    return unpacked


def _find_library(unpacked, name):
    for d in ("lib/aarch64-linux-gnu", "usr/lib/aarch64-linux-gnu", "lib", "usr/lib"):
        path = os.path.join(unpacked, d, name)
        if os.path.exists(path):
            return path
    return None


def _needed(path):
    out = subprocess.run([READELF, "-d", path], capture_output=True, text=True, check=False).stdout
    return re.findall(r"\(NEEDED\).*\[(.*)\]", out)


def add_program(tree, unpacked, host, guest):
    """Copies a file, and the libraries that it needs if it is a program."""
    target = os.path.join(tree, guest.lstrip("/"))
    os.makedirs(os.path.dirname(target), exist_ok=True)
    shutil.copy2(host, target)
    todo, done = _needed(host), set()
    while todo:
        name = todo.pop()
        path = _find_library(unpacked, name)
        if name in done or not path:
            continue
        done.add(name)
        os.makedirs(os.path.join(tree, "lib"), exist_ok=True)
        shutil.copy2(path, os.path.join(tree, "lib", name))
        todo += _needed(path)


def _our_programs():
    """Ours, compiled for the guest: every guest/*.c is a program."""
    for name in sorted(os.listdir(os.path.join(TOOL, "guest"))):
        if name.endswith(".c"):
            yield os.path.join(TOOL, "guest", name), name[:-2]


def compile_program(source, target):
    need(CC)
    run = subprocess.run([CC, "-O2", "-Wall", "-static", "-pthread",
                          "-I", os.path.join(TOOL, "guest"), "-o", target, source],
                         capture_output=True, text=True, check=False)
    if run.returncode:
        raise Error(f"{source} does not compile:\n{run.stderr}")


def file_of(unpacked, path):
    """A package's file, which Debian 12 has in / and Debian 13 in /usr."""
    for d in ("", "usr"):
        host = os.path.join(unpacked, d, path)
        if os.path.exists(host):
            return host
    raise Error(f"no {path} in the guest's packages, which are in {unpacked}")


def _make_base(tree, unpacked):
    for d in ("bin", "dev", "etc", "lib", "llcsim", "proc", "run", "sys", "tmp", "usr/bin"):
        os.makedirs(os.path.join(tree, d), exist_ok=True)
    for program in _lines("programs.txt"):
        add_program(tree, unpacked, file_of(unpacked, program), f"bin/{os.path.basename(program)}")
    shutil.copy2(file_of(unpacked, LOADER), os.path.join(tree, LOADER))
    for applet in _lines("applets.txt"):
        os.symlink("busybox", os.path.join(tree, "bin", applet))
    for source, name in _our_programs():
        compile_program(source, os.path.join(tree, "bin", name))
    shutil.copy2(os.path.join(TOOL, "guest", "init"), os.path.join(tree, "init"))


def _newest(*paths):
    return max(os.stat(p).st_mtime for p in paths)


def pack(tree):
    """A directory as a cpio archive, all files root's. The guest need not unpack a plain one."""
    files = subprocess.run(["find", ".", "-print0"], cwd=tree, capture_output=True, check=True).stdout
    return subprocess.run(["cpio", "-o", "-H", "newc", "-0", "-R", "0:0", "--quiet"], cwd=tree,
                          input=files, capture_output=True, check=True).stdout


def base(say):
    """The archive that every guest starts from, remade when a part of it changed."""
    need("cpio", CC)
    unpacked = fetch(say)
    path = os.path.join(products(), "base.cpio")
    guest = os.path.join(TOOL, "guest")
    parts = [os.path.join(guest, f) for f in os.listdir(guest)] + [__file__, unpacked]
    if not os.path.exists(path) or os.stat(path).st_mtime < _newest(*parts):
        tree = os.path.join(products(), "base")
        shutil.rmtree(tree, ignore_errors=True)
        _make_base(tree, unpacked)
        with open(path + ".new", "wb") as f:
            f.write(pack(tree))
        os.replace(path + ".new", path)
    return path, unpacked


def archive(script, files, work, say):
    """The initramfs of one run: the base, then the script and the user's files."""
    with locked("guest"):
        path, unpacked = base(say)
    tree = os.path.join(work, "overlay")
    os.makedirs(os.path.join(tree, "llcsim"))
    shutil.copy2(script, os.path.join(tree, "llcsim", "script"))
    for given in files:
        host, _, target = given.partition(":")
        if not os.path.isfile(host):
            raise Error(f"no file {host}")
        add_program(tree, unpacked, host, target or f"/bin/{os.path.basename(host)}")
    with open(path, "rb") as f, open(os.path.join(work, "initrd"), "wb") as out:
        shutil.copyfileobj(f, out)
        out.write(pack(tree))
    shutil.rmtree(tree)
    return os.path.join(work, "initrd")

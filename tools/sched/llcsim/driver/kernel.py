# SPDX-License-Identifier: GPL-2.0-only
"""The guest's kernel: built when missing, and where it keeps its tasks."""
import os
import re
import shlex
import signal
import subprocess

from . import Error
from .places import (TOOL, ends_with_us, in_repository, kernel_source, locked, need,
                     products)

IMAGE = "arch/arm64/boot/Image"
# Where arm64 takes an interrupt of the kernel, from the symbol vectors on.
INTERRUPT_VECTOR = 0x280
SYMBOLS = {
    "_text": "text", "_end": "end", "memstart_addr": "memstart_addr",
    "__per_cpu_offset": "per_cpu_offset", "__entry_task": "entry_task",
    "runqueues": "runqueues",
}
OFFSETS = """
#include <linux/kbuild.h>
#include <linux/mm.h>
#include <linux/mmu_context.h>
#include "%s/sched.h"
int main(void);
int main(void)
{
	DEFINE(pid, offsetof(struct task_struct, pid));
	DEFINE(tgid, offsetof(struct task_struct, tgid));
	DEFINE(comm, offsetof(struct task_struct, comm));
	DEFINE(nr_running, offsetof(struct rq, nr_running));
	DEFINE(page_offset, PAGE_OFFSET);
	return 0;
}
"""


def _make(source, objects, *targets, say=None):
    """The kernel's make; its output goes to build.log, a count of what it made to say."""
    cc = "aarch64-linux-gnu-gcc"
    if not subprocess.run(["which", "ccache"], capture_output=True, check=False).returncode:
        cc = "ccache " + cc
    log = os.path.join(objects, "build.log")
    made = 0
    with open(log, "a", encoding="utf-8") as f, subprocess.Popen(
            ["make", "-C", source, f"O={objects}", "ARCH=arm64",
             "CROSS_COMPILE=aarch64-linux-gnu-", f"CC={cc}", f"-j{os.cpu_count()}", *targets],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            encoding="utf-8", errors="replace", preexec_fn=ends_with_us(signal.SIGTERM)) as run:
        try:
            for line in run.stdout:
                f.write(line)
                if re.match("  (CC|AS|LD|AR) ", line):
                    made += 1
                    if say and made % 250 == 0:
                        say(f"  {made} objects")
        except BaseException:
            run.terminate()     # make ends its compilers then
            raise
    if run.returncode:
        with open(log, encoding="utf-8", errors="replace") as f:
            lines = [line for line in f.read().splitlines() if not line.startswith("make")]
        wrong = [line for line in lines if "error" in line.lower()][:10] or lines[-10:]
        raise Error("the kernel does not build (" + log + "):\n  " + "\n  ".join(wrong))


def wanted(source):
    """The lines of our fragment, and the features' if the source has them."""
    with open(os.path.join(TOOL, "guest", "arm64.config"), encoding="ascii") as f:
        lines = [line.strip() for line in f if not line.startswith("# ") or " is not set" in line]
    if os.path.exists(os.path.join(source, "kernel/sched/cache")):
        lines.append("CONFIG_SCHED_CACHE=y")
    if os.path.exists(os.path.join(source, "kernel/sched/shared_runq.c")):
        lines.append("CONFIG_SCHED_SHARED_RUNQ=y")
    return lines


def is_configured(source, objects):
    """Whether the objects' configuration was made from the fragment as it is now."""
    stamp = os.path.join(objects, ".llcsim-config")
    if not os.path.exists(stamp) or not os.path.exists(os.path.join(objects, ".config")):
        return False
    with open(stamp, encoding="ascii") as f:
        return f.read().splitlines() == wanted(source)


def _configure(source, objects):
    """tinyconfig and our fragment; an option that does not survive is an error."""
    lines = wanted(source)
    _make(source, objects, "tinyconfig")
    config = os.path.join(objects, ".config")
    with open(config, "a", encoding="ascii") as f:
        f.write("\n".join(lines) + "\n")
    _make(source, objects, "olddefconfig")
    with open(config, encoding="ascii") as f:
        have = set(f.read().splitlines())
    lost = [w for w in lines if w.startswith("CONFIG_") and w not in have]
    if lost:
        raise Error(f"{source}: options that did not survive olddefconfig: {' '.join(lost)}")
    with open(os.path.join(objects, ".llcsim-config"), "w", encoding="ascii") as f:
        f.write("\n".join(lines) + "\n")


def build(source=None, objects=None, say=print):
    """Builds the kernel of source in objects; returns the Image's path."""
    source = os.path.abspath(source or kernel_source())
    objects = os.path.abspath(objects or os.path.join(products(), "kernel"))
    if not os.path.exists(os.path.join(source, "Makefile")):
        hint = "; `make tree` makes it" if in_repository() else ""
        raise Error(f"no kernel source in {source}{hint}")
    need("make", "aarch64-linux-gnu-gcc", "flex", "bison", "bc")
    os.makedirs(objects, exist_ok=True)
    with locked("kernel"):
        if not is_configured(source, objects):
            _configure(source, objects)
        say(f"llcsim: building {source} in {objects} (some minutes the first time)")
        _make(source, objects, "Image", say=say)
    return os.path.join(objects, IMAGE)


def default_image(say):
    """The kernel of our own source, built when missing."""
    image = os.path.join(products(), "kernel", IMAGE)
    return image if os.path.exists(image) else build(say=say)


def _objects_of(image):
    objects = os.path.abspath(os.path.join(os.path.dirname(os.path.realpath(image)), "../../.."))
    return objects if os.path.exists(os.path.join(objects, "vmlinux")) else None


def _symbols(objects):
    out = subprocess.run(["nm", os.path.join(objects, "vmlinux")], capture_output=True,
                         text=True, check=False).stdout
    found = {}
    for line in out.splitlines():
        address, _, name = (line.split() + ["", ""])[:3]
        if name in SYMBOLS:
            found[SYMBOLS[name]] = int(address, 16)
        elif re.fullmatch(r"finish_task_switch(\.[a-z]+\.\d+)*", name):
            found["switch"] = int(address, 16)
    return found


def _offsets(objects):
    """Compiles OFFSETS as kbuild compiled kernel/sched/core.c, to assembler."""
    with open(os.path.join(objects, "kernel/sched/.core.o.cmd"), encoding="utf-8") as f:
        command = shlex.split(f.readline().split(":=", 1)[1].split(";")[0])
    source = os.path.join(objects, "llcsim-offsets.c")
    with open(source, "w", encoding="ascii") as f:
        f.write(OFFSETS % os.path.dirname(os.path.join(objects, command[-1])))
    command = [c for c in command if not c.startswith("-Wp,-MMD")]
    command[command.index("-c")] = "-S"
    command[command.index("-o") + 1] = source[:-1] + "s"
    command[-1] = source
    subprocess.run(command, cwd=objects, check=True, capture_output=True)
    with open(source[:-1] + "s", encoding="utf-8") as f:
        return {m[1]: int(m[2]) & (1 << 64) - 1
                for m in re.finditer(r'"->(\w+) [$#]?(-?\d+) ', f.read())}


def layout(image):
    """Text for the plugin (plugin/guest.c), or None when the image's build is not there."""
    objects = _objects_of(image)
    if not objects:
        return None
    try:
        values = _symbols(objects) | _offsets(objects)
    except (OSError, ValueError, subprocess.CalledProcessError):
        return None
    names = set(SYMBOLS.values()) | {"switch", "pid", "tgid", "comm", "nr_running", "page_offset"}
    if names - set(values):
        return None
    return "".join(f"{k} {v:#x}\n" for k, v in values.items())


def probes(image, symbols):
    """Text for the plugin (plugin/probe.c): where each function begins and comes back to."""
    objects = _objects_of(image)
    if not objects:
        raise Error(f"{image}: to count calls its vmlinux is needed, which is not there")
    vmlinux = os.path.join(objects, "vmlinux")
    need("aarch64-linux-gnu-gcc")
    nm = subprocess.run(["nm", vmlinux], capture_output=True, text=True, check=True).stdout
    code = subprocess.run(["aarch64-linux-gnu-objdump", "-d", "--no-show-raw-insn", vmlinux],
                          capture_output=True, text=True, check=True).stdout
    interrupt = int(re.search(r"^(\w+) T vectors$", nm, re.M)[1], 16) + INTERRUPT_VECTOR
    lines = [f"interrupt vectors {interrupt:#x}"]
    for symbol in symbols:
        entry = re.search(rf"^(\w+) [Tt] {re.escape(symbol)}$", nm, re.M)
        calls = re.findall(rf"^ *(\w+):\tbl\t\w+ <{re.escape(symbol)}>$", code, re.M)
        if not entry or not calls:
            raise Error(f"{image}: no calls of {symbol}; is it inlined?")
        lines.append(f"call {symbol} {int(entry[1], 16):#x}")
        lines += [f"return {symbol} {int(call, 16) + 4:#x}" for call in calls]
    return "".join(line + "\n" for line in lines)


def config(image):
    """The image's configuration, or None."""
    objects = _objects_of(image)
    if not objects:
        return None
    with open(os.path.join(objects, ".config"), encoding="ascii") as f:
        return f.read()

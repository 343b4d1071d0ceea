# SPDX-License-Identifier: GPL-2.0-only
"""The guest's device tree: QEMU's own, with our caches and our map of the CPUs.

A CPU without a cache node would make the kernel build no scheduling domains at
all, without a word. So every CPU gets one, and the first thing a guest does is to
count the domains.
"""
import re
import subprocess

from . import Error

PRIVATE, SHARED = 0x9000, 0xA000  # phandles; QEMU's own begin at 0x8000
CPU_NODE = re.compile(r"\t\tcpu@([0-9a-f]+) \{\n(.*?)\n\t\t\};\n", re.S)


def _cache(name, level, size, phandle, parent=None):
    up = f"next-level-cache = <{parent:#x}>; " if parent is not None else ""
    return (f'\t\t{name} {{ compatible = "cache"; cache-level = <{level}>; cache-unified; '
            f"cache-size = <{size:#x}>; cache-line-size = <64>; "
            f"cache-sets = <{size // 64 // 16}>; phandle = <{phandle:#x}>; {up}}};\n")


def _caches(topology, private_bytes):
    out, seen = "", set()
    for cpu in topology.cpus:
        if cpu.core not in seen:
            seen.add(cpu.core)
            out += _cache(f"l2-cache{cpu.core}", 2, private_bytes, PRIVATE + cpu.core,
                          SHARED + cpu.llc)
    for i, llc in enumerate(topology.llcs):
        out += _cache(f"l3-cache{i}", 3, llc.bytes, SHARED + i)
    return out


def _cpu_map(topology, phandles):
    """socketN { cluster0 { coreN { threadN { cpu } } } }, a socket per node."""
    out = "\t\tcpu-map {\n"
    for node in range(topology.nr_nodes):
        out += f"\t\t\tsocket{node} {{ cluster0 {{\n"
        cores = {}
        for i in topology.node_cpus(node):
            cores.setdefault(topology.cpus[i].core, []).append(phandles[i])
        for n, threads in enumerate(cores.values()):
            if len(threads) == 1:
                out += f"\t\t\t\tcore{n} {{ cpu = <{threads[0]:#x}>; }};\n"
            else:
                out += f"\t\t\t\tcore{n} {{ " + " ".join(
                    f"thread{t} {{ cpu = <{p:#x}>; }};" for t, p in enumerate(threads)) + " };\n"
        out += "\t\t\t}; };\n"
    return out + "\t\t};\n"


def edit(text, topology, private_bytes):
    """QEMU's tree as text with our caches and map."""
    phandles = {}
    text = re.sub(r"\t\tcpu-map \{.*?\n\t\t\};\n", "", text, flags=re.S)

    def one(found):
        nr = len(phandles)
        body = found[2]
        phandle = re.search(r"phandle = <(0x[0-9a-f]+)>", body)
        if phandle:
            phandles[nr] = int(phandle[1], 16)
        else:
            phandles[nr] = 0xB000 + nr
            body = f"\t\t\tphandle = <{phandles[nr]:#x}>;\n" + body
        return (f"\t\tcpu@{found[1]} {{\n"
                f"\t\t\tnext-level-cache = <{PRIVATE + topology.cpus[nr].core:#x}>;\n"
                f"{body}\n\t\t}};\n")

    nodes = CPU_NODE.findall(text)
    if len(nodes) != len(topology.cpus):
        raise Error(f"QEMU's device tree has {len(nodes)} CPUs, the topology "
                    f"{len(topology.cpus)}")
    # by number, whatever their order in the file
    order = sorted(range(len(nodes)), key=lambda k: int(nodes[k][0], 16))
    found = list(CPU_NODE.finditer(text))
    edited = {k: one(found[k]) for k in order}
    out, last = "", 0
    for k, match in enumerate(found):
        out += text[last:match.start()] + edited[k]
        last = match.end()
    text = out + text[last:]
    ours = _caches(topology, private_bytes) + _cpu_map(topology, phandles)
    # after the properties of /cpus, before its first child
    text, n = re.subn(r"(\tcpus \{\n(?:\t\t[^\n{]*;\n|\n)*)", lambda m: m[1] + ours, text, count=1)
    if n != 1:
        raise Error("QEMU's device tree has no node /cpus")
    return text


def make(qemu_args, topology, private_bytes, work):
    """Writes work/machine.dts and .dtb; qemu_args are those of the machine alone."""
    args = list(qemu_args)
    at = args.index("-M") + 1
    args[at] += f",dumpdtb={work}/qemu.dtb"
    run = subprocess.run(args + ["-display", "none", "-monitor", "none", "-serial", "none"],
                         capture_output=True, text=True, check=False)
    text = subprocess.run(["dtc", "-q", "-I", "dtb", "-O", "dts", f"{work}/qemu.dtb"],
                          capture_output=True, text=True, check=False).stdout
    if not text:
        raise Error(f"QEMU gives no device tree: {run.stderr.strip()}")
    with open(f"{work}/machine.dts", "w", encoding="ascii") as f:
        f.write(edit(text, topology, private_bytes))
    subprocess.run(["dtc", "-q", "-I", "dts", "-O", "dtb", "-o", f"{work}/machine.dtb",
                    f"{work}/machine.dts"], check=True)

# SPDX-License-Identifier: GPL-2.0-only
"""The simulated machine: which CPU is in which core, LLC and node.

One line describes it. LLCs are separated by commas, nodes by slashes:

    4*4             four LLCs of four cores
    4,8,4           unequal LLCs
    2*8@32M,4@16M   with their sizes
    4*4x2           two threads per core
    2*8/2*8         two nodes of two LLCs each
"""
import re
from dataclasses import dataclass, field

from . import Error

MAX_CPUS, MAX_LLCS, MAX_NODES = 128, 32, 8
MAX_CORES = 64  # with caches
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
TERM = re.compile(r"(?:(\d+)\*)?(\d+)(?:x(\d+))?(?:@(\d+)([KMG]?))?$")


@dataclass
class Llc:
    """A last-level cache and the CPUs that share it."""
    node: int
    cores: int
    threads: int
    bytes: int
    cpus: list = field(default_factory=list)


@dataclass
class Cpu:
    """A hardware thread."""
    core: int
    thread: int
    llc: int
    node: int


class Topology:
    """The parsed description; CPUs are numbered LLC by LLC, threads of a core together."""

    def __init__(self, text, llc_bytes):
        self.text, self.llcs, self.cpus = text, [], []
        self.nr_nodes, self.nr_cores = 0, 0
        for part in text.replace(" ", "").split("/"):
            for term in part.split(","):
                self._add(term, llc_bytes)
            self.nr_nodes += 1
        for value, limit, what in ((len(self.cpus), MAX_CPUS, "CPUs"),
                                   (len(self.llcs), MAX_LLCS, "LLCs"),
                                   (self.nr_nodes, MAX_NODES, "nodes")):
            if value > limit:
                raise Error(f"topology {text}: {value} {what}, at most {limit}")

    def _add(self, term, llc_bytes):
        found = TERM.match(term)
        if not found:
            raise Error(f"topology {self.text}: cannot read '{term}'; say for example "
                        "4*4, 2*8@32M, 4*4x2 or 2*8/2*8")
        times, cores, threads = (int(found[i] or 1) for i in (1, 2, 3))
        size = int(found[4]) * UNITS[found[5]] if found[4] else llc_bytes
        if not times or not cores or not 1 <= threads <= 4 or times * cores * threads > MAX_CPUS:
            raise Error(f"topology {self.text}: '{term}' makes no sense; at most "
                        f"{MAX_CPUS} CPUs, 1 to 4 threads a core")
        for _ in range(times):
            llc = Llc(self.nr_nodes, cores, threads, size)
            for _ in range(cores):
                for thread in range(threads):
                    llc.cpus.append(len(self.cpus))
                    self.cpus.append(Cpu(self.nr_cores, thread, len(self.llcs), self.nr_nodes))
                self.nr_cores += 1
            self.llcs.append(llc)

    def node_cpus(self, node):
        return [i for i, c in enumerate(self.cpus) if c.node == node]


def from_counts(cpus, llcs):
    """The description of cpus CPUs spread evenly over llcs LLCs."""
    if cpus < 1 or llcs < 1 or llcs > cpus:
        raise Error(f"{cpus} CPUs in {llcs} LLCs: at least one CPU per LLC")
    small, more = divmod(cpus, llcs)
    parts = [f"{more}*{small + 1}"] if more else []
    return ",".join(parts + [f"{llcs - more}*{small}"])


def cpu_list(cpus):
    """[0, 1, 2, 5] as the kernel writes it: 0-2,5."""
    out = []
    for cpu in cpus:
        if out and out[-1][1] == cpu - 1:
            out[-1][1] = cpu
        else:
            out.append([cpu, cpu])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in out)

# SPDX-License-Identifier: GPL-2.0-only
"""The figures of the model: from a preset, changed by the user, told to the plugin."""
import os
import tomllib

from . import Error
from .places import TOOL
from .topology import UNITS

FIGURES = {
    "private_bytes": "private cache of a core, all levels as one",
    "private_ways": "its ways",
    "llc_bytes": "an LLC, where the topology does not say",
    "llc_ways": "its ways",
    "insn_ns": "an instruction that hits",
    "smt_factor": "how much slower while another thread of the core runs",
    "llc_ns": "stall of an access that its LLC serves",
    "remote_ns": "that another LLC of the node serves",
    "remote_node_ns": "that an LLC of another node serves",
    "memory_ns": "that the memory of the node serves",
    "memory_node_ns": "that the memory of another node serves",
    "node_bandwidth": "memory bandwidth of a node in bytes per us, 0 is no limit",
    "overlap": "misses of a stream in flight at once",
    "quantum_ns": "how far a CPU may be ahead of the clock",
    "serial": "1: CPUs run one by one on the host; 0: in parallel",
    "debug": "1: end the run when a CPU is beyond the quantum or the clock goes back",
    "node_distance": "what the kernel is told of the way to another node",
}


def preset_names():
    return sorted(f[:-5] for f in os.listdir(os.path.join(TOOL, "presets"))
                  if f.endswith(".toml"))


def preset(name):
    """The figures of a preset with their sources, as in its file."""
    path = os.path.join(TOOL, "presets", name + ".toml")
    if not os.path.exists(path):
        raise Error(f"no preset {name}; there are {', '.join(preset_names())}")
    with open(path, "rb") as f:
        return tomllib.load(f)


def _number(text):
    unit = text[-1:].upper()
    try:
        if unit in UNITS and unit:
            return int(text[:-1]) * UNITS[unit]
        return float(text) if "." in text else int(text)
    except ValueError:
        raise Error(f"'{text}' is not a number") from None


def figures(name, changes):
    """A preset's figures with the user's 'name=value' changes."""
    values = {"quantum_ns": 1000, "node_distance": 20, "overlap": 1, "serial": 1,
              "debug": 0}
    values.update((k, v["value"]) for k, v in preset(name).items() if isinstance(v, dict))
    for change in changes:
        key, _, value = change.partition("=")
        if key not in FIGURES or not value:
            raise Error(f"cannot set '{change}'; say NAME=NUMBER, with one of: "
                        + ", ".join(FIGURES))
        values[key] = _number(value)
    return values


def describe(topology, values, node_bytes):
    """What the plugin reads; see plugin/machine.c."""
    lines = [f"# topology {topology.text}"]
    for i, cpu in enumerate(topology.cpus):
        lines.append(f"cpu {i} core {cpu.core} llc {cpu.llc} node {cpu.node}")
    for i, llc in enumerate(topology.llcs):
        lines.append(f"llc {i} bytes {llc.bytes}")
    for node in range(topology.nr_nodes):
        lines.append(f"node {node} bytes {node_bytes} bandwidth {values['node_bandwidth']}")
    for key in FIGURES:
        if key not in ("llc_bytes", "node_bandwidth", "node_distance"):
            lines.append(f"{key} {values[key]}")
    return "\n".join(lines) + "\n"

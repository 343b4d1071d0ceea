# SPDX-License-Identifier: GPL-2.0-only
"""llctop, see llctop.8: makes folders that stand for /proc and /sys.

A Machine is what one look sees. Several of them, one after the other, are what
looks see in turn (LLCTOP_ROOT=A:B); see files.c.
"""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
LLCTOP = os.environ.get("LLCTOP", os.path.join(HERE, "..", "llctop"))

STATUS = """state: %s
llcs: 4
llc 0: cpus 0-3 cores 4 node 0 bytes 16777216 busy 0.00 claimed 0.00
llc 1: cpus 4-7 cores 4 node 0 bytes 16777216 busy 0.07 claimed 0.00
llc 2: cpus 8-11 cores 4 node 1 bytes 16777216 busy 0.00 claimed 0.00
llc 3: cpus 12-15 cores 4 node 1 bytes 16777216 busy 2.69 claimed 2.38
groups: 1
moves: fork 4 wake 0 push 2 spread 0
holds: 21
spills: 3
"""


def cpu_list(cpus):
    return ",".join(str(cpu) for cpu in cpus) + "\n"


def sched_lines(**lines):
    """A file like /proc/PID/sched; llc_ is put before each name."""
    text = "name (10, #threads: 2)\n" + "-" * 67 + "\n"
    text += "%-45s:%21s\n" % ("se.exec_start", "1.000000")
    for name, value in lines.items():
        text += "%-45s:%21s\n" % ("llc_" + name, value)
    return text + "%-45s:%21s\n" % ("prio", "120")


class Machine:
    """CPUs in LLCs, at a time in seconds after boot."""

    def __init__(self, root, llcs, time, smt=1, level=3, nodes=1, caches=True,
                 offline=(), busy=None):
        self.root = str(root)
        self.llcs = llcs
        cpus = sorted(cpu for llc in llcs for cpu in llc)
        online = [cpu for cpu in cpus if cpu not in offline]
        self.write("proc/uptime", f"{time:.2f} 1.00\n")
        self.write_stat(online, time, busy or {})
        self.write("sys/devices/system/cpu/online", cpu_list(online))
        self.write("sys/devices/system/node/online", cpu_list(range(nodes)))
        per_node = len(llcs) // nodes
        for node in range(nodes):
            there = [cpu for llc in llcs[node * per_node:(node + 1) * per_node]
                     for cpu in llc if cpu in online]
            self.write(f"sys/devices/system/node/node{node}/cpulist",
                       cpu_list(there))
        for llc, members in enumerate(llcs):
            there = [cpu for cpu in members if cpu in online]
            for cpu in there:
                core = [c for c in there if there.index(c) // smt ==
                        there.index(cpu) // smt]
                self.write_cpu(cpu, llc, there, core, level, caches)

    def write(self, path, text):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())

    def read(self, path):
        with open(os.path.join(self.root, path), encoding="ascii") as file:
            return file.read()

    def write_stat(self, online, time, busy):
        """Each CPU was busy for its share, in percent, of the time."""
        lines = ["cpu  1 2 3 4 5 6 7 8 9 10"]
        for cpu in online:
            ticks = int(time * busy.get(cpu, 0))
            lines.append(f"cpu{cpu} {ticks} 0 0 {int(time * 100) - ticks} 0 0 0 0 0 0")
        self.write("proc/stat", "\n".join(lines) + "\nintr 1 2 3\n")

    def write_cpu(self, cpu, llc, members, core, level, caches):
        top = f"sys/devices/system/cpu/cpu{cpu}"
        self.write(f"{top}/topology/core_cpus_list", cpu_list(core))
        self.write(f"{top}/topology/package_cpus_list", cpu_list(members))
        if not caches:
            return
        for index, (at, kind, shared, size) in enumerate((
                (1, "Data", core, "32K"), (1, "Instruction", core, "32K"),
                (2, "Unified", core if level > 2 else members, "1024K"),
                (3, "Unified", members, "16384K"))):
            if at > level:
                break
            cache = f"{top}/cache/index{index}"
            self.write(f"{cache}/level", f"{at}\n")
            self.write(f"{cache}/type", f"{kind}\n")
            self.write(f"{cache}/shared_cpu_list", cpu_list(shared))
            self.write(f"{cache}/size", size + "\n")
            self.write(f"{cache}/id", f"{llc}\n")

    def thread(self, pid, tid, cpu, ticks, comm="worker", threads=2, start=100,
               state="S", sched=None, ppid=1, run_ns=None):
        """A thread that was last on cpu and has run for so many ticks."""
        fields = [state, ppid, *[0] * 9, ticks, 0, 0, 0, 20, 0, threads, 0,
                  start, *[0] * 16, cpu, 0, 0, 0]
        stat = f"{tid} ({comm}) " + " ".join(map(str, fields)) + "\n"
        self.write(f"proc/{pid}/task/{tid}/stat", stat)
        if run_ns is not None:
            self.write(f"proc/{pid}/task/{tid}/schedstat", f"{run_ns} 0 1\n")
        if sched:
            self.write(f"proc/{pid}/task/{tid}/sched", sched)
        if tid == pid:
            self.write(f"proc/{pid}/stat", stat)
            if sched:
                self.write(f"proc/{pid}/sched", sched)

    def process(self, pid, threads, command=b"prog\0-x\0", uid=0, **more):
        """threads are (TID, CPU, ticks) or (TID, CPU, ticks, sched file)."""
        for tid, cpu, ticks, *sched in threads:
            self.thread(pid, tid, cpu, ticks, threads=len(threads),
                        sched=sched[0] if sched else None, **more)
        self.write(f"proc/{pid}/cmdline", command)
        self.write(f"proc/{pid}/status",
                   f"Name:\tprog\nUid:\t{uid}\t{uid}\t{uid}\t{uid}\n")

    def feature(self, state="active", status=STATUS):
        """With the feature and its llc_status; None: a kernel without it."""
        self.write("sys/kernel/debug/sched/features", "PLACE_LAG\n")
        if state:
            self.write("sys/kernel/debug/sched/llc_status", status % state)
            self.write("sys/kernel/debug/sched/llc_enabled",
                       "1\n" if state == "active" else "0\n")


def run(*arguments, roots=None, **more):
    """Runs llctop on machines, one for each look."""
    env = dict(os.environ, LC_ALL="C.UTF-8")
    env.pop("LLCTOP_ROOT", None)
    if roots:
        env["LLCTOP_ROOT"] = ":".join(r.root if isinstance(r, Machine) else r
                                      for r in roots)
    return subprocess.run([LLCTOP, *arguments], env=env, text=True,
                          capture_output=True, timeout=60,
                          stdin=subprocess.DEVNULL, **more)


def run_json(*arguments, roots=None):
    """The members of samples. What is said beside the document is an error."""
    done = run("--json", "-d", "0.1", *arguments, roots=roots)
    if done.returncode or done.stderr:
        sys.stderr.write(done.stderr)
        raise AssertionError(f"llctop ended with {done.returncode}")
    return json.loads(done.stdout)["samples"]

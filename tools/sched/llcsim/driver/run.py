# SPDX-License-Identifier: GPL-2.0-only
"""One run: QEMU with the plugin, its console, its end, its result."""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from . import Error, devicetree, guest, kernel, model, plugin
from .places import ends_with_us, need, qemu_program, qemu_version
from .topology import MAX_CORES, Topology

BAD = re.compile(r"WARNING: |BUG: |Oops|Kernel panic|Call trace:|rcu: INFO|INFO: task .* blocked|"
                 r"possible circular locking|inconsistent lock state")
MODEL_WRONG, TIME_LIMIT, KERNEL_BAD, NO_END = 123, 124, 125, 126   # the first: plugin/time.h


class Run:
    """What to run; run() does it once."""

    def __init__(self, script, image, topology, preset, changes=(), files=(), seed=1,
                 memory=1 << 30, limit=600, append="", model_on=True, out=None, say=None, so=None,
                 probes=()):
        self.script, self.image, self.files = script, image, list(files)
        self.values = model.figures(preset, changes)
        self.topology = Topology(topology, int(self.values["llc_bytes"]))
        if model_on and self.topology.nr_cores > MAX_CORES:
            raise Error(f"topology {topology}: {self.topology.nr_cores} cores, with caches at most "
                        f"{MAX_CORES} (--no-model leaves them out)")
        self.preset, self.seed, self.memory, self.limit = preset, seed, memory, limit
        self.append, self.model_on, self.out, self.so = append, model_on, out, so
        self.probes = probes
        self.say = say or (lambda text: print(text, file=sys.stderr))
        self.show = sys.stdout
        self.process, self.timed_out = None, False

    def _machine_args(self):
        """The part of QEMU's command line that shapes the device tree."""
        nodes = self.topology.nr_nodes
        each = self.memory // nodes
        args = [qemu_program(), "-M", "virt,gic-version=3", "-cpu", "cortex-a76",
                "-smp", str(len(self.topology.cpus)), "-m", f"{self.memory >> 20}M",
                "-seed", str(self.seed)]
        for n in range(nodes):
            args += ["-object", f"memory-backend-memfd,id=ram{n},size={each}"]
        if nodes == 1:
            args[2] += ",memory-backend=ram0"
            return args
        for n in range(nodes):
            cpus = self.topology.node_cpus(n)
            args += ["-numa", f"node,nodeid={n},memdev=ram{n},cpus={cpus[0]}-{cpus[-1]}"]
        for a in range(nodes):
            for b in range(nodes):
                if a != b:
                    args += ["-numa", f"dist,src={a},dst={b},val={self.values['node_distance']}"]
        return args

    def _prepare(self, work):
        if self.memory % (self.topology.nr_nodes << 21):
            raise Error("each node's memory must be a multiple of 2 MiB")
        with open(f"{work}/machine", "w", encoding="ascii") as f:
            f.write(model.describe(self.topology, self.values,
                                   self.memory // self.topology.nr_nodes))
        machine = self._machine_args()
        devicetree.make(machine, self.topology, int(self.values["private_bytes"]), work)
        guest.archive(self.script, self.files, work, self.say)
        so = self.so or plugin.build()
        options = f"{so},machine={work}/machine,result={work}/counts.json"
        if not self.model_on:
            options += ",model=0"
        layout = kernel.layout(self.image)
        if layout:
            with open(f"{work}/layout", "w", encoding="ascii") as f:
                f.write(layout)
            options += f",guest={work}/layout"
        if self.probes:
            with open(f"{work}/probes", "w", encoding="ascii") as f:
                f.write(kernel.probes(self.image, self.probes))
            options += f",probes={work}/probes"
        append = (f"console=ttyAMA0 quiet nokaslr panic=-1 {self.append} "
                  f"LLCSIM_CPUS={len(self.topology.cpus)} LLCSIM_LLCS={len(self.topology.llcs)}")
        return so, machine + ["-accel", "tcg,thread=multi",
                              "-kernel", self.image, "-initrd", f"{work}/initrd",
                              "-dtb", f"{work}/machine.dtb", "-append", append,
                              "-display", "none", "-monitor", "none", "-serial", "stdio",
                              "-no-reboot", "-plugin", options]

    def _start(self, so, command):
        end_with_us = ends_with_us(signal.SIGKILL)

        def child():
            end_with_us()
            os.setpgid(0, 0)

        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, env=dict(os.environ, LD_PRELOAD=so),
                                preexec_fn=child)

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.kill()

    def _time_is_up(self):
        self.timed_out = True
        self.stop()

    def _follow(self, console):
        """Shows the script's output, keeps all; returns the exit status and what was bad."""
        status, bad, release = None, [], ""
        begun, shown = False, True
        for raw in self.process.stdout:
            line = raw.decode(errors="replace").replace("\r", "").rstrip("\n")
            console.write(line + "\n")
            mark = re.search("\x1ellcsim-(begin|exit|kernel) ?(.*)", line)
            said = line[:mark.start()] if mark else line
            if mark and mark[1] == "begin":
                begun = True
            elif mark and mark[1] == "kernel":
                release = mark[2]
            elif mark:
                status = int(mark[2])
            if BAD.search(said):
                bad.append(said)
            # before the begin and after the end only the kernel speaks
            if said and shown and (begun or bad or said.startswith("llcsim:")):
                print(said, file=self.show, flush=True)
            shown = status is None
        return status, bad, release

    def run(self):
        """Returns the script's exit status, or one of our own above 122, and the result."""
        need(qemu_program(), "dtc")
        if not os.path.exists(self.script):
            raise Error(f"no script {self.script}")
        if not os.path.exists(self.image):
            raise Error(f"no kernel {self.image}")
        with tempfile.TemporaryDirectory(prefix="llcsim.") as work:
            so, command = self._prepare(work)
            started = time.monotonic()
            self.process = self._start(so, command)
            timer = threading.Timer(self.limit, self._time_is_up)
            timer.daemon = True
            timer.start()
            try:
                with open(f"{work}/console", "w", encoding="utf-8") as console:
                    status, bad, release = self._follow(console)
                self.process.wait()
            finally:
                timer.cancel()
                self.stop()
                self.process.wait()
            status = self._judge(status, bad)
            result = self._result(work, status, bad, release, time.monotonic() - started, command)
            self._keep(work, result)
        return status, result

    def _judge(self, status, bad):
        if self.timed_out:
            self.say(f"llcsim: the run took more than {self.limit} s of the host and was ended "
                     "(-T SECONDS gives it more)")
            return TIME_LIMIT
        if self.process.returncode == MODEL_WRONG:
            self.say("llcsim: the model is wrong, nothing of this run counts; its last line says why")
            return MODEL_WRONG
        if bad:
            self.say(f"llcsim: the kernel complained: {bad[0]}")
            return status or KERNEL_BAD
        if status is None:
            self.say("llcsim: the guest ended before its script did; see the console")
            return NO_END
        return status

    def _result(self, work, status, bad, release, seconds, command):
        counts = {}
        if os.path.exists(f"{work}/counts.json"):
            with open(f"{work}/counts.json", encoding="utf-8") as f:
                counts = json.load(f)
        insns = counts.get("insns", 0)
        return {
            "status": status, "kernel_complaints": bad, "kernel": release, "image": self.image,
            "qemu": "%d.%d" % qemu_version(), "seed": self.seed,
            "topology": self.topology.text, "preset": self.preset, "figures": self.values,
            "host_s": round(seconds, 2),
            "insns_per_host_s": int(insns / seconds) if seconds else 0,
            "qemu_command": command, **counts,
        }

    def _keep(self, work, result):
        if not self.out:
            return
        os.makedirs(self.out, exist_ok=True)
        for name in ("console", "machine", "machine.dts"):
            shutil.copy(f"{work}/{name}", os.path.join(self.out, name))
        shutil.copy(self.script, os.path.join(self.out, "script"))
        config = kernel.config(self.image)
        if config:
            with open(os.path.join(self.out, "kernel.config"), "w", encoding="ascii") as f:
                f.write(config)
        with open(os.path.join(self.out, "command"), "w", encoding="utf-8") as f:
            f.write(" ".join(sys.argv) + "\n")
        with open(os.path.join(self.out, "result.json"), "w", encoding="utf-8") as f:
            json.dump(result, f, indent=1)
            f.write("\n")

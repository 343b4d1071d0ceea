# SPDX-License-Identifier: GPL-2.0-only
"""The benchmark: stock kernel, patched off and on, and pinned by hand.

Environment: QUICK=1 for at most ten minutes; OUT=DIR, default out/bench;
STOCK=IMAGE and KERNEL=IMAGE instead of building them; CASES="a b" for some cases.
"""
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Lock

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.path.insert(0, HERE)

import report  # noqa: E402
from cases import CASES, COSTS  # noqa: E402
from driver import Error, guest, kernel  # noqa: E402
from driver.places import TOOL, TOP, in_repository, kernel_source, need, products  # noqa: E402
from driver.run import Run  # noqa: E402
from driver.topology import Topology  # noqa: E402

KINDS = {"stock": ("stock",), "patched": ("off", "on", "pinned")}
COST_CPU = 1    # as in guest/kernel_ops.c
HEAT = ("burst", "programs")

PROLOGUE = """\
knob() { [ -z "$LLCSIM_KNOBS" ] || echo $1 >"$LLCSIM_KNOBS/llc_enabled"; }
one()
{
	case $2 in on) knob 1;; *) knob 0;; esac
	if [ $2 = pinned ]; then
		PIN="taskset $MASK1" PIN0="taskset $MASK0" PIN1="taskset $MASK1"
		PIN2="taskset $MASK2" PIN3="taskset $MASK3"
	else
		PIN= PIN0= PIN1= PIN2= PIN3=
	fi
	export VARIANT=$2 PIN PIN0 PIN1 PIN2 PIN3
	llcmark run $1.$2 sh -c "$3" >/tmp/out 2>&1
	echo "bench-case $1 $2 $?"
	cat /tmp/out
	echo bench-end
}
"""


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def masks(topology):
    llcs = Topology(topology, 1).llcs
    return [format(sum(1 << c for c in llcs[i % len(llcs)].cpus), "x") for i in range(4)]


def script(cases, variants, topology):
    """The guest script of one boot: every case in every variant, in turn."""
    lines = [PROLOGUE] + [f"MASK{i}={m}" for i, m in enumerate(masks(topology))]
    for case in cases:
        lines += [f"one {case.name} {v} {quoted(case.command)}" for v in variants]
    return "\n".join(lines) + "\n"


def cost_script(variants):
    lines = [PROLOGUE, "MASK0=1 MASK1=1 MASK2=1 MASK3=1"]
    for variant in variants:
        for name, count in COSTS:
            lines.append(f"one cost {variant} {quoted(f'kernel_ops {name} {count}')}")
    return "\n".join(lines) + "\n"


class Bench:
    """Boots guests and collects their numbers."""

    def __init__(self, images, files, work, quick):
        self.images, self.files, self.work, self.quick = images, files, work, quick
        self.values, self.costs, self.heat, self.problems = {}, {}, {}, []
        self.host_s, self.insns, self.lock = 0.0, 0, Lock()

    def boot(self, image, text, topology, seed):
        """Returns what the guest printed and the result."""
        handle, path = tempfile.mkstemp(dir=self.work, suffix=".sh")
        with os.fdopen(handle, "w", encoding="ascii") as f:
            f.write(text)
        run = Run(path, image, topology, "genoa", ["llc_bytes=16M"], self.files, seed, limit=3000,
                  say=self.problems.append)
        run.show, run.out = io.StringIO(), path + ".out"
        status, result = run.run()
        with self.lock:
            self.host_s += result["host_s"]
            self.insns += result.get("insns", 0)
            if status:
                with open(os.path.join(run.out, "console"), encoding="utf-8") as f:
                    last = " / ".join(f.read().splitlines()[-3:])
                self.problems.append(f"{image}: the guest ended with {status}: {last}")
        return run.show.getvalue(), result

    def take(self, output, cases):
        by_name = {c.name: c for c in cases}
        for found in re.finditer(r"^bench-case (\S+) (\S+) (\d+)\n(.*?)^bench-end$", output,
                                 re.M | re.S):
            case, variant, status, text = by_name.get(found[1]), found[2], found[3], found[4]
            if not case:
                continue
            for metric in case.metrics:
                numbers = [float(n) for n in re.findall(metric.pattern, text)]
                if status != "0" or not numbers:
                    self.problems.append(f"{case.name} {variant}: status {status}, "
                                         f"{text.strip()[-200:]}")
                    continue
                if not metric.each:
                    numbers = [max(numbers) if metric.less_is_better else min(numbers)]
                self.values.setdefault(case.name, {}).setdefault(metric.name, {}) \
                    .setdefault(variant, []).extend(numbers)

    def keep_heat(self, result, variants):
        for name in HEAT:
            for variant in variants:
                region = next((r for r in result.get("regions", [])
                               if r["name"] == f"{name}.{variant}"), None)
                if region and result.get("timeline") and (name, variant) not in self.heat:
                    self.heat[name, variant] = report.heat(result, region)

    def measure(self, cases, topology, kind, variants, repeat):
        """One boot: cases of one topology in the variants of one kernel."""
        output, result = self.boot(self.images[kind], script(cases, variants, topology),
                                   topology, repeat + 1)
        with self.lock:
            self.take(output, cases)
            self.keep_heat(result, variants)

    def measure_costs(self, kind, variants):
        _, result = self.boot(self.images[kind], cost_script(variants), "2*2", 1)
        by_name = {r["name"]: r for r in result.get("regions", [])}
        for name, count in COSTS:
            for variant in variants:
                region = by_name.get(f"{name}.{variant}")
                if region:
                    insns = region["cpu_kernel_insns"][COST_CPU]
                    self.costs.setdefault(name, {})[variant] = insns / count

    def boots(self, cases, repeats):
        """Everything to do as functions, the variants of a case close together."""
        kinds = [k for k in KINDS if k in self.images]
        for repeat in range(repeats):
            for topology in sorted({c.topology for c in cases}):
                mine = [c for c in cases if c.topology == topology]
                for kind in kinds:
                    yield partial(self.measure, mine, topology, kind, KINDS[kind], repeat)
        for kind in kinds:
            yield partial(self.measure_costs, kind, [v for v in KINDS[kind] if v != "pinned"])


def stock_image(say):
    """The base without our patches, built once."""
    if os.environ.get("STOCK"):
        return os.path.abspath(os.environ["STOCK"])
    objects = os.path.join(products(), "kernel-stock")
    image = os.path.join(objects, kernel.IMAGE)
    if os.path.exists(image):
        return image
    if not in_repository():
        say("bench: no stock kernel; STOCK=IMAGE names one")
        return None
    source = os.path.join(products(), "source-stock")
    if not os.path.exists(os.path.join(source, "Makefile")):
        os.makedirs(source, exist_ok=True)
        subprocess.run(f"git -C {quoted(kernel_source())} archive base | tar -x -C {quoted(source)}",
                       shell=True, check=True)
    return kernel.build(source, objects, say)


def patched_image(say):
    """Our kernel, brought up to date."""
    if os.environ.get("KERNEL"):
        return os.path.abspath(os.environ["KERNEL"])
    return kernel.build(say=say)


def compile_programs(work):
    files = []
    for directory in (os.path.join(HERE, "guest"), os.path.join(TOOL, "tests", "guest")):
        for name in sorted(os.listdir(directory)):
            if name.endswith(".c") and name not in ("clock_test.c", "ping_pong.c"):
                files.append(os.path.join(work, name[:-2]))
                guest.compile_program(os.path.join(directory, name), files[-1])
    return files


def tbench_load(work):
    """The first lines of tbench's load; all half a million take long to read."""
    path = os.path.join(work, "load.txt")
    full = os.path.join(guest.fetch(), "usr", "share", "dbench", "client.txt")
    with open(full, encoding="utf-8") as f, open(path, "w", encoding="utf-8") as out:
        out.writelines(line for _, line in zip(range(3000), f))
    return path + ":/load.txt"


def main():
    def say(text):
        print(text, file=sys.stderr, flush=True)

    quick = os.environ.get("QUICK", "") not in ("", "0")
    default_out = os.path.join(TOP, "out", "bench") if in_repository() else "bench"
    out = os.path.abspath(os.environ.get("OUT") or default_out)
    wanted = os.environ.get("CASES", "").split()
    unknown = set(wanted) - {c.name for c in CASES}
    if unknown:
        raise Error(f"no case {' '.join(sorted(unknown))}; there are "
                    + " ".join(c.name for c in CASES))
    cases = [c for c in CASES if (c.name in wanted if wanted else c.quick or not quick)]
    repeats = int(os.environ.get("REPEATS") or (3 if quick else 5))
    need("gnuplot")
    images = {"stock": stock_image(say), "patched": patched_image(say)}
    images = {k: v for k, v in images.items() if v}
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="llcsim-bench.") as work:
        bench = Bench(images, compile_programs(work) + [tbench_load(work)], work, quick)
        boots = list(bench.boots(cases, repeats))
        # a guest keeps one CPU of the host busy
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            for nr, _ in enumerate(pool.map(lambda boot: boot(), boots)):
                say(f"bench: guest {nr + 1} of {len(boots)}, {time.monotonic() - started:.0f} s")
        os.makedirs(out, exist_ok=True)
        result = report.collect(bench, cases, images, repeats, time.monotonic() - started)
        with open(os.path.join(out, "report.json"), "w", encoding="utf-8") as f:
            json.dump(result, f, indent=1)
            f.write("\n")
        report.write(result, bench.heat, out, work)
    for problem in bench.problems:
        say(f"bench: {problem}")
    with open(os.path.join(out, "report.md"), encoding="utf-8") as f:
        print(f.read())
    say(f"bench: {out}/report.html")
    return 1 if bench.problems else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Error as error:
        print(f"bench: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)

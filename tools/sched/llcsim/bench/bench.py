# SPDX-License-Identifier: GPL-2.0-only
"""The benchmark: stock kernel, patched off and on, and pinned by hand.

Environment: QUICK=1 for few cases; OUT=DIR, default out/bench; STOCK=IMAGE and
KERNEL=IMAGE instead of building them, STOCK=none to leave the stock kernel out;
VARIANTS="off on runq both pinned" for other variants of the patched kernel;
CASES="a b" for some cases, costs and scans being the instruction counts, lines what the
accounting writes; REPEATS=N;
SCHBENCH=PROGRAM, the real one for arm64, in place of our messenger. What its guests
gave is kept in OUT/boots and taken from there by a run that would do the same, so one
that was stopped goes on; FRESH=1 measures all anew.
"""
import io
import os
import re
import shutil
import signal
import statistics
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
from boots import Boots  # noqa: E402
from cases import (ACCOUNTING, COSTS, LINES_COMMAND, LINES_SIZE, SCAN,  # noqa: E402
                   SCAN_COMMAND, SCAN_FIGURES, SCANS, TABLES, cases as all_cases)
from driver import Error, guest, kernel  # noqa: E402
from driver.places import (TOOL, TOP, in_repository, kernel_source, locked, need,  # noqa: E402
                           products)
from driver.run import Run  # noqa: E402
from driver.topology import Topology, from_counts  # noqa: E402

KINDS = {"stock": ("stock",), "patched": ("off", "on", "pinned")}
RUNQ_VARIANTS = ("off", "runq", "both")     # instead, where shared run queues are looked at
COST_BOOTS = 2  # the second shows the noise of the method
BATCH = 6      # cases a boot
HEAT = ("burst", "programs", "late", "taken")
HEAT_VARIANTS = ("off", "on")
ARM64 = 183     # e_machine of an ELF file

PROLOGUE = """\
knob() { [ -z "$LLCSIM_KNOBS" ] || echo $1 >"$LLCSIM_KNOBS/llc_enabled"; }
runq() { [ ! -e "$LLCSIM_KNOBS/shared_runq_status" ] || echo $1 >"$LLCSIM_KNOBS/features"; }
one()
{
	case $2 in on|both) knob 1;; *) knob 0;; esac
	case $2 in runq|both) runq SHARED_RUNQ;; *) runq NO_SHARED_RUNQ;; esac
	if [ $2 = pinned ]; then
		PIN="taskset $MASK1" PIN0="taskset $MASK0" PIN1="taskset $MASK1"
		PIN2="taskset $MASK2" PIN3="taskset $MASK3" PINS="taskset $MASKS"
	else
		PIN= PIN0= PIN1= PIN2= PIN3= PINS=
	fi
	export VARIANT=$2 PIN PIN0 PIN1 PIN2 PIN3 PINS
	llcmark run $1.$2 sh -c "$3" >/tmp/out 2>&1
	echo "bench-case $1 $2 $?"
	cat /tmp/out
	echo bench-end
}
"""


# Whatever is not measured keeps to CPUs 2 and 3, kernel threads above all: without that
# two boots were up to 0.7 % apart in a fork. And pages come from the CPU's own list, whose
# size the kernel would else adapt, which left 0.3 %.
QUIET = """\
for pid in $(cd /proc && echo [0-9]*); do taskset -p c $pid >/dev/null 2>&1; done
echo c >/sys/devices/virtual/workqueue/cpumask
echo 8 >/proc/sys/vm/percpu_pagelist_high_fraction
"""


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def masks(topology):
    """For taskset: MASK0 to MASK3 an LLC each, MASKS two of them."""
    llcs = Topology(topology, 1).llcs
    each = [sum(1 << c for c in llcs[i % len(llcs)].cpus) for i in range(4)]
    named = {f"MASK{i}": mask for i, mask in enumerate(each)} | {"MASKS": each[1] | each[2]}
    return {name: format(mask, "x") for name, mask in named.items()}


def script(cases, variants, topology):
    """The guest script of one boot: every case in every variant, in turn."""
    lines = [PROLOGUE] + [f"export {name}={m}" for name, m in masks(topology).items()]
    for case in cases:
        lines += [f"one {case.name} {v} {quoted(case.command)}" for v in variants
                  if case.pinned or v != "pinned"]
    return "\n".join(lines) + "\n"


def cost_script(variant):
    return "\n".join([PROLOGUE + QUIET] + [
        f"one cost {variant} {quoted(f'kernel_ops {c.operation} {c.count} {c.runs}')}"
        for c in COSTS]) + "\n"


def middle(values):
    """The mean without the least and the greatest quarter.

    As robust as the median, and of a few runs less noisy.
    """
    cut = len(values) // 4
    return statistics.mean(sorted(values)[cut:len(values) - cut])


def scan_script():
    return PROLOGUE + f"one scan on {quoted(SCAN_COMMAND)}\n"


def lines_script():
    """The program opens a region itself, when all of its threads are where they stay."""
    return PROLOGUE + f"knob 1\n{LINES_COMMAND}\n"


def batches(cases):
    """The cases of each boot: alike, and not too many, to keep all CPUs busy."""
    for alike in sorted({(c.topology, c.runq) for c in cases}):
        mine = [c for c in cases if (c.topology, c.runq) == alike]
        yield from (mine[i:i + BATCH] for i in range(0, len(mine), BATCH))


def variants_of(kind, batch):
    """The variants that a kernel runs these cases in."""
    if kind == "patched" and os.environ.get("VARIANTS"):
        return tuple(os.environ["VARIANTS"].split())
    if batch[0].runq:
        return RUNQ_VARIANTS if kind == "patched" else ()
    return KINDS[kind]


class Bench:
    """Boots guests and collects their numbers; kept are those of an earlier run."""

    def __init__(self, images, files, work, tables=TABLES, kept=None):
        self.images, self.files, self.work, self.tables = images, files, work, tables
        self.kept = kept
        self.values, self.costs, self.heat, self.problems = {}, {}, {}, []
        self.scans, self.lines = [], {}
        self.waits = {}
        self.host_s, self.insns, self.lock = 0.0, 0, Lock()
        self.running, self.over = set(), False

    def boot(self, image, text, topology, seed, figures=("llc_bytes=16M",), **more):
        """Returns what the guest printed and the result, maybe those of an earlier run."""
        path = self.kept and self.kept.path(image, text, topology, seed, figures, more)
        found = path and self.kept.find(path)
        output, result = found or self._boot(image, text, topology, seed, figures, **more)
        if path and not found and not result["status"]:
            self.kept.keep(path, output, result)
        with self.lock:
            self.host_s += result["host_s"]
            self.insns += result.get("insns", 0)
        return output, result

    def _boot(self, image, text, topology, seed, figures, **more):
        handle, path = tempfile.mkstemp(dir=self.work, suffix=".sh")
        with os.fdopen(handle, "w", encoding="ascii") as f:
            f.write(text)
        run = Run(path, image, topology, "genoa", figures, self.files, seed, limit=3000,
                  say=self.problems.append, **more)
        run.show, run.out = io.StringIO(), path + ".out"
        with self.lock:
            if self.over:
                raise KeyboardInterrupt
            self.running.add(run)
        status, result = run.run()
        with self.lock:
            self.running.discard(run)
            if status:
                with open(os.path.join(run.out, "console"), encoding="utf-8") as f:
                    last = " / ".join(f.read().splitlines()[-3:])
                self.problems.append(f"{image}: the guest ended with {status}: {last}")
        return run.show.getvalue(), result

    def stop(self):
        """Ends the guests that run; no more are started."""
        with self.lock:
            self.over = True
            for run in self.running:
                run.stop()

    def take(self, output, cases):
        by_name = {c.name: c for c in cases}
        for found in re.finditer(r"^bench-case (\S+) (\S+) (\d+)\n(.*?)^bench-end$", output,
                                 re.M | re.S):
            case, variant, status, text = by_name.get(found[1]), found[2], found[3], found[4]
            if not case:
                continue
            for metric in (m for m in case.metrics if not m.field):
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
            for variant in set(variants) & set(HEAT_VARIANTS):
                region = next((r for r in result.get("regions", [])
                               if r["name"] == f"{name}.{variant}"), None)
                if region and result.get("timeline") and (name, variant) not in self.heat:
                    self.heat[name, variant] = report.heat(result, region)

    def keep_waits(self, result, cases):
        """The longest that a CPU idled while a task waited for another one, in ms.

        And metrics that the simulator counts, not the program.
        """
        by_region = {r["name"]: r for r in result.get("regions", [])}
        for case in cases:
            for variant in ("off", "runq", "both"):
                region = by_region.get(f"{case.name}.{variant}")
                for metric in case.metrics:
                    if region and metric.field:
                        self.values.setdefault(case.name, {}).setdefault(metric.name, {}) \
                            .setdefault(variant, []).append(region[metric.field] / 1e6)
            for variant in ("stock", "off", "on", "both"):
                region = by_region.get(f"{case.name}.{variant}")
                if region and result.get("timeline") and not case.keeps_cpus:
                    mine = self.waits.setdefault(case.name, {})
                    mine[variant] = max(mine.get(variant, 0), region["longest_wait_ns"] / 1e6)

    def measure(self, cases, topology, kind, variants, repeat):
        """One boot: cases of one topology in the variants of one kernel.

        Every second boot takes them backwards: what runs later finds more cached, and freed
        memory in pieces.
        """
        turned = variants[::-1] if repeat % 2 else variants
        output, result = self.boot(self.images[kind], script(cases, turned, topology),
                                   topology, repeat + 1)
        with self.lock:
            self.take(output, cases)
            self.keep_waits(result, cases)
            self.keep_heat(result, variants)

    def measure_costs(self, kind, variant, nr):
        """Adds what each operation costs.

        A boot for each variant, so that none finds what another has left behind. The seed
        differs from boot to boot, but programs have the same addresses in all.
        """
        _, result = self.boot(self.images[kind], cost_script(variant), "2*2", nr + 1,
                              model_on=False, append="norandmaps")
        for cost in COSTS:
            name = cost.operation
            runs = [sum(r["cpu_kernel_insns"][cpu] for cpu in cost.cpus) / cost.count
                    for r in result.get("regions", [])
                    if r["name"].startswith(f"{name}.{variant}.")]
            with self.lock:
                if len(runs) == cost.runs:
                    self.costs.setdefault(name, {}).setdefault(variant, []).append(middle(runs))
                else:
                    self.problems.append(f"{name} {variant}: {len(runs)} of {cost.runs} runs")

    def calls(self, text, cpus, llcs, functions):
        """One boot: the calls of functions."""
        _, result = self.boot(self.images["patched"], text, from_counts(cpus, llcs), 1,
                              SCAN_FIGURES, model_on=False, probes=functions)
        return result.get("probes", {})

    def measure_scans(self, cpus, llcs):
        """What a scan costs on a machine of this size."""
        calls = self.calls(scan_script(), cpus, llcs, (SCAN,)).get(SCAN, {})
        with self.lock:
            if calls.get("calls"):
                self.scans.append({"cpus": cpus, "llcs": llcs, **calls})
            else:
                self.problems.append(f"no scan on {cpus} CPUs in {llcs} LLCs")

    def measure_lines(self):
        """What the accounting writes, and whether CPUs of several LLCs write the same line."""
        calls = self.calls(lines_script(), *LINES_SIZE, ACCOUNTING)
        with self.lock:
            for name in ACCOUNTING:
                if calls.get(name, {}).get("lines"):
                    self.lines[name] = calls[name]
                else:
                    self.problems.append(f"no lines of {name}")

    def boots(self, cases, repeat):
        """One repeat as functions, the variants of a case close together."""
        kinds = [k for k in KINDS if k in self.images]
        for batch in batches(cases):
            for kind in kinds:
                variants = variants_of(kind, batch)
                if variants:
                    yield partial(self.measure, batch, batch[0].topology, kind, variants, repeat)
        if repeat == 0 and "scans" in self.tables:
            yield from (partial(self.measure_scans, *size) for size in SCANS)
        if repeat == 0 and "lines" in self.tables:
            yield self.measure_lines
        if repeat < COST_BOOTS and "costs" in self.tables:
            for kind in kinds:
                yield from (partial(self.measure_costs, kind, variant, repeat)
                            for variant in KINDS[kind] if variant != "pinned")


def stock_image(say):
    """The base without our patches, built once for each base."""
    if os.environ.get("STOCK") == "none":
        return None
    if os.environ.get("STOCK"):
        return os.path.abspath(os.environ["STOCK"])
    if not in_repository():
        say("bench: no stock kernel; STOCK=IMAGE names one")
        return None
    with locked("stock"):
        return _stock_image(say)


def _stamped(path):
    if not os.path.exists(path):
        return None
    with open(path, encoding="ascii") as f:
        return f.read().strip()


def _stock_image(say):
    source, objects, stamp = (os.path.join(products(), name) for name in
                              ("source-stock", "kernel-stock", "kernel-stock.base"))
    image = os.path.join(objects, kernel.IMAGE)
    base = subprocess.run(["git", "-C", kernel_source(), "rev-parse", "--verify", "base"],
                          capture_output=True, text=True, check=False).stdout.strip()
    if not base:
        raise Error(f"no commit 'base' in {kernel_source()}; `make tree` makes it")
    if _stamped(stamp) != base:
        for directory in (source, objects):
            shutil.rmtree(directory, ignore_errors=True)
        os.makedirs(source)
        with subprocess.Popen(["git", "-C", kernel_source(), "archive", base],
                              stdout=subprocess.PIPE) as archive:
            subprocess.run(["tar", "-x", "-C", source], stdin=archive.stdout, check=True)
        if archive.returncode:
            raise Error(f"the base cannot be read from {kernel_source()}")
        with open(stamp, "w", encoding="ascii") as f:
            f.write(base + "\n")
    if not os.path.exists(image) or not kernel.is_configured(source, objects):
        kernel.build(source, objects, say)
    return image


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


def schbench():
    """What SCHBENCH names, as a list of files for the guest."""
    path = os.environ.get("SCHBENCH")
    if not path:
        return []
    if not os.path.isfile(path):
        raise Error(f"SCHBENCH={path}: no such file")
    with open(path, "rb") as f:
        head = f.read(20)
    if head[:4] != b"\x7fELF" or int.from_bytes(head[18:20], "little") != ARM64:
        raise Error(f"SCHBENCH={path}: no program for arm64 (aarch64-linux-gnu-gcc -static)")
    return [path + ":/bin/schbench"]


def packaged_programs():
    """Debian's programs that only the benchmark needs."""
    return [os.path.join(guest.fetch(), "usr", "bin", "stress-ng")]


def tbench_load(work):
    """The first lines of tbench's load; all half a million take long to read."""
    path = os.path.join(work, "load.txt")
    full = os.path.join(guest.fetch(), "usr", "share", "dbench", "client.txt")
    with open(full, encoding="utf-8") as f, open(path, "w", encoding="utf-8") as out:
        out.writelines(line for _, line in zip(range(3000), f))
    return path + ":/load.txt"


def chosen_cases(known, quick, wanted):
    """The cases named in wanted, else all or the quick ones."""
    unknown = set(wanted) - {c.name for c in known} - set(TABLES)
    if unknown:
        raise Error(f"no case {' '.join(sorted(unknown))}; there are "
                    + " ".join([c.name for c in known] + list(TABLES)))
    return [c for c in known if (c.name in wanted if wanted else c.quick or not quick)]


def chosen_tables(quick, wanted):
    """The tables of instructions to make; a quick run leaves out the machines of 128 CPUs."""
    return [t for t in TABLES if (t in wanted if wanted else t == "costs" or not quick)]


def run_repeats(bench, cases, repeats, write, say):
    """All boots; a guest keeps one CPU of the host busy.

    The report is written after each repeat, so that an interrupted run leaves something.
    """
    started = time.monotonic()
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        try:
            for repeat in range(repeats):
                boots = list(bench.boots(cases, repeat))
                for nr, _ in enumerate(pool.map(lambda boot: boot(), boots)):
                    say(f"bench: repeat {repeat + 1} of {repeats}, guest {nr + 1} of "
                        f"{len(boots)}, {time.monotonic() - started:.0f} s")
                write(repeat + 1)
        except BaseException:
            bench.stop()
            raise


def _asked(name):
    return os.environ.get(name, "") not in ("", "0")


def main():
    def say(text):
        print(text, file=sys.stderr, flush=True)

    quick = _asked("QUICK")
    default_out = os.path.join(TOP, "out", "bench") if in_repository() else "bench"
    out = os.path.abspath(os.environ.get("OUT") or default_out)
    wanted = os.environ.get("CASES", "").split()
    cases = chosen_cases(all_cases(bool(schbench())), quick, wanted)
    repeats = int(os.environ.get("REPEATS") or (2 if quick else 5))
    need("gnuplot")
    images = {"stock": stock_image(say), "patched": patched_image(say)}
    images = {k: v for k, v in images.items() if v}
    with tempfile.TemporaryDirectory(prefix="llcsim-bench.") as work:
        files = compile_programs(work) + packaged_programs() + [tbench_load(work)] + schbench()
        boots = os.path.join(out, "boots")
        if _asked("FRESH"):
            shutil.rmtree(boots, ignore_errors=True)
        bench = Bench(images, files, work, chosen_tables(quick, wanted),
                      Boots(boots, images.values(), files))

        def write(repeats_done):
            report.write(report.collect(bench, cases, images, repeats_done), bench.heat, out,
                         work)

        run_repeats(bench, cases, repeats, write, say)
    for problem in bench.problems:
        say(f"bench: {problem}")
    with open(os.path.join(out, "report.md"), encoding="utf-8") as f:
        print(f.read())
    say(f"bench: {out}/report.html")
    return 1 if bench.problems else 0


if __name__ == "__main__":
    # even when the shell that started us in the background has it ignored
    for interrupt in (signal.SIGINT, signal.SIGTERM):
        signal.signal(interrupt, signal.default_int_handler)
    try:
        sys.exit(main())
    except Error as error:
        print(f"bench: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)

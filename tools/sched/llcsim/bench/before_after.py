# SPDX-License-Identifier: GPL-2.0-only
"""The feature off and on in turn, on 8 CPUs in 2 LLCs: time and placement in one table.

usage: before_after.py [GUEST-SCRIPT]

Exit status 0 only if each guest said SUCCESS and its kernel complained of nothing, and
if with the feature on each program ran on one LLC from 100 ms after its start on.
Environment: KERNEL=IMAGE instead of building it.
"""
import io
import os
import re
import signal
import statistics
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

from driver import Error, guest, kernel  # noqa: E402
from driver.run import Run  # noqa: E402

TOPOLOGY = "2*4"
# CPUs of half the preset's speed: half as much to simulate in the 150 ms that it takes
FIGURES = ("insn_ns=1", "quantum_ns=2000")
# a guest keeps one CPU of the host busy; these two take about as long
GUESTS = (("hackbench", "hackbench"),
          ("hackbench", "shared_data", "shared_data", "shared_data"))
SHARE_LIMIT = 95
ROWS = (("time, ms", "hackbench", "time"),
        ("operations/ms", "shared_data", "rate"),
        ("moves to the other LLC/s", None, "moves"),
        ("run time on one LLC, %", None, "share"))


class Shown(io.StringIO):
    """Keeps what a guest prints and shows it line by line, as two print at a time."""

    def write(self, text):
        done = self.getvalue().rpartition("\n")[2] + text
        if text.endswith("\n"):
            sys.stdout.write(done)
            sys.stdout.flush()
        return super().write(text)


def share(result, region, program):
    """Per cent of the program's run time in the region on the LLC it used most, or None."""
    begin, end = region["begin_ns"] / 1e6, (region["begin_ns"] + region["ns"]) / 1e6
    buckets = [b[1:] for p in result["timeline"] or () if p["comm"] == program
               for b in p["buckets"] if begin <= b[0] < end]
    per_llc = [sum(ns) for ns in zip(*buckets)]
    return 100 * max(per_llc) / sum(per_llc) if buckets else None


def measured(programs, output, result):
    """{(program, enabled, what): values} of one guest."""
    regions = {r["name"]: r for r in result.get("regions", ())}
    values = {}
    for nr, program in enumerate(programs, 1):
        for enabled in (0, 1):
            whole = regions.get(f"{nr}.{program}.{enabled}")
            settled = regions.get(f"{nr}.{program}.{enabled}.settled")
            if not whole or not settled or not settled["ns"]:
                continue
            for what, value in (("time", whole["ns"] / 1e6),
                                ("moves", settled["llc_migrations"] * 1e9 / settled["ns"]),
                                ("share", share(result, settled, program))):
                values.setdefault((program, enabled, what), []).append(value)
    rates = re.findall(r"^llc_enabled ([01]), shared_data: ops/ms (\d+)", output, re.M)
    for enabled, rate in rates:
        values.setdefault(("shared_data", int(enabled), "rate"), []).append(float(rate))
    return values


def table(values):
    """The means before and after, as lines."""
    lines = [f"{'mean of the runs':38} {'before':>9} {'after':>9}  after / before"]
    for program in ("hackbench", "shared_data"):
        for title, only, what in ROWS:
            if only not in (None, program):
                continue
            before, after = (statistics.mean(values[program, e, what]) for e in (0, 1))
            ratio = f"{after / before:15.2f}" if before and only else ""
            lines.append(f"{program:12} {title:25} {before:9.1f} {after:9.1f} {ratio}".rstrip())
    return lines


def problems(values):
    """What is not as it must be."""
    found = []
    for program in ("hackbench", "shared_data"):
        shares = values.get((program, 1, "share"), [])
        if len(shares) != sum(g.count(program) for g in GUESTS) or None in shares:
            found.append(f"{program}: not all runs were measured")
        elif min(shares) < SHARE_LIMIT:
            found.append(f"{program}, llc_enabled 1: {min(shares):.1f} % of a run on one LLC, "
                         f"at least {SHARE_LIMIT} are expected")
    return found


def boot(run):
    """Runs a guest; returns what it printed, its result and what was wrong."""
    status, result = run.run()
    output = run.show.getvalue()
    if status:
        return output, result, [f"a guest ended with status {status}"]
    if output.splitlines()[-1:] != ["SUCCESS"]:
        return output, result, ["a guest did not say SUCCESS"]
    return output, result, []


def main(argv):
    """Returns the exit status."""
    def say(text):
        print(text, file=sys.stderr, flush=True)

    script = argv[0] if argv else os.path.join(HERE, "before_after.sh")
    image = os.path.abspath(os.environ.get("KERNEL") or kernel.build(say=say))
    values, wrong = {}, []
    with tempfile.TemporaryDirectory(prefix="llcsim-before-after.") as work, \
            ThreadPoolExecutor(min(os.cpu_count() or 1, len(GUESTS))) as pool:
        program = os.path.join(work, "shared_data")
        guest.compile_program(os.path.join(HERE, "guest", "shared_data.c"), program)
        runs = []
        for seed, programs in enumerate(GUESTS, 1):
            runs.append(Run(script, image, TOPOLOGY, "genoa", FIGURES, [program], seed,
                            append="programs=" + ",".join(programs), say=say))
            runs[-1].show = Shown()
        say(f"simulated: 8 CPUs in 2 LLCs; {len(runs)} guests boot, then each line is a run of "
            "some seconds")
        try:
            for programs, (output, result, bad) in zip(GUESTS, pool.map(boot, runs)):
                wrong += bad
                for key, more in measured(programs, output, result).items():
                    values.setdefault(key, []).extend(more)
        except BaseException:
            for run in runs:
                run.stop()
            raise
    wrong = wrong or problems(values)
    if not wrong:
        print("", *table(values), sep="\n")
    print("", *(f"FAILED: {w}" for w in wrong), *([] if wrong else ["SUCCESS"]), sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    for interrupt in (signal.SIGINT, signal.SIGTERM):
        signal.signal(interrupt, signal.default_int_handler)
    try:
        sys.exit(main(sys.argv[1:]))
    except Error as error:
        print(f"before_after: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)

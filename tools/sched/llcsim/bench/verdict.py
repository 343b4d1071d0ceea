# SPDX-License-Identifier: GPL-2.0-only
"""Whether the benchmark's figures are as they must be.

usage: verdict.py [REPORT.json]

Prints a line for each figure: what was measured, the limit, and whether it is met.
Exit status 1 if one is not met. A limit with <= is for the
figure itself over its base (a time, a latency, a count), one with >= for the speed.
After ± is the standard error of the ratio: one that is as far from its limit may be
on the other side of it next time.
"""
import json
import math
import os
import statistics
import sys
from dataclasses import dataclass

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.path.insert(0, HERE)

from cases import SCANS  # noqa: E402
from driver.places import TOP, in_repository  # noqa: E402

# What is judged: on, or with shared run queues as well, both (ON=both).
ON = os.environ.get("ON") or "on"

WORDS = {True: "met", False: "NOT MET", None: "not measured"}


def _relative_error(values):
    """The standard error of the mean, over the mean."""
    if len(values) < 2:
        return 0
    return statistics.stdev(values) / math.sqrt(len(values)) / statistics.mean(values)


@dataclass(frozen=True)
class Figure:
    """A metric of a case, switched on, over a variant of the same or another case.

    on: the variant that is judged, where it is not that of the command line.
    """
    case: str
    metric: str
    over: str
    limit: float
    at_most: bool
    slowest: bool = False
    over_case: str = ""
    on: str = ""

    def text(self):
        over = f"{self.over_case}'s {self.over}" if self.over_case else self.over
        what = self.metric if self.at_most or self.metric == "rate" else "speed"
        return f"{self.case} {what}{', slowest' if self.slowest else ''}, {self.on or ON} over {over}"

    def measured(self, result):
        """The ratio, or None."""
        mine = _summary(result, self.case, self.metric, self.on or ON)
        base = _summary(result, self.over_case or self.case, self.metric, self.over)
        if not mine or not base:
            return None
        ratio = mine["max" if self.slowest else "mean"] / base["mean"]
        less_is_better = _row(result, self.case, self.metric)["less_is_better"]
        return 1 / ratio if less_is_better and not self.at_most else ratio

    def note(self, result):
        """How sure the ratio is: its standard error, where that is 0.5 % or more."""
        mine = _summary(result, self.case, self.metric, self.on or ON)
        base = _summary(result, self.over_case or self.case, self.metric, self.over)
        if not mine or not base or self.slowest:
            return ""
        error = math.hypot(_relative_error(mine["values"]), _relative_error(base["values"]))
        return f"± {error * self.measured(result):.2f}" if error >= 0.005 else ""


@dataclass(frozen=True)
class BestOf:
    """The case of several that gains most by shared run queues."""
    cases: tuple
    limit: float
    at_most: bool = False

    def text(self):
        return f"the best of {len(self.cases)} of hackbench, speed, runq over off"

    def measured(self, result):
        """The ratio, or None."""
        each = (Figure(case, "time", "off", 0, False, on="runq").measured(result)
                for case in self.cases)
        return max((ratio for ratio in each if ratio), default=None)


@dataclass(frozen=True)
class Cost:
    """Kernel instructions of an operation in one variant over another."""
    operation: str
    variant: str
    limit: float
    over: str = "stock"
    at_most: bool = True

    def text(self):
        return f"{self.operation.replace('_', ' ')}, instructions, {self.variant} over {self.over}"

    def measured(self, result):
        """The ratio, or None."""
        have = result["kernel_insns_per_operation"].get(self.operation, {})
        if self.variant not in have or self.over not in have:
            return None
        return have[self.variant]["median"] / have[self.over]["median"]


@dataclass(frozen=True)
class Noise:
    """How far two boots differ in the instructions of an operation."""
    limit: float = 0.0005
    at_most: bool = True

    def text(self):
        return "noise of the instruction counts, the worst"

    def measured(self, result):
        """The worst of all operations, or None."""
        return max((v["noise"] for have in result["kernel_insns_per_operation"].values()
                    for v in have.values() if v["noise"] is not None), default=None)


@dataclass(frozen=True)
class LongestWait:
    """The worst of all cases: ms that a CPU idled while a task waited for another."""
    variant: str
    limit: float = 2.5
    at_most: bool = True

    def text(self):
        return f"ms a CPU idles while a task waits elsewhere, {self.variant}, the worst"

    def measured(self, result):
        """In ms, or None."""
        return max((have[self.variant] for have in result["longest_wait_ms"].values()
                    if self.variant in have), default=None)


@dataclass(frozen=True)
class Extra:
    """Kernel instructions of an operation, on minus off."""
    operation: str
    limit: float
    at_most: bool = True

    def _have(self, result):
        have = result["kernel_insns_per_operation"].get(self.operation, {})
        return [have[v] for v in ("on", "off") if v in have]

    def text(self):
        return f"{self.operation.replace('_', ' ')}, instructions, on minus off"

    def measured(self, result):
        """The difference, or None."""
        have = self._have(result)
        return have[0]["median"] - have[1]["median"] if len(have) == 2 else None

    def note(self, result):
        """How far two boots are apart."""
        return "noise " + ", ".join("unknown" if h["noise"] is None else
                                    f"{h['noise'] * h['median']:.0f}" for h in self._have(result))


def _scan(result, llcs, cpus):
    return next((s for s in result.get("scans", ()) if (s["llcs"], s["cpus"]) == (llcs, cpus)), None)


@dataclass(frozen=True)
class Scan:
    """Kernel instructions of a scan on a machine of some size."""
    llcs: int
    cpus: int
    at_most: bool = True

    @property
    def limit(self):
        return 200 + 30 * self.llcs

    def text(self):
        return f"scan, instructions, {self.llcs} LLCs, {self.cpus} CPUs"

    def measured(self, result):
        """The median, or None."""
        have = _scan(result, self.llcs, self.cpus)
        return have and have["median"]

    def note(self, result):
        """How dear the dearest was."""
        have = _scan(result, self.llcs, self.cpus)
        return f"most {have['max']}" if have else ""


@dataclass(frozen=True)
class ScanOverCpus:
    """The scan on many CPUs over few, of as many LLCs. A group of three has a home of one."""
    llcs: int
    cpus: int
    limit: float = 1.05
    at_most: bool = True

    def text(self):
        return f"scan, instructions, {self.llcs} LLCs, 128 CPUs over {self.cpus}"

    def measured(self, result):
        """The ratio, or None."""
        many, few = (_scan(result, self.llcs, cpus) for cpus in (128, self.cpus))
        return many["median"] / few["median"] if many and few else None


@dataclass(frozen=True)
class SharedLines:
    """Lines that calls of a function on CPUs of several LLCs write."""
    function: str
    limit: int
    at_most: bool = True

    def _have(self, result):
        return result.get("accounting", {}).get(self.function)

    def text(self):
        return f"lines written by several LLCs, {self.function}"

    def measured(self, result):
        """How many, or None."""
        have = self._have(result)
        return have and have["shared_lines"]

    def note(self, result):
        """How often, for a reader who wonders whether it matters."""
        have = self._have(result)
        return f"{have['shared_stores']} stores in {have['calls']} calls" if have else ""


def _row(result, case, metric):
    return next((r for r in result["rows"] if (r["case"], r["metric"]) == (case, metric)), None)


def _summary(result, case, metric, variant):
    row = _row(result, case, metric)
    return row["variants"].get(variant) if row else None


def _gain(case, metric, limit, at_most=False, **more):
    return Figure(case, metric, "pinned", limit, at_most, **more)


def _no_loss(case, metric="rate"):
    latency = metric in ("p99", "max")
    return Figure(case, metric, "off", 1.02 if latency else 0.99, latency)


def _runq(case, metric, limit, at_most=False):
    return Figure(case, metric, "off", limit, at_most, on="runq")


FIGURES = (
    ("Gain", (
        _gain("hackbench-20k", "time", 1.02, True, slowest=True),
        _gain("hackbench-100k", "time", 1.01, True),
        *(_gain(f"sharing-{n}", "rate", 0.98) for n in (2, 3, 4)),
        _gain("barrier-8", "rate", 0.98),
        _gain("programs", "time", 1.05, True, over_case="hackbench-threads-g1"),
        *(_gain(f"messenger-{n}", p, 1.1, True) for n in (2, 3) for p in ("p50", "p99")),
        _gain("redis", "time", 0.99), _gain("redis-apart", "time", 0.99),
        _gain("burst", "rate", 0.97), _gain("late", "rate", 0.97), _gain("taken", "rate", 0.97),
    )),
    ("Homes larger than one LLC", (
        *(Figure(case, "rate", over, 0.97, False)
          for case in ("sharing-6", "sharing-8", "barrier-6") for over in ("pinned", "off")),
    )),
    ("Related processes", (
        *(_gain(f"pair-loopback-1024-c{n}", "rate", 0.97) for n in (1, 2)),
        *(_gain(f"pair-{kind}", "rate", 0.97)
          for kind in ("socketpair-1024-c1", "loopback-16384-c1", "socketpair-16384-c1")),
    )),
    ("No loss", (
        _no_loss("hackbench-f4g4", "time"), _no_loss("redis-small", "time"),
        _no_loss("read-mostly-16"), _no_loss("write-heavy-16"), _no_loss("stream"),
        _no_loss("tbench-1"), _no_loss("tbench-8"),
        *(_no_loss(f"pair-loopback-1024-c{n}") for n in (1, 2, 4, 8)),
        *(_no_loss(f"pair-socketpair-1024-c{n}") for n in (1, 8)),
        *(_no_loss(f"messenger-{n}", m) for n in (16, 32) for m in ("p99", "rate")),
        *(_no_loss(f"hackbench-{kind}-g{n}", "time") for kind in ("threads", "processes")
          for n in (4, 8)),
        _no_loss("storm"), _no_loss("cyclictest", "max"),
        *(Figure("fairness", m, "off", 1.1, True) for m in ("p99", "max")),
        LongestWait("on"), LongestWait("off"),
    )),
    ("Shared run queues", (
        _runq("bursts", "idle beside", 0.3, True), _runq("bursts", "p99", 1, True),
        _runq("bursts", "rate", 1),
        *(_runq(f"runq-{kind}-{letter}-g{n}", "time", 1) for kind in ("pipes", "sockets")
          for letter in "PT" for n in (2, 4, 8)),
        BestOf(tuple(f"runq-{kind}-{letter}-g{n}" for kind in ("pipes", "sockets")
                     for letter in "PT" for n in (2, 4, 8)), 1.03),
        *(_runq(f"runq-{kind}-{n}", "rate", 0.99) for kind in ("tbench", "loopback", "udp")
          for n in (1, 8, 16, 32)),
        Figure("flood-sharded", "wait", "runq", 0.25, True, over_case="flood-unsharded", on="runq"),
    )),
    ("Cost", (
        Noise(),
        *(Cost(op, "off", 1.001)
          for op in ("message", "wakeup", "fork_exec_wait", "thread_create_join")),
        Cost("message", "on", 1.005), Cost("fork_exec_wait", "on", 1.001),
        Cost("thread_create_join", "on", 1.005),
        Extra("wakeup", 30),
        *(Scan(llcs, cpus) for cpus, llcs in SCANS),
        ScanOverCpus(2, 8), ScanOverCpus(8, 32),
        # the other one says when the next scan is due, once an epoch
        SharedLines("sched_cache_slot_add", 0), SharedLines("__sched_cache_tick", 1),
    )),
)


def met(figure, measured):
    """True, False, or None when nothing was measured."""
    if measured is None:
        return None
    return measured <= figure.limit if figure.at_most else measured >= figure.limit


def line(figure, measured):
    """One figure as text."""
    shown = "" if measured is None else f"{measured:.4f}"
    return (f"{figure.text():66} {shown:>8} {'<=' if figure.at_most else '>='} {figure.limit:<7} "
            f"{WORDS[met(figure, measured)]}")


def judge(result):
    """The lines to print, and how many figures are met, not met, not measured."""
    lines, count = [], {True: 0, False: 0, None: 0}
    for title, figures in FIGURES:
        lines.append(title)
        for figure in figures:
            measured = figure.measured(result)
            count[met(figure, measured)] += 1
            note = figure.note(result) if hasattr(figure, "note") else ""
            lines.append("  " + line(figure, measured) + (f" ({note})" if note else ""))
    lines.append(", ".join(f"{count[k]} {WORDS[k]}" for k in (True, False, None)))
    return lines, count


def main(argv):
    default = os.path.join(TOP, "out", "bench") if in_repository() else "bench"
    path = argv[0] if argv else os.path.join(os.environ.get("OUT") or default, "report.json")
    try:
        with open(path, encoding="utf-8") as f:
            result = json.load(f)
    except (OSError, ValueError) as error:
        print(f"verdict: {path}: {error}; `make bench` makes it", file=sys.stderr)
        return 2
    lines, count = judge(result)
    print("\n".join(lines))
    return 1 if count[False] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

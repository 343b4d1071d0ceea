# SPDX-License-Identifier: GPL-2.0-only
"""What the benchmark runs.

In a command $PIN is the pinning by hand: nothing, or taskset to LLC 1; $PIN0 to
$PIN3 are for programs of their own, an LLC each.
"""
from dataclasses import dataclass

HACKBENCH = r"Time: ([\d.]+)"
OPS = r"ops/ms ([\d.]+)"


@dataclass(frozen=True)
class Metric:
    """A number in a command's output.

    Of several matches the worst counts, or each if they are runs one after the other.
    """
    name: str
    unit: str
    pattern: str
    less_is_better: bool
    each: bool = False


@dataclass(frozen=True)
class Case:
    name: str
    what: str
    command: str
    metrics: tuple
    topology: str = "4*4"
    quick: bool = False


def _hackbench(name, args, quick=False):
    return Case(name, f"hackbench {args}, three times",
                f"for i in 1 2 3; do $PIN hackbench {args}; done",
                (Metric("time", "s", HACKBENCH, True, True),), quick=quick)


def _shared(threads, pct, quick=False, ms=100):
    kind = {2: "read-mostly", 50: "write-heavy"}.get(pct, "shared")
    return Case(f"{kind}-{threads}", f"{threads} threads on 64 KiB, {pct} % stores",
                f"$PIN shared_data {threads} {ms} {pct}",
                (Metric("rate", "ops/ms", OPS, False),), quick=quick)


def _messenger(workers, quick=False):
    metrics = tuple(Metric(p, "us", p.replace(".", r"\.") + r" ([\d.]+)", True)
                    for p in ("p50", "p99", "p99.9"))
    return Case(f"messenger-{workers}", f"a messenger and {workers} workers by futex",
                f"$PIN messenger {workers} 100",
                metrics + (Metric("rate", "req/ms", r"requests/ms ([\d.]+)", False),),
                quick=quick)


def _pair(kind, size, quick=False):
    return Case(f"pair-{kind}-{size}", f"client and server processes, {size} bytes by {kind}",
                f"$PIN pair {kind} 60 {size}",
                (Metric("rate", "trips/ms", r"trips/ms ([\d.]+)", False),), quick=quick)


REDIS = ("$PIN redis-server --io-threads 4 --save '' --appendonly no --port 7777 >/dev/null & "
         "until redis-cli -p 7777 ping >/dev/null 2>&1; do usleep 2000; done; "
         "redis-benchmark -p 7777 -t get -n 20000 -c 32 -P 4 -q | tr '\\r' '\\n'; kill $!; wait")
TBENCH = ("$PIN tbench_srv >/dev/null & usleep 20000; "
          "$PIN tbench -t 1 -c /load.txt 2 127.0.0.1; kill $!")
FOUR = ("for i in 0 1 2 3; do eval \"P=\\$PIN$i\"; "
        "$P hackbench -T -p -f 2 -g 1 -l 10000 & done; wait")

CASES = (
    _hackbench("hackbench-2", "-T -p -f 2 -g 1 -l 10000", True),
    _hackbench("hackbench-4", "-T -p -f 4 -g 1 -l 5000"),
    _hackbench("hackbench-20", "-T -p -f 20 -g 1 -l 200"),
    _hackbench("hackbench-g2", "-T -p -f 2 -g 2 -l 5000"),
    _hackbench("hackbench-g4", "-T -p -f 4 -g 4 -l 500", True),
    _hackbench("hackbench-g8", "-T -p -f 2 -g 8 -l 2000"),
    _hackbench("hackbench-socket", "-T -f 2 -g 1 -l 5000"),
    _hackbench("hackbench-process", "-P -p -f 2 -g 1 -l 3000", True),
    _hackbench("hackbench-process-socket", "-P -f 2 -g 1 -l 5000"),
    _messenger(1), _messenger(2, True), _messenger(3), _messenger(8), _messenger(16),
    Case("redis", "redis, 4 I/O threads, LLCs of 8, client free", REDIS,
         (Metric("rate", "req/s", r"GET: ([\d.]+) requests", False),), "2*8", True),
    Case("tbench", "tbench, 2 clients", TBENCH,
         (Metric("rate", "opens/s", r"NTCreateX +(\d+)", False),)),
    _pair("loopback", 1024, True), _pair("loopback", 16384), _pair("socketpair", 1024),
    _pair("socketpair", 16384),
    _shared(2, 2), _shared(3, 2), _shared(4, 2), _shared(8, 2), _shared(16, 2),
    _shared(2, 50), _shared(3, 50, True, 60), _shared(4, 50), _shared(8, 50), _shared(16, 50),
    Case("barrier-4", "4 threads, a barrier every 50 us", "$PIN barrier 4 1000",
         (Metric("rate", "rounds/ms", r"rounds/ms ([\d.]+)", False),), quick=True),
    Case("barrier-8", "8 threads, a barrier every 50 us", "$PIN barrier 8 500",
         (Metric("rate", "rounds/ms", r"rounds/ms ([\d.]+)", False),), "2*8"),
    Case("burst", "16 threads for 60 ms, then 3; the 3 from 50 ms on",
         "$PIN shared_data 3 60 25 16 60", (Metric("rate", "ops/ms", OPS, False),), quick=True),
    Case("programs", "4 hackbench at once, the slowest", FOUR,
         (Metric("time", "s", HACKBENCH, True),), quick=True),
    Case("stream", "8 threads, 8 MiB each, LLCs of 16 MiB", "$PIN stream 8 8 20",
         (Metric("rate", "MB/s", r"MB/s ([\d.]+)", False),)),
)

# Instructions per operation: (name, operations per run).
COSTS = (("message", 2000), ("fork_exec_wait", 50), ("thread_create_join", 300),
         ("futex_wake", 2000))

# SPDX-License-Identifier: GPL-2.0-only
"""What the benchmark runs.

In a command $PIN is the pinning by hand: nothing, or taskset to LLC 1, $PINS to LLCs
1 and 2; $PIN0 to $PIN3 are for programs of their own, an LLC each. $MASK0 to $MASK3 are the LLCs'
CPUs for whatever is kept to an LLC in every variant.
"""
from dataclasses import dataclass, replace

ELAPSED = r"elapsed_ms ([\d.]+)"
OPS = r"ops/ms ([\d.]+)"


@dataclass(frozen=True)
class Metric:
    """A number in a command's output.

    Of several matches the worst counts, or each if they are runs one after the other.
    field: of the region, in ns, instead.
    """
    name: str
    unit: str
    pattern: str
    less_is_better: bool
    each: bool = False
    field: str = ""


@dataclass(frozen=True)
class Case:
    """pinned: false where more runs than an LLC has CPUs, so that no pinning helps.

    keeps_cpus: keeps tasks to some CPUs in every variant.
    runq: also with shared run queues, without (runq) and with (both) cache-aware scheduling.
    """
    name: str
    what: str
    command: str
    metrics: tuple
    topology: str = "4*4"
    quick: bool = False
    pinned: bool = True
    keeps_cpus: bool = False
    runq: bool = False


def _rate(unit, pattern):
    return (Metric("rate", unit, pattern, False),)


def _hackbench(name, args, quick=False, pinned=True, runq=False):
    return Case(name, f"hackbench {args}", f"$PIN elapsed hackbench {args}",
                (Metric("time", "ms", ELAPSED, True),), quick=quick, pinned=pinned, runq=runq)


def _hackbench_groups(kind):
    """40,000 messages in all, whatever the number of groups."""
    letter = {"threads": "T", "processes": "P"}[kind]
    return [_hackbench(f"hackbench-{kind}-g{groups}", f"-{letter} -p -f 2 -g {groups} -l {loops}",
                       quick=(letter, groups) == ("P", 1), pinned=groups == 1)
            for groups, loops in ((1, 10000), (2, 5000), (4, 2500), (8, 1250))]


def _shared(kind, threads, ms, pinned=True, quick=False, pin="$PIN"):
    pct = {"read-mostly": 2, "write-heavy": 50, "sharing": 25}[kind]
    return Case(f"{kind}-{threads}", f"{threads} threads on 64 KiB, {pct} % stores, {ms} ms",
                f"{pin} shared_data {threads} {ms} {pct}", _rate("ops/ms", OPS), quick=quick,
                pinned=pinned)


def _messenger(workers, ms, quick=False):
    metrics = tuple(Metric(p, "us", p.replace(".", r"\.") + r" ([\d.]+)", True)
                    for p in ("p50", "p99", "p99.9"))
    return Case(f"messenger-{workers}", f"a messenger and {workers} workers by futex, {ms} ms",
                f"$PIN messenger {workers} {ms} 5000",
                metrics + _rate("req/ms", r"requests/ms ([\d.]+)"), quick=quick,
                pinned=workers <= 3)


def _schbench(case):
    """The real one in place of our messenger; it counts in whole seconds."""
    workers = case.name.split("-")[1]
    latency = r"Wakeup Latencies[\s\S]*?\s%s: +([\d.]+)"
    metrics = tuple(Metric(name, "us", latency % label, True) for name, label in
                    (("p50", r"50\.0th"), ("p99", r"99\.0th"), ("p99.9", r"99\.9th")))
    return replace(case, what=f"schbench, a messenger and {workers} workers",
                   command=f"$PIN schbench -m 1 -t {workers} -r 1 2>&1",
                   metrics=metrics + _rate("req/s", r"average rps: +([\d.]+)"))


def _redis(name, what, client="", topology="2*8", quick=False):
    command = ("$PIN redis-server --io-threads 4 --save '' --appendonly no --port 7777 "
               ">/dev/null & until redis-cli -p 7777 ping >/dev/null 2>&1; do usleep 2000; done; "
               f"{client}elapsed redis-benchmark -p 7777 -t get -n 20000 -c 32 -P 4 -q "
               "| tr '\\r' '\\n'; "
               "kill $!; wait")
    return Case(name, f"redis, 4 I/O threads, {what}", command,
                _rate("req/s", r"GET: ([\d.]+) requests") +
                (Metric("time", "ms", ELAPSED, True),), topology, quick,
                keeps_cpus=bool(client))


def _hot(name, what, args):
    return Case(name, f"3 threads, a heap of 500 MB, {what}", f"$PIN hot {args}",
                _rate("ops/ms", OPS))


def _tbench(clients, ms):
    command = ("$PIN tbench_srv >/dev/null & S=$!; usleep 20000; "
               f"$PIN tbench -t 10 -c /load.txt {clients} 127.0.0.1 >/dev/null & "
               f"lo_rate {ms}; X=$?; kill $S $!; wait; exit $X")
    return Case(f"tbench-{clients}", f"tbench, {clients} clients, {ms} ms", command,
                _rate("MB/s", r"lo MB/s ([\d.]+)"), pinned=clients == 1)


def _pair(kind, size, clients, ms, quick=False, runq=False):
    return Case(f"pair-{kind}-{size}-c{clients}",
                f"{clients} clients, a server each, {size} bytes by {kind}, {ms} ms",
                f"$PIN pair {kind} {ms} {size} {clients}", _rate("trips/ms", r"trips/ms ([\d.]+)"),
                quick=quick, pinned=clients == 1 and not runq, runq=runq)


def _stress(stressor, ops):
    return Case(f"stress-{stressor}", f"stress-ng --{stressor} 4, {ops} bogo operations",
                f"stress-ng --{stressor} 4 --{stressor}-ops {ops} --metrics-brief",
                _rate("ops/s", stressor + r" +\d+ +[\d.]+ +[\d.]+ +[\d.]+ +([\d.]+)"),
                pinned=False)


def _bursts(tasks):
    """1.2 times as many tasks as CPUs, kept to one LLC of 8."""
    return Case("bursts", f"{tasks} threads with bursts of 1 to 5 ms in one LLC of 8",
                f"taskset $MASK0 bursts {tasks} 200",
                (Metric("idle beside", "ms", "", True, field="idle_beside_ns"),
                 Metric("p99", "us", r"p99 ([\d.]+)", True)) +
                _rate("req/ms", r"requests/ms ([\d.]+)"),
                "2*8", pinned=False, keeps_cpus=True, runq=True)


def _flood(name, shard_cores):
    """How long CPUs wait for the locks of shards, for each task that was offered."""
    command = ("S=$LLCSIM_KNOBS/shared_runq_status; R=$LLCSIM_KNOBS/shared_runq_shard_cores; "
               "[ -e $R ] || exit 1; "
               "sum() { awk '/^shard/ { w += $NF } /^offered/ { o = $2 } END { print w, o }' $S; }; "
               f"echo {shard_cores} >$R; B=$(sum); hackbench -P -p -f 10 -g 4 -l 200; "
               "echo $B $(sum) | awk '{ o = $4 - $2; print \"wait_ns\", o ? ($3 - $1) / o : 0 }'; echo 0 >$R")
    return Case(name, f"80 tasks wake up each other in an LLC of 32, {shard_cores or 6} cores a shard",
                command, (Metric("wait", "ns", r"wait_ns ([\d.e+-]+)", True),), "1*32",
                pinned=False, runq=True)


def _barrier(threads, rounds, topology, quick=False, pin="$PIN"):
    return Case(f"barrier-{threads}", f"{threads} threads, a barrier every 50 us",
                f"{pin} barrier {threads} {rounds}", _rate("rounds/ms", r"rounds/ms ([\d.]+)"),
                topology, quick)


PROGRAMS = ("for i in 0 1 2 3; do eval \"P=\\$PIN$i\"; "
            "$P elapsed hackbench -T -p -f 2 -g 1 -l 10000 & done; wait")
# hogs leave one CPU of each LLC; those of LLC 1 end 100 ms before the rate counts
TAKEN = ("for i in 0 2 3; do eval \"M=\\$MASK$i\"; taskset $M hogs 3 260 & done; "
         "taskset $MASK1 hogs 3 80 & usleep 30000; $PIN shared_data 3 60 25 3 100; wait")
# a client belongs to its server, not to another client: an LLC for each pair
TWO_PAIRS = ("for i in 1 2; do eval \"P=\\$PIN$i\"; $P pair loopback 100 1024 & done; wait")
CYCLICTEST = ("hackbench -T -p -f 4 -g 1 -l 1000000 >/dev/null & "
              "usleep 10000; cyclictest -q -m -N -t 4 -p 80 -i 200 -d 0 -l 150 2>/dev/null; X=$?; "
              "kill $!; wait; exit $X")
# storms that end with the program that is watched, which waits as everybody does
FAIRNESS = ("storm 8 100000 >/dev/null & "
            "hackbench -T -p -f 2 -g 2 -l 1000000 >/dev/null & "
            "stress-ng --affinity 2 --switch 2 --timeout 60 >/dev/null 2>&1 & "
            "usleep 20000; bursts 16 200; X=$?; killall storm hackbench stress-ng; wait; exit $X")

_CASES = (
    _hackbench("hackbench-20k", "-T -p -f 2 -g 1 -l 20000", quick=True),
    _hackbench("hackbench-100k", "-T -p -f 2 -g 1 -l 100000"),
    *_hackbench_groups("threads"), *_hackbench_groups("processes"),
    _hackbench("hackbench-f4", "-T -p -f 4 -g 1 -l 2500", pinned=False),
    _hackbench("hackbench-f20", "-T -p -f 20 -g 1 -l 100", pinned=False),
    _hackbench("hackbench-f4g4", "-T -p -f 4 -g 4 -l 2000", quick=True, pinned=False),
    _hackbench("hackbench-socket", "-T -f 2 -g 1 -l 5000"),
    _hackbench("hackbench-process-socket", "-P -f 2 -g 1 -l 5000"),
    Case("programs", "4 hackbench -T -p -f 2 -g 1 -l 10000 at once, the slowest", PROGRAMS,
         (Metric("time", "ms", ELAPSED, True),), quick=True),
    _messenger(1, 120), _messenger(2, 80, True), _messenger(3, 60), _messenger(8, 40),
    _messenger(16, 40), _messenger(32, 40),
    _redis("redis", "LLCs of 8, client free", quick=True),
    _redis("redis-apart", "LLCs of 8, client kept to the other LLC", "taskset $MASK0 "),
    _redis("redis-small", "LLCs of 4, client free", topology="4*4"),
    _tbench(1, 60), _tbench(8, 30),
    _pair("loopback", 1024, 1, 40, True),
    Case("pair-loopback-1024-c2", "2 such pairs, 100 ms, the slower one (an LLC each)", TWO_PAIRS,
         _rate("trips/ms", r"trips/ms ([\d.]+)")),
    _pair("loopback", 1024, 4, 30), _pair("loopback", 1024, 8, 20),
    _pair("socketpair", 1024, 1, 40), _pair("socketpair", 1024, 8, 20),
    _pair("loopback", 16384, 1, 40), _pair("socketpair", 16384, 1, 40),
    _shared("sharing", 2, 300), _shared("sharing", 3, 300), _shared("sharing", 4, 300),
    _shared("sharing", 6, 200, pin="$PINS"), _shared("sharing", 8, 200, pin="$PINS"),
    _shared("read-mostly", 2, 40), _shared("read-mostly", 4, 40),
    _shared("read-mostly", 8, 30, False), _shared("read-mostly", 16, 20, False),
    _shared("write-heavy", 2, 40), _shared("write-heavy", 3, 60, quick=True),
    _shared("write-heavy", 4, 40), _shared("write-heavy", 8, 30, False),
    _shared("write-heavy", 16, 30, False),
    _barrier(4, 1000, "4*4", True), _barrier(8, 500, "2*8"),
    _barrier(6, 4500, "4*4", pin="$PINS"),
    Case("burst", "16 threads for 100 ms, then 3; the 3 from 50 ms on",
         "$PIN shared_data 3 60 25 16 100", _rate("ops/ms", OPS), quick=True),
    Case("late", "3 spread threads, llc_enabled to 1, from 100 ms on", "$PIN late 3 60",
         _rate("ops/ms", OPS), keeps_cpus=True),
    Case("taken", "3 of 4 CPUs of every LLC busy, then LLC 1 free, from 100 ms on", TAKEN,
         _rate("ops/ms", OPS), keeps_cpus=True),
    Case("stream", "8 threads, 8 MiB each, LLCs of 16 MiB", "$PIN stream 8 8 250",
         _rate("MB/s", r"MB/s ([\d.]+)"), pinned=False),
    _hot("hot-1", "1 MB of it in use, from 400 ms on", "3 800 500 1"),
    _hot("hot-1-apart", "1 MB all over it in use, from 400 ms on", "3 800 500 1 apart"),
    _hot("hot-all", "all of it in use, from 250 ms on", "3 500 500 500"),
    _stress("switch", 20000), _stress("futex", 15000), _stress("fork", 100),
    Case("storm", "16 jobs, 12 programs each: fork, exec, work, wait", "storm 16 12",
         _rate("programs/ms", r"programs/ms ([\d.]+)"), pinned=False),
    Case("fairness", "16 threads with bursts of 1 to 5 ms in a storm of forks, messages, affinity",
         FAIRNESS, tuple(Metric(m, "us", m + r" ([\d.]+)", True) for m in ("p99", "max")) +
         _rate("req/ms", r"requests/ms ([\d.]+)"), pinned=False),
    _bursts(10),
    # Long enough that start and exit, which the tick quantises, are a small part.
    *(_hackbench(f"runq-{kind}-{letter}-g{groups}",
                 f"-{letter} {'-p ' if kind == 'pipes' else ''}-f 4 -g {groups} "
                 f"-l {(16000 if kind == 'pipes' else 4000) // groups}",
                 pinned=False, runq=True)
      for kind in ("pipes", "sockets") for letter in "PT" for groups in (2, 4, 8)),
    *(replace(_tbench(clients, 30), name=f"runq-tbench-{clients}", pinned=False, runq=True)
      for clients in (1, 8, 16, 32)),
    *(replace(_pair(kind, 1024, clients, 30, runq=True), name=f"runq-{kind}-{clients}")
      for kind in ("loopback", "udp") for clients in (1, 8, 16, 32)),
    _flood("flood-sharded", 0), _flood("flood-unsharded", 1000),
    Case("cyclictest", "cyclictest -p 80 on 4 CPUs next to hackbench -T -f 4, maximum", CYCLICTEST,
         (Metric("max", "ns", r"Max: +(\d+)", True),), pinned=False),
)

# Figures that stand for the rest, by case and metric, and how a reader would call them.
HEADLINE = (
    ("hackbench-20k", "time", "hackbench -T -p -f 2 -g 1 -l 20000, ms"),
    ("hackbench-100k", "time", "the same, -l 100000, ms"),
    ("messenger-2", "p99", "messenger and 2 workers, p99 wakeup, us"),
    ("messenger-16", "rate", "messenger and 16 workers, requests/ms"),
    ("redis", "time", "redis, 4 I/O threads, LLCs of 8, ms"),
    ("redis-apart", "time", "the same, client kept to the other LLC, ms"),
    ("redis-small", "time", "redis, LLCs of 4, ms"),
    ("sharing-3", "rate", "3 threads on shared data, ops/ms"),
    ("sharing-6", "rate", "6 threads (pinned to two LLCs), ops/ms"),
    ("barrier-8", "rate", "barrier of 8, LLCs of 8, rounds/ms"),
    ("burst", "rate", "3 threads after a burst of 16, ops/ms"),
    ("hot-1", "rate", "3 threads, 1 MB of 500 MB, ops/ms"),
    ("stream", "rate", "8 threads that stream 64 MiB, MB/s"),
)


def cases(schbench=False):
    """All cases, with the real schbench in place of our messenger if it is there."""
    return tuple(_schbench(c) if schbench and c.name.startswith("messenger-") else c
                 for c in _CASES)


@dataclass(frozen=True)
class Cost:
    """Kernel instructions of an operation, see guest/kernel_ops.c.

    Runs are so long that ticks, and what RCU frees later, are a steady part of each
    operation. Those of a wakeup are so short that most see no tick: two CPUs have theirs at
    other moments in each boot, which made 0.06 %.
    """
    operation: str
    count: int          # in a run
    cpus: tuple = (1,)  # that count
    runs: int = 9


COSTS = (Cost("message", 5000), Cost("wakeup", 40, (0, 1), 41), Cost("futex_wake", 50000),
         Cost("thread_create_join", 2000), Cost("fork_exec_wait", 250))

# Instructions of a scan by CPUs and LLCs. Nothing else counts here, so there are no
# caches, and the CPUs are slow and kept together loosely: less to simulate in the time
# that some scans take.
SCAN = "sched_cache_home_scan"
SCANS = tuple((cpus, llcs) for cpus in (8, 32, 128) for llcs in (2, 8, 32) if llcs <= cpus)
SCAN_COMMAND = "shared_data 3 150"
SCAN_FIGURES = ("insn_ns=10", "quantum_ns=20000")

# What the accounting writes: a tick on all CPUs, and in it each slot of run time.
ACCOUNTING = ("__sched_cache_tick", "sched_cache_slot_add")
LINES_COMMAND = "everywhere 50"
LINES_SIZE = (128, 32)

# What else than a case can be named: the tables of instructions and of lines.
TABLES = ("costs", "scans", "lines")

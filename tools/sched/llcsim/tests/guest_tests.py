# SPDX-License-Identifier: GPL-2.0-only
"""llcsim against itself: runs guests and checks what must hold of every run.

usage: guest_tests.py [IMAGE] [TEST...]
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

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

from driver import guest, kernel, plugin  # noqa: E402
from driver.run import MODEL_WRONG, TIME_LIMIT, Run  # noqa: E402

TOOL = os.path.join(os.path.dirname(HERE), "llcsim")


class Guest:
    """Compiles the test programs once, runs scripts with them."""

    def __init__(self, image, work):
        self.image, self.work, self.files = image, work, []
        sources = [os.path.join(HERE, "guest", f) for f in os.listdir(os.path.join(HERE, "guest"))]
        bench = os.path.join(os.path.dirname(HERE), "bench", "guest")
        sources += [os.path.join(bench, f) for f in ("barrier.c", "storm.c")]
        for source in sorted(sources):
            program = os.path.join(work, os.path.basename(source)[:-2])
            guest.compile_program(source, program)
            self.files.append(program)

    def script(self, text):
        path = os.path.join(self.work, "script.sh")
        with open(path, "w", encoding="ascii") as f:
            f.write(text)
        return path

    def run(self, text, topology="4*4", changes=(), **more):
        """Returns (exit status, what the script printed, the result)."""
        run = Run(self.script(text), self.image, topology, "genoa", changes, self.files,
                  say=lambda text: None, **more)
        run.show = io.StringIO()
        status, result = run.run()
        return status, run.show.getvalue(), result


def number(text, before):
    return float(re.search(before + r" ([\d.]+)", text)[1])


def region(result, name):
    return next(r for r in result["regions"] if r["name"] == name)


def test_exit_status_is_the_scripts(g):
    status, out, _ = g.run("echo hello; exit 7", "2*1")
    assert (status, out) == (7, "hello\n"), (status, out)


def test_time_limit(g):
    started = time.monotonic()
    status, _, _ = g.run("while :; do :; done", "2*1", limit=8)
    assert status == TIME_LIMIT and time.monotonic() - started < 30, status


def test_interrupt_leaves_no_process(g):
    """Ctrl-C and a killed driver."""
    for how, expected in ((signal.SIGINT, 130), (signal.SIGKILL, -9)):
        mark = f"llcsim-interrupt-test-{how}"
        child = subprocess.Popen([TOOL, "run", "-k", g.image, "-c", "2", "-l", "2", "-a", mark,
                                  g.script("echo started; while :; do :; done")],
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert "started" in child.stdout.readline()
        child.send_signal(how)
        assert child.wait(20) == expected, child.returncode
        child.stdout.close()
        time.sleep(0.5)
        left = subprocess.run(["pgrep", "-f", mark], capture_output=True, text=True, check=False)
        assert not left.stdout, left.stdout


def test_clock_never_goes_back(g):
    status, out, _ = g.run("clock_test 16 3", "4*4")
    assert status == 0 and number(out, "backwards") == 0 and number(out, "reads") > 1000, out


def test_shootdowns_do_not_stall(g):
    """A CPU that flushes all TLBs waits for those at their gates, which must notice."""
    status, out, result = g.run("llcmark run a storm 16 5", "4*4")
    assert status == 0 and result["quality"]["leaks"] < 20, (status, out, result["quality"])


DEBUG_SCRIPT = "llcmark run a hackbench -T -p -f 2 -g 1 -l 2000\nstorm 16 2"


def test_debug_finds_nothing(g):
    """No block runs beyond the quantum, and the clock only goes on; one by one and in parallel."""
    for serial in (1, 0):
        status, out, result = g.run(DEBUG_SCRIPT, "4*4", ["debug=1", f"serial={serial}"])
        assert status == 0 and region(result, "a")["ns"] > 1000000, (status, out)


def test_debug_finds_a_wrong_model(g):
    """A gate that opens late, and a clock shown with a bit missing."""
    for nr, (right, wrong, message) in enumerate((
            ("clock_ns + slice_ns)\n\t\treturn false", "clock_ns + 20 * slice_ns)\n\t\treturn false",
             r"CPU \d+ is \d+ ns ahead, more than the quantum"),
            ("now = time_now();\n\n\tif (!machine", "now = time_now() & ~(1ull << 20);\n\n\tif (!machine",
             r"the guest's clock went back from \d+ to \d+ ns"))):
        source, so = os.path.join(g.work, f"plugin{nr}"), os.path.join(g.work, f"plugin{nr}.so")
        shutil.copytree(plugin.SOURCE, source)
        with open(os.path.join(source, "time.c"), "r+", encoding="ascii") as f:
            text = f.read()
            assert text.count(right) == 1, right
            f.seek(0)
            f.write(text.replace(right, wrong))
        plugin.compile_plugin(source, so)
        status, out, _ = g.run(DEBUG_SCRIPT, "4*4", ["debug=1", "serial=0"], so=so)
        assert status == MODEL_WRONG and re.search("llcsim: debug: " + message, out), (status, out)


def test_pinned_run_repeats(g):
    """Four threads that sleep and wake each other on one LLC, twice in each of two boots."""
    script = "for i in 1 2; do llcmark run r$i taskset f0 barrier 4 6000 >/dev/null || exit 1; done"
    times = []
    for _ in range(2):
        status, _, result = g.run(script, "4*4")
        assert status == 0
        times += [region(result, f"r{i}")["ns"] for i in (1, 2)]
    mean = statistics.mean(times)
    worst = max(abs(t - mean) for t in times) / mean
    print(f"  {mean / 1e6:.2f} ms, at most {100 * worst:.2f} % away")
    assert worst < 0.01, times


def test_accesses_are_lines_touched(g):
    """Each way to load and store, in whatever pieces this QEMU shows it.

    What else the CPU did meanwhile only adds to a count: the least of three boots holds.
    """
    rounds = 200000
    least = {}
    for _ in range(3):
        status, out, result = g.run(f"taskset 1 accesses {rounds}", "2*1")
        ways = [line.split() for line in out.splitlines()]
        assert status == 0 and len(ways) > 30, (status, out)
        for name, _ in ways:
            count = region(result, name)["accesses"] / rounds
            least[name] = min(count, least.get(name, count))
    wrong = {name: round(least[name], 2) for name, lines in ways
             if round(least[name]) != int(lines)}
    assert not wrong, wrong


def test_ping_pong_costs_what_the_model_says(g):
    """A hop is two stalls, or one where the reader's next look is still to come."""
    for b, ns in ((1, 15), (4, 110)):
        status, out, _ = g.run(f"ping_pong 0 {b} 20000", "4*4",
                               ["llc_ns=15", "remote_ns=110", "quantum_ns=50"])
        hop = number(out, "ns")
        assert status == 0 and ns <= hop <= 2 * ns + 50, (b, hop)


def test_bandwidth_limits_a_stream(g):
    """2 GB/s for all; more threads get no more."""
    for threads in (1, 8):
        status, out, _ = g.run(f"stream {threads} 4 4", "2*4",
                               ["node_bandwidth=2000", "llc_bytes=1M", "private_bytes=64K",
                                "overlap=8"])
        rate = number(out, "MB/s")
        limit = 2000
        assert status == 0 and rate <= 1.05 * limit, (threads, rate)
        assert threads == 1 or rate >= 0.9 * limit, (threads, rate)


def test_topologies_are_what_the_kernel_sees(g):
    show = "cat /sys/devices/system/cpu/cpu*/cache/index3/shared_cpu_list | sort -u | tr '\\n' ' '\n"
    smt = "cat /sys/devices/system/cpu/cpu0/topology/thread_siblings_list\n"
    nodes = "cat /sys/devices/system/node/node*/cpulist | tr '\\n' ' '\n"
    sizes = "cat /sys/devices/system/cpu/cpu*/cache/index3/size | uniq | tr '\\n' ' '\n"
    for topology, script, expected in (
            ("4,2,1", show, "0-3 4-5 6"),
            ("2*2x2", show + smt, "0-3 4-7 0-1"),
            ("2*2/2*2", show + nodes, "0-1 2-3 4-5 6-7 0-3 4-7"),
            ("2@32M,2@16M", sizes, "32768K 16384K"),
            ("32*4", show + "nproc", None)):
        status, out, _ = g.run(script, topology, model_on=topology != "32*4")
        assert status == 0, (topology, status, out)
        if expected:
            assert out.split() == expected.split(), (topology, out)
        else:
            assert out.split()[-1] == "128" and len(out.split()) == 33, out


def test_regions_and_timeline(g):
    status, _, result = g.run("llcmark begin outer\nllcmark run inner taskset 1 "
                              "sh -c 'i=0; while [ $i -lt 2000 ]; do i=$((i+1)); done'\n"
                              "llcmark end outer\nllcmark run inner true", "2*2")
    inner, outer = region(result, "inner"), region(result, "outer")
    assert status == 0 and inner["times"] == 2 and outer["times"] == 1
    assert 0 < inner["user_insns"] < inner["insns"] and outer["ns"] > 0
    counted = sum(inner[k] for k in ("private", "llc", "remote", "remote_node", "memory",
                                     "memory_node"))
    assert counted == inner["accesses"] > 1000
    shells = [p for p in result["timeline"] if p["comm"] == "sh" and p["run_ns"] > 100000]
    assert shells and all(sum(b[2] for b in p["buckets"]) < p["run_ns"] / 2 for p in shells[-1:])


def test_probe_counts_every_call(g):
    """Twenty programs are executed, each once; a longer call has no fewer instructions."""
    execs = "i=0; while [ $i -lt 20 ]; do llcmark 2>/dev/null; i=$((i+1)); done"
    status, out, result = g.run(f"llcmark run execs sh -c '{execs}'; llcmark 2>/dev/null", "2*1",
                                probes=("begin_new_exec", "bprm_execve"))
    inner, outer = (result["probes"][name] for name in ("begin_new_exec", "bprm_execve"))
    # the shell itself, and its programs; the last one comes after the region
    assert status == 2 and inner["calls"] > inner["interrupted"], (status, out, inner)
    assert inner["calls"] + inner["interrupted"] == 21, inner
    assert 100 < inner["min"] <= inner["median"] < outer["median"] <= outer["max"], (inner, outer)


def test_probe_knows_lines_of_several_llcs(g):
    """A program is executed on one LLC twice, and on two once each."""
    for second, several in ((1, False), (2, True)):
        status, out, result = g.run("echo 'taskset 1 ls; taskset $1 ls' >/both\n"
                                    f"taskset 1 llcmark run a sh /both {second} >/dev/null", "2*1",
                                    probes=("begin_new_exec",))
        execs = result["probes"]["begin_new_exec"]
        assert status == 0 and execs["lines"] > 10, (status, out, execs)
        assert (execs["shared_lines"] > 0) == several, execs
        assert execs["shared_stores"] >= 2 * execs["shared_lines"], execs


def test_longest_wait(g):
    """Two busy shells on one CPU while three idle, and on a CPU each."""
    busy = "i=0; while [ $i -lt 2000 ]; do i=$((i+1)); done"
    status, out, result = g.run(f"echo '{busy} & {busy}; wait' >/busy\n"
                                "llcmark run together taskset 1 sh /busy\n"
                                "llcmark run apart sh /busy", "2*2")
    together, apart = (region(result, n)["longest_wait_ns"] for n in ("together", "apart"))
    assert status == 0 and together > 1000000 > apart, (status, out, together, apart)
    # the CPU beside idles all the time, those of the other LLC do not count
    together, apart = (region(result, n) for n in ("together", "apart"))
    assert 0.7 < together["idle_beside_ns"] / together["ns"] <= 1, together
    assert apart["idle_beside_ns"] < 0.1 * apart["ns"], apart


def test_speed(g):
    """At least 20 million guest instructions a second with the model on."""
    _, _, result = g.run("llcmark run a hackbench -T -p -f 2 -g 1 -l 20000", "4*4")
    per_cpu_s = result["insns"] / result["host_cpu_s"]
    print(f"  {result['insns_per_host_s'] / 1e6:.0f} million instructions a second, "
          f"{per_cpu_s / 1e6:.0f} million a second of the host's CPUs")
    assert per_cpu_s > 10e6, per_cpu_s


def main(argv):
    tests = {k: v for k, v in globals().items() if k.startswith("test_")}
    wanted = [a for a in argv if a in tests] or list(tests)
    images = [a for a in argv if a not in tests]
    image = images[0] if images else kernel.default_image(lambda text: print(text, flush=True))
    failed = 0
    with tempfile.TemporaryDirectory() as work:
        g = Guest(os.path.abspath(image), work)
        for name in wanted:
            started = time.monotonic()
            try:
                tests[name](g)
                verdict = "ok"
            except AssertionError as error:
                verdict, failed = f"FAIL {error}", failed + 1
            print(f"{name}: {verdict} ({time.monotonic() - started:.0f} s)", flush=True)
    print(f"{len(wanted) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

# SPDX-License-Identifier: GPL-2.0-only
"""llctop, see llctop.8: --once, --json and the arguments, on fixtures."""
import json
import os
import re
import signal
import subprocess
import tempfile
import threading
import unittest

from fixture import HERE, LLCTOP, Machine, run, run_json, sched_lines

FOUR = [list(range(i, i + 4)) for i in (0, 4, 8, 12)]


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.count = 0

    def machine(self, llcs=None, time=None, **more):
        """Each one is of a second after the one before."""
        self.count += 1
        return Machine(os.path.join(self.folder.name, str(self.count)),
                       FOUR if llcs is None else llcs,
                       1000 + self.count if time is None else time, **more)

    def two(self, llcs=None, **more):
        return [self.machine(llcs, **more), self.machine(llcs, **more)]


class Topology(Case):
    def llcs(self, *llcs, **more):
        sample, = run_json(roots=[self.machine(*llcs, **more)] * 2)
        return sample

    def test_l3(self):
        sample = self.llcs(FOUR, nodes=2)
        self.assertEqual(sample["topology"], "caches")
        self.assertEqual([llc["cpus"] for llc in sample["llcs"]], FOUR)
        self.assertEqual([llc["node"] for llc in sample["llcs"]], [0, 0, 1, 1])
        for index, llc in enumerate(sample["llcs"]):
            self.assertEqual(llc["index"], index)
            self.assertEqual(llc["cores"], 4)
            self.assertEqual(llc["bytes"], 16 << 20)
            self.assertEqual(llc["cache_level"], 3)
            self.assertEqual(llc["cache_id"], index)

    def test_unequal(self):
        llcs = [[0, 1, 2, 3, 4, 5], [6, 7], [8]]
        self.assertEqual([llc["cpus"] for llc in self.llcs(llcs)["llcs"]], llcs)

    def test_smt_numbered_apart(self):
        llcs = [[0, 1, 8, 9], [2, 3, 10, 11]]
        sample = self.llcs(llcs, smt=2)
        self.assertEqual([llc["cpus"] for llc in sample["llcs"]], llcs)
        self.assertEqual([llc["cores"] for llc in sample["llcs"]], [2, 2])
        self.assertEqual([llc["online_cpus"] for llc in sample["llcs"]], [4, 4])

    def test_no_l3(self):
        sample = self.llcs([[0, 1], [2, 3]], level=2)
        self.assertEqual([llc["cpus"] for llc in sample["llcs"]],
                         [[0, 1], [2, 3]])
        self.assertEqual([llc["cache_level"] for llc in sample["llcs"]], [2, 2])
        self.assertEqual([llc["bytes"] for llc in sample["llcs"]],
                         [1 << 20] * 2)

    def test_no_caches_at_all(self):
        sample = self.llcs([[0, 1], [2, 3]], caches=False)
        self.assertEqual(sample["topology"], "packages")
        self.assertEqual([llc["cpus"] for llc in sample["llcs"]],
                         [[0, 1], [2, 3]])
        self.assertIsNone(sample["llcs"][0]["bytes"])

    def test_nothing_in_sysfs(self):
        machine = self.machine()
        os.rename(machine.root + "/sys", machine.root + "/gone")
        sample, = run_json(roots=[machine])
        self.assertEqual(sample["topology"], "none")
        self.assertEqual([llc["cpus"] for llc in sample["llcs"]],
                         [list(range(16))])

    def test_offline_from_the_start(self):
        sample = self.llcs(FOUR, offline=(1, 4, 5, 6, 7))
        self.assertEqual([llc["cpus"] for llc in sample["llcs"]],
                         [[0, 2, 3], FOUR[2], FOUR[3]])

    def test_llc_that_goes_offline_keeps_its_index(self):
        machines = [self.machine(), self.machine(offline=FOUR[1]),
                    self.machine(offline=FOUR[1])]
        for machine in machines:
            machine.process(10, [(10, 0, 0), (11, 12, 0)])
        samples = run_json("-n", "2", roots=machines)
        self.assertEqual([llc["online_cpus"] for llc in samples[1]["llcs"]],
                         [4, 0, 4, 4])
        self.assertIn("   off ", run("--once", "-n2", "-d.1",
                                     roots=machines).stdout)

    def test_llc_that_comes_is_new(self):
        machines = [self.machine(offline=FOUR[0]), self.machine(),
                    self.machine(), self.machine()]
        for ticks, machine in enumerate(machines):
            machine.process(10, [(10, 5, ticks * 100), (11, 5, 0)])
        last = run_json("-n", "3", roots=machines)[2]
        self.assertEqual(last["llcs"][3]["cpus"], FOUR[0])
        self.assertEqual(last["processes"][0]["most_llc"], 0)

    def test_kernel_has_the_last_word(self):
        """Indexes of llc_status, and CPUs that it does not list after them."""
        machine = self.machine([[0, 1], [2, 3], [4, 5]])
        machine.feature(status="state: %s\n"
                        "llc 0: cpus 2-3 cores 2 node 7 bytes 4096 busy 1.50 claimed 0.25\n"
                        "llc 1: cpus 0-1 cores 2 node 7 bytes 4096 news 1\n")
        sample, = run_json(roots=[machine] * 2)
        self.assertEqual([llc["cpus"] for llc in sample["llcs"]],
                         [[2, 3], [0, 1], [4, 5]])
        self.assertEqual(sample["topology"], "caches")
        self.assertEqual(sample["llcs"][0]["node"], 7)
        self.assertEqual(sample["llcs"][0]["bytes"], 4096)
        self.assertEqual(sample["llcs"][0]["busy"], 1.5)
        self.assertEqual(sample["llcs"][0]["claimed"], 0.25)
        self.assertIsNone(sample["llcs"][1]["busy"])

    def test_64_llcs(self):
        sample = self.llcs([[2 * i, 2 * i + 1] for i in range(64)])
        self.assertEqual(len(sample["llcs"]), 64)


class Load(Case):
    def test_load_is_of_the_interval(self):
        first = self.machine(busy={0: 0, 4: 0})
        second = self.machine(busy={})
        # 1 s = 100 ticks: CPU 4 was busy for 50 of them, CPU 5 for all.
        stat = second.read("proc/stat")
        stat = stat.replace("cpu4 0 0 0 100200", "cpu4 50 0 0 100150")
        stat = stat.replace("cpu5 0 0 0 100200", "cpu5 50 0 50 100100")
        second.write("proc/stat", stat)
        sample, = run_json(roots=[first, second])
        self.assertEqual([llc["load_pct"] for llc in sample["llcs"]],
                         [0, 37.5, 0, 0])

    def test_counters_that_go_back(self):
        machines = self.two()
        stat = machines[1].read("proc/stat")
        machines[1].write("proc/stat", stat.replace("100200", "5"))
        sample, = run_json(roots=machines)
        self.assertEqual([llc["load_pct"] for llc in sample["llcs"]], [0] * 4)


class Placement(Case):
    """A kernel without the feature."""

    def test_shares(self):
        first, second = self.two()
        first.process(10, [(10, 0, 1000), (11, 4, 500), (12, 4, 0)])
        second.process(10, [(10, 0, 1025), (11, 5, 575), (12, 9, 0)])
        sample, = run_json("-t", roots=[first, second])
        process, = sample["processes"]
        self.assertEqual(process["share_pct_by_llc"], [25, 75, 0, 0])
        self.assertEqual((process["most_llc"], process["most_pct"]), (1, 75))
        self.assertAlmostEqual(process["cpu_pct"], 100)
        self.assertEqual(process["llc_changes_per_s"], 1)
        self.assertEqual(process["threads"], 3)
        self.assertEqual(process["user"], "root")
        self.assertEqual(process["command"], "prog -x")
        for key in ("home", "home_pct", "state", "reason", "moves_per_s",
                    "running_by_llc"):
            self.assertIsNone(process[key])
        threads = {t["tid"]: t for t in process["thread_list"]}
        self.assertEqual([threads[t]["llc"] for t in (10, 11, 12)], [0, 1, 2])
        self.assertEqual(threads[11]["cpu_pct"], 75)
        self.assertEqual(threads[12]["share_pct_by_llc"], [0] * 4)
        self.assertEqual([llc["processes"] for llc in sample["llcs"]],
                         [0, 1, 0, 0])

    def test_shares_are_halved_each_interval(self):
        machines = [self.machine() for _ in range(3)]
        for machine, (cpu, ticks) in zip(machines, ((0, 0), (0, 100), (4, 150))):
            machine.process(10, [(10, cpu, ticks), (11, 0, 0)])
        samples = run_json("-n", "2", roots=machines)
        self.assertEqual(samples[0]["processes"][0]["share_pct_by_llc"][0], 100)
        self.assertEqual(samples[1]["processes"][0]["share_pct_by_llc"],
                         [50, 50, 0, 0])
        self.assertEqual(samples[1]["processes"][0]["cpu_pct"], 50)

    def test_schedstat_is_finer_than_ticks(self):
        first, second = self.two()
        first.thread(10, 10, 0, 5, run_ns=1000000000)
        first.thread(10, 11, 0, 5, run_ns=0)
        second.thread(10, 10, 0, 99, run_ns=1123000000)
        second.thread(10, 11, 0, 99, run_ns=0)
        sample, = run_json(roots=[first, second])
        self.assertAlmostEqual(sample["processes"][0]["cpu_pct"], 12.3, 2)

    def test_only_multithreaded(self):
        machines = self.two()
        for machine in machines:
            machine.process(10, [(10, 0, 0)])
            machine.process(20, [(20, 0, 0), (21, 0, 0)])
        sample, = run_json(roots=machines)
        self.assertEqual([p["pid"] for p in sample["processes"]], [20])
        sample, = run_json("-p", "10", roots=machines)
        self.assertEqual([p["pid"] for p in sample["processes"]], [10])

    def test_processes_vanish_and_come(self):
        machines = [self.machine() for _ in range(3)]
        machines[0].process(10, [(10, 0, 0), (11, 0, 0)])
        machines[0].process(20, [(20, 0, 0), (21, 0, 0)])
        machines[1].process(20, [(20, 0, 0), (21, 0, 100)])
        # Began in the interval, so all of its run time is of the interval.
        machines[1].process(30, [(30, 4, 50), (31, 4, 0)], start=100150)
        # The PID of the first, again.
        machines[2].process(10, [(10, 8, 10), (11, 8, 0)], start=100250)
        samples = run_json("-n", "2", roots=machines)
        self.assertEqual([(p["pid"], p["cpu_pct"]) for p in samples[0]["processes"]],
                         [(20, 100), (30, 50)])
        self.assertEqual([(p["pid"], p["cpu_pct"]) for p in samples[1]["processes"]],
                         [(10, 10)])

    def test_files_vanish_while_read(self):
        machines = self.two()
        for machine in machines:
            machine.process(10, [(10, 0, 0), (11, 0, 0), (12, 0, 0)])
            os.unlink(machine.root + "/proc/10/task/11/stat")
            machine.write("proc/10/task/12/stat", "")
            os.unlink(machine.root + "/proc/10/cmdline")
            os.unlink(machine.root + "/proc/10/status")
            machine.process(20, [(20, 0, 0), (21, 0, 0)])
            for tid in (20, 21):
                os.unlink(f"{machine.root}/proc/20/task/{tid}/stat")
            machine.write("proc/30/stat", "30 (torn")
            machine.write("proc/40/cmdline", "no stat")
        sample, = run_json(roots=machines)
        process, = sample["processes"]
        self.assertEqual((process["pid"], process["threads"]), (10, 1))
        self.assertEqual(process["command"], "[worker]")
        self.assertEqual((process["user"], process["uid"]), ("?", None))

    def test_cpu_that_nobody_knows(self):
        machines = self.two()
        for machine in machines:
            machine.process(10, [(10, 99, 0), (11, -1, 7), (12, 100000, 0)])
        sample, = run_json("-t", roots=machines)
        self.assertEqual([t["llc"] for t in sample["processes"][0]["thread_list"]],
                         [None] * 3)

    def test_names_are_escaped(self):
        machines = self.two()
        for machine in machines:
            machine.process(10, [(10, 0, 0), (11, 0, 0)], comm='a) "R\n\\',
                            command=b'sh\0-c\0"\\\n\t\x1b[31m\xff\xc3\xa9\0')
        process = run_json("-t", roots=machines)[0]["processes"][0]
        self.assertEqual(process["command"], 'sh -c "\\\n\t\x1b[31m\ufffdé')
        self.assertEqual(process["name"], 'a) "R\n\\')
        table = run("--once", "-d.1", roots=machines).stdout
        self.assertIn('sh -c "\\???[31m?é\n', table)
        self.assertNotIn("\x1b", table)


class Feature(Case):
    def with_homes(self):
        first, second = self.two()
        for machine, moves, ticks in ((first, 5, 0), (second, 9, 100)):
            machine.feature()
            machine.process(10, [
                (10, 12, ticks, sched_lines(
                    home="3", state="home", reason="grown", home_pct=93,
                    moves_fork=1, moves_wake=moves, moves_push=0,
                    moves_spread=0, run_3="1.87", run_0="0.13")),
                (11, 0, 0, sched_lines(
                    home="3", state="away", reason="grown", home_pct=93,
                    moves_fork=0, moves_wake=moves + 1, moves_push=0,
                    moves_spread=2))])
        return first, second

    def test_homes(self):
        sample, = run_json("-t", roots=self.with_homes())
        self.assertEqual(sample["feature"], {
            "state": "active", "reason": None, "homes": True,
            "message": "cache-aware scheduling is active"})
        self.assertEqual(sample["counters"], {
            "groups": 1, "moves_fork": 4, "moves_wake": 0, "moves_push": 2,
            "moves_spread": 0, "holds": 21, "spills": 3, "violations": None})
        process, = sample["processes"]
        self.assertEqual(process["home"], [3])
        self.assertEqual(process["home_pct"], 93)
        self.assertEqual(process["state"], "home")
        self.assertEqual(process["reason"], "grown")
        self.assertEqual(process["moves_per_s"],
                         {"fork": 0, "wake": 8, "push": 0, "spread": 0})
        self.assertEqual(process["running_by_llc"], [0.13, 0, 0, 1.87])
        self.assertEqual([t["state"] for t in process["thread_list"]],
                         ["home", "away"])
        self.assertEqual([llc["processes"] for llc in sample["llcs"]],
                         [0, 0, 0, 1])

    def test_manual_names_all_keys(self):
        def keys(value):
            if isinstance(value, dict):
                for key, inner in value.items():
                    yield key
                    yield from keys(inner)
            elif isinstance(value, list):
                for inner in value:
                    yield from keys(inner)

        with open(os.path.join(HERE, "..", "llctop.8"), encoding="ascii") as file:
            words = re.findall(r"\w+", file.read().split(".SH JSON")[1])
        for key in keys(run_json("-t", roots=self.with_homes())):
            self.assertIn(key, words)

    def test_table(self):
        table = run("--once", "-d.1", roots=self.with_homes()).stdout
        self.assertIn("cache-aware scheduling is active\n", table)
        self.assertIn("holds 21, spills 3", table)
        self.assertRegex(table, r"(?m)^ +10 root +2 +100\.0 3 +93 +8\.0 home +"
                                r"grown +3:100 +prog -x$")

    def test_home_is_none_and_several(self):
        machines = self.two()
        for machine in machines:
            machine.feature()
            machine.process(10, [(10, 0, 0, sched_lines(
                home="none", state="homeless", reason="too-many-threads")),
                (11, 0, 0)])
            machine.process(20, [(20, 0, 0, sched_lines(home="0-1,3")),
                                 (21, 0, 0)])
            machine.process(30, [(30, 0, 0, sched_lines(state="exempt")),
                                 (31, 0, 0)])
        sample, = run_json("--sort", "pid", roots=machines)
        self.assertEqual([p["home"] for p in sample["processes"]],
                         [[], [0, 1, 3], None])
        self.assertEqual([p["state"] for p in sample["processes"]],
                         ["homeless", "home", "exempt"])
        self.assertEqual([p["home_pct"] for p in sample["processes"]],
                         [None] * 3)
        table = run("--once", "-d.1", roots=machines).stdout
        self.assertRegex(table, r"10 root .* none +- .* homeless too-many-threads")
        self.assertRegex(table, r"20 root .* 0,1,3 +- ")

    def test_lines_that_make_no_sense(self):
        machines = self.two()
        for machine in machines:
            machine.feature()
            machine.process(10, [(10, 0, 0, sched_lines(
                home="3-1", home_pct="x", moves_fork="-7", run_x="1",
                run_9999="1", run_2="y", news="1", state="s" * 99)),
                (11, 0, 0)])
        process = run_json(roots=machines)[0]["processes"][0]
        for key in ("home", "home_pct", "moves_per_s", "running_by_llc"):
            self.assertIsNone(process[key], key)
        self.assertEqual(process["state"], "s" * 15)

    def test_leader_that_has_ended(self):
        machines = self.two()
        for machine in machines:
            machine.feature()
            machine.process(10, [(11, 0, 0, sched_lines(
                home="2", state="home", home_pct=50))])
            machine.thread(10, 10, 0, 0, state="Z",
                           sched=sched_lines(home="none", state="homeless"))
        process = run_json(roots=machines)[0]["processes"][0]
        self.assertEqual((process["home"], process["home_pct"]), ([2], 50))

    def test_off(self):
        machines = self.two()
        for machine in machines:
            machine.feature("inactive (NO_SCHED_CACHE)")
            machine.process(10, [(10, 0, 0), (11, 0, 0)])
        sample, = run_json(roots=machines)
        self.assertEqual(sample["feature"]["state"], "inactive")
        self.assertEqual(sample["feature"]["reason"], "NO_SCHED_CACHE")
        self.assertIn("is off (NO_SCHED_CACHE): placement alone\n",
                      run("--once", "-d.1", roots=machines).stdout)

    def test_absent(self):
        machine = self.machine()
        machine.feature(None)
        sample, = run_json(roots=[machine])
        self.assertEqual(sample["feature"]["state"], "absent")
        self.assertTrue(run("--once", "-d.1", roots=[machine]).stdout.startswith(
            "this kernel has no cache-aware scheduling: placement alone\n"))

    def test_debugfs_is_not_mounted(self):
        sample, = run_json(roots=[self.machine()])
        self.assertEqual(sample["feature"]["state"], "unknown")
        self.assertEqual(sample["feature"]["reason"], "debugfs is not mounted")

    @unittest.skipIf(os.geteuid() != 0, "needs root to become somebody else")
    def test_debugfs_is_closed_to_users(self):
        first, second = self.with_homes()
        for machine in (first, second):
            os.chmod(machine.root + "/sys/kernel/debug", 0o700)
        os.chmod(self.folder.name, 0o755)
        folder = self.folder.name
        binary = folder + "/llctop"
        with open(LLCTOP, "rb") as source, open(binary, "wb") as copy:
            copy.write(source.read())
        os.chmod(binary, 0o755)
        done = subprocess.run(
            [binary, "--json", "-d.1"], user=65534, group=65534, text=True,
            cwd="/", env={"LLCTOP_ROOT": f"{first.root}:{second.root}"},
            capture_output=True, check=True)
        sample, = json.loads(done.stdout)["samples"]
        self.assertEqual(sample["feature"]["state"], "unknown")
        self.assertIn("root is needed", sample["feature"]["message"])
        self.assertEqual(sample["topology"], "caches")
        self.assertEqual(sample["processes"][0]["home"], [3])

    def test_status_in_pieces(self):
        machine = self.machine()
        for status in ("%.0s", "state:%.0s", "state: %.0swhat\n",
                       "state: %s\nllc\nllc x\nllc 1\nllc 1: cpus\n"
                       "llc 700: cpus 0\nllc 0: cpus 9-1\nmoves: fork\n"):
            machine.feature(status=status)
            sample, = run_json(roots=[machine])
            self.assertIn(sample["feature"]["state"],
                          ("active", "inactive", "unknown"))


class Order(Case):
    def pids(self, *arguments):
        machines = self.two()
        for machine, ticks in zip(machines, (0, 10)):
            machine.process(10, [(10, 0, 5 * ticks), (11, 0, 0)], b"beta\0")
            machine.process(20, [(20, 8, 9 * ticks), (21, 8, 0), (22, 8, 0)],
                            b"Alpha\0", uid=12345678)
            machine.process(30, [(30, 4, ticks), (31, 4, 0)], b"gamma\0")
        sample, = run_json(*arguments, roots=machines)
        return [p["pid"] for p in sample["processes"]]

    def test_sort(self):
        for key, pids in (("cpu", [20, 10, 30]), ("-cpu", [30, 10, 20]),
                          ("pid", [10, 20, 30]), ("threads", [20, 10, 30]),
                          ("command", [20, 10, 30]), ("home", [10, 30, 20]),
                          ("user", [20, 10, 30]), ("moves", [10, 20, 30]),
                          ("home%", [10, 20, 30]), ("state", [10, 20, 30]),
                          ("reason", [10, 20, 30]), ("share", [10, 20, 30])):
            self.assertEqual(self.pids("--sort", key), pids, key)

    def test_filter(self):
        self.assertEqual(self.pids("--filter", "ALPHA"), [20])
        self.assertEqual(self.pids("--filter", "1234567"), [20])
        self.assertEqual(self.pids("--filter", "30"), [30])
        self.assertEqual(self.pids("--filter", "nothing"), [])


class Arguments(Case):
    def test_bad(self):
        for arguments, word in (
                (["-x"], "'-x'"), (["--bogus"], "'--bogus'"),
                (["-d"], "-d needs a value"), (["--once=1"], "--once=1"),
                (["foo"], "'foo'"), (["-d", "0"], "'0'"),
                (["-d", "0.01"], "'0.01'"), (["-d", "1x"], "'1x'"),
                (["-d", "nan"], "'nan'"), (["-d", "1e9"], "'1e9'"),
                (["-d", "-1"], "'-1'"), (["-n", "0"], "'0'"),
                (["-n", "1.5"], "'1.5'"), (["-n", ""], "''"),
                (["-n", "99999999999999999999"], "99999"),
                (["-p", ""], "''"), (["-p", "1,,2"], "'1,,2'"),
                (["-p", "1,"], "'1,'"), (["-p", "a"], "'a'"),
                (["-p", "0"], "'0'"), (["-p", "-1"], "'-1'"),
                (["-p", "4294967297"], "4294967297"),
                (["-p1", "-p2"], "twice"), (["--sort", "size"], "'size'"),
                (["--sort", ""], "''"), (["--once", "--json"], "exclude"),
                (["--filter", "x" * 64], "63"), (["record"], "command"),
                (["record", "-o"], "-o needs a value"),
                (["record", "-o", "", "true"], "-o"),
                (["record", "-i", "0", "true"], "'0'"),
                (["record", "--bogus", "true"], "--bogus")):
            done = run(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertEqual(done.stdout, "", arguments)
            self.assertIn(word, done.stderr, arguments)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertTrue(done.stderr.startswith("llctop: "), done.stderr)

    def test_help_and_version(self):
        done = run("--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("usage: llctop", done.stdout)
        done = run("--version")
        self.assertRegex(done.stdout, r"^llctop [0-9.]+\n$")
        self.assertEqual(run("record", "--help").returncode, 0)

    def test_no_terminal_is_once(self):
        machines = self.two()
        with_option = run("--once", "-d.1", roots=machines)
        without = run("-d.1", roots=machines)
        self.assertEqual(without.returncode, 0)
        self.assertEqual(without.stdout, with_option.stdout)
        self.assertEqual(without.stderr, "")

    def test_several_tables(self):
        table = run("--once", "-n3", "-d.1", roots=self.two()).stdout
        self.assertEqual(table.count("LLC CPUS"), 3)

    def test_pid_that_is_not_there(self):
        done = run("--once", "-d.1", "-p", "77", roots=self.two())
        self.assertEqual(done.returncode, 1)
        self.assertIn("no process", done.stderr)
        done = run("--json", "-d.1", "-p", "77", roots=self.two())
        self.assertEqual(json.loads(done.stdout)["samples"][0]["processes"], [])

    def test_full_disk(self):
        for output in ("--once", "--json"):
            with open("/dev/full", "w", encoding="ascii") as full:
                done = subprocess.run([LLCTOP, output, "-d.1"], stdout=full,
                                      stderr=subprocess.PIPE, text=True,
                                      check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn("standard output", done.stderr)

    def test_signal_leaves_a_document(self):
        child = subprocess.Popen([LLCTOP, "--json", "-n", "1000", "-d", "0.1"],
                                 stdout=subprocess.PIPE, text=True)
        timer = threading.Timer(1, child.send_signal, (signal.SIGTERM,))
        timer.start()
        output = child.communicate(timeout=30)[0]
        self.assertEqual(child.returncode, 128 + signal.SIGTERM)
        self.assertGreater(len(json.loads(output)["samples"]), 1)


class Real(Case):
    def test_this_machine(self):
        sample, = run_json("-p", str(os.getpid()))
        self.assertEqual(sample["processes"][0]["pid"], os.getpid())
        self.assertGreater(len(sample["llcs"]), 0)

    def test_storm_of_short_processes(self):
        storm = subprocess.Popen(
            ["sh", "-c", "while :; do for i in 1 2 3 4 5; do "
             "sh -c : & done; wait; done"])
        self.addCleanup(storm.wait)
        self.addCleanup(storm.kill)
        samples = run_json("-n", "10", "-t")
        self.assertEqual(len(samples), 10)


if __name__ == "__main__":
    unittest.main()

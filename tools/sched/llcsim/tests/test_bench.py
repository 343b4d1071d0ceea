# SPDX-License-Identifier: GPL-2.0-only
"""The benchmark's parts that need no emulator."""
import os
import re
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

TOOL = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
sys.path[:0] = [TOOL, os.path.join(TOOL, "bench")]

import bench  # noqa: E402
import report  # noqa: E402
import verdict  # noqa: E402
from boots import Boots  # noqa: E402
from cases import HEADLINE, cases  # noqa: E402

SCHBENCH = """\
Wakeup Latencies percentiles (usec) runtime 1 (s) (2150 total samples)
\t  50.0th: 7          (899 samples)
\t  90.0th: 9          (555 samples)
\t* 99.0th: 12         (80 samples)
\t  99.9th: 31         (19 samples)
\t  min=1, max=90
Request Latencies percentiles (usec) runtime 1 (s) (2160 total samples)
\t  50.0th: 9488       (650 samples)
\t* 99.0th: 9900       (650 samples)
average rps: 2160.00
"""


def row(case, metric, less_is_better, **means):
    return {"case": case, "metric": metric, "less_is_better": less_is_better, "variants": {
        v: {"mean": m, "min": m, "max": 1.1 * m, "values": [m]} for v, m in means.items()}}


class CasesTest(unittest.TestCase):
    def test_names_differ(self):
        names = [c.name for c in cases()]
        self.assertEqual(len(names), len(set(names)))

    def test_schbench_takes_the_messengers_place(self):
        real = {c.name: c for c in cases(True)}["messenger-3"]
        self.assertIn("schbench -m 1 -t 3", real.command)
        self.assertEqual({m.name: re.findall(m.pattern, SCHBENCH) for m in real.metrics},
                         {"p50": ["7"], "p99": ["12"], "p99.9": ["31"], "rate": ["2160.00"]})

    def test_pinned_only_where_it_makes_sense(self):
        some = [c for c in cases() if c.name in ("storm", "late")]
        text = bench.script(some, ("off", "on", "pinned"), "4*4")
        self.assertIn("one late pinned", text)
        self.assertIn("one storm on", text)
        self.assertNotIn("one storm pinned", text)

    def test_headline_names_what_is_measured(self):
        known = {(c.name, m.name) for c in cases() for m in c.metrics}
        self.assertEqual([h for h in HEADLINE if h[:2] not in known], [])

    def test_masks(self):
        self.assertEqual(bench.masks("4*4"), {"MASK0": "f", "MASK1": "f0", "MASK2": "f00",
                                              "MASK3": "f000", "MASKS": "ff0"})
        self.assertEqual(bench.masks("2*8"), {"MASK0": "ff", "MASK1": "ff00", "MASK2": "ff",
                                              "MASK3": "ff00", "MASKS": "ffff"})


class BootsTest(unittest.TestCase):
    """A guest that was kept is the same one, and only that."""

    def setUp(self):
        work = tempfile.TemporaryDirectory()
        self.addCleanup(work.cleanup)
        self.work = work.name
        self.image = self.file("image", "kernel")

    def file(self, name, text):
        path = os.path.join(self.work, name)
        with open(path, "w", encoding="ascii") as f:
            f.write(text)
        return path

    def boots(self):
        return Boots(os.path.join(self.work, "boots"), [self.image], [])

    def bench(self):
        one = bench.Bench({"patched": self.image}, [], self.work, (), self.boots())
        one._boot = mock.Mock(return_value=("said", {"status": 0, "host_s": 2, "insns": 3}))
        return one

    def test_a_second_run_takes_what_the_first_one_gave(self):
        first, second = self.bench(), self.bench()
        self.assertEqual(first.boot(self.image, "text", "4*4", 1),
                         second.boot(self.image, "text", "4*4", 1))
        self.assertEqual((first._boot.call_count, second._boot.call_count), (1, 0))
        self.assertEqual((second.host_s, second.insns), (2, 3))

    def test_another_guest_is_another(self):
        one = self.bench()
        for text, seed, more in (("a", 1, {}), ("b", 1, {}), ("a", 2, {}), ("a", 1, {"x": 1})):
            one.boot(self.image, text, "4*4", seed, **more)
        self.assertEqual(one._boot.call_count, 4)

    def test_another_kernel_is_another(self):
        before = self.boots().path(self.image, "text")
        self.file("image", "other")
        self.assertNotEqual(before, self.boots().path(self.image, "text"))

    def test_what_failed_is_not_kept(self):
        one = self.bench()
        one._boot.return_value = ("", {"status": 126, "host_s": 1})
        for _ in range(2):
            one.boot(self.image, "text", "4*4", 1)
        self.assertEqual(one._boot.call_count, 2)

    def test_half_a_file_is_none(self):
        boots = self.boots()
        boots.keep(boots.path(self.image, 1), "said", {})
        with open(boots.path(self.image, 1), "r+b") as f:
            f.truncate(10)
        self.assertIsNone(boots.find(boots.path(self.image, 1)))


class CostTest(unittest.TestCase):
    def test_the_middle_of_runs(self):
        self.assertEqual(bench.middle([9, 1, 5, 4, 3, 2, 100]), 4.6)
        self.assertEqual(bench.middle([1, 100, 3, 2]), 2.5)
        self.assertEqual(bench.middle([7]), 7)

    def test_each_variant_boots_for_itself(self):
        one = bench.Bench({"stock": "a", "patched": "b"}, [], "", ["costs"])
        with mock.patch.object(one, "boot", return_value=("", {})) as boot:
            for run in one.boots([], 0):
                run()
        self.assertEqual([(c.args[0], [v for v in ("stock", "off", "on") if f" {v} " in c.args[1]])
                          for c in boot.call_args_list],
                         [("a", ["stock"]), ("b", ["off"]), ("b", ["on"])])
        self.assertEqual(len(one.problems), 3 * len(bench.COSTS))


class ChoiceTest(unittest.TestCase):
    def test_tables_of_instructions(self):
        self.assertEqual(bench.chosen_tables(False, []), ["costs", "scans", "lines"])
        self.assertEqual(bench.chosen_tables(True, []), ["costs"])
        self.assertEqual(bench.chosen_tables(False, ["burst", "scans"]), ["scans"])
        self.assertEqual(bench.chosen_cases(cases(), False, ["costs"]), [])


class StockTest(unittest.TestCase):
    """When the stock kernel is built, with a tree of one file."""

    def setUp(self):
        self.work = tempfile.TemporaryDirectory()
        self.addCleanup(self.work.cleanup)
        self.tree = os.path.join(self.work.name, "linux")
        os.mkdir(self.tree)
        self.git("init", "-q")
        self.new_base("one")
        self.built = []
        for name, value in (("STOCK", ""), ("LLCSIM_BUILD", os.path.join(self.work.name, "build"))):
            self.enterContext(mock.patch.dict(os.environ, {name: value}))
        for what, value in (("in_repository", lambda: True), ("kernel_source", lambda: self.tree)):
            self.enterContext(mock.patch.object(bench, what, value))
        self.enterContext(mock.patch.object(bench.kernel, "build", self.build))
        self.enterContext(mock.patch.object(bench.kernel, "is_configured", lambda *_: True))

    def git(self, *args):
        subprocess.run(["git", "-C", self.tree, "-c", "user.name=n", "-c", "user.email=e", *args],
                       check=True, stdout=subprocess.DEVNULL)

    def new_base(self, text):
        with open(os.path.join(self.tree, "Makefile"), "w", encoding="ascii") as f:
            f.write(text)
        self.git("add", "Makefile")
        self.git("commit", "-q", "-m", text)
        self.git("update-ref", "refs/heads/base", "HEAD")

    def build(self, source, objects, _say):
        with open(os.path.join(source, "Makefile"), encoding="ascii") as f:
            self.built.append(f.read())
        image = os.path.join(objects, bench.kernel.IMAGE)
        os.makedirs(os.path.dirname(image))
        with open(image, "w", encoding="ascii"):
            pass

    def test_built_once_for_each_base(self):
        for _ in range(2):
            self.assertTrue(os.path.exists(bench.stock_image(None)))
        self.assertEqual(self.built, ["one"])
        self.new_base("two")
        for _ in range(2):
            bench.stock_image(None)
        self.assertEqual(self.built, ["one", "two"])

    def test_built_again_after_a_build_that_failed(self):
        with mock.patch.object(bench.kernel, "build", side_effect=bench.Error("no")):
            with self.assertRaises(bench.Error):
                bench.stock_image(None)
        bench.stock_image(None)
        self.assertEqual(self.built, ["one"])

    def test_none(self):
        with mock.patch.dict(os.environ, {"STOCK": "none"}):
            self.assertIsNone(bench.stock_image(None))
        self.assertEqual(self.built, [])


class VerdictTest(unittest.TestCase):
    def test_every_figure_has_its_case(self):
        known = {(c.name, m.name): c for c in cases() for m in c.metrics}
        for _, figures in verdict.FIGURES:
            for figure in figures:
                if isinstance(figure, verdict.Figure):
                    for case in {figure.case, figure.over_case or figure.case}:
                        self.assertIn((case, figure.metric), known)
                    over = known[figure.over_case or figure.case, figure.metric]
                    self.assertTrue(figure.over != "pinned" or over.pinned, figure)

    def judge(self, *rows, costs=(), scans=(), **waits):
        """How many figures are met and how many not."""
        _, count = verdict.judge({"rows": rows, "kernel_insns_per_operation": dict(costs),
                                  "scans": scans, "longest_wait_ms": waits})
        return count[True], count[False]

    def test_met(self):
        self.assertEqual(self.judge(row("burst", "rate", False, on=97.1, pinned=100),
                                    row("hackbench-20k", "time", True, on=92, pinned=100),
                                    row("hackbench-f4g4", "time", True, on=101, off=100),
                                    row("messenger-16", "p99", True, on=102, off=100)), (4, 0))

    def test_not_met(self):
        self.assertEqual(self.judge(row("burst", "rate", False, on=96, pinned=100),
                                    row("hackbench-20k", "time", True, on=94, pinned=100),
                                    row("storm", "rate", False, on=98.9, off=100),
                                    row("hackbench-f4g4", "time", True, on=102, off=100),
                                    row("messenger-16", "p99", True, on=103, off=100)), (0, 5))

    def test_slowest_counts_where_it_must(self):
        self.assertEqual(self.judge(row("hackbench-100k", "time", True, on=100, pinned=100)), (1, 0))
        self.assertEqual(self.judge(row("hackbench-20k", "time", True, on=100, pinned=100)), (0, 1))

    def test_costs(self):
        same = {v: {"median": 1000, "noise": 0.0001} for v in ("stock", "off", "on")}
        dear = dict(same, on={"median": 1006, "noise": 0.001})
        self.assertEqual(self.judge(costs={"message": same, "fork_exec_wait": dear}), (3, 2))

    def test_a_wakeup_at_home(self):
        have = {v: {"median": m, "noise": 0.001} for v, m in (("off", 2000), ("on", 2030))}
        self.assertEqual(self.judge(costs={"wakeup": have})[0], 1)
        have["on"]["median"] = 2031
        self.assertEqual(self.judge(costs={"wakeup": have})[0], 0)
        self.assertIn("noise 2, 2", " ".join(verdict.judge(
            {"rows": [], "longest_wait_ms": {}, "kernel_insns_per_operation": {"wakeup": have}})[0]))

    def test_a_scan(self):
        def scan(llcs, cpus, median):
            return {"llcs": llcs, "cpus": cpus, "median": median, "max": 9999}

        self.assertEqual(self.judge(scans=[scan(2, 8, 260), scan(32, 128, 1160)]), (2, 0))
        self.assertEqual(self.judge(scans=[scan(2, 8, 261), scan(8, 32, 441)]), (0, 2))

    def test_a_scan_knows_no_cpus(self):
        def scans(few, many):
            return [{"llcs": 8, "cpus": cpus, "median": m, "max": m}
                    for cpus, m in ((32, few), (128, many))]

        self.assertEqual(self.judge(scans=scans(400, 420)), (3, 0))
        self.assertEqual(self.judge(scans=scans(400, 421)), (2, 1))

    def test_numbers_have_three_digits_and_no_exponent(self):
        for value, text in ((0, "0"), (0.0123, "0.0123"), (6.2, "6.20"), (45, "45.0"),
                            (423.4, "423"), (11811.4, "11811"), (999.96, "1000")):
            self.assertEqual(report._number(value), text)

    def test_how_sure_a_ratio_is(self):
        for values, note in (([90, 110], "(± 0.10)"), ([100, 100.1], ""), ([100], "")):
            one = row("storm", "rate", False, on=100, off=100)
            one["variants"]["on"] = {"mean": 100, "max": max(values), "values": values}
            lines, _ = verdict.judge({"rows": [one], "kernel_insns_per_operation": {},
                                      "longest_wait_ms": {}})
            mine = next(l for l in lines if "storm" in l)
            self.assertEqual("±" in mine, bool(note))
            self.assertIn(note, mine)

    def test_lines_of_several_llcs(self):
        def lines(slots, tick):
            return {name: {"calls": 9, "lines": 4, "shared_lines": n, "shared_stores": n}
                    for name, n in (("sched_cache_slot_add", slots), ("__sched_cache_tick", tick))}

        for have, met in ((lines(0, 1), (2, 0)), (lines(1, 2), (0, 2)), ({}, (0, 0))):
            _, count = verdict.judge({"rows": [], "kernel_insns_per_operation": {},
                                      "longest_wait_ms": {}, "accounting": have})
            self.assertEqual((count[True], count[False]), met)

    def test_the_longest_wait_of_all_cases(self):
        self.assertEqual(self.judge(one={"on": 1.0, "off": 2.6}, two={"on": 2.4}), (1, 1))

    def test_nothing_measured(self):
        self.assertEqual(self.judge(), (0, 0))


if __name__ == "__main__":
    unittest.main()

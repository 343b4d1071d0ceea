# SPDX-License-Identifier: GPL-2.0-only
"""What before_after.py makes of results; no emulator."""
import os
import sys
import unittest

TOOL = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
sys.path[:0] = [TOOL, os.path.join(TOOL, "bench")]

import before_after  # noqa: E402


def region(name, begin_ms, ms, moves=0):
    return {"name": name, "begin_ns": begin_ms * 10**6, "ns": ms * 10**6, "llc_migrations": moves}


RESULT = {
    "regions": [region("1.shared_data.0", 100, 160), region("1.shared_data.0.settled", 200, 50, 4),
                region("1.shared_data.1", 300, 160), region("1.shared_data.1.settled", 400, 50)],
    "timeline": [
        {"comm": "shared_data", "buckets": [[150, 9, 0], [210, 3, 1], [220, 0, 1], [249, 1, 0]]},
        {"comm": "shared_data", "buckets": [[310, 9, 0], [420, 0, 3], [450, 9, 0]]},
        {"comm": "sh", "buckets": [[420, 9, 0]]}],
}


class BeforeAfterTest(unittest.TestCase):
    def values(self, share=100.0, runs=3):
        values = {(p, e, w): [1.0] * runs for p in ("hackbench", "shared_data") for e in (0, 1)
                  for w in ("time", "rate", "moves")}
        return values | {(p, e, "share"): [100.0] * (runs - 1) + [share]
                         for p in ("hackbench", "shared_data") for e in (0, 1)}

    def test_measured(self):
        output = "llc_enabled 0, shared_data: ops/ms 5\nllc_enabled 1, shared_data: ops/ms 9\n"
        values = before_after.measured(["shared_data"], output, RESULT)
        self.assertEqual(values["shared_data", 0, "time"], [160])
        self.assertEqual(values["shared_data", 0, "moves"], [80])
        self.assertEqual(values["shared_data", 0, "share"], [100 * 4 / 6])
        self.assertEqual(values["shared_data", 1, "share"], [100])
        self.assertEqual(values["shared_data", 0, "rate"], [5])
        self.assertEqual(values["shared_data", 1, "rate"], [9])

    def test_every_program_runs_three_times(self):
        for program in ("hackbench", "shared_data"):
            self.assertEqual(sum(g.count(program) for g in before_after.GUESTS), 3)

    def test_problems(self):
        self.assertEqual(before_after.problems(self.values()), [])
        self.assertEqual(len(before_after.problems(self.values(share=94.9))), 2)
        self.assertEqual(len(before_after.problems(self.values(share=None))), 2)
        self.assertEqual(len(before_after.problems(self.values(runs=2))), 2)
        self.assertEqual(len(before_after.problems({})), 2)

    def test_table(self):
        self.assertEqual(len(before_after.table(self.values())), 7)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: GPL-2.0-only
"""llctop, see llctop.8: record, with the real /proc and LLCs that are made up."""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

from fixture import LLCTOP, Machine, run

SVG = "{http://www.w3.org/2000/svg}"
STATUS = ("state: %s\nllc 0: cpus 0-1 cores 2 node 0 bytes 4096\n"
          "llc 1: cpus 2-63 cores 62 node 0 bytes 4096\n")
SPIN = "i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done"
THREADS = ("import threading, time\n"
           "ts = [threading.Thread(target=time.sleep, args=(1,), name='t')"
           " for _ in range(%d)]\n"
           "[t.start() for t in ts]\n[t.join() for t in ts]\n")


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.svg = os.path.join(self.folder, "out.svg")
        self.machine = Machine(os.path.join(self.folder, "root"),
                               [[0, 1], [2, 3]], 1000)
        shutil.rmtree(self.machine.root + "/proc")
        os.symlink("/proc", self.machine.root + "/proc")
        self.knob = self.machine.root + "/sys/kernel/debug/sched/llc_enabled"

    def record(self, *command, options=(), roots=None):
        return run("record", "-o", self.svg, *options, *command,
                   roots=roots or [self.machine])

    def drawn(self):
        """The texts of the drawing, which must be well-formed."""
        root = xml.etree.ElementTree.parse(self.svg).getroot()
        self.assertEqual(root.tag, SVG + "svg")
        self.root = root
        return [text.text for text in root.iter(SVG + "text")]

    def enabled(self):
        with open(self.knob, encoding="ascii") as file:
            return file.read()


class Record(Case):
    def test_a_command_that_is_not_there_leaves_the_drawing(self):
        with open(self.svg, "w", encoding="ascii") as file:
            file.write("old")
        for options in ((), ("--compare",)):
            done = self.record("nosuchcommand", options=options)
            self.assertNotEqual(done.returncode, 0)
            with open(self.svg, encoding="ascii") as file:
                self.assertEqual(file.read(), "old")

    def test_a_folder_is_no_file_to_draw_to(self):
        done = run("record", "-o", self.folder, "sh", "-c", "echo ran", roots=[self.machine])
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("Is a directory", done.stderr)

    def test_output_and_status_are_the_command_s(self):
        done = self.record("sh", "-c", SPIN + "; echo out; echo err >&2; exit 7")
        self.assertEqual(done.returncode, 7)
        self.assertEqual(done.stdout, "out\n")
        self.assertIn("err\n", done.stderr)
        self.assertRegex(done.stderr, r"llctop: [0-9.]+ s, 1 threads, ran 0\.[0-9]*[1-9][0-9]* s")
        texts = self.drawn()
        self.assertTrue(texts[0].startswith("sh -c i=0"))
        self.assertIn("LLC 0", texts)
        self.assertIn("LLC 1", texts)
        self.assertTrue(any(re.match(r"sh \d+$", text) for text in texts), texts)
        # White, two in the legend, and at least one where sh ran.
        self.assertGreater(len(list(self.root.iter(SVG + "rect"))), 3)

    def test_command_without_slash_or_that_fails(self):
        self.assertEqual(self.record("/no/such/command").returncode, 127)
        self.assertEqual(self.record(self.folder).returncode, 126)
        self.assertEqual(self.record("sh", "-c", "kill -9 $$").returncode, 137)
        self.drawn()

    def test_text_is_escaped(self):
        self.record("sh", "-c", "exit 0", '</svg>&"\x01\x1b<b>')
        self.assertEqual(self.drawn()[0], 'sh -c exit 0 </svg>&"??<b>')

    def test_options_end_at_the_command(self):
        self.assertEqual(self.record("sh", "-c", "exit 3").returncode, 3)
        self.assertEqual(self.record("--", "sh", "-c", "exit 4").returncode, 4)

    def test_threads(self):
        done = self.record(sys.executable, "-c", THREADS % 5)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(" 6 threads", done.stderr)

    def test_children_and_orphans(self):
        done = self.record("sh", "-c", "(sleep 1.1 & sleep 1.2 & wait) & "
                           "(sleep 1 &); sleep 1.3; wait")
        texts = self.drawn()
        self.assertGreaterEqual(sum("sleep" in text for text in texts[1:]), 4,
                                (texts, done.stderr))

    def test_orphan_of_a_parent_that_is_not_seen(self):
        """When llctop looks for children, it is an orphan already."""
        done = self.record("sh", "-c", "sleep 0.5; (sleep 1 &); sleep 1.2")
        self.assertEqual(sum("sleep" in text for text in self.drawn()[1:]), 3,
                         done.stderr)

    def test_many_threads_are_a_row_for_each_process(self):
        done = self.record(sys.executable, "-c", THREADS % 80)
        self.assertIn(" 81 threads", done.stderr)
        self.assertTrue(any("(81)" in text for text in self.drawn()))

    def test_drawing_that_cannot_be_written(self):
        self.svg = "/dev/null/x.svg"
        done = self.record("sh", "-c", "echo ran")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout, "")
        self.svg = self.folder + "/no/x.svg"
        done = self.record("sh", "-c", "echo ran")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("No such file", done.stderr)
        self.svg = "/dev/full"
        self.assertEqual(self.record("true").returncode, 1)

    def test_sigint_ends_the_command_and_is_drawn(self):
        child = self.start("sleep", "30")
        os.killpg(child.pid, signal.SIGINT)
        self.assertEqual(child.wait(20), 128 + signal.SIGINT)
        self.drawn()

    def start(self, *command, options=()):
        """Waits until the command runs."""
        mark = self.folder + "/mark"
        child = subprocess.Popen(
            [LLCTOP, "record", "-o", self.svg, *options, "sh", "-c",
             f"echo $$ >>{mark}; exec \"$@\"", "sh", *command],
            env=dict(os.environ, LLCTOP_ROOT=self.machine.root),
            stderr=subprocess.DEVNULL, start_new_session=True)
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        end = time.monotonic() + 20
        while not os.path.exists(mark) or not os.path.getsize(mark):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)
        return child


class Compare(Case):
    def compare(self, *command):
        return self.record(*command, options=["--compare"])

    def test_off_then_on(self):
        for state in ("active", "inactive (llc_enabled is 0)"):
            # The kernel's state would change with the knob; this one does not.
            self.machine.feature(state, STATUS)
            was = self.enabled()
            log = self.folder + "/log"
            done = self.compare("sh", "-c", f"cat {self.knob} >>{log}; exit 6")
            self.assertEqual(done.returncode, 6, done.stderr)
            with open(log, encoding="ascii") as file:
                self.assertEqual(file.read(), "0\n1\n")
            os.unlink(log)
            self.assertEqual(self.enabled(), was)
            heads = [t for t in self.drawn() if t.startswith(("off: ", "on: "))]
            self.assertEqual(len(heads), 2)
            self.assertIn("llctop: off: ", done.stderr)
            self.assertIn("llctop: on: ", done.stderr)

    def test_third_mode_is_restored(self):
        self.machine.feature("active", STATUS)
        self.machine.write("sys/kernel/debug/sched/llc_enabled", "2\n")
        self.assertEqual(self.compare("true").returncode, 0)
        self.assertEqual(self.enabled(), "2\n")

    def test_first_failure_counts(self):
        self.machine.feature("active", STATUS)
        done = self.compare("sh", "-c", f"exit $(cat {self.knob})")
        self.assertEqual(done.returncode, 1)

    def test_no_feature_to_compare(self):
        for state, word in (
                (None, "has no cache-aware scheduling"),
                ("inactive (one LLC)", "one LLC"),
                ("inactive (NO_SCHED_CACHE)", "NO_SCHED_CACHE")):
            self.machine.feature(state, STATUS)
            done = self.compare("sh", "-c", "echo ran")
            self.assertEqual(done.returncode, 1)
            self.assertEqual(done.stdout, "")
            self.assertIn(word, done.stderr)
            self.assertFalse(os.path.exists(self.svg))

    def test_debugfs_is_not_mounted(self):
        done = self.compare("sh", "-c", "echo ran")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("not mounted", done.stderr)

    def test_knob_that_cannot_be_written(self):
        self.machine.feature("active", STATUS)
        os.unlink(self.knob)
        os.symlink("/proc/version", self.knob)
        done = self.compare("sh", "-c", "echo ran")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("llc_enabled cannot be", done.stderr)

    def test_kernel_that_does_not_switch(self):
        self.machine.feature("active", STATUS)
        os.unlink(self.knob)
        os.symlink("/dev/zero", self.knob)
        done = self.compare("sh", "-c", "echo ran")
        self.assertEqual((done.returncode, done.stdout), (1, ""))

    def wait_for_restored(self, was):
        end = time.monotonic() + 20
        while self.enabled() != was:
            self.assertLess(time.monotonic(), end, "the knob is not restored")
            time.sleep(0.02)

    start = Record.start

    def test_signals_restore(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP,
                       signal.SIGQUIT, signal.SIGKILL):
            self.machine.feature("active", STATUS)
            mark = self.folder + "/mark"
            if os.path.exists(mark):
                os.unlink(mark)
            child = self.start("sleep", "30", options=["--compare"])
            self.assertEqual(self.enabled(), "0\n")
            if number not in (signal.SIGTERM, signal.SIGHUP):
                os.killpg(child.pid, number)
            else:
                child.send_signal(number)
            status = child.wait(20)
            self.wait_for_restored("1\n")
            with open(mark, encoding="ascii") as file:
                pids = file.read().split()
            self.assertEqual(len(pids), 1, "there was a second run")
            if number != signal.SIGKILL:
                self.assertEqual(status, 128 + number)
                self.drawn()


if __name__ == "__main__":
    unittest.main()

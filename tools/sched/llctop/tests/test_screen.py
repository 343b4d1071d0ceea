# SPDX-License-Identifier: GPL-2.0-only
"""llctop, see llctop.8: the screen, on fixtures."""
import os
import re
import signal
import tempfile
import unittest

from fixture import Machine, sched_lines
from screen import Screen


class Case(unittest.TestCase):
    def machines(self, count=4, homes=True):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        llcs = [list(range(4 * i, 4 * i + 4)) for i in range(count)]
        machines = []
        for look in range(2):
            machine = Machine(os.path.join(folder.name, str(look)), llcs,
                              1000 + look)
            if homes and count == 4:
                machine.feature()
            lines = sched_lines(home="1", state="home", reason="grown",
                                home_pct=93) if homes else None
            machine.process(10, [(10, 4, 100 * look, lines), (11, 0, 0)],
                            b"first\0--worker\0")
            machine.process(20, [(20, 0, 50 * look), (21, 0, 0), (22, 0, 0)],
                            "zweiter\0été\0".encode())
            machines.append(machine)
        return machines

    def screen(self, arguments=("-d", "30"), machines=None, **more):
        """The first interval is short; what it finds stays for 30 s."""
        screen = Screen(arguments, machines or self.machines(), **more)
        self.addCleanup(screen.kill)
        return screen


class Look(Case):
    def test_parts(self):
        screen = self.screen()
        screen.wait_for(
            re.compile(r"^4 LLCs; cache-aware scheduling is active\n"),
            re.compile(r"\n  1 4-7 +0    16M \[ +0\.0%\] +1\n"),
            re.compile(r"\n +10 root +2 +100\.0 1 +93 +0\.0 home +"
                       r"\.█\.\. +first --worker\n"),
            lambda text: "q quit" in text.split("\n")[23])
        self.assertEqual(screen.end(), 0)

    def test_placement_alone(self):
        screen = self.screen(machines=self.machines(homes=False))
        text = screen.wait_for("100.0 1 ", "MOST%",
                               "debugfs is not mounted; placement alone")
        self.assertNotIn("HOME", text)
        self.assertEqual(screen.end(), 0)

    def test_long_command_is_cut(self):
        machines = self.machines()
        for machine in machines:
            machine.write("proc/20/cmdline", "zweiter\0" + "wide 漢字 " * 50)
        screen = self.screen(machines=machines)
        screen.wait_for("100.0 1 ",
                        re.compile(r"\n +20 .* zweiter w[^\n]*\n\n\n"))
        self.assertEqual(screen.end(), 0)

    def test_ascii(self):
        screen = self.screen(locale="C")
        screen.wait_for("100.0 1 ", ".9..  first", "zweiter ??t??")
        self.assertEqual(screen.end(), 0)

    def test_one_llc_and_many(self):
        for count in (1, 16, 64):
            screen = self.screen(machines=self.machines(count))
            text = screen.wait_for("q quit", f"{count} LLC", "COMMAND")
            self.assertNotIn("not shown", text)
            self.assertEqual(screen.end(), 0)

    def test_sizes(self):
        for lines, columns in ((1, 1), (1, 80), (2, 10), (3, 3), (4, 20),
                               (8, 13), (60, 200)):
            screen = self.screen(lines=lines, columns=columns,
                                 machines=self.machines(64))
            for keys in ("t", "t", "h", "x", "/x", "\n"):
                screen.read(0.1)
                screen.send(keys)
            self.assertEqual(screen.end(), 0, (lines, columns))

    def test_resize(self):
        screen = self.screen()
        screen.wait_for("COMMAND")
        screen.resize(10, 40)
        screen.wait_for(lambda text: "h help" in text.split("\n")[9], "COMMAND")
        screen.resize(40, 100)
        screen.wait_for(lambda text: "q quit" in text.split("\n")[39])
        self.assertEqual(screen.end(), 0)


class Keys(Case):
    def test_help(self):
        screen = self.screen()
        screen.wait_for("COMMAND")
        screen.send("h")
        screen.wait_for("any key goes back")
        screen.send("x")
        screen.wait_for("COMMAND")
        self.assertEqual(screen.end(), 0)

    def test_sort(self):
        screen = self.screen()
        screen.wait_for("sort: cpu")
        screen.send("N")
        screen.wait_for("sort: pid",
                        lambda text: text.find("first") < text.find("zweiter"))
        screen.send("r")
        screen.wait_for("sort: -pid",
                        lambda text: text.find("zweiter") < text.find("first"))
        screen.send(">")
        screen.wait_for("sort: user")
        screen.send("<<")
        screen.wait_for("sort: command")
        self.assertEqual(screen.end(), 0)

    def test_filter(self):
        screen = self.screen()
        screen.wait_for("first")
        screen.send("/ZWEIx\b")
        screen.wait_for("filter: ZWEI_", lambda text: "first" not in text)
        screen.send("\n")
        screen.wait_for("filter: ZWEI")
        screen.send("/q")
        screen.wait_for("no process that the filter lets through")
        screen.send("\x1b")
        screen.wait_for("first")
        screen.send("/zwei\n")
        screen.wait_for(lambda text: "first" not in text, "filter: zw")
        screen.send("\x1b")
        screen.wait_for("first", lambda text: "filter: " not in text)
        self.assertEqual(screen.end(), 0)

    def test_threads(self):
        screen = self.screen()
        screen.wait_for("first")
        screen.send("N\n")
        screen.wait_for(
            "NAME", "10, 2 threads, home 1, grown: first --worker",
            re.compile(r"\n +11 +0 +0 +0\.0 S - +0\.0 \.{4}  worker\n"))
        screen.send("t")
        screen.wait_for("COMMAND")
        screen.send("t")
        screen.wait_for("NAME")
        screen.send("\x1b")
        screen.wait_for("COMMAND")
        self.assertEqual(screen.end(), 0)

    def test_freeze(self):
        screen = self.screen()
        screen.wait_for("100.0 1 ")
        screen.send("f")
        screen.wait_for("[frozen]")
        screen.send(" ")
        screen.wait_for(lambda text: "[frozen]" not in text)
        self.assertEqual(screen.end(), 0)

    def test_select_beyond_the_ends(self):
        screen = self.screen()
        screen.wait_for("COMMAND")
        screen.send("\x1bA\x1bA\x1bB\x1bB\x1bB\x1bB\x1bB")
        screen.send("\n")
        screen.wait_for("NAME")
        self.assertEqual(screen.end(), 0)

    def test_interval(self):
        screen = self.screen(("-d", "10"))
        screen.wait_for("10.0 s")
        screen.send("-")
        screen.wait_for("5.0 s")
        screen.send("+++++")
        screen.wait_for("60.0 s")
        self.assertEqual(screen.end(), 0)


class End(Case):
    def test_count(self):
        screen = self.screen(("-d", "0.1", "-n", "2"))
        self.assertEqual(screen.end(""), 0)

    def test_signals(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            screen = self.screen()
            screen.wait_for("COMMAND")
            os.kill(screen.pid, number)
            self.assertEqual(screen.end(""), 128 + number)

    def test_ctrl_c(self):
        screen = self.screen()
        screen.wait_for("COMMAND")
        self.assertEqual(screen.end("\x03"), 128 + signal.SIGINT)

    def test_unknown_terminal(self):
        screen = self.screen(term="no-such-terminal")
        screen.wait_for("--once")
        self.assertEqual(screen.end(""), 1)

    def test_process_that_ends_while_its_threads_are_shown(self):
        machines = self.machines()
        machines.append(Machine(machines[0].root + "x",
                                [[0, 1, 2, 3], [4, 5, 6, 7], [8], [12]], 1003))
        screen = self.screen(("-d", "0.3", "-p", "10", "-t"), machines)
        screen.wait_for("the process has ended")
        self.assertEqual(screen.end(), 0)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: GPL-2.0-only
"""llctop, see llctop.8: a terminal to test the screen with.

A VT52 has few sequences, and ncurses comes with its description. What it does
not have, llctop must not need.
"""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

from fixture import LLCTOP


class Screen:
    def __init__(self, arguments, roots, lines=24, columns=80, term="vt52",
                 locale="C.UTF-8"):
        self.lines, self.columns = lines, columns
        self.clear()
        self.pending = b""
        self.pid, self.fd = pty.fork()
        if not self.pid:
            os.environ.update(TERM=term, LC_ALL=locale,
                              LLCTOP_ROOT=":".join(m.root for m in roots))
            os.environ.pop("LINES", None)
            os.environ.pop("COLUMNS", None)
            time.sleep(0.1)
            os.execv(LLCTOP, [LLCTOP, *arguments])
        self.resize(lines, columns, tell=False)

    def clear(self):
        self.cells = [[" "] * self.columns for _ in range(self.lines)]
        self.y = self.x = 0

    def resize(self, lines, columns, tell=True):
        self.lines, self.columns = lines, columns
        self.clear()
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ,
                    struct.pack("HHHH", lines, columns, 0, 0))
        if tell:
            os.kill(self.pid, signal.SIGWINCH)

    def text(self):
        return "\n".join("".join(row).rstrip() for row in self.cells)

    def send(self, keys):
        os.write(self.fd, keys.encode())

    def wait_for(self, *wanted, seconds=20):
        """Until all that is wanted, text, pattern or function, is there at once.

        A screen is painted bit by bit: what is asserted of it after the wait
        may be of the screen before.
        """
        end = time.monotonic() + seconds
        while not all(self.has(item) for item in wanted):
            if time.monotonic() > end or not self.read(0.1):
                raise AssertionError(f"no {wanted!r} on the screen:\n{self.text()}")
        return self.text()

    def has(self, wanted):
        if isinstance(wanted, re.Pattern):
            return wanted.search(self.text())
        if callable(wanted):
            return wanted(self.text())
        return wanted in self.text()

    def read(self, seconds):
        """Takes what there is. False at the end."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            return False
        self.feed(self.pending + data)
        return bool(data)

    def feed(self, data):
        """ESC Y line column, ESC letter, controls and text."""
        i = 0
        while i < len(data):
            byte = data[i:i + 1]
            length = 1
            if byte == b"\x1b":
                length = 4 if data[i + 1:i + 2] == b"Y" else 2
            elif byte >= b"\xc0":
                length = 2 if byte < b"\xe0" else 3 if byte < b"\xf0" else 4
            if i + length > len(data):
                break
            self.take(data[i:i + length])
            i += length
        self.pending = data[i:]

    def take(self, item):
        if item[:1] == b"\x1b":
            self.escape(item[1:])
        elif item == b"\r":
            self.x = 0
        elif item == b"\n":
            self.y = min(self.y + 1, self.lines - 1)
        elif item == b"\b":
            self.x = max(self.x - 1, 0)
        elif item == b"\t":
            self.x = min(self.x // 8 * 8 + 8, self.columns - 1)
        elif item >= b" ":
            if self.y < self.lines and self.x < self.columns:
                self.cells[self.y][self.x] = item.decode()
            self.x = min(self.x + 1, self.columns - 1)

    def escape(self, item):
        if item[:1] == b"Y":
            self.y = min(item[1] - 32, self.lines - 1)
            self.x = min(item[2] - 32, self.columns - 1)
        elif item in (b"A", b"B", b"C", b"D"):
            dy, dx = {b"A": (-1, 0), b"B": (1, 0), b"C": (0, 1),
                      b"D": (0, -1)}[item]
            self.y = min(max(self.y + dy, 0), self.lines - 1)
            self.x = min(max(self.x + dx, 0), self.columns - 1)
        elif item == b"H":
            self.y = self.x = 0
        elif item in (b"J", b"K"):
            self.cells[self.y][self.x:] = [" "] * (self.columns - self.x)
            for y in range(self.y + 1, self.lines if item == b"J" else 0):
                self.cells[y] = [" "] * self.columns

    def end(self, keys="q"):
        """Returns the exit status."""
        if keys:
            self.send(keys)
        end = time.monotonic() + 20
        while self.read(0.1):
            if time.monotonic() > end:
                self.kill()
                raise AssertionError("llctop does not end")
        status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        os.close(self.fd)
        self.pid = 0
        return status

    def kill(self):
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            os.close(self.fd)
            self.pid = 0

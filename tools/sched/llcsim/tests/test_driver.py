# SPDX-License-Identifier: GPL-2.0-only
"""The driver's parts that need no emulator."""
import os
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

from driver import Error, devicetree, guest, kernel, model  # noqa: E402
from driver.run import Run  # noqa: E402
from driver.topology import Topology, cpu_list, from_counts  # noqa: E402

TREE = "/ {\n\tcpus {\n\t\t#size-cells = <0x00>;\n\n\t\tcpu-map {\n\t\t\tcluster0 {\n\t\t\t};\n\t\t};\n\n%s\t};\n};\n"
CPU = "\t\tcpu@%d {\n\t\t\tphandle = <0x%x>;\n\t\t\treg = <0x%02x>;\n\t\t};\n\n"


class TopologyTest(unittest.TestCase):
    def test_even(self):
        t = Topology("4*4", 1 << 24)
        self.assertEqual([len(l.cpus) for l in t.llcs], [4, 4, 4, 4])
        self.assertEqual((t.nr_cores, t.nr_nodes), (16, 1))

    def test_unequal_cpus_and_bytes(self):
        t = Topology("2*8@32M,4@16M", 1)
        self.assertEqual([len(l.cpus) for l in t.llcs], [8, 8, 4])
        self.assertEqual([l.bytes >> 20 for l in t.llcs], [32, 32, 16])

    def test_threads_of_a_core_are_neighbours(self):
        t = Topology("2*2x2", 1)
        self.assertEqual([c.core for c in t.cpus], [0, 0, 1, 1, 2, 2, 3, 3])
        self.assertEqual([c.llc for c in t.cpus], [0] * 4 + [1] * 4)

    def test_nodes(self):
        t = Topology("2*4/4", 1)
        self.assertEqual([l.node for l in t.llcs], [0, 0, 1])
        self.assertEqual(t.node_cpus(1), [8, 9, 10, 11])

    def test_limits(self):
        Topology("32*4", 1)
        for text in ("129", "33*1", "17*8", "4*0", "0*4", "4*4x9", "four", "", "4*4,"):
            with self.assertRaises(Error, msg=text):
                Topology(text, 1)

    def test_caches_limit_the_cores(self):
        Run("script", "Image", "32*2x2", "genoa")
        Run("script", "Image", "32*4", "genoa", model_on=False)
        with self.assertRaises(Error):
            Run("script", "Image", "32*4", "genoa")

    def test_counts_that_do_not_divide(self):
        t = Topology(from_counts(6, 4), 1)
        self.assertEqual([len(l.cpus) for l in t.llcs], [2, 2, 1, 1])
        with self.assertRaises(Error):
            from_counts(3, 4)

    def test_cpu_list(self):
        self.assertEqual(cpu_list([0, 1, 2, 5, 7, 8]), "0-2,5,7-8")


class ModelTest(unittest.TestCase):
    def test_every_preset_has_every_figure_and_its_source(self):
        for name in model.preset_names():
            preset = model.preset(name)
            for key, figure in preset.items():
                if key != "name":
                    self.assertGreater(len(figure["source"]), 10, f"{name} {key}")
            model.describe(Topology("4*4", 1 << 24), model.figures(name, []), 1 << 30)

    def test_changes(self):
        values = model.figures("genoa", ["remote_ns=60", "llc_bytes=16M", "insn_ns=0.25"])
        self.assertEqual((values["remote_ns"], values["llc_bytes"], values["insn_ns"]),
                         (60, 16 << 20, 0.25))
        for wrong in ("remote_ns", "remote_ns=", "remote_ns=fast", "colour=1"):
            with self.assertRaises(Error, msg=wrong):
                model.figures("genoa", [wrong])


class KernelTest(unittest.TestCase):
    def test_configured_again_when_the_fragment_changed(self):
        with tempfile.TemporaryDirectory() as objects:
            stamp = os.path.join(objects, ".llcsim-config")
            self.assertFalse(kernel.is_configured(objects, objects))
            with open(os.path.join(objects, ".config"), "w", encoding="ascii"):
                pass
            with open(stamp, "w", encoding="ascii") as f:
                f.write("\n".join(kernel.wanted(objects)) + "\n")
            self.assertTrue(kernel.is_configured(objects, objects))
            with open(stamp, "a", encoding="ascii") as f:
                f.write("CONFIG_MORE=y\n")
            self.assertFalse(kernel.is_configured(objects, objects))


    def test_what_is_wrong_is_no_line_of_make(self):
        with tempfile.TemporaryDirectory() as source:
            with open(os.path.join(source, "Makefile"), "w", encoding="ascii") as f:
                f.write("all:\n\t@echo '  CC      a.o'; echo 'the disk is full'; exit 1\n")
            said = []
            with self.assertRaisesRegex(Error, r"build\.log\):\n    CC      a\.o\n  the disk is full$"):
                kernel._make(source, source, "all", say=said.append)
            self.assertEqual(said, [])

    def test_counts_what_is_made(self):
        with tempfile.TemporaryDirectory() as source:
            with open(os.path.join(source, "Makefile"), "w", encoding="ascii") as f:
                f.write("all:\n\t@for i in $$(seq 510); do echo '  CC      a.o'; echo '  GEN b'; done\n")
            said = []
            kernel._make(source, source, "all", say=said.append)
            self.assertEqual(said, ["  250 objects", "  500 objects"])


class GuestTest(unittest.TestCase):
    def test_programs_of_debian_12_and_13(self):
        for where in ("bin", "usr/bin"):
            with tempfile.TemporaryDirectory() as root:
                with self.assertRaisesRegex(Error, "no bin/busybox"):
                    guest.file_of(root, "bin/busybox")
                os.makedirs(os.path.join(root, where))
                path = os.path.join(root, where, "busybox")
                with open(path, "w", encoding="ascii"):
                    pass
                self.assertEqual(guest.file_of(root, "bin/busybox"), path)


class ProbesTest(unittest.TestCase):
    def test_without_the_build(self):
        with tempfile.TemporaryDirectory() as empty, self.assertRaises(Error):
            kernel.probes(os.path.join(empty, kernel.IMAGE), ["schedule"])

    def test_begin_and_returns(self):
        """A program with what it takes: two calls of one function, none of another."""
        code = (".globl vectors, callee, lonely, _start\nvectors: nop\ncallee: ret\n"
                "lonely: ret\n_start: bl callee\nnop\nbl callee\nret\n")
        with tempfile.TemporaryDirectory() as objects:
            image = os.path.join(objects, kernel.IMAGE)
            os.makedirs(os.path.dirname(image))
            subprocess.run(["aarch64-linux-gnu-gcc", "-nostdlib", "-static", "-Wl,-Ttext=0x1000",
                            "-x", "assembler", "-", "-o", os.path.join(objects, "vmlinux")],
                           input=code, text=True, check=True)
            self.assertEqual(kernel.probes(image, ["callee"]),
                             f"interrupt vectors {0x1000 + kernel.INTERRUPT_VECTOR:#x}\n"
                             "call callee 0x1004\n"
                             "return callee 0x1010\nreturn callee 0x1018\n")
            with self.assertRaises(Error):
                kernel.probes(image, ["lonely"])


class DeviceTreeTest(unittest.TestCase):
    def test_caches_and_map(self):
        text = TREE % "".join(CPU % (i, 0x8000 + i, i) for i in reversed(range(12)))
        out = devicetree.edit(text, Topology("2*2x2,2*2", 1 << 24), 1 << 20)
        ups = dict(re.findall(r"cpu@(\d+) \{\n\t\t\tnext-level-cache = <(0x\w+)>", out))
        self.assertEqual(len(ups), 12)
        self.assertEqual(ups["0"], ups["1"])        # threads share the private cache
        self.assertNotEqual(ups["1"], ups["2"])
        self.assertEqual(len(re.findall(r"cache-level = <3>", out)), 4)
        self.assertEqual(len(re.findall(r"thread1 ", out)), 4)
        self.assertEqual(out.count("cpu-map {"), 1)

    def test_wrong_number_of_cpus(self):
        with self.assertRaises(Error):
            devicetree.edit(TREE % (CPU % (0, 0x8000, 0)), Topology("2*2", 1), 1 << 20)


if __name__ == "__main__":
    unittest.main()

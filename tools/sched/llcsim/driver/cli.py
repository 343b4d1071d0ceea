# SPDX-License-Identifier: GPL-2.0-only
"""The command line."""
import argparse
import os
import signal
import sys
import textwrap

from . import Error, kernel, model
from .run import Run
from .topology import Topology, cpu_list, from_counts

USAGE = """\
llcsim run [OPTION]... SCRIPT    boot a kernel, run the guest shell SCRIPT
llcsim kernel [-s SOURCE] [-d DIR]   build the guest's kernel
llcsim show [-c CPUS -l LLCS | -t TOPOLOGY] [-p PRESET]   the machine as numbers
llcsim presets                   the machines known by name, and their sources
llcsim help                      this

Options of run:
  -c CPUS           16                 -l LLCS      4, CPUs spread evenly
  -t TOPOLOGY       instead of -c and -l: 4*4, 2*8@32M,4@16M, 4*4x2, 2*8/2*8
                    (LLCs of cores, x threads, @ bytes; / begins another node)
  -p PRESET         genoa; `llcsim presets` lists them
  -s NAME=NUMBER    change a figure of the preset; may be repeated
  -k IMAGE          an arm64 kernel; default: the kernel of this tree, built when missing
  -f HOST[:GUEST]   a file for the guest, with its libraries if it is a program; may be repeated
  -o OUTDIR         keep result.json, the console and what repeats the run
  -a TEXT           more on the kernel's command line
  -m BYTES          memory, 1G             -S SEED    1
  -T SECONDS        time limit on the host, 600
  --no-model        no caches: every access hits; allows more than 64 cores
  -P FUNCTION       count the instructions of each call of a kernel function; may be repeated

In the guest: `llcmark run NAME PROGRAM ARG...` measures a program, as does
`llcmark begin NAME` ... `llcmark end NAME`, and `llcmark after MS NAME PROGRAM ARG...`
what it does from MS ms after its start on; $LLCSIM_LLCS, $LLCSIM_CPUS,
$LLCSIM_KNOBS (the scheduler's debugfs directory if the kernel has llc_enabled).

Exit status: the script's; 123 debug=1 found the model wrong, 124 the time limit,
125 the kernel complained, 126 the guest ended early, 2 a wrong argument, 130 Ctrl-C.
"""


def _machine_options(parser):
    parser.add_argument("-c", type=int, default=16)
    parser.add_argument("-l", type=int, default=4)
    parser.add_argument("-t")
    parser.add_argument("-p", default="genoa")
    parser.add_argument("-s", action="append", default=[])


def _topology(args):
    return args.t or from_counts(args.c, args.l)


def _size(text):
    return int(text[:-1]) << {"M": 20, "G": 30}[text[-1]] if text[-1:] in "MG" else int(text)


def _run(argv):
    parser = argparse.ArgumentParser(prog="llcsim run", add_help=False)
    _machine_options(parser)
    parser.add_argument("-k")
    parser.add_argument("-f", action="append", default=[])
    parser.add_argument("-o")
    parser.add_argument("-a", default="")
    parser.add_argument("-m", type=_size, default=1 << 30)
    parser.add_argument("-S", type=int, default=1)
    parser.add_argument("-T", type=float, default=600)
    parser.add_argument("--no-model", action="store_true")
    parser.add_argument("-P", action="append", default=[])
    parser.add_argument("script")
    args = parser.parse_args(argv)

    def say(text):
        print(text, file=sys.stderr, flush=True)

    run = Run(args.script, args.k or kernel.default_image(say), _topology(args), args.p, args.s,
              args.f, args.S, args.m, args.T, args.a, not args.no_model, args.o, say,
              probes=args.P)
    return run.run()[0]


def _kernel(argv):
    parser = argparse.ArgumentParser(prog="llcsim kernel")
    parser.add_argument("-s", metavar="SOURCE")
    parser.add_argument("-d", metavar="DIR")
    args = parser.parse_args(argv)
    print(kernel.build(args.s, args.d, lambda text: print(text, file=sys.stderr, flush=True)))
    return 0


def _show(argv):
    parser = argparse.ArgumentParser(prog="llcsim show")
    _machine_options(parser)
    args = parser.parse_args(argv)
    values = model.figures(args.p, args.s)
    topology = Topology(_topology(args), int(values["llc_bytes"]))
    for i, llc in enumerate(topology.llcs):
        print(f"llc {i}: cpus {cpu_list(llc.cpus)} cores {llc.cores} node {llc.node} "
              f"bytes {llc.bytes}")
    for key, what in model.FIGURES.items():
        print(f"{key:16} {values[key]:>12}  {what}")
    return 0


def _presets(_argv):
    for name in model.preset_names():
        preset = model.preset(name)
        print(f"{name}: {preset['name']}")
        for key, figure in preset.items():
            if isinstance(figure, dict):
                lead = f"  {key:15} {figure['value']:>11}  "
                print(textwrap.fill(figure["source"], 100, initial_indent=lead,
                                    subsequent_indent=" " * len(lead)))
    return 0


def _help(_argv):
    print(USAGE, end="")
    return 0


def main(argv):
    """Returns the exit status."""
    commands = {"run": _run, "kernel": _kernel, "show": _show, "presets": _presets, "help": _help,
                "-h": _help, "--help": _help}
    if not argv or argv[0] not in commands:
        print(USAGE, end="", file=sys.stderr)
        return 2
    # A killed driver takes its guest along, see run.py. TERM is like Ctrl-C, which works
    # even when the shell that started us in the background has it ignored.
    for interrupt in (signal.SIGINT, signal.SIGTERM):
        signal.signal(interrupt, signal.default_int_handler)
    try:
        return commands[argv[0]](argv[1:])
    except Error as error:
        print(f"llcsim: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("llcsim: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1

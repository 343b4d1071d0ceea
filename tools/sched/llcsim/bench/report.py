# SPDX-License-Identifier: GPL-2.0-only
"""The benchmark's numbers as tables and plots. gnuplot draws; the page needs nothing else."""
import html
import json
import math
import os
import re
import statistics
import subprocess

from cases import HEADLINE, LINES_SIZE
from driver.places import need

VARIANTS = ("stock", "off", "on", "pinned")
RUNQ_VARIANTS = ("off", "runq", "both")
BARS = 12
COLOURS = {"stock": "#999999", "off": "#c9a227", "on": "#1f6fb4", "pinned": "#2e8b57"}
STYLE = ("body{font:15px/1.5 sans-serif;max-width:70em;margin:2em auto;padding:0 1em;color:#222}"
         "table{border-collapse:collapse;margin:1em 0}td,th{padding:.2em .7em;text-align:right;"
         "border-bottom:1px solid #ddd}td:first-child,th:first-child,td:nth-child(2),"
         "th:nth-child(2){text-align:left}svg{max-width:100%;height:auto}"
         ".good{color:#176b2c}.bad{color:#b3261e}")


def _summary(values):
    return {"mean": statistics.mean(values), "min": min(values), "max": max(values),
            "values": values}


def _cost_summary(boots):
    """How far two boots differ is the noise of the method."""
    median = statistics.median(boots)
    noise = (max(boots) - min(boots)) / median if len(boots) > 1 else None
    return {"median": median, "noise": noise}


def collect(bench, cases, images, repeats):
    """Everything that the reports show, as one dictionary."""
    rows = []
    for case in cases:
        for metric in case.metrics:
            variants = {v: _summary(n) for v, n in
                        bench.values.get(case.name, {}).get(metric.name, {}).items()}
            if variants:
                rows.append({"case": case.name, "what": case.what, "topology": case.topology,
                             "command": case.command, "metric": metric.name,
                             "unit": metric.unit, "less_is_better": metric.less_is_better,
                             "variants": variants})
    return {"kernels": images, "repeats": repeats, "seconds": round(bench.host_s),
            "insns": bench.insns, "insns_per_s": int(bench.insns / max(bench.host_s, 1)),
            "preset": "genoa, llc_bytes=16M", "rows": rows,
            "kernel_insns_per_operation": {
                name: {variant: _cost_summary(boots) for variant, boots in have.items()}
                for name, have in bench.costs.items()},
            "scans": sorted(bench.scans, key=lambda s: (s["llcs"], s["cpus"])),
            "accounting": bench.lines,
            "longest_wait_ms": bench.waits, "problems": bench.problems}


def speed(row, variant, base="pinned"):
    """How fast a variant is, 1 being base; above 1 is faster. None if not known."""
    have = row["variants"]
    if variant not in have or base not in have:
        return None
    a, b = have[variant]["mean"], have[base]["mean"]
    if row["less_is_better"]:
        a, b = b, a
    return a / b if b else None


def _number(value):
    """Three digits, and no exponent."""
    digits = 2 - math.floor(math.log10(abs(value))) if value else 0
    return f"{value:.{max(digits, 0)}f}"


def _cell(row, variant):
    s = row["variants"].get(variant)
    if not s:
        return ""
    if s["max"] - s["min"] < 0.01 * s["mean"]:
        return _number(s["mean"])
    return f"{_number(s['mean'])} ({_number(s['min'])}–{_number(s['max'])})"


def cost(result, operation, variant, base):
    """How many times the instructions of base a variant needs; None if not known."""
    have = result["kernel_insns_per_operation"].get(operation, {})
    if variant not in have or base not in have:
        return None
    return have[variant]["median"] / have[base]["median"]


def _ratio(value, digits=2):
    return "" if value is None else f"{value:.{digits}f}"


def _table(result):
    head = ["case", "figure", *VARIANTS, "on / off", "on / pinned"]
    body = [[r["case"], f"{r['metric']}, {r['unit']}", *(_cell(r, v) for v in VARIANTS),
             _ratio(speed(r, "on", "off")), _ratio(speed(r, "on"))] for r in result["rows"]
            if "runq" not in r["variants"]]
    return head, body


def _runq_table(result):
    """The cases of shared run queues: off, with them, and with cache-aware scheduling too."""
    head = ["case", "figure", "off", "shared run queues", "and cache-aware", "runq / off",
            "both / off"]
    body = [[r["case"], f"{r['metric']}, {r['unit']}", *(_cell(r, v) for v in RUNQ_VARIANTS),
             _ratio(speed(r, "runq", "off")), _ratio(speed(r, "both", "off"))]
            for r in result["rows"] if "runq" in r["variants"]]
    return head, body


def _headline(result):
    head = ["16 CPUs in 4 LLCs, simulated", "stock", "off", "on", "pinned by hand"]
    rows = {(r["case"], r["metric"]): r for r in result["rows"]}
    return head, [[text, *(_cell(rows[case, metric], v) for v in VARIANTS)]
                  for case, metric, text in HEADLINE if (case, metric) in rows]


def _cost_table(result):
    head = ["kernel instructions per", "noise", "stock", "off", "on", "off / stock", "on / stock"]
    body = []
    for name, have in result["kernel_insns_per_operation"].items():
        noise = max((h["noise"] for h in have.values() if h["noise"] is not None), default=None)
        body.append([name.replace("_", " "), "" if noise is None else f"{100 * noise:.3f} %"] +
                    [f"{have[v]['median']:.0f}" if v in have else ""
                     for v in ("stock", "off", "on")] +
                    [_ratio(cost(result, name, v, "stock"), 4) for v in ("off", "on")])
    return head, body


def _scan_table(result):
    head = ["kernel instructions of a scan", "", "calls", "least", "median", "most"]
    return head, [[f"{s['llcs']} LLCs", f"{s['cpus']} CPUs",
                   *(str(s[k]) for k in ("calls", "min", "median", "max"))]
                  for s in result["scans"]]


def _lines_table(result):
    head = [f"lines written on {LINES_SIZE[0]} CPUs in {LINES_SIZE[1]} LLCs", "", "calls", "lines",
            "of several LLCs", "written so"]
    return head, [[name, "", *(str(have[k]) for k in
                               ("calls", "lines", "shared_lines", "shared_stores"))]
                  for name, have in result["accounting"].items()]


def _wait_table(result):
    """The five cases where the feature lets a CPU idle longest."""
    head = ["ms a CPU idled while a task waited for another", "", "stock", "off", "on"]
    worst = sorted(result["longest_wait_ms"].items(), key=lambda w: -w[1].get("on", 0))[:5]
    return head, [[case, "", *(f"{have[v]:.2f}" if v in have else ""
                               for v in ("stock", "off", "on"))] for case, have in worst]


def _intro(result):
    return (f"{result['repeats']} repeats; means, and least and most where they differ by 1 %. "
            "Speeds are ratios: above 1 the first is faster. "
            f"Simulated machine: {result['preset']}, "
            "16 CPUs in 4 LLCs, redis and the barrier of 8 in 2. "
            f"{result['seconds']} s of guests on the host, {result['insns'] / 1e9:.1f} billion guest "
            f"instructions, {result['insns_per_s'] / 1e6:.0f} million a second.")


def _markdown(result):
    out = ["# Stock, off, on, pinned", "", _intro(result), ""]
    for head, body in (_headline(result), _table(result), _runq_table(result),
                       _cost_table(result), _scan_table(result), _lines_table(result), _wait_table(result)):
        if body:
            out += ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
            out += ["| " + " | ".join(row) + " |" for row in body] + [""]
    if result["problems"]:
        out += ["## Problems", ""] + [f"* {p}" for p in result["problems"]] + [""]
    return "\n".join(out)


def _gnuplot(script, name, work):
    """Runs a gnuplot script; returns the SVG for the page."""
    need("gnuplot")
    path = os.path.join(work, name + ".svg")
    run = subprocess.run(["gnuplot"], input=f"set output '{path}'\n" + script, text=True,
                         capture_output=True, check=False)
    if run.returncode:
        return f"<pre>{html.escape(run.stderr)}</pre>"
    with open(path, encoding="utf-8") as f:
        svg = f.read()
    svg = svg[svg.index("<svg"):]
    # several drawings in one page: their identifiers must differ
    return re.sub(r"gnuplot_(canvas|plot_\d+\w?)", name + r"_\1", svg).replace("hpattern", name)


def _bar_data(row, variants, base):
    """A line for gnuplot: speed over base, and the ends of its spread."""
    over, line = row["variants"][base]["mean"], [f'"{row["case"]}"']
    for variant in variants:
        s = row["variants"].get(variant)
        ends = [(over / s[k] if row["less_is_better"] else s[k] / over) if s and s[k] else 0
                for k in ("mean", "min", "max")]
        line += [f"{ends[0]:.4f}", f"{min(ends[1:]):.4f}", f"{max(ends[1:]):.4f}"]
    return " ".join(line)


def _bar_plot(rows, variants, base, name, work):
    plots = ", ".join(f"$d using {2 + 3 * i}:{3 + 3 * i}:{4 + 3 * i}:xtic(1) title '{v}' "
                      f"lc rgb '{COLOURS[v]}'" for i, v in enumerate(variants))
    label = "pinned by hand" if base == "pinned" else base
    script = (f"set terminal svg size {250 + 75 * len(rows)},400 font 'sans,13' noenhanced\n"
              "set style data histograms\nset style histogram errorbars gap 1.5 lw 1.5\n"
              "set style fill solid 0.9 noborder\nset bars 0.6\nset yrange [0:*]\nset grid y\n"
              "set xtics rotate by -40 scale 0\nset key outside top center horizontal\n"
              f"set ylabel 'speed, 1 = {label}'\n"
              "set arrow from graph 0, first 1 to graph 1, first 1 nohead dt 2 "
              f"lc rgb '{COLOURS[base]}'\n"
              "$d << EOD\n" + "\n".join(_bar_data(r, variants, base) for r in rows)
              + f"\nEOD\nplot {plots}\n")
    return _gnuplot(script, name, work)


def _bars(result, work):
    """Speed over pinned where pinning makes sense, else over off; BARS cases a plot."""
    # one figure of each case, the first
    rows = list({r["case"]: r for r in reversed(result["rows"])
                 if r["metric"] in ("time", "rate", "max")}.values())[::-1]
    groups = (("pinned", [r for r in rows if "pinned" in r["variants"]]),
              ("off", [r for r in rows if "pinned" not in r["variants"] and "off" in r["variants"]]))
    plots = []
    for base, group in groups:
        shown = [v for v in VARIANTS[:3] if v != base and any(v in r["variants"] for r in group)]
        plots += [_bar_plot(group[i:i + BARS], shown, base, f"bars-{base}{i}", work)
                  for i in range(0, len(group), BARS)]
    return "\n".join(plots)


def heat(result, region):
    """Who ran where in a region: {process: rows of (ms, share of each LLC)}."""
    begin, end = region["begin_ns"], region["begin_ns"] + region["ns"]
    processes = []
    for p in result["timeline"]:
        rows = [(b[0] - begin // 1000000, [n / 1e6 for n in b[1:]]) for b in p["buckets"]
                if begin // 1000000 <= b[0] <= end // 1000000]
        ran = sum(sum(r[1]) for r in rows)
        if ran > 0.03 * region["ns"] / 1e6:
            processes.append((f"{p['comm']} {p['pid']}", rows, ran))
    processes.sort(key=lambda p: -p[2])
    return processes[:6]


def _heat_plot(processes, name, work):
    """Rows are LLCs, columns ms; dark is several CPUs busy with the process."""
    if not processes:
        return ""
    nr_llcs = len(processes[0][1][0][1])
    last = max(row[0] for p in processes for row in p[1])
    lines, tics, y = [], [], 0
    for title, rows, _ in processes:
        at = dict(rows)
        for llc in range(nr_llcs):
            lines += [f"{ms} {y + llc} {at.get(ms, [0] * nr_llcs)[llc]:.3f}"
                      for ms in range(last + 1)]
            tics.append(f"'{title + '  ' if not llc else ''}LLC {llc}' {y + llc}")
        # an empty row between processes, as an image has every row
        lines += [f"{ms} {y + nr_llcs} NaN" for ms in range(last + 1)]
        y += nr_llcs + 1
    script = (f"set terminal svg size 900,{90 + 16 * y} font 'sans,12' noenhanced\n"
              f"set xrange [-0.5:{last + 0.5}]\nset yrange [{y - 1.5}:-0.5]\n"
              f"set ytics ({', '.join(tics)}) scale 0\nset xlabel 'ms'\nset lmargin 22\n"
              "set cblabel 'CPUs busy'\nset cbrange [0:4]\n"
              "set palette defined (0 '#f7f7f7', 0.5 '#bcd7ec', 2 '#3f8fc8', 4 '#08306b')\n"
              "$d << EOD\n" + "\n".join(lines) + "\nEOD\nplot $d using 1:2:3 with image pixels notitle\n")
    return _gnuplot(script, name, work)


def _html_table(head, body):
    if not body:
        return ""
    out = ["<table><tr>" + "".join(f"<th>{html.escape(h)}</th>" for h in head) + "</tr>"]
    for row in body:
        out.append("<tr>" + "".join(f"<td>{html.escape(c)}</td>" for c in row) + "</tr>")
    return "\n".join(out) + "</table>"


def _page(result, heats, work):
    parts = ["<!doctype html><html lang='en'><head><meta charset='utf-8'>"
             "<title>Stock, off, on, pinned</title>"
             f"<style>{STYLE}</style></head><body><h1>Stock, off, on, pinned</h1>",
             f"<p>{html.escape(_intro(result))}</p>",
             _html_table(*_headline(result)), _bars(result, work), _html_table(*_table(result)),
             "<h2>Cost</h2>", _html_table(*_cost_table(result)), _html_table(*_scan_table(result)),
             _html_table(*_lines_table(result)),
             "<h2>Idle CPUs</h2>", _html_table(*_wait_table(result)),
             "<h2>Where each process ran</h2>"]
    for n, ((case, variant), processes) in enumerate(sorted(heats.items())):
        parts.append(f"<h3>{html.escape(case)}, {variant}</h3>"
                     + _heat_plot(processes, f"heat{n}", work))
    parts.append("<h2>Commands</h2><table>")
    for case, command in dict((r["case"], r["command"]) for r in result["rows"]).items():
        parts.append(f"<tr><td>{html.escape(case)}</td><td style='text-align:left'>"
                     f"<code>{html.escape(command)}</code></td></tr>")
    parts.append("</table>")
    if result["problems"]:
        parts.append("<h2>Problems</h2><ul>" + "".join(
            f"<li>{html.escape(p)}</li>" for p in result["problems"]) + "</ul>")
    return "\n".join(parts) + "</body></html>\n"


def write(result, heats, out, work):
    """report.json, report.md and report.html in the directory out."""
    with open(os.path.join(out, "report.json"), "w", encoding="utf-8") as f:
        json.dump(result, f, indent=1)
        f.write("\n")
    with open(os.path.join(out, "report.md"), "w", encoding="utf-8") as f:
        f.write(_markdown(result))
    with open(os.path.join(out, "report.html"), "w", encoding="utf-8") as f:
        f.write(_page(result, heats, work))

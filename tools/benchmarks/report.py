"""Measurements as tables: rich on a terminal, Markdown for docs/performance.md, JSON for other programs."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from rich import box
from rich.console import RenderableType
from rich.table import Table

from benchmarks.first_calls import AT_MOST, FirstCall
from benchmarks.measure import Timing
from benchmarks.memory import Peak
from benchmarks.scaling import LINEAR, Scaling
from benchmarks.session import Measurement, Target
from benchmarks.threads import count_threads
from benchmarks.work_growth import Growth

PACKAGES = ("numpy", "jax", "jaxlib", "ai-edge-litert", "onnxruntime")
NOTE = "~: measured on fewer elements, since a call on all takes too long, and scaled."


def duration(seconds: float) -> str:
    """Return a time as text: three digits and a unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def times(ratio: float) -> str:
    """Return a ratio as text; below a half as a fraction, 1/k."""
    if ratio > 0.5:
        return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.3g}"
    return f"1/{1 / ratio:,.0f}" if 1 / ratio >= 100 else f"1/{1 / ratio:.3g}"


def timed(timing: Timing | None) -> str:
    return "" if timing is None else f"{'~' * (timing.shrunk > 1)}{duration(timing.median)}"


def verdict(target: Target) -> str:
    """Return a target's outcome as text: `1.02 x NumPy (at most 1.3) met`."""
    wanted = f"x {target.theirs} (at most {times(target.at_most)})"
    if target.measured is None:
        return f"? {wanted}"
    fewer = "~" * (target.measured.shrunk > 1)
    return f"{fewer}{times(target.measured.median)} {wanted} {'met' if target.met else 'NOT MET'}"


def machine() -> str:
    """Return a sentence about the processor, the threads, and versions."""
    number = count_threads()
    threads = "One thread" if number == 1 else f"{number} threads"
    parts = [f"{threads} of {processor()}", f"Python {platform.python_version()}"]
    for name in PACKAGES:
        try:
            parts.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return ", ".join(parts) + "."


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.partition(": ")[2] for line in lines if line.startswith("model name")), "a processor")


def candidates(measurement: Measurement) -> RenderableType:
    """Return a table of all candidates of one workload, with spreads and how their results compare."""
    workload = measurement.workload
    title = f"{workload.id}: {workload.what}, {measurement.data.name}"
    table = _table(title, "candidate", f"per {workload.unit}", "10 to 90 %", "result")
    for name, remark in measurement.remarks.items():
        timing = measurement.timings.get(name)
        spread = " to ".join(map(duration, timing.spread)) if timing else ""
        table.add_row(name, timed(timing), spread, remark)
    return table


def summary(measurements: Iterable[Measurement]) -> RenderableType:
    """Return a table of every target: wanted, and measured."""
    table = _table(
        "Targets: median of the ratios of each round", "workload", "data", "ours", "ratio", "10 to 90 %"
    )
    for measurement in measurements:
        for target in measurement.targets:
            spread = " to ".join(map(times, target.measured.spread)) if target.measured else ""
            row = measurement.workload.id, measurement.data.name, target.ours, verdict(target), spread
            table.add_row(*row, style=None if target.met else "yellow")
    return table


def markdown(measurements: Iterable[Measurement]) -> str:
    """Return the table of docs/performance.md: a row for each workload and data set."""
    rows = [_row(measurement) for measurement in measurements]
    heading = ("", "data", "eager", "against", "compiled", "against")
    return f"{markdown_table(heading, rows)}\n\n{NOTE}\n{machine()}"


def _row(measurement: Measurement) -> list[str]:
    workload, cells = measurement.workload, []
    for ours in ("eager", "compiled"):
        met = [verdict(target) for target in measurement.targets if target.ours == ours]
        cells += [timed(measurement.timings.get(ours)), "<br>".join(met)]
    per = "" if workload.unit == "element" else f", per {workload.unit}"
    return [f"{workload.id}: {workload.what}{per}", measurement.data.name, *cells]


def scaling(found: Sequence[Scaling]) -> tuple[Sequence[str], list[list[str]]]:
    """Return heading and rows: time per element at each size, and the exponent of growth."""
    sizes = sorted({size for row in found for size in row.seconds})
    heading = ["workload", "candidate", *(f"{size:.0e}" for size in sizes), "exponent", f"at most {LINEAR}"]
    rows = []
    for row in found:
        per_size = [duration(row.seconds[size]) if size in row.seconds else "too slow" for size in sizes]
        exponent = "" if row.exponent is None else f"{row.exponent:.2f}"
        linear = "" if row.exponent is None or not row.is_ours else "met" if row.is_linear else "NOT MET"
        rows.append([row.workload, row.candidate, *per_size, exponent, linear])
    return heading, rows


def growths(found: Sequence[Growth]) -> tuple[Sequence[str], list[list[str]]]:
    """Return heading and rows: the time of a call at each size of its work, and the exponent of growth."""
    sizes = sorted({size for row in found for size in row.seconds})
    heading = ["call", *(f"{size:,}" for size in sizes), "exponent", f"at most {LINEAR}"]
    rows = []
    for row in found:
        times = [duration(row.seconds[size]) if size in row.seconds else _absent(row, size) for size in sizes]
        exponent = "too short to tell" if row.exponent is None else f"{row.exponent:.2f}"
        rows.append([row.call, *times, exponent, "met" if row.is_linear else "NOT MET"])
    return heading, rows


def _absent(row: Growth, size: int) -> str:
    """Return why a size was not measured: it is too small for the call, or it would take too long."""
    return "–" if size < min(row.seconds) else "too slow"


def memory(found: Sequence[Peak]) -> tuple[Sequence[str], list[list[str]]]:
    """Return heading and rows: the peak beyond the input, in MiB."""
    heading = ["workload", "", "results", "peak beyond inputs", "at most"]
    rows = []
    for peak in found:
        extra = "too slow" if peak.extra is None else f"{peak.extra / 2**20:.1f} MiB"
        limit = f"results + {peak.allowance >> 20} MiB {'met' if peak.met else 'NOT MET'}"
        rows.append([peak.workload, peak.way, f"{peak.results / 2**20:.1f} MiB", extra, limit])
    return heading, rows


def first_calls(found: Sequence[FirstCall]) -> tuple[Sequence[str], list[list[str]]]:
    """Return heading and rows: seconds of all threads together, and the ratio to XLA's float program."""
    heading = ["workload", "", "CPU time", "XLA f32", "against"]
    rows = []
    for call in found:
        limit = f"at most {times(AT_MOST[call.way])}"
        verdict = f"{times(call.ratio)} x XLA f32 ({limit}) {'met' if call.met else 'NOT MET'}"
        seconds = [duration(timing.median) for timing in (call.timing, call.xla)]
        rows.append([call.workload, call.way, *seconds, verdict])
    return heading, rows


def shown(title: str, heading: Sequence[str], rows: Iterable[Sequence[str]]) -> RenderableType:
    table = _table(title, *heading)
    for row in rows:
        table.add_row(*row)
    return table


def _table(title: str, *heading: str) -> Table:
    return Table(*heading, title=title, title_justify="left", box=box.SIMPLE_HEAD)


def markdown_table(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (heading, ["---"] * len(heading), *rows))


def plain(measurement: Measurement) -> dict[str, Any]:
    """Return a measurement as JSON values."""
    timings = {
        name: {"median": timing.median, "samples": timing.samples, "shrunk": timing.shrunk}
        for name, timing in measurement.timings.items()
    }
    targets = [
        {
            "ours": target.ours,
            "theirs": target.theirs,
            "at_most": target.at_most,
            "ratio": target.measured and target.measured.median,
            "spread": target.measured and target.measured.spread,
            "met": target.met,
        }
        for target in measurement.targets
    ]
    workload = measurement.workload
    named = {
        "workload": workload.id,
        "what": workload.what,
        "data": measurement.data.name,
        "per": workload.unit,
    }
    return {**named, "seconds": timings, "results": measurement.remarks, "targets": targets}

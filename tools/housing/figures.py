"""The figures of the house, each with its limit and its goal: `limits.txt` is the table of limits."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from housing import imports, loaded, sizes, words

LIMITS = Path(__file__).with_name("limits.txt")
STEP = {"lines": 500}  # limits of figures that end so are rounded up to a multiple: a line more is no matter


class Figure(NamedTuple):
    """A figure that has a limit: what is counted, how many there are now, and what was counted."""

    what: str
    now: int
    items: tuple[str, ...] = ()


class Limit(NamedTuple):
    """The limit of a figure, and its goal: a number, a share (`1 %`), or `-`."""

    limit: int
    goal: str


def measure() -> list[Figure]:
    """Return all figures, in the order of the table."""
    graph = imports.graph_modules(*imports.PACKAGES)
    return [
        *measure_circles(graph),
        *measure_words(),
        *measure_loaded(),
        *measure_sizes(graph),
    ]


def measure_circles(graph: imports.Graph) -> list[Figure]:
    rooms = imports.circles(imports.graph_rooms(graph))
    modules = imports.circles(graph)
    lines = [line for circle in rooms for line in imports.explain_circle(circle, graph)]
    return [
        Figure("circles of rooms", len(rooms), tuple(lines)),
        Figure("circles of modules", len(modules), tuple(", ".join(sorted(circle)) for circle in modules)),
    ]


def measure_words() -> list[Figure]:
    names = words.bare_functions()
    return [Figure("functions named by a participle or of_", len(names), tuple(map(str, names)))]


def measure_loaded() -> list[Figure]:
    run = loaded.measure_run()
    return [
        Figure("modules that a run imports", len(run.parent), tuple(sorted(run.parent))),
        Figure("modules that its reading child adds", len(run.child), tuple(sorted(run.child))),
        Figure("modules of the oracle among them", len(run.oracle), tuple(sorted(run.oracle))),
    ]


def measure_sizes(graph: imports.Graph) -> list[Figure]:
    parts = sizes.measure_parts()
    core = parts.pop("core")
    listed = tuple(f"{name}: {part.files} files, {part.lines:,} lines" for name, part in parts.items())
    lengths = sizes.function_lengths()
    chapters = sorted(sizes.chapters().items(), key=lambda item: item[1])
    short = [f"{name}: {lines}" for name, lines in chapters if lines < sizes.SHORT]
    long = [f"{name}: {lines}" for name, lines in chapters if lines > sizes.LONG]
    alone = [f"{name}, of {user}" for name, user in sizes.single_importers(graph)]
    longest = tuple(f"{lines}: {place}" for lines, place in lengths[:-11:-1])
    apps = sizes.Part(*map(sum, zip(*parts.values(), strict=True)))
    return [
        Figure("core: files", core.files),
        Figure("core: lines", core.lines),
        Figure("apps: files", apps.files, listed),
        Figure("apps: lines", apps.lines, listed),
        Figure(f"files of fewer than {sizes.SHORT} lines", len(short), tuple(short)),
        Figure(f"files of more than {sizes.LONG} lines", len(long), tuple(long)),
        Figure("modules with one importer, in their folder", len(alone), tuple(alone)),
        Figure("length of a function: median", lengths[len(lengths) // 2][0]),
        Figure("length of a function: 95 % are within", lengths[len(lengths) * 95 // 100][0]),
        Figure("length of a function: longest", lengths[-1][0], longest),
    ]


def read_limits() -> dict[str, Limit]:
    rows = [re.split(r"\s*\|\s*", line.strip()) for line in LIMITS.read_text().splitlines()]
    return {what: Limit(int(limit), goal) for what, limit, goal in (row for row in rows[1:] if len(row) == 3)}


def violations(figures: list[Figure]) -> list[str]:
    """Return a line for each figure that exceeds its limit or has none."""
    limits = read_limits()
    without = [f"{figure.what}: no limit in {LIMITS.name}" for figure in figures if figure.what not in limits]
    return without + [
        f"{figure.what}: {figure.now:,} exceeds the limit {limits[figure.what].limit:,}"
        for figure in figures
        if figure.what in limits and figure.now > limits[figure.what].limit
    ]


def round_up(figure: Figure) -> int:
    """Return the limit to write for a figure."""
    step = next((step for end, step in STEP.items() if figure.what.endswith(f": {end}")), 1)
    return -(-figure.now // step) * step


def lower(figures: list[Figure]) -> str:
    """Return the table with each limit lowered to its figure, where that is lower."""
    limits = read_limits()
    rows = [("what", "limit", "goal")]
    for figure in figures:
        old = limits.get(figure.what, Limit(round_up(figure), "-"))
        rows.append((figure.what, str(min(old.limit, round_up(figure))), old.goal))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [f"{what:{widths[0]}} | {limit:>{widths[1]}} | {goal}" for what, limit, goal in rows]
    return "\n".join(lines) + "\n"

#!/usr/bin/env python3
"""Pictures of README.md and docs/architecture.md: a sum that saturates, who imports whom, one element's way.

tools/pictures.py --write    draw docs/pictures/*.svg
tools/pictures.py --check    exit status 1 where one of them is out of date

The sum is what `explain` says of an element of testdata/programs/overflowing_pool.mlir. The rooms and their
imports are read from the import graph (`housing.imports`), what belongs in a room from the first sentence
of its `__init__.py`, and the steps of the way from the list in docs/architecture.md.
"""

from __future__ import annotations

import ast
import re
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

import numpy as np  # noqa: E402
from housing.imports import PACKAGES, Graph, graph_modules  # noqa: E402

import interp  # noqa: E402
from interp.engine.files import write_text  # noqa: E402

PAGE = ROOT / "docs" / "architecture.md"
FOLDER = ROOT / "docs" / "pictures"
ROOTS = {"interp", "interp.__main__"}  # they name homes of public objects, and are no room
STYLE = """
text { font: 13px system-ui, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2328 }
.title { font-size: 15px; font-weight: 600 }
.name { font-weight: 600 }
.file { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 12px; font-weight: 600 }
.small { font-size: 12px; fill: #57606a }
.page { fill: #ffffff }
.box { fill: #eef3f8; stroke: #8c9bab }
.app { fill: #f3f0e6; stroke: #a89f82 }
.edge { stroke: #57606a; fill: none }
.head { fill: #57606a }
.line { stroke: #d0d7de }
.dot { fill: #0969da }
.number { fill: #0969da }
.digit { fill: #ffffff; font-weight: 600 }
.limit { stroke: #cf222e; stroke-dasharray: 5 4; fill: none }
.exact { stroke: #8c9bab; stroke-width: 2; fill: none }
.stored { stroke: #0969da; stroke-width: 2.5; fill: none }
.clipped { fill: #cf222e }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  .small { fill: #9da7b3 }
  .page { fill: #0d1117 }
  .box { fill: #1c2633; stroke: #57606a }
  .app { fill: #29261c; stroke: #7a7259 }
  .edge { stroke: #9da7b3 }
  .head { fill: #9da7b3 }
  .line { stroke: #30363d }
  .dot, .number { fill: #4493f8 }
  .digit { fill: #0d1117 }
  .limit { stroke: #f85149 }
  .stored { stroke: #4493f8 }
  .clipped { fill: #f85149 }
}
"""
Attributes = str | int | float


class Point(NamedTuple):
    """A place in a picture, in pixels from the upper left corner."""

    x: float
    y: float


# Elements of SVG.


def element(name: str, content: str = "", **attributes: Attributes) -> str:
    """Return an element; `class_` is its class."""
    given = "".join(f' {key.strip("_").replace("_", "-")}="{value}"' for key, value in attributes.items())
    return f"<{name}{given}>{content}</{name}>" if content else f"<{name}{given}/>"


def text(at: Point, content: str, style: str = "", **attributes: Attributes) -> str:
    classes = {"class_": style} if style else {}
    return element("text", escape(content), x=round(at.x), y=round(at.y), **classes, **attributes)


def box(at: Point, width: float, height: float, style: str = "box") -> str:
    return element("rect", x=at.x, y=at.y, width=width, height=height, rx=6, class_=style)


def arrow(start: Point, end: Point) -> str:
    return element("path", d=f"M{start.x} {start.y}L{end.x} {end.y}", class_="edge", marker_end="url(#head)")


def picture(title: str, width: int, height: int, parts: Iterable[str]) -> str:
    """Return a whole picture, on a ground of its own so that it reads on pages of any colour."""
    marker = element(
        "marker",
        element("path", d="M0 0L8 4L0 8z", class_="head"),
        id="head",
        viewBox="0 0 8 8",
        refX=8,
        refY=4,
        markerWidth=8,
        markerHeight=8,
        orient="auto",
    )
    ground = element("rect", width=width, height=height, class_="page")
    head = [element("title", escape(title)), element("style", STYLE), element("defs", marker), ground]
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return "\n".join(
        [f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">', *head, *parts, "</svg>\n"]
    )


# Rooms and their imports.


def unit(module: str) -> str:
    """Return the room of a module: a folder of `interp`, an app, `spec.meaning`, or `spec` with its rules."""
    parts = module.split(".")
    if parts[0] == "spec":
        return "spec.meaning" if parts[1:2] == ["meaning"] else "spec"
    return ".".join(parts[: 3 if parts[1:2] == ["apps"] else 2])


def read_rooms() -> Graph:
    """Return, for each room, the other rooms that it imports."""
    rooms: Graph = {}
    for module, targets in graph_modules(*PACKAGES).items():
        rooms.setdefault(unit(module), set()).update(map(unit, targets))
    left_out = ROOTS | {"interp.apps"}
    return {room: targets - {room} - left_out for room, targets in rooms.items() if room not in left_out}


def is_app(room: str) -> bool:
    return room.startswith("interp.apps.")


def is_face(room: str) -> bool:
    """Return whether a room holds the documented names of an app, and no code."""
    return (
        f"interp.apps.{room.rpartition('.')[2]}" != room
        and (ROOT / "interp/apps" / room.rpartition(".")[2]).is_dir()
    )


def short(room: str) -> str:
    return room.removeprefix("interp.apps.").removeprefix("interp.").replace(".", "/")


def rank(graph: Mapping[str, set[str]]) -> dict[str, int]:
    """Return the floor of each node: one more than that of the highest that it points to."""
    floors: dict[str, int] = {}

    def climb(node: str) -> int:
        if node not in floors:
            floors[node] = 1 + max((climb(target) for target in graph[node] & graph.keys()), default=-1)
        return floors[node]

    for node in graph:
        climb(node)
    return floors


def purpose(room: str) -> str:
    """Return the first sentence of a room's docstring."""
    source = (ROOT / room.replace(".", "/") / "__init__.py").read_text()
    return (ast.get_docstring(ast.parse(source)) or "").partition("\n")[0].replace("`", "")


def layers(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """Return the nodes by floor, the highest floor first."""
    floors = rank(graph)
    return [sorted(n for n in graph if floors[n] == k) for k in range(max(floors.values()), -1, -1)]


# The picture of the rooms.

WIDTH, MARGIN, ROW, BAR = 980, 24, 42, 560  # BAR: width of a room's bar; the matrix stands to its right
LETTER = 7.2  # about the width of a small letter


def draw_rooms() -> str:
    graph = read_rooms()
    special = {"interp.command", "spec.meaning"}
    core = {room: targets for room, targets in graph.items() if not is_app(room) and not is_face(room)}
    order = [room for floor in layers(core) for room in floor if room not in special]
    parts = [text(Point(MARGIN, 32), "The rooms: each imports only from rooms below it", "title")]
    parts += draw_bar(Point(MARGIN, 48), WIDTH - 2 * MARGIN, "interp.command")
    parts += draw_faces(sorted(room for room in graph if is_face(room)), Point(MARGIN, 48 + ROW))
    drawn, y = draw_apps({room: targets for room, targets in graph.items() if is_app(room)}, 2 * ROW + 78)
    parts += drawn
    drawn, y = draw_tower(graph, order, y + 30)
    return picture("Who imports whom", WIDTH, y + MARGIN, [*parts, *drawn])


def draw_bar(at: Point, width: int, room: str) -> list[str]:
    """Draw a room's name and what belongs there, in two lines at most."""
    lines = textwrap.wrap(purpose(room), (width - 120) // 7, max_lines=2, placeholder=" ...")
    first = at.y + (21 if len(lines) == 1 else 15)
    return [
        box(at, width, ROW - 6),
        text(Point(at.x + 12, at.y + 23), short(room), "name"),
        *(text(Point(at.x + 108, first + 15 * k), line, "small") for k, line in enumerate(lines)),
    ]


def draw_faces(faces: Sequence[str], at: Point) -> list[str]:
    parts = [text(Point(at.x, at.y + 17), "documented names of apps, without code:", "small")]
    for k, face in enumerate(faces):
        parts.append(box(Point(at.x + 280 + 152 * k, at.y), 144, 26))
        parts.append(text(Point(at.x + 292 + 152 * k, at.y + 18), short(face), "name"))
    return parts


def draw_apps(apps: Graph, y: int) -> tuple[list[str], int]:
    """Draw the apps by floor, each with the other apps that it imports."""
    parts = [text(Point(MARGIN, y), "apps: built on the core, which imports none of them", "title")]
    across = max(map(len, layers(apps)))
    step, height = (WIDTH - 2 * MARGIN + 12) // across, 46
    for floor, names in enumerate(layers(apps)):
        for k, app in enumerate(names):
            at = Point(MARGIN + step * k, y + 14 + (height + 8) * floor)
            used = sorted(apps[app] & apps.keys())
            others = ", ".join(map(short, used))
            others = others if len(f"imports {others}") * LETTER <= step - 24 else f"{len(used)} others"
            parts.append(box(at, step - 12, height, "app"))
            parts.append(text(Point(at.x + 12, at.y + (19 if others else 28)), short(app), "name"))
            parts += [text(Point(at.x + 12, at.y + 36), f"imports {others}", "small")] * bool(others)
    return parts, y + 14 + (height + 8) * len(layers(apps))


def draw_tower(graph: Graph, order: Sequence[str], y: int) -> tuple[list[str], int]:
    """Draw the rooms of the core, and a matrix: a dot where a row's room imports a column's room."""
    columns = [room for room in reversed(order) if any(room in graph[other] for other in order)]
    left, step, top = MARGIN + BAR + 6, (WIDTH - 2 * MARGIN - BAR - 30) // len(columns), y + 60
    parts = [
        text(
            Point(MARGIN, y), "the core: a dot where the room of the row imports that of the column", "title"
        )
    ]
    for k, room in enumerate(columns):
        x = left + step * k + step // 2
        turned = f"rotate(-60 {x + 4} {top - 8})"
        parts.append(text(Point(x + 4, top - 8), short(room), "small", transform=turned))
        parts.append(element("path", d=f"M{x} {top - 4}V{top + ROW * len(order) - 6}", class_="line"))
    for row, room in enumerate(order):
        middle = top + ROW * row + ROW // 2 - 3
        parts += draw_bar(Point(MARGIN, top + ROW * row), BAR, room)
        parts.append(
            element("path", d=f"M{MARGIN + BAR} {middle}H{left + step * len(columns)}", class_="line")
        )
        dots = [left + step * k + step // 2 for k, target in enumerate(columns) if target in graph[room]]
        parts += [element("circle", cx=x, cy=middle, r=5, class_="dot") for x in dots]
    y = top + ROW * len(order) + 14
    users = ", ".join(short(room) for room in sorted(graph) if "spec.meaning" in graph[room])
    note = (
        f"spec/meaning, the oracle, stands beside it: it imports spec; of the apps, only {users} imports it."
    )
    return [*parts, text(Point(MARGIN, y), note, "small")], y


# The picture of the way.


class Step(NamedTuple):
    """A step of one element's way: its file, and what happens there."""

    file: str
    happening: str


STEP = re.compile(r"^\d+\. `([\w/.]+\.py)`: (.*(?:\n   .*)*)", re.M)


def read_way(page: str) -> list[Step]:
    """Return the steps of the list in docs/architecture.md."""
    way = page.partition("## One element's way")[2].partition("\n## ")[0]
    return [Step(file, " ".join(words.split()).replace("`", "")) for file, words in STEP.findall(way)]


def shorten(words: str) -> list[str]:
    """Return as many whole sentences as a card holds, as lines."""
    sentences = re.split(r"(?<=\.) (?=[A-Z])", words)
    fits = [lines for n in range(len(sentences)) if len(lines := wrap(sentences[: n + 1])) <= LINES]
    return fits[-1] if fits else wrap(sentences)[:LINES]


def wrap(sentences: Sequence[str]) -> list[str]:
    return textwrap.wrap(" ".join(sentences), 38)


COLUMNS, CARD, TALL, GAP, LINES = 3, 288, 116, 34, 4


def draw_way() -> str:
    steps = read_way(PAGE.read_text())
    parts = [text(Point(MARGIN, 32), "One element's way, from bytes to the report", "title")]
    rows = -(-len(steps) // COLUMNS)
    for k, step in enumerate(steps):
        parts += draw_step(card_place(k), k + 1, step)
        if k + 1 < len(steps):
            parts.append(link(card_place(k), card_place(k + 1)))
    return picture(
        "One element's way",
        2 * MARGIN + COLUMNS * CARD + (COLUMNS - 1) * GAP,
        56 + rows * (TALL + GAP),
        parts,
    )


def card_place(k: int) -> Point:
    """Return where card number k stands: rows run to the right, and the next to the left."""
    row, column = divmod(k, COLUMNS)
    column = column if row % 2 == 0 else COLUMNS - 1 - column
    return Point(MARGIN + column * (CARD + GAP), 52 + row * (TALL + GAP))


def link(start: Point, end: Point) -> str:
    """Return the arrow from one card to the next."""
    if start.y != end.y:
        return arrow(Point(start.x + CARD / 2, start.y + TALL), Point(end.x + CARD / 2, end.y - 2))
    edges = (start.x + CARD, end.x - 2) if end.x > start.x else (start.x, end.x + CARD + 2)
    return arrow(Point(edges[0], start.y + TALL / 2), Point(edges[1], end.y + TALL / 2))


def draw_step(at: Point, number: int, step: Step) -> list[str]:
    return [
        box(at, CARD, TALL),
        element("circle", cx=at.x + 20, cy=at.y + 21, r=11, class_="number"),
        text(Point(at.x + 20, at.y + 26), str(number), "digit", text_anchor="middle"),
        text(Point(at.x + 38, at.y + 25), step.file, "file"),
        *(text(Point(at.x + 14, at.y + 50 + 17 * k), line) for k, line in enumerate(shorten(step.happening))),
    ]


# The picture of a sum.

PROGRAM, SUM, INDEX = "overflowing_pool", "%sum", (0, 0, 3, 1)
LEFT, TOP, WIDE, HIGH = 96, 60, 620, 150  # of the plot


def draw_sum() -> str:
    """Draw the partial sums of one element: as stored, and as they would be without saturation."""
    program = ROOT / "testdata/programs" / PROGRAM
    with np.load(program.with_suffix(".npz")) as args:
        trace = interp.trace(interp.load(program.with_suffix(".mlir")), *args.values())
    found = trace.explain(SUM, INDEX)
    type = found.element.reduction.types[found.k]
    nodes = [row for row in found.rows if row.node]
    stored = [int(row.node.result[found.k]) for row in nodes]
    exact = list(accumulate(int(row.leaf.after[found.k]) for row in found.rows if row.leaf))[-len(nodes) :]
    clipped = [k for k, row in enumerate(nodes) if row.kinds]
    limit = type.storage_max
    least, greatest = min(0, *exact), max(*exact, limit)

    def place(k: int, x: int) -> Point:
        share = (x - least) / (greatest - least)
        return Point(round(LEFT + WIDE * k / (len(nodes) - 1), 1), round(TOP + HIGH * (1 - share), 1))

    def line(numbers: Sequence[int], style: str) -> str:
        points = [f"{p.x} {p.y}" for p in (place(k, x) for k, x in enumerate(numbers))]
        return element("path", d="M" + "L".join(points), class_=style)

    end, edge = len(nodes) - 1, place(0, limit)
    title = f"{SUM} {list(INDEX)}: {len(clipped)} of {len(nodes)} partial sums saturate"
    notes = {exact[-1]: f"exact: {exact[-1]:,}", stored[-1]: f"stored: {stored[-1]:,}"}
    return picture(
        "Partial sums of one element",
        LEFT + WIDE + 168,
        TOP + HIGH + 48,
        [
            text(Point(MARGIN, 32), title, "title"),
            element("path", d=f"M{edge.x} {edge.y}h{WIDE}", class_="limit"),
            text(Point(MARGIN, edge.y + 4), f"{limit:,}", "small"),
            text(Point(MARGIN, place(0, 0).y + 4), "0", "small"),
            line(exact, "exact"),
            line(stored, "stored"),
            *(
                element("circle", cx=p.x, cy=p.y, r=4, class_="clipped")
                for p in (place(k, stored[k]) for k in clipped)
            ),
            *(text(Point(place(end, x).x + 12, place(end, x).y + 4), note) for x, note in notes.items()),
            text(
                Point(LEFT, TOP + HIGH + 32), f"leaves 1 to {len(nodes)}, in order; i16 accumulator", "small"
            ),
        ],
    )


PICTURES = {"sum.svg": draw_sum, "rooms.svg": draw_rooms, "way.svg": draw_way}


def main(arguments: Sequence[str]) -> int:
    if arguments not in (["--write"], ["--check"]):
        print(__doc__)
        return 2
    stale = []
    for name, draw in PICTURES.items():
        file, drawn = FOLDER / name, draw()
        if not file.exists() or file.read_text() != drawn:
            stale.append(name)
            if arguments == ["--write"]:
                FOLDER.mkdir(exist_ok=True)
                write_text(file, drawn)
    if stale and arguments == ["--check"]:
        print(f"{', '.join(stale)} out of date: tools/pictures.py --write")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""The drawing of an accumulation's tree: parts that repeat are drawn once, so that large trees are legible.

Leaves are below, and the sum is at the top. A chain is a horizontal line that parts join from below, from the
left; a triangle adds its parts in pairs, in rounds; a bar adds them at once. Parts that look like one that is
drawn are grey, with their leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import NamedTuple

from interp.apps.pages.repeats import Repeats, Shape
from interp.engine.markup import Html, tag
from spec.accumulation import Accumulation
from spec.trees import PLAIN, ZERO

MOST = 60  # parts that are drawn with their nodes; others are grey
FIRST = 3  # parts of a repetition that are shown, and the last one
LETTER = 6.2  # width of a character, in px
ROW, LINE = 44, 14  # heights of a part's own lines, and of its label
SHOWN = 3  # leaves of a part that are listed
GREY = 34  # height of a part that is not drawn
NAMED = 200  # characters of an accumulation in the drawing's title
STYLE = (
    "svg.tree{font:11px ui-monospace,Menlo,Consolas,monospace;color:CanvasText}"
    "svg.tree text{fill:currentColor;stroke:none}svg.tree .grey{opacity:.55}"
)


class Box(NamedTuple):
    """A drawing with its upper left corner at the origin, whose sum is at the top, at x = `port`."""

    width: float
    height: float
    port: float
    parts: str


def draw(accumulation: Accumulation, elements: int, has_init: bool = True) -> Html:
    """Return the drawing of an accumulation's tree over so many elements, with what it is in words."""
    own = has_init and not accumulation.without_init
    drawing = _Drawing(Repeats(accumulation.tree(elements + own, own), own), accumulation)
    return tag("figure", drawing.svg(), tag("figcaption", drawing.words), class_="accumulation")


class _Drawing:
    """A drawing while it is made: `drawn` parts have their nodes."""

    def __init__(self, repeats: Repeats, accumulation: Accumulation) -> None:
        self.repeats, self.name, self.drawn = repeats, repr(accumulation)[:NAMED], 0

    @property
    def words(self) -> str:
        return self.repeats.words(self.repeats.tree.root)

    def svg(self) -> Html:
        box, margin = self.box(self.repeats.tree.root), 8
        width, height = box.width + 2 * margin, box.height + 2 * margin + 6
        top = _line(box.port, -6, box.port, 0)
        return tag(
            "div",
            tag(
                "svg",
                tag("style", Html(STYLE)),
                tag("title", f"{self.name}: {self.words}"),
                tag("g", Html(top + box.parts), transform=f"translate({margin} {margin + 6})"),
                width=f"{width:.0f}",
                height=f"{height:.0f}",
                viewBox=f"0 0 {width:.0f} {height:.0f}",
                role="img",
                class_="tree",
                fill="none",
                stroke="currentColor",
                xmlns="http://www.w3.org/2000/svg",
            ),
            class_="canvas",
            style="overflow-x: auto",
        )

    # A part, with those below it.

    def box(self, at: int) -> Box:
        shape = self.repeats.shape(at)
        if shape.kind in ("leaf", "init", "zero"):
            return _dot(str(at) if shape.kind == "leaf" else "0" if at == ZERO else "init")
        if self.drawn == MOST:
            return self.grey(at)
        self.drawn += 1
        if shape.kind == "chain" and shape.number > 1:
            return self._chain(at, shape)
        parts = self.repeats.tree_children(at) if shape.kind != "pairs" else self.repeats.parts(at)
        boxes = self._boxes(parts)
        if shape.kind == "pairs" and shape.number > 2:
            return _join(boxes, f"{shape.number:,} in pairs{_own(shape)}", _triangle)
        several = f"{len(parts):,} at once" if len(parts) > 2 else "+"
        return _join(boxes, f"{several}{_own(shape)}", _bar)

    def grey(self, at: int) -> Box:
        """Return a part that is not drawn: a triangle over the numbers of its leaves."""
        text = self.leaves([at])
        width = max(28.0, len(text) * LETTER)
        middle = width / 2
        parts = f'<path d="M{middle:.1f} 0l10 16h-20z" fill="currentColor" fill-opacity=".2"/>'
        return Box(width, GREY, middle, f'<g class="grey">{parts}{_text(middle, GREY - 4, text)}</g>')

    def bundle(self, parts: Sequence[int]) -> Box:
        """Return the parts that one node of a chain adds beside the sum: their leaves below a line."""
        if len(parts) == 1:
            return self.box(parts[0]) if self._is_dot(parts[0]) else self.grey(parts[0])
        text = self.leaves(parts)
        width = max(28.0, len(text) * LETTER)
        middle = width / 2
        line = _line(4, 8, width - 4, 8) + _line(middle, 0, middle, 8)
        return Box(width, GREY - 8, middle, line + _text(middle, GREY - 12, text))

    def _is_dot(self, at: int) -> bool:
        return self.repeats.shape(at).kind in ("leaf", "init", "zero")

    def leaves(self, parts: Sequence[int]) -> str:
        """Return the numbers of the leaves of parts: `1, 17, ..., 4081`."""
        every = dict.fromkeys(leaf for part in parts for leaf in self.repeats.below(part))
        names = ["init" if self.repeats.shape(leaf).kind == "init" else str(leaf) for leaf in every]
        if len(names) <= SHOWN:
            return ", ".join(names)
        return f"{', '.join(names[: SHOWN - 1])}, ..., {names[-1]}"

    def _boxes(self, parts: Sequence[int]) -> list[Box]:
        """Return the boxes of parts: those that look like one before them are grey, most are left out."""
        seen, found = set[Shape](), list[Box]()
        for shape, alike in groupby(parts, self.repeats.shape):
            run = list(alike)
            for k, part in enumerate(run):
                if FIRST <= k < len(run) - 1:
                    found += [_dots()] if k == FIRST else []
                    continue
                found.append(self.grey(part) if shape in seen and not self._is_dot(part) else self.box(part))
                seen.add(shape)
        return found

    def _chain(self, at: int, shape: Shape) -> Box:
        """Return a chain: its head, the parts of its first node, and some of the others."""
        head, *steps = self.repeats.steps(at)
        boxes, nodes = [self.box(head[0])], list[int]()  # the positions of the last part of each node
        alike = self.repeats.shape(head[0]) == self.repeats.shape(steps[0][0])
        for k, step in enumerate(steps):
            if 2 <= k < len(steps) - 1:
                boxes += [_dots()] if k == 2 else []
                continue
            first = k == 0 and len(step) == 1 and not alike
            boxes.append(self.box(step[0]) if first else self.bundle(step))
            nodes.append(len(boxes) - 1)
        words = f"{len(steps) + alike:,} one after the other"
        if len(steps[0]) > 1:
            words = f"{len(steps):,} times {len(steps[0]):,} at once"
        return _join(boxes, f"{words}{_own(shape)}", lambda ports: _spine(ports, nodes), last=True)


def _own(shape: Shape) -> str:
    return f", {shape.arithmetic!r}" if shape.arithmetic != PLAIN else ""


# Lines and texts.

Glyph = Callable[[Sequence[float]], str]


def _join(boxes: Sequence[Box], label: str, glyph: Glyph, last: bool = False) -> Box:
    """Return boxes beside each other, below the lines that join their ports and a label.

    last: the sum comes out at the last port, else in the middle.
    """
    gap, at, ports, inner = 10.0, 0.0, list[float](), list[str]()
    for box in boxes:
        inner.append(f'<g transform="translate({at:.1f} {LINE + ROW})">{box.parts}</g>')
        ports.append(at + box.port)
        at += box.width + gap
    port = ports[-1] if last else (ports[0] + ports[-1]) / 2
    room = len(label) * LETTER + 12
    shift = max(0.0, room - port)
    text = _text(port + shift - 6, LINE - 3, label, "end") + _line(port + shift, 0, port + shift, LINE)
    parts = f'<g transform="translate({shift:.1f} 0)">{glyph(ports)}{"".join(inner)}</g>'
    height = LINE + ROW + max(box.height for box in boxes)
    return Box(shift + at - gap, height, port + shift, text + parts)


def _spine(ports: Sequence[float], nodes: Sequence[int]) -> str:
    """Return a line at which the parts of nodes join those before."""
    y, own = LINE + 8, set(nodes)
    found = [
        f'<path d="M{ports[0]:.1f} {LINE + ROW}V{y}H{ports[-1]:.1f}"/>',
        _line(ports[-1], y, ports[-1], LINE),
    ]
    for k in own:
        found.append(_line(ports[k], LINE + ROW, ports[k], y))
        found.append(f'<circle cx="{ports[k]:.1f}" cy="{y}" r="3.5" fill="currentColor"/>')
    return "".join(found)


def _triangle(ports: Sequence[float]) -> str:
    top, low = LINE + 4, LINE + ROW - 8
    middle = (ports[0] + ports[-1]) / 2
    body = f"M{middle:.1f} {top}L{ports[-1] + 6:.1f} {low}H{ports[0] - 6:.1f}z"
    ends = "".join(_line(x, low, x, LINE + ROW) for x in ports)
    return f'<path d="{body}" fill="currentColor" fill-opacity=".1"/>{_line(middle, LINE, middle, top)}{ends}'


def _bar(ports: Sequence[float]) -> str:
    y, middle = LINE + 12, (ports[0] + ports[-1]) / 2
    left, width = ports[0] - 4, ports[-1] - ports[0] + 8
    body = f'<rect x="{left:.1f}" y="{y}" width="{width:.1f}" height="6" rx="3" fill="currentColor"/>'
    return body + _line(middle, LINE, middle, y) + "".join(_line(x, y + 6, x, LINE + ROW) for x in ports)


def _line(x: float, y: float, x2: float, y2: float) -> str:
    return f'<path d="M{x:.1f} {y:.1f}L{x2:.1f} {y2:.1f}"/>'


def _text(x: float, y: float, text: str, anchor: str = "middle") -> str:
    return tag("text", text, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor)


def _dot(text: str) -> Box:
    width = max(20.0, len(text) * LETTER + 6)
    circle = f'<circle cx="{width / 2:.1f}" cy="4" r="3"/>'
    return Box(width, 24, width / 2, circle + _text(width / 2, 18, text))


def _dots() -> Box:
    return Box(20, 20, 10, _text(10, 10, "..."))

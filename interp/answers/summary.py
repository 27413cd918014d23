"""`Trace.summary`: the reductions of a run, one line each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, prod
from typing import Any

import numpy as np

from interp.answers.view import View, views
from interp.backends import Array
from interp.engine.facts import facts
from interp.engine.leaf_counts import window_of
from interp.engine.markup import align, join_lines
from interp.engine.storage import storage
from interp.engine.walk import LOOP
from interp.engine.work import Covered, Partly, Progress, Work
from interp.execute.record import Record
from interp.questions.verdicts import KINDS as VERDICTS
from interp.recorder.event import short
from interp.theory.contractions import number_of_products
from spec.accumulation import Accumulation
from spec.ir import Module, Op, nested_ops

# Division of a result of any rank into maps with a limited number of cells, each for a block of elements.

SHORT = 32  # cells that are shown in one row


@dataclass(frozen=True)
class Grid:
    """Cells of `block` elements; `order` lists the dimensions of the result, the map's rows and columns last.

    Cells are numbered row-major in that sequence of dimensions; the dimensions before the last two select a
    map.
    """

    shape: tuple[int, ...]
    block: tuple[int, ...]
    order: tuple[int, ...]

    @property
    def cells(self) -> tuple[int, ...]:
        """Return the number of cells along each dimension of the result."""
        return tuple(ceil(size / step) for size, step in zip(self.shape, self.block, strict=True))

    @property
    def width(self) -> int:
        """Return the width of a row of the map; a single long dimension wraps to about a square."""
        sizes = [self.cells[dimension] for dimension in self.order[-2:]] or [1]
        n = prod(sizes)
        return min(n, max(SHORT, 1 << (n.bit_length() + 1) // 2)) if n == max(sizes) else sizes[-1]

    @property
    def per_map(self) -> int:
        return prod(self.cells[dimension] for dimension in self.order[-2:])

    def largest(self, x: Array) -> Array:
        """Return the largest element of every block, by the number of its cell."""
        for dimension, step in enumerate(self.block):
            if step > 1:
                x = np.maximum.reduceat(x, range(0, x.shape[dimension], step), dimension)
        return x.transpose(self.order).ravel()

    def cell(self, index: tuple[int, ...]) -> int:
        """Return the number of the cell that holds an element."""
        place = [index[dimension] // self.block[dimension] for dimension in self.order]
        sizes = [self.cells[dimension] for dimension in self.order]
        return int(np.ravel_multi_index(place, sizes)) if place else 0


def grid(shape: tuple[int, ...], most: int) -> Grid:
    """Return a grid of at most `most` cells; longest dimensions are halved, and the two longest make maps."""
    cells, block = list(shape), [1] * len(shape)
    while prod(cells) > most:
        longest = max(cells)
        block = [step * 2 if n == longest else step for step, n in zip(block, cells, strict=True)]
        cells = [ceil(size / step) for size, step in zip(shape, block, strict=True)]
    by_length = sorted(range(len(shape)), key=lambda dimension: -shape[dimension])
    mapped = sorted(by_length[:2])
    others = [dimension for dimension in range(len(shape)) if dimension not in mapped]
    return Grid(shape, tuple(block), (*others, *mapped))


QUICK = 1 << 22  # leaves
SIGNS = 16  # in the strip of a result
NOTHING, BARS = "·", "▁▂▃▄▅▆▇█"


@dataclass(frozen=True, eq=False, repr=False)
class Summary(Partly):
    """`views`, one for each reduction that ran; prints as a table."""

    views: tuple[View, ...]
    covered: tuple[Covered, ...] = ()
    unjudged: tuple[str, ...] = ()  # sums that were not recorded, with the reason

    def _repr_text_(self) -> str:
        return join_lines(_lines(self)) or "no reductions"


def summary(trace: Record, seconds: float | None = None, progress: Progress | None = None) -> Summary:
    """Return a view of every reduction; those that there was no time to judge are marked so."""
    work = Work(seconds, progress)
    found = views(trace, work)
    return Summary(tuple(found), tuple(work.covered), tuple(trace.sums_not_judged))


def is_quick(module: Module) -> bool:
    """Return whether a summary takes only seconds: reductions of few leaves, and no loops."""
    ops = [op for func in module.functions.values() for op in nested_ops(func.body)]
    work = sum(_leaves(op) for op in ops if facts(op).is_recorded)
    return work <= QUICK and not any(op.name == LOOP for op in ops)


def _leaves(op: Op) -> int:
    """Return an upper bound on the number of leaves of all elements of the result."""
    if facts(op).contracts:
        return number_of_products(op) * op.result.type.size
    size = max(value.type.size for value in (*op.operands, *op.results))
    return size * prod(window_of(op))


def strip(counts: Array) -> str:
    """Return counts, taken row-major, as a row of characters; each shows the largest count of a part."""
    if not counts.size:
        return ""
    parts = grid((counts.size,), SIGNS).largest(counts.ravel())
    most = int(parts.max())
    return "".join(BARS[-(-len(BARS) * n // most) - 1] if n else NOTHING for n in map(int, parts))


def _lines(self: Summary) -> Iterator[str]:
    if self.views:
        yield from _table(self)
    yield from self.unjudged


def _table(self: Summary) -> Iterator[str]:
    kinds = [kind for kind in VERDICTS if any(view.verdicts.counts[kind] for view in self.views)]
    rows = [["reduction", "result", "leaves", "events", "over the result", *kinds, "headroom", "suggested"]]
    yield from align([*rows, *(_row(view, kinds) for view in self.views)])
    if self.partial:
        yield f"{self.shortfall}: summary(seconds=None) judges all"


def _row(view: View, kinds: list[str]) -> list[str]:
    reduction, bounds = view.reduction, view.bounds
    name = f"{view.reduction.title} {short(reduction.written)}"
    shape = "x".join(map(str, reduction.shape)) or "scalar"
    counts = [f"{view.verdicts.counts[kind]:,}" for kind in kinds]
    room = "?" if bounds.headroom is None else bounds.room
    suggested: Any = bounds.suggested
    is_type = suggested and not isinstance(suggested, Accumulation)
    name_of_type = storage(suggested).name if is_type else repr(suggested)
    is_judged = bounds.is_known and not bounds.partial
    suggested = bounds.suggestion.text(name_of_type, is_short=True) if is_judged else "-"
    events = f"{int(view.events.sum()):,}"
    return [name, shape, f"{reduction.leaves_in_all:,}", events, strip(view.events), *counts, room, suggested]

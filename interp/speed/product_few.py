"""Machine code for few sums of each column: right factors are read where they lie, and laid out nowhere.

The sums of a stretch of columns are kept in the nearest cache, and take several products at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir

from interp.backends.machine_code import WORD, Function, Int
from interp.speed.product_blocks import (
    BYTES,
    COLUMN_STEP,
    COLUMNS,
    GROUP,
    GROUPS,
    LEFT,
    META,
    OUT,
    OUT_GROUP,
    OUT_SUM,
    PLACES,
    POSITIONS,
    RIGHT,
    SUMS,
    Kind,
    Meta,
    splat,
)

FEW = 4  # sums of a column, from which on it pays to lay out its right factors
STRETCH = 64  # vectors of columns
DEPTH = 8  # products that a sum takes at a time


def has_few(kind: Kind) -> bool:
    """Return whether there is this code for a kind of sums."""
    return not (kind.own or kind.stored or kind.tree or kind.counts)


def are_few(f: Function, meta: Meta) -> Any:
    """Return whether sums are few, and have right factors that lie beside those of the next column."""
    one, beside = (meta[k].is_("==", 1) for k in (POSITIONS, COLUMN_STEP))
    return f.builder.and_(meta[SUMS].is_("<", FEW), f.builder.and_(one, beside))


def count_stretches(kind: Kind, meta: Meta) -> Int:
    """Return how many stretches of columns there are in a group."""
    wide = STRETCH * kind.lanes
    return (meta[COLUMNS] + (wide - 1)) // wide


def write_few(module: Any, kind: Kind) -> Function:
    """Write `few(state, number)`: the sums of a stretch of columns."""
    f = Function(module, "few", 2)
    state, number = f.arguments
    meta, size = Meta(f, f.word(state, META)), kind.size
    columns, n, stretches = meta[COLUMNS], meta.n, count_stretches(kind, meta)
    group, column = number // stretches, number % stretches * (STRETCH * kind.lanes)
    width = (columns - column).at_most(STRETCH * kind.lanes)
    right = f.word(state, RIGHT) + (group * n * columns + column) * size
    left = f.word(state, LEFT) + group * meta[GROUP] * size + f.word(meta.offsets())
    out = f.word(state, OUT) + (group * meta[OUT_GROUP] + column) * size
    zero = ir.Constant(kind.vector, None)

    def each(row: Int, change: Callable[[Any, Int, Callable[[Int], Any]], Any]) -> None:
        """Write `sums = change(sums, at, load)` for every vector of a row, the last one as far as it goes."""
        to = out + row * meta[OUT_SUM] * size
        with f.loop(width // kind.lanes) as v:
            load = lambda place: f.load(place, kind.vector, size)
            at = v * BYTES
            f.store(change(load(to + at), at, load), to + at, size)
        at, rest = width // kind.lanes * BYTES, width % kind.lanes
        with f.builder.if_then(rest.is_("!=", 0)):
            there = kind.there(f, rest)[0]
            some = lambda place: kind.load(f, place, there)
            kind.store(f, change(some(to + at), at, some), to + at, there)

    def add(row: Int, first: Int, depth: int) -> None:
        """Write the addition of products from the first one on to the sums of a row."""
        x = left + f.word(f.word(state, PLACES), row) + first * size
        factors = [
            splat(f.builder, f.load(x + k * size, kind.scalar, size), kind.vector) for k in range(depth)
        ]
        lines = [right + (first + k) * columns * size for k in range(depth)]

        def change(total: Any, at: Int, load: Callable[[Int], Any]) -> Any:
            for factor, line in zip(factors, lines, strict=True):
                total = kind.add(f, total, factor, load(line + at))
                f.fetch(line + columns * (depth * size) + at)
            return total

        each(row, change)

    with f.loop(meta[SUMS]) as row:
        each(row, lambda *_: zero)
    with f.loop(n // DEPTH) as k, f.loop(meta[SUMS]) as row:
        add(row, k * DEPTH, DEPTH)
    done = n // DEPTH * DEPTH
    with f.loop(n - done) as k, f.loop(meta[SUMS]) as row:
        add(row, done + k, 1)
    f.builder.ret(ir.Constant(WORD, 0))
    return f


def count_units(f: Function, kind: Kind, meta: Meta, blocks: Int) -> Int:
    """Return how many units of work there are: stretches, or so many blocks."""
    stretches = count_stretches(kind, meta) * meta[GROUPS]
    return Int(f.builder, f.builder.select(are_few(f, meta), stretches.value, blocks.value))

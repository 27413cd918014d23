"""Machine code that lays out the right factors of a block of columns, a row of vectors for each product."""

from __future__ import annotations

from itertools import chain
from typing import Any

from llvmlite import ir

from interp.backends.machine_code import BYTE, HALF, WORD, Function, Int
from interp.speed.product_blocks import (
    BYTES,
    COLUMN_STEP,
    COLUMNS,
    LINE,
    META,
    NEAR,
    RIGHT,
    SCALES,
    STEP,
    SUMS,
    VECTORS,
    Kind,
    Meta,
)

PIECE = 16  # bytes of a vector within which its numbers are moved at once


def write_panel(
    f: Function, kind: Kind, state: Int, panel: Int, at: tuple[Int, Int], there: list[Any]
) -> None:
    """Lay out the right factors of a block of columns, of the group and from the column `at`."""
    neighbours = Meta(f, f.word(state, META))[COLUMN_STEP].is_("==", 1)
    with f.builder.if_else(neighbours) as (beside, apart):
        with beside:
            _write_vectors(f, kind, state, panel, at, there)
        with apart:
            _write_columns(f, kind, state, panel, at)


def _write_vectors(
    f: Function, kind: Kind, state: Int, panel: Int, at: tuple[Int, Int], there: list[Any]
) -> None:
    """Lay out right factors that lie beside those of the next column."""
    meta, (group, column) = Meta(f, f.word(state, META)), at
    columns, n, scales = meta[COLUMNS], meta.n, []
    for v in range(VECTORS if kind.stored else 0):
        place = f.word(state, SCALES) + (group * columns + column) * kind.size + v * BYTES
        scales.append(kind.load(f, place, there[v]))
    with f.loop(n) as k:
        leaf = f.word(meta.order(), k) if kind.tree else k
        first = (group * n + leaf) * columns + column
        for v in range(VECTORS):
            if kind.stored:
                place = f.word(state, RIGHT) + first + v * kind.lanes
                factors = kind.dequantize(f, place, scales[v], there[v])
            else:
                factors = kind.load(f, f.word(state, RIGHT) + first * kind.size + v * BYTES, there[v])
            f.store(factors, panel + k * (kind.width * kind.size) + v * BYTES, BYTES)


def _write_columns(f: Function, kind: Kind, state: Int, panel: Int, at: tuple[Int, Int]) -> None:
    """Lay out right factors that lie beside those of the same column.

    Past the last column that one is repeated; nothing reads it.
    """
    done = f.number(0)
    if not (kind.stored or kind.tree):
        done = _write_turned(f, kind, state, panel, at)
    _write_numbers(f, kind, state, panel, at, done)


def _write_turned(f: Function, kind: Kind, state: Int, panel: Int, at: tuple[Int, Int]) -> Int:
    """Lay out vectors, turned in registers; return how many of the factors of each column.

    Few sums do not take the time in which the right factors of the next columns are fetched: this does.
    """
    meta, (group, column) = Meta(f, f.word(state, META)), at
    few, columns = PIECE // kind.size, meta[COLUMNS]
    piece, right = ir.VectorType(kind.scalar, few), f.word(state, RIGHT)
    whole, lines = meta.n // few, PIECE * kind.lanes // LINE
    step = Int(
        f.builder,
        f.builder.select(meta[SUMS].is_("<", kind.rows), ir.Constant(WORD, LINE), ir.Constant(WORD, 0)),
    )
    ahead = right + (group * columns + (column + kind.width).at_most(columns)) * meta.n * kind.size
    for v in range(VECTORS):
        sources = [(column + (v * kind.lanes + k)).at_most(columns - 1) for k in range(kind.lanes)]
        places = [right + (group * columns + source) * meta.n * kind.size for source in sources]
        with f.loop(whole) as k:
            for line in range(lines):
                f.fetch(ahead + ((whole * v + k) * lines + line) * step)
            pieces = [f.load(place + k * PIECE, piece, kind.size) for place in places]
            vectors = [_join(f.builder, pieces[i::few]) for i in range(few)]
            for i, turned in enumerate(_turn(f.builder, vectors, few)):
                f.store(turned, panel + (k * few + i) * (kind.width * kind.size) + v * BYTES, BYTES)
    return whole * few


def _join(builder: Any, vectors: list[Any]) -> Any:
    """Return one vector of the numbers of several, one after the other."""
    while len(vectors) > 1:
        lanes = range(2 * vectors[0].type.count)
        vectors = [_shuffle(builder, x, y, lanes) for x, y in zip(vectors[::2], vectors[1::2], strict=True)]
    return vectors[0]


def _turn(builder: Any, vectors: list[Any], few: int) -> list[Any]:
    """Return as many vectors as their pieces have numbers, so that each piece has one number of each."""
    unit = 1
    while unit < few:
        lower, upper = (_lanes(vectors[0].type.count, few, unit, half) for half in (0, 1))
        pairs = list(zip(vectors[::2], vectors[1::2], strict=True))
        halves = [[_shuffle(builder, x, y, lanes) for x, y in pairs] for lanes in (lower, upper)]
        unit *= 2
        vectors = list(chain(*(zip(*halves, strict=True) if unit == few else halves)))
    return vectors


def _lanes(count: int, few: int, unit: int, half: int) -> list[int]:
    """Return the lanes of two vectors that lie by turns, so many at a time, in a half of each piece."""
    by_turns = [x + k + y for k in range(0, few, unit) for x in (0, count) for y in range(unit)]
    return [
        start + lane for start in range(0, count, few) for lane in by_turns[half * few : (half + 1) * few]
    ]


def _shuffle(builder: Any, x: Any, y: Any, lanes: Any) -> Any:
    numbers = list(lanes)
    return builder.shuffle_vector(x, y, ir.Constant(ir.VectorType(HALF, len(numbers)), numbers))


def _write_numbers(f: Function, kind: Kind, state: Int, panel: Int, at: tuple[Int, Int], done: Int) -> None:
    """Lay out the factors after those that are done, one by one, some from each column in turn."""
    meta, (group, column) = Meta(f, f.word(state, META)), at
    columns, size = meta[COLUMNS], 1 if kind.stored else kind.size
    right, rest = f.word(state, RIGHT) + group * meta.n * columns * size, meta.n - done
    with f.loop((rest + (NEAR - 1)) // NEAR) as part, f.loop(f.number(kind.width)) as c:
        source = (column + c).at_most(columns - 1)
        place = f.word(state, SCALES) + (group * columns + source) * kind.size
        scale = f.load(place, kind.scalar, kind.size) if kind.stored else None
        with f.loop((rest - part * NEAR).at_most(NEAR)) as near:
            k = done + part * NEAR + near
            leaf = f.word(meta.order(), k) if kind.tree else k
            from_ = right + (source * meta[COLUMN_STEP] + leaf * meta[STEP]) * size
            if kind.stored:
                number = f.builder.fmul(f.builder.sitofp(f.load(from_, BYTE), kind.scalar), scale)
            else:
                number = f.load(from_, kind.scalar, kind.size)
            f.store(number, panel + (k * kind.width + c) * kind.size, kind.size)

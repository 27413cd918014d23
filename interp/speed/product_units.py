"""Machine code for units of work: some of the sums of products, and one block of their columns."""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from interp.backends.machine_code import BYTE, HALF, WORD, Function, Int
from interp.speed.product_blocks import (
    BYTES,
    COLUMN_STEP,
    COLUMNS,
    GROUP,
    GROUPS,
    HEAD,
    LEFT,
    META,
    NEAR,
    NEXT,
    OUT,
    OUT_GROUP,
    OUT_SUM,
    PANELS,
    PARTS,
    PLACES,
    POSITIONS,
    RANK,
    RIGHT,
    RUN,
    SCALES,
    STEP,
    SUMS,
    TICKETS,
    VECTORS,
    Kind,
    Meta,
    block,
)
from interp.speed.product_trees import block_along

# Units of work in machine code for sums of products: some of the sums, and one block of columns.
#
# A sum's left factors lie in runs, one at each position of a window; nothing is laid out anew but the right
# factors of a block of columns. Threads take units of work until none is left. Each sum is computed by one
# of them, in order: their number changes no bit.


def write_places(module: Any, kind: Kind) -> Function:
    """Write `places(state)`: store where the left factors of each sum begin, beside those of the first."""
    f = Function(module, "places", 1)
    (state,) = f.arguments
    meta = Meta(f, f.word(state, META))
    to = f.word(state, PLACES)
    with f.loop(meta[SUMS]) as row:
        f.replace_word(to, row, position(f, meta.address + HEAD * 8, meta[RANK], row) * kind.size)
    f.builder.ret(ir.Constant(WORD, 0))
    return f


def position(f: Function, sizes: Int, rank: Int, number: Int) -> Int:
    """Return the sum of a number's digits times their steps, which come after the sizes of the dimensions."""
    rest, place = f.variable(number.value), f.variable(ir.Constant(WORD, 0))
    with f.loop(rank) as k:
        d = rank - 1 - k
        size, step = f.word(sizes, d), f.word(sizes, d + rank)
        left = f.builder.trunc(f.builder.load(rest), HALF)
        size = f.builder.trunc(size.value, HALF)  # of 32 bits, which are divided twice as fast
        digit = Int(f.builder, f.builder.zext(f.builder.urem(left, size), WORD))
        f.builder.store((Int(f.builder, f.builder.load(place)) + digit * step).value, place)
        f.builder.store(f.builder.zext(f.builder.udiv(left, size), WORD), rest)
    return Int(f.builder, f.builder.load(place))


def write_rows(module: Any, kind: Kind, rows: int) -> Function:
    """Write `rows(state, panel, group, row, column)`: sums of some rows and one block of columns."""
    f = Function(module, f"rows{rows}", 5)
    state, panel, group, row, column = f.arguments
    meta = Meta(f, f.word(state, META))
    there = kind.there(f, meta[COLUMNS] - column)
    first = f.word(state, LEFT) + group * meta[GROUP] * kind.size
    first = first + column * kind.size if kind.own else first
    lefts = [first + f.word(f.word(state, PLACES), row + i) for i in range(rows)]
    if kind.tree:
        stack = panel + meta.factors(kind)
        sums = block_along(f, kind, lefts, panel, meta.offsets(), (meta.tape(), stack), there)
    else:
        plain = block(f, kind, lefts, panel, meta.offsets(), (meta[POSITIONS], meta[RUN]), there)
        sums = {key: [total] for key, total in plain.items()}
    for (i, v), results in sums.items():
        at = group * meta[OUT_GROUP] + (row + i) * meta[OUT_SUM] + column + v * kind.lanes
        for k, result in enumerate(results):
            moved = at + meta[GROUPS] * meta[SUMS] * meta[COLUMNS] * k if k else at
            kind.store(f, result, f.word(state, OUT) + moved * kind.size, there[v])
    f.builder.ret(ir.Constant(WORD, 0))
    return f


def write_panel(
    f: Function, kind: Kind, state: Int, panel: Int, at: tuple[Int, Int], there: list[Any]
) -> None:
    """Lay out the right factors of a block of columns, of the group and from the column `at`."""
    neighbours = Meta(f, f.word(state, META))[COLUMN_STEP].is_("==", 1)
    with f.builder.if_else(neighbours) as (beside, apart):
        with beside:
            _write_vectors(f, kind, state, panel, at, there)
        with apart:
            _write_numbers(f, kind, state, panel, at)


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


def _write_numbers(f: Function, kind: Kind, state: Int, panel: Int, at: tuple[Int, Int]) -> None:
    """Lay out right factors that lie beside those of the same column, some from each column in turn.

    Past the last column that one is repeated; nothing reads it.
    """
    meta, (group, column) = Meta(f, f.word(state, META)), at
    columns = meta[COLUMNS]
    size = 1 if kind.stored else kind.size
    right = f.word(state, RIGHT) + group * meta.n * columns * size
    with f.loop((meta.n + (NEAR - 1)) // NEAR) as part, f.loop(f.number(kind.width)) as c:
        source = (column + c).at_most(columns - 1)
        place = f.word(state, SCALES) + (group * columns + source) * kind.size
        scale = f.load(place, kind.scalar, kind.size) if kind.stored else None
        with f.loop((meta.n - part * NEAR).at_most(NEAR)) as near:
            k = part * NEAR + near
            leaf = f.word(meta.order(), k) if kind.tree else k
            from_ = right + (source * meta[COLUMN_STEP] + leaf * meta[STEP]) * size
            if kind.stored:
                number = f.builder.fmul(f.builder.sitofp(f.load(from_, BYTE), kind.scalar), scale)
            else:
                number = f.load(from_, kind.scalar, kind.size)
            f.store(number, panel + (k * kind.width + c) * kind.size, kind.size)


def write_unit(module: Any, kind: Kind) -> Function:
    """Write `unit(state, panel, number)`: lay out the right factors of a block of columns, and use them."""
    many, one = (write_rows(module, kind, rows) for rows in (kind.rows, 1))
    f = Function(module, "unit", 3)
    state, panel, number = f.arguments
    meta = Meta(f, f.word(state, META))
    columns, sums, parts = meta[COLUMNS], meta[SUMS], meta[PARTS]
    blocks = (columns + (kind.width - 1)) // kind.width
    group, column = number // parts // blocks, number // parts % blocks * kind.width
    there = kind.there(f, columns - column)
    if not kind.ones:
        write_panel(f, kind, state, panel, (group, column), there)
    share = (sums + (parts * kind.rows - 1)) // (parts * kind.rows) * kind.rows
    first = (number % parts * share).at_most(sums)
    some = (sums - first).at_most(share)
    with f.loop(some // kind.rows) as i:
        f.call(many, state, panel, group, first + i * kind.rows, column)
    with f.loop(some % kind.rows) as i:
        f.call(one, state, panel, group, first + some // kind.rows * kind.rows + i, column)
    f.builder.ret(ir.Constant(WORD, 0))
    return f


def write_work(module: Any, kind: Kind) -> Function:
    """Write `work(state)`: compute unit after unit, until threads have taken all of them."""
    unit = write_unit(module, kind)
    f = Function(module, "work", 1)
    (state,) = f.arguments
    meta = Meta(f, f.word(state, META))
    take = lambda k: Int(
        f.builder, f.builder.atomic_rmw("add", f.place(state + 8 * k, WORD), ir.Constant(WORD, 1), "seq_cst")
    )
    panel = f.word(state, PANELS) + take(TICKETS) * meta.panel(kind)
    units = (meta[COLUMNS] + (kind.width - 1)) // kind.width * meta[GROUPS] * meta[PARTS]
    test, body, end = (f.builder.append_basic_block() for _ in range(3))
    with f.exact_floats():
        f.builder.branch(test)
        f.builder.position_at_end(test)
        number = take(NEXT)
        f.builder.cbranch(number.is_("<", units), body, end)
        f.builder.position_at_end(body)
        f.call(unit, state, panel, number)
        f.builder.branch(test)
        f.builder.position_at_end(end)
    f.builder.ret(ir.Constant(WORD, 0))
    return f

"""Machine code for units of work: some of the sums of products, and one block of their columns."""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from interp.backends.machine_code import HALF, WORD, Function, Int
from interp.speed.product_blocks import (
    COLUMN_STEP,
    COLUMNS,
    GROUP,
    GROUPS,
    HEAD,
    LEFT,
    LINE,
    META,
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
    SUMS,
    TICKETS,
    Kind,
    Meta,
    block,
)
from interp.speed.product_few import are_few, count_units, has_few, write_few
from interp.speed.product_panels import write_panel
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
        counts, ahead = (meta[POSITIONS], meta[RUN]), _ahead(f, kind, state, group, row // kind.rows, column)
        plain = block(f, kind, lefts, panel, meta.offsets(), counts, there, ahead)
        sums = {key: [total] for key, total in plain.items()}
    for (i, v), results in sums.items():
        at = group * meta[OUT_GROUP] + (row + i) * meta[OUT_SUM] + column + v * kind.lanes
        for k, result in enumerate(results):
            moved = at + meta[GROUPS] * meta[SUMS] * meta[COLUMNS] * k if k else at
            kind.store(f, result, f.word(state, OUT) + moved * kind.size, there[v])
    f.builder.ret(ir.Constant(WORD, 0))
    return f


def _ahead(
    f: Function, kind: Kind, state: Int, group: Int, number: Int, column: Int
) -> tuple[Int, Int] | None:
    """Return the first place to fetch while a block of sums is computed, and the step to the next place.

    They are the lines of the cache, as many as products, with that number among those with the right factors
    of the next block of columns.
    """
    if kind.stored:
        return None
    meta = Meta(f, f.word(state, META))
    columns, n, size = meta[COLUMNS], meta.n, kind.size
    beside, following = meta[COLUMN_STEP].is_("==", 1), column + kind.width
    choose = lambda bit, x, y: Int(f.builder, f.builder.select(bit, x.value, y.value))
    place = choose(
        beside,
        (group * n * columns + following) * size + number * LINE,
        (group * columns + following) * n * size + number * n * LINE,
    )
    step = choose(beside, columns * size, f.number(LINE))
    known = f.builder.and_(number.is_("<", kind.width * size // LINE), following.is_("<", columns))
    start = f.word(state, RIGHT)
    return choose(known, start + place, start), choose(known, step, f.number(0))


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
    unit, few = write_unit(module, kind), write_few(module, kind) if has_few(kind) else None
    f = Function(module, "work", 1)
    (state,) = f.arguments
    meta = Meta(f, f.word(state, META))
    take = lambda k: Int(
        f.builder, f.builder.atomic_rmw("add", f.place(state + 8 * k, WORD), ir.Constant(WORD, 1), "seq_cst")
    )
    panel = f.word(state, PANELS) + take(TICKETS) * meta.panel(kind)
    units = (meta[COLUMNS] + (kind.width - 1)) // kind.width * meta[GROUPS] * meta[PARTS]
    units = count_units(f, kind, meta, units) if few else units
    test, body, end = (f.builder.append_basic_block() for _ in range(3))
    with f.exact_floats():
        f.builder.branch(test)
        f.builder.position_at_end(test)
        number = take(NEXT)
        f.builder.cbranch(number.is_("<", units), body, end)
        f.builder.position_at_end(body)
        if few:
            with f.builder.if_else(are_few(f, meta)) as (so, otherwise):
                with so:
                    f.call(few, state, number)
                with otherwise:
                    f.call(unit, state, panel, number)
        else:
            f.call(unit, state, panel, number)
        f.builder.branch(test)
        f.builder.position_at_end(end)
    f.builder.ret(ir.Constant(WORD, 0))
    return f

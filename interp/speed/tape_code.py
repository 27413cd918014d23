"""Machine code of a tape: instructions on f32 arrays that one call executes, one after the other.

An instruction is the address of a function and the address of its words, which say where arrays are and how
they are traversed. Sizes are words, not code: the library is compiled once, and kept on disk. All steps are
in bytes. Arrays that may be read in whole vectors have `BYTES` bytes of slack behind them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from llvmlite import ir

from interp.backends import machine_code
from interp.backends.machine_code import HALF, WORD, Function, Int, addresses_from_disk
from interp.speed import product_blocks, tape_functions, tape_jumps
from interp.speed.product_blocks import BYTES, splat
from interp.speed.tape_functions import BINARY, DOUBTFUL, QUANTIZE, TERNARY, UNARY
from interp.speed.tape_jumps import JUMPS, Words, write_jumps

F32 = ir.FloatType()
SIZE = 4
LANES = BYTES // SIZE
VECTOR = ir.VectorType(F32, LANES)
BITS = ir.VectorType(HALF, LANES)
ROWS = 4  # of sums that stay in registers at once
COLUMNS = 2 * LANES  # of a panel of right factors
ABREAST = 4  # vectors of a reduction's results at once, as many as hide the time of an addition


DOUBTS = 1 << 10  # doubtful results of one instruction that are listed
ON_FLOATS = "add", "multiply", "maximum", "minimum"
FOLDED = (*ON_FLOATS, *(f"{name}_words" for name in ON_FLOATS))


def _places(f: Function, sizes: Int, rank: Int, number: Int, arrays: int) -> list[Int]:
    """Return the offset of element `number` in each array; the steps of the arrays follow the sizes."""
    rest, places = f.variable(number.value), [f.variable(ir.Constant(WORD, 0)) for _ in range(arrays)]
    with f.loop(rank) as k:
        d = rank - 1 - k
        left = f.builder.trunc(f.builder.load(rest), HALF)
        size = f.builder.trunc(f.word(sizes, d).value, HALF)  # of 32 bits, which are divided twice as fast
        digit = Int(f.builder, f.builder.zext(f.builder.urem(left, size), WORD))
        f.builder.store(f.builder.zext(f.builder.udiv(left, size), WORD), rest)
        for j, place in enumerate(places):
            step = f.word(sizes, rank * (j + 1) + d)
            f.builder.store((Int(f.builder, f.builder.load(place)) + digit * step).value, place)
    return [Int(f.builder, f.builder.load(place)) for place in places]


def _lanes_below(f: Function, count: Int) -> Any:
    """Return which lanes of a vector are below a count."""
    few = splat(f.builder, f.builder.trunc(count.at_most(LANES).value, HALF), BITS)
    return f.builder.icmp_signed("<", ir.Constant(BITS, list(range(LANES))), few)


def _store_some(f: Function, x: Any, address: Int, there: Any) -> None:
    name = f"llvm.masked.store.v{LANES}f32.p0"
    f.intrinsic(name, ir.VoidType(), x, f.place(address, VECTOR), ir.Constant(HALF, SIZE), there)


def _load_some(f: Function, address: Int, there: Any) -> Any:
    name = f"llvm.masked.load.v{LANES}f32.p0"
    zero = ir.Constant(VECTOR, None)
    return f.intrinsic(name, VECTOR, f.place(address, VECTOR), ir.Constant(HALF, SIZE), there, zero)


def write_elementwise(
    module: Any, name: str, operands: int, write: Callable[..., Any], single: int = 0
) -> Function:
    """Write an elementwise function. Its words: addresses of the result and the operands; number of tables,
    their rank, rows of a table, elements of a row; steps from element to element, steps from row to row;
    then sizes and steps from table to table. single: the number of last operands that are single numbers.
    """
    f = Function(module, name, 1, inner=False)
    words, arrays = Words(f), operands + 1
    addresses = words.takes(arrays)
    tables, rank, rows, n = words.takes(4)
    steps, to_next = words.takes(arrays), words.takes(arrays)
    dense = steps[0].is_("==", SIZE)
    for step in steps[1:]:
        dense = f.builder.and_(dense, f.builder.or_(step.is_("==", SIZE), step.is_("==", 0)))

    @contextmanager
    def each_row() -> Iterator[tuple[Int, list[Int]]]:
        with f.loop(tables) as table:
            moved = _places(f, words.rest, rank, table, arrays)
            with f.loop(rows) as row:
                triples = zip(addresses, moved, to_next, strict=True)
                out, *ins = [address + by + row * step for address, by, step in triples]
                yield out, ins

    def write_vectors(repeated: list[bool]) -> None:
        with each_row() as (out, ins):
            pairs = list(zip(ins, repeated, strict=True))
            once = [splat(f.builder, f.load(x, F32, SIZE), VECTOR) if same else None for x, same in pairs]
            with f.loop(n // LANES) as k:
                xs = [y or f.load(x + k * BYTES, VECTOR, SIZE) for x, y in zip(ins, once, strict=True)]
                f.store(write(f.builder, *xs), out + k * BYTES, SIZE)
            done = n // LANES * BYTES
            with f.builder.if_then((n % LANES).is_("!=", 0)):
                there = _lanes_below(f, n % LANES)
                xs = [y or _load_some(f, x + done, there) for x, y in zip(ins, once, strict=True)]
                _store_some(f, write(f.builder, *xs), out + done, there)

    def choose(repeated: list[bool]) -> None:
        if len(repeated) == operands - single:
            write_vectors([*repeated, *[True] * single])
            return
        with f.builder.if_else(steps[len(repeated) + 1].is_("==", 0)) as (same, other):
            with same:
                choose([*repeated, True])
            with other:
                choose([*repeated, False])

    with f.builder.if_else(dense) as (vectors, numbers):
        with vectors:
            choose([])
        with numbers, each_row() as (out, ins), f.loop(n) as k:
            lane = ir.VectorType(F32, 1)
            xs = [f.load(x + k * step, lane, SIZE) for x, step in zip(ins, steps[1:], strict=True)]
            f.store(write(f.builder, *xs), out + k * steps[0], SIZE)
    f.builder.ret(ir.Constant(WORD, 0))
    return f


def write_doubtful(module: Any, name: str, write: Callable[..., Any]) -> Function:
    """Write a function of adjacent elements, of which `write` also tells which results are doubtful. Its
    words: addresses of a list of the doubtful, of the result and the operand, and the number of elements.

    The list begins with its length, which the function returns; addresses of results and operands follow.
    """
    f = Function(module, name, 1, inner=False)
    doubts, out, x, n = Words(f).takes(4)
    with f.loop((n + (LANES - 1)) // LANES) as k:
        there, moved = _lanes_below(f, n - k * LANES), k * BYTES
        y, doubtful = write(f.builder, _load_some(f, x + moved, there))
        _note(f, doubts, doubtful, out + moved, x + moved)
        _store_some(f, y, out + moved, there)
    f.builder.ret(f.word(doubts).value)
    return f


def _note(f: Function, doubts: Int, doubtful: Any, out: Int, x: Int) -> None:
    """Append the addresses of doubtful results and of their operands to a list, as far as it has room."""
    bits = f.builder.zext(f.builder.bitcast(doubtful, ir.IntType(LANES)), WORD)
    some = f.builder.icmp_unsigned("!=", bits, ir.Constant(WORD, 0))
    with f.builder.if_then(some, likely=False), f.loop(f.number(LANES)) as lane:
        bit = Int(f.builder, f.builder.lshr(bits, lane.value)) & 1
        with f.builder.if_then(bit.is_("!=", 0)):
            count = f.word(doubts)
            with f.builder.if_then(count.is_("<", DOUBTS)):
                f.replace_word(doubts + count * 16, 1, out + lane * SIZE)
                f.replace_word(doubts + count * 16, 2, x + lane * SIZE)
            f.replace_word(doubts, 0, count + 1)


def write_take(module: Any) -> Function:
    """Write `take`: words are the addresses of the result, the operand and offsets, and their number."""
    f = Function(module, "take", 1, inner=False)
    out, x, offsets, n = Words(f).takes(4)
    with f.loop(n) as k:
        f.store(f.load(x + f.word(offsets, k), F32, SIZE), out + k * SIZE, SIZE)
    f.builder.ret(ir.Constant(WORD, 0))
    return f


def write_fold(module: Any, name: str) -> Function:
    """Write a left fold. Its words: addresses of the results, the operand and the init; rows of results,
    rank, results of a row, the operand's step among them; rows of leaves, rank, leaves of a row, their step;
    then sizes and steps from row to row of the results, and of the leaves. Results of a row are adjacent.
    """
    write = BINARY[name]
    f = Function(module, f"fold_{name}", 1, inner=False)
    words = Words(f)
    out, x, init, rows, rank, n, step, leaf_rows, leaf_rank, leaves, leaf_step = words.takes(11)
    sizes = words.rest
    leaf_sizes = sizes + rank * 24
    first = splat(f.builder, f.load(init, F32, SIZE), VECTOR)

    def fold_some(vectors: int, load: Callable[[Int, int], Any]) -> list[Any]:
        totals = [f.variable(first) for _ in range(vectors)]
        with f.loop(leaf_rows) as row:
            (moved,) = _places(f, leaf_sizes, leaf_rank, row, 1)
            with f.loop(leaves) as k:
                by = moved + k * leaf_step
                for v, total in enumerate(totals):
                    f.builder.store(write(f.builder, f.builder.load(total), load(by, v)), total)
        return [f.builder.load(total) for total in totals]

    with f.loop(rows) as row:
        to, at = (a + by for a, by in zip((out, x), _places(f, sizes, rank, row, 2), strict=True))
        dense = step.is_("==", SIZE)
        with f.builder.if_else(dense) as (adjacent, apart):
            with adjacent:
                wide = ABREAST * LANES
                with f.loop(n // wide) as k:
                    here = at + k * (wide * SIZE)
                    totals = fold_some(ABREAST, lambda by, v: f.load(here + by + v * BYTES, VECTOR, SIZE))
                    for v, total in enumerate(totals):
                        f.store(total, to + k * (wide * SIZE) + v * BYTES, SIZE)
                done = n // wide * wide
                with f.loop((n - done + (LANES - 1)) // LANES) as k:
                    there = _lanes_below(f, n - done - k * LANES)
                    place = (done + k * LANES) * SIZE
                    (total,) = fold_some(1, lambda by, v: _load_some(f, at + place + by, there))
                    _store_some(f, total, to + place, there)
            with apart, f.loop((n + (LANES - 1)) // LANES) as k:
                start = k * LANES
                last = n - 1 - start
                lanes = [at + (start + f.number(lane).at_most(last)) * step for lane in range(LANES)]
                (total,) = fold_some(1, lambda by, v: _gather(f, lanes, by))
                _store_some(f, total, to + start * SIZE, _lanes_below(f, n - start))
    f.builder.ret(ir.Constant(WORD, 0))
    return f


def _gather(f: Function, lanes: list[Int], by: Int) -> Any:
    """Return a vector of numbers that lie apart."""
    x = ir.Constant(VECTOR, ir.Undefined)
    for lane, address in enumerate(lanes):
        x = f.builder.insert_element(x, f.load(address + by, F32, SIZE), ir.Constant(HALF, lane))
    return x


class Factors(NamedTuple):
    """Places of the factors of a block of sums: see `write_products`."""

    offsets: Int
    positions: Int
    run: Int
    run_step: Int


def _block(
    f: Function, factors: Factors, lefts: list[Int], panels: list[Int], width: int, own: bool
) -> dict[tuple[int, int], Any]:
    """Return sums by (row, vector): each product is rounded, then added, from 0 on.

    panels: where the right factors of each vector are, `width` bytes from one product to the next.
    """
    builder, vectors = f.builder, range(len(panels))
    totals = {(i, v): f.variable(ir.Constant(VECTOR, None)) for i in range(len(lefts)) for v in vectors}
    with f.loop(factors.positions) as p:
        moved = f.word(factors.offsets, p)
        first = p * factors.run
        with f.loop(factors.run) as c:
            at = (first + c) * width
            right = [f.load(panel + at, VECTOR, SIZE) for panel in panels]
            for v in vectors:
                here = f.opaque(moved + c * factors.run_step)  # so each product loads its factor itself
                for i, left in enumerate(lefts):
                    if own:
                        x = f.load(left + here + v * BYTES, VECTOR, SIZE)
                    else:
                        x = splat(builder, f.load(left + here, F32, SIZE), VECTOR)
                    total = builder.fadd(builder.load(totals[i, v]), builder.fmul(x, right[v]))
                    builder.store(total, totals[i, v])
    return {key: builder.load(total) for key, total in totals.items()}


def write_products(module: Any, own: bool) -> Function:
    """Write sums of products. Its words: addresses of the left factors, of panels of right factors, of the
    sums, of the place of each sum's first left factor, and of the offset of each position of a window; the
    number of sums, of columns, of positions, of factors at a position and their step; groups, the step of
    their left factors and of their sums, and the step of the sums of a column.

    A panel has `COLUMNS` right factors for each product. own: the left factor of each column is its own, and
    there is one group; the right factors are [product, column].
    """
    f = Function(module, "own_products" if own else "products", 1, inner=False)
    words = Words(f)
    left, right, out, places, offsets = words.takes(5)
    sums, columns, positions, run, run_step = words.takes(5)
    groups, of_group, out_group, out_sum = words.takes(4)
    factors = Factors(offsets, positions, run, run_step)
    n, blocks = positions * run, (columns + (COLUMNS - 1)) // COLUMNS
    width = COLUMNS * SIZE

    def rows(count: int, vectors: int, row: Int, group: Int, block: Int) -> None:
        column = block * COLUMNS
        lefts = [left + group * of_group + f.word(places, row + i) for i in range(count)]
        if own:
            lefts = [place + column * SIZE for place in lefts]
            panels, step = [right + column * SIZE + v * BYTES for v in range(vectors)], blocks * width
        else:
            panel = right + (group * blocks + block) * n * width
            panels = [panel + n * (v // 2 * width) + v % 2 * BYTES for v in range(vectors)]
            step = width  # type: ignore[assignment]
        for (i, v), total in _block(f, factors, lefts, panels, step, own).items():  # type: ignore[arg-type]
            to = out + group * out_group + (row + i) * out_sum + (column + v * LANES) * SIZE
            _store_some(f, total, to, _lanes_below(f, columns - column - v * LANES))

    def block_of_rows(vectors: int, group: Int, block: Int) -> None:
        with f.loop(sums // ROWS) as k:
            rows(ROWS, vectors, k * ROWS, group, block)
        with f.loop(sums % ROWS) as k:
            rows(1, vectors, sums // ROWS * ROWS + k, group, block)

    with f.loop(groups) as group:
        # Few sums have too few vectors for the time of an addition: then several blocks go together.
        many = ir.Constant(ir.IntType(1), 0) if own else sums.is_("<", ROWS)
        whole = Int(f.builder, f.builder.select(many, (columns // (4 * COLUMNS)).value, ir.Constant(WORD, 0)))
        if not own:
            with f.loop(whole) as block, f.loop(sums) as row:
                rows(1, 8, row, group, block * 4)
        with f.loop(blocks - whole * 4) as k:
            block = whole * 4 + k
            narrow = (columns - block * COLUMNS).is_("<=", LANES)
            with f.builder.if_else(narrow) as (few, all_):
                with few:
                    block_of_rows(1, group, block)
                with all_:
                    block_of_rows(2, group, block)
    f.builder.ret(ir.Constant(WORD, 0))
    return f


def names() -> Sequence[str]:
    """Return the names of all functions of the library."""
    folds = [f"fold_{name}" for name in FOLDED]
    tables = UNARY, BINARY, TERNARY, QUANTIZE, DOUBTFUL
    return [
        *JUMPS,
        "take",
        "products",
        "own_products",
        *folds,
        *(name for table in tables for name in table),
    ]


def write_library() -> Any:
    """Return the module of all instructions."""
    module = ir.Module()
    for operands, single, table in ((1, 0, UNARY), (2, 0, BINARY), (3, 0, TERNARY), (6, 3, QUANTIZE)):
        for name, write in table.items():
            write_elementwise(module, name, operands, write, single)
    for name, write in DOUBTFUL.items():
        write_doubtful(module, name, write)
    for name in FOLDED:
        write_fold(module, name)
    for own in (False, True):
        write_products(module, own)
    write_take(module)
    write_jumps(module)
    return module


@cache
def library() -> dict[str, int]:
    """Return the addresses of the functions."""
    parts = tape_functions, tape_jumps, product_blocks, machine_code
    files = __file__, *(str(part.__file__) for part in parts)
    text = "\0".join(Path(file).read_text(encoding="utf-8") for file in files)
    return dict(zip(names(), addresses_from_disk(text, write_library, names()), strict=True))

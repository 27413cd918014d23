"""Machine code of sums of products of windows and matrices: called by Python, or by XLA as a handler."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from llvmlite import ir

from interp.backends.machine_code import HALF, WORD, Function, Int, addresses_from_disk, has_threads
from interp.speed import product_blocks, product_few, product_panels, product_trees, product_units
from interp.speed.product_blocks import (
    BYTES,
    COLUMN_STEP,
    COLUMNS,
    GROUP,
    GROUPS,
    HANDLES,
    HEAD,
    HOLE,
    LEFT,
    META,
    OUT,
    OUT_GROUP,
    OUT_SUM,
    PANELS,
    PLACES,
    POSITIONS,
    RANK,
    RIGHT,
    RUN,
    SCALES,
    SIZE,
    STEP,
    SUMS,
    THREADS,
    ZERO_POINT,
    Kind,
    Meta,
    align,
    splat,
)
from interp.speed.product_units import write_places, write_work

# XLA's foreign function interface, as instructions that read a call's buffers from its frame.
#
# XLA passes the address of a frame, whose words are sizes and addresses (`xla/ffi/api/c_api.h` in jaxlib).
# XLA asks a handler for its version before it is ever called; ours answers with XLA's own, and works only
# if every part of the frame has the size that this file knows. So a jaxlib with another layout gets no
# result from it, which `jax_native` finds out before it uses a handler.

EXECUTE = 3  # the stage in which a call has its buffers
SIZES = (168, 176)  # of a frame, in bytes
OPERANDS, RESULTS, BUFFER = 40, 40, 48
FRAME, EXTENSION, API, STAGE, ARGUMENTS, RETURNED = 0, 1, 2, 4, 5, 10


def write_handler(module: Any, run: Function, arguments: int, results: int) -> Function:
    """Write `handler(frame)`: call `run` with the addresses of the elements of all buffers."""
    f = Function(module, "handler", 1, inner=False)
    (frame,) = f.arguments
    zero, extension = ir.Constant(WORD, 0), f.word(frame, EXTENSION)
    with f.builder.if_then(extension.is_("!=", 0)):
        # Its metadata begin with a size, the size of the version, an extension, and the version.
        f.replace_word(f.word(extension, 3), 3, f.word(f.word(frame, API), 4))
        f.builder.ret(zero)
    known = f.word(frame, FRAME).is_("==", SIZES[0])
    for right in (
        f.builder.or_(known, f.word(frame, FRAME).is_("==", SIZES[1])),
        f.word(frame, ARGUMENTS).is_("==", OPERANDS),
        f.word(frame, RETURNED).is_("==", RESULTS),
        (f.word(frame, STAGE) & 0xFFFFFFFF).is_("==", EXECUTE),
    ):
        with f.builder.if_then(f.builder.not_(right)):
            f.builder.ret(zero)
    lists = (f.word(frame, 9), arguments), (f.word(frame, 14), results)
    buffers = [f.word(list, k) for list, number in lists for k in range(number)]
    for buffer in buffers:
        with f.builder.if_then(f.word(buffer).is_("!=", BUFFER)):
            f.builder.ret(zero)
    f.call(run, *(_elements(f, buffer) for buffer in buffers))
    f.builder.ret(zero)
    return f


def _elements(f: Function, buffer: Int) -> Int:
    return f.word(buffer, 3)


def write_masked(module: Any, kind: Kind) -> Function:
    """Write `masked(state)`: sums without the products at holes, which an infinite weight would make NaN."""
    f = Function(module, "masked", 1)
    (state,) = f.arguments
    meta = Meta(f, f.word(state, META))
    columns, bits = meta[COLUMNS], ir.IntType(8 * kind.size)
    single = ir.VectorType(kind.scalar, 1)
    as_vector = lambda x: f.builder.bitcast(x, single)
    with f.loop(meta[GROUPS]) as group, f.loop(meta[SUMS]) as row, f.loop(columns) as column:
        total = f.variable(ir.Constant(single, None))
        left = f.word(state, LEFT) + group * meta[GROUP] * kind.size + f.word(f.word(state, PLACES), row)
        left = left + column * kind.size if kind.own else left
        with f.loop(meta[POSITIONS]) as p, f.loop(meta[RUN]) as c:
            place = left + f.word(meta.offsets(), p) + c * kind.size
            weight = group * meta.n * columns + (p * meta[RUN] + c) * meta[STEP] + column * meta[COLUMN_STEP]
            w = as_vector(f.load(f.word(state, RIGHT) + weight * kind.size, kind.scalar, kind.size))
            number = f.load(place, bits, kind.size)
            old = f.builder.load(total)
            new = kind.add(f, old, as_vector(number), w)
            hole = f.builder.icmp_signed("==", number, ir.Constant(bits, -1))
            f.builder.store(f.builder.select(hole, old, new), total)
        at = group * meta[OUT_GROUP] + row * meta[OUT_SUM] + column
        f.store(f.builder.load(total), f.word(state, OUT) + at * kind.size, kind.size)
    f.builder.ret(ir.Constant(WORD, 0))
    return f


def write_filled(module: Any, kind: Kind) -> Function:
    """Write `filled(state, to)`: copy left factors, zeros for holes; return 0 if weights are not finite."""
    f = Function(module, "filled", 2)
    state, to = f.arguments
    meta, size = Meta(f, f.word(state, META)), 8 * kind.size
    bits = ir.VectorType(ir.IntType(size), kind.lanes)
    same = lambda number: ir.Constant(bits, [number] * kind.lanes)
    largest = f.variable(same(0))
    with vectors(f, kind, meta[GROUPS] * meta.n * meta[COLUMNS]) as (at, there):
        weights = f.builder.bitcast(kind.load(f, f.word(state, RIGHT) + at, there), bits)
        sizes, known = f.builder.and_(weights, same(2 ** (size - 1) - 1)), f.builder.load(largest)
        larger = f.builder.icmp_unsigned(">", sizes, known)
        f.builder.store(f.builder.select(larger, sizes, known), largest)
    with vectors(f, kind, meta[SIZE]) as (at, there):
        x = f.builder.bitcast(kind.load(f, f.word(state, LEFT) + at, there), bits)
        x = f.builder.select(f.builder.icmp_signed("==", x, same(-1)), same(0), x)
        kind.store(f, f.builder.bitcast(x, kind.vector), to + at, there)
    reduced = f"llvm.vector.reduce.umax.v{kind.lanes}i{size}"
    most = f.intrinsic(reduced, bits.element, f.builder.load(largest))
    infinity = ir.Constant(bits.element, 0x7FF << 52 if kind.size == 8 else 0xFF << 23)
    f.builder.ret(f.builder.zext(f.builder.icmp_unsigned("<", most, infinity), WORD))
    return f


def write_dequantized(module: Any, kind: Kind) -> Function:
    """Write `dequantized(state, to)`: compute the left factors from what is stored of them."""
    f = Function(module, "dequantized", 2)
    state, to = f.arguments
    meta = Meta(f, f.word(state, META))
    place = f.word(state, SCALES) + meta[GROUPS] * meta[COLUMNS] * kind.size  # after those of the columns
    scales = splat(f.builder, f.load(place, kind.scalar, kind.size), kind.vector)
    moved = kind.subtraction(f, meta[ZERO_POINT])
    with f.exact_floats(), vectors(f, kind, meta[SIZE]) as (at, there):
        address = f.word(state, LEFT) + at // kind.size
        kind.store(f, kind.dequantize(f, address, scales, there, moved), to + at, there)
    f.builder.ret(ir.Constant(WORD, 0))
    return f


@contextmanager
def vectors(f: Function, kind: Kind, count: Int) -> Iterator[tuple[Int, Any]]:
    """Repeat what is written for each vector of so many numbers: where it is, and which lanes are there."""
    with f.loop((count + (kind.lanes - 1)) // kind.lanes) as k:
        yield k * BYTES, kind.there(f, count - k * kind.lanes)[0]


def write_run(module: Any, kind: Kind) -> Function:
    """Write `run(meta, left, right, scales, out, memory)`: compute all sums, in the threads it is told to.

    Stored right factors are finite, so that a hole may be zero from the start, as those of a tree must be.
    """
    places, work = (write(module, kind) for write in (write_places, write_work))
    no_holes = kind.stored or kind.tree
    masked, filled = (no_holes or write(module, kind) for write in (write_masked, write_filled))
    dequantized = write_dequantized(module, kind) if kind.both else None
    f = Function(module, "run", 6, inner=False)
    *given, memory = f.arguments
    meta, state = Meta(f, given[0]), align(memory)
    for k, word in enumerate((f.number(0), f.number(0), *given)):
        f.replace_word(state, k, word)
    f.replace_word(state, PLACES, align(state + (meta[THREADS] + HANDLES) * 8))
    f.replace_word(state, PANELS, align(f.word(state, PLACES) + meta[SUMS] * 8))
    f.call(places, state)
    to = f.word(state, PANELS) + meta[THREADS] * meta.panel(kind)
    if dequantized:
        f.call(dequantized, state, to)
        f.replace_word(state, LEFT, to)
    elif not no_holes:
        _write_holes(f, kind, state, to, (masked, filled))
    if has_threads():
        with f.loop(meta[THREADS] - 1) as thread:
            _start(f, work, state, thread)
    f.call(work, state)
    if has_threads():
        with f.loop(meta[THREADS] - 1) as thread:
            handle = f.word(state, thread + HANDLES)
            with f.builder.if_then(handle.is_("!=", 0)):
                f.intrinsic("pthread_join", HALF, handle.value, ir.Constant(WORD, 0))
    f.builder.ret(ir.Constant(WORD, 0))
    return f


def _write_holes(f: Function, kind: Kind, state: Int, to: Int, functions: tuple[Any, Any]) -> None:
    """Write what makes zeros of holes; where weights are not finite, it computes the sums without them."""
    meta, (masked, filled) = Meta(f, f.word(state, META)), functions
    with f.builder.if_then(meta[HOLE].is_("!=", 0)):
        with f.builder.if_then(f.call(filled, state, to).is_("==", 0)):
            with f.exact_floats():
                f.call(masked, state)
            f.builder.ret(ir.Constant(WORD, 0))
        f.replace_word(state, LEFT, to)


def _start(f: Function, work: Function, state: Int, k: Int) -> None:
    """Start a thread and keep its handle, or 0 where none could be started: others then do its work."""
    at = state + (k + HANDLES) * 8
    code = f.builder.ptrtoint(work.function, WORD)
    failed = f.intrinsic("pthread_create", HALF, at.value, ir.Constant(WORD, 0), code, state.value)
    none = f.builder.icmp_signed("!=", failed, ir.Constant(HALF, 0))
    with f.builder.if_then(none):
        f.replace_word(at, 0, 0)


def bytes_needed(meta: Any, kind: Kind) -> int:
    """Return how many bytes of memory `run` works in."""
    factors = 0 if kind.ones else int(meta[POSITIONS] * meta[RUN])
    panel = factors * kind.width * kind.size + BYTES
    words = HANDLES + int(meta[THREADS]) + int(meta[SUMS])
    if kind.tree:
        panel += int(meta[HEAD + 2 * meta[RANK] + 2 * meta[POSITIONS]]) * kind.tile
    lefts = int(meta[SIZE]) * kind.size if meta[HOLE] or kind.both else 0
    return 4 * BYTES + 8 * words + int(meta[THREADS]) * panel + lefts


class Code(NamedTuple):
    """Addresses of compiled functions: for Python, and for XLA."""

    run: int
    handler: int


@cache
def code_of(kind: Kind) -> Code:
    """Return the compiled code for a kind of sums."""
    parts = product_blocks, product_few, product_panels, product_trees, product_units
    files = __file__, *(str(part.__file__) for part in parts)
    text = "\0".join((*(Path(file).read_text(encoding="utf-8") for file in files), repr(kind)))
    return Code(*addresses_from_disk(text, lambda: write_module(kind), Code._fields))


def write_module(kind: Kind) -> Any:
    """Return the module of instructions for a kind of sums."""
    module = ir.Module()
    write_handler(module, write_run(module, kind), 4, 2)
    return module

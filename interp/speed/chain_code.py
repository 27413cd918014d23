"""Machine code of chains of elementwise operations on f32: numbers are read once, results stored once.

Each operation is that of a tape, with the bits of its kernel. Sizes are data: a chain is compiled once for
all shapes, in some hundredths of a second, and kept on disk.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir

from interp.backends.machine_code import BYTE, HALF, WORD, Function, Int, addresses_from_disk
from interp.speed import product_blocks, product_code, tape_functions
from interp.speed.product_blocks import BYTES, splat
from interp.speed.product_code import write_handler
from interp.speed.tape_functions import BINARY, DOUBTFUL, UNARY, Doubles

F32 = ir.FloatType()
SIZE = 4
LANES = BYTES // SIZE
BITS = ir.VectorType(HALF, LANES)
COMPARED = {"EQ": "==", "NE": "!=", "LT": "<", "LE": "<=", "GT": ">", "GE": ">="}
# Words of a description; then come sizes of the outer dimensions, and each array's steps along them in bytes.
ROWS, COUNT, RANK, HEAD = range(4)


class Leaf(NamedTuple):
    """An array of a chain: whether of booleans, and whether its elements along a row are all the same one."""

    is_boolean: bool
    is_repeated: bool


class Step(NamedTuple):
    """An operation of a chain, on values by number: those of the leaves come first, those of steps follow."""

    name: str
    operands: tuple[int, ...]


class Chain(NamedTuple):
    """The form of a chain, whose last step is its result."""

    leaves: tuple[Leaf, ...]
    steps: tuple[Step, ...]


def _compare(compared: str) -> Callable[..., Any]:
    def write(builder: Any, x: Any, y: Any) -> Any:
        compare = builder.fcmp_unordered if compared == "!=" else builder.fcmp_ordered
        return compare(compared, x, y)

    return write


def _clamp(builder: Any, low: Any, x: Any, high: Any) -> Any:
    return BINARY["minimum"](builder, BINARY["maximum"](builder, low, x), high)


def _certain(name: str) -> Callable[..., Any]:
    """Return a function without its doubts.

    THEOREM by enumeration: of all 2^32 operands of f32, none has a result in f64 on the other side of a tie
    than the exact one; so it is rounded correctly wherever it is doubtful, too.
    """
    return lambda builder, x: DOUBTFUL[name](builder, x)[0]


NEAR_HALF = 2.0**-15  # operands of `logistic` from zero on, whose results f64 may take for ties
MISSED = float.fromhex("-0x1.250c02p-10"), float.fromhex("0x1.ffb6bep-2")  # one operand beyond


def _certain_logistic(builder: Any, x: Any) -> Any:
    """Return the logistic function, rounded correctly.

    THEOREM by enumeration, as above. Next to zero the result is 1/2 + x/4 - x^3/48 + ..., of which f64 has
    the first two terms; what is left is less than a half of its last place and has the sign of -x.
    """
    d, kind = Doubles(builder, x), x.type
    wide = builder.fpext(x, d.kind)
    sign = builder.and_(builder.bitcast(wide, d.bits), d.integer(-(2**63)))
    less = builder.bitcast(builder.or_(sign, d.integer((1023 - 53) << 52)), d.kind)  # 2^-53, as x is signed
    near = builder.fsub(builder.fadd(d.number(0.5), builder.fmul(wide, d.number(0.25))), less)
    number = lambda value: ir.Constant(kind, [value] * kind.count)
    size = UNARY["abs"](builder, x)
    y = builder.select(
        builder.fcmp_ordered("<=", size, number(NEAR_HALF)),
        builder.fptrunc(near, kind),
        DOUBTFUL["logistic"](builder, x)[0],
    )
    return builder.select(builder.fcmp_ordered("==", x, number(MISSED[0])), number(MISSED[1]), y)


CERTAIN = "exponential", "rsqrt", "tanh"
WRITERS: dict[str, Callable[..., Any]] = {
    **{name: BINARY[name] for name in ("add", "subtract", "multiply", "divide", "maximum", "minimum")},
    **{name: UNARY[name] for name in ("abs", "ceil", "floor", "negate", "round_nearest_even", "sqrt")},
    **{name: _certain(name) for name in CERTAIN},
    "logistic": _certain_logistic,
    **{f"compare_{name}": _compare(compared) for name, compared in COMPARED.items()},
    "select": lambda builder, chosen, x, y: builder.select(chosen, x, y),
    "clamp": _clamp,
}


def write_run(module: Any, chain: Chain) -> Function:
    """Write `run(description, leaves..., out)`: the result of a chain, row by row."""
    arrays = len(chain.leaves)
    f = Function(module, "run", arrays + 2, inner=False)
    meta, *leaves, out = f.arguments
    count, rank, sizes = f.word(meta, COUNT), f.word(meta, RANK), meta + HEAD * 8
    with f.exact_floats(), f.loop(f.word(meta, ROWS)) as row:
        moved = _places(f, sizes, rank, row, arrays)
        rows = [leaf + by for leaf, by in zip(leaves, moved, strict=True)]
        to, pairs = out + row * count * SIZE, list(zip(chain.leaves, rows, strict=True))
        once = [_repeat(f, leaf, place) if leaf.is_repeated else None for leaf, place in pairs]

        def compute(at: Int, there: Any = None) -> Any:
            values = [
                x or _load(f, leaf, place, at, there) for x, (leaf, place) in zip(once, pairs, strict=True)
            ]
            for step in chain.steps:
                values.append(WRITERS[step.name](f.builder, *(values[k] for k in step.operands)))
            return values[-1]

        with f.loop(count // LANES) as k:
            f.store(compute(k * LANES), to + k * BYTES, SIZE)
        done, rest = count // LANES * LANES, count % LANES
        with f.builder.if_then(rest.is_("!=", 0)):
            there = _lanes_below(f, rest)
            y = compute(done, there)
            name, place = f"llvm.masked.store.v{LANES}f32.p0", f.place(to + done * SIZE, y.type)
            f.intrinsic(name, ir.VoidType(), y, place, ir.Constant(HALF, SIZE), there)
    f.builder.ret(ir.Constant(WORD, 0))
    return f


def _places(f: Function, sizes: Int, rank: Int, number: Int, arrays: int) -> list[Int]:
    """Return where row `number` begins in each array; the steps of the arrays follow the sizes."""
    rest, places = f.variable(number.value), [f.variable(ir.Constant(WORD, 0)) for _ in range(arrays)]
    with f.loop(rank) as k:
        d = rank - 1 - k
        size, left = f.word(sizes, d), Int(f.builder, f.builder.load(rest))
        digit = left % size
        f.builder.store((left // size).value, rest)
        for j, place in enumerate(places):
            step = f.word(sizes, rank * (j + 1) + d)
            f.builder.store((Int(f.builder, f.builder.load(place)) + digit * step).value, place)
    return [Int(f.builder, f.builder.load(place)) for place in places]


def _repeat(f: Function, leaf: Leaf, place: Int) -> Any:
    if leaf.is_boolean:
        return _truth(f, splat(f.builder, f.load(place, BYTE), ir.VectorType(BYTE, LANES)))
    return splat(f.builder, f.load(place, F32, SIZE), ir.VectorType(F32, LANES))


def _load(f: Function, leaf: Leaf, place: Int, at: Int, there: Any) -> Any:
    """Return the vector of a leaf from an element of its row on, or the lanes that are there."""
    element, size = (BYTE, 1) if leaf.is_boolean else (F32, SIZE)
    kind, here = ir.VectorType(element, LANES), place + at * size
    if there is None:
        x = f.load(here, kind, size)
    else:
        name = f"llvm.masked.load.v{LANES}{'i8' if leaf.is_boolean else 'f32'}.p0"
        zero = ir.Constant(kind, None)
        x = f.intrinsic(name, kind, f.place(here, kind), ir.Constant(HALF, size), there, zero)
    return _truth(f, x) if leaf.is_boolean else x


def _truth(f: Function, x: Any) -> Any:
    return f.builder.icmp_unsigned("!=", x, ir.Constant(x.type, None))


def _lanes_below(f: Function, count: Int) -> Any:
    """Return which lanes of a vector are below a count."""
    few = splat(f.builder, f.builder.trunc(count.value, HALF), BITS)
    return f.builder.icmp_signed("<", ir.Constant(BITS, list(range(LANES))), few)


def describe(
    shape: tuple[int, ...], leaves: list[tuple[tuple[int, ...], int]]
) -> tuple[np.ndarray, list[bool]]:
    """Return what the code reads, and for each leaf whether it is repeated along a row.

    shape: that of the result. leaves: the shape of each, 1 where it is repeated, and the bytes of an element.
    Neighbouring dimensions along which the same leaves are repeated are joined.
    """
    groups: list[tuple[int, tuple[bool, ...]]] = []
    for d, size in enumerate(shape):
        varies = tuple(leaf[d] != 1 for leaf, _ in leaves)
        if size == 1:
            continue
        if groups and groups[-1][1] == varies:
            groups[-1] = groups[-1][0] * size, varies
        else:
            groups.append((size, varies))
    outer, (count, along) = groups[:-1], groups[-1] if groups else (1, (True,) * len(leaves))
    words = [int(np.prod([size for size, _ in outer])), count, len(outer), *(size for size, _ in outer)]
    for k, (_, size) in enumerate(leaves):
        step, steps = size * (count if along[k] else 1), list[int]()
        for length, varies in reversed(outer):
            steps.append(step if varies[k] else 0)
            step *= length if varies[k] else 1
        words += reversed(steps)
    return np.array(words, np.int64), [not varies for varies in along]


@cache
def handler(chain: Chain) -> int:
    """Return the address of the compiled handler of a chain."""
    parts = tape_functions, product_blocks, product_code
    files = __file__, *(str(part.__file__) for part in parts)
    text = "\0".join((*(Path(file).read_text(encoding="utf-8") for file in files), repr(chain)))

    def write() -> Any:
        module = ir.Module()
        write_handler(module, write_run(module, chain), len(chain.leaves) + 1, 1)
        return module

    return addresses_from_disk(text, write, ("handler",))[0]

"""Machine code that combines integers along rows or columns in one pass over the operand.

THEOREM: `add`, `and`, `or`, `xor`, `maximum` and `minimum` of integers of w bits are associative and
commutative, `add` modulo 2^w; so neither the order nor the grouping changes a bit. Premise: a number that is
widened from its own bits to w keeps its value, modulo 2^w for `add`. Sums of STEP numbers of 8 bits fit in
16 bits, and are widened only then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, reduce
from pathlib import Path
from typing import Any, NamedTuple

from llvmlite import ir

from interp.backends.machine_code import WORD, Function, Int, addresses_from_disk

STEP = 8  # vectors that are combined before they are widened: of one row, or of as many rows
LANES = 64, 16, 1  # of vectors; those of fewer lanes take what is left of a row


def _choose(compared: str) -> Callable[..., Any]:
    def write(builder: Any, is_signed: bool, x: Any, y: Any) -> Any:
        compare = builder.icmp_signed if is_signed else builder.icmp_unsigned
        return builder.select(compare(compared, x, y), x, y)

    return write


class Way(NamedTuple):
    """Combination of two integers, in LLVM's instructions, and across a vector."""

    write: Callable[..., Any]
    across: str
    neutral: Callable[[int, int], int]  # of the least and the greatest integer


WAYS = {
    "add": Way(lambda builder, _, x, y: builder.add(x, y), "add", lambda least, most: 0),
    "bitwise_and": Way(lambda builder, _, x, y: builder.and_(x, y), "and", lambda least, most: -1),
    "bitwise_or": Way(lambda builder, _, x, y: builder.or_(x, y), "or", lambda least, most: 0),
    "bitwise_xor": Way(lambda builder, _, x, y: builder.xor(x, y), "xor", lambda least, most: 0),
    "maximum": Way(_choose(">"), "max", lambda least, most: least),
    "minimum": Way(_choose("<"), "min", lambda least, most: most),
}


class Kind(NamedTuple):
    """Kind of a reduction: integers of `bits` bits, with a sign or without, into `wide` ones."""

    combine: str
    is_signed: bool
    bits: int
    wide: int

    @property
    def way(self) -> Way:
        return WAYS[self.combine]

    @property
    def narrow(self) -> int:
        """The bits in which up to STEP numbers are combined."""
        if self.combine != "add":
            return self.bits
        return min(16, self.wide) if self.bits == 8 else self.wide

    def neutral(self, lanes: int) -> Any:
        half = 1 << (self.bits - 1)
        ends = (-half, half - 1) if self.is_signed else (0, 2 * half - 1)
        return ir.Constant(ir.VectorType(ir.IntType(self.wide), lanes), [self.way.neutral(*ends)] * lanes)

    def join(self, f: Function, x: Any, y: Any) -> Any:
        return self.way.write(f.builder, self.is_signed, x, y)

    def widen(self, f: Function, x: Any, bits: int) -> Any:
        kind = ir.VectorType(ir.IntType(bits), x.type.count)
        if x.type == kind:
            return x
        return f.builder.sext(x, kind) if self.is_signed else f.builder.zext(x, kind)

    def join_vectors(self, f: Function, lanes: int, places: Sequence[Int]) -> Any:
        """Return the vectors at up to STEP places, combined and widened."""
        kind = ir.VectorType(ir.IntType(self.bits), lanes)
        vectors = [self.widen(f, f.load(place, kind), self.narrow) for place in places]
        return self.widen(f, reduce(lambda x, y: self.join(f, x, y), vectors), self.wide)

    def join_lanes(self, f: Function, x: Any) -> Any:
        """Return all lanes of a vector, combined in one."""
        sign = ("s" if self.is_signed else "u") if self.way.across in ("max", "min") else ""
        name = f"llvm.vector.reduce.{sign}{self.way.across}.v{x.type.count}i{self.wide}"
        one = ir.Constant(ir.VectorType(x.type.element, 1), None)
        return f.builder.insert_element(one, f.intrinsic(name, x.type.element, x), ir.Constant(WORD, 0))


def write_rows(module: Any, kind: Kind) -> Function:
    """Write `rows(x, out, rows, n)`: combine the n numbers of each row."""
    f = Function(module, "rows", 4, inner=False)
    x, out, rows, n = f.arguments
    size = kind.bits // 8
    with f.loop(rows) as row:
        total = f.variable(kind.neutral(1))
        rest, place = n, x + row * n * size
        for lanes in LANES:
            with f.builder.if_then((rest // lanes).is_(">", 0)):
                vector, at = f.variable(kind.neutral(lanes)), place
                for few in (STEP, 1):
                    bytes = few * lanes * size
                    count = (rest if few == STEP else rest % (STEP * lanes)) // (few * lanes)
                    with f.loop(count) as k:
                        places = [at + k * bytes + v * lanes * size for v in range(few)]
                        more = kind.join_vectors(f, lanes, places)
                        f.builder.store(kind.join(f, f.builder.load(vector), more), vector)
                    at = at + count * bytes
                whole = kind.join_lanes(f, f.builder.load(vector))
                f.builder.store(kind.join(f, f.builder.load(total), whole), total)
            place, rest = place + rest // lanes * (lanes * size), rest % lanes
        f.store(f.builder.load(total), out + row * (kind.wide // 8))
    f.builder.ret(ir.Constant(WORD, 0))
    return f


def write_columns(module: Any, kind: Kind) -> Function:
    """Write `columns(x, out, matrices, n, columns)`: combine the n rows of each matrix."""
    f = Function(module, "columns", 5, inner=False)
    x, out, matrices, n, columns = f.arguments
    size, wide = kind.bits // 8, kind.wide // 8
    with f.loop(matrices) as matrix:
        start, result = x + matrix * n * columns * size, out + matrix * columns * wide
        _write_neutral(f, kind, result, columns)
        for few in (STEP, 1):
            count = (n if few == STEP else n % STEP) // few
            with f.loop(count) as k:
                first, at, rest = start + k * few * columns * size, result, columns
                for lanes in LANES:
                    with f.loop(rest // lanes) as column:
                        places = [first + (columns * v + column * lanes) * size for v in range(few)]
                        to, vector = at + column * lanes * wide, ir.VectorType(ir.IntType(kind.wide), lanes)
                        more = kind.join_vectors(f, lanes, places)
                        f.store(kind.join(f, f.load(to, vector), more), to)
                    whole = rest // lanes * lanes
                    first, at, rest = first + whole * size, at + whole * wide, rest - whole
            start = start + count * few * columns * size
    f.builder.ret(ir.Constant(WORD, 0))
    return f


def _write_neutral(f: Function, kind: Kind, out: Int, count: Int) -> None:
    with f.loop(count) as k:
        f.store(kind.neutral(1), out + k * (kind.wide // 8))


class Code(NamedTuple):
    """Addresses of compiled functions."""

    rows: int
    columns: int


@cache
def code_of(kind: Kind) -> Code:
    """Return the compiled code for a kind of integers."""

    def write() -> Any:
        module = ir.Module()
        write_rows(module, kind)
        write_columns(module, kind)
        return module

    source = Path(__file__).read_text(encoding="utf-8")
    return Code(*addresses_from_disk(f"{source}\0{kind!r}", write, Code._fields))

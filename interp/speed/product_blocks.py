"""Machine code for blocks of ordered sums, which stay in registers, and the description that it reads."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any, NamedTuple

from llvmlite import ir

from interp.backends.machine_code import BYTE, HALF, Function, Int, features

# A block of ordered sums of products that stays in registers from its first product to its last.
#
# LLVM vectorizes only innermost loops; here that is the loop over leaves, whose order is given. So the
# vectors, of neighbouring columns, are written out. Where products are `fused` with sums, nothing is
# rounded between them; that is for sums that are exact, and for those in a library's order.

AVX512 = features().get("avx512f", False)
BYTES = 64 if AVX512 else 32  # of a vector
VECTORS = 2  # side by side, in a block
LINE = 64  # bytes of the cache that are fetched at once
NEAR = 64  # right factors of a column that are laid out before those of the next


class Grid(NamedTuple):
    """Fused nodes as in `spec.trees.Arithmetic`. cuts: whether their sums, or plain ones, go toward zero."""

    bits: int
    nearest: bool
    normalized: bool
    cut: int | None
    cuts: bool
    cuts_plain: bool


class Kind(NamedTuple):
    """Kind of sums: their float type, and how a product is added.

    own: the left factor of each column is its own, as for depthwise convolutions. stored: the right factors
    are stored in 8 bits, and dequantized where they are laid out. both: the left ones are so, too, and
    dequantized first. tree: the products are added along a tree, which is data (`tree_tapes`). flushes:
    subnormal products and sums count as zeros. grid: that of fused nodes, whose sums are in f32, held in f64.
    counts: beside each sum is stored how many of its nodes are not exact, and how far the worst is from it.
    ones: all right factors are one, and are not read; only along a tree.
    """

    name: str
    fused: bool = False
    own: bool = False
    stored: bool = False
    both: bool = False
    tree: bool = False
    flushes: bool = False
    grid: Grid | None = None
    counts: bool = False
    ones: bool = False

    @property
    def scalar(self) -> Any:
        return ir.DoubleType() if self.name == "f64" else ir.FloatType()

    @property
    def size(self) -> int:
        return 8 if self.name == "f64" else 4

    @property
    def lanes(self) -> int:
        return BYTES // self.size

    @property
    def width(self) -> int:
        """The columns of a block."""
        return VECTORS * self.lanes

    @property
    def rows(self) -> int:
        """The rows of a block: as many sums as hide the time of an addition, and fit into registers."""
        if self.counts:
            return 2
        return 8 if AVX512 and self.name not in ROUNDING and not self.grid else 4

    @property
    def tile(self) -> int:
        """The bytes of the sums of a block."""
        return self.rows * self.width * self.size

    @property
    def vector(self) -> Any:
        return ir.VectorType(self.scalar, self.lanes)

    def add(self, f: Function, total: Any, x: Any, w: Any) -> Any:
        """Return the total and one more product: both rounded, or fused."""
        if self.fused:
            name = f"llvm.fma.v{total.type.count}f{8 * self.size}"
            return self.settle(f, f.intrinsic(name, total.type, x, w, total))
        return self.settle(f, f.builder.fadd(total, self.multiply(f, x, w)))

    def multiply(self, f: Function, x: Any, w: Any) -> Any:
        """Return a rounded product."""
        return self.settle(f, f.builder.fmul(x, w))

    def settle(self, f: Function, x: Any) -> Any:
        """Return a number of the carrier in the type of the sums.

        A zero must have its sign only along a tree: no sum from +0 keeps that of -0.
        """
        fl = ROUNDING.get(self.name)
        rounded = x if fl is None else fl(f.builder, x)
        if self.tree and self.name == "f16":
            rounded = _with_sign(f.builder, rounded, x)
        return _flush(f.builder, rounded, self.name) if self.flushes else rounded

    def load(self, f: Function, address: Int, there: Any) -> Any:
        """Return a vector, zero where nothing is there."""
        name = f"llvm.masked.load.v{self.lanes}f{8 * self.size}.p0"
        zero = ir.Constant(self.vector, None)
        return f.intrinsic(
            name, self.vector, f.place(address, self.vector), ir.Constant(HALF, self.size), there, zero
        )

    def dequantize(
        self, f: Function, address: Int, scales: Any, there: Any, moved: Callable[[Any], Any] = lambda q: q
    ) -> Any:
        """Return a vector of `moved(q) * scale`."""
        kind = ir.VectorType(BYTE, self.lanes)
        arguments = f.place(address, kind), ir.Constant(HALF, 1), there, ir.Constant(kind, None)
        stored = f.intrinsic(f"llvm.masked.load.v{self.lanes}i8.p0", kind, *arguments)
        return f.builder.fmul(f.builder.sitofp(moved(stored), self.vector), scales)

    def subtraction(self, f: Function, zero_point: Int) -> Callable[[Any], Any]:
        """Return a function that subtracts a zero point from stored bytes."""
        wide = ir.VectorType(HALF, self.lanes)
        zero_points = splat(f.builder, f.builder.trunc(zero_point.value, HALF), wide)
        return lambda q: f.builder.sub(f.builder.sext(q, wide), zero_points)

    def store(self, f: Function, x: Any, address: Int, there: Any) -> None:
        name = f"llvm.masked.store.v{self.lanes}f{8 * self.size}.p0"
        place = f.place(address, self.vector)
        f.intrinsic(name, ir.VoidType(), x, place, ir.Constant(HALF, self.size), there)

    def there(self, f: Function, columns: Int) -> list[Any]:
        """Return which lanes of each vector are among so many columns."""
        kind = ir.VectorType(HALF, self.lanes)
        few = splat(f.builder, f.builder.trunc(columns.at_most(self.width).value, HALF), kind)
        numbers = (range(v * self.lanes, (v + 1) * self.lanes) for v in range(VECTORS))
        return [f.builder.icmp_signed("<", ir.Constant(kind, list(lanes)), few) for lanes in numbers]


def splat(builder: Any, x: Any, vector: Any) -> Any:
    """Return a vector of equal numbers."""
    first = builder.insert_element(ir.Constant(vector, ir.Undefined), x, ir.Constant(HALF, 0))
    zeros = ir.Constant(ir.VectorType(HALF, vector.count), [0] * vector.count)
    return builder.shuffle_vector(first, ir.Constant(vector, ir.Undefined), zeros)


def block(
    f: Function,
    kind: Kind,
    lefts: list[Int],
    weights: Int,
    offsets: Int,
    counts: tuple[Int, Int],
    there: list[Any],
    ahead: tuple[Int, Int] | None = None,
) -> dict[tuple[int, int], Any]:
    """Return the sums of rows whose first left factors are at `lefts`, a vector by (row, vector).

    offsets: where those of the positions of a window are, in bytes. counts: positions, and
    left factors at each.
    weights: rows of `kind.width` right factors, one for each product.
    ahead: an address that is fetched into the cache with the first product, and the step to that of the next.
    """
    positions, run = counts
    builder, keys = f.builder, list(product(range(len(lefts)), range(VECTORS)))
    zero = ir.Constant(kind.vector, None)
    kept = {key: f.variable(zero) for key in keys}
    with f.loop(positions) as p:
        moved = f.word(offsets, p)
        panel = weights + p * run * (kind.width * kind.size)
        with f.loop(run) as c:
            at = [panel + c * (kind.width * kind.size) + v * BYTES for v in range(VECTORS)]
            w = [f.load(place, kind.vector, BYTES) for place in at]
            x = factors(f, kind, lefts, moved + c * kind.size, there)
            for i, v in keys:
                builder.store(kind.add(f, builder.load(kept[i, v]), x[i, v], w[v]), kept[i, v])
            if ahead:
                f.fetch(ahead[0] + (p * run + c) * ahead[1])
    return {key: builder.load(kept[key]) for key in keys}


def factors(
    f: Function, kind: Kind, lefts: list[Int], at: Int, there: list[Any]
) -> dict[tuple[int, int], Any]:
    """Return the left factors by (row, vector), each in all lanes, or one for each column.

    at: where they are beside the first ones, in bytes. Each vector has its own loads, which are part of the
    products' instructions: a load into all lanes of a long register would take the place of a product.
    """
    found = {}
    for v in range(VECTORS):
        here = f.opaque(at)
        for i, left in enumerate(lefts):
            if kind.own:
                x = kind.load(f, left + here + v * BYTES, there[v])
            else:
                x = splat(f.builder, f.load(left + here, kind.scalar, kind.size), kind.vector)
            found[i, v] = x
    return found


def _bits(builder: Any, x: Any) -> tuple[Any, Callable[[int], Any]]:
    """Return the bits of a vector of f32, and a function that makes such a vector of one number."""
    kind = ir.VectorType(HALF, x.type.count)
    return builder.bitcast(x, kind), lambda k: ir.Constant(kind, [k] * kind.count)


def _to_bf16(builder: Any, x: Any) -> Any:
    """Round f32 to bf16, the upper half of its bits, nearest even; a NaN of bf16 stays what it is."""
    bits, number = _bits(builder, x)
    last = builder.and_(builder.lshr(bits, number(16)), number(1))
    up = builder.add(builder.add(bits, number(0x7FFF)), last)
    return builder.bitcast(builder.and_(up, number(0xFFFF0000)), x.type)


def _to_f16(builder: Any, x: Any) -> Any:
    """Round f32 to f16 by adding, then subtracting, a number whose last place is that of the result.

    From 2^16 on a product with 2^112 is infinite. A zero may lose its sign, which no sum keeps.
    """
    bits, number = _bits(builder, x)
    scale = lambda y, by: builder.fmul(y, ir.Constant(x.type, [by] * x.type.count))
    power = builder.and_(bits, number(0x7F800000))
    for compared, limit in (("<", 0x38800000), (">", 0x47800000)):
        beyond = builder.icmp_unsigned(compared, power, number(limit))
        power = builder.select(beyond, number(limit), power)
    away = scale(builder.bitcast(power, x.type), 3.0 * 2**12)
    return scale(scale(builder.fsub(builder.fadd(x, away), away), 2.0**112), 2.0**-112)


def _with_sign(builder: Any, x: Any, like: Any) -> Any:
    """Return f32 with the sign of other numbers."""
    (bits, number), (signs, _) = _bits(builder, x), _bits(builder, like)
    size, sign = builder.and_(bits, number(0x7FFFFFFF)), builder.and_(signs, number(0x80000000))
    return builder.bitcast(builder.or_(size, sign), x.type)


def _flush(builder: Any, x: Any, name: str) -> Any:
    """Return zeros of the same sign in place of the subnormal numbers of a type."""
    size = 64 if name == "f64" else 32
    kind = ir.VectorType(ir.IntType(size), x.type.count)
    number = lambda k: ir.Constant(kind, [k] * kind.count)
    bits = builder.bitcast(x, kind)
    sizes, signs = (
        builder.and_(bits, number(2 ** (size - 1) - 1)),
        builder.and_(bits, number(2 ** (size - 1))),
    )
    is_small = builder.icmp_unsigned("<", sizes, number(LEAST_NORMAL[name]))
    return builder.bitcast(builder.select(is_small, signs, bits), x.type)


LEAST_NORMAL = {"f64": 1 << 52, "f32": 1 << 23, "bf16": 1 << 23, "f16": 113 << 23}  # as bits of the carrier
ROUNDING = {"bf16": _to_bf16, "f16": _to_f16}


# Words of a description; the sizes and steps of `RANK` dimensions and the offsets of positions come after.
SUMS, COLUMNS, POSITIONS, RUN, GROUPS, GROUP, OUT_GROUP, OUT_SUM, SIZE = range(9)
HOLE, ZERO_POINT, THREADS, PARTS, STEP, COLUMN_STEP, RANK, HEAD = range(9, 17)
# Words at the start of the memory to work in; what follows is at a multiple of `BYTES`.
NEXT, TICKETS, META, LEFT, RIGHT, SCALES, OUT, PLACES, PANELS, HANDLES = range(10)


class Meta:
    """The words of a description, loaded where they are used."""

    def __init__(self, f: Function, address: Int) -> None:
        self.f, self.address = f, address

    def __getitem__(self, k: int) -> Int:
        return self.f.word(self.address, k)

    @property
    def n(self) -> Int:
        """The number of products in a sum."""
        return self[POSITIONS] * self[RUN]

    def factors(self, kind: Kind) -> Int:
        """Return how many bytes the right factors of a block of columns take."""
        if kind.ones:
            return self.f.number(0)
        return align(self.n * (kind.width * kind.size))

    def panel(self, kind: Kind) -> Int:
        """Return how many bytes a thread takes: for factors, and for the stack of sums along a tree."""
        factors = self.factors(kind)
        return factors + self.f.word(self.tape()) * kind.tile if kind.tree else factors

    def offsets(self) -> Int:
        """Return the address of the offsets of positions."""
        return self.address + (self[RANK] * 2 + HEAD) * 8

    def order(self) -> Int:
        """Return the address of the numbers of products in the order in which a tree takes them."""
        return self.offsets() + self[POSITIONS] * 8

    def tape(self) -> Int:
        """Return the address of the tape of a tree: the depth of its stack, its instructions."""
        return self.order() + self[POSITIONS] * 8


def align(x: Int) -> Int:
    """Return the next multiple of `BYTES`."""
    return x + (BYTES - 1) & -BYTES

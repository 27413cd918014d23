"""Machine code for blocks of ordered sums, which stay in registers, and for units of work made of blocks."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any, NamedTuple

from llvmlite import ir

from interp.backends.machine_code import BYTE, HALF, WORD, Function, Int, features

# A block of ordered sums of products that stays in registers from its first product to its last.
#
# LLVM vectorizes only innermost loops; here that is the loop over leaves, whose order is given. So the
# vectors, of neighbouring columns, are written out. Where products are `fused` with sums, nothing is
# rounded between them; that is for sums that are exact, and for those in a library's order.

AVX512 = features().get("avx512f", False)
BYTES = 64 if AVX512 else 32  # of a vector
VECTORS = 2  # side by side, in a block
NEAR = 64  # right factors of a column that are laid out before those of the next


class Kind(NamedTuple):
    """Kind of sums: their float type, and how a product is added.

    own: the left factor of each column is its own, as for depthwise convolutions. stored: the right factors
    are stored in 8 bits, and dequantized where they are laid out. both: the left ones are so, too, and
    dequantized first.
    """

    name: str
    fused: bool = False
    own: bool = False
    stored: bool = False
    both: bool = False

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
        return 8 if AVX512 and self.name not in ROUNDING else 4

    @property
    def vector(self) -> Any:
        return ir.VectorType(self.scalar, self.lanes)

    def add(self, f: Function, total: Any, x: Any, w: Any) -> Any:
        """Return the total and one more product: both rounded, or fused."""
        if self.fused:
            name = f"llvm.fma.v{total.type.count}f{8 * self.size}"
            return f.intrinsic(name, total.type, x, w, total)
        fl = ROUNDING.get(self.name, lambda builder, x: x)
        return fl(f.builder, f.builder.fadd(total, fl(f.builder, f.builder.fmul(x, w))))

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
) -> dict[tuple[int, int], Any]:
    """Return the sums of rows whose first left factors are at `lefts`, a vector by (row, vector).

    offsets: where those of the positions of a window are, in bytes. counts: positions, and
    left factors at each.
    weights: rows of `kind.width` right factors, one for each product.
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
            for i, left in enumerate(lefts):
                place = left + moved + c * kind.size
                x = _factors(f, kind, place, there)
                for v in range(VECTORS):
                    total = kind.add(f, builder.load(kept[i, v]), x[v], w[v])
                    builder.store(total, kept[i, v])
    return {key: builder.load(kept[key]) for key in keys}


def _factors(f: Function, kind: Kind, place: Int, there: list[Any]) -> list[Any]:
    """Return the left factors of each vector: one for all columns, or one for each."""
    if kind.own:
        return [kind.load(f, place + v * BYTES, there[v]) for v in range(VECTORS)]
    return [splat(f.builder, f.load(place, kind.scalar, kind.size), kind.vector)] * VECTORS


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


ROUNDING = {"bf16": _to_bf16, "f16": _to_f16}


# Units of work in machine code for sums of products: some of the sums, and one block of columns.
#
# A sum's left factors lie in runs, one at each position of a window; nothing is laid out anew but the right
# factors of a block of columns. Threads take units of work until none is left. Each sum is computed by one
# of them, in order: their number changes no bit.

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

    def panel(self, kind: Kind) -> Int:
        """Return how many bytes the right factors of a block of columns take."""
        return align(self.n * (kind.width * kind.size))

    def offsets(self) -> Int:
        """Return the address of the offsets of positions."""
        return self.address + (self[RANK] * 2 + HEAD) * 8


def align(x: Int) -> Int:
    """Return the next multiple of `BYTES`."""
    return x + (BYTES - 1) & -BYTES


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
    sums = block(f, kind, lefts, panel, meta.offsets(), (meta[POSITIONS], meta[RUN]), there)
    for (i, v), total in sums.items():
        at = group * meta[OUT_GROUP] + (row + i) * meta[OUT_SUM] + column + v * kind.lanes
        kind.store(f, total, f.word(state, OUT) + at * kind.size, there[v])
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
            from_ = right + (source * meta[COLUMN_STEP] + k * meta[STEP]) * size
            if kind.stored:
                number = f.builder.fmul(f.builder.sitofp(f.load(from_, BYTE), kind.scalar), scale)
            else:
                number = f.load(from_, kind.scalar, kind.size)
            f.store(number, panel + (k * kind.width + c) * kind.size, kind.size)


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
        first = (group * n + k) * columns + column
        for v in range(VECTORS):
            if kind.stored:
                place = f.word(state, RIGHT) + first + v * kind.lanes
                factors = kind.dequantize(f, place, scales[v], there[v])
            else:
                factors = kind.load(f, f.word(state, RIGHT) + first * kind.size + v * BYTES, there[v])
            f.store(factors, panel + k * (kind.width * kind.size) + v * BYTES, BYTES)


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

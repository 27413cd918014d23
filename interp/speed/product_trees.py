"""Machine code for blocks of sums along a tree, which is a tape of instructions that the code reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

from llvmlite import ir

from interp.backends.machine_code import WORD, Function, Int
from interp.speed.product_blocks import BYTES, VECTORS, Kind, factors
from interp.speed.tree_tapes import INSTRUCTION, ZERO

# Each lane of a vector is a sum of its own, so that every order of its products takes the same time. The sum
# that is being added stays in registers; those that wait for it lie on a stack, in the nearest cache.


def block_along(
    f: Function,
    kind: Kind,
    lefts: list[Int],
    weights: Int,
    offsets: Int,
    tape: tuple[Int, Int],
    there: list[Any],
) -> dict[Key, list[Any]]:
    """Return the sums of rows whose first left factors are at `lefts`, added as a tape says.

    weights: rows of `kind.width` right factors, in the order of the tape. offsets: where the left ones are,
    in bytes. tape: its address, and that of the stack.
    """
    (instructions, stack), keys = tape, list(product(range(len(lefts)), range(VECTORS)))
    next_leaf, top = f.variable(f.number(0).value), f.variable(stack.value)
    of = lambda place: Int(f.builder, f.builder.load(place))

    def move(place: Any, by: Int | int) -> None:
        f.builder.store((of(place) + by).value, place)

    def terms(leaf: Int) -> dict[Key, tuple[Any, Any]]:
        row, moved = weights + leaf * (kind.width * kind.size), f.word(offsets, leaf)
        one = ir.Constant(kind.vector, [1.0] * kind.lanes)
        w = [one if kind.ones else f.load(row + v * BYTES, kind.vector, BYTES) for v in range(VECTORS)]
        x = factors(f, kind, lefts, moved, there)
        return {(i, v): (x[i, v], w[v]) for i, v in keys}

    form = FusedSums if kind.grid else CountedSums if kind.counts else PlainSums
    sums = form(f, kind, keys, terms)

    def start(instruction: Int) -> None:
        for place, key in enumerate(keys):
            f.store(sums.load(key), of(top) + place * BYTES, BYTES)
        move(top, len(keys) * BYTES)
        with f.builder.if_else(f.word(instruction).is_("==", ZERO)) as (is_zero, is_product):
            with is_zero:
                sums.clear()
            with is_product:
                sums.start(of(next_leaf))
                move(next_leaf, 1)

    with f.loop(f.word(instructions, 1)) as k:
        instruction = instructions + 16 + k * (8 * INSTRUCTION)
        with f.builder.if_then(f.word(instruction).is_("!=", 0)):
            start(instruction)
        for word, add in ((1, sums.add_leaves), (2, sums.add_unrounded)):
            count = f.word(instruction, word)
            add(of(next_leaf), count)
            move(next_leaf, count)
        with f.loop(f.word(instruction, 3)):
            move(top, -len(keys) * BYTES)
            for place, key in enumerate(keys):
                sums.add(key, f.load(of(top) + place * BYTES, kind.vector, BYTES))
    return {key: sums.results(key) for key in keys}


# Sums of a block along a tree: each step changes all of them.

Key = tuple[int, int]  # the row and the vector of sums
Terms = Callable[[Int], dict[Key, tuple[Any, Any]]]  # the factors of a leaf


class PlainSums:
    """The sums that are being added, in registers."""

    def __init__(self, f: Function, kind: Kind, keys: Sequence[Key], terms: Terms) -> None:
        self.f, self.kind, self.keys, self.terms = f, kind, keys, terms
        self.zero = ir.Constant(kind.vector, None)
        self.kept = {key: f.variable(self.zero) for key in keys}

    def load(self, key: Key) -> Any:
        return self.f.builder.load(self.kept[key])

    def results(self, key: Key) -> list[Any]:
        """Return what is stored of a sum: itself."""
        return [self.load(key)]

    def keep(self, key: Key, x: Any) -> None:
        self.f.builder.store(x, self.kept[key])

    def clear(self) -> None:
        """Start from zero."""
        for key in self.keys:
            self.keep(key, self.zero)

    def start(self, leaf: Int) -> None:
        """Start from a rounded product."""
        for key, (x, w) in self.terms(leaf).items():
            self.keep(key, self.kind.multiply(self.f, x, w))

    def add(self, key: Key, x: Any) -> None:
        """Add a number of the type of the sums."""
        self.keep(key, self.kind.settle(self.f, self.f.builder.fadd(x, self.load(key))))

    def add_leaves(self, first: Int, count: Int) -> None:
        """Add products one after the other, each rounded."""
        self._add_products(first, count, self.kind)

    def add_unrounded(self, first: Int, count: Int) -> None:
        """Add products one after the other, each unrounded."""
        if self.kind.name in ("f32", "f64"):
            self._add_products(first, count, self.kind._replace(fused=True))

    def _add_products(self, first: Int, count: Int, adding: Kind) -> None:
        with self.f.loop(count) as k:
            for key, (x, w) in self.terms(first + k).items():
                self.keep(key, adding.add(self.f, self.load(key), x, w))


class CountedSums(PlainSums):
    """The sums that are being added, and counts of the nodes that are not exact."""

    def __init__(self, f: Function, kind: Kind, keys: Sequence[Key], terms: Terms) -> None:
        super().__init__(f, kind, keys, terms)
        whole = ir.VectorType(ir.IntType(8 * kind.size), kind.lanes)
        self.numbers = {key: f.variable(ir.Constant(whole, None)) for key in keys}
        self.worst = {key: f.variable(self.zero) for key in keys}

    def results(self, key: Key) -> list[Any]:
        load = self.f.builder.load
        number = self.f.builder.bitcast(load(self.numbers[key]), self.kind.vector)
        return [self.load(key), number, load(self.worst[key])]

    def add(self, key: Key, x: Any) -> None:
        old = self.load(key)
        super().add(key, x)
        self._count(key, self._error(x, old, self.load(key)))

    def add_leaves(self, first: Int, count: Int) -> None:
        with self.f.loop(count) as k:
            for key, (x, w) in self.terms(first + k).items():
                self.add(key, self.kind.multiply(self.f, x, w))

    def add_unrounded(self, first: Int, count: Int) -> None:
        builder, wide = self.f.builder, ir.VectorType(ir.DoubleType(), self.kind.lanes)
        if self.kind.name != "f32":
            return
        with self.f.loop(count) as k:
            for key, (x, w) in self.terms(first + k).items():
                old, adding = self.load(key), self.kind._replace(fused=True)
                self.keep(key, adding.add(self.f, old, x, w))
                left, right, before, after = (builder.fpext(y, wide) for y in (x, w, old, self.load(key)))
                product = builder.fmul(left, right)
                total = builder.fadd(product, before)
                error = self._error(product, before, total)
                moved = builder.fcmp_unordered("!=", total, after)
                self._count(key, builder.select(moved, builder.fsub(total, after), error))

    def _error(self, a: Any, b: Any, total: Any) -> Any:
        """Return the exact sum less the rounded one (Knuth)."""
        builder = self.f.builder
        part = builder.fsub(total, a)
        rest = builder.fsub(a, builder.fsub(total, part))
        return builder.fadd(rest, builder.fsub(b, part))

    def _count(self, key: Key, error: Any) -> None:
        builder, kind = self.f.builder, self.kind
        differs = builder.fcmp_unordered("!=", error, ir.Constant(error.type, None))
        numbers = builder.load(self.numbers[key])
        builder.store(builder.add(numbers, builder.zext(differs, numbers.type)), self.numbers[key])
        error = error if error.type == kind.vector else builder.fptrunc(error, kind.vector)
        size = self.f.intrinsic(f"llvm.fabs.v{kind.lanes}f{8 * kind.size}", error.type, error)
        known = builder.load(self.worst[key])
        larger = builder.fcmp_ordered(">", size, known)
        builder.store(builder.select(larger, size, known), self.worst[key])


# Fused nodes: terms that are cut below the largest exponent, added, and rounded once.
#
# Everything is in f64, which holds the products, and the sums of what is left of them. The power of two of
# each factor lies after the factor, so that the largest exponent of products is that of a product of powers.

EXPONENT, SIGN = 0x7FF << 52, 1 << 63
ONE = 0x3FF << 52
LEAST, MOST = 2.0**-126, float(2**128 - 2**104)  # the least normal number of f32, and the largest
DROPPED = 29  # bits that f64 has and f32 has not


class FusedSums(PlainSums):
    """Sums in f32, held in f64, whose nodes take several products at once, beside the sum before."""

    def __init__(self, f: Function, kind: Kind, keys: Sequence[Key], terms: Terms) -> None:
        super().__init__(f, kind, keys, terms)
        assert kind.grid
        self.grid = kind.grid

    def start(self, leaf: Int) -> None:
        for key, (x, w) in self._factors(leaf).items():
            self.keep(key, self._to_f32(self.f.builder.fmul(x, w), self.grid.cuts_plain))

    def add(self, key: Key, x: Any) -> None:
        builder, old = self.f.builder, self.load(key)
        total = builder.fadd(old, x)
        if self.grid.cuts_plain:
            part = builder.fsub(total, old)
            rest = builder.fsub(old, builder.fsub(total, part))
            total = self._toward_zero(total, builder.fadd(rest, builder.fsub(x, part)))
        self.keep(key, self._to_f32(total, self.grid.cuts_plain))

    def add_leaves(self, first: Int, count: Int) -> None:
        with self.f.loop(count) as k:
            for key, (x, w) in self._factors(first + k).items():
                self.add(key, self._to_f32(self.f.builder.fmul(x, w), self.grid.cuts_plain))

    def add_unrounded(self, first: Int, count: Int) -> None:
        """Add products, and the sum before them, in one fused node, if there are any."""
        with self.f.builder.if_then(count.is_("!=", 0)):
            largest = self._largest(first, count)
            self._fuse(first, count, largest)

    def _largest(self, first: Int, count: Int) -> dict[Key, Any]:
        """Return 2^e for the largest exponent of each sum's terms; 1 if all are zero."""
        f, builder = self.f, self.f.builder
        kept = {key: f.variable(self._power_of_sum(self.load(key))) for key in self.keys}
        with f.loop(count) as k:
            for key, power in self._powers(first + k).items():
                known = builder.load(kept[key])
                larger = builder.fcmp_ordered(">", power, known)
                builder.store(builder.select(larger, power, known), kept[key])
        found = {key: builder.load(place) for key, place in kept.items()}
        is_none = lambda x: builder.fcmp_ordered("==", x, self.zero)
        return {key: builder.select(is_none(x), self._number(1.0), x) for key, x in found.items()}

    def _fuse(self, first: Int, count: Int, largest: dict[Key, Any]) -> None:
        f, builder, grid = self.f, self.f.builder, self.grid
        scales = {
            key: builder.fmul(self._inverse(power), self._number(2.0**grid.bits))
            for key, power in largest.items()
        }
        whole = self._to_nearest if grid.nearest else self._truncate
        scaled = lambda x, key: whole(builder.fmul(x, scales[key]))
        totals = {key: f.variable(builder.fadd(scaled(self.load(key), key), self.zero)) for key in self.keys}
        with f.loop(count) as k:
            for key, (x, w) in self._factors(first + k).items():
                part = scaled(builder.fmul(x, w), key)
                builder.store(builder.fadd(builder.load(totals[key]), part), totals[key])
        for key, place in totals.items():
            total = self._cut(builder.load(place))
            unit = builder.fmul(largest[key], self._number(2.0**-grid.bits))
            result, old = self._to_f32(builder.fmul(total, unit), grid.cuts), self.load(key)
            self.keep(key, builder.select(self._is_finite(old), result, old))

    def _factors(self, leaf: Int) -> dict[Key, tuple[Any, Any]]:
        return self.terms(leaf if self.grid.normalized else leaf * 2)

    def _powers(self, leaf: Int) -> dict[Key, Any]:
        """Return 2^e for the exponent e that a product has; 0 for zero."""
        builder, is_own = self.f.builder, self.grid.normalized
        multiply = lambda x, w: (
            self._keep_bits(builder.fmul(x, w), EXPONENT) if is_own else builder.fmul(x, w)
        )
        pairs = self.terms(leaf if is_own else leaf * 2 + 1)
        return {key: multiply(x, w) for key, (x, w) in pairs.items()}

    def _power_of_sum(self, x: Any) -> Any:
        """Return 2^e for the exponent of a number of f32, which is no less than that of normal ones; or 0."""
        builder, power, least = self.f.builder, self._keep_bits(x, EXPONENT), self._number(LEAST)
        held = builder.select(builder.fcmp_ordered("<", power, least), least, power)
        return builder.select(builder.fcmp_ordered("==", x, self.zero), self.zero, held)

    def _cut(self, total: Any) -> Any:
        """Return whole numbers cut to some bits below their first, toward zero."""
        builder, cut = self.f.builder, self.grid.cut
        if cut is None:
            return total
        step = builder.fmul(self._keep_bits(total, EXPONENT), self._number(2.0**-cut))
        one = self._number(1.0)
        step = builder.select(builder.fcmp_ordered("<", step, one), one, step)
        return builder.fmul(self._truncate(builder.fmul(total, self._inverse(step))), step)

    # Numbers of f64 by their bits.

    def _number(self, x: float) -> Any:
        return ir.Constant(self.kind.vector, [x] * self.kind.lanes)

    def _on_bits(self, x: Any, change: Callable[[Any, Callable[[int], Any]], Any]) -> Any:
        builder, kind = self.f.builder, ir.VectorType(WORD, self.kind.lanes)
        number = lambda k: ir.Constant(kind, [k] * kind.count)
        return builder.bitcast(change(builder.bitcast(x, kind), number), x.type)

    def _keep_bits(self, x: Any, mask: int) -> Any:
        return self._on_bits(x, lambda bits, number: self.f.builder.and_(bits, number(mask)))

    def _inverse(self, power: Any) -> Any:
        """Return the inverse of powers of two."""
        return self._on_bits(power, lambda bits, number: self.f.builder.sub(number(2 * ONE), bits))

    def _with_sign(self, x: Any, like: Any) -> Any:
        kind = ir.VectorType(WORD, self.kind.lanes)
        sign = self.f.builder.bitcast(self._keep_bits(like, SIGN), kind)
        return self._on_bits(x, lambda bits, number: self.f.builder.or_(bits, sign))

    def _call(self, name: str, x: Any) -> Any:
        return self.f.intrinsic(f"llvm.{name}.v{self.kind.lanes}f64", x.type, x)

    def _truncate(self, x: Any) -> Any:
        return self._call("trunc", x)

    def _to_nearest(self, x: Any) -> Any:
        return self._call("rint", x)

    def _is_finite(self, x: Any) -> Any:
        sizes = self._keep_bits(x, SIGN - 1)
        return self.f.builder.fcmp_ordered("<", sizes, self._number(float("inf")))

    def _toward_zero(self, total: Any, error: Any) -> Any:
        """Return sums rounded toward zero, of sums rounded to nearest and their errors."""
        builder = self.f.builder
        product = builder.fmul(self._with_sign(self._number(1.0), total), error)
        beyond = builder.fcmp_ordered("<", product, self.zero)
        less = self._on_bits(total, lambda bits, number: builder.sub(bits, number(1)))
        return builder.select(beyond, less, total)

    def _to_f32(self, x: Any, cuts: bool) -> Any:
        """Return numbers rounded to f32, toward zero or to nearest, in f64."""
        builder = self.f.builder
        if not cuts:
            narrow = ir.VectorType(ir.FloatType(), self.kind.lanes)
            return builder.fpext(builder.fptrunc(x, narrow), x.type)
        usual = self._keep_bits(x, 2**64 - 2**DROPPED)
        small = builder.fmul(self._truncate(builder.fmul(x, self._number(2.0**149))), self._number(2.0**-149))
        sizes = self._keep_bits(x, SIGN - 1)
        cut = builder.select(builder.fcmp_ordered("<", sizes, self._number(LEAST)), small, usual)
        far = builder.fcmp_ordered(">", sizes, self._number(MOST))
        most = self._with_sign(self._number(MOST), x)
        return builder.select(builder.and_(far, self._is_finite(x)), most, cut)

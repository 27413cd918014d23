"""Machine code for fused nodes: terms that are cut below the largest exponent, added, and rounded once.

Everything is in f64, which holds the products, and the sums of what is left of them. The power of two of
each factor lies after the factor, so that the largest exponent of products is that of a product of powers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir

from interp.backends.machine_code import WORD, Function, Int
from interp.speed.product_blocks import Kind
from interp.speed.product_sums import Key, PlainSums, Terms

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
        multiply = lambda x, w: self._masked(builder.fmul(x, w), EXPONENT) if is_own else builder.fmul(x, w)
        pairs = self.terms(leaf if is_own else leaf * 2 + 1)
        return {key: multiply(x, w) for key, (x, w) in pairs.items()}

    def _power_of_sum(self, x: Any) -> Any:
        """Return 2^e for the exponent of a number of f32, which is no less than that of normal ones; or 0."""
        builder, power, least = self.f.builder, self._masked(x, EXPONENT), self._number(LEAST)
        held = builder.select(builder.fcmp_ordered("<", power, least), least, power)
        return builder.select(builder.fcmp_ordered("==", x, self.zero), self.zero, held)

    def _cut(self, total: Any) -> Any:
        """Return whole numbers cut to some bits below their first, toward zero."""
        builder, cut = self.f.builder, self.grid.cut
        if cut is None:
            return total
        step = builder.fmul(self._masked(total, EXPONENT), self._number(2.0**-cut))
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

    def _masked(self, x: Any, mask: int) -> Any:
        return self._on_bits(x, lambda bits, number: self.f.builder.and_(bits, number(mask)))

    def _inverse(self, power: Any) -> Any:
        """Return the inverse of powers of two."""
        return self._on_bits(power, lambda bits, number: self.f.builder.sub(number(2 * ONE), bits))

    def _with_sign(self, x: Any, like: Any) -> Any:
        kind = ir.VectorType(WORD, self.kind.lanes)
        sign = self.f.builder.bitcast(self._masked(like, SIGN), kind)
        return self._on_bits(x, lambda bits, number: self.f.builder.or_(bits, sign))

    def _call(self, name: str, x: Any) -> Any:
        return self.f.intrinsic(f"llvm.{name}.v{self.kind.lanes}f64", x.type, x)

    def _truncate(self, x: Any) -> Any:
        return self._call("trunc", x)

    def _to_nearest(self, x: Any) -> Any:
        return self._call("rint", x)

    def _is_finite(self, x: Any) -> Any:
        sizes = self._masked(x, SIGN - 1)
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
        usual = self._masked(x, 2**64 - 2**DROPPED)
        small = builder.fmul(self._truncate(builder.fmul(x, self._number(2.0**149))), self._number(2.0**-149))
        sizes = self._masked(x, SIGN - 1)
        cut = builder.select(builder.fcmp_ordered("<", sizes, self._number(LEAST)), small, usual)
        far = builder.fcmp_ordered(">", sizes, self._number(MOST))
        most = self._with_sign(self._number(MOST), x)
        return builder.select(builder.and_(far, self._is_finite(x)), most, cut)

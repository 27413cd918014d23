"""Quantized numbers by SEMANTICS alone, in fractions: what the claims about sums are held against.

A float is a `Fraction`, or one of Python's floats inf, -inf and nan. The sign of zero is not kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from math import inf, isnan, nan

from spec.types import ElementType, QuantizedType
from tests.library.oracles.trees import Node, Trees

Real = Fraction | float


def finite(x: Real) -> bool:
    return isinstance(x, Fraction) or x - x == 0


def is_nan(x: Real) -> bool:
    return isinstance(x, float) and isnan(x)


@cache
def greatest_float(T: ElementType) -> Fraction:
    """The largest finite number: which codes of the last exponent are numbers differs by format."""
    top = 2**T.exponent - 1 - T.bias - (T.special in ("ieee", "fnu"))
    lost = 2 if T.special == "fn" else 1
    return (2 - lost * Fraction(1, 2**T.mantissa)) * Fraction(2) ** top


def fl(x: Real, T: ElementType) -> Real:
    """Round once, to nearest even."""
    if not finite(x):
        return nan if is_nan(x) else overflowed(x > 0, T)
    if T.special == "fnu" and x <= 0:
        return nan
    if x == 0:
        return Fraction(0)
    exact = Fraction(x)
    least = 1 - T.bias if T.special != "fnu" else -T.bias
    digits = abs(exact.numerator).bit_length() - exact.denominator.bit_length()
    exponent = digits if abs(exact) >= Fraction(2) ** digits else digits - 1
    unit = Fraction(2) ** (max(exponent, least) - T.mantissa)
    rounded = round(exact / unit) * unit  # Python's round is to nearest even, too
    if T.special == "fnu" and rounded == 0:
        return unit  # the least number: there is no zero
    return rounded if abs(rounded) <= greatest_float(T) else overflowed(x > 0, T)


def overflowed(positive: bool, T: ElementType) -> Real:
    """An infinity, where the format has one; NaN or the largest number where it has not."""
    size: Real = {"ieee": inf, "finite": greatest_float(T)}.get(T.special, nan)
    return size if positive else -size


def combined(op: str, x: Real, y: Real, T: ElementType) -> Real:
    """One float operation. Of what is not finite only signs matter, which small floats have as well."""
    if not (finite(x) and finite(y)):
        a, b = (float(v) if not finite(v) else float((v > 0) - (v < 0)) for v in (x, y))
        return fl(a * b if op == "*" else a / b if op == "/" else a + b, T)
    x, y = Fraction(x), Fraction(y)
    return fl(x * y if op == "*" else x / y if op == "/" else x + y, T)


class Model:
    """A quantized type or plain integers, which wrap; numbers are stored ones."""

    def __init__(self, type: QuantizedType | ElementType) -> None:
        self.type = type
        self.quantized = isinstance(type, QuantizedType)
        self.sums: dict[tuple[int, int], int] = {}
        self.known: dict[tuple[int, Model], int] = {}
        if isinstance(type, QuantizedType):
            self.T, self.z = type.expressed_type, type.zero_point
            self.low, self.high = type.storage_min, type.storage_max
            self.scale = fl(Fraction(type.scale), self.T)
            self.point = fl(Fraction(self.z), self.T)
            self.ends = fl(Fraction(self.low), self.T), fl(Fraction(self.high), self.T)
        else:
            self.z, self.low, self.high = 0, type.min_value, type.max_value

    def real(self, q: int) -> Real:
        return combined("*", fl(Fraction(q - self.z), self.T), self.scale, self.T)

    def moved(self, x: Real) -> Real:
        """Return the distance that clamping moves a number."""
        return combined("+", combined("/", x, self.scale, self.T), self.point, self.T)

    def quantize(self, x: Real) -> int:
        b, (low, high) = self.moved(x), self.ends
        if is_nan(b) or is_nan(low) or is_nan(high):
            return min(max(0, self.low), self.high)
        clamped = min(max(b, low), high)
        if not finite(clamped):
            return self.high if clamped > 0 else self.low
        return min(max(round(Fraction(clamped)), self.low), self.high)

    def converted(self, q: int, source: Model) -> int:
        """`to_destination_type` of a leaf."""
        if source.type == self.type:
            return q
        if not self.quantized:
            return (q - self.low) % (self.high - self.low + 1) + self.low
        if (q, source) not in self.known:
            self.known[q, source] = self.quantize(source.real(q))
        return self.known[q, source]

    def unclamped(self, q: int, source: Model) -> int | None:
        """The same if storage had no end; None where no number is left, or one that nobody counts."""
        if source.type == self.type or not self.quantized:
            return q
        b = self.moved(source.real(q))
        return round(Fraction(b)) if finite(b) and abs(b) < 2**62 else None

    def add(self, a: int, b: int) -> int:
        if (a, b) not in self.sums:
            if self.quantized:
                found = self.quantize(combined("+", self.real(a), self.real(b), self.T))
            else:
                found = (a + b - self.low) % (self.high - self.low + 1) + self.low
            self.sums[a, b] = found
        return self.sums[a, b]

    def pick(self, a: int, b: int, greatest: bool) -> int:
        """`maximum` or `minimum`; NaN of either is NaN."""
        if not self.quantized:
            return max(a, b) if greatest else min(a, b)
        x, y = self.real(a), self.real(b)
        best = nan if is_nan(x) or is_nan(y) else max(x, y) if greatest else min(x, y)
        return self.quantize(best)

    def combine(self, body: str, a: int, b: int) -> int:
        return self.add(a, b) if body == "add" else self.pick(a, b, body == "maximum")

    def exact(self, body: str, a: int, b: int) -> int:
        return a + b - self.z if body == "add" else (max if body == "maximum" else min)(a, b)

    def holds(self, q: int) -> bool:
        return self.low <= q <= self.high


@lru_cache(256)
def modelled(type: QuantizedType | ElementType) -> Model:
    return Model(type)


def contiguous(leaves: Sequence[int], z: int) -> dict[tuple[int, int], int]:
    """The sum of the leaves i to j - 1, as a stored number that nothing clamps."""
    found = {}
    for i in range(len(leaves)):
        total = z
        for j in range(i, len(leaves)):
            total += leaves[j] - z
            found[i, j + 1] = total
    return found


def wrong_node(model: Model, body: str, leaves: Sequence[int]) -> str:
    """A node of some tree that is not what exact arithmetic gives, or beyond the storage; "" for none.

    Where no node is wrong, every tree has the exact result of its leaves at every node.
    """
    if any(not model.holds(q) for q in leaves):
        return f"a leaf of {leaves} is beyond"
    if body != "add":
        pairs = {(a, b) for a in leaves for b in leaves} if len(leaves) > 1 else set()
    else:
        sums = contiguous(leaves, model.z)
        pairs = {(sums[i, k], sums[k, j]) for i, j in sums for k in range(i + 1, j)}
    for a, b in pairs:
        exact = model.exact(body, a, b)
        if not model.holds(exact) or model.combine(body, a, b) != exact:
            return f"{a} and {b} give {model.combine(body, a, b)}, not {exact}"
    return ""


def kind_of_trees(model: Model, leaves: Sequence[int]) -> str:
    """Return whether a node lies beyond the storage exactly: in no tree, in every one, or in some."""
    combine = lambda a, b: Node((model.add(*a, *b),), not model.holds(model.exact("add", *a, *b)))
    return Trees([(x,) for x in leaves], combine).kind


def windowed(
    size: int, low: int, high: int, base: int, window: int, stride: int, dilation: int
) -> Iterator[list[int | None]]:
    """The elements of each window along one dimension; None for padding and holes."""
    dilated: list[int | None] = [None] * ((size - 1) * base + 1 if size else 0)
    dilated[::base] = range(size)
    padded = (
        [None] * max(low, 0) + dilated[max(-low, 0) : len(dilated) - max(-high, 0)] + [None] * max(high, 0)
    )
    span = (window - 1) * dilation + 1
    for start in range(0, len(padded) - span + 1, stride):
        yield [padded[start + k * dilation] for k in range(window)]

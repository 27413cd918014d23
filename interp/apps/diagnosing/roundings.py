"""Deviating arithmetic: other roundings of quotients, and results that wrap."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from interp.backends import NUMPY, Array
from interp.backends.numpy_backend import OnNumpy
from interp.engine.facts import facts
from interp.engine.quant import spread, wrap_whole
from interp.execute.along import is_sum
from spec.integer_reading import in_integers
from spec.ir import Op
from spec.types import QuantizedType

EVEN_BEFORE = "half to even before the zero point"
AFTER = " after the zero point"
# From a real quotient to an integer, before the zero point is added.
MODES: dict[str, Callable[[Array], Array]] = {
    "toward zero": np.trunc,
    "down": np.floor,
    "up": np.ceil,
    "half up": lambda x: np.floor(x) + (x - np.floor(x) >= 0.5),
    "half away from zero": lambda x: np.copysign(_half_up_of(np.abs(x)), x),
    EVEN_BEFORE: np.rint,
}
# Modes that give other integers where the zero point was added before.
ALL_MODES = (*MODES, f"toward zero{AFTER}", f"half away from zero{AFTER}")


def _half_up_of(x: Array) -> Array:
    return np.floor(x) + (x - np.floor(x) >= 0.5)


# The same on exact fractions: of a numerator and a positive denominator.
EXACTLY: dict[str, Callable[[Any, Any], Any]] = {
    "toward zero": lambda n, d: np.where(n < 0, -(-n // d), n // d),
    "down": lambda n, d: n // d,
    "up": lambda n, d: -(-n // d),
    "half up": lambda n, d: (2 * n + d) // (2 * d),
    "half away from zero": lambda n, d: np.where(n < 0, -((d - 2 * n) // (2 * d)), (2 * n + d) // (2 * d)),
}


class Rounding(OnNumpy):
    """NumPy, with another rounding of quotients to stored integers of a type, or with results that wrap.

    before: what is rounded has no zero point yet; else it was added, and is taken away to round, unless the
    mode rounds after it. reciprocal: a quotient is a product with the rounded reciprocal of the divisor.
    """

    lasting = False  # code that was prepared for it is used once

    def __init__(
        self,
        type: QuantizedType,
        mode: str,
        wraps: bool = False,
        before: bool = False,
        reciprocal: bool = False,
    ) -> None:
        super().__init__(np)
        self.type, self.mode, self.wraps = type, MODES.get(mode.removesuffix(AFTER)), wraps
        self.before, self.after, self.reciprocal = before, mode.endswith(AFTER), reciprocal

    def rint(self, x: Array) -> Array:
        """Round a quotient, and perhaps wrap it."""
        points = spread(NUMPY, self.type.zero_points, np.float64, self.type, np.shape(x))
        points = points * ((not self.before) - self.after)  # what is there and must not be, or the reverse
        whole = self.mode(x - points) + points if self.mode else np.rint(x)
        return wrap(whole, self.type) if self.wraps else whole

    def divide(self, x: Array, y: Any) -> Array:
        if not self.reciprocal:
            return np.divide(x, y)
        one = np.asarray(NUMPY.round_to(np.divide(1.0, np.asarray(y, np.float64)), self.type.expressed_type))
        return np.asarray(NUMPY.round_to(x * one.astype(np.asarray(x).dtype), self.type.expressed_type))

    def clip(self, x: Array, low: Any, high: Any) -> Array:
        if self.wraps:
            return wrap(x, self.type) if x.dtype.kind in "iu" else x
        return super().clip(x, low, high)

    def on_grid(self, x: Array, mantissa: int, least: int) -> Array:
        return NUMPY.on_grid(x, mantissa, least)


def wrap(x: Array, type: QuantizedType) -> Array:
    """Return whole numbers modulo the width of a storage type; NaN and infinities are unchanged."""
    if x.dtype.kind in "iu":
        return wrap_whole(x, type.storage_type)
    return np.where(np.isfinite(x), wrap_whole(np.where(np.isfinite(x), x, 0), type.storage_type), x)


def quotients(
    x: Array, ratios: Sequence[Fraction], shape: Sequence[int], mode: str, points: Array | int = 0
) -> Array:
    """Return `x * ratio` of int64, rounded to integers by a mode of `EXACTLY`, in exact arithmetic.

    points: the zero points of a mode that rounds after them.
    """
    table = lambda numbers: np.array(numbers, object).reshape(shape)
    n, d = (table([getattr(r, part) for r in ratios]) for part in ("numerator", "denominator"))
    moved = np.asarray(points, np.int64).astype(object) * mode.endswith(AFTER)
    whole = EXACTLY[mode.removesuffix(AFTER)](x.astype(object) * n + moved * d, np.broadcast_to(d, x.shape))
    whole = whole - moved
    limit = 1 << 59
    return np.minimum(np.maximum(whole, -limit), limit).astype(np.int64)


def divides_by_scales(op: Op) -> bool:
    """Return whether an operation divides by the scale of its result, and by nothing else."""
    return stores(op) and op.name != "stablehlo.divide"


def stores(op: Op) -> bool:
    """Return whether an operation computes quantized results."""
    type = op.results[0].type.element_type if op.results else None
    if not isinstance(type, QuantizedType) or not type.storage_type.is_integer:
        return False
    if any(value.type.element_type != type for region in op.regions for value in region.returns):
        return False  # it stores numbers of two types
    return is_sum(op) or (facts(op).computes and not in_integers(op)) or in_integers(op)

"""Exact arithmetic on stored operands, with which the result of an operation is compared.

The same formulas run at two precisions: f64 arrays decide nearly every element; arrays of `Fraction`s decide
the few that f64 cannot, and give the exact values that are shown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from interp.backends import NUMPY, fl
from interp.engine.facts import NAMESPACE_FORMULAS, facts, facts_of
from interp.engine.quant import Type, spread
from spec.ir import Op
from spec.types import ElementType, QuantizedType

Array = np.ndarray
Number = int | float | Fraction

# On f64 arrays and on object arrays of Fractions or integers alike.
FORMULAS: dict[str, Callable[..., Any]] = {name: over(np) for name, over in NAMESPACE_FORMULAS.items()}
WIDER = {1: np.int16, 2: np.int32, 4: np.int64}  # by bytes: holds sums of two, and a third
_HALF = 0.5
MOST = int(np.finfo(np.float64).max)
ROUNDING = 2.0**-48  # relative error of a formula in f64, generously


def formula(op: Op) -> str:
    """Return the key of an operation in `FORMULAS`: every change of type is a `convert`."""
    return "convert" if facts(op).family == "conversion" else op.name.removeprefix("stablehlo.")


class Unit(NamedTuple):
    """Conversion of stored numbers of a type to real ones: `(stored - zero_point) * scale`."""

    scale: Fraction
    zero_point: int

    def number(self, stored: Any) -> Number:
        """Return the exact real number that a finite stored number represents."""
        if isinstance(stored, complex) or (isinstance(stored, float) and not isfinite(stored)):
            return stored  # type: ignore[return-value]
        if isinstance(stored, np.integer):  # whose arithmetic would wrap
            stored = int(stored)
        return (Fraction(stored) - self.zero_point) * self.scale


@cache
def unit_at(type: Type, shape: tuple[int, ...], index: tuple[int, ...]) -> Unit:
    """Return the scale and zero point of the element `index` of a tensor of this type and shape."""
    if not isinstance(type, QuantizedType):
        return Unit(Fraction(1), 0)
    zero_points = np.broadcast_to(spread(NUMPY, type.zero_points, np.int64, type, shape), shape)
    return Unit(np.broadcast_to(_scales(type, shape), shape)[index], int(zero_points[index]))


def fractions(x: Array) -> Array:
    """Return the same numbers as `Fraction`s; they must be finite."""
    return np.frompyfunc(Fraction, 1, 1)(np.asarray(x).astype(object))


@dataclass(frozen=True)
class Steps:
    """Exact minus stored result of operation `name`, in steps (scales) of the quantized `result`.

    `difference` is its value in f64, off by at most `slack`.
    """

    name: str
    types: tuple[Type, ...]
    result: QuantizedType
    operands: tuple[Array, ...]
    stored: Array
    difference: Array
    slack: Array | float

    def exactly(self, where: Any) -> Array:
        """Return the exact difference at the positions `where`."""
        if isinstance(self.slack, float):
            return np.asarray(self.difference[where])
        shape = self.stored.shape
        units, _ = units_of(self.name, self.types, self.result, _layout(self.types, self.result, shape))
        values = [
            fractions(_pick(_center(x, type, shape), shape, where)) * _pick(unit, shape, where)
            for x, type, unit in zip(self.operands, self.types, units, strict=True)
        ]
        kept = fractions(_center(self.stored, self.result, shape)[where])
        return np.asarray(FORMULAS[self.name](*values) - kept, object)

    def is_misrounded(self) -> Array:
        """Return where the stored integer is not the exact value rounded half to even, or saturated."""
        if self.difference.dtype.kind == "i":
            return self.difference != 0
        size = np.abs(self.difference)
        wrong = np.array(~(size < _HALF))
        unsure = (np.abs(size - _HALF) <= self.slack) & np.isfinite(size)
        if unsure.any():
            exact = np.abs(self.exactly(unsure))
            wrong[unsure] = (exact > _HALF) | ((exact == _HALF) & (self.stored[unsure] % 2 != 0))
        return wrong

    def is_changed(self) -> Array:
        """Return where the stored integer represents another number than the exact result."""
        differs = np.array(self.difference != 0)
        unsure = (np.abs(self.difference) <= self.slack) & np.isfinite(self.difference)
        if unsure.any():
            differs[unsure] = self.exactly(unsure) != 0
        return differs

    def is_saturated(self) -> Array:
        """Return where a misrounded element is a storage bound, with its exact value beyond that bound."""
        stored, least, most = self.stored.astype(np.float64), self.result.storage_min, self.result.storage_max
        low, high = (fl(bound, self.result.expressed_type) for bound in (least, most))
        above = (self.difference > most - stored) & (stored >= min(high, most))
        below = (self.difference < least - stored) & (stored <= max(low, least))
        beyond = np.array(above | below)
        if low > least or high < most:  # that bound is stored for values that round to within the range, too
            where = beyond & np.isfinite(self.difference)
            exact = self.exactly(where) + self.stored[where].astype(object)
            beyond[where] = [not least <= round(value) <= most for value in exact]
        return beyond

    def value(self, at: int) -> Number:
        """Return the exact value at a flat position as a stored number, neither rounded nor clamped."""
        where = np.unravel_index(at, self.stored.shape)
        if not np.isfinite(self.difference[where]):
            return float(self.difference[where])
        difference = self.exactly(tuple(np.asarray([i]) for i in where))
        return Fraction(difference.astype(object).flat[0]) + int(self.stored[where])


def steps(
    name: str, types: Sequence[Type], result: QuantizedType, operands: Sequence[Array], stored: Array
) -> Steps:
    """Compare `stored` with the exact result of the operation on its operands (carriers)."""
    types, shape = tuple(types), stored.shape
    alike = result.is_per_tensor and all(type == result for type in types)
    if facts_of(name).shifts and alike and stored.dtype.kind in "iu":
        whole = _whole_steps(name, result, operands, stored)
        return Steps(name, types, result, tuple(operands), stored, whole, 0.0)
    _, units = units_of(name, types, result, _layout(types, result, shape))
    kept = _center(stored, result, shape)
    slack: Array | float = 0.0
    with np.errstate(over="ignore"):
        values = [_center(x, t, shape) * unit for x, t, unit in zip(operands, types, units, strict=True)]
        exact = np.broadcast_to(FORMULAS[name](*values), shape)
        if not is_precise(name, types, result):
            slack = np.asarray(ROUNDING * (1 + sum(np.abs(x) for x in (*values, exact, kept))))
    return Steps(name, types, result, tuple(operands), stored, np.asarray(exact - kept), slack)


def _whole_steps(name: str, type: QuantizedType, operands: Sequence[Array], stored: Array) -> Array:
    """Return exact minus stored result in integers, for an operation that maps zeros to zero.

    i64 stores no quantized type but the accumulators of contractions, whose terms are at most 2^61.
    """
    formula, zero_point = FORMULAS[name], type.zero_point
    difference = np.asarray(formula(*operands, dtype=WIDER.get(stored.itemsize, np.int64)))
    difference -= stored
    difference += zero_point - int(formula(*[zero_point] * len(operands)))
    return difference


@cache
def units_of(
    name: str, types: tuple[Type, ...], result: QuantizedType, shape: tuple[int, ...]
) -> tuple[list[Array], list[Array]]:
    """Return operands' scales over the result's, exact and in f64; a product's are all in the first."""
    step, *own = (_scales(type, shape) for type in (result, *types))
    if facts_of(name).scales:
        first = own[0] * own[1] if name == "multiply" else own[0] / own[1]
        exact = [first / step, Fraction(1)]
    else:
        exact = [scale / step for scale in own]
    arrays = [np.asarray(unit, object) for unit in exact]
    return arrays, [np.vectorize(_in_f64, [np.float64])(unit) for unit in arrays]


def _in_f64(unit: Fraction) -> float:
    return float(unit if unit <= MOST else MOST)  # finite, so that 0 of the largest units is still 0


@cache
def is_precise(name: str, types: tuple[Type, ...], result: QuantizedType) -> bool:
    """Return whether f64 holds every intermediate number: short dyadic units times short integers.

    A short float times a short dyadic unit is exact, too. Its difference from an integer of a few bits is
    rounded only where the float is nearly zero, beside another number than 0, which no conversion stores for
    it; it is never rounded to 0 or to 1/2.
    """
    quantized = [t for t in (*types, result) if isinstance(t, QuantizedType) and t.is_per_tensor]
    rounded = name == "convert" and isinstance(types[0], ElementType) and types[0].kind == "float"
    if name == "divide" or len(quantized) + rounded <= len(types):
        return False
    units = [unit.item() for unit in units_of(name, types, result, ())[0]]
    dyadic = all(unit.denominator.bit_count() == 1 for unit in units)
    bits = [unit.numerator.bit_length() + unit.denominator.bit_length() for unit in units]
    if isinstance(types[0], ElementType) and rounded:
        bits.append(types[0].precision)
    return dyadic and sum(bits) + sum(t.storage_type.bits + 1 for t in quantized) <= 53


def _layout(types: tuple[Type, ...], result: QuantizedType, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape if any type's parameters depend on the position, else ()."""
    quantized = [t for t in (*types, result) if isinstance(t, QuantizedType)]
    return () if all(t.is_per_tensor for t in quantized) else shape


def _scales(type: Type, shape: tuple[int, ...]) -> Array:
    """Return the scales as Fractions, in an array that broadcasts against `shape`; 1 for a plain type."""
    if not isinstance(type, QuantizedType):
        return np.asarray(Fraction(1), object)
    scales = tuple(Fraction(fl(scale, type.expressed_type)) for scale in type.scales)
    return spread(NUMPY, scales, object, type, shape)


def _center(x: Array, type: Type, shape: tuple[int, ...]) -> Array:
    """Return `q - zero_point` in f64; a plain number is not changed."""
    if not isinstance(type, QuantizedType):
        return x.astype(np.float64)
    return x.astype(np.float64) - spread(NUMPY, type.zero_points, np.float64, type, shape)


def _pick(x: Array, shape: tuple[int, ...], where: Any) -> Array:
    return np.broadcast_to(x, shape)[where]


def rounding_error(name: str, a: Array, b: Array, stored: Array) -> Array:
    """Return `exact - stored` for a float addition, subtraction or multiplication; 0 only if equal."""
    a, b, stored = (np.asarray(x, np.float64) for x in (a, b, stored))
    if name == "multiply":
        product = a * b
        return (product - stored) + _product_remainder(a, b, product)
    b = -b if name == "subtract" else b
    total = a + b
    part = total - a
    return (total - stored) + ((a - (total - part)) + (b - part))


def _product_remainder(a: Array, b: Array, product: Array) -> Array:
    """Return the error of the f64 product `a * b` (Dekker); 0 where the halves overflow."""
    high = [(x * 134217729.0) - (x * 134217729.0 - x) for x in (a, b)]
    low = [x - h for x, h in zip((a, b), high, strict=True)]
    cross = high[0] * low[1] + low[0] * high[1]
    return np.nan_to_num(((high[0] * high[1] - product) + cross) + low[0] * low[1], posinf=0, neginf=0)

"""Ranges of elementwise operations and conversions, from the kernels applied to the ends of their operands.

THEOREM (monotone): where an operation never decreases or never increases in each operand, its extremes are
its values for ends of the operands. Rounding keeps order, so this holds for the kernel, which rounds the
exact function once; on f64, where some functions are off by up to 2 ulp (docs/agreement.md), the ends are
moved outward by 4. A product or a quotient is monotone in each operand, in a direction that the other one
decides, so its extremes are among the values at the corners. It must hold besides that nothing wraps and no
NaN arises between the ends; `_is_regular` and `_whole` check that, and otherwise the result has the range of
its type.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from itertools import product
from typing import Any

import numpy as np

from interp.backends import NUMPY, Array, fl, max_finite
from interp.engine.facts import facts
from interp.engine.stored import dequantized, storage_range
from interp.questions.proving.ranges import Range, between, ends_of, has_order, hull, of_type, of_value
from interp.recorder.exact import FORMULAS, formula
from spec.ir import Op
from spec.types import ElementType, QuantizedType, TensorType

Function = Callable[..., Array]
CORNERS = {"stablehlo.multiply", "stablehlo.divide"}
DOMAIN = {f"stablehlo.{name}": 0 for name in ("log", "rsqrt", "sqrt")} | {"stablehlo.log_plus_one": -1}
ULPS = 4  # beyond an end, on f64
WHOLE = {"add", "subtract", "multiply", "negate"}  # on integers, where they wrap


def elementwise(op: Op, operands: Sequence[Range], function: Function) -> Range:
    """Return the range of an elementwise operation; `function` is its kernel."""
    type = op.result.type
    if not has_order(type) or not all(has_order(x.type) for x in operands):
        return of_type(type)
    operands = [_expanded(x, type) for x in operands]
    if all(x.is_point for x in operands):
        return of_value(type, function(*(x.least for x in operands)))
    if op.name == "stablehlo.select":
        return _selected(op, operands, function)
    if op.name == "stablehlo.abs":
        return _absolute(op, operands[0], function)
    trend = "+" * len(operands) if facts(op).monotone else facts(op).trend
    if not (trend or op.name in CORNERS) or not _is_regular(op, operands):
        return of_type(type)
    if (whole := _whole(op, operands)) is not None:
        return whole
    if op.name in CORNERS:
        return _corners(op, operands, function)
    low = [x.least if sign == "+" else x.greatest for x, sign in zip(operands, trend, strict=True)]
    high = [x.greatest if sign == "+" else x.least for x, sign in zip(operands, trend, strict=True)]
    least, greatest = (function(*ends) for ends in (low, high))
    return _outward(between(type, least, greatest, _nan(operands)), op)


def _expanded(x: Range, result: TensorType) -> Range:
    """Return the range with ends in full where its type or the result's has several scales."""
    types = x.type.element_type, result.element_type
    if all(not isinstance(type, QuantizedType) or type.is_per_tensor for type in types):
        return x
    least, greatest = x.full
    return Range(x.type, least, least if x.least is x.greatest else greatest, x.nan)


def _nan(operands: Sequence[Range]) -> bool:
    """Return whether floats that are NaN or infinite may enter, so that a NaN may result."""
    floats = [x for x in operands if x.type.storage_type.kind == "float"]
    return not all(x.is_finite for x in floats)


def _is_regular(op: Op, operands: Sequence[Range]) -> bool:
    """Return whether no NaN can arise on the way that is stored as an integer, and no zero is divided by."""
    divisors = {"stablehlo.divide": 1, "stablehlo.rsqrt": 0}
    if op.name in divisors and _has_zero(operands[divisors[op.name]]):
        return False
    reals = [dequantized(end, x.type.element_type) for x in operands for end in (x.least, x.greatest)]
    if op.result.type.storage_type.kind == "float":
        has_nan = op.result.type.storage_type.special != "finite"  # else it becomes a number
        return has_nan or op.name not in DOMAIN or not (reals[0] < DOMAIN[op.name]).any()
    if op.result.type.storage_type.kind == "boolean" or any(x.nan for x in operands):
        return False
    types = [value.type.element_type for value in (*op.operands, *op.results)]
    if op.name in DOMAIN and (reals[0] < DOMAIN[op.name]).any():
        return False
    quantized = [type for type in types if isinstance(type, QuantizedType)]
    moves = facts(op).family == "conversion"  # an infinity is only stored
    return all(map(has_numbers, quantized)) and (moves or all(np.isfinite(x).all() for x in reals))


def has_numbers(type: QuantizedType) -> bool:
    """Return whether scales and zero points are numbers other than 0 in an expressed type with infinities."""
    expressed = type.expressed_type
    return (
        expressed.special == "ieee"
        and all(0 < fl(scale, expressed) <= max_finite(expressed) for scale in type.scales)
        and all(abs(point) <= max_finite(expressed) for point in type.zero_points)
    )


def _has_zero(x: Range) -> bool:
    points = x.type.element_type.zero_points if isinstance(x.type.element_type, QuantizedType) else (0,)
    return bool((x.least <= max(points)).any() and (x.greatest >= min(points)).any())


def _whole(op: Op, operands: Sequence[Range]) -> Range | None:
    """Return the range of integers, that of the type where one may wrap; None if nothing wraps."""
    type, name = op.result.type, formula(op)
    if type.is_quantized or not type.storage_type.is_integer:
        return None
    if name == "convert":
        source = operands[0].type.storage_type
        return _fitting(type, operands[0]) if source.is_integer else None
    if name in ("maximum", "minimum", "clamp", "sign"):
        return None
    if name not in WHOLE:
        return of_type(type)
    exact = [[_exact(end) for end in (x.least, x.greatest)] for x in operands]
    values = [_exact(FORMULAS[name](*corner)) for corner in product(*exact)]
    return _held(type, *_extremes(values))


def _fitting(type: TensorType, x: Range) -> Range:
    return _held(type, _exact(x.least), _exact(x.greatest))


def _exact(x: Any) -> Array:
    """Return integers as Python's, in an array."""
    return np.asarray(x).astype(object) if not isinstance(x, int) else np.asarray(x, object)


def _held(type: TensorType, least: Array, greatest: Array) -> Range:
    """Return exact integers as a range of a type, all of it where they may lie beyond."""
    low, high = storage_range(type.element_type)
    least, greatest = _exact(least), _exact(greatest)
    wraps = np.asarray((least < low) | (greatest > high), bool)
    dtype = NUMPY.carrier(type.storage_type)
    least, greatest = np.where(wraps, _exact(low), least), np.where(wraps, _exact(high), greatest)
    return between(type, least.astype(dtype), greatest.astype(dtype))


def _corners(op: Op, operands: Sequence[Range], function: Function) -> Range:
    values = [function(*corner) for corner in product(*((x.least, x.greatest) for x in operands))]
    return between(op.result.type, *_extremes(values), _nan(operands))


def _extremes(values: Sequence[Array]) -> tuple[Array, Array]:
    """Return the least and the greatest of arrays whose shapes may differ: ends are compact one by one."""
    return reduce(np.minimum, values), reduce(np.maximum, values)


def _absolute(op: Op, x: Range, function: Function) -> Range:
    """Return the range of magnitudes: it begins at 0 where the operand may have either sign."""
    if not _is_regular(op, [x]) or x.type.storage_type.kind != "float":
        return _absolute_of_integers(op, x)
    ends = function(x.least), function(x.greatest)
    least = np.where((x.least <= 0) & (x.greatest >= 0), np.zeros_like(ends[0]), np.minimum(*ends))
    return between(op.result.type, least, np.maximum(*ends), x.nan)


def _absolute_of_integers(op: Op, x: Range) -> Range:
    type = op.result.type
    if type.is_quantized or not isinstance(x.type.element_type, ElementType):
        return of_type(type)
    ends = [_exact(x.least), _exact(x.greatest)]
    low, high = (_exact(np.absolute(end)) for end in ends)
    least = np.where((x.least <= 0) & (x.greatest >= 0), _exact(0), np.minimum(low, high))
    return _held(type, least, np.maximum(low, high))


def _selected(op: Op, operands: Sequence[Range], function: Function) -> Range:
    """Return the range of both choices, each quantized to the result's type."""
    pred, *choices = operands
    if not _is_regular(op, choices):
        return of_type(op.result.type)
    found = []
    for value in (False, True):
        chosen = np.full((1,) * op.result.type.rank, value)
        least, greatest = (function(chosen, *ends) for ends in _ends(choices))
        found.append(between(op.result.type, least, greatest, any(x.nan for x in choices)))
    if pred.is_point and pred.least.size == 1:
        return found[int(pred.least.reshape(-1)[0])]
    return hull(found)


def _ends(operands: Sequence[Range]) -> tuple[list[Array], list[Array]]:
    return [x.least for x in operands], [x.greatest for x in operands]


def _outward(x: Range, op: Op) -> Range:
    """Return the range with ends moved outward, where the kernel may be off by an ulp or two."""
    if (
        x.type.storage_type.name != "f64"
        or facts(op).exact
        or facts(op).error in ("root", "rounded to integer")
    ):
        return x
    least, greatest = np.array(x.least), np.array(x.greatest)
    for _ in range(ULPS):
        least, greatest = np.nextafter(least, -np.inf), np.nextafter(greatest, np.inf)
    low, high = ends_of(x.type.element_type)
    return Range(x.type, np.maximum(least, low), np.minimum(greatest, high), x.nan)

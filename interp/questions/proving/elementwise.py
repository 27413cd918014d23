"""Ranges of operations that compute or move elements: kernels applied to the ends of their operands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from interp.backends import NUMPY, Array, fl_all, max_finite
from interp.engine.facts import facts
from interp.engine.storage import storage_range, to_reals
from interp.questions.proving.ranges import (
    Range,
    anywhere,
    between,
    ends_of,
    has_order,
    hull,
    type_range,
    value_range,
    widen_along,
)
from interp.recorder.exact import FORMULAS, formula
from interp.theory.ranges import exact_bracket, extremes, has_extremes
from interp.theory.sums import Ends
from spec.ir import Op
from spec.types import QuantizedType, TensorType

# Ranges of elementwise operations and conversions, from the kernels applied to the ends of their operands.
#
# THEOREM (monotone): rounding keeps order, so that the extremes of `theory.ranges` hold for the kernel,
# which rounds the exact function once; on f64, where some functions are off by up to 2 ulp
# (docs/agreement.md), the ends are moved outward by 4. It must hold besides that nothing wraps and no NaN
# arises between the ends; `_is_regular` and `_whole` check that, and otherwise the result has the range of
# its type.

Function = Callable[..., Array]
DOMAIN = {f"stablehlo.{name}": 0 for name in ("log", "rsqrt", "sqrt")} | {"stablehlo.log_plus_one": -1}
ULPS = 4  # beyond an end, on f64
WHOLE = {"abs", "add", "subtract", "multiply", "negate"}  # on integers, where they wrap


def elementwise(op: Op, operands: Sequence[Range], function: Function) -> Range:
    """Return the range of an elementwise operation; `function` is its kernel."""
    type = op.result.type
    if not has_order(type) or not all(has_order(x.type) for x in operands):
        return type_range(type)
    operands = [_expand(x, type) for x in operands]
    if all(x.is_point for x in operands):
        return value_range(type, function(*(x.least for x in operands)))
    row = facts(op)
    if not has_extremes(row) or not _is_regular(op, operands):
        return type_range(type)
    if (whole := _whole(op, operands)) is not None:
        return whole
    if op.name == "stablehlo.abs" and type.is_quantized:  # whose zero is not stored as 0
        return type_range(type)
    ends = extremes(row, exact_bracket(function), [x.ends for x in operands])
    return _outward(between(type, *ends, _nan(op, operands)), op)


def _expand(x: Range, result: TensorType) -> Range:
    """Return the range with ends in full where its type or the result's has several scales."""
    types = x.type.element_type, result.element_type
    if all(not isinstance(type, QuantizedType) or type.is_per_tensor for type in types):
        return x
    least, greatest = x.full
    return Range(x.type, least, least if x.least is x.greatest else greatest, x.nan)


def _nan(op: Op, operands: Sequence[Range]) -> bool:
    """Return whether a NaN may result: where one enters, or an infinity, which may be subtracted."""
    if op.result.type.storage_type.kind != "float":
        return False
    if facts(op).error in ("largest", "selected"):
        return any(x.nan for x in operands)
    return not all(x.is_finite for x in operands if x.type.storage_type.kind == "float")


def _is_regular(op: Op, operands: Sequence[Range]) -> bool:
    """Return whether no NaN can arise on the way that is stored as an integer, and no zero is divided by."""
    divisors = {"stablehlo.divide": 1, "stablehlo.rsqrt": 0}
    if op.name in divisors and _has_zero(operands[divisors[op.name]]):
        return False
    reals = [to_reals(end, x.type.element_type) for x in operands for end in (x.least, x.greatest)]
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
    expressed, points = type.expressed_type, type.zero_points
    if expressed.special != "ieee" or max(max(points), -min(points)) > max_finite(expressed):
        return False
    scales = fl_all(type.scales, expressed)
    return min(scales) > 0 and max(scales) <= max_finite(expressed)


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
        return wrapped_range(type, operands[0].ends) if source.is_integer else None
    if name in ("maximum", "minimum", "clamp", "sign", "select"):
        return None
    if name not in WHOLE:
        return type_range(type)
    wide = [Ends(_exact(x.least), _exact(x.greatest)) for x in operands]
    return wrapped_range(type, extremes(facts(op), exact_bracket(FORMULAS[name]), wide))


def _exact(x: Any) -> Array:
    """Return integers as Python's, in an array."""
    return np.asarray(x).astype(object) if not isinstance(x, int) else np.asarray(x, object)


def wrapped_range(type: TensorType, ends: Ends) -> Range:
    """Return exact integers as a range of a type that wraps: all of it where they may lie beyond."""
    low, high = storage_range(type.element_type)
    wraps = np.asarray((ends.least < low) | (ends.greatest > high), bool)
    dtype = NUMPY.carrier(type.storage_type)
    sides = zip(ends, (low, high), strict=True)
    return between(type, *(np.where(wraps, _exact(far), end).astype(dtype) for end, far in sides))


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


# Ranges of operations that move elements: their kernels, applied to the least and to the greatest.
#
# THEOREM: such an operation picks elements of its operands by indices. Where these are known, it picks the
# same ones from the ends; otherwise a result may be any element of the operands that it picks from.


def moves(op: Op) -> bool:
    """Return whether the operation's result consists of elements of its operands."""
    return facts(op).moves or (facts(op).family == "indexing" and facts(op).error == "placed")


def data_of(op: Op) -> list[int]:
    """Return the numbers of the operands whose elements are moved; the others are indices."""
    if facts(op).moves:
        return list(range(len(op.operands)))
    return [0, 1] if op.name == "stablehlo.dynamic_update_slice" else [0]


def movement_range(op: Op, operands: Sequence[Range], function: Function) -> Range:
    """Return the range of the result of an operation that moves elements; `function` is its kernel."""
    type, data = op.result.type, data_of(op)
    if not has_order(type):
        return type_range(type)
    others = [x for k, x in enumerate(operands) if k not in data]
    nan = any(operands[k].nan for k in data)
    if not all(x.is_point for x in others):
        return hull([anywhere(type, operands[k]) for k in data])
    full = [x.full for x in operands]
    least = greatest = np.asarray(function(*(ends[0] for ends in full)))
    if any(x.least is not x.greatest for x in operands):
        greatest = np.asarray(function(*(ends[k in data] for k, ends in enumerate(full))))
    return between(type, least, greatest, nan)


def sort_ranges(op: Op, operands: Sequence[Range]) -> list[Range]:
    """Return the ranges of sorted operands: an element may come from anywhere along the dimension."""
    return [
        widen_along(x, [op["dimension"] % x.type.rank]) if has_order(x.type) else type_range(x.type)
        for x in operands
    ]

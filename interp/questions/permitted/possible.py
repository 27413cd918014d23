"""Results that the integer reading permits: intervals of stored elements, rescaled to either neighbour.

An element lies between `low` and `high`. Where `full` is true, every number between them is permitted,
independently of other elements, since each was rounded on its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import ceil, floor
from typing import Any, NamedTuple

import numpy as np

from interp.backends import NUMPY, Array
from interp.engine.evaluate import Context
from interp.engine.in_integers import held, integers, scales
from interp.engine.memo import once
from interp.engine.multipliers import multipliers
from interp.engine.quant import spread
from interp.kernels import OPERATIONS
from interp.kernels.integer_contraction import WIDE
from spec.accumulator import LITERAL, Accumulator
from spec.ir import Op, Value
from spec.types import QuantizedType, TensorType

NARROW = 16  # bits of storage whose sums of products surely fit into 64
_FLOOR = np.frompyfunc(lambda x, ratio: floor(x * ratio), 2, 1)
_CEIL = np.frompyfunc(lambda x, ratio: ceil(x * ratio), 2, 1)


class Possible(NamedTuple):
    """The interval of permitted elements of a value; `single` is true if low equals high everywhere."""

    low: Array
    high: Array
    full: bool = True

    @property
    def single(self) -> bool:
        return self.low is self.high or bool(np.all(self.low == self.high))


def exactly(x: Array) -> Possible:
    return Possible(x, x)


def anything(type: QuantizedType, shape: tuple[int, ...]) -> Possible:
    """Return the interval of all stored elements; none of them is known to be permitted."""
    dtype = NUMPY.carrier(type.storage_type)
    return Possible(np.full(shape, type.storage_min, dtype), np.full(shape, type.storage_max, dtype), False)


Ends = tuple[Array, Array]


def _extremes(f: Callable[..., Array], *operands: Ends) -> Ends:
    """Return the function of intervals for a function that is monotone in each operand."""
    corners = [f(*(x[k >> j & 1] for j, x in enumerate(operands))) for k in range(1 << len(operands))]
    return np.minimum.reduce(corners), np.maximum.reduce(corners)


def _absolute(x: Ends) -> Ends:
    low, high = x
    inside = (low < 0) & (high > 0)
    return np.where(inside, 0, np.minimum(abs(low), abs(high))), np.maximum(abs(low), abs(high))


MONOTONE: dict[str, Callable[..., Array]] = {
    "add": lambda x, y: x + y,
    "clamp": lambda low, x, high: np.minimum(np.maximum(x, low), high),
    "maximum": np.maximum,
    "minimum": np.minimum,
    "negate": np.negative,
    "select": lambda pred, x, y: np.where(pred, x, y),
    "subtract": lambda x, y: x - y,
}


def of_elementwise(op: Op, operands: list[Possible], accumulator: Accumulator) -> Possible:
    """Return the permitted results of an operation, except compare, that is computed with integers."""
    name, type, shape = op.name.removeprefix("stablehlo."), op.result.type, op.result.type.shape
    if name == "multiply":
        return _product(op, operands, accumulator)
    ends = [_in_units(op, k, x) for k, x in enumerate(operands)]
    low, high = _absolute(*ends) if name == "abs" else _extremes(MONOTONE[name], *ends)
    full = all(_is_full(op, k, x, ends[k]) for k, x in enumerate(operands))
    whole = (np.broadcast_to(end, shape) for end in (low, high))
    return _stored((next(whole), next(whole)), type.quantized_element_type, full)


def _quotients(op: Op, k: int) -> Array:
    """Return the scales of an operand over those of the result."""
    operand, result = op.operands[k].type, op.result.type
    source, target = operand.quantized_element_type, result.quantized_element_type
    return np.asarray(scales(source, operand.shape) / scales(target, result.shape), object)


def _in_units(op: Op, k: int, x: Possible) -> Ends:
    """Return the ends of an operand's integers, rescaled to either neighbour; a plain operand unchanged."""
    type = op.operands[k].type.element_type
    return _neighbours(_integers(x, type), _quotients(op, k)) if isinstance(type, QuantizedType) else x[:2]


def _is_full(op: Op, k: int, x: Possible, ends: Ends) -> bool:
    """Return whether all numbers between the ends are permitted, independently of other elements.

    They are not if rescaling leaves gaps between neighbours, or if one element is used for several results.
    """
    shared = op.operands[k].type.shape != op.result.type.shape and bool(np.any(ends[0] != ends[1]))
    apart = op.operands[k].type.is_quantized and not x.single and bool(np.any(_quotients(op, k) > 1))
    return x.full and not shared and not apart


def _integers(x: Possible, type: QuantizedType) -> Ends:
    """Return the ends of `q - zero_point` as integers of any size."""
    low, high = (integers(NUMPY, end, type).astype(object) for end in (x.low, x.high))
    return low, high


def _neighbours(ends: Ends, quotients: Array) -> Ends:
    """Return the lower neighbour of the least quotient, and the upper one of the greatest."""
    return np.asarray(_FLOOR(ends[0], quotients), object), np.asarray(_CEIL(ends[1], quotients), object)


def _product(op: Op, operands: list[Possible], accumulator: Accumulator) -> Possible:
    type, shape = op.result.type.quantized_element_type, op.result.type.shape
    pairs = zip(operands, op.operands, strict=True)
    ends = [_integers(x, value.type.quantized_element_type) for x, value in pairs]
    low, high = _extremes(lambda x, y: x * y, *ends)
    least, most = accumulator.type.min_value, accumulator.type.max_value
    if low.size and not (least <= low.min() and high.max() <= most):
        return anything(type, shape)
    return _requantized(op, (low, high), accumulator, all(x.single for x in operands))


def of_contraction(ctx: Context, op: Op, operands: list[Possible], accumulator: Accumulator) -> Possible:
    """Return the permitted results of a contraction of known elements.

    A sum is exact in any schedule if neither the sum of the positive products nor that of the negative ones
    leaves the accumulator's range. Else it is the wrapped sum, or lies between these two sums, clamped.
    """
    type, shape = op.result.type.quantized_element_type, op.result.type.shape
    bits = [v.type.quantized_element_type.storage_type.bits for v in op.operands[:2]]
    if not all(x.single for x in operands) or max(bits) > NARROW:
        return anything(type, shape)
    lhs, rhs = (
        integers(NUMPY, x.low, v.type.quantized_element_type)
        for x, v in zip(operands[:2], op.operands, strict=False)
    )
    rest = [x.low for x in operands[2:]]
    plain, ctx = _plain_integers(op), ctx._replace(reading=LITERAL)
    kernel: Callable[..., Any] = OPERATIONS.kernels[op.name]
    sums = lambda x, y: kernel(ctx, plain, x, y, *rest)[0]
    up = lambda x: np.maximum(x, 0)
    positive = sums(up(lhs), up(rhs)) + sums(up(-lhs), up(-rhs))
    negative = -sums(up(lhs), up(-rhs)) - sums(up(-lhs), up(rhs))
    total, least, most = positive + negative, accumulator.type.min_value, accumulator.type.max_value
    safe = (negative >= least) & (positive <= most)
    wrapped = held(NUMPY, total, Accumulator(accumulator.bits))
    low = np.where(safe, total, np.minimum(wrapped, np.maximum(negative, least)))
    high = np.where(safe, total, np.maximum(wrapped, np.minimum(positive, most)))
    return _requantized(op, (low, high), accumulator, bool(safe.all()))


@once
def _plain_integers(op: Op) -> Op:
    """Return the same contraction on tensors of plain integers."""
    retyped = lambda value: Value(value.name, TensorType(value.type.shape, WIDE))
    operands = (*map(retyped, op.operands[:2]), *op.operands[2:])
    return replace(op, operands=operands, results=(retyped(op.result),))


def _requantized(op: Op, ends: Ends, accumulator: Accumulator, full: bool) -> Possible:
    quotients, shape = multipliers(op, accumulator)
    table = np.asarray(quotients, object).reshape(shape)
    low, high = (end.astype(object) for end in ends)
    return _stored(_neighbours((low, high), table), op.result.type.quantized_element_type, full)


def of_requantization(op: Op, operand: Possible) -> Possible:
    """Return the permitted results of a requantization in integers: the neighbours of the exact quotient."""
    source, type = op.operands[0].type.quantized_element_type, op.result.type.quantized_element_type
    ends = _neighbours(_integers(operand, source), _quotients(op, 0))
    return _stored(ends, type, _is_full(op, 0, operand, ends))


def of_conversion(op: Op, operand: Possible, given: Array) -> Possible:
    """Return the permitted results of a requantization: `dequantize`'s, or a neighbour of the quotient."""
    source, type = op.operands[0].type.quantized_element_type, op.result.type.quantized_element_type
    found = _stored(_neighbours(_integers(operand, source), _quotients(op, 0)), type, False)
    return Possible(np.minimum(found.low, given), np.maximum(found.high, given), False)


def _stored(ends: Ends, type: QuantizedType, full: bool) -> Possible:
    """Return stored elements for integers of any size: the zero point added, and saturated."""
    zero_points = spread(NUMPY, type.zero_points, np.int64, type, ends[0].shape)
    dtype = NUMPY.carrier(type.storage_type)
    low, high = (np.clip(m + zero_points, type.storage_min, type.storage_max).astype(dtype) for m in ends)
    return Possible(low, high, full)

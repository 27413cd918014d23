"""Stored numbers of a type: their range and real numbers; clipping at zero, and identity elements."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import Any

import numpy as np

from interp.backends import NUMPY, Array, fl, max_finite
from interp.engine.facts import Facts, facts
from interp.engine.quant import Type, dequantize, quantize, spread, to_destination_type
from spec.ir import Op
from spec.types import ElementType, QuantizedType

Range = tuple[int, int]  # least and greatest, both included


def storage(type: Type) -> ElementType:
    """Return the type of the stored elements."""
    return type.storage_type if isinstance(type, QuantizedType) else type


def expressed_type(type: Type) -> ElementType:
    """Return the type of the numbers that stored elements represent."""
    return type.expressed_type if isinstance(type, QuantizedType) else type


def zero_point(type: Type) -> int:
    """Return the stored number that represents zero."""
    return type.zero_point if isinstance(type, QuantizedType) else 0


def is_stored_as_integer(type: Type) -> bool:
    """Return whether elements are integers or quantized: stored as integers."""
    return isinstance(type, QuantizedType) or type.is_integer


def storage_range(type: Type) -> Range:
    """Return the least and the greatest stored integer; for a float type, those of its bits."""
    if isinstance(type, QuantizedType):
        return type.storage_min, type.storage_max
    return type.min_value, type.max_value


def stored_numbers(type: Type) -> Array:
    """Return every integer that a type stores, ascending."""
    low, high = storage_range(type)
    return np.arange(low, high + 1).astype(NUMPY.carrier(storage(type)))


def to_reals(x: Array, type: Type) -> Array:
    """Return the numbers that stored elements represent, in the expressed type."""
    with np.errstate(all="ignore"):
        return dequantize(NUMPY, x, type) if isinstance(type, QuantizedType) else x


def stored_again(x: Array, type: QuantizedType) -> Array:
    """Return stored numbers after `quantize(dequantize(q))`."""
    with np.errstate(all="ignore"):
        return quantize(NUMPY, dequantize(NUMPY, x, type), type)


def convert_leaves(x: Array, source: Type, destination: Type) -> Array:
    """Convert stored numbers to another type, as a reduction converts its leaves."""
    with np.errstate(all="ignore"):
        return to_destination_type(NUMPY, x, source, destination)


# Clipping at the zero point: where zero is an end of a type's range, the type acts as an activation.
#
# A quantizer of a network with ReLU merges it into the type of the result: with `i8:f32, s:-128` no number
# is negative, since what is saturates at the zero point. So outside of accumulations, saturation at that
# end is part of the program's function, not an overflow of it. Saturation at the other end is one, as in
# any type, and so is any saturation of an accumulator: the range of a sum is no activation.

LEAST, GREATEST = -1, 1


def ends_at_zero(type: Type) -> tuple[int, ...]:
    """Return the end of the range at which each zero point lies: `LEAST`, `GREATEST`, or 0 for neither.

    A range of a single number has no such end.
    """
    if not isinstance(type, QuantizedType) or type.storage_min == type.storage_max:
        return ()
    ends = {type.storage_min: LEAST, type.storage_max: GREATEST}
    return tuple(ends.get(zero_point, 0) for zero_point in type.zero_points)


def may_clip(op: Op) -> bool:
    """Return whether the type of an operation's result may clip it at zero.

    That of a reduction does not, nor that of a call or another operation that passes on what others computed.
    """
    element = op.results[0].type.element_type if len(op.results) == 1 else None
    if not isinstance(element, QuantizedType) or not any(ends_at_zero(element)):
        return False
    return not facts(op).reduces and facts(op).family != "control"


def is_at_zero(type: QuantizedType, stored: Array, shape: tuple[int, ...], at: Array) -> Array:
    """Return for the flat positions `at` of stored numbers of a shape whether they are such a zero point."""
    zero_points: Any = np.where(ends_at_zero(type), type.zero_points, type.storage_max + 1)
    here = np.broadcast_to(spread(NUMPY, tuple(zero_points.tolist()), np.int64, type, shape), shape)
    return np.asarray(np.broadcast_to(stored, shape).reshape(-1)[at] == here.reshape(-1)[at])


# The identity element of a reduction's body, if its operation has one (erratum E9).

Stored = int | float | Fraction


def identity(op: Op) -> Stored | None:
    """Return the stored number `e` with `op(e, x) = x` for every x, or None if none is known."""
    return neutral(facts(op), op.result.type.element_type)


def neutral(row: Facts, type: Type) -> Stored | None:
    """Return the identity of an operation on elements of this type, or None if none is known."""
    match row.identity:
        case "zero":
            return _storage_number(0, type)
        case "one":
            return _storage_number(1, type)
        case "least":
            return _bounds(type)[0]
        case "greatest":
            return _bounds(type)[1]
        case "all ones":
            return _storage_number(-1, type) if _bounds(type)[0] else _bounds(type)[1]
    return None


def _storage_number(value: int, type: Type) -> Stored:
    """Return the stored number that represents a real number exactly."""
    if isinstance(type, QuantizedType):
        return Fraction(value) / Fraction(fl(type.scale, type.expressed_type)) + type.zero_point
    return value


def _bounds(type: Type) -> tuple[Stored, Stored]:
    """Return the least and the greatest stored number."""
    if isinstance(type, ElementType) and type.kind == "float":
        greatest = inf if type.special == "ieee" else max_finite(type)
        return -greatest, greatest
    return storage_range(type)

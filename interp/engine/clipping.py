"""Clipping at the zero point: where zero is an end of a type's range, the type acts as an activation.

A quantizer of a network with ReLU merges it into the type of the result: with `i8:f32, s:-128` no number is
negative, since what is saturates at the zero point. So outside of accumulations, saturation at that end is
part of the program's function, not an overflow of it. Saturation at the other end is one, as in any type,
and so is any saturation of an accumulator: the range of a sum is no activation.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from interp.backends import NUMPY, Array
from interp.engine.facts import facts
from interp.engine.quant import Type, spread
from spec.ir import Op
from spec.types import QuantizedType

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

"""A test in a few whole-array operations that nearly every quantized element passes: it has no event."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from typing import TypeGuard

import numpy as np

from interp.backends import fl
from interp.engine.quant import Type
from interp.engine.stored import storage_range
from interp.recorder.exact import ROUNDING, Array, units_of
from interp.recorder.judgement import Judgement
from spec.types import ElementType, QuantizedType


def is_testable(destination: Type, source: Type) -> TypeGuard[QuantizedType]:
    """Return whether a conversion has no event where its result is less than half a step off.

    THEOREM: it is rounded well there, hence not saturated. In IEEE's formats a NaN is off by NaN. Reading the
    operand has no event, as there is no zero point to subtract.
    """
    if not isinstance(destination, QuantizedType) or not destination.is_per_tensor:
        return False
    plain = isinstance(source, ElementType) and source.kind == "float"
    moves = isinstance(source, QuantizedType) and (not source.is_per_tensor or source.zero_point)
    ieee = destination.expressed_type.special == "ieee"
    finite = ieee and isfinite(fl(destination.zero_point, destination.expressed_type))
    return finite and (plain or not (isinstance(source, ElementType) or moves))


def doubtful(source: Type, destination: QuantizedType, before: Array, after: Array) -> Array:
    """Return the flat positions where a conversion may have an event.

    THEOREM: where the difference is computed as less than half a step, no number in it is more than half a
    step greater than the largest stored one, which bounds the errors of its rounding (`steps`).
    """
    _, (unit,) = units_of("convert", (source,), destination, ())
    zero_point = destination.zero_point
    largest = max(abs(end - zero_point) for end in storage_range(destination))
    most = 0.5 - ROUNDING * (3 + 3 * largest)
    with np.errstate(over="ignore", invalid="ignore"):
        difference = np.multiply(before.reshape(-1), unit, dtype=np.float64)
        stored = after.reshape(-1)
        difference -= stored.astype(np.float64) - zero_point if zero_point else stored
        np.abs(difference, out=difference)
        return np.flatnonzero(~(difference < most))


def placed(judgements: Iterator[Judgement], at: Array) -> Iterator[Judgement]:
    """Yield judgements of the elements at these ascending positions as judgements of all elements."""
    for each in judgements:
        exact = lambda k, each=each: each.exact(int(np.searchsorted(at, k)))
        yield each._replace(at=at[each.at], exact=exact)

"""Events of one quantized result: saturation, rounding, and intermediate infinities and NaN."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np

from interp.backends import NUMPY, fl, max_finite
from interp.engine.quant import Type, convert, in_f64, scaled_and_moved
from interp.engine.stored import to_reals, expressed_type, storage_range
from interp.kernels import elementwise
from interp.recorder.exact import FORMULAS, Array, steps
from interp.recorder.judgement import Judgement, mask_events, no_value
from spec.ir import Op
from spec.types import ELEMENT_TYPES, ElementType, QuantizedType

F64 = ELEMENT_TYPES["f64"]
DOUBT = 2.0**-40  # relative: functions in f64 are a few units of the last place off, and decide no tie


def quantized_events(
    op: Op, name: str, types: list[Type], operands: Sequence[Array], element: QuantizedType, result: Array
) -> Iterator[Judgement]:
    """Yield saturation, and other differences from exact arithmetic: lost digits, infinity or NaN."""
    if name in FORMULAS:
        s = steps(name, types, element, operands, result)
        wrong = s.is_misrounded()
    else:
        s = steps("convert", [F64], element, [_in_f64(op, name, types, operands, element)], result)
        wrong = s.is_misrounded() & ~(np.abs(s.difference) <= 0.5 + DOUBT * (1 + np.abs(result)))
    suspect = wrong | (result == stored_nan(element)) if may_be_nan(name, (*types, element)) else wrong
    if not suspect.any():
        return
    saturated = wrong & s.is_saturated()
    yield from mask_events("saturate", saturated, s.difference, s.value)
    rest = suspect & ~saturated
    if rest.any():
        nan, inf = on_the_way(_quantized_value(op, name, types, operands, element), element, result.shape)
        yield from mask_events("nan", rest & nan, nan, no_value)
        rest &= wrong
        yield from mask_events("inf", rest & inf, s.difference, s.value)
        yield from mask_events("inexact", rest & np.isfinite(s.difference), s.difference, s.value)


def on_the_way(x: Array, type: QuantizedType, shape: tuple[int, ...]) -> tuple[Array, Array]:
    """Return where quantizing x, in the carrier of the expressed type, meets a NaN; and where an infinity.

    The numbers on the way are x, its quotient by the scale, and the sum with the zero point.
    """
    x = np.broadcast_to(x, shape)
    with np.errstate(all="ignore"):
        moved = scaled_and_moved(NUMPY, x, type)
    return np.isnan(moved), np.isinf(x) | np.isinf(moved)


def stored_nan(type: QuantizedType) -> int:
    """Return the stored number that NaN becomes: 0, clamped (erratum E4)."""
    low, high = storage_range(type)
    return min(max(0, low), high)


@cache
def may_be_nan(name: str, types: tuple[Type, ...]) -> bool:
    """Return whether a quantized result may pass through NaN although the exact result is a number.

    That requires an intermediate infinity, or an overflow in a format without infinities. `types` are the
    types of the operands and of the result.
    """
    numbers = [t for t in types if isinstance(t, QuantizedType)]
    floats = any(isinstance(t, ElementType) and t.kind == "float" for t in types)
    if floats or any(not t.is_per_tensor or t.expressed_type.special != "ieee" for t in numbers):
        return True
    sizes = [np.abs(to_reals(np.array(storage_range(t)), t)).max() for t in numbers]
    sizes += [abs(fl(t.zero_point, t.expressed_type)) for t in numbers]
    return not sum(sizes) <= min(max_finite(t.expressed_type) for t in numbers)


def _in_f64(op: Op, name: str, types: list[Type], operands: Sequence[Array], element: QuantizedType) -> Array:
    """Return the exact function of the dequantized operands, to the precision of f64.

    If the exact function has no value, as for a negative number to a fractional power, use the rounded
    result.
    """
    values = [
        to_reals(x, in_f64(t)) if isinstance(t, QuantizedType) else x.astype(np.float64)
        for x, t in zip(operands, types, strict=True)
    ]
    exact = elementwise.prepare(NUMPY, op, [F64] * len(values), F64)(*values)
    if not np.isnan(exact).any():
        return exact
    return np.where(np.isnan(exact), _quantized_value(op, name, types, operands, element), exact)


def _quantized_value(
    op: Op, name: str, types: list[Type], operands: Sequence[Array], element: QuantizedType
) -> Array:
    """Return the float that was quantized to give the result."""
    values = list(map(to_reals, operands, types))
    if name == "convert":
        return convert(NUMPY, values[0], expressed_type(types[0]), element.expressed_type)
    return elementwise.prepare(NUMPY, op, [*map(expressed_type, types)], element.expressed_type)(*values)

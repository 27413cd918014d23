"""Sums and extremes of two scales in the fixed point of LiteRT and TOSA: finer units of the larger scale."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from interp.backends import Array
from interp.engine import fixed_point as fixed
from interp.engine.in_integers import scales
from interp.engine.memo import once
from interp.engine.recipes import Requantize, exact_f32
from spec.errors import Location
from spec.ir import Op, Value
from spec.recipe_scope import SUMS
from spec.recipes import TFLITE_DOUBLE, TOSA


class TwoInputs(NamedTuple):
    """Functions that bring each operand to the finer units, and a result of them to its scale."""

    enter: Sequence[Requantize]
    leave: Requantize


@once
def two_inputs(op: Op, recipe: str) -> TwoInputs:
    """Return the functions for an operation on per-tensor types of 8 or 16 bits."""
    s_l, s_r, s_y = (_scale(value, recipe, op.location) for value in (*op.operands, op.result))
    bits = op.result.type.storage_type.bits
    finer = 20 if bits == 8 else 15
    unit = max(s_l, s_r) * (1 if recipe == TOSA and op.name not in SUMS else 2)
    ratios, last = (s_l / unit, s_r / unit), unit / (s_y * 2.0**finer)
    if recipe == TOSA:
        enter = [_in_tosa(ratio * 2.0**finer, bits, op.location) for ratio in ratios]
        return TwoInputs(enter, _in_tosa(last, 31, op.location))
    rounded = fixed.doubly_rounded if recipe == TFLITE_DOUBLE else fixed.singly_rounded
    enter = [_times(rounded, fixed.quantize_multiplier(ratio, 30, op.location), finer) for ratio in ratios]
    return TwoInputs(enter, _times(rounded, fixed.below_one(last, op.location)))


def _scale(value: Value, recipe: str, where: Location) -> float:
    scale = float(scales(value.type.quantized_element_type, value.type.shape).item())
    return scale if recipe == TOSA else float(exact_f32(where, scale))


def _in_tosa(real: float, bits: int, where: Location) -> Requantize:
    by = fixed.alone(fixed.with_shift(real, 31, where))
    return lambda xp, x: fixed.apply_scale(xp, x, by, bits, False, where)


def _times(rounded: Callable[..., Array], pair: tuple[int, int], finer: int = 0) -> Requantize:
    by = fixed.alone(pair)
    return lambda xp, x: rounded(xp, x << finer, by)

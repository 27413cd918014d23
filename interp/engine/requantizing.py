"""Requantization by recipes: of elements, of operands of two scales, and of the sums of products."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from interp.backends import NUMPY, Array, Namespace, fl
from interp.engine.evaluate import Context
from interp.engine.facts import facts
from interp.engine.in_integers import LIMIT, Ratios, integers, ratios, rescale, scales, store
from interp.engine.memo import once
from interp.engine.quant import Type, spread, to_destination_type
from interp.engine.recipes import (
    GIVEN,
    Multiplier,
    Requantize,
    Rescaling,
    alone,
    apply_scale,
    below_one,
    doubly_rounded,
    exact_f32,
    quantize_multiplier,
    requantization,
    singly_rounded,
    with_shift,
)
from spec.accumulator import Accumulator, Reading
from spec.errors import UNKNOWN, Location, Unsupported
from spec.ir import Op, Value
from spec.multipliers import multipliers_in
from spec.readings import SUMS, conversion_error
from spec.recipes import EXACT, LARGEST_RATIO, ONNXRUNTIME, TFLITE_DOUBLE, TOSA, beyond
from spec.types import QuantizedType


def entering(ctx: Context, x: Array, source: Type, destination: Type) -> Array:
    """Requantize elements in integers, where a reduction converts its operands or its results."""
    both = isinstance(source, QuantizedType) and isinstance(destination, QuantizedType)
    if not (ctx.reading.is_integer and both):
        return to_destination_type(ctx.xp, x, source, destination)
    return requantize_elements(ctx.xp, x, source, destination, ctx.reading.recipe)  # type: ignore[arg-type]


def requantize_elements(
    xp: Namespace, x: Array, source: QuantizedType, destination: QuantizedType, recipe: str = EXACT
) -> Array:
    """Return the elements stored in another type, by a recipe where the scales differ."""
    if source == destination:
        return x
    m = integers(xp, x, source)
    same = _equal_scales(source, destination, tuple(x.shape))
    if same.all():
        return store(xp, m, destination)
    requantize = between(source, destination, recipe, tuple(x.shape))
    found = requantize(xp, m)
    return xp.where(xp.asarray(same), store(xp, m, destination), found) if same.any() else found


@once
def between(
    source: QuantizedType,
    destination: QuantizedType,
    recipe: str,
    shape: tuple[int, ...],
    where: Location = UNKNOWN,
    kernel: str = "",
) -> Requantize:
    """Return the function from integers `q - zero_point` of a type to elements stored in another."""
    if error := conversion_error(recipe, source, destination, where):
        raise error
    bits = source.storage_type.bits
    by = scales(source, shape), scales(destination, shape), destination
    return requantization(recipe, Rescaling((by[0],), *by[1:], bits, bits, kernel, where))


@once
def by_multipliers(op: Op) -> Requantize:
    """Return the function from integers `q - zero_point` to stored elements that a program gives itself."""
    known, type = multipliers_in(op), op.result.type.quantized_element_type
    shape = [-1 if d == known.axis else 1 for d in range(op.result.type.rank)]
    factors, shifts = (np.array(numbers, np.int64).reshape(shape) for numbers in known[:2])
    rescale = GIVEN[known.rounding](Multiplier(factors, shifts))
    return lambda xp, x: store(xp, rescale(xp, x), type)


@once
def _equal_scales(source: QuantizedType, destination: QuantizedType, shape: tuple[int, ...]) -> np.ndarray:
    return np.asarray(scales(source, shape) == scales(destination, shape), bool)


# Rescaling of an operation's operands and accumulators in the integer reading: ratios and recipes.


@once
def quotients(op: Op, k: int) -> Ratios:
    """Return the scales of operand k divided by those of the result: factors that rescale the operand."""
    operand, result = op.operands[k].type, op.result.type
    source, target = operand.quantized_element_type, result.quantized_element_type
    found = ratios(scales(source, operand.shape) / scales(target, result.shape))
    if facts(op).error == "sum" and found[0] and max(found[0]) * 2**source.storage_type.bits > LIMIT:
        evidence = "rescaled operands of sums have at most 59 bits; requantize the operand first"
        verdict = f"not supported: {op.name} of {operand!r} to {result!r} in integers"
        raise Unsupported(verdict, evidence, op.location)
    return found


@once
def multipliers(op: Op, accumulator: Accumulator) -> Ratios:
    """Return `s_lhs * s_rhs / s_result`, in a shape that broadcasts against the result.

    It is 1 where the result is the accumulator itself (see `is_accumulator`).
    """
    lhs, rhs, target = _scales_of(op)
    quotients = np.asarray(lhs * rhs / target, object)
    return ratios(np.where(is_accumulator(op, accumulator), np.asarray(Fraction(1), object), quotients))


@once
def is_accumulator(op: Op, accumulator: Accumulator) -> np.ndarray:
    """Return where the result is the accumulator: of its type, zero point 0 and the same rounded scale."""
    shape, target = op.result.type.shape, op.result.type.quantized_element_type
    lhs, rhs, units = _scales_of(op)
    fl_product = np.frompyfunc(lambda exact: Fraction(fl(float(exact), target.expressed_type)), 1, 1)
    same = np.asarray(fl_product(lhs * rhs) == units, bool)
    same = same & (spread(NUMPY, target.zero_points, np.int64, target, shape) == 0)
    return same & (target.storage_type == accumulator.type)


@once
def finishing(op: Op, reading: Reading, bits: int) -> Requantize:
    """Return the function from the accumulators of a product or contraction to its stored results.

    bits: of which the magnitude of an accumulator is at most 2^bits.
    """
    accumulator, type = reading.accumulator, op.result.type.quantized_element_type
    same = is_accumulator(op, accumulator)
    if same.all():
        return lambda xp, x: store(xp, x, type)
    if reading.recipe == EXACT:
        return lambda xp, x: store(xp, rescale(xp, x, *multipliers(op, accumulator), bits), type)
    replaced = (np.asarray(number, object) for number in (Fraction(1, 2), Fraction(1, 2), Fraction(1)))
    pairs = zip(replaced, _scales_of(op), strict=True)
    lhs, rhs, target = (np.asarray(np.where(same, *pair), object) for pair in pairs)
    by = Rescaling((lhs, rhs), target, type, bits, accumulator.bits, op.name, op.location)
    requantize = requantization(reading.recipe, by)
    if not same.any():
        return requantize
    return lambda xp, x: xp.where(xp.asarray(same), store(xp, x, type), requantize(xp, x))


def _scales_of(op: Op) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    lhs, rhs = (_along_result(op, k) for k in (0, 1))
    return lhs, rhs, scales(op.result.type.quantized_element_type, op.result.type.shape)


def _along_result(op: Op, k: int) -> Any:
    """Return the scales of an operand in a shape that broadcasts against the result."""
    value = op.operands[k]
    exact = scales(value.type.quantized_element_type, value.type.shape)
    if exact.size == 1 or op.name == "stablehlo.multiply":
        return exact.reshape(()) if exact.size == 1 else exact
    from interp.engine.block_scales import scales_per_result  # which few programs need

    return scales_per_result(op, k, np.broadcast_to(exact, value.type.shape))


# Sums and extremes of two scales in the fixed point of LiteRT and TOSA: finer units of the larger scale.


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
    rounded = doubly_rounded if recipe == TFLITE_DOUBLE else singly_rounded
    enter = [_times(rounded, quantize_multiplier(ratio, 30, op.location), finer) for ratio in ratios]
    return TwoInputs(enter, _times(rounded, below_one(last, op.location)))


def _scale(value: Value, recipe: str, where: Location) -> float:
    scale = float(scales(value.type.quantized_element_type, value.type.shape).item())
    return scale if recipe == TOSA else float(exact_f32(where, scale))


def _in_tosa(real: float, bits: int, where: Location) -> Requantize:
    by = alone(with_shift(real, 31, where))
    return lambda xp, x: apply_scale(xp, x, by, bits, False, where)


def _times(rounded: Callable[..., Array], pair: tuple[int, int], finer: int = 0) -> Requantize:
    by = alone(pair)
    return lambda xp, x: rounded(xp, x << finer, by)


# Sums of two scales as onnxruntime's QLinearAdd computes them on x86, of all pairs of elements of 8 bits.


@once
def sums_of_pairs(op: Op) -> np.ndarray:
    """Return the stored sums in a row for each element of lhs, and a column for each of rhs, from the least.

    They are `rne(fma(lhs, r_l, fma(rhs, r_r, c)))`, `c = zp - fma(r_l, zp_l, r_r * zp_r)`, in f32.
    """
    x, y, type = (value.type.quantized_element_type for value in (*op.operands, op.result))
    s_l, s_r, s_y = (np.float32(_scale(v, ONNXRUNTIME, op.location)) for v in (*op.operands, op.result))
    with np.errstate(all="ignore"):
        r_l, r_r = s_l / s_y, s_r / s_y
    if max(r_l, r_r) > LARGEST_RATIO:
        found = f"the scales of operands and result have the ratio {float(max(r_l, r_r))!r}"
        raise beyond(found, "at most 2^22", op.location)
    constant = np.float32(type.zero_point) - _multiply_add(r_l, x.zero_point, r_r * np.float32(y.zero_point))
    elements = np.arange(256) + type.storage_type.min_value
    sums = _multiply_add(elements[:, None], r_l, _multiply_add(elements, r_r, constant))
    return np.clip(np.rint(sums), type.storage_min, type.storage_max).astype(type.storage_type.numpy)


def _multiply_add(x: Any, y: Any, addend: Any) -> np.ndarray:
    """Return x * y + addend, rounded once to f32, for integers x of at most 29 bits."""
    from interp.engine.float_sums import sum_of_two, to_odd  # which few runs need

    product = np.asarray(x, np.float64) * np.float64(y)
    return to_odd(*sum_of_two(product, np.asarray(addend, np.float64))).astype(np.float32)

"""Requantization by recipes: of elements from type to type, of operands, and of the sums of products."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from interp.backends import NUMPY, Array, Namespace, fl
from interp.engine.evaluate import Context
from interp.engine.facts import facts
from interp.engine.in_integers import LIMIT, Ratios, integers, ratios, rescale, scales, store
from interp.engine.memo import once
from interp.engine.quant import Type, spread, to_destination_type
from interp.engine.recipes import Requantize, Rescaling, requantization
from spec.accumulator import Accumulator, Reading
from spec.errors import UNKNOWN, Location, Unsupported
from spec.ir import Op
from spec.readings import conversion_error
from spec.recipes import EXACT
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
    type = value.type.quantized_element_type
    if type.is_per_tensor or op.name == "stablehlo.multiply":
        return scales(type, value.type.shape)
    axis = _axis_of_result(op)
    flat = scales(type, value.type.shape).reshape(-1)
    return flat.reshape([-1 if d == axis else 1 for d in range(op.result.type.rank)])


def _axis_of_result(op: Op) -> int:
    """Return the dimension of the result that the quantization dimension of rhs becomes."""
    if op.name != "stablehlo.dot_general":
        return int(op["output_feature_dimension"])
    lhs, rhs = (value.type for value in op.operands)
    axis, batch = rhs.quantized_element_type.quantization_dimension, [*op["rhs_batching_dimensions"]]
    assert axis is not None
    if axis in batch:
        return batch.index(axis)
    free = [d for d in range(rhs.rank) if d not in (*batch, *op["rhs_contracting_dimensions"])]
    return lhs.rank - len(op["lhs_contracting_dimensions"]) + free.index(axis)

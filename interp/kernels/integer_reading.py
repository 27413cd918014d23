"""Elementwise operations in the integer reading: on `q - zero_point`, in units of the result's scale."""

from __future__ import annotations

from interp.backends import DIRECTIONS, Array, Namespace, State
from interp.engine.entering import between
from interp.engine.evaluate import Context
from interp.engine.facts import NAMESPACE_FORMULAS
from interp.engine.in_integers import hold_sum, integers, store
from interp.engine.multipliers import finishing, quotients
from interp.engine.prepared import Kernel
from interp.engine.quant import dequantize, quantize
from interp.engine.rescaling import rescale
from interp.kernels.by_recipe import by_recipe, by_onnx
from interp.kernels.wide_integers import clamp, is_wide, narrow, product
from interp.speed.exact_contraction import most_product
from spec.integer_reading import ELEMENTWISE, has_equal_scales
from spec.ir import Op
from spec.recipes import EXACT, ONNX, SPECIFICATION
from spec.types import QuantizedType


def elementwise(ctx: Context, op: Op, *operands: Array) -> State:
    """`result[i] = f(q_operands[i] - zero_point...)`, rescaled to the result's scale first; saturates."""
    xp, name, recipe = ctx.xp, op.name.removeprefix("stablehlo."), ctx.reading.recipe
    if name == "multiply":
        return (by_onnx(xp, op, *operands),) if recipe == ONNX else multiply(ctx, op, *operands)
    if name == "compare":
        type = op.operands[0].type.quantized_element_type
        return (DIRECTIONS[op["comparison_direction"]](*(integers(xp, x, type) for x in operands)),)
    function = NAMESPACE_FORMULAS[name](xp)
    if recipe != EXACT and not has_equal_scales(op):
        return (by_recipe(xp, op, recipe, function)(*operands),)
    result = function(*(_in_units(xp, op, k, x) for k, x in enumerate(operands)))
    return (store(xp, result, op.result.type.quantized_element_type),)


def uniform_quantize(ctx: Context, op: Op, x: Array) -> State:
    """`result = operand`, requantized by the recipe."""
    source, type = op.operands[0].type.quantized_element_type, op.result.type.quantized_element_type
    if ctx.reading.recipe == SPECIFICATION:
        return (quantize(ctx.xp, dequantize(ctx.xp, x, source), type, computed=True),)
    requantize = between(source, type, ctx.reading.recipe, op.result.type.shape, op.location)
    return (requantize(ctx.xp, integers(ctx.xp, x, source)),)


def _in_units(xp: Namespace, op: Op, k: int, x: Array) -> Array:
    """Return an operand's integers in units of the result's scale; a plain operand is not changed."""
    type = op.operands[k].type.element_type
    if not isinstance(type, QuantizedType):
        return x
    return rescale(xp, integers(xp, x, type), *quotients(op, k), type.storage_type.bits)


def multiply(ctx: Context, op: Op, lhs: Array, rhs: Array) -> State:
    """`accumulator((q_lhs - zero_point_lhs) * (q_rhs - zero_point_rhs))`, requantized."""
    xp, accumulator = ctx.xp, ctx.reading.accumulator
    pair = zip((lhs, rhs), op.operands, strict=True)
    x, y = (integers(xp, each, value.type.quantized_element_type) for each, value in pair)
    if is_wide(op, accumulator):
        return (requantize_sums(ctx, op, narrow(clamp(xp, product(x, y), accumulator)), 1),)
    return (requantize_sums(ctx, op, hold_sum(xp, x * y, accumulator), 1),)


def requantize_sums(ctx: Context, op: Op, total: Array, products: int) -> Array:
    """Return the stored results for accumulators, sums of so many products, by the recipe."""
    bits = min(ctx.reading.accumulator.bits - 1, (products * most_product(op)).bit_length())
    return finishing(op, ctx.reading, bits)(ctx.xp, total)


KERNELS: dict[str, Kernel] = {
    **dict.fromkeys(ELEMENTWISE, elementwise),
    "stablehlo.uniform_quantize": uniform_quantize,
}

"""Elementwise operations in the integer reading: on `q - zero_point`, in units of the result's scale."""

from __future__ import annotations

from collections.abc import Callable

from interp.backends import DIRECTIONS, Array, Namespace, State
from interp.engine.evaluate import Context
from interp.engine.in_integers import held, integers, stored
from interp.engine.multipliers import multipliers, quotients
from interp.engine.prepared import Kernel
from interp.engine.rescaling import rescaled
from interp.ops.wide_integers import clamped, is_wide, narrow, product
from spec.accumulator import Accumulator
from spec.integer_reading import ELEMENTWISE
from spec.ir import Op
from spec.types import QuantizedType

Function = Callable[..., Array]

FUNCTIONS: dict[str, Function] = {
    "abs": lambda xp, x: xp.abs(x),
    "add": lambda xp, x, y: x + y,
    "clamp": lambda xp, low, x, high: xp.minimum(xp.maximum(x, low), high),
    "maximum": lambda xp, x, y: xp.maximum(x, y),
    "minimum": lambda xp, x, y: xp.minimum(x, y),
    "negate": lambda xp, x: -x,
    "select": lambda xp, pred, on_true, on_false: xp.where(pred, on_true, on_false),
    "subtract": lambda xp, x, y: x - y,
}


def elementwise(ctx: Context, op: Op, *operands: Array) -> State:
    """`result[i] = f(m of operands[i]...)`, operands of other scales rescaled first; the result saturates."""
    xp, name = ctx.xp, op.name.removeprefix("stablehlo.")
    if name == "multiply":
        return multiply(ctx, op, *operands)
    if name == "compare":
        type = op.operands[0].type.quantized_element_type
        return (DIRECTIONS[op["comparison_direction"]](*(integers(xp, x, type) for x in operands)),)
    units = [_in_units(xp, op, k, x) for k, x in enumerate(operands)]
    result = FUNCTIONS[name](xp, *units)
    return (stored(xp, result, op.result.type.quantized_element_type),)


def _in_units(xp: Namespace, op: Op, k: int, x: Array) -> Array:
    """Return an operand's integers in units of the result's scale; a plain operand as it is."""
    type = op.operands[k].type.element_type
    if not isinstance(type, QuantizedType):
        return x
    return rescaled(xp, integers(xp, x, type), *quotients(op, k), type.storage_type.bits)


def multiply(ctx: Context, op: Op, lhs: Array, rhs: Array) -> State:
    """`accumulator(m_lhs * m_rhs)`, requantized."""
    xp, accumulator = ctx.xp, ctx.reading.accumulator
    pair = zip((lhs, rhs), op.operands, strict=True)
    x, y = (integers(xp, each, value.type.quantized_element_type) for each, value in pair)
    if is_wide(op, accumulator):
        return (requantized(xp, op, narrow(clamped(xp, product(x, y), accumulator)), accumulator),)
    return (requantized(xp, op, held(xp, x * y, accumulator), accumulator),)


def requantized(xp: Namespace, op: Op, total: Array, accumulator: Accumulator) -> Array:
    """Return the stored results for accumulators: the exact quotient of scales, rounded once."""
    m = rescaled(xp, total, *multipliers(op, accumulator), accumulator.bits - 1)
    return stored(xp, m, op.result.type.quantized_element_type)


KERNELS: dict[str, Kernel] = dict.fromkeys(ELEMENTWISE, elementwise)

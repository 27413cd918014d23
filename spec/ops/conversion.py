"""Conversions of StableHLO, casts of the `quant` dialect, and custom calls of PyTorch's exporter."""

from __future__ import annotations

from collections.abc import Sequence

from spec import integers, notation
from spec.bits import bits, element
from spec.constraint import OpSpec
from spec.context import Context, Results
from spec.errors import Unsupported
from spec.index import Index, Tensor, build
from spec.ir import Op
from spec.notation import dequantize, quantize, quantized_element_type, scale_at, zero_point_at
from spec.numbers import add, divide, multiply, round_to, subtract
from spec.ops import checks
from spec.ops.conversion_constraints import (
    BITCAST_CONVERT,
    CONVERT,
    CUSTOM_CALL,
    DCAST,
    DEQUANTIZE_CALL,
    QCAST,
    QUANTIZE_CALL,
    SCAST,
    UNIFORM_DEQUANTIZE,
    UNIFORM_QUANTIZE,
)


def convert(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result[i] = operand[i] in the element type of the result."""
    (operand,) = operands
    return (notation.convert(operand, op.result.type),)


def bitcast_convert(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """bits(result) = bits(operand): one little-endian string of bits, split differently (erratum E17)."""
    (operand,) = operands
    source, target = operand.type.storage_type, op.result.type.storage_type
    whole = 0
    for k, value in enumerate(operand.elements):
        whole |= bits(value, source) << (k * source.bits)
    cut = (whole >> (k * target.bits) for k in range(op.result.type.size))
    return (Tensor(op.result.type, tuple(element(b % (1 << target.bits), target) for b in cut)),)


def uniform_quantize(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result = quantize(is_quantized(operand) ? dequantize(operand) : operand, type(result))"""
    (operand,) = operands
    return (quantize(dequantize(operand) if operand.type.is_quantized else operand, op.result.type),)


def uniform_dequantize(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result = dequantize(operand)"""
    (operand,) = operands
    return (dequantize(operand),)


def qcast(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """clamp(convertFloatToInt(expressedValue / scale + zeroPoint), storageMin, storageMax) (erratum E16)"""
    (operand,) = operands
    type = quantized_element_type(op.result.type)
    T = type.expressed_type

    def stored(index: Index) -> int:
        scaled = divide(operand[index], scale_at(op.result.type, index), T)
        moved = add(scaled, round_to(zero_point_at(op.result.type, index), T), T)
        return min(max(integers.saturate(moved, type.storage_type), type.storage_min), type.storage_max)

    return (build(op.result.type, stored),)


def dcast(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """(convertIntToFloat(storedValue) - convertIntToFloat(zeroPoint)) * scale (erratum E16)"""
    (operand,) = operands
    T = quantized_element_type(operand.type).expressed_type

    def expressed(index: Index) -> float:
        zero_point = round_to(zero_point_at(operand.type, index), T)
        return multiply(
            subtract(round_to(operand[index], T), zero_point, T), scale_at(operand.type, index), T
        )

    return (build(op.result.type, expressed),)


def custom_call(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """Return the result of the op that `call_target_name` names, as PyTorch's exporter writes quantize."""
    target = op["call_target_name"]
    if target not in CUSTOM_CALLS:
        known = f"custom calls with a meaning here: {', '.join(CUSTOM_CALLS)}"
        raise Unsupported(f"custom_call @{target} has no meaning here", known, op.location)
    return CUSTOM_CALLS[target](op, operands, context)


CUSTOM_CALLS = {
    QUANTIZE_CALL: uniform_quantize,
    DEQUANTIZE_CALL: uniform_dequantize,
    **checks.CUSTOM_CALLS,
}

OPS = {
    "stablehlo.convert": OpSpec(CONVERT, convert),
    "stablehlo.bitcast_convert": OpSpec(BITCAST_CONVERT, bitcast_convert),
    "stablehlo.uniform_quantize": OpSpec(UNIFORM_QUANTIZE, uniform_quantize),
    "stablehlo.uniform_dequantize": OpSpec(UNIFORM_DEQUANTIZE, uniform_dequantize),
    "stablehlo.custom_call": OpSpec(CUSTOM_CALL, custom_call, bundles=True),
    "quant.qcast": OpSpec(QCAST, qcast),
    "quant.dcast": OpSpec(DCAST, dcast),
    "quant.scast": OpSpec(SCAST, bitcast_convert),
}

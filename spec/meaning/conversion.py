"""Conversions of StableHLO, casts of the `quant` dialect, and custom calls of PyTorch's exporter."""

from __future__ import annotations

from collections.abc import Sequence

from spec.errors import Unsupported
from spec.ir import Op
from spec.meaning import checks, notation
from spec.meaning.bits import to_bits, from_bits
from spec.meaning.context import Context, Meaning, Results
from spec.meaning.index import Tensor
from spec.meaning.notation import dequantize, quantize
from spec.rules.conversion import DEQUANTIZE_CALL, QUANTIZE_CALL


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
        whole |= to_bits(value, source) << (k * source.bits)
    cut = (whole >> (k * target.bits) for k in range(op.result.type.size))
    return (Tensor(op.result.type, tuple(from_bits(b % (1 << target.bits), target) for b in cut)),)


def uniform_quantize(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result = quantize(is_quantized(operand) ? dequantize(operand) : operand, type(result))"""
    (operand,) = operands
    return (quantize(dequantize(operand) if operand.type.is_quantized else operand, op.result.type),)


def uniform_dequantize(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result = dequantize(operand)"""
    (operand,) = operands
    return (dequantize(operand),)


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
    **checks.CHECKS,
}

MEANINGS: dict[str, Meaning] = {
    "stablehlo.convert": convert,
    "stablehlo.bitcast_convert": bitcast_convert,
    "stablehlo.uniform_quantize": uniform_quantize,
    "stablehlo.uniform_dequantize": uniform_dequantize,
    "stablehlo.custom_call": custom_call,
    "quant.qcast": uniform_quantize,  # erratum E16
    "quant.dcast": uniform_dequantize,
    "quant.scast": bitcast_convert,
}

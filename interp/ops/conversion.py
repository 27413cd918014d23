"""Operations that change the element type: convert, bitcast_convert, quantization and its dialects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interp.backends import Array, Namespace, State
from interp.engine.evaluate import Context
from interp.engine.quant import (
    UNBOUNDED,
    complex_parts,
    dequantize,
    float_to_integer,
    quantize,
    rounded,
    scaled_and_moved,
    spread,
    wrap,
)
from interp.engine.quant import convert as convert_element
from spec.ir import Op
from spec.types import QuantizedType, complex_part


def convert(ctx: Context, op: Op, operand: Array) -> State:
    """Element-wise conversion from one element type to another."""
    source, result = op.operand.type.tensor_element_type, op.result.type.tensor_element_type
    return (convert_element(ctx.xp, operand, source, result),)


def bitcast_convert(ctx: Context, op: Op, operand: Array) -> State:
    """`bits(result) = bits(operand)`, little-endian; of a complex number the real part comes first."""
    xp, source, result = ctx.xp, op.operand.type.storage_type, op.result.type.storage_type
    if source.kind == "complex":
        operand = xp.stack(complex_parts(xp, operand, source), axis=-1)
    parts = [complex_part(type) if type.kind == "complex" else type for type in (source, result)]
    stored = xp.from_bits(_cut(xp, xp.to_bits(operand, parts[0]), *(part.bits for part in parts)), parts[1])
    if result.kind == "complex":
        stored = stored.reshape(*op.result.type.shape, 2)
        return (xp.join_complex(stored[..., 0], stored[..., 1], xp.carrier(result)),)
    return (stored.reshape(op.result.type.shape),)


def _cut(xp: Namespace, bits: Array, old: int, new: int) -> Array:
    """Cut the bits of the last dimension, little-endian, into pieces of `new` bits instead of `old`."""
    if old > new:
        pieces = xp.stack([(bits >> step) & ((1 << new) - 1) for step in range(0, old, new)], axis=-1)
        return pieces.reshape(*bits.shape[:-1], bits.shape[-1] * (old // new)) if bits.ndim else pieces
    if old < new:
        wide = bits.astype(xp.uint64).reshape(*bits.shape[:-1], bits.shape[-1] // (new // old), new // old)
        return sum(wide[..., k] << (k * old) for k in range(new // old))
    return bits


def uniform_quantize(ctx: Context, op: Op, operand: Array) -> State:
    """`quantize(operand, type(result))`, a quantized operand dequantized first."""
    source = op.operand.type.element_type
    if isinstance(source, QuantizedType):
        operand = dequantize(ctx.xp, operand, source)
    computed = isinstance(source, QuantizedType)
    return (quantize(ctx.xp, operand, op.result.type.quantized_element_type, computed),)


def uniform_dequantize(ctx: Context, op: Op, operand: Array) -> State:
    """`dequantize(operand)`."""
    return (dequantize(ctx.xp, operand, op.operand.type.quantized_element_type),)


def qcast(ctx: Context, op: Op, operand: Array) -> State:
    """`clamp(convertFloatToInt(expressed / scale + zeroPoint), storageMin, storageMax)`, truncating (E16)."""
    xp, type = ctx.xp, op.result.type.quantized_element_type
    if type.storage_type == UNBOUNDED:
        return (xp.trunc(scaled_and_moved(xp, operand, type)).astype(xp.float64),)
    least, most = (
        xp.asarray(bound, xp.carrier(type.storage_type)) for bound in (type.storage_min, type.storage_max)
    )
    whole = float_to_integer(xp, scaled_and_moved(xp, operand, type), type.storage_type)
    return (xp.minimum(xp.maximum(whole, least), most),)


def dcast(ctx: Context, op: Op, operand: Array) -> State:
    """`(convertIntToFloat(storedValue) - convertIntToFloat(zeroPoint)) * scale`, each step rounded (E16)."""
    xp, type = ctx.xp, op.operand.type.quantized_element_type
    expressed, dtype = type.expressed_type, xp.carrier(type.expressed_type)
    unbounded = op.operand.type.storage_type == UNBOUNDED
    stored = xp.round_to(operand, expressed) if unbounded else xp.integer_to_float(operand, expressed)
    zero_point = spread(xp, rounded(type).zero_points, dtype, type, operand.shape)
    scale = spread(xp, rounded(type).scales, dtype, type, operand.shape)
    return (xp.round_to(xp.round_to(stored - zero_point, expressed) * scale, expressed),)


def storage_cast(ctx: Context, op: Op, operand: Array) -> State:
    """`quant.scast`: the same bits as storage or as the quantized type."""
    storage = op.result.type.storage_type
    return (wrap(ctx.xp, operand.astype(ctx.xp.carrier(storage)), storage),)


CUSTOM_CALLS = {
    "odml_torch.uniform_quantize": uniform_quantize,
    "odml_torch.uniform_dequantize": uniform_dequantize,
}

KERNELS: dict[str, Callable[..., Any]] = {
    "stablehlo.convert": convert,
    "stablehlo.bitcast_convert": bitcast_convert,
    "stablehlo.uniform_quantize": uniform_quantize,
    "stablehlo.uniform_dequantize": uniform_dequantize,
    "quant.qcast": qcast,
    "quant.dcast": dcast,
    "quant.scast": storage_cast,
}

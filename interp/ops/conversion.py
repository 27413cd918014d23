"""Operations that change the element type: convert, bitcast_convert, and those of quantization."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from interp.backends import Array, Namespace
from interp.engine.prepared import Preparation
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

Function = Callable[..., Array]


def convert(xp: Namespace, op: Op) -> Function:
    """Element-wise conversion from one element type to another."""
    source, result = op.operand.type.tensor_element_type, op.result.type.tensor_element_type
    return lambda operand: convert_element(xp, operand, source, result)


def bitcast_convert(xp: Namespace, op: Op) -> Function:
    """`bits(result) = bits(operand)`, little-endian; a complex number begins with the real part."""
    source, result = op.operand.type.storage_type, op.result.type.storage_type
    before, after = (complex_part(type) if type.kind == "complex" else type for type in (source, result))

    def apply(operand: Array) -> Array:
        if source.kind == "complex":
            operand = xp.stack(complex_parts(xp, operand, source), axis=-1)
        stored = xp.from_bits(_cut(xp, xp.to_bits(operand, before), before.bits, after.bits), after)
        if result.kind == "complex":
            stored = stored.reshape(*op.result.type.shape, 2)
            return xp.join_complex(stored[..., 0], stored[..., 1], xp.carrier(result))
        return stored.reshape(op.result.type.shape)

    return apply


def _cut(xp: Namespace, bits: Array, old: int, new: int) -> Array:
    """Regroup the bits along the last dimension, little-endian, from pieces of `old` bits to `new` bits."""
    if old > new:
        pieces = xp.stack([(bits >> step) & ((1 << new) - 1) for step in range(0, old, new)], axis=-1)
        return pieces.reshape(*bits.shape[:-1], bits.shape[-1] * (old // new)) if bits.ndim else pieces
    if old < new:
        wide = bits.astype(xp.uint64).reshape(*bits.shape[:-1], bits.shape[-1] // (new // old), new // old)
        return sum(wide[..., k] << (k * old) for k in range(new // old))
    return bits


def uniform_quantize(xp: Namespace, op: Op) -> Function:
    """`quantize(operand, type(result))`, a quantized operand dequantized first."""
    source, result = op.operand.type.element_type, op.result.type.quantized_element_type
    if not isinstance(source, QuantizedType):
        return lambda operand: quantize(xp, operand, result)
    return lambda operand: quantize(xp, dequantize(xp, operand, source), result, computed=True)


def uniform_dequantize(xp: Namespace, op: Op) -> Function:
    """`dequantize(operand)`."""
    type = op.operand.type.quantized_element_type
    return lambda operand: dequantize(xp, operand, type)


def qcast(xp: Namespace, op: Op) -> Function:
    """`clamp(convertFloatToInt(expressed / scale + zeroPoint), storageMin, storageMax)`, truncating (E16)."""
    return partial(_qcast, xp, op.result.type.quantized_element_type)


def _qcast(xp: Namespace, type: QuantizedType, operand: Array) -> Array:
    if type.storage_type == UNBOUNDED:
        return xp.trunc(scaled_and_moved(xp, operand, type)).astype(xp.float64)
    least, most = (
        xp.asarray(bound, xp.carrier(type.storage_type)) for bound in (type.storage_min, type.storage_max)
    )
    whole = float_to_integer(xp, scaled_and_moved(xp, operand, type), type.storage_type)
    return xp.minimum(xp.maximum(whole, least), most)


def dcast(xp: Namespace, op: Op) -> Function:
    """`(convertIntToFloat(storedValue) - convertIntToFloat(zeroPoint)) * scale`, each step rounded (E16)."""
    return partial(_dcast, xp, op.operand.type.quantized_element_type)


def _dcast(xp: Namespace, type: QuantizedType, operand: Array) -> Array:
    expressed, dtype = type.expressed_type, xp.carrier(type.expressed_type)
    unbounded = type.storage_type == UNBOUNDED
    stored = xp.round_to(operand, expressed) if unbounded else xp.integer_to_float(operand, expressed)
    zero_point = spread(xp, rounded(type).zero_points, dtype, type, operand.shape)
    scale = spread(xp, rounded(type).scales, dtype, type, operand.shape)
    return xp.round_to(xp.round_to(stored - zero_point, expressed) * scale, expressed)


def storage_cast(xp: Namespace, op: Op) -> Function:
    """Reinterpret the bits of storage as the quantized type, or those of the quantized type as storage."""
    storage = op.result.type.storage_type
    return lambda operand: wrap(xp, operand.astype(xp.carrier(storage)), storage)


CUSTOM_CALLS: dict[str, Preparation] = {
    "odml_torch.uniform_quantize": uniform_quantize,
    "odml_torch.uniform_dequantize": uniform_dequantize,
}

PREPARED: dict[str, Preparation] = {
    "stablehlo.convert": convert,
    "stablehlo.bitcast_convert": bitcast_convert,
    "stablehlo.uniform_quantize": uniform_quantize,
    "stablehlo.uniform_dequantize": uniform_dequantize,
    "quant.qcast": qcast,
    "quant.dcast": dcast,
    "quant.scast": storage_cast,
}

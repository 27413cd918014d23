"""Operations that change the element type: convert, bitcast_convert, and those of quantization."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from interp.backends import Array, Namespace
from interp.engine.prepared import Preparation
from interp.engine.quant import complex_parts, dequantize, quantize, wrap
from interp.engine.quant import convert as convert_element
from interp.speed.tables import tabulate
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
    if source == result:
        return lambda operand: operand
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
    return tabulate(xp, _requantize, "uniform_quantize", [source], result)


def _requantize(xp: Namespace, name: str, types: Sequence[QuantizedType], result: QuantizedType) -> Function:
    (source,) = types
    return lambda operand: quantize(xp, dequantize(xp, operand, source), result, computed=True)


def uniform_dequantize(xp: Namespace, op: Op) -> Function:
    """`dequantize(operand)`."""
    type = op.operand.type.quantized_element_type
    return lambda operand: dequantize(xp, operand, type)


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
    "quant.qcast": uniform_quantize,  # erratum E16
    "quant.dcast": uniform_dequantize,
    "quant.scast": storage_cast,
}

"""Operations that change the element type: convert, bitcast_convert, quantization and its dialects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interp.evaluate import Context
from interp.namespace import Array, State
from interp.quant import (
    UNBOUNDED,
    dequantize,
    float_to_integer,
    quantize,
    rounded,
    scaled_and_moved,
    spread,
    wrap,
)
from interp.quant import convert as convert_element
from spec.errors import Unsupported
from spec.ir import Op
from spec.types import QuantizedType


def convert(ctx: Context, op: Op, operand: Array) -> State:
    """Element-wise conversion from one element type to another."""
    source, result = op.operand.type.tensor_element_type, op.result.type.tensor_element_type
    return (convert_element(ctx.xp, operand, source, result),)


def bitcast_convert(ctx: Context, op: Op, operand: Array) -> State:
    """`bits(result) = bits(operand)`, little-endian."""
    source, result = op.operand.type.storage_type, op.result.type.storage_type
    bits = ctx.xp.to_bits(operand, source)
    if source.bits > result.bits:
        steps = range(0, source.bits, result.bits)
        mask = (1 << result.bits) - 1
        bits = ctx.xp.stack([(bits >> step) & mask for step in steps], axis=-1)
    elif source.bits < result.bits:
        wide = bits.astype(ctx.xp.uint64)
        bits = sum(wide[..., k] << (k * source.bits) for k in range(wide.shape[-1]))
    return (ctx.xp.from_bits(bits, result),)


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
    """`quant.scast`: the bits of the storage, by another name."""
    storage = op.result.type.storage_type
    return (wrap(ctx.xp, operand.astype(ctx.xp.carrier(storage)), storage),)


CUSTOM_CALLS = {
    "odml_torch.uniform_quantize": uniform_quantize,
    "odml_torch.uniform_dequantize": uniform_dequantize,
}


def custom_call(ctx: Context, op: Op, *operands: Array) -> State:
    """The calls of exporters that we know; `interp.load` types the quantized value that they pass on."""
    target = op["call_target_name"]
    if target not in CUSTOM_CALLS:
        raise Unsupported(
            f"custom_call @{target} is not known", f"known: {', '.join(CUSTOM_CALLS)}", op.location
        )
    return CUSTOM_CALLS[target](ctx, op, *operands)


KERNELS: dict[str, Callable[..., Any]] = {
    "stablehlo.convert": convert,
    "stablehlo.bitcast_convert": bitcast_convert,
    "stablehlo.uniform_quantize": uniform_quantize,
    "stablehlo.uniform_dequantize": uniform_dequantize,
    "quant.qcast": qcast,
    "quant.dcast": dcast,
    "quant.scast": storage_cast,
    "stablehlo.custom_call": custom_call,
}

"""Operations on quantized tensors that compute in floats: dequantize the operands, quantize the results."""

from __future__ import annotations

from collections.abc import Callable

from interp.backends import Array, State
from interp.engine.evaluate import Context
from interp.engine.quant import dequantize, quantize
from spec.ir import Op
from spec.types import QuantizedType

Plain = Callable[..., State]  # plain(ctx, op, *operands) -> results, on carriers of the expressed type


def through_floats(plain: Plain) -> Plain:
    """Return the kernel `quantize(plain(dequantize(operands)...), types(results)...)`; `plain` on floats."""

    def kernel(ctx: Context, op: Op, *operands: Array) -> State:
        values = [_to_reals(ctx, x, v.type.element_type) for x, v in zip(operands, op.operands, strict=True)]
        results = plain(ctx, op, *values)
        return tuple(_to_storage(ctx, y, v.type.element_type) for y, v in zip(results, op.results, strict=True))

    return kernel


def _to_reals(ctx: Context, x: Array, type: object) -> Array:
    return dequantize(ctx.xp, x, type) if isinstance(type, QuantizedType) else x


def _to_storage(ctx: Context, y: Array, type: object) -> Array:
    return quantize(ctx.xp, y, type, computed=True) if isinstance(type, QuantizedType) else y

"""QuantizeLinear and DequantizeLinear as operations on quantized types; arithmetic where no type says it."""

from __future__ import annotations

from math import isfinite

import numpy as np

from interp.reading.onnx.build import I32
from interp.reading.onnx.node import Build, Node
from interp.reading.onnx.tensors import element_of, stored
from spec.ir import Value
from spec.types import ElementType, QuantizedType, TensorType


def quantized_type(n: Node, first: int, x: TensorType, element: ElementType) -> QuantizedType | None:
    """Return the quantized type that the scale at input `first` and the zero point behind it give.

    None if they are not constant, or no quantized type has them: scales that are not positive, blocks.
    """
    scale, point = n.symbol(first), n.symbol(first + 1) if n.has(first + 1) else None
    if not scale.is_known or (point is not None and not point.is_known) or not element.is_integer:
        return None
    scales = scale.known().astype(np.float64)
    points = point.known() if point is not None else np.zeros(scales.shape, np.int64)
    if points.shape != scales.shape:
        raise n.malformed(f"scale has the shape {scales.shape}, zero point {points.shape}")
    if scales.size and not all(isfinite(s) and s >= 2.0**-126 for s in scales.reshape(-1)):
        return None
    axis = None
    if scales.size != 1:
        axis = n.axis(1, x.rank) if x.rank > 1 else 0
        if scales.ndim != 1 or n.attribute("block_size", 0):
            return None
        if x.shape[axis] != scales.size:
            raise n.malformed(f"{scales.size} scales for a dimension of {x.shape[axis]}")
    return QuantizedType(
        element,
        element.min_value,
        element.max_value,
        scale.type.tensor_element_type,
        tuple(map(float, scales.reshape(-1))),
        tuple(map(int, points.reshape(-1))),
        axis,
        spelling=f"{'u' * (element.kind == 'unsigned')}{'i' * (element.kind == 'signed')}{element.bits}",
    )


def quantize(n: Node) -> Value:
    """Return round(x / scale) + zero point, saturated.

    ONNX adds the zero point after rounding, `uniform_quantize` before: so the numbers are rounded in 32 bits
    first, without a zero point.
    """
    x = n.value(0)
    element = n.type(2).storage_type if n.has(2) else element_of(n.attribute("output_dtype", 0) or 2)
    type = quantized_type(n, 1, x.type, element)
    if type is None or x.type.tensor_element_type != type.expressed_type:
        raise n.unsupported(f"of {x.type!r} to {element} with these parameters")
    return rounded_first(n, x, type)


def rounded_first(n: Node, x: Value, type: QuantizedType) -> Value:
    if not any(type.zero_points):
        return n.b.quantize(x, type)
    zeros = (0,) * len(type.zero_points)
    wide = QuantizedType(
        I32,
        I32.min_value,
        I32.max_value,
        type.expressed_type,
        type.scales,
        zeros,
        type.quantization_dimension,
    )
    return n.b.quantize(n.b.quantize(x, wide), type)


def dequantize(n: Node) -> Value:
    """Return (x - zero point) * scale."""
    element = n.type(0).storage_type
    type = quantized_type(n, 1, n.type(0), element)
    out = element_of(n.attribute("output_dtype", 0) or 1)
    if type is None:
        raise n.unsupported(f"of {n.type(0)!r} with these parameters")
    if n.symbol(0).value is None:
        x = n.b.array(stored(n.known(0), element), type)
    else:
        x = n.b.bitcast(n.stored(0), type)
    real = n.b.dequantize(x)
    return n.b.convert(real, out) if n.attribute("output_dtype", 0) else real


TABLE: dict[str, Build] = {"QuantizeLinear": quantize, "DequantizeLinear": dequantize}

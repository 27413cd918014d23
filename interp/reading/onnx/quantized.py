"""QuantizeLinear and DequantizeLinear as operations on quantized types; arithmetic where no type says it."""

from __future__ import annotations

from typing import Any

import numpy as np

from interp.reading.onnx.build import I32
from interp.reading.onnx.node import Build, Node, Symbol
from interp.reading.onnx.tensors import element_of, stored
from spec.ir import Value
from spec.types import ElementType, QuantizedType, TensorType

LEAST = 2.0**-126  # a scale below is subnormal


def quantized_type(n: Node, first: int, x: TensorType, element: ElementType) -> QuantizedType | None:
    """Return the quantized type that the scale at input `first` and the zero point behind it give.

    None if they are not constant, or no quantized type has them: scales that are not positive, blocks.
    """
    scale, point = n.symbol(first), n.inputs[first + 1] if n.has(first + 1) else None
    if not scale.is_known or (point is not None and not point.is_known) or not element.is_integer:
        return None
    scales = scale.known().astype(np.float64)
    points = point.known() if point is not None else np.zeros(scales.shape, np.int64)
    if point is not None and point.type.storage_type != element:
        raise n.malformed(f"a zero point of {point.type!r} for numbers of {element}")
    if not np.isfinite(scales).all():
        raise n.unsupported("a scale that is not a finite number")
    if element == I32 and points.any():
        raise n.malformed("a zero point other than 0: ONNX has none for int32")
    if points.size != scales.size:
        raise n.malformed(f"scale has the shape {scales.shape}, zero point {points.shape}")
    if not (scales >= LEAST).all():
        return None
    axis = None
    if scales.size != 1:
        axis = n.axis(1, x.rank) if x.rank > 1 else 0
        if scales.ndim != 1 or n.attribute("block_size", 0):
            return None
        if x.shape[axis] != scales.size:
            raise n.malformed(f"{scales.size} scales for a dimension of {x.shape[axis]}")
    return of_storage(element, scale.type.tensor_element_type, scales, points, axis)


def of_storage(
    element: ElementType, expressed: ElementType, scales: Any, points: Any = 0, axis: int | None = None
) -> QuantizedType:
    """Return the quantized type with these scales and zero points, of the whole range of its storage."""
    numbers = tuple(map(float, np.asarray(scales).reshape(-1)))
    whole = tuple(map(int, np.broadcast_to(np.reshape(points, -1), len(numbers))))
    spelling = f"{'u' if element.kind == 'unsigned' else 'i'}{element.bits}"
    ends = element.min_value, element.max_value
    return QuantizedType(element, *ends, expressed, numbers, whole, axis, spelling=spelling)


def quantize(n: Node) -> Value:
    """Return round(x / scale) + zero point, saturated."""
    x = n.value(0)
    element = n.type(2).storage_type if n.has(2) else element_of(n.attribute("output_dtype", 0) or 2)
    type = quantized_type(n, 1, x.type, element)
    if type is None or x.type.tensor_element_type != type.expressed_type:
        return by_arithmetic(n, x, element)
    return rounded_first(n, x, type)


def rounded_first(n: Node, x: Value, type: QuantizedType) -> Value:
    """Return x quantized, the zero point added after rounding.

    `uniform_quantize` adds it before, so the numbers are first rounded in 32 bits, without a zero point.
    """
    if not any(type.zero_points):
        return n.b.quantize(x, type)
    wide = of_storage(I32, type.expressed_type, type.scales, 0, type.quantization_dimension)
    return n.b.quantize(n.b.quantize(x, wide), type)


def by_arithmetic(n: Node, x: Value, element: ElementType) -> Value:
    """Return x quantized by parameters that only a run knows, or that no quantized type has."""
    real = x.type.tensor_element_type
    if real.kind != "float" or not element.is_integer:
        raise n.unsupported(f"of {x.type!r} to {element} with these parameters")
    scale = parameter(n, 1, x.type)
    wide = real if real.bits >= scale.type.tensor_element_type.bits else scale.type.tensor_element_type
    whole = n.b.unary(
        "round_nearest_even", n.b.binary("divide", n.b.convert(x, wide), n.b.convert(scale, wide))
    )
    if n.has(2):
        whole = n.b.binary("add", whole, n.b.convert(parameter(n, 2, x.type), wide))
    return n.b.convert(n.b.clamp(element.min_value, whole, element.max_value), element)


def parameter(n: Node, k: int, x: TensorType) -> Value:
    """Return scales or zero points in the shape of x: one number, or one for each slice or block."""
    given = n.value(k)
    if given.type.size == 1:
        return n.b.place(n.b.reshape(given, ()), x.shape, ())
    axis = n.axis(1, x.rank) if x.rank > 1 else 0
    if given.type.rank == 1 and not n.attribute("block_size", 0):
        return n.b.place(given, x.shape, (axis,))
    size = n.attribute("block_size", 0)
    if given.type.rank != x.rank or size < 1:
        raise n.malformed(f"parameters {given.type!r} do not fit {x!r}")
    spread = (*given.type.shape[: axis + 1], size, *given.type.shape[axis + 1 :])
    repeated = n.b.place(given, spread, [d for d in range(x.rank + 1) if d != axis + 1])
    joined = [s * size if d == axis else s for d, s in enumerate(given.type.shape)]
    return n.b.slice_in(n.b.reshape(repeated, joined), axis, 0, x.shape[axis])


def dequantize(n: Node) -> Value:
    """Return (x - zero point) * scale."""
    out = element_of(n.attribute("output_dtype", 0)) if n.attribute("output_dtype", 0) else None
    type = quantized_type(n, 1, n.type(0), n.type(0).storage_type)
    real = (
        dequantized_by_arithmetic(n, out) if type is None else n.b.dequantize(as_type(n, n.symbol(0), type))
    )
    return n.b.convert(real, out) if out else real


def as_type(n: Node, symbol: Symbol, type: QuantizedType) -> Value:
    """Return a tensor's stored numbers in a quantized type; a constant is written in it."""
    if symbol.value is None:
        return n.b.array(stored(symbol.known(), type.storage_type), type)
    return n.b.bitcast(symbol.value, type)


def dequantized_by_arithmetic(n: Node, out: ElementType | None) -> Value:
    x, scale = n.value(0), parameter(n, 1, n.type(0))
    real = out or scale.type.tensor_element_type
    wide = I32 if x.type.tensor_element_type.is_integer else real
    if n.has(2):
        moved = [n.b.convert(v, wide) for v in (x, parameter(n, 2, x.type))]
        x = n.b.binary("subtract", *moved)
    return n.b.binary("multiply", n.b.convert(x, real), n.b.convert(scale, real))


TABLE: dict[str, Build] = {"QuantizeLinear": quantize, "DequantizeLinear": dequantize}

"""Operators on quantized tensors, as quantizers write them in the operator format (QLinearConv, QGemm, ...).

Contractions sum exactly in 32 bits, then scale once: the sum times `x_scale * w_scale / y_scale`, in float32,
rounded, and the zero point added after rounding. These are onnxruntime's bits. What a standard document
defines as a float operation between DequantizeLinear and QuantizeLinear is written as that.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import prod
from typing import Any

import numpy as np

from interp.reading.onnx import contractions, elementwise, movement, normalization, reductions
from interp.reading.onnx.build import F32, I32
from interp.reading.onnx.node import Build, Node, Symbol
from interp.reading.onnx.quantized import as_type, of_storage, quantized_type, rounded_first
from interp.reading.onnx.reductions import element_counts
from interp.reading.onnx.windows import pooling_window
from spec.ir import Value
from spec.types import ELEMENT_TYPES, QuantizedType, TensorType


def type_at(n: Node, k: int, x: TensorType | None = None, axis: int = 0) -> QuantizedType:
    """Return the quantized type of the tensor at input k, whose scale and zero point follow it."""
    x = x or n.type(k)
    view = replace(n, inputs=n.inputs)
    view.__dict__["attributes"] = {"axis": axis}
    type = quantized_type(view, k + 1, x, x.storage_type)
    if type is None:
        raise n.unsupported(f"input {k + 1}: the scale is not constant and positive")
    return type


def result_type(n: Node, k: int) -> QuantizedType:
    """Return the type of the result, whose scale is input k and whose zero point follows it."""
    scale = n.known(k).reshape(-1)
    if n.has(k + 1):
        element, point = n.type(k + 1).tensor_element_type, n.integers(k + 1)[0]
    else:
        element, point = n.type(0).storage_type, 0
    if scale.size != 1 or not 0 < float(scale[0]) < np.inf:
        raise n.unsupported("the scale of the result is not one positive number")
    return of_storage(element, F32, float(scale[0]), point)


def summed(
    n: Node,
    operands: tuple[Symbol, Symbol],
    types: tuple[QuantizedType, QuantizedType],
    contract: contractions.Contract,
    feature: int,
) -> Value:
    """Return the exact sums of products of two quantized tensors, as 32-bit integers.

    feature: the dimension of the result that the second operand's scales belong to. StableHLO wants weights
    without zero points, and one storage type; weights of other types are moved and summed in integers.
    """
    left, right = (as_type(n, symbol, type) for symbol, type in zip(operands, types, strict=True))
    if any(types[1].zero_points) or types[1].storage_type.kind == "unsigned":
        return contract(n, moved(n, left, types[0]), moved(n, right, types[1]), I32)
    scales = np.float32(types[0].scale) * np.asarray(types[1].scales, np.float32)
    axis = feature if types[1].is_per_axis else None
    return n.plain(contract(n, signed(n, left), right, of_storage(I32, F32, scales, 0, axis)))


def signed(n: Node, x: Value) -> Value:
    """Return the same numbers in signed storage: stored numbers and zero point move by half the range."""
    type = x.type.quantized_element_type
    if type.storage_type.kind == "signed":
        return x
    storage = ELEMENT_TYPES[f"i{type.storage_type.bits}"]
    return n.b.quantize(x, of_storage(storage, F32, type.scale, type.zero_point + storage.min_value))


def moved(n: Node, x: Value, type: QuantizedType) -> Value:
    """Return stored numbers less their zero points, as 32-bit integers."""
    wide = n.b.convert(n.plain(x), I32)
    points = n.b.array(np.asarray(type.zero_points, np.int32), I32)
    if type.quantization_dimension is None:
        return n.b.binary("subtract", wide, n.b.reshape(points, ()))
    return n.b.binary("subtract", wide, n.b.place(points, wide.type.shape, (type.quantization_dimension,)))


def rescaled(n: Node, total: Value, multipliers: Any, type: QuantizedType, axis: int | None = None) -> Value:
    """Return round(total * multiplier) + zero point: the multiplier is the scale in which total is read."""
    multipliers = np.asarray(multipliers, np.float32)
    axis = axis if multipliers.size > 1 else None
    numbers = multipliers if axis is not None else multipliers.reshape(-1)[:1]
    steps = n.b.dequantize(n.b.bitcast(total, of_storage(I32, F32, numbers, 0, axis)))
    unit = of_storage(type.storage_type, F32, 1.0, type.zero_point)
    return n.b.bitcast(rounded_first(n, steps, unit), type)


def multiplier(left: QuantizedType, right: QuantizedType, out: QuantizedType) -> np.ndarray:
    """Return x_scale * w_scale / y_scale, each step in float32."""
    return np.float32(left.scale) * np.asarray(right.scales, np.float32) / np.float32(out.scale)


def qlinear_conv(n: Node) -> Value:
    left, right, out = type_at(n, 0), type_at(n, 3), result_type(n, 6)
    total = summed(n, (n.symbol(0), n.symbol(3)), (left, right), contractions.convolved, 1)
    if n.has(8):
        total = contractions.with_bias(n, total, n.value(8))
    return rescaled(n, total, multiplier(left, right, out), out, 1)


def qlinear_matmul(n: Node) -> Value:
    left, right, out = type_at(n, 0), type_at(n, 3, axis=-1), result_type(n, 6)
    if not left.is_per_tensor:
        raise n.unsupported("a scale for each row")
    last = max(n.type(0).rank, n.type(3).rank) - 1
    total = summed(n, (n.symbol(0), n.symbol(3)), (left, right), contractions.product, last)
    return rescaled(n, total, multiplier(left, right, out), out, total.type.rank - 1)


def q_gemm(n: Node) -> Value:
    transposed = 0 if n.attribute("transB", 0) else 1
    left, right = type_at(n, 0), type_at(n, 3, axis=transposed)
    total = summed(n, (n.symbol(0), n.symbol(3)), (left, right), contractions.product_of, 1)
    if n.has(6):
        total = n.b.binary("add", total, n.value(6))
    alpha = np.float32(n.attribute("alpha", 1.0))
    scales = alpha * np.float32(left.scale) * np.asarray(right.scales, np.float32)
    if n.has(7):
        out = result_type(n, 7)
        return rescaled(n, total, scales / np.float32(out.scale), out, 1)
    axis = 1 if scales.size > 1 else None
    return n.b.dequantize(n.b.bitcast(total, of_storage(I32, F32, scales, 0, axis)))


def integers_of(n: Node, k: int, point: int, axis: int) -> Value:
    """Return an input less its zero points, which may be one for each slice along an axis."""
    x = n.b.convert(n.value(k), I32)
    if not n.has(point):
        return x
    points = n.b.convert(n.value(point), I32)
    if points.type.size == 1:
        return n.b.binary("subtract", x, n.b.reshape(points, ()))
    return n.b.binary("subtract", x, n.b.place(points, x.type.shape, (axis,)))


def matmul_integer(n: Node) -> Value:
    ranks = [n.type(k).rank for k in (0, 1)]
    return contractions.product(n, integers_of(n, 0, 2, ranks[0] - 2), integers_of(n, 1, 3, ranks[1] - 1))


def conv_integer(n: Node) -> Value:
    return contractions.convolved(n, integers_of(n, 0, 2, 0), integers_of(n, 1, 3, 0))


# Sums: exact in 32 bits, then divided by their count within the one multiplication


def qlinear_global_average_pool(n: Node) -> Value:
    x = as_type(n, n.symbol(0), type_at(n, 0))
    if n.attribute("channels_last", 0):
        raise n.unsupported("channels_last")
    return averaged(n, x, reductions.spatial(n, x), result_type(n, 3))


def averaged(n: Node, x: Value, dimensions: list[int], out: QuantizedType) -> Value:
    """Return the mean along dimensions, which are kept with size 1."""
    type = x.type.quantized_element_type
    sums = of_storage(I32, F32, type.scale)
    init = n.b.full(type.zero_point, TensorType((), type))
    total = n.plain(n.b.reduce(x, init, "add", dimensions, sums))
    count = prod(x.type.shape[d] for d in dimensions)
    scale = np.float32(type.scale) / (np.float32(out.scale) * np.float32(count))
    shape = [1 if d in dimensions else size for d, size in enumerate(x.type.shape)]
    return n.b.reshape(rescaled(n, total, scale, out), shape)


def qlinear_average_pool(n: Node) -> Value:
    x, out = as_type(n, n.symbol(0), type_at(n, 0)), result_type(n, 3)
    if n.attribute("channels_last", 0):
        raise n.unsupported("channels_last")
    window, given = pooling_window(n, x.type.shape)
    counts = element_counts(x.type.shape, window, given if n.attribute("count_include_pad", 0) else ())
    if not counts.size or counts.min() < counts.max():
        return through_float(reductions.average_pool, 1, 0, n)
    type = x.type.quantized_element_type
    init = n.b.full(type.zero_point, TensorType((), type))
    sums = of_storage(I32, F32, type.scale)
    total = n.plain(n.b.reduce_window(x, init, "add", window, sums))
    scale = np.float32(type.scale) / (np.float32(out.scale) * np.float32(counts.flat[0]))
    return rescaled(n, total, scale, out)


def through_float(build: Build, count: int, start: int, n: Node) -> Value:
    """Return a float operator of `count` quantized tensors from input `start` on, quantized again.

    The scale and zero point of the result follow those of the operands, or come first if `start` is 2.
    """
    places = [start + 3 * k for k in range(count)]
    reals = [n.b.dequantize(as_type(n, n.symbol(k), type_at(n, k))) for k in places]
    view = replace(n, inputs=[Symbol(x) for x in reals])
    real = build(view)
    assert isinstance(real, Value)
    return rounded_first(n, real, result_type(n, 0 if start == 2 else 3 * count))


def qlinear_concat(n: Node) -> Value:
    return through_float(movement.concat, (len(n.inputs) - 2) // 3, 2, n)


def qlinear_softmax(n: Node) -> Value:
    view = replace(n, version=n.attribute("opset", 13))
    return through_float(partial(normalization.softmax, False), 1, 0, view)


TABLE: dict[str, Build] = {
    "ConvInteger": conv_integer,
    "MatMulInteger": matmul_integer,
    "QLinearConv": qlinear_conv,
    "QLinearMatMul": qlinear_matmul,
}
MICROSOFT: dict[str, Build] = {
    "QGemm": q_gemm,
    "QLinearAdd": partial(through_float, elementwise.TABLE["Add"], 2, 0),
    "QLinearAveragePool": qlinear_average_pool,
    "QLinearConcat": qlinear_concat,
    "QLinearGlobalAveragePool": qlinear_global_average_pool,
    "QLinearLeakyRelu": partial(through_float, elementwise.leaky_relu, 1, 0),
    "QLinearMul": partial(through_float, elementwise.TABLE["Mul"], 2, 0),
    "QLinearSigmoid": partial(through_float, elementwise.TABLE["Sigmoid"], 1, 0),
    "QLinearSoftmax": qlinear_softmax,
}

"""Operators on quantized tensors, as quantizers write them in the operator format (QLinearConv, QGemm, ...).

Contractions sum exactly in 32 bits, then scale once: the sum times `x_scale * w_scale / y_scale`, in float32,
rounded, and the zero point added after rounding. These are onnxruntime's bits. What a standard document
defines as a float operation between DequantizeLinear and QuantizeLinear is written as that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import prod
from typing import Any

import numpy as np
from onnx import NodeProto

from interp.apps.onnx.loading import (
    contractions,
    elementwise,
    movement,
    normalization,
    pooling,
    quantized,
    quantized_operators,
    reductions,
)
from interp.apps.onnx.loading.fused_operators import channels_last, either_layout
from interp.apps.onnx.loading.node import Build, Node, Result, Symbol, to_storage
from interp.apps.onnx.loading.quantized_operators import statically
from interp.apps.onnx.loading.static import of, smallest_normal
from interp.loading.build import F32, I32, Folds
from spec.ir import Value
from spec.types import ELEMENT_TYPES, ElementType, QuantizedType, TensorType

Types = tuple[QuantizedType, QuantizedType]
Quantize = Callable[[Folds, Value, QuantizedType], Value]
# onnxruntime's sums, products and average pools add the zero point before they round, as StableHLO does.
ZERO_POINT_FIRST: Quantize = Folds.quantize


def sum_products(n: Node, types: Types, contract: contractions.Contract, feature: int, outputs: int) -> Value:
    """Return the exact sums of products of the tensors at inputs 0 and 3, as 32-bit integers.

    feature, outputs: the dimension of the result, and of the weights, that the weights' scales belong to.
    StableHLO wants weights without zero points, and one storage type; weights of other types, and those with
    which sums in floats might not be exact, are moved and summed in integers.
    """
    left, right = (as_type(n, n.symbol(k), type) for k, type in zip((0, 3), types, strict=True))
    fits = not any(types[1].zero_points) and types[1].storage_type.kind == "signed" and n.symbol(3).is_known
    if not fits or not contracts_exactly(*types, n.constant(3), outputs):
        return contract(n, subtract_zero_points(n, left), subtract_zero_points(n, right), I32)
    scales = np.float32(types[0].scale) * np.asarray(types[1].scales, np.float32)
    axis = feature if types[1].is_per_axis else None
    return n.plain(contract(n, to_signed(n, left), right, uniform_type(I32, scales, 0, axis)))


def rescale(n: Node, total: Value, multipliers: Any, type: QuantizedType, axis: int | None = None) -> Value:
    """Return round(total * multiplier) + zero point: the multiplier is the scale in which total is read."""
    axis = axis if np.size(multipliers) > 1 else None
    steps = n.b.dequantize(n.b.bitcast(total, uniform_type(I32, multipliers, 0, axis)))
    unit = uniform_type(type.storage_type, 1.0, type.zero_point)
    return n.b.bitcast(statically(n.b, steps, unit), type)


def multiplier(left: QuantizedType, right: QuantizedType, out: QuantizedType) -> np.ndarray:
    """Return x_scale * w_scale / y_scale, each step in float32."""
    return np.float32(left.scale) * np.asarray(right.scales, np.float32) / np.float32(out.scale)


def qlinear_conv(n: Node) -> Result | Sequence[Result]:
    left, right, out = type_at(n, 0), type_at(n, 3), result_type(n, 6)
    if left is None or right is None or out is None or not left.is_per_tensor:
        return quantized.append("QLinearConv", n)
    quantized.describe("QLinearConv", n)
    total = sum_products(n, (left, right), contractions.convolve, 1, 0)
    if n.has(8):
        total = contractions.with_bias(n, total, n.value(8))
    return rescale(n, total, multiplier(left, right, out), out, 1)


def qlinear_matmul(n: Node) -> Result | Sequence[Result]:
    left, right, out = type_at(n, 0, -2), type_at(n, 3, -1), result_type(n, 6)
    if left is None or right is None or out is None or not left.is_per_tensor:
        return quantized.append("QLinearMatMul", n)
    quantized.describe("QLinearMatMul", n)
    last = max(n.type(0).rank, n.type(3).rank) - 1
    total = sum_products(n, (left, right), contractions.product, last, -1)
    return rescale(n, total, multiplier(left, right, out), out, total.type.rank - 1)


def q_gemm(n: Node) -> Value:
    outputs = 0 if n.attribute("transB", 0) else 1
    left, right = require(n, type_at(n, 0)), require(n, type_at(n, 3, outputs))
    total = sum_products(n, (left, right), contractions.product_of, 1, outputs)
    if n.has(6):
        total = n.b.binary("add", total, n.value(6))
    alpha = np.float32(n.attribute("alpha", 1.0))
    scales = alpha * np.float32(left.scale) * np.asarray(right.scales, np.float32)
    if n.has(7):
        out = require(n, result_type(n, 7))
        return rescale(n, total, scales / np.float32(out.scale), out, 1)
    return n.b.dequantize(n.b.bitcast(total, uniform_type(I32, scales, 0, 1 if scales.size > 1 else None)))


def require(n: Node, type: QuantizedType | None) -> QuantizedType:
    """Return a type that must be known; `Unsupported` if it is not."""
    if type is None:
        raise n.unsupported_error(
            "a scale or zero point is not constant", "or a scale is not a normal number"
        )
    return type


# Sums: exact in 32 bits, then divided by their count within the one multiplication


def sums(n: Node, count: int) -> tuple[Value, Value, QuantizedType | ElementType]:
    """Return the operand, the start of sums of `count` numbers, and their type, in which they are exact."""
    type = require(n, type_at(n, 0))
    if not type.is_per_tensor:
        raise n.unsupported_error("a scale for each slice")
    x = as_type(n, n.symbol(0), type)
    if not adds_exactly(type, count):
        return subtract_zero_points(n, x), n.b.full(0, I32), I32
    return x, n.b.full(type.zero_point, TensorType((), type)), uniform_type(I32, type.scale)


def average(n: Node, total: Value, count: int) -> Value:
    """Return sums divided by how many numbers each has, quantized."""
    out = require(n, result_type(n, 3))
    scale = np.float32(require(n, type_at(n, 0)).scale) / (np.float32(out.scale) * np.float32(count))
    return rescale(n, n.plain(total), scale, out)


def qlinear_global_average_pool(n: Node) -> Value:
    shape = n.type(0).shape
    count = prod(shape[2:])
    x, init, type = sums(n, count)
    dimensions = pooling.spatial(n, x)
    mean = average(n, n.b.reduce(x, init, "add", dimensions, type), count)
    return n.b.reshape(mean, [1 if d in dimensions else size for d, size in enumerate(shape)])


def qlinear_mul(n: Node) -> Value:
    """Return the exact product times `a_scale * b_scale / c_scale`, plus the zero point, rounded."""
    left, right, out = (require(n, type) for type in (type_at(n, 0), type_at(n, 3), result_type(n, 6)))
    values = [subtract_zero_points(n, as_type(n, n.symbol(k), type)) for k, type in ((0, left), (3, right))]
    steps = n.b.bitcast(n.b.binary("multiply", *values), uniform_type(I32, multiplier(left, right, out)))
    unit = uniform_type(out.storage_type, 1.0, out.zero_point)
    return n.b.bitcast(n.b.quantize(steps, unit), out)


def qlinear_add(n: Node) -> Value:
    """Return the sum of quantized tensors.

    The second operand is the one that onnxruntime adds first (recipe `onnxruntime`): it looks at the last
    dimension that is not 1 in both, and begins with an operand that is repeated along it.
    """
    left, right, out = (require(n, type) for type in (type_at(n, 0), type_at(n, 3), result_type(n, 6)))
    values = [as_type(n, n.symbol(k), type) for k, type in ((0, left), (3, right))]
    sizes = zip(*(reversed(v.type.shape) for v in values), strict=False)
    inner = next((pair for pair in sizes if pair != (1, 1)), (values[0].type.size, values[1].type.size))
    x, y = n.b.broadcast_all(values[::-1] if inner[0] == 1 else values)
    return n.b.emit("add", [x, y], TensorType(x.type.shape, out))


def through_float(build: Build, count: int, start: int, quantize: Quantize, n: Node) -> Value:
    """Return a float operator of `count` quantized tensors from input `start` on, quantized again.

    The scale and zero point of the result follow those of the operands, or come first if `start` is 2.
    """
    places = [start + 3 * k for k in range(count)]
    reals = [n.b.dequantize(as_type(n, n.symbol(k), require(n, type_at(n, k)))) for k in places]
    real = build(replace(n, inputs=[Symbol(x) for x in reals]))
    assert isinstance(real, Value)
    return quantize(n.b, real, require(n, result_type(n, 0 if start == 2 else 3 * count)))


def qlinear_concat(n: Node) -> Value:
    return through_float(movement.concat, (len(n.inputs) - 2) // 3, 2, statically, n)


def qlinear_average_pool(n: Node) -> Value:
    return through_float(pooling.average_pool, 1, 0, ZERO_POINT_FIRST, n)


def qlinear_where(n: Node) -> Value:
    """Return elements of X or Y in the type of Z."""
    out = require(n, result_type(n, 7))
    x, y = (as_type(n, n.symbol(k), require(n, type_at(n, k))) for k in (1, 4))
    parts = (v if v.type.element_type == out else statically(n.b, n.b.dequantize(v), out) for v in (x, y))
    return n.b.select(n.value(0), *parts)


def nhwc_qlinear_conv(n: Node) -> Result | Sequence[Result]:
    """Return QLinearConv, with `channels_last` of features behind: the attribute that this domain adds."""
    proto = NodeProto.FromString(n.proto.SerializeToString())
    kept = [a for a in proto.attribute if a.name != "channels_last"]
    del proto.attribute[:]
    proto.attribute.extend(kept)
    plain = replace(n, proto=proto, version=10)
    return channels_last(qlinear_conv, plain) if n.attribute("channels_last", 0) else qlinear_conv(plain)


def qlinear_softmax(n: Node) -> Value:
    view = replace(n, version=n.attribute("opset", 13))
    return through_float(partial(normalization.softmax, False), 1, 0, statically, view)


# Products of integer matrices that become floats


def scaled_product(
    n: Node, a: Value, b: Value, scales: tuple[Value, Value], points: tuple[Value | None, ...]
) -> Value:
    """Return the sums of products of integers less their zero points, times the product of the scales.

    Sums have 32 bits. A vector of scales or zero points has one number for each column of b.
    """
    left, right = quantized_operators.matrices(a, b)
    lhs = quantized_operators.center(n.b, a, left, points[0])
    total = quantized_operators.product(n.b, lhs, quantized_operators.center(n.b, b, right, points[1]), I32)
    unit = n.b.binary("multiply", *(_scalar_or_vector(n, x) for x in scales))
    real = n.b.binary("multiply", n.b.convert(total, F32), unit)
    return n.b.reshape(real, quantized_operators.result_shape(a, b))


def _scalar_or_vector(n: Node, x: Value) -> Value:
    return n.b.reshape(x, ()) if x.type.size == 1 else x


def matmul_integer_to_float(n: Node) -> Value:
    """Return (A - a_zero_point) (B - b_zero_point) * (a_scale * b_scale) + bias."""
    points = tuple(_scalar_or_vector(n, n.value(k)) if n.has(k) else None for k in (4, 5))
    out = scaled_product(n, n.value(0), n.value(1), (n.value(2), n.value(3)), points)
    return n.b.binary("add", out, n.value(6)) if n.has(6) else out


def dynamic_quantize_matmul(n: Node) -> Value:
    """Return the product of A, quantized by its range as DynamicQuantizeLinear does it, and B; plus bias."""
    a, scale, point = quantized_operators.quantize_by_range(n.b, n.value(0))
    points = point, _scalar_or_vector(n, n.value(3)) if n.has(3) else None
    out = scaled_product(n, a, n.value(1), (scale, n.value(2)), points)
    return n.b.binary("add", out, n.value(4)) if n.has(4) else out


def matmul_integer16(n: Node) -> Value:
    """Return the product of matrices of 16 bits, summed in 32."""
    x, y = (n.b.convert(n.value(k), I32) for k in (0, 1))
    return contractions.product(n, x, y)


TABLE: dict[str, Build] = {"QLinearConv": qlinear_conv, "QLinearMatMul": qlinear_matmul}
MICROSOFT: dict[str, Build] = {
    "DynamicQuantizeMatMul": dynamic_quantize_matmul,
    "MatMulInteger16": matmul_integer16,
    "MatMulIntegerToFloat": matmul_integer_to_float,
    "QGemm": q_gemm,
    "QLinearAdd": qlinear_add,
    "QLinearAveragePool": partial(either_layout, qlinear_average_pool),
    "QLinearConcat": qlinear_concat,
    "QLinearConv": nhwc_qlinear_conv,
    "QLinearGlobalAveragePool": partial(either_layout, qlinear_global_average_pool),
    "QLinearLeakyRelu": partial(through_float, elementwise.leaky_relu, 1, 0, statically),
    "QLinearMul": qlinear_mul,
    "QLinearReduceMean": partial(through_float, reductions.mean, 1, 0, statically),
    "QLinearSigmoid": partial(through_float, elementwise.TABLE["Sigmoid"], 1, 0, statically),
    "QLinearSoftmax": qlinear_softmax,
    "QLinearWhere": qlinear_where,
}


# The theorems by which a quantized contraction or reduction gives the exact integer sum, in any schedule.
#
# Contractions. Let each of K products be of numbers m s and w t, m and w integers, and be summed in f32 and
# divided by fl(s t). Its relative error is at most g = (K + 6) u / (1 - (K + 6) u), u = 2**-24, if no product
# is subnormal and no sum is infinite: one rounding for each factor, for the product, for the scale and for
# the quotient, and at most K for the sums it goes through. So the quotient is off by at most g times the sum
# of |m w|, and rounds to the exact sum if that is less than 1/2.
#
# Reductions. They quantize each partial sum, so that errors do not add up: an addition is that of integers
# where none is beyond 2**20 and scale * 2**21 is finite.


HALF, LARGEST = Fraction(1, 2), Fraction(2**127)


def sums_exactly(count: int, magnitude: int, scales: tuple[float, float]) -> bool:
    """Return whether `count` products, whose magnitudes sum up to at most `magnitude`, have the exact sum."""
    errors = Fraction(count + 6, 2**F32.precision)
    unit = Fraction(scales[0]) * Fraction(scales[1])
    bounded = errors < 1 and errors / (1 - errors) * magnitude < HALF
    return bounded and unit >= smallest_normal(F32) and magnitude * unit < LARGEST


def contracts_exactly(left: QuantizedType, right: QuantizedType, weights: np.ndarray, outputs: int) -> bool:
    """Return whether a contraction with known weights has exact sums; outputs: the dimension not summed."""
    kept = outputs % weights.ndim if weights.ndim > 1 else None
    summed = tuple(d for d in range(weights.ndim) if d != kept)
    largest = int(np.abs(weights.astype(np.int64)).sum(axis=summed).max(initial=0))
    count = prod(weights.shape[d] for d in summed)
    furthest = reach(left)
    return all(sums_exactly(count, furthest * largest, (left.scale, t)) for t in right.scales)


def adds_exactly(type: QuantizedType, count: int) -> bool:
    """Return whether the sum of `count` numbers of a type is exact."""
    p = F32.precision
    return count * reach(type) <= 2 ** (p - 4) and Fraction(type.scale) * 2 ** (p - 3) < LARGEST


def reach(type: QuantizedType) -> int:
    """Return the largest distance of a stored number from the zero point."""
    return max(abs(end - type.zero_point) for end in (type.storage_min, type.storage_max))


# Quantized types of tensors whose scale and zero point stand behind them among the inputs of a node


def uniform_type(
    storage: ElementType, scales: Any, points: Any = 0, axis: int | None = None
) -> QuantizedType:
    """Return the type with these scales in f32, and with these zero points or one for all."""
    numbers = tuple(map(float, np.asarray(scales, np.float32).reshape(-1)))
    return of(storage, F32, numbers, tuple(np.broadcast_to(points, len(numbers)).tolist()), axis)


def type_at(n: Node, k: int, axis: int = 0) -> QuantizedType | None:
    """Return the type of the tensor at input k; None if its parameters are not known, or no type has them.

    axis: the dimension that several scales belong to.
    """
    storage, x = n.type(k).storage_type, n.type(k)
    if not n.symbol(k + 1).is_known or not (n.inputs[k + 2] is None or n.symbol(k + 2).is_known):
        return None
    scales = n.constant(k + 1).reshape(-1)
    points = n.constant(k + 2).reshape(-1) if n.has(k + 2) else np.zeros(1, np.int64)
    if n.has(k + 2) and n.type(k + 2).storage_type != storage:
        raise n.malformed_error(f"a zero point of {n.type(k + 2)!r} for {x!r}")
    if points.size not in (1, scales.size) or (scales.size > 1 and scales.size != x.shape[axis]):
        raise n.malformed_error(f"{scales.size} scales and {points.size} zero points for {x!r}")
    return normal_type(storage, scales, points, axis % x.rank if scales.size > 1 else None)


def result_type(n: Node, k: int) -> QuantizedType | None:
    """Return the type of the result, whose scale is input k and whose zero point follows it."""
    if not n.symbol(k).is_known or (n.has(k + 1) and not n.symbol(k + 1).is_known):
        return None
    storage = n.type(k + 1).storage_type if n.has(k + 1) else n.type(0).storage_type
    points = n.constant(k + 1).reshape(-1) if n.has(k + 1) else np.zeros(1, np.int64)
    scales = n.constant(k).reshape(-1)
    if scales.size != 1 or points.size != 1:
        raise n.malformed_error(f"{scales.size} scales and {points.size} zero points for the result")
    return normal_type(storage, scales, points, None)


def normal_type(storage: ElementType, scales: Any, points: Any, axis: int | None) -> QuantizedType | None:
    """Return the type, or None if the scales are not normal positive numbers of f32."""
    normal = scales.dtype == np.float32 and np.isfinite(scales).all()
    if not normal or not storage.is_integer or (scales < smallest_normal(F32)).any():
        return None
    return uniform_type(storage, scales, points.astype(np.int64), axis)


def as_type(n: Node, symbol: Symbol, type: QuantizedType) -> Value:
    """Return a tensor's stored numbers in a quantized type; a constant is written in it."""
    if symbol.value is None:
        return n.b.array(to_storage(symbol.to_array(), type.storage_type), type)
    return n.b.bitcast(symbol.value, type)


def to_signed(n: Node, x: Value) -> Value:
    """Return the same numbers in signed storage: stored numbers and zero point move by half the range."""
    type = x.type.quantized_element_type
    if type.storage_type.kind == "signed":
        return x
    storage = ELEMENT_TYPES[f"i{type.storage_type.bits}"]
    return n.b.quantize(x, uniform_type(storage, type.scale, type.zero_point + storage.min_value))


def subtract_zero_points(n: Node, x: Value) -> Value:
    """Return stored numbers less their zero points, as 32-bit integers."""
    type = x.type.quantized_element_type
    wide = n.b.convert(n.plain(x), I32)
    points = n.b.array(np.asarray(type.zero_points, np.int32), I32)
    if type.quantization_dimension is None:
        return n.b.binary("subtract", wide, n.b.reshape(points, ()))
    return n.b.binary("subtract", wide, n.b.place(points, wide.type.shape, (type.quantization_dimension,)))

"""Contractions: CONV_2D, DEPTHWISE_CONV_2D, TRANSPOSE_CONV, FULLY_CONNECTED, BATCH_MATMUL.

Sums of i8 by i8 have 32 bits, and wrap; those of i16 by i8 with a bias of i64 have 64. Floats are added from
0 in the order of the kernel's positions, then channels, and the bias last.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from interp.apps.litert import fixed_point as fixed
from interp.apps.litert.node import (
    F32,
    F64,
    I16,
    I32,
    I64,
    Build,
    Node,
    accumulator_type,
    differences,
    storage_of,
)
from interp.apps.litert.schema import ELEMENTS, SAME, VALID
from interp.loading.build import Folds
from spec.ir import Value
from spec.types import ElementType, QuantizedType, TensorType

Contract = Callable[[Value, Value, Any], Value]  # of x and weights, in an accumulator


@dataclass
class Contraction:
    """A contraction of a node: how to sum products, and the dimensions that output channels are.

    weights: the array of the weights as `contract` takes them, or a value if they are not constant. axis:
    the dimension of the channels in these, and `feature` in the result. exact: whether the multiplier is a
    number of f64, as FULLY_CONNECTED has it. depthwise: how the hybrid form scales.
    """

    contract: Contract
    weights: np.ndarray | None
    axis: int
    feature: int
    x: int = 0
    w: int = 1
    bias: int = 2
    exact: bool = False
    name: str = ""


def contract(n: Node, how: Contraction) -> Value:
    """Return a contraction with its bias and activation, by the types of its operands."""
    x, w = n.tensor(how.x).element, n.tensor(how.w).element
    if x == F32:
        if isinstance(w, QuantizedType):
            return contract_hybrid(n, how, w)
        total = how.contract(n.value(how.x), weights_value(n, how, w), None)
        return fixed.activate(n, with_bias(n, how, total))
    if not isinstance(x, QuantizedType) or not isinstance(w, QuantizedType):
        raise n.unsupported_error(
            f"{n.type(how.x)!r} by {n.type(how.w)!r}", "expected floats or quantized tensors"
        )
    if how.exact and w.is_per_axis and any(w.zero_points):
        raise n.unsupported_error(
            "weights with several scales and zero points", "LiteRT leaves such zero points out"
        )
    if has_wide_sums(n, how, x):
        return contract_wide(n, how, x, w)
    total = sum_products(n, how, x, w)
    if n.has(how.bias):
        plain = with_bias(n, how, storage_of(n.b, total))
        total = n.b.bitcast(plain, total.type.element_type)
    return fixed.activate(n, fixed.requantize(n.b, total, n.result(), multipliers(n, how, x, w)))


def has_wide_sums(n: Node, how: Contraction, x: QuantizedType) -> bool:
    """Return whether sums have 64 bits: as the bias, and without one as the options say, of i16 only."""
    if n.has(how.bias):
        return n.tensor(how.bias).storage == I64
    is_narrow = n.content.options.get("bias_type") == ELEMENTS.index("i32")
    return x.storage_type == I16 and not is_narrow


def multipliers(n: Node, how: Contraction, x: QuantizedType, w: QuantizedType) -> Any:
    """Return `s_in * s_w / s_out` as the kernel holds it: of 31 bits, or of f64."""
    target = n.result().scale
    if how.exact and n.scope.kernels == "litert":
        return fixed.in_f64(fixed.ratios(x.scale, w.scales, target), how.feature)
    legacy = x.storage_type.name == "ui8" or how.name == "BATCH_MATMUL"  # whose product of scales is of f32
    first = lambda s: float(np.float32(x.scale) * np.float32(s)) if legacy else x.scale * s
    return fixed.multipliers_of(n, [first(s) / target for s in w.scales], how.feature)


def weights_value(n: Node, how: Contraction, element: Any) -> Value:
    """Return the weights as `contract` takes them."""
    if how.weights is None:
        return n.value(how.w)
    return n.b.array(how.weights, element)


def sum_products(n: Node, how: Contraction, x: QuantizedType, w: QuantizedType) -> Value:
    """Return the sums of products of `q - zero_point`, of 32 bits, in units of the product of the scales.

    StableHLO wants weights of the storage of x, and without zero points; else plain integers are summed.
    """
    scales = np.float32(x.scale) * np.asarray(w.scales, np.float32)
    sums = accumulator_type(scales, how.feature)
    of_weights = replace(w, quantization_dimension=how.axis if w.is_per_axis else None)
    is_normal = ((scales >= 2.0**-126) & (scales < 3e38)).all() and how.weights is not None
    if not any(w.zero_points) and x.storage_type.kind == "signed" and is_normal:
        if w.storage_type != x.storage_type:
            of_weights = replace(
                of_weights,
                storage_type=I16,
                spelling="i16",
                storage_min=I16.min_value,
                storage_max=I16.max_value,
            )
        assert how.weights is not None
        weights = n.b.array(how.weights.astype(of_weights.storage_type.numpy), of_weights)
        return how.contract(n.value(how.x), weights, sums)
    if how.weights is None and w.is_per_axis:
        raise n.unsupported_error("weights with several scales that are not constant")
    return n.b.bitcast(sum_plainly(n, how, of_weights, I32), sums)


def sum_plainly(n: Node, how: Contraction, w: QuantizedType, wide: ElementType) -> Value:
    """Return the sums of products of `q - zero_point` as plain integers."""
    weights = differences(n.b, weights_value(n, how, w), wide)
    return how.contract(differences(n.b, n.value(how.x), wide), weights, None)


def contract_wide(n: Node, how: Contraction, x: QuantizedType, w: QuantizedType) -> Value:
    """Return a contraction whose sums and bias have 64 bits."""
    of_weights = replace(w, quantization_dimension=how.axis if w.is_per_axis else None)
    total = with_bias(n, how, sum_plainly(n, how, of_weights, I64))
    type = n.result()
    reals = fixed.ratios(x.scale, w.scales, type.scale)
    if how.exact:
        m = n.b.convert(n.b.clamp(-1e9, fixed.by_f64(n.b, total, reals, how.feature), 1e9), I32)
    else:
        pairs = [fixed.quantize_multiplier(n, real) for real in reals]
        m = fixed.narrow_sums(n, total, pairs, how.feature)
    return fixed.store(n.b, m, type, fixed.limits(n.activation, type))


def with_bias(n: Node, how: Contraction, total: Value) -> Value:
    """Return sums plus the bias, if there is one; integers wrap."""
    if not n.has(how.bias):
        return total
    bias, element = n.storage(how.bias), total.type.tensor_element_type
    if (
        bias.type.rank != 1
        or bias.type.storage_type != element
        or bias.type.size != total.type.shape[how.feature]
    ):
        raise n.malformed_error(f"a bias of {bias.type!r} for sums of {total.type!r}")
    return n.b.binary("add", total, n.b.place(bias, total.type.shape, (how.feature,)))


def contract_hybrid(n: Node, how: Contraction, w: QuantizedType) -> Value:
    """Return a contraction of floats by weights of i8, as dynamic range quantization has it.

    Each row of x, or each image, is quantized with zero point by its own range; then sums have 32 bits.
    """
    b = n.b
    if w.storage_type.name != "i8" or any(w.zero_points) or how.weights is None:
        raise n.unsupported_error(f"floats by weights of {w!r}", "expected constant i8 without zero points")
    x = n.value(how.x)
    kept = how.name == "FULLY_CONNECTED"
    is_symmetric = (how.name == "CONV_2D" and w.is_per_tensor) or (kept and not n.option("asymmetric"))
    by = quantize_symmetrically if is_symmetric else quantize_rows
    rows = by(b, x, [x.type.rank - 1] if kept else range(1, x.type.rank))
    weights = b.convert(b.array(how.weights, w.storage_type), I32)
    acc = b.convert(how.contract(rows.differences, weights, None), F32)
    scale = fixed.along(b, [float(s) for s in w.scales], acc, how.feature)
    if w.is_per_tensor:
        scale = b.full(w.scale, F32)
    unit = b.place(
        b.reshape(rows.scale, (-1 if kept else x.type.shape[0],))
        if not kept
        else b.reshape(rows.scale, (rows.scale.type.size,)),
        acc.type.shape,
        (0,),
    )
    if how.name == "CONV_2D" and not is_symmetric:
        real = b.binary("multiply", b.binary("multiply", acc, scale), unit)
        return fixed.activate(n, with_bias(n, how, real))
    product = b.binary("multiply", acc, b.binary("multiply", b.broadcast(scale, acc.type.shape), unit))
    return fixed.activate(n, with_bias(n, how, product))


# Rows of floats that are quantized while the model runs, each by its own range.


class Rows(NamedTuple):
    """Rows as integers `q - zero_point` of i32, and the scale of each row, one number each."""

    differences: Value
    scale: Value


def quantize_rows(b: Folds, x: Value, dimensions: Sequence[int]) -> Rows:
    """Return floats quantized to i8; the range of a row is that along some dimensions, and has 0 in it.

    The scale is the range / 255, in f64 and then f32. The zero point is rounded from the end of the range
    that has the smaller error.
    """
    zero = b.full(0.0, TensorType((), F32))
    low = b.reduce(x, zero, "minimum", tuple(dimensions))
    high = b.reduce(x, zero, "maximum", tuple(dimensions))
    is_flat = b.compare("EQ", low, high)
    range_ = b.binary("subtract", high, low)
    wide = b.binary_scalar("divide", b.convert(range_, F64), 255.0)
    scale64 = b.select(is_flat, b.full(1.0, F64), wide)
    minimum, maximum = (b.convert(v, F64) for v in (low, high))
    from_low = b.binary("subtract", b.full(-128.0, F64), b.binary("divide", minimum, scale64))
    from_high = b.binary("subtract", b.full(127.0, F64), b.binary("divide", maximum, scale64))
    errors = [
        b.binary("add", b.full(end, F64), b.unary("abs", b.binary("divide", v, scale64)))
        for end, v in ((128.0, minimum), (127.0, maximum))
    ]
    point = b.select(b.compare("LT", *errors), from_low, from_high)
    point = b.clamp(-128.0, b.unary("round_nearest_afz", point), 127.0)
    point = b.select(is_flat, b.full(0.0, F64), point)
    scale = b.convert(scale64, F32)
    kept = [d for d in range(x.type.rank) if d not in tuple(dimensions)]
    spread = lambda v: b.place(v, x.type.shape, kept)
    inverse = b.binary("divide", b.full(1.0, F32), scale)
    steps = b.unary("round_nearest_afz", b.binary("multiply", x, spread(inverse)))
    whole = b.convert(b.clamp(-1e6, steps, 1e6), I32)
    moved = b.binary("add", whole, spread(b.convert(point, I32)))
    q = b.clamp(-128, moved, 127)
    return Rows(b.binary("subtract", q, spread(b.convert(point, I32))), scale)


def quantize_symmetrically(b: Folds, x: Value, dimensions: Sequence[int]) -> Rows:
    """Return floats quantized to i8 from -127 on, without zero point; the scale of a row is max |x| / 127."""
    zero, most = b.full(0.0, TensorType((), F32)), b.full(127.0, F32)
    range_ = b.reduce(b.unary("abs", x), zero, "maximum", tuple(dimensions))
    is_flat = b.compare("EQ", range_, b.full(0.0, F32))
    scale = b.select(is_flat, b.full(1.0, F32), b.binary("divide", range_, most))
    inverse = b.select(is_flat, b.full(0.0, F32), b.binary("divide", most, range_))
    kept = [d for d in range(x.type.rank) if d not in tuple(dimensions)]
    steps = b.unary("round_nearest_afz", b.binary("multiply", x, b.place(inverse, x.type.shape, kept)))
    return Rows(b.convert(b.clamp(-127.0, steps, 127.0), I32), scale)


# Geometry


def padding_of(
    n: Node, sizes: Sequence[int], kernel: Sequence[int], strides: Sequence[int], dilations: Sequence[int]
) -> list[tuple[int, int]]:
    """Return the padding of both spatial dimensions; of an odd number, the end has one more."""
    if n.option("padding") == VALID:
        return [(0, 0)] * len(sizes)
    if n.option("padding") != SAME:
        raise n.malformed_error(f"padding {n.option('padding')}", "expected SAME or VALID")
    pairs = []
    for size, k, stride, d in zip(sizes, kernel, strides, dilations, strict=True):
        total = max((-(-size // stride) - 1) * stride + (k - 1) * d + 1 - size, 0)
        pairs.append((total // 2, total - total // 2))
    return pairs


def strides_of(n: Node) -> tuple[int, int]:
    pair = n.option("stride_h"), n.option("stride_w")
    if min(pair) < 1:
        raise n.malformed_error(f"strides {pair}", "expected positive ones")
    return pair


def dilations_of(n: Node) -> tuple[int, int]:
    pair = n.option("dilation_h"), n.option("dilation_w")
    if min(pair) < 1:
        raise n.malformed_error(f"dilations {pair}", "expected positive ones")
    return pair


def images(n: Node, k: int) -> tuple[int, ...]:
    shape = n.type(k).shape
    if len(shape) != 4:
        raise n.malformed_error(f"input {k} of {n.type(k)!r}", "expected rank 4")
    return shape


def conv_2d(n: Node) -> Value:
    x, w = images(n, 0), images(n, 1)
    if w[3] == 0 or x[3] % w[3] or w[0] % (x[3] // w[3]):
        raise n.malformed_error(f"{n.type(0)!r} with weights of {n.type(1)!r}")
    strides, dilations = strides_of(n), dilations_of(n)
    padding = padding_of(n, x[1:3], w[1:3], strides, dilations)

    def convolve(lhs: Value, rhs: Value, element: Any) -> Value:
        groups = x[3] // w[3]
        return n.b.convolution(
            lhs, rhs, strides, padding, dilations, groups, element=element, features_last=True
        )

    known = n.constant(1) if n.is_known(1) else None
    return contract(n, Contraction(convolve, known, 0, 3, name="CONV_2D"))


def depthwise_conv_2d(n: Node) -> Value:
    x, w = images(n, 0), images(n, 1)
    if w[0] != 1 or w[3] % x[3]:
        raise n.malformed_error(f"{n.type(0)!r} with weights of {n.type(1)!r}")
    strides, dilations = strides_of(n), dilations_of(n)
    padding = padding_of(n, x[1:3], w[1:3], strides, dilations)

    def convolve(lhs: Value, rhs: Value, element: Any) -> Value:
        return n.b.convolution(
            lhs, rhs, strides, padding, dilations, x[3], element=element, features_last=True
        )

    known = np.transpose(n.constant(1), (3, 1, 2, 0))
    return contract(n, Contraction(convolve, known, 0, 3, name="DEPTHWISE_CONV_2D"))


def transpose_conv(n: Node) -> Value:
    """Return the transposed convolution: x with holes, convolved with the reversed kernel."""
    (sizes, w, x), strides = (n.integers(0), images(n, 1), images(n, 2)), strides_of(n)
    if len(sizes) != 4 or w[3] != x[3]:
        raise n.malformed_error(f"{n.type(2)!r} to {sizes} with weights of {n.type(1)!r}")
    before = [low for low, _ in padding_of(n, sizes[1:3], w[1:3], strides, (1, 1))]
    padding = []
    for size, out, k, stride, p in zip(x[1:3], sizes[1:3], w[1:3], strides, before, strict=True):
        low = k - 1 - p
        padding.append((low, out + k - 1 - ((size - 1) * stride + 1) - low))

    def convolve(lhs: Value, rhs: Value, element: Any) -> Value:
        ones = (1, 1)
        return n.b.convolution(lhs, rhs, ones, padding, ones, 1, strides, element, features_last=True)

    known = np.ascontiguousarray(n.constant(1)[:, ::-1, ::-1])
    return contract(n, Contraction(convolve, known, 0, 3, x=2, w=1, bias=3, name="TRANSPOSE_CONV"))


def fully_connected(n: Node) -> Value:
    x, w = n.type(0), n.type(1)
    if n.option("format"):
        raise n.unsupported_error("shuffled weights")
    if w.rank != 2 or w.shape[1] == 0 or x.size % w.shape[1]:
        raise n.malformed_error(f"{x!r} with weights of {w!r}")
    keeps = n.option("keep_num_dims")
    shape = (*x.shape[:-1], w.shape[0]) if keeps else (x.size // w.shape[1], w.shape[0])

    def product(lhs: Value, rhs: Value, element: Any) -> Value:
        rows = n.b.reshape(lhs, (x.size // w.shape[1], w.shape[1]))
        return n.b.dot_general(rows, rhs, ((), ()), ((1,), (1,)), element)

    known = n.constant(1) if n.is_known(1) else None
    how = Contraction(product, known, 0, 1, exact=True, name="FULLY_CONNECTED")
    return n.b.reshape(contract(n, how), shape)


def batch_matmul(n: Node) -> Value:
    """Return products of matrices, whose batches broadcast."""
    x, w, b = n.type(0), n.type(1), n.b
    if min(x.rank, w.rank) < 2:
        raise n.malformed_error(f"{x!r} by {w!r}")
    rank = max(x.rank, w.rank)
    batch = np.broadcast_shapes(x.shape[:-2], w.shape[:-2])

    def product(lhs: Value, rhs: Value, element: Any) -> Value:
        lhs, rhs = (b.broadcast(v, (*batch, *v.type.shape[-2:])) for v in (lhs, rhs))
        axes = tuple(range(rank - 2))
        places = rank - 2 if n.option("adj_x") else rank - 1, rank - 1 if n.option("adj_y") else rank - 2
        return b.dot_general(lhs, rhs, (axes, axes), ((places[0],), (places[1],)), element)

    elements = [n.tensor(k).element for k in (0, 1)]
    if all(element == F32 for element in elements):
        return product(n.value(0), n.value(1), None)
    if not all(isinstance(e, QuantizedType) and e.is_per_tensor for e in elements):
        raise n.unsupported_error(f"{x!r} by {w!r}", "expected floats, or integers with one scale each")
    how = Contraction(product, None, 0, rank - 1, name="BATCH_MATMUL")
    left, right = n.quantized_type(0), n.quantized_type(1)
    storages = {t.storage_type.name for t in (left, right, n.result())}
    if storages == {"i16"} and not any(t.zero_point for t in (left, right, n.result())):
        by = multipliers(n, how, left, right)
        pairs = list(zip(by.multipliers, by.shifts, strict=True))
        total = sum_plainly(n, how, right, I64)
        return fixed.store(b, fixed.narrow_sums(n, total, pairs, how.feature), n.result())
    if storages != {"i8"}:
        raise n.unsupported_error(f"{x!r} by {w!r}", "expected i8, or i16 without zero points")
    total = n.b.bitcast(
        product(differences(b, n.value(0)), differences(b, n.value(1)), None),
        accumulator_type(np.float32(left.scale) * np.float32(right.scale)),
    )
    return fixed.requantize(b, total, n.result(), multipliers(n, how, left, right))


FORMS: Sequence[Build] = (batch_matmul, conv_2d, depthwise_conv_2d, fully_connected, transpose_conv)
TABLE: dict[str, Build] = {build.__name__.upper(): build for build in FORMS}

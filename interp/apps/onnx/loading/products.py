"""MatMulInteger, ConvInteger, QLinearMatMul and QLinearConv as operations of StableHLO."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from interp.apps.onnx.loading.build import F32, I32
from interp.apps.onnx.loading.build_folds import Folds
from interp.apps.onnx.loading.quantize import LARGEST, difference, to_float8, to_integer
from spec.ir import Value
from spec.onnx.node import Node
from spec.types import ElementType

Inputs = Mapping[str, Value]


def matmul_integer(b: Folds, node: Node, inputs: Inputs) -> tuple[Value, ...]:
    """Append Y = (A - a_zero_point) (B - b_zero_point), summed in 32 bits."""
    left, right = matrices(inputs["A"], inputs["B"])
    a = center(b, inputs["A"], left, inputs.get("a_zero_point"), rows=True)
    other = center(b, inputs["B"], right, inputs.get("b_zero_point"))
    return (b.reshape(product(b, a, other, I32), result_shape(inputs["A"], inputs["B"])),)


def matrices(a: Value, b: Value) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the shapes of factors, with vectors as a row and a column."""
    first, second = a.type.shape, b.type.shape
    return first if len(first) > 1 else (1, *first), second if len(second) > 1 else (*second, 1)


def result_shape(a: Value, b: Value) -> tuple[int, ...]:
    """Return the shape of a product, without the dimension that a vector lacks."""
    (*first, m, _), (*second, _, n) = matrices(a, b)
    kept = ([m] if a.type.rank > 1 else []) + ([n] if b.type.rank > 1 else [])
    return (*batch_of(first, second), *kept)


def batch_of(first: Sequence[int], second: Sequence[int]) -> tuple[int, ...]:
    """Return the shape that two shapes broadcast to; they are known to do so."""
    rank = max(len(first), len(second))
    columns = zip(*([1] * (rank - len(s)) + list(s) for s in (first, second)), strict=True)
    return tuple(m if n == 1 else n for m, n in columns)


def center(b: Folds, x: Value, shape: Sequence[int], zero_point: Value | None, rows: bool = False) -> Value:
    """Append x - zero_point as i32, in a shape; `rows`: a vector of zero points has one for each row."""
    wide = b.reshape(b.convert(x, I32), shape)
    if zero_point is None:
        return wide
    return b.binary("subtract", wide, b.convert(per_row(b, zero_point, rows), I32))


def per_row(b: Folds, parameter: Value, rows: bool) -> Value:
    """Return a vector with a number for each row as a column, and other parameters as they are."""
    return (
        b.reshape(parameter, (*parameter.type.shape, 1)) if rows and parameter.type.rank == 1 else parameter
    )


def product(b: Folds, lhs: Value, rhs: Value, element: ElementType) -> Value:
    """Append the product of matrices, or of batches of them that broadcast."""
    (*first, m, k), (*second, _, n) = lhs.type.shape, rhs.type.shape
    batch = batch_of(first, second)
    lhs, rhs = b.broadcast(lhs, (*batch, m, k)), b.broadcast(rhs, (*batch, k, n))
    axes, rank = range(len(batch)), len(batch)
    return b.dot_general(lhs, rhs, (axes, axes), ([rank + 1], [rank]), element)


def conv_integer(b: Folds, node: Node, inputs: Inputs) -> tuple[Value, ...]:
    """Append y = the convolution of x - x_zero_point by w - w_zero_point, summed in 32 bits."""
    return (convolve(b, node, inputs),)


def convolve(b: Folds, node: Node, inputs: Inputs) -> Value:
    x, w = inputs["x"], inputs["w"]
    spatial, kernel = x.type.shape[2:], w.type.shape[2:]
    ones = (1,) * len(spatial)
    strides, dilations = tuple(node["strides"]) or ones, tuple(node["dilations"]) or ones
    rows = zip(spatial, kernel, strides, dilations, strict=True)
    wanted = [max(0, (-(-n // s) - 1) * s + (k - 1) * d + 1 - n) for n, k, s, d in rows]
    zero = inputs.get("x_zero_point")
    lhs = center(b, x, x.type.shape, None if zero is None else b.reshape(zero, ()))
    rhs = center(b, w, w.type.shape, along_first(b, inputs.get("w_zero_point"), w.type.rank))
    padding = auto_padding(node, wanted)
    return b.convolution(lhs, rhs, strides, padding, dilations, node["group"], element=I32)


def auto_padding(node: Node, wanted: Sequence[int]) -> list[tuple[int, int]]:
    """Return the padding; `wanted`: how much `auto_pad` SAME adds along each dimension."""
    rank, how = len(wanted), node["auto_pad"]
    if how == "SAME_UPPER":
        return [(n // 2, n - n // 2) for n in wanted]
    if how == "SAME_LOWER":
        return [(n - n // 2, n // 2) for n in wanted]
    pads = tuple(node["pads"]) if how == "NOTSET" else ()
    return [(pads[d], pads[rank + d]) for d in range(rank)] if pads else [(0, 0)] * rank


def along_first(b: Folds, parameter: Value | None, rank: int) -> Value | None:
    """Return parameters of output channels, to broadcast along the first of `rank` dimensions."""
    if parameter is None or parameter.type.size == 1:
        return None if parameter is None else b.reshape(parameter, ())
    return b.reshape(parameter, (*parameter.type.shape, *(1,) * (rank - 1)))


def qlinear_matmul(b: Folds, node: Node, inputs: Inputs) -> tuple[Value, ...]:
    """Append y = saturate(round_half_even(sum * (a_scale * b_scale / y_scale)) + y_zero_point)."""
    x, y = inputs["a"], inputs["b"]
    left, right = matrices(x, y)
    if x.type.tensor_element_type.is_integer and y.type.tensor_element_type.is_integer:
        lhs = center(b, x, left, inputs["a_zero_point"], rows=True)
        total = product(b, lhs, center(b, y, right, inputs["b_zero_point"]), I32)
    else:
        lhs = difference(b, b.reshape(x, left), per_row(b, inputs["a_zero_point"], True))
        total = product(b, lhs, difference(b, b.reshape(y, right), inputs["b_zero_point"]), F32)
    scale = per_row(b, inputs["a_scale"], True)
    result = rescale(b, total, (scale, inputs["b_scale"]), inputs)
    return (b.reshape(result, result_shape(x, y)),)


def rescale(b: Folds, total: Value, scales: tuple[Value, Value], inputs: Inputs) -> Value:
    """Append the result for sums: the multiplier in the type of the scales, the product with it in f32."""
    y_scale, zero_point = (b.reshape(inputs[name], ()) for name in ("y_scale", "y_zero_point"))
    multiplier = b.binary("divide", b.binary("multiply", *scales), y_scale)
    scaled = b.binary("multiply", b.convert(total, F32), b.convert(multiplier, F32))
    T = zero_point.type.tensor_element_type
    return to_float8(b, scaled, T, True) if T.name in LARGEST else to_integer(b, scaled, zero_point, T)


def qlinear_conv(b: Folds, node: Node, inputs: Inputs) -> tuple[Value, ...]:
    """Append y = saturate(round_half_even((sum + B) * (x_scale * w_scale / y_scale)) + y_zero_point)."""
    total, rank = convolve(b, node, inputs), inputs["x"].type.rank
    if "B" in inputs:
        total = b.binary("add", total, features(b, inputs["B"], rank))
    scales = b.reshape(inputs["x_scale"], ()), features(b, inputs["w_scale"], rank)
    return (rescale(b, total, scales, inputs),)


def features(b: Folds, parameter: Value, rank: int) -> Value:
    """Return parameters of output channels in a shape that broadcasts along the second dimension."""
    found = along_first(b, parameter, rank - 1)
    assert found is not None
    return found

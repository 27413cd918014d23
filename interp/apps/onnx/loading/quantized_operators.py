"""The operators that quantize, dequantize and multiply integers, as operations of StableHLO."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import inf

from interp.apps.onnx.loading.finite import is_bounded
from interp.apps.onnx.loading.static import dequantized_from, quantized_to, wide
from interp.loading.build import F32, I32, Folds
from spec.ir import Value
from spec.onnx.node import Node
from spec.types import ELEMENT_TYPES, ElementType, QuantizedType

# QuantizeLinear, DequantizeLinear and DynamicQuantizeLinear as operations of StableHLO.
#
# A scale and a zero point that are known before the program runs become a quantized type, where a theorem
# of `static.py` says that `uniform_quantize` gives ONNX's bits; else plain operations compute them. So a
# value may have a quantized type where ONNX has integers: its stored numbers are these.

UI8, F64 = ELEMENT_TYPES["ui8"], ELEMENT_TYPES["f64"]
Inputs = Mapping[str, Value]
LARGEST = {"f8E4M3FN": 448.0, "f8E4M3FNUZ": 240.0, "f8E5M2": 57344.0, "f8E5M2FNUZ": 57344.0}


def quantize_linear(b: Folds, node: Node, inputs: Inputs) -> tuple[Value, ...]:
    """Append y = saturate(round_half_even(x / y_scale) + y_zero_point)."""
    T = stored_type(node)
    type = quantized_to(node, T, precision(node))
    if type is not None:
        return (statically(b, inputs["x"], type),)
    return (by_plain_operations(b, node, inputs, T),)


def stored_type(node: Node) -> ElementType:
    """Return the type of y: the zero point's, else `output_dtype`, else uint8."""
    return (
        node.element("y_zero_point") if node.has("y_zero_point") else node.type_named("output_dtype") or UI8
    )


def precision(node: Node) -> ElementType:
    """Return the type of the division: `precision`, else the scale's; f32 for powers of two, f64 for i32."""
    scale = node.element("y_scale")
    given = {"f8E8M0FNU": F32, "i32": F64}.get(scale.name, scale)
    return node.type_named("precision") or given


def statically(b: Folds, x: Value, type: QuantizedType) -> Value:
    """Append `uniform_quantize`, of a type with zero points twice: they are added after the rounding."""
    x = without_nan(b, b.convert(x, type.expressed_type), type)
    return b.quantize(b.quantize(x, wide(type)) if any(type.zero_points) else x, type)


def without_nan(b: Folds, x: Value, type: QuantizedType) -> Value:
    """Return x with -inf for NaN: `uniform_quantize` makes it the zero point, and ONNX the least value."""
    if all(z == type.storage_min for z in type.zero_points) or is_bounded(b, x):
        return x
    return b.select(b.compare("NE", x, x), b.full(-inf, x.type.tensor_element_type), x)


def by_plain_operations(b: Folds, node: Node, inputs: Inputs, T: ElementType) -> Value:
    """Append the quotient, and its conversion to T, with elements of the parameters for each of x."""
    P, x = precision(node), inputs["x"]
    scale, zero_point = (spread(b, node, inputs.get(name), x) for name in ("y_scale", "y_zero_point"))
    assert scale is not None
    quotient = b.binary("divide", b.convert(x, P), b.convert(scale, P))
    if T.is_integer:
        return to_integer(b, quotient, zero_point, T)
    if T.name in LARGEST:
        return to_float8(b, quotient, T, bool(node["saturate"]))
    if zero_point is not None:
        wide = quotient if P == F64 else b.convert(quotient, F32)
        quotient = b.binary("add", wide, b.convert(zero_point, wide.type.tensor_element_type))
    return b.convert(quotient, T)


def spread(b: Folds, node: Node, parameter: Value | None, x: Value) -> Value | None:
    """Return scales or zero points broadcast to the shape of x; a scalar as it is, None as None."""
    if parameter is None or parameter.type.rank == 0:
        return parameter
    shape, given = x.type.shape, parameter.type.shape
    if given == (1,) and not node["block_size"]:
        return b.reshape(parameter, ())
    axis = node["axis"] % x.type.rank
    if not node["block_size"]:
        return b.place(parameter, shape, [axis])
    size = min(node["block_size"], shape[axis])  # a block may be larger than x
    apart = (*given[: axis + 1], size, *given[axis + 1 :])
    dimensions = [d + (d > axis) for d in range(len(given))]
    whole = (*given[:axis], given[axis] * size, *given[axis + 1 :])
    return b.slice_in(b.reshape(b.place(parameter, apart, dimensions), whole), axis, 0, shape[axis])


def to_integer(b: Folds, x: Value, zero_point: Value | None, T: ElementType) -> Value:
    """Append saturate(round_half_even(x) + zero_point), exact in i32; NaN gives the least value."""
    nearest = b.unary("round_nearest_even", x)
    wide = nearest if nearest.type.element_type == F64 else b.convert(nearest, F32)
    number = wide.type.tensor_element_type
    low, high = (b.full(bound, I32) for bound in (T.min_value, T.max_value))
    zero = None if zero_point is None else b.convert(zero_point, I32)
    if zero is not None:
        low, high = b.binary("subtract", low, zero), b.binary("subtract", high, zero)
    low, high = (b.convert(bound, number) for bound in (low, high))
    known = b.select(b.compare("NE", wide, wide), low, wide)
    shaped = [bound if bound.type.rank == 0 else b.broadcast(bound, x.type.shape) for bound in (low, high)]
    whole = b.convert(b.emit("clamp", [shaped[0], known, shaped[1]], known.type), I32)
    return b.convert(whole if zero is None else b.binary("add", whole, zero), T)


def to_float8(b: Folds, x: Value, T: ElementType, saturate: bool) -> Value:
    """Append x rounded to a float of 8 bits, clamped to its finite values first if it saturates."""
    return b.convert(b.clamp(-LARGEST[T.name], x, LARGEST[T.name]) if saturate else x, T)


def dequantize_linear(b: Folds, node: Node, inputs: Inputs) -> tuple[Value, ...]:
    """Append y = (x - x_zero_point) * x_scale."""
    T, x = node.type_named("output_dtype") or node.element("x_scale"), inputs["x"]
    type = dequantized_from(node, T)
    if type is not None:
        return (b.dequantize(as_quantized(b, x, type)),)
    x = plain(b, x)
    scale, zero_point = (spread(b, node, inputs.get(name), x) for name in ("x_scale", "x_zero_point"))
    assert scale is not None
    product = b.binary("multiply", difference(b, x, zero_point), b.convert(scale, F32))
    return (b.convert(product, T),)


def difference(b: Folds, x: Value, zero_point: Value | None) -> Value:
    """Append x - zero_point in f32, integers subtracted as such; no float of 8 bits has a zero point."""
    T = x.type.tensor_element_type
    if zero_point is None or T.name in LARGEST:
        return b.convert(x, F32)
    between = I32 if T.is_integer else F32
    minus = b.binary("subtract", b.convert(x, between), b.convert(zero_point, between))
    return b.convert(minus, F32)


def as_quantized(b: Folds, x: Value, type: QuantizedType) -> Value:
    """Return stored integers as a quantized type; those of a constant become another constant."""
    maker = b.find(("maker", x.name))
    if x.type.is_quantized or maker is None or maker.name != "stablehlo.constant":
        return b.bitcast(x, type)
    value = replace(maker["value"], type=replace(x.type, element_type=type))
    return b.emit("constant", [], value.type, value=value)


def plain(b: Folds, x: Value) -> Value:
    """Return the stored numbers of a quantized value; any other value unchanged."""
    return b.bitcast(x, x.type.storage_type)


def dynamic_quantize_linear(b: Folds, node: Node, inputs: Inputs) -> tuple[Value, ...]:
    """Append y_scale = (max(0, x) - min(0, x)) / 255, and the zero point and y that follow from it."""
    return quantize_by_range(b, inputs["x"])


def quantize_by_range(b: Folds, x: Value) -> tuple[Value, Value, Value]:
    """Return x stored in 8 bits, with the scale and zero point that its range gives."""
    zero, top = b.full(0.0, F32), b.full(255.0, F32)
    every = range(x.type.rank)
    most, least = (b.reduce(x, zero, name, every) for name in ("maximum", "minimum"))
    width = b.select(b.compare("EQ", most, least), b.full(1.0, F32), b.binary("subtract", most, least))
    scale = b.binary("divide", width, top)
    offset = b.binary("subtract", zero, b.binary("divide", least, scale))
    nearest = b.unary("round_nearest_even", b.clamp(0.0, offset, 255.0))
    zero_point = b.convert(b.select(b.compare("NE", offset, offset), top, nearest), UI8)
    y = to_integer(b, b.binary("divide", x, scale), zero_point, UI8)
    return y, scale, zero_point


# MatMulInteger, ConvInteger, QLinearMatMul and QLinearConv as operations of StableHLO.


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


# The operators that quantize, dequantize and multiply integers, by name: functions that append them.
#
# `append(b, node, inputs) -> outputs`. A node whose scales and zero points are `known` is appended with
# quantized types where that keeps every bit. Then y has such a type, or x where it is dequantized.

Append = Callable[[Folds, Node, Mapping[str, Value]], tuple[Value, ...]]

OPERATORS: dict[str, Append] = {
    "QuantizeLinear": quantize_linear,
    "DequantizeLinear": dequantize_linear,
    "DynamicQuantizeLinear": dynamic_quantize_linear,
    "MatMulInteger": matmul_integer,
    "ConvInteger": conv_integer,
    "QLinearMatMul": qlinear_matmul,
    "QLinearConv": qlinear_conv,
}

"""QuantizeLinear, DequantizeLinear and DynamicQuantizeLinear as operations of StableHLO.

A scale and a zero point that are known before the program runs become a quantized type, where a theorem of
`static.py` says that `uniform_quantize` gives ONNX's bits; else plain operations compute them. So a value may
have a quantized type where ONNX has integers: its stored numbers are these.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import inf

from interp.apps.onnx.loading.build import F32, I32
from interp.apps.onnx.loading.build_folds import Folds
from interp.apps.onnx.loading.finite import is_bounded
from interp.apps.onnx.loading.static import dequantized_from, quantized_to, wide
from spec.ir import Value
from spec.onnx.node import Node
from spec.types import ELEMENT_TYPES, ElementType, QuantizedType

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
    x = inputs["x"]
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

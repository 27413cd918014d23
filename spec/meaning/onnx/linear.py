"""QuantizeLinear, DequantizeLinear and DynamicQuantizeLinear, one element at a time."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import copysign, isinf, isnan
from typing import Any

from spec.elements import ELEMENT_TYPES, ElementType
from spec.formats import largest, round_to
from spec.meaning.index import Index, Tensor, build
from spec.meaning.numbers import add, divide, maximum, minimum, multiply, rne, subtract
from spec.onnx.granularity import axis_of, is_per_tensor
from spec.onnx.node import Node
from spec.types import TensorType

F32, UI8 = ELEMENT_TYPES["f32"], ELEMENT_TYPES["ui8"]
# The precision of a division by a scale of a type that has none: errata E40 and E41.
DIVIDES_IN = {"f8E8M0FNU": "f32", "i32": "f64"}


def quantized_type(node: Node) -> ElementType:
    """Return the type of y: that of the zero point, else `output_dtype`, else uint8."""
    if node.has("y_zero_point"):
        return node.element("y_zero_point")
    return node.type_named("output_dtype") or UI8


def precision_of(node: Node) -> ElementType:
    """Return the type in which x / y_scale is computed: `precision`, else that of the scale."""
    scale = node.element("y_scale").name
    return node.type_named("precision") or ELEMENT_TYPES[DIVIDES_IN.get(scale, scale)]


def quantize_linear(node: Node, x: Tensor, y_scale: Tensor, y_zero_point: Tensor | None = None) -> Tensor:
    """y = saturate(round_half_even(x / y_scale) + y_zero_point)."""
    P, T = precision_of(node), quantized_type(node)

    def element(index: Index) -> Any:
        quotient = divide(real(x[index], P), real(belonging(node, y_scale, index), P), P)
        zero_point = belonging(node, y_zero_point, index) if y_zero_point else None
        return store(quotient, zero_point, P, T, bool(node["saturate"]))

    return build(TensorType(x.type.shape, T), element)


def belonging(node: Node, parameter: Tensor, index: Index) -> Any:
    """Return the scale, or the zero point, of an element of x."""
    return parameter[parameter_index(node, parameter.type, index)]


def real(x: int | float, type: ElementType) -> float:
    """Return fl(x)."""
    return round_to(Fraction(x) if isinstance(x, int) else x, type)


def store(quotient: float, zero_point: Any, P: ElementType, T: ElementType, saturate: bool) -> Any:
    """Return the element of y for a quotient, by the kind of y's type."""
    if T.is_integer:
        return to_integer(quotient, zero_point or 0, T)
    if T.special == "finite":  # floats of 4 and 6 bits: the zero point is added in f32 (erratum E47)
        wide = P if P.name == "f64" else F32
        return round_to(quotient if zero_point is None else add(quotient, zero_point, wide), T)
    return to_float8(quotient, T, saturate)


def to_integer(x: float, zero_point: int, T: ElementType) -> int:
    """Return saturate(round_half_even(x) + zero_point), exactly; NaN gives the least value (erratum E38)."""
    if isnan(x):
        return T.min_value
    if isinf(x):
        return T.max_value if x > 0 else T.min_value
    return min(max(rne(x) + zero_point, T.min_value), T.max_value)


def to_float8(x: float, T: ElementType, saturate: bool) -> float:
    """Return x rounded to a float of 8 bits; beyond its range the largest value, or what rounding gives."""
    beyond = not isnan(x) and abs(x) > largest(T)
    return round_to(copysign(largest(T), x) if saturate and beyond else x, T)


def dequantized_type(node: Node) -> ElementType:
    """Return the type of y: `output_dtype`, else that of the scale."""
    return node.type_named("output_dtype") or node.element("x_scale")


def dequantize_linear(node: Node, x: Tensor, x_scale: Tensor, x_zero_point: Tensor | None = None) -> Tensor:
    """y = (x - x_zero_point) * x_scale, the product in f32, then rounded to the type of y (erratum E42)."""
    T = dequantized_type(node)

    def element(index: Index) -> float:
        zero_point = belonging(node, x_zero_point, index) if x_zero_point else None
        difference = minus(x[index], zero_point, x.type.tensor_element_type)
        return round_to(multiply(difference, real(belonging(node, x_scale, index), F32), F32), T)

    return build(TensorType(x.type.shape, T), element)


def minus(x: Any, zero_point: Any, T: ElementType) -> float:
    """Return fl(x - zero_point) in f32; the zero point of a float of 8 bits is zero, and changes nothing."""
    if T.is_integer:
        return round_to(Fraction(x - (zero_point or 0)), F32)
    return float(x) if zero_point is None or T.special != "finite" else subtract(x, zero_point, F32)


def dynamic_quantize_linear(node: Node, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """y_scale = (max(0, x) - min(0, x)) / 255, y_zero_point = round(saturate(-min / y_scale)), y by both."""
    most = least = 0.0
    for e in x.elements:
        most, least = maximum(most, e, F32), minimum(least, e, F32)
    width = 1.0 if most == least else subtract(most, least, F32)  # erratum E43
    scale = divide(width, 255.0, F32)
    intermediate = subtract(0.0, divide(least, scale, F32), F32)
    zero_point = 255 if isnan(intermediate) else rne(min(max(intermediate, 0.0), 255.0))
    given = TensorType(x.type.shape, UI8)
    y = build(given, lambda i: to_integer(divide(x[i], scale, F32), zero_point, UI8))
    return y, Tensor(TensorType((), F32), (scale,)), Tensor(TensorType((), UI8), (zero_point,))


def parameter_index(node: Node, scale: TensorType, index: Sequence[int]) -> Index:
    """Return the index of the scale and the zero point for an element of x.

    Per tensor (), per axis (i[axis],), blocked i with i[axis] / block_size rounded down.
    """
    if is_per_tensor(scale, node):
        return Index((0,) * scale.rank)
    axis, size = axis_of(node), node["block_size"]
    if not size:
        return Index((index[axis],))
    return Index(i // size if d == axis else i for d, i in enumerate(index))

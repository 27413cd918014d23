"""The literal meaning of ONNX's quantization operators by element, and `evaluate`, which applies it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import copysign, isinf, isnan
from typing import Any

from spec.elements import ELEMENT_TYPES, ElementType
from spec.formats import largest, round_to, wrap
from spec.meaning.index import Index, Tensor, build
from spec.meaning.numbers import add, divide, maximum, minimum, multiply, rne, subtract
from spec.onnx.node import Node, Product, axis_of, is_per_tensor, matmul, windows
from spec.types import TensorType

# QuantizeLinear, DequantizeLinear and DynamicQuantizeLinear, one element at a time.

F32, UI8, I32 = ELEMENT_TYPES["f32"], ELEMENT_TYPES["ui8"], ELEMENT_TYPES["i32"]
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


# MatMulInteger, ConvInteger, QLinearMatMul and QLinearConv, one element at a time.

Pairs = Iterator[tuple[Any, Any]]


def matmul_integer(
    node: Node, A: Tensor, B: Tensor, a_zero_point: Tensor | None = None, b_zero_point: Tensor | None = None
) -> Tensor:
    """Y = sum over k of (A - a_zero_point) * (B - b_zero_point), in 32 bits (erratum E44)."""
    shapes = matmul(A.type.shape, B.type.shape)
    pairs = factors(shapes, A, B, a_zero_point, b_zero_point)
    return build(TensorType(shapes.y, I32), lambda index: dot(pairs(index)))


def factors(
    shapes: Product, a: Tensor, b: Tensor, a_zero_point: Tensor | None, b_zero_point: Tensor | None
) -> Callable[[Index], Pairs]:
    """Return the factors of the products that an element of the result sums."""

    def pairs(index: Index) -> Pairs:
        batch, m, n = split(shapes, a, b, index)
        for k in range(shapes.a[-1]):
            left, right = (*batch, m, k), (*batch, k, n)
            yield (
                at(a, shapes.a, left) - (at(a_zero_point, row(a_zero_point), left) if a_zero_point else 0),
                at(b, shapes.b, right) - (at(b_zero_point, None, right) if b_zero_point else 0),
            )

    return pairs


def split(shapes: Product, a: Tensor, b: Tensor, index: Index) -> tuple[Index, int, int]:
    """Return the batch index, the row and the column of an element of the result."""
    rank = len(shapes.batch)
    batch, rest = Index(index[:rank]), list(index[rank:])
    m = rest.pop(0) if a.type.rank > 1 else 0
    return batch, m, rest.pop(0) if b.type.rank > 1 else 0


def row(x: Tensor | None) -> tuple[int, ...] | None:
    """Return the shape in which a vector of a is one number for each row: (M, 1)."""
    return (*x.type.shape, 1) if x is not None and x.type.rank == 1 else None


def at(x: Tensor, shape: tuple[int, ...] | None, index: tuple[int, ...]) -> Any:
    """Return the element of x, seen in a shape, that broadcasts to an index."""
    shape = x.type.shape if shape is None else shape
    inner = index[len(index) - len(shape) :]
    return Tensor(TensorType(shape, x.type.element_type), x.elements)[
        tuple(0 if n == 1 else i for i, n in zip(inner, shape, strict=True))
    ]


def dot(pairs: Pairs) -> int:
    """Return the sum of products, modulo 2**32."""
    return wrap(sum(x * y for x, y in pairs), I32)


def conv_integer(
    node: Node, x: Tensor, w: Tensor, x_zero_point: Tensor | None = None, w_zero_point: Tensor | None = None
) -> Tensor:
    """y = sum over a window of (x - x_zero_point) * (w - w_zero_point), in 32 bits; padding adds nothing."""
    type = TensorType((x.type.shape[0], w.type.shape[0], *windows(node).sizes), I32)
    return build(type, lambda index: dot(window(node, x, w, x_zero_point, w_zero_point, index)))


def window(
    node: Node, x: Tensor, w: Tensor, x_zero_point: Tensor | None, w_zero_point: Tensor | None, index: Index
) -> Pairs:
    """Yield the factors that an element of a convolution sums."""
    geometry, (batch, feature, *position) = windows(node), index
    inputs = w.type.shape[1]
    group = feature // (w.type.shape[0] // node["group"])
    starts = [
        i * s - low for i, s, (low, _) in zip(position, geometry.strides, geometry.padding, strict=True)
    ]
    x_zero = at(x_zero_point, None, (0,)) if x_zero_point else 0
    w_zero = at(w_zero_point, None, (feature,)) if w_zero_point else 0
    for c, *taps in product(range(inputs), *map(range, geometry.kernel)):
        place = [start + k * d for start, k, d in zip(starts, taps, geometry.dilations, strict=True)]
        if Index(place).inside(x.type.shape[2:]):
            source = x[(batch, group * inputs + c, *place)]
            yield source - x_zero, w[(feature, c, *taps)] - w_zero


def qlinear_matmul(
    node: Node,
    a: Tensor,
    a_scale: Tensor,
    a_zero_point: Tensor,
    b: Tensor,
    b_scale: Tensor,
    b_zero_point: Tensor,
    y_scale: Tensor,
    y_zero_point: Tensor,
) -> Tensor:
    """y = saturate(round_half_even(sum * (a_scale * b_scale / y_scale)) + y_zero_point) (erratum E45)."""
    shapes, T = matmul(a.type.shape, b.type.shape), y_zero_point.type.tensor_element_type
    integers = a.type.tensor_element_type.is_integer and b.type.tensor_element_type.is_integer
    pairs = factors(shapes, a, b, a_zero_point, b_zero_point)

    def element(index: Index) -> Any:
        batch, m, n = split(shapes, a, b, index)
        scales = (
            at(a_scale, row(a_scale), (*batch, m, 0)),
            at(b_scale, None, (*batch, 0, n)),
            y_scale.elements[0],
        )
        factor = multiplier(*scales, y_scale.type.tensor_element_type)
        total = dot(pairs(index)) if integers else float_dot(pairs(index))
        return rescale(total, factor, y_zero_point.elements[0], T)

    return build(TensorType(shapes.y, T), element)


def multiplier(first: float, second: float, result: float, type: ElementType) -> float:
    """Return fl(fl(first * second) / result) in the type of the scales."""
    return divide(multiply(first, second, type), result, type)


def float_dot(pairs: Pairs) -> float:
    """Return the sum of products in f32, in ascending order from 0, each product and sum rounded."""
    total = 0.0
    for x, y in pairs:
        total = add(total, multiply(round_to(float(x), F32), round_to(float(y), F32), F32), F32)
    return total


def rescale(total: int | float, factor: float, zero_point: Any, T: ElementType) -> Any:
    """Return the result for a sum: fl(fl(sum) * factor) in f32, rounded, the zero point added, saturated."""
    scaled = multiply(round_to(float(total), F32), factor, F32)
    return to_integer(scaled, zero_point, T) if T.is_integer else to_float8(scaled, T, saturate=True)


def qlinear_conv(
    node: Node,
    x: Tensor,
    x_scale: Tensor,
    x_zero_point: Tensor,
    w: Tensor,
    w_scale: Tensor,
    w_zero_point: Tensor,
    y_scale: Tensor,
    y_zero_point: Tensor,
    B: Tensor | None = None,
) -> Tensor:
    """y = saturate(round_half_even((sum + B) * (x_scale * w_scale / y_scale)) + y_zero_point)."""
    T = y_zero_point.type.tensor_element_type
    type = TensorType((x.type.shape[0], w.type.shape[0], *windows(node).sizes), T)

    def element(index: Index) -> Any:
        feature = index[1]
        total = dot(window(node, x, w, x_zero_point, w_zero_point, index))
        total = wrap(total + (B[(feature,)] if B else 0), I32)
        scale = at(w_scale, None, (feature,))
        factor = multiplier(x_scale.elements[0], scale, y_scale.elements[0], F32)
        return rescale(total, factor, y_zero_point.elements[0], T)

    return build(type, element)


OPERATORS: dict[str, Callable[..., Any]] = {
    "QuantizeLinear": quantize_linear,
    "DequantizeLinear": dequantize_linear,
    "DynamicQuantizeLinear": dynamic_quantize_linear,
    "MatMulInteger": matmul_integer,
    "ConvInteger": conv_integer,
    "QLinearMatMul": qlinear_matmul,
    "QLinearConv": qlinear_conv,
}


def evaluate(node: Node, inputs: Mapping[str, Tensor]) -> tuple[Tensor, ...]:
    """Return the outputs of a node for its inputs by name."""
    outputs = OPERATORS[node.operator](node, **inputs)
    return outputs if isinstance(outputs, tuple) else (outputs,)

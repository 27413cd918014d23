"""MatMulInteger, ConvInteger, QLinearMatMul and QLinearConv, one element at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from spec.elements import ELEMENT_TYPES, ElementType
from spec.formats import round_to, wrap
from spec.meaning.index import Index, Tensor, build
from spec.meaning.numbers import add, divide, multiply
from spec.meaning.onnx.linear import to_float8, to_integer
from spec.onnx.geometry import Product, matmul, windows
from spec.onnx.node import Node
from spec.types import TensorType

I32, F32 = ELEMENT_TYPES["i32"], ELEMENT_TYPES["f32"]
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

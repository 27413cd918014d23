"""Reductions along axes, and pools of windows of images."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import floor, log2, prod
from typing import Any

import numpy as np

from interp.apps.litert import fixed_point as fixed
from interp.apps.litert.contractions import images, padding_of, strides_of
from interp.apps.litert.node import (
    F32,
    I32,
    I64,
    Build,
    Node,
    accumulator_type,
    differences,
    storage_of,
    with_element,
)
from interp.loading.build import Window
from spec.ir import Value
from spec.multipliers import Multipliers
from spec.types import QuantizedType, TensorType

FACTORS = 512  # of a product, each of which becomes operations


def reduced_axes(n: Node) -> list[int]:
    return n.axes(1, n.type(0).rank)


def reshape_kept(n: Node, x: Value, axes: Sequence[int]) -> Value:
    """Return a reduced value with its dimensions of size 1, if the node keeps them."""
    if not n.option("keep_dims"):
        return x
    shape = [1 if d in axes else size for d, size in enumerate(n.type(0).shape)]
    return n.b.reshape(x, shape)


def add_up(n: Node, axes: Sequence[int]) -> Value:
    """Return the sums of `q - zero_point` of i32 in the units of the input, quantized where they fit."""
    type, x = n.quantized_type(0), n.value(0)
    count = prod(n.type(0).shape[d] for d in axes)
    furthest = max(abs(end - type.zero_point) for end in (type.storage_min, type.storage_max))
    sums = accumulator_type(type.scale)
    if count * furthest <= I32.max_value:
        init = n.b.full(type.zero_point, TensorType((), type))
        return n.b.reduce(x, init, "add", axes, sums)
    wide = n.b.convert(n.storage(0), I32)
    total = n.b.reduce(wide, n.b.full(0, TensorType((), I32)), "add", axes)
    return n.b.bitcast(n.b.binary_scalar("subtract", total, wrap32(type.zero_point * count)), sums)


def wrap32(x: int) -> int:
    return (x + (1 << 31)) % (1 << 32) - (1 << 31)


def mean(n: Node) -> Value:
    axes, shape = reduced_axes(n), n.type(0).shape
    count = prod(shape[d] for d in axes)
    if not isinstance(n.out().element, QuantizedType):
        return mean_of_plain(n, axes, count)
    multiplier, shift = fixed.quantize_multiplier(n, fixed.ratio(n.quantized_type(0).scale, n.result().scale))
    if count > 1:
        more = min(floor(log2(count)), 32, 31 + shift)
        multiplier, shift = (multiplier << more) // count, shift - more
    by = Multipliers((multiplier,), (shift,), "double")
    means = n.b.bitcast(add_up(n, axes), accumulator_type(n.quantized_type(0).scale / max(count, 1)))
    return reshape_kept(n, fixed.requantize(n.b, means, n.result(), by), axes)


def mean_of_plain(n: Node, axes: Sequence[int], count: int) -> Value:
    x = n.value(0)
    element = x.type.tensor_element_type
    wide = n.b.convert(x, I64 if element == I32 else element)
    total = n.b.reduce(wide, n.b.full(0, TensorType((), wide.type.tensor_element_type)), "add", axes)
    mean = n.b.binary_scalar("divide", total, count)
    return reshape_kept(n, n.b.convert(mean, element), axes)


def total(n: Node) -> Value:
    """Return SUM; that of i8 as the reference kernel computes it, which reads its bytes as unsigned."""
    axes, b = reduced_axes(n), n.b
    if not isinstance(n.out().element, QuantizedType):
        x = n.value(0)
        zero = b.full(0, TensorType((), x.type.tensor_element_type))
        return reshape_kept(n, b.reduce(x, zero, "add", axes), axes)
    source, type = n.quantized_type(0), n.result()
    if type.storage_type.bits != 8:
        raise n.unsupported_error(
            f"SUM of {source!r}", "the reference kernel leaves half of its bytes undefined"
        )
    by = fixed.multipliers_of(n, [fixed.ratio(source.scale, type.scale)], None)
    right = fixed.requantize(b, add_up(n, axes), type, by)
    if type.storage_type.kind == "unsigned" or n.scope.kernels == "micro":
        return reshape_kept(n, right, axes)
    byte = b.binary_scalar("and", b.convert(n.storage(0), I32), 255)
    count = prod(n.type(0).shape[d] for d in axes)
    sums = b.reduce(byte, b.full(0, TensorType((), I32)), "add", axes)
    sums = b.binary_scalar("subtract", sums, source.zero_point * count)
    m = fixed.doubly_rounded(b, sums, (by.multipliers[0], by.shifts[0]))
    q = b.clamp(0, b.binary_scalar("add", m, type.zero_point), 255)
    signed = b.select(b.compare("GT", q, b.full(127, I32)), b.binary_scalar("add", q, -256), q)
    wrong, right = b.convert(signed, type.storage_type), storage_of(b, right)
    differ = n.compare_at_fault("SUM of LiteRT reads bytes as unsigned", "NE", wrong, right)
    return reshape_kept(n, b.bitcast(b.select(differ, wrong, right), type), axes)


def extreme(body: str, n: Node) -> Value:
    """Return the largest or smallest stored number."""
    axes, x = reduced_axes(n), n.value(0)
    if x.type.element_type != n.out().element:
        raise n.malformed_error("its input and output have several scales", "LiteRT refuses this, too")
    return reshape_kept(n, fold_extreme(n, x, body, axes), axes)


def fold_extreme(n: Node, x: Value, body: str, axes: Sequence[int]) -> Value:
    element = x.type.element_type
    if isinstance(element, QuantizedType):
        least, most = element.storage_min, element.storage_max
    elif element == F32:
        least, most = -np.inf, np.inf  # type: ignore[assignment]
    else:
        least, most = x.type.storage_type.min_value, x.type.storage_type.max_value
    init = n.b.full(least if body == "maximum" else most, TensorType((), element))
    return n.b.reduce(x, init, body, axes)


def product(n: Node) -> Value:
    axes, x = reduced_axes(n), n.value(0)
    if isinstance(n.out().element, QuantizedType):
        return reshape_kept(n, product_of_integers(n, axes), axes)
    one = n.b.full(1, TensorType((), x.type.tensor_element_type))
    return reshape_kept(n, n.b.reduce(x, one, "multiply", axes), axes)


def product_of_integers(n: Node, axes: Sequence[int]) -> Value:
    """Return the product of `q - zero_point`, rescaled after each factor, in the order of the elements."""
    b, type, shape = n.b, n.result(), n.type(0).shape
    kept = [d for d in range(len(shape)) if d not in axes]
    count, sizes = prod(shape[d] for d in axes), [shape[d] for d in kept]
    if not 0 < count <= FACTORS:
        raise n.unsupported_error(f"REDUCE_PROD of {count} factors", f"expected 1 to {FACTORS}")
    by = [fixed.quantize_multiplier(n, n.quantized_type(0).scale / type.scale ** (1.0 / count))]
    rows = b.transpose(differences(b, n.value(0), I64), (*axes, *kept))
    rows = b.reshape(rows, (count, prod(sizes)))
    found = b.row(rows, 0, 0)
    for k in range(1, count):
        factor = b.binary("multiply", found, b.row(rows, k, 0))
        found = b.convert(fixed.narrow(b, factor, by, 0), I64)
    return b.reshape(fixed.store(b, fixed.narrow(b, found, by, 0), type), sizes)


def logical(body: str, n: Node) -> Value:
    axes = reduced_axes(n)
    init = n.b.full(body == "and", TensorType((), n.out().storage))
    return reshape_kept(n, n.b.reduce(n.value(0), init, body, axes), axes)


def place_of_extreme(is_largest: bool, n: Node) -> Value:
    """Return the first place of the largest or smallest element along an axis."""
    b, x = n.b, n.storage(0)
    (axis,) = n.axes(1, x.type.rank)
    body = "maximum" if is_largest else "minimum"
    ends = b.place(
        fold_extreme(n, x, body, [axis]), x.type.shape, [d for d in range(x.type.rank) if d != axis]
    )
    places = b.iota(x.type.shape, axis, I32)
    many = b.full(x.type.shape[axis], I32)
    found = b.select(b.compare("EQ", x, ends), places, many)
    first = b.reduce(found, b.full(I32.max_value, TensorType((), I32)), "minimum", [axis])
    return b.convert(first, n.out().storage)


# Pools


def window_of(n: Node) -> Window:
    x, strides = images(n, 0), strides_of(n)
    sizes = n.option("filter_h"), n.option("filter_w")
    if min(sizes) < 1:
        raise n.malformed_error(f"a window of {sizes}", "expected positive sizes")
    padding = padding_of(n, x[1:3], sizes, strides, (1, 1))
    return Window((1, *sizes, 1), (1, *strides, 1), (1,) * 4, ((0, 0), *padding, (0, 0)))


def max_pool(n: Node) -> Value:
    """Return the largest stored number of each window, whatever the scales."""
    x, window, element = n.value(0), window_of(n), n.value(0).type.element_type
    if isinstance(element, QuantizedType):
        least: Any = element.storage_min
    else:
        least = -np.inf if element == F32 else x.type.storage_type.min_value
    found = n.b.reduce_window(x, n.b.full(least, TensorType((), element)), "maximum", window)
    return fixed.activate(n, with_element(n.b, found, n.out().element))


def average_pool(n: Node) -> Value:
    """Return the mean of the cells of each window that lie in the image; of integers, half away from zero."""
    b, window, shape = n.b, window_of(n), images(n, 0)
    counts = cells(window, shape)
    if n.tensor(0).element == F32:
        x = n.value(0)
        sums = b.reduce_window(x, b.full(0.0, TensorType((), F32)), "add", window)
        return fixed.activate(n, b.binary("divide", sums, b.array(counts.astype(np.float32), F32)))
    x = b.convert(n.storage(0), I32)
    sums = b.reduce_window(x, b.full(0, TensorType((), I32)), "add", window)
    number = b.array(counts.astype(np.int32), I32)
    half = b.array((counts // 2).astype(np.int32), I32)
    half = b.select(
        b.compare("GT", sums, b.full(0, I32)),
        b.broadcast(half, sums.type.shape),
        b.broadcast(b.unary("negate", half), sums.type.shape),
    )
    found = b.binary("divide", b.binary("add", sums, half), number)
    low, high = fixed.limits(n.activation, n.result())
    found = b.convert(b.clamp(low, found, high), n.result().storage_type)
    return b.bitcast(found, n.result())


def cells(window: Window, shape: Sequence[int]) -> np.ndarray:
    """Return how many cells of each window lie in the image, of shape (1, rows, columns, 1)."""
    lines = []
    for d in (1, 2):
        size, stride, (low, _) = window.dimensions[d], window.strides[d], window.padding[d]
        starts = np.arange(window.sizes(shape)[d]) * stride - low
        lines.append(np.minimum(starts + size, shape[d]) - np.maximum(starts, 0))
    return np.maximum(lines[0][None, :, None, None] * lines[1][None, None, :, None], 1)


TABLE: dict[str, Build] = {
    "ARG_MAX": partial(place_of_extreme, True),
    "ARG_MIN": partial(place_of_extreme, False),
    "AVERAGE_POOL_2D": average_pool,
    "MAX_POOL_2D": max_pool,
    "MEAN": mean,
    "REDUCE_ALL": partial(logical, "and"),
    "REDUCE_ANY": partial(logical, "or"),
    "REDUCE_MAX": partial(extreme, "maximum"),
    "REDUCE_MIN": partial(extreme, "minimum"),
    "REDUCE_PROD": product,
    "SUM": total,
}

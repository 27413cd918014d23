"""Operators on windows: pooling, its inverses, and LRN."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from interp.apps.onnx.loading.node import Build, Node, spatial_padding, window_reach
from interp.apps.onnx.loading.reductions import keep_dimensions, mean_along
from interp.backends.dtypes import numpy_dtype
from interp.loading.build import F32, I64, Folds, Window
from interp.loading.folding import fold, init, scatter
from spec.ir import Op, Region, Value
from spec.types import ElementType, TensorType


def spatial(n: Node, x: Value) -> list[int]:
    if x.type.rank < 3:
        raise n.malformed_error(f"expected (batch, features, ...), got {x.type!r}")
    return list(range(2, x.type.rank))


def global_average_pool(n: Node) -> Value:
    x = n.value(0)
    dimensions = spatial(n, x)
    return keep_dimensions(n, mean_along(n.b, x, dimensions), x, dimensions)


def global_max_pool(n: Node) -> Value:
    x = n.raw_value(0)
    dimensions = spatial(n, x)
    return keep_dimensions(n, fold(n.b, x, "maximum", dimensions), x, dimensions)


def max_pool(n: Node) -> Value | Sequence[Value]:
    x = n.raw_value(0)
    window, _ = pooling_window(n, x.type.shape)
    if len(n.proto.output) > 1:
        return max_pool_with_indices(n, n.plain(x), window)
    return n.b.reduce_window(x, init(n.b, "maximum", x), "maximum", window)


def max_pool_with_indices(n: Node, x: Value, window: Window) -> Sequence[Value]:
    """Return the largest elements, and the place of the first of each in x, flattened in row-major order.

    With `storage_order` 1, the place counts the spatial dimensions in column-major order.
    """
    b, shape = n.b, x.type.shape
    places = b.reshape(b.iota((x.type.size,), 0, I64), shape)
    starts = [init(b, "maximum", x), b.full(I64.max_value, I64)]
    types = [TensorType(window.sizes(shape), v.type.element_type) for v in (x, places)]
    region = first_of_largest(b, x.type.tensor_element_type)
    attributes = window.attributes
    values, first = b.emit_all("reduce_window", [x, places, *starts], types, (region,), **attributes)
    if n.attribute("storage_order", 0):
        first = b.gather(b.array(column_major(shape), I64), first, 0)
    return [values, first]


def first_of_largest(b: Folds, element: ElementType) -> Region:
    """Return a body on pairs of a number and its place: the pair of the larger number, or the first place.

    NaN is the largest number, as it is of `maximum`.
    """
    types = [TensorType((), element), TensorType((), I64)] * 2
    inner = Folds(b.taken, [], b.location, b.hint, {}, b)
    arguments = tuple(Value(b.fresh(hint), type) for hint, type in zip("aibj", types, strict=True))
    x, i, y, j = arguments
    larger, same = inner.compare("GT", y, x), inner.compare("EQ", y, x)
    if element.kind == "float":
        x_is_nan, y_is_nan = (inner.compare("NE", v, v) for v in (x, y))
        larger = inner.binary("or", larger, inner.binary("and", y_is_nan, inner.unary("not", x_is_nan)))
        same = inner.binary("or", same, inner.binary("and", x_is_nan, y_is_nan))
    takes = inner.binary("or", larger, inner.binary("and", same, inner.compare("LT", j, i)))
    results = inner.select(takes, y, x), inner.select(takes, j, i)
    return Region(arguments, (*inner.ops, Op("stablehlo.return", results, ())))


def column_major(shape: Sequence[int]) -> np.ndarray:
    """Return the place of each element of a tensor, its spatial dimensions in column-major order."""
    spatial_shape = tuple(shape[2:])
    size = prod(spatial_shape)
    within = np.arange(size).reshape(spatial_shape[::-1]).transpose().reshape(-1)
    return (np.arange(prod(shape[:2]))[:, None] * size + within).reshape(-1)


def average_pool(n: Node) -> Value:
    """Return the sums divided by how many elements each window has, padding included if an attribute says so.

    What a window that hangs over with `ceil_mode` has behind the padding never counts.
    """
    x = n.value(0)
    window, given = pooling_window(n, x.type.shape)
    total = n.b.reduce_window(x, init(n.b, "add", x), "add", window)
    counts = element_counts(x.type.shape, window, given if n.attribute("count_include_pad", 0) else ())
    element = x.type.tensor_element_type
    return n.b.binary("divide", total, count_constant(n.b, counts, element))


def count_constant(b: Folds, counts: np.ndarray, element: ElementType) -> Value:
    """Return how many elements each window has, as one number where it is the same for all."""
    if counts.size and (counts == counts.flat[0]).all():
        return b.full(counts.flat[0], element)
    return b.array(counts.astype(numpy_dtype(element)), element)


def element_counts(
    shape: Sequence[int], window: Window, counted: Sequence[tuple[int, int]] = ()
) -> np.ndarray:
    """Return how many elements of the operand, and of the padding that counts, each window has."""
    counts = np.ones((), np.int64)
    for d in range(2, len(shape)):
        low, high = counted[d] if counted else (0, 0)
        sizes, positions = shape[d] + low + high, window.sizes(shape)[d]
        starts = np.arange(positions) * window.strides[d] - window.padding[d][0] + low
        places = starts[:, None] + np.arange(window.dimensions[d]) * window.dilations[d]
        counts = counts[..., None] * ((places >= 0) & (places < sizes)).sum(1)
    return counts


def norm_pool(n: Node) -> Value:
    """Return the p-norm of each window."""
    x, p = n.value(0), n.attribute("p", 2)
    window, _ = pooling_window(n, x.type.shape)
    return root(n.b, fold_window(n.b, power_of_magnitude(n.b, x, p), window), p)


def global_norm_pool(n: Node) -> Value:
    """Return the p-norm of all that a feature has."""
    x, p = n.value(0), n.attribute("p", 2)
    dimensions = spatial(n, x)
    total = fold(n.b, power_of_magnitude(n.b, x, p), "add", dimensions)
    return keep_dimensions(n, root(n.b, total, p), x, dimensions)


def fold_window(b: Folds, x: Value, window: Window) -> Value:
    """Return the sums of windows; those of 16-bit floats are kept in f32."""
    element = x.type.tensor_element_type
    wide = b.convert(x, F32) if element.bits <= 16 else x
    return b.convert(b.reduce_window(wide, init(b, "add", wide), "add", window), element)


def power_of_magnitude(b: Folds, x: Value, p: float) -> Value:
    """Return |x| ** p."""
    if p == 2:
        return b.binary("multiply", x, x)
    x = b.unary("abs", x)
    return x if p == 1 else b.binary_scalar("power", x, p)


def root(b: Folds, x: Value, p: float) -> Value:
    """Return x ** (1 / p)."""
    if p == 2:
        return b.unary("sqrt", x)
    return x if p == 1 else b.binary_scalar("power", x, 1 / p)


def norm_along(n: Node) -> Value:
    """Return x divided by its p-norm along an axis; zeros where the norm is 0."""
    x, p = n.value(0), n.attribute("p", 2)
    axis = n.axis(-1, x.type.rank)
    norm = root(n.b, fold(n.b, power_of_magnitude(n.b, x, p), "add", [axis]), p)
    norm = n.b.place(norm, x.type.shape, [d for d in range(x.type.rank) if d != axis])
    zero = n.b.full(0, x.type)
    return n.b.select(n.b.compare("EQ", norm, zero), zero, n.b.binary("divide", x, norm))


def local_response_normalization(n: Node) -> Value:
    """Return x / (bias + alpha / size * sum) ** beta, sum: the squares of `size` features around each one."""
    x, size = n.value(0), n.attribute("size")
    rank = x.type.rank
    if size < 1 or rank < 2:
        raise n.malformed_error(f"{size} features of {x.type!r}")
    before = (size - 1) // 2
    ones = (1,) * rank
    padding = tuple((before, size - 1 - before) if d == 1 else (0, 0) for d in range(rank))
    window = Window(tuple(size if d == 1 else 1 for d in range(rank)), ones, ones, padding)
    squares = fold_window(n.b, n.b.binary("multiply", x, x), window)
    scaled = n.b.binary_scalar("multiply", squares, n.attribute("alpha", 1e-4) / size)
    base = n.b.binary_scalar("add", scaled, n.attribute("bias", 1.0))
    return n.b.binary("divide", x, n.b.binary_scalar("power", base, n.attribute("beta", 0.75)))


def max_unpool(n: Node) -> Value:
    """Return zeros with each element of x where MaxPool's indices say, in the shape that MaxPool had.

    The indices are of the flattened shape that kernel, strides and pads give; zeros fill up a given shape.
    """
    x, places = n.value(0), n.value(1)
    rank = x.type.rank - 2
    kernel = n.attribute("kernel_shape")
    strides, pads = n.attribute("strides", [1] * rank), n.attribute("pads", [0] * 2 * rank)
    if rank < 1 or (len(kernel), len(strides), len(pads)) != (rank, rank, 2 * rank):
        raise n.malformed_error(f"kernel_shape {kernel}, strides {strides}, pads {pads} for {x.type!r}")
    sizes = zip(x.type.shape[2:], strides, kernel, pads[:rank], pads[rank:], strict=True)
    spatial_shape = [(size - 1) * s + k - low - high for size, s, k, low, high in sizes]
    shape = (*x.type.shape[:2], *spatial_shape)
    if min(shape) < 0 or places.type.shape != x.type.shape:
        raise n.malformed_error(f"the shape {list(shape)} and indices {places.type!r} for {x.type!r}")
    zeros = n.b.full(0, TensorType((prod(shape),), x.type.element_type))
    flat, updates = (n.b.reshape(v, (x.type.size,)) for v in (places, x))
    out = n.b.reshape(scatter(n.b, zeros, flat, updates, "", [], [0], 1), shape)
    wanted = n.integers(2) if n.has(2) else shape
    padding = [(0, more - size) for more, size in zip(wanted, shape, strict=True)]
    return n.b.pad(out, n.b.full(0, x.type.tensor_element_type), padding)


def col2im(n: Node) -> Value:
    """Return images whose elements are the sums of what all blocks have for them."""
    x, image, block = n.value(0), n.integers(1), n.integers(2)
    rank = len(image)
    strides, dilations = n.attribute("strides", [1] * rank), n.attribute("dilations", [1] * rank)
    pads = n.attribute("pads", [0] * 2 * rank)
    places: Any = np.zeros((), np.int64)
    outside: Any = np.zeros((), bool)
    for d in range(rank):
        span = image[d] + pads[d] + pads[d + rank] - dilations[d] * (block[d] - 1) - 1
        steps = np.arange(block[d])[:, None] * dilations[d] + np.arange(span // strides[d] + 1) * strides[d]
        steps = np.expand_dims(steps - pads[d], [k for k in range(2 * rank) if k not in (d, d + rank)])
        places = places * image[d] + steps
        outside = outside | (steps < 0) | (steps >= image[d])
    places = np.where(outside, prod(image), places).reshape(-1)
    batch, features, count = x.type.shape
    channels = features // prod(block)
    if rank < 1 or channels * prod(block) != features or prod(block) * count != places.size:
        raise n.malformed_error(f"blocks of {block} in an image of {image} for {x.type!r}")
    element = x.type.tensor_element_type
    wide = n.b.convert(x, F32) if element.bits <= 16 and element.kind == "float" else x
    wide = n.b.reshape(wide, (batch, channels, places.size))
    zeros = n.b.full(0, TensorType((prod(image), batch, channels), wide.type.element_type))
    updates = n.b.transpose(wide, (2, 0, 1))
    out = scatter(n.b, zeros, n.b.array(places, I64), updates, "add", [], [0], 1)
    return n.b.reshape(n.b.transpose(n.b.convert(out, element), (1, 2, 0)), (batch, channels, *image))


def pooling_window(n: Node, shape: Sequence[int]) -> tuple[Window, tuple[tuple[int, int], ...]]:
    """Return the window of a pooling operator over (batch, features, ...), and the padding it was given.

    With `ceil_mode`, the window is padded further behind, so that a last position hangs over; one that would
    start behind the given padding is left out.
    """
    rank = len(shape) - 2
    kernel = n.attribute("kernel_shape")
    if rank < 1 or kernel is None or len(kernel) != rank or min(kernel) < 1:
        raise n.malformed_error(f"kernel_shape {kernel} for an operand of shape {list(shape)}")
    strides, dilations = n.attribute("strides", [1] * rank), n.attribute("dilations", [1] * rank)
    pads = n.attribute("pads", [0] * 2 * rank)
    if len(strides) != rank or len(dilations) != rank or len(pads) != 2 * rank:
        raise n.malformed_error("strides, dilations or pads of another rank")
    if min(strides) < 1 or min(dilations) < 1 or min(pads) < 0:
        raise n.malformed_error("expected positive strides and dilations, and pads of at least 0")
    reach = window_reach(kernel, dilations)
    given = [(0, 0), (0, 0), *spatial_padding(n, shape[2:], reach, strides)]
    padding = list(given)
    if n.attribute("ceil_mode", 0) and n.attribute("auto_pad", "NOTSET") in ("NOTSET", "VALID"):
        for d, (r, stride) in enumerate(zip(reach, strides, strict=True), 2):
            low, high = given[d]
            padding[d] = (low, high + _hanging_over(shape[d], low, high, r, stride))
    ones = (1, 1)
    window = Window((*ones, *kernel), (*ones, *strides), (*ones, *dilations), tuple(padding))
    return window, tuple(given)


def _hanging_over(size: int, low: int, high: int, reach: int, stride: int) -> int:
    """Return how many elements behind the padding the last position needs, if it starts before its end."""
    steps = -(-(size + low + high - reach) // stride)
    if steps * stride >= size + low:
        steps -= 1
    return max(0, steps * stride + reach - (size + low + high))


TABLE: dict[str, Build] = {
    "AveragePool": average_pool,
    "Col2Im": col2im,
    "GlobalAveragePool": global_average_pool,
    "GlobalLpPool": global_norm_pool,
    "GlobalMaxPool": global_max_pool,
    "LRN": local_response_normalization,
    "LpNormalization": norm_along,
    "LpPool": norm_pool,
    "MaxPool": max_pool,
    "MaxUnpool": max_unpool,
}

"""Operators that read an operand between its elements: GridSample, DeformConv, AffineGrid.

The place of a sample is a float along each axis. Each axis contributes the places around it, the taps, with
a weight each; a sample is the sum of the elements at all combinations of taps times their weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial, reduce
from math import prod

import numpy as np

from interp.apps.onnx.loading.contractions import check_kernel, with_bias
from interp.apps.onnx.loading.conversions import convert
from interp.apps.onnx.loading.indexing import gather_points
from interp.apps.onnx.loading.node import Build, Node, to_float, window_reach
from interp.backends.dtypes import numpy_dtype
from interp.loading.build import I32, Folds
from spec.ir import Value
from spec.types import ElementType

MANY = 1 << 26  # places of a grid
CUBIC = -0.75
FAR = (CUBIC, -5 * CUBIC, 8 * CUBIC, -4 * CUBIC)  # the weight at a distance of 1 to 2, as a polynomial
NEAR = (CUBIC + 2, -(CUBIC + 3), 0, 1)  # and at one of 0 to 1
OFFSETS = {"nearest": (0,), "linear": (0, 1), "cubic": (-1, 0, 1, 2)}  # of the taps from the place below
MODES = {"bilinear": "linear", "bicubic": "cubic"}  # the names of GridSample's first version


@dataclass(frozen=True)
class Taps:
    """The taps of one axis, of shape (*points, taps): their places in bounds, weights, and which count.

    dimensions: where these dimensions stand among those of all combinations.
    """

    places: Value
    weights: Value
    counts: Value | None
    dimensions: tuple[int, ...]


def read_taps(
    b: Folds,
    x: Value,
    taps: Sequence[Taps],
    axes: Sequence[int],
    batches: int = 0,
    first: Value | None = None,
) -> Value:
    """Return the elements of x at all combinations of taps: batches, points, taps, what is left of x.

    Those that do not count are 0. first: indices of the first axis, one for each of the first points.
    """
    sizes = {d: n for t in taps for d, n in zip(t.dimensions, t.places.type.shape, strict=True)}
    shape = tuple(sizes[d] for d in range(len(sizes)))
    places = [b.place(t.places, shape, t.dimensions) for t in taps]
    if first is not None:
        places.insert(0, b.place(first, shape, (0,)))
    vectors = b.concatenate([b.reshape(p, (*shape, 1)) for p in places], len(shape))
    found = gather_points(b, x, vectors, range(batches), axes, len(shape))
    for t in taps:
        if t.counts is not None:
            counts = b.place(t.counts, found.type.shape, t.dimensions)
            found = b.select(counts, found, b.full(0, found.type))
    return found


def weigh(b: Folds, found: Value, taps: Sequence[Taps]) -> Value:
    """Return what was read times the weights, summed over the taps of each axis, the last one first."""
    for t in reversed(taps):
        weights = b.convert(t.weights, found.type.tensor_element_type)
        found = b.binary("multiply", found, b.place(weights, found.type.shape, t.dimensions))
        found = _add_along(b, found, t.dimensions[-1])
    return found


def stack(b: Folds, values: Sequence[Value]) -> Value:
    """Return values of one shape along a new last dimension."""
    shape = values[0].type.shape
    return b.concatenate([b.reshape(v, (*shape, 1)) for v in values], len(shape))


def _add_along(b: Folds, x: Value, dimension: int) -> Value:
    """Return the sum along a dimension of a few elements, which are added one by one."""
    shape = [n for d, n in enumerate(x.type.shape) if d != dimension]
    count = x.type.shape[dimension]
    parts = [b.reshape(b.slice_in(x, dimension, k, k + 1), shape) for k in range(count)]
    return reduce(partial(b.binary, "add"), parts)


def clamp_places(b: Folds, at: Value, size: int) -> Value:
    return b.convert(b.clamp(0, at, size - 1), I32)


def zero_outside(b: Folds, at: Value, size: int, dimensions: tuple[int, ...]) -> Taps:
    """Return the two taps around each place; those outside of the operand do not count."""
    low = b.unary("floor", at)
    part = b.binary("subtract", at, low)
    places = stack(b, [low, b.binary_scalar("add", low, 1)])
    weights = stack(b, _weights(b, part, "linear"))
    return Taps(clamp_places(b, places, size), weights, is_inside(b, places, 0, size - 1), dimensions)


def is_inside(b: Folds, at: Value, low: float, high: float) -> Value:
    ends = b.compare("GE", at, b.full(low, at.type)), b.compare("LE", at, b.full(high, at.type))
    return b.binary("and", *ends)


def _weights(b: Folds, part: Value, mode: str) -> list[Value]:
    """Return the weights of the taps of a place that is `part` behind the one below."""
    rest = b.binary("subtract", b.full(1, part.type), part)
    if mode == "linear":
        return [rest, part]
    outer = [_polynomial(b, b.binary_scalar("add", d, 1), FAR) for d in (part, rest)]
    return [outer[0], *(_polynomial(b, d, NEAR) for d in (part, rest)), outer[1]]


def _polynomial(b: Folds, x: Value, coefficients: Sequence[float]) -> Value:
    """Return a polynomial by Horner's rule; coefficients: that of the highest power first."""
    out = b.full(coefficients[0], x.type)
    for coefficient in coefficients[1:]:
        out = b.binary("multiply", out, x)
        out = b.binary_scalar("add", out, coefficient) if coefficient else out
    return out


def grid_sample(n: Node) -> Value:
    mode = MODES.get(n.attribute("mode", "linear"), n.attribute("mode", "linear"))
    padding = n.attribute("padding_mode", "zeros")
    if mode not in OFFSETS or padding not in ("zeros", "border", "reflection"):
        raise n.malformed_error(f"mode {mode!r}, padding_mode {padding!r}")
    x = n.raw_value(0) if mode == "nearest" and padding != "zeros" else n.value(0)
    grid, rank = to_float(n, n.value(1)), x.type.rank - 2
    batch, *out, count = grid.type.shape
    if rank < 1 or count != rank or len(out) != rank or batch != x.type.shape[0]:
        raise n.malformed_error(f"a grid of shape {list(grid.type.shape)} for {x.type!r}")
    if 0 in x.type.shape[2:]:
        raise n.malformed_error(f"no elements to sample: {x.type!r}")
    grid, taps = n.b.reshape(grid, (batch, prod(out), rank)), []
    for d, size in enumerate(x.type.shape[2:]):
        at = n.b.reshape(n.b.slice_in(grid, 2, rank - 1 - d, rank - d), (batch, prod(out)))
        taps.append(_grid_taps(n, at, size, mode, padding, (0, 1, 2 + d)))
    wide = x if mode == "nearest" else to_float(n, x)
    found = read_taps(n.b, wide, taps, range(2, 2 + rank), 1)
    if mode == "nearest":
        found = n.b.reshape(found, (*found.type.shape[:2], x.type.shape[1]))
    else:
        found = convert(n, weigh(n.b, found, taps), x.type.storage_type)
    return n.b.reshape(n.b.transpose(found, (0, 2, 1)), (*x.type.shape[:2], *out))


def _grid_taps(n: Node, at: Value, size: int, mode: str, padding: str, dimensions: tuple[int, ...]) -> Taps:
    """Return the taps of normalized places, of which -1 and 1 are the ends of an axis."""
    b, aligned = n.b, n.attribute("align_corners", 0)
    at = b.binary_scalar("add", at, 1)
    if aligned:
        at = b.binary_scalar("multiply", b.binary_scalar("divide", at, 2), size - 1)
    else:
        at = b.binary_scalar("multiply", at, size)
        at = b.binary_scalar("divide", b.binary_scalar("subtract", at, 1), 2)
    at = b.unary("round_nearest_even", at) if mode == "nearest" else at
    ends = (0.0, size - 1.0) if aligned else (-0.5, size - 0.5)
    if padding == "border" and mode != "cubic":  # whose taps runtimes clamp one by one
        at = b.select(is_inside(b, at, *ends), at, b.clamp(0, at, size - 1))
    elif padding == "reflection":
        at = _reflect(b, at, *ends)
    low = b.unary("floor", at)
    places = stack(b, [b.binary_scalar("add", low, offset) for offset in OFFSETS[mode]])
    inside = is_inside(b, places, 0, size - 1) if padding == "zeros" else None
    places = _reflect(b, places, *ends) if padding == "reflection" else places
    parts = [low] if mode == "nearest" else _weights(b, b.binary("subtract", at, low), mode)
    return Taps(clamp_places(b, places, size), stack(b, parts), inside, dimensions)


def _reflect(b: Folds, at: Value, low: float, high: float) -> Value:
    """Return places reflected at both ends until they are between them."""
    if low == high:
        return b.full(low, at.type)
    beyond = b.binary(
        "maximum",
        b.binary("subtract", b.full(low, at.type), at),
        b.binary_scalar("subtract", at, high),
    )
    turns = b.unary("floor", b.binary_scalar("divide", beyond, high - low))
    rest = b.binary("subtract", beyond, b.binary_scalar("multiply", turns, high - low))
    is_even = b.compare("EQ", b.binary_scalar("remainder", turns, 2), b.full(0, turns.type))
    is_low = b.compare("LT", at, b.full(low, at.type))
    from_low = b.compare("EQ", is_even, is_low)
    up = b.binary_scalar("add", rest, low)
    down = b.binary("subtract", b.full(high, at.type), rest)
    return b.select(is_inside(b, at, low, high), at, b.select(from_low, up, down))


def float_of(x: Value) -> ElementType:
    return x.type.tensor_element_type


def deform_conv(n: Node) -> Value:
    """Return the convolution of samples, which each place of the kernel reads at an offset of its own."""
    x, kernel, offset = (n.value(k) for k in range(3))
    check_kernel(n, x, kernel)
    b, element = n.b, x.type.tensor_element_type
    (batch, features, *sizes), (outputs, inputs, *window) = x.type.shape, kernel.type.shape
    rank, groups, parts = len(sizes), n.attribute("group", 1), n.attribute("offset_group", 1)
    out, taps = offset.type.shape[2:], prod(window)
    if min(groups, parts) < 1 or features != inputs * groups or outputs % groups or features % parts:
        raise n.malformed_error(
            f"{groups} groups, {parts} of offsets, do not fit {x.type!r} and {kernel.type!r}"
        )
    _check_offsets(n, offset, (batch, parts * taps * rank, *out), sizes, window)
    offsets = b.reshape(to_float(n, offset), (batch, parts, taps, rank, prod(out)))
    axes = []
    for d in range(rank):
        at = b.reshape(b.slice_in(offsets, 3, d, d + 1), (batch, parts, taps, prod(out)))
        start = b.array(_grid_of_kernel(n, d, window, out).astype(numpy_dtype(float_of(at))), float_of(at))
        at = b.binary("add", at, start)
        axes.append(zero_outside(b, at, sizes[d], (0, 1, 2, 3, 4 + d)))
    wide = b.reshape(to_float(n, x), (batch, parts, features // parts, *sizes))
    found = weigh(b, read_taps(b, wide, axes, range(3, 3 + rank), 2), axes)
    if n.has(4):
        mask = b.reshape(b.convert(n.value(4), float_of(found)), (batch, parts, taps, prod(out)))
        found = b.binary("multiply", found, b.place(mask, found.type.shape, range(4)))
    columns = b.reshape(b.transpose(found, (0, 1, 4, 2, 3)), (batch, groups, inputs * taps, prod(out)))
    weights = b.reshape(b.convert(kernel, float_of(found)), (groups, outputs // groups, inputs * taps))
    y = b.dot_general(weights, columns, ((0,), (1,)), ((2,), (2,)))
    y = b.convert(b.reshape(b.transpose(y, (2, 0, 1, 3)), (batch, outputs, *out)), element)
    return with_bias(n, y, n.value(3)) if n.has(3) else y


def _check_offsets(
    n: Node, offset: Value, shape: Sequence[int], sizes: Sequence[int], window: Sequence[int]
) -> None:
    """Raise `Malformed` unless the offsets have the shape that kernel and padding give."""
    rank = len(sizes)
    strides, dilations = n.attribute("strides", [1] * rank), n.attribute("dilations", [1] * rank)
    pads = n.attribute("pads", [0] * 2 * rank)
    rows = zip(sizes, window_reach(window, dilations), strides, pads[:rank], pads[rank:], strict=True)
    wanted = tuple((size + low + high - reach) // stride + 1 for size, reach, stride, low, high in rows)
    if offset.type.shape != (*shape[:2], *wanted) or 0 in sizes:
        raise n.malformed_error(f"expected offsets of shape {[*shape[:2], *wanted]}, got {offset.type!r}")


def _grid_of_kernel(n: Node, d: int, window: Sequence[int], out: Sequence[int]) -> np.ndarray:
    """Return where the kernel's places read along an axis without offsets, of shape (places, results)."""
    rank = len(window)
    stride, dilation, pad = (n.attribute(name, [k] * rank)[d] for name, k in KERNEL)
    inner = np.indices(window).reshape(rank, -1)[d] * dilation
    return inner[:, None] + np.indices(out).reshape(rank, -1)[d] * stride - pad


KERNEL = (("strides", 1), ("dilations", 1), ("pads", 0))


def affine_grid(n: Node) -> Value:
    """Return evenly spaced places of an image, from -1 to 1, each moved by a matrix."""
    theta, (batch, _, *sizes) = n.value(0), n.integers(1)
    rank = len(sizes)
    fits = rank in (2, 3) and theta.type.shape == (batch, rank, rank + 1)
    if not fits or min(sizes) < 0 or prod(sizes) > MANY:
        raise n.malformed_error(f"matrices {theta.type!r} for an image of {[batch, _, *sizes]}")
    ends = [1.0 if n.attribute("align_corners", 0) else 1 - 1 / max(size, 1) for size in sizes]
    lines = [np.linspace(-end, end, size) for end, size in zip(ends, sizes, strict=True)]
    grid = np.meshgrid(*lines, indexing="ij")[::-1]
    places = np.stack([*grid, np.ones(sizes)], -1).reshape(-1, rank + 1)
    wide = to_float(n, theta)
    columns = n.b.array(places.astype(numpy_dtype(float_of(wide))), float_of(wide))
    out = n.b.dot_general(wide, columns, ((), ()), ((2,), (1,)))
    out = n.b.reshape(n.b.transpose(out, (0, 2, 1)), (batch, *sizes, rank))
    return n.b.convert(out, float_of(theta))


TABLE: dict[str, Build] = {
    "AffineGrid": affine_grid,
    "DeformConv": deform_conv,
    "GridSample": grid_sample,
}

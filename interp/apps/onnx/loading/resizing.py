"""Resize and Upsample: along each axis, weighted sums of elements at places that the attributes give."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, reduce

import numpy as np

from interp.apps.onnx.loading.movement import take
from interp.apps.onnx.loading.node import Build, Node, to_float
from interp.backends.dtypes import numpy_dtype
from interp.loading.build import I1, I64
from interp.loading.folding import fold
from spec.ir import Value
from spec.types import ElementType

Array = np.ndarray
FEW = 8  # elements of a sum that are added one by one
MANY = 1 << 24  # places of one axis: more is a mistake


@dataclass(frozen=True)
class Axis:
    """An axis that is resized: its place, its sizes, and the region of it that is read.

    scale: the ratio of the sizes, as it is given; region: its start and end, as parts of the whole.
    """

    place: int
    size: int
    new: int
    scale: float
    region: tuple[float, float] = (0.0, 1.0)

    @property
    def width(self) -> float:
        """Return the new size before it is rounded down."""
        width = self.scale * self.size
        return round(width) if np.isclose(width, round(width), 1e-6, 0) else width


# The coordinate in the operand of each place in the result.
Coordinate = Callable[[Axis, Array], Array]
COORDINATES: dict[str, Coordinate] = {
    "asymmetric": lambda a, x: x / a.scale,
    "half_pixel": lambda a, x: (x + 0.5) / a.scale - 0.5,
    "pytorch_half_pixel": lambda a, x: (x + 0.5) / a.scale - 0.5 if a.new > 1 else x * 0.0,
    "align_corners": lambda a, x: x * (a.size - 1) / (a.width - 1) if a.width != 1 else x * 0.0,
    "half_pixel_symmetric": lambda a, x: a.size / 2 * (1 - a.new / a.width) + (x + 0.5) / a.scale - 0.5,
    "tf_crop_and_resize": lambda a, x: _crop(a, x),
    "tf_half_pixel_for_nn": lambda a, x: (x + 0.5) / a.scale,
}
NEAREST: dict[str, Callable[[Array], Array]] = {
    "round_prefer_floor": lambda x: np.ceil(x - 0.5),
    "round_prefer_ceil": lambda x: np.floor(x + 0.5),
    "floor": np.floor,
    "ceil": np.ceil,
}


def _crop(axis: Axis, x: Array) -> Array:
    start, end = (part * (axis.size - 1) for part in axis.region)
    return start + x * (end - start) / (axis.width - 1) if axis.width != 1 else x * 0.0 + (start + end) / 2


def resize(n: Node) -> Value:
    mode = {"bilinear": "linear"}.get(n.attribute("mode", "nearest"), n.attribute("mode", "nearest"))
    how, near = _ways(n)
    if mode not in ("nearest", "linear", "cubic") or (mode == "nearest" and n.attribute("antialias", 0)):
        raise n.malformed_error(
            f"mode {mode!r}", "expected nearest, linear or cubic; antialias not of nearest"
        )
    x = n.raw_value(0) if mode == "nearest" and how != "tf_crop_and_resize" else n.value(0)
    element = x.type.storage_type
    axes = [axis for axis in _axes(n, x) if axis != Axis(axis.place, axis.size, axis.size, 1.0)]
    x = x if mode == "nearest" else to_float(n, x)
    for axis in axes:
        _refuse_size(n, axis)
    if mode == "linear" and how != "tf_crop_and_resize" and _is_plane(n, axes):
        return _back(n, _interpolate_plane(n, x, axes, COORDINATES[how]), element)
    for axis in axes:
        at = COORDINATES[how](axis, np.arange(axis.new, dtype=np.float64))
        if mode == "nearest":
            places = np.clip(NEAREST[near](at), 0, max(axis.size - 1, 0)).astype(np.int64)
            x = take(n, x, places.tolist(), axis.place)
        else:
            x = _interpolate(n, x, axis, at, mode)
        if how == "tf_crop_and_resize":
            x = _extrapolate(n, x, axis, (at < 0) | (at > axis.size - 1))
    return x if mode == "nearest" else _back(n, x, element)


def _refuse_size(n: Node, axis: Axis) -> None:
    if not 0 <= axis.new <= MANY or (axis.new and not axis.size):
        raise n.malformed_error(f"a dimension of {axis.size} becomes {axis.new}")


def _is_plane(n: Node, axes: list[Axis]) -> bool:
    """Return whether two axes side by side are resized, each place between its two neighbours."""
    if n.attribute("antialias", 0) or n.attribute("exclude_outside", 0):
        return False
    return len(axes) == 2 and axes[1].place == axes[0].place + 1 and all(axis.size for axis in axes)


def _interpolate_plane(n: Node, x: Value, axes: list[Axis], coordinate: Coordinate) -> Value:
    """Return the sums of the four elements around each place: they have onnxruntime's bits.

    A weight is the product of one for the row and one for the column, and coordinates are rounded to floats.
    """
    dtype = np.float64 if x.type.tensor_element_type.bits == 64 else np.float32
    rows, columns = (_two_nearest(axis, coordinate(axis, np.arange(axis.new, dtype=dtype))) for axis in axes)
    parts = []
    for row, by_row in rows:
        band = take(n, x, row.tolist(), axes[0].place)
        for column, by_column in columns:
            weights = by_column[None, :] * by_row[:, None]
            parts.append(_times(n, take(n, band, column.tolist(), axes[1].place), weights, axes[0]))
    return reduce(partial(n.b.binary, "add"), parts)


def _two_nearest(axis: Axis, at: Array) -> list[tuple[Array, Array]]:
    """Return the elements before and after each coordinate, with their weights."""
    at = np.clip(at, 0, axis.size - 1).astype(at.dtype)
    before = np.floor(at)
    after = np.minimum(before + 1, axis.size - 1)
    is_last = before == after
    weights = (np.where(is_last, 0.5, abs(at - place)).astype(at.dtype) for place in (after, before))
    return [(x.astype(np.int64), w) for x, w in zip((before, after), weights, strict=True)]


def _interpolate(n: Node, x: Value, axis: Axis, at: Array, mode: str) -> Value:
    """Return the weighted sums along an axis; places outside are those at its ends, or do not count."""
    places, weights = _weights(n, axis, at, mode)
    if n.attribute("exclude_outside", 0):
        weights = np.where((places >= 0) & (places < axis.size), weights, 0)
        total = weights.sum(1, keepdims=True)
        weights = weights / np.where(total == 0, 1, total)
    places = np.clip(places, 0, max(axis.size - 1, 0))
    if places.shape[1] <= FEW:
        columns = zip(places.T.tolist(), weights.T, strict=True)
        return reduce(partial(n.b.binary, "add"), (_part(n, x, axis, *column) for column in columns))
    taken = n.b.gather(x, n.b.array(places, I64), axis.place)
    return fold(n.b, _times(n, taken, weights, axis), "add", [axis.place + 1])


def _part(n: Node, x: Value, axis: Axis, places: list[int], weights: Array) -> Value:
    """Return the elements at one place of each sum, times their weights."""
    return _times(n, take(n, x, places, axis.place), weights, axis)


def _times(n: Node, x: Value, weights: Array, axis: Axis) -> Value:
    element = x.type.tensor_element_type
    factors = n.b.array(weights.astype(numpy_dtype(element)), element)
    dimensions = range(axis.place, axis.place + weights.ndim)
    return n.b.binary("multiply", x, n.b.place(factors, x.type.shape, dimensions))


def _weights(n: Node, axis: Axis, at: Array, mode: str) -> tuple[Array, Array]:
    """Return the places and the weights of each sum; antialias stretches the filter where sizes shrink."""
    shrink = min(axis.scale, 1.0) if n.attribute("antialias", 0) else 1.0
    reach = (1 if mode == "linear" else 2) / shrink
    count = int(np.ceil(reach))
    if 2 * count * max(len(at), 1) > MANY:
        raise n.unsupported_error(f"sums of {2 * count} elements", f"at most {MANY} in all along an axis")
    places = np.floor(at).astype(np.int64)[:, None] + np.arange(1 - count, count + 1)
    distance = np.abs(places - at[:, None]) * shrink
    if mode == "linear":
        weights = np.clip(1 - distance, 0, 1)
    else:
        a, d = n.attribute("cubic_coeff_a", -0.75), distance
        near, far = ((a + 2) * d - (a + 3)) * d * d + 1, ((a * d - 5 * a) * d + 8 * a) * d - 4 * a
        weights = np.where(d <= 1, near, np.where(d < 2, far, 0))
    return places, weights / weights.sum(1, keepdims=True) if shrink < 1 else weights


def _extrapolate(n: Node, x: Value, axis: Axis, outside: Array) -> Value:
    """Return x with a number of its own where coordinates are outside the operand."""
    if not outside.any():
        return x
    mask = n.b.place(n.b.array(outside, I1), x.type.shape, (axis.place,))
    return n.b.select(mask, n.b.full(n.attribute("extrapolation_value", 0.0), x.type), x)


def _back(n: Node, x: Value, type: ElementType) -> Value:
    """Return the sums in the operand's type; integers are the nearest, even for ties, and saturate."""
    if type.kind != "float":
        x = n.b.clamp(type.min_value, n.b.unary("round_nearest_even", x), type.max_value)
    return n.b.convert(x, type)


def _ways(n: Node) -> tuple[str, str]:
    """Return how coordinates are mapped and rounded; before version 11, there was one way."""
    if n.version < 11:
        return "asymmetric", "floor"
    how = n.attribute("coordinate_transformation_mode", "half_pixel")
    near = n.attribute("nearest_mode", "round_prefer_floor")
    if how not in COORDINATES or near not in NEAREST:
        raise n.unsupported_error(f"{how}, {near}", f"supported: {', '.join([*COORDINATES, *NEAREST])}")
    return how, near


def _axes(n: Node, x: Value) -> list[Axis]:
    """Return the axes that the node names, with their new sizes, scales and regions."""
    rank = x.type.rank
    axes = n.places(n.attribute("axes", list(range(rank))), rank)
    old = [x.type.shape[a] for a in axes]
    regions = _regions(n, len(axes))
    given = 1 if n.version < 11 else 2
    scales = n.attribute("scales") or (list(n.constant(given).reshape(-1)) if n.has(given) else [])
    if "height_scale" in n.attributes:
        scales = [1.0, 1.0, n.attribute("height_scale"), n.attribute("width_scale")]
    if len(scales):
        if len(scales) != len(axes) or not all(np.isfinite(s) and s > 0 for s in scales):
            raise n.malformed_error(f"scales {scales} for {len(axes)} axes")
        if any(end - start != 1 for start, end in regions):
            raise n.unsupported_error("scales of a region", "give sizes: ONNX's text and its shapes differ")
        sizes = [int(np.floor(size * float(s))) for size, s in zip(old, scales, strict=True)]
        ratios = [float(s) for s in scales]
    else:
        sizes, ratios = _given_sizes(n, old)
    return [Axis(*parts) for parts in zip(axes, old, sizes, ratios, regions, strict=True)]


def _regions(n: Node, count: int) -> list[tuple[float, float]]:
    """Return the start and the end of what is read of each axis, from the input that only one mode has."""
    if n.attribute("coordinate_transformation_mode") != "tf_crop_and_resize":
        return [(0.0, 1.0)] * count
    ends = [float(part) for part in n.constant(1).reshape(-1)]
    if len(ends) != 2 * count or not np.isfinite(ends).all():
        raise n.malformed_error(f"a region of {len(ends)} numbers for {count} axes")
    return list(zip(ends[:count], ends[count:], strict=True))


def _given_sizes(n: Node, old: list[int]) -> tuple[list[int], list[float]]:
    sizes = n.integers(3)
    if len(sizes) != len(old):
        raise n.malformed_error(f"sizes {sizes} for {len(old)} axes")
    ratios = [new / size if size else 1.0 for new, size in zip(sizes, old, strict=True)]
    if (policy := n.attribute("keep_aspect_ratio_policy", "stretch")) != "stretch":
        ratio = min(ratios) if policy == "not_larger" else max(ratios)
        ratios = [ratio] * len(ratios)
        sizes = [int(np.floor(ratio * size + 0.5)) for size in old]
    return sizes, ratios


TABLE: dict[str, Build] = {"Resize": resize, "Upsample": resize}

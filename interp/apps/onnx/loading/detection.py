"""Object detection: RoiAlign, which pools regions, and NonMaxSuppression, which chooses boxes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from interp.apps.onnx.loading.node import Build, Node, to_float
from interp.apps.onnx.loading.sampling import Taps, float_of, is_inside, read_taps, stack, weigh, zero_outside
from interp.loading.build import I32
from interp.loading.folding import fold, init
from spec.ir import Value

Array = np.ndarray


def roi_align(n: Node) -> Value:
    """Return the means, or the largest, of samples in the cells of regions."""
    x, rois = to_float(n, n.value(0)), to_float(n, n.value(1))
    count, mode = rois.type.shape[0], n.attribute("mode", "avg")
    if (
        x.type.rank != 4
        or rois.type.shape[1:] != (4,)
        or n.type(2).shape != (count,)
        or 0 in x.type.shape[2:]
    ):
        raise n.malformed_error(f"regions {rois.type!r} with images {n.type(2)!r} of {x.type!r}")
    if mode not in ("avg", "max"):
        raise n.malformed_error(f"mode {mode!r}", "expected avg or max")
    axes = [_cells(n, rois, d, x.type.shape[2 + d]) for d in (0, 1)]
    taps = [axis.taps for axis in axes]
    found = read_taps(n.b, x, taps, (0, 2, 3), 0, n.b.convert(n.value(2), I32))
    if mode == "avg":
        found = weigh(n.b, found, taps)
    else:
        for t in taps:
            found = n.b.binary("multiply", found, n.b.place(t.weights, found.type.shape, t.dimensions))
        found = fold(n.b, found, "maximum", (3, 4))
    found = n.b.reshape(found, (count, *axes[0].shape, *axes[1].shape, x.type.shape[1]))
    found = _fold_samples(n, found, axes, "add" if mode == "avg" else "maximum")
    return n.b.convert(n.b.transpose(found, (0, 3, 1, 2)), n.type(0).storage_type)


@dataclass(frozen=True)
class Cells:
    """The samples along one axis of regions: their taps, their shape (cells, samples), how many count."""

    taps: Taps
    shape: tuple[int, int]
    counts: Value


def _cells(n: Node, rois: Value, d: int, size: int) -> Cells:
    b = n.b
    scaled = b.binary_scalar("multiply", rois, n.attribute("spatial_scale", 1.0))
    is_half = n.version >= 16 and n.attribute("coordinate_transformation_mode", "half_pixel") == "half_pixel"
    scaled = b.binary_scalar("subtract", scaled, 0.5) if is_half else scaled
    start, end = (b.reshape(b.slice_in(scaled, 1, k, k + 1), scaled.type.shape[:1]) for k in (1 - d, 3 - d))
    extent = b.binary("subtract", end, start)
    extent = extent if is_half else b.binary_scalar("maximum", extent, 1)
    cells = n.attribute(("output_height", "output_width")[d], 1)
    step = b.binary_scalar("divide", extent, cells)
    samples = n.attribute("sampling_ratio", 0)
    counts = b.full(samples, step.type) if samples > 0 else b.unary("ceil", step)
    samples = samples if samples > 0 else _most_samples(n, d, cells)
    shape = (*step.type.shape, cells, samples)
    whole = b.binary(
        "multiply", b.place(b.iota((cells,), 0, float_of(step)), shape, (1,)), b.place(step, shape, (0,))
    )
    within = b.binary_scalar("add", b.iota((samples,), 0, float_of(step)), 0.5)
    within = b.binary("multiply", b.place(within, shape, (2,)), b.place(step, shape, (0,)))
    within = b.binary("divide", within, b.place(counts, shape, (0,)))
    at = b.binary("add", b.binary("add", b.place(start, shape, (0,)), whole), within)
    at = b.reshape(at, (shape[0], cells * samples))
    inside = is_inside(b, at, -1, size)
    taps = zero_outside(b, b.clamp(0, at, size - 1), size, (0, 1 + d, 3 + d))
    return Cells(replace(taps, counts=stack(b, [inside, inside])), shape[1:], counts)


def _most_samples(n: Node, d: int, cells: int) -> int:
    """Return how many samples a cell has at most where each region has as many as it is large."""
    rois = n.constant(1).astype(np.float64) * n.attribute("spatial_scale", 1.0)
    extents = (rois[:, 3 - d] - rois[:, 1 - d]) / cells
    return int(np.ceil(extents.max(initial=1) * (1 + 1e-5)))


def _fold_samples(n: Node, found: Value, axes: Sequence[Cells], body: str) -> Value:
    """Return (regions, cells, cells, features): what the samples that a region has make of a cell."""
    b, shape = n.b, found.type.shape
    for k, axis in enumerate(axes):
        places = b.place(b.iota((axis.shape[1],), 0, float_of(axis.counts)), shape, (2 + 2 * k,))
        exists = b.compare("LT", places, b.place(axis.counts, shape, (0,)))
        found = b.select(exists, found, init(b, body, found))
    found = fold(b, found, body, (2, 4))
    number = b.binary("multiply", *(b.binary_scalar("maximum", axis.counts, 0) for axis in axes))
    number = b.place(number, found.type.shape, (0,))
    if body == "add":
        return b.binary("divide", found, b.binary_scalar("maximum", number, 1))
    return b.select(b.compare("GT", number, b.full(0, number.type)), found, b.full(0, found.type))


def non_max_suppression(n: Node) -> Array:
    """Return (image, class, box) of the boxes that no chosen box of a higher score overlaps too much.

    How many there are depends on all inputs, which therefore must be known.
    """
    boxes, scores = n.constant(0), n.constant(1)
    if (boxes.ndim, scores.ndim) != (3, 3) or (*scores.shape[::2], 4) != boxes.shape:
        raise n.malformed_error(f"boxes {n.type(0)!r} with scores {n.type(1)!r}")
    limit, overlap, least = (_first(n, k, default) for k, default in ((2, 0), (3, np.float32(0)), (4, None)))
    corners = _corners(boxes, bool(n.attribute("center_point_box", 0)))
    chosen = [
        (image, label, box)
        for image, label in np.ndindex(scores.shape[:2])
        for box in _choose(corners[:, image], scores[image, label], int(limit), overlap, least)
    ]
    return np.asarray(chosen, np.int64).reshape(-1, 3)


def _first(n: Node, k: int, default: object) -> Any:
    return n.constant(k).reshape(-1)[0] if n.has(k) and n.type(k).size else default


def _corners(boxes: Array, is_centered: bool) -> Array:
    """Return the least and the largest y and x of boxes, as four arrays in f32."""
    if is_centered:
        x, y, width, height = np.moveaxis(boxes, -1, 0)
        return np.stack([y - height / 2, x - width / 2, y + height / 2, x + width / 2])
    y1, x1, y2, x2 = np.moveaxis(boxes, -1, 0)
    return np.stack([np.minimum(y1, y2), np.minimum(x1, x2), np.maximum(y1, y2), np.maximum(x1, x2)])


def _choose(corners: Array, scores: Array, limit: int, overlap: Any, least: Any) -> list[int]:
    """Return the boxes of a class, from the highest score on, of equal ones the first."""
    order = np.argsort(-scores, kind="stable")
    left = order if least is None else order[scores[order] > least]
    chosen: list[int] = []
    while len(left) and len(chosen) < limit:
        best, left = left[0], left[1:]
        chosen.append(int(best))
        left = left[~_overlaps(corners[:, best], corners[:, left], overlap)]
    return chosen


def _overlaps(box: Array, others: Array, most: Any) -> Array:
    """Return which boxes share more than a part of the union with a box; none of an empty area does."""
    low, high = np.maximum(box[:2, None], others[:2]), np.minimum(box[2:, None], others[2:])
    height, width = high - low
    common = height * width
    areas = [(b[2] - b[0]) * (b[3] - b[1]) for b in (box, others)]
    union = areas[0] + areas[1] - common
    is_real = (height > 0) & (width > 0) & (common > 0) & (areas[0] > 0) & (areas[1] > 0) & (union > 0)
    return is_real & (common / np.where(is_real, union, 1) > most)


TABLE: dict[str, Build] = {"NonMaxSuppression": non_max_suppression, "RoiAlign": roi_align}

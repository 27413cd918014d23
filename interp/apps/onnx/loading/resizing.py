"""Resize and Upsample by the nearest element: a gather at places that the attributes give."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from interp.apps.onnx.loading.movement import take
from interp.apps.onnx.loading.node import Build, Node
from spec.ir import Value

Array = np.ndarray
# The place in the operand of each place in the result, given the sizes and the scale.
COORDINATES: dict[str, Callable[[Array, int, int, float], Array]] = {
    "asymmetric": lambda x, size, new, scale: x / scale,
    "half_pixel": lambda x, size, new, scale: (x + 0.5) / scale - 0.5,
    "pytorch_half_pixel": lambda x, size, new, scale: (x + 0.5) / scale - 0.5 if new > 1 else x * 0.0,
    "align_corners": lambda x, size, new, scale: x * (size - 1) / (new - 1) if new > 1 else x * 0.0,
    "half_pixel_symmetric": lambda x, size, new, scale: (
        size / 2 * (1 - new / (scale * size)) + (x + 0.5) / scale - 0.5
    ),
}
NEAREST: dict[str, Callable[[Array], Array]] = {
    "round_prefer_floor": lambda x: np.ceil(x - 0.5),
    "round_prefer_ceil": lambda x: np.floor(x + 0.5),
    "floor": np.floor,
    "ceil": np.ceil,
}


def resize(n: Node) -> Value:
    x = n.raw_value(0)
    if n.attribute("mode", "nearest") != "nearest" or n.attribute("antialias", 0):
        raise n.unsupported_error(f"mode {n.attribute('mode')}", "supported: nearest")
    how, near = _ways(n)
    for axis, new, scale in _targets(n, x):
        size = x.type.shape[axis]
        if not 0 <= new <= 1 << 20 or (new and not size):
            raise n.malformed_error(f"a dimension of {size} becomes {new}")
        places = NEAREST[near](COORDINATES[how](np.arange(new, dtype=np.float64), size, new, scale))
        x = take(n, x, np.clip(places, 0, max(size - 1, 0)).astype(np.int64).tolist(), axis)
    return x


def _ways(n: Node) -> tuple[str, str]:
    """Return how coordinates are mapped and rounded; before version 11, there was one way."""
    if n.version < 11:
        return "asymmetric", "floor"
    how = n.attribute("coordinate_transformation_mode", "half_pixel")
    near = n.attribute("nearest_mode", "round_prefer_floor")
    if how not in COORDINATES or near not in NEAREST:
        raise n.unsupported_error(f"{how}, {near}", f"supported: {', '.join([*COORDINATES, *NEAREST])}")
    return how, near


def _targets(n: Node, x: Value) -> list[tuple[int, int, float]]:
    """Return the axes that change, with their new size and scale."""
    rank = x.type.rank
    axes = n.places(n.attribute("axes", list(range(rank))), rank)
    given = 1 if n.version < 11 else 2
    scales = n.attribute("scales") or (list(n.constant(given).reshape(-1)) if n.has(given) else [])
    if len(scales):
        if len(scales) != len(axes) or not all(np.isfinite(s) and s > 0 for s in scales):
            raise n.malformed_error(f"scales {scales} for {len(axes)} axes")
        return [
            (a, int(np.floor(x.type.shape[a] * float(s))), float(s))
            for a, s in zip(axes, scales, strict=True)
        ]
    sizes = n.integers(3)
    if len(sizes) != len(axes):
        raise n.malformed_error(f"sizes {sizes} for {len(axes)} axes")
    old = [x.type.shape[a] for a in axes]
    ratios = [new / size if size else 1.0 for new, size in zip(sizes, old, strict=True)]
    if (policy := n.attribute("keep_aspect_ratio_policy", "stretch")) != "stretch":
        ratio = min(ratios) if policy == "not_larger" else max(ratios)
        ratios = [ratio] * len(ratios)
        sizes = [int(np.floor(ratio * size + 0.5)) for size in old]
    return list(zip(axes, sizes, ratios, strict=True))


TABLE: dict[str, Build] = {"Resize": resize, "Upsample": resize}

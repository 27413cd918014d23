"""The devices of a mesh: their coordinates, and the part of a tensor that each of them has."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from spec.shardings import Axis, Mesh

Slices = tuple[slice, ...]


@lru_cache
def coordinates(mesh: Mesh) -> dict[int, tuple[int, ...]]:
    """Return the coordinates of every device, by its id, in ascending order of the ids."""
    sizes = [size for _, size in mesh.axes]
    count = int(np.prod(sizes, dtype=int))
    table = np.stack(np.unravel_index(np.arange(count), sizes), -1) if sizes else np.zeros((1, 0), int)
    ids = np.array(mesh.device_ids or range(count))
    order = np.argsort(ids)
    rows = zip(ids[order].tolist(), table[order].tolist(), strict=True)
    return {device: tuple(row) for device, row in rows}


def slices(mesh: Mesh, device: int, dimensions: Sequence[Sequence[Axis]], shape: Sequence[int]) -> Slices:
    """Return the slices of a whole tensor that are a device's part; `shape` is the shape of a part."""
    own = dict(zip((name for name, _ in mesh.axes), coordinates(mesh)[device], strict=True))
    sizes = dict(mesh.axes)
    found = []
    for axes, size in zip(dimensions, shape, strict=True):
        parts = [(axis.size or sizes[axis.name], axis) for axis in axes]
        digits = [own[x.name] * x.pre_size * n // sizes[x.name] % n for n, x in parts]
        number = int(np.ravel_multi_index(digits, [n for n, _ in parts])) if parts else 0
        found.append(slice(number * size, (number + 1) * size))
    return tuple(found)

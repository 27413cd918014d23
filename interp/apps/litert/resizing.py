"""Images in other sizes: by bilinear interpolation, of integers with 10 bits of fraction, or the nearest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from interp.apps.litert import fixed_point as fixed
from interp.apps.litert.contractions import images
from interp.apps.litert.movement import as_output
from interp.apps.litert.node import F32, I32, I64, Build, Node, with_element
from spec.ir import Value
from spec.types import QuantizedType

LONGEST = 1 << 16  # elements of a side


class Taps(NamedTuple):
    """For each element of a resized dimension: both places that it reads, and the weight of the second."""

    low: np.ndarray
    high: np.ndarray
    weight: np.ndarray


def new_sizes(n: Node) -> list[int]:
    """Return the sizes of the result's images; tables of places are made for them, so they are limited."""
    sizes = n.integers(1)
    if len(sizes) != 2 or not all(0 < size <= LONGEST for size in sizes):
        raise n.malformed_error(f"resizing to {sizes}", f"expected two sizes of 1 to {LONGEST}")
    return sizes


def bilinear(n: Node) -> Value:
    x, sizes = images(n, 0), new_sizes(n)
    if n.out().storage.name == "ui8":  # as floats, half up
        value = resize_floats(n, _taps(n, x, sizes), n.b.convert(n.storage(0), F32))
        whole = n.b.convert(n.b.binary_scalar("add", value, 0.5), I32)
        return with_element(n.b, n.b.convert(whole, n.out().storage), n.out().element)
    if isinstance(n.out().element, QuantizedType):
        return resize_integers(n, [integer_taps(n, x[d], out) for d, out in zip((1, 2), sizes, strict=True)])
    return resize_floats(n, _taps(n, x, sizes), n.value(0))


def _taps(n: Node, shape: Sequence[int], sizes: Sequence[int]) -> list[Taps]:
    return [float_taps(n, shape[d], out) for d, out in zip((1, 2), sizes, strict=True)]


def integer_taps(n: Node, size: int, out: int) -> Taps:
    scale = ((1 << 10) * size + out // 2) // out
    if n.option("align_corners") and out > 1:
        scale = ((1 << 10) * (size - 1) + (out - 1) // 2) // (out - 1)
    at = np.arange(out, dtype=np.int64) * scale
    if n.option("half_pixel_centers"):
        at = at + scale // 2 - (1 << 9)
    low = np.maximum(np.where(at >= 0, at, -((-at) // 1024 * 1024)) // 1024, 0)
    high = np.minimum((at + (1 << 10) - 1) // 1024, size - 1)
    return Taps(np.minimum(low, size - 1), np.maximum(high, 0), at - (low << 10))


def float_taps(n: Node, size: int, out: int) -> Taps:
    scale = np.float32(size) / np.float32(out)
    if n.option("align_corners") and out > 1:
        scale = np.float32(size - 1) / np.float32(out - 1)
    at = np.arange(out, dtype=np.float32)
    half = np.float32(0.5)
    at = (at + half) * scale - half if n.option("half_pixel_centers") else at * scale
    floor = np.floor(at)
    low = np.maximum(floor.astype(np.int64), 0)
    high = np.minimum(np.ceil(at).astype(np.int64), size - 1)
    return Taps(low, high, at - low.astype(np.float32))


def _corners(n: Node, x: Value, taps: list[Taps]) -> dict[tuple[int, int], Value]:
    """Return the elements at each of four corners."""
    found = {}
    for i in (0, 1):
        rows = n.b.gather(x, n.b.array(taps[0][i].astype(np.int32), I32), 1)
        for j in (0, 1):
            found[i, j] = n.b.gather(rows, n.b.array(taps[1][j].astype(np.int32), I32), 2)
    return found


def resize_integers(n: Node, taps: list[Taps]) -> Value:
    """Return the sum of four products with weights of 20 bits, divided half away from zero."""
    b = n.b
    wide = I64 if n.result().storage_type.bits > 8 else I32
    corners = _corners(n, n.storage(0), taps)
    shape = corners[0, 0].type.shape
    parts = []
    for (i, j), value in corners.items():
        wy, wx = (t.weight if k else (1 << 10) - t.weight for t, k in zip(taps, (i, j), strict=True))
        weight = b.array((wy[:, None] * wx[None, :]).astype(wide.numpy), wide)
        parts.append(b.binary("multiply", b.convert(value, wide), b.place(weight, shape, (1, 2))))
    total = b.binary("add", b.binary("add", parts[0], parts[2]), b.binary("add", parts[1], parts[3]))
    half = b.select(b.compare("GT", total, b.full(0, wide)), b.full(1 << 19, wide), b.full(-(1 << 19), wide))
    q = b.binary_scalar("divide", b.binary("add", total, half), 1 << 20)
    return with_element(b, b.convert(q, n.result().storage_type), n.result())


def resize_floats(n: Node, taps: list[Taps], x: Value) -> Value:
    b = n.b
    corners = _corners(n, x, taps)
    shape = corners[0, 0].type.shape
    one = np.float32(1)
    weights = [(one - t.weight, t.weight) for t in taps]
    total: Value | None = None
    for i, j in ((0, 0), (1, 0), (0, 1), (1, 1)):
        wy = b.place(b.array(weights[0][i], F32), shape, (1,))
        wx = b.place(b.array(weights[1][j], F32), shape, (2,))
        part = b.binary("multiply", b.binary("multiply", corners[i, j], wy), wx)
        total = part if total is None else b.binary("add", total, part)
    assert total is not None
    return total


def resize_places(n: Node, size: int, out: int, d: int) -> np.ndarray:
    """Return the nearest place for each element of a resized dimension, by products of f32."""
    align, half = n.option("align_corners"), n.option("half_pixel_centers")
    scale = (
        np.float32(size - 1) / np.float32(out - 1)
        if align and out > 1
        else np.float32(size) / np.float32(out)
    )
    offset = np.float32(0.5) if half else np.float32(0)
    at = (np.arange(out, dtype=np.float32) + offset) * scale
    places = fixed.half_away(at) if align else np.floor(at)
    return np.clip(places.astype(np.int64), 0, size - 1)


def resize_nearest(n: Node) -> Value:
    x, value = images(n, 0), as_output(n)
    for d, out in zip((1, 2), new_sizes(n), strict=True):
        places = n.b.array(resize_places(n, x[d], out, d).astype(np.int32), I32)
        value = n.b.gather(value, places, d)
    return value


TABLE: dict[str, Build] = {"RESIZE_BILINEAR": bilinear, "RESIZE_NEAREST_NEIGHBOR": resize_nearest}

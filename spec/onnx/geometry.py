"""Shapes of matrix products as NumPy's matmul, and windows of ONNX's convolutions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from spec.onnx.node import Node

Shape = tuple[int, ...]


def broadcast(first: Sequence[int], second: Sequence[int]) -> Shape:
    """Return the common shape of two, as NumPy; ValueError if there is none."""
    rank = max(len(first), len(second))
    columns = zip(*((1,) * (rank - len(s)) + tuple(s) for s in (first, second)), strict=True)
    shape = []
    for a, b in columns:
        if a != b and 1 not in (a, b):
            raise ValueError(f"{tuple(first)} and {tuple(second)} do not broadcast")
        shape.append(b if a == 1 else a)
    return tuple(shape)


class Product(NamedTuple):
    """A matrix product: shapes of a (..., M, K) and b (..., K, N) with vectors made matrices; and of y."""

    a: Shape
    b: Shape
    batch: Shape
    y: Shape


def matmul(a: Shape, b: Shape) -> Product:
    """Return the shapes of NumPy's matmul; ValueError if it has none."""
    first = a if len(a) > 1 else (1, *a)
    second = b if len(b) > 1 else (*b, 1)
    if not a or not b or first[-1] != second[-2]:
        raise ValueError(f"no product of {a} and {b}")
    batch = broadcast(first[:-2], second[:-2])
    y = (*batch, *(first[-2:-1] if len(a) > 1 else ()), *(second[-1:] if len(b) > 1 else ()))
    return Product(first, second, batch, y)


class Windows(NamedTuple):
    """Kernel, strides, dilations and padding (before, after), per spatial dimension; the result's sizes."""

    kernel: Shape
    strides: Shape
    dilations: Shape
    padding: tuple[tuple[int, int], ...]
    sizes: Shape


def windows(node: Node) -> Windows:
    """Return the windows of a convolution of x by w."""
    spatial, kernel = node["x"].type.shape[2:], node["w"].type.shape[2:]
    ones = (1,) * len(spatial)
    strides, dilations = tuple(node["strides"]) or ones, tuple(node["dilations"]) or ones
    reach = tuple((k - 1) * d + 1 for k, d in zip(kernel, dilations, strict=True))
    padding = window_padding(node, spatial, reach, strides)
    rows = zip(spatial, padding, reach, strides, strict=True)
    sizes = tuple(max(0, (n + sum(pair) - r) // s + 1) for n, pair, r, s in rows)
    return Windows(kernel, strides, dilations, padding, sizes)


def window_padding(node: Node, spatial: Shape, reach: Shape, strides: Shape) -> tuple[tuple[int, int], ...]:
    """Return the padding that `pads` gives, or `auto_pad` asks for."""
    rank, how = len(spatial), node["auto_pad"]
    if how in ("NOTSET", "VALID"):
        pads = tuple(node["pads"]) if how == "NOTSET" and node["pads"] else (0,) * (2 * rank)
        return tuple(zip(pads[:rank], pads[rank:], strict=True))
    found = []
    for n, r, s in zip(spatial, reach, strides, strict=True):
        total = max(0, (-(-n // s) - 1) * s + r - n)
        less = total // 2
        found.append((less, total - less) if how == "SAME_UPPER" else (total - less, less))
    return tuple(found)

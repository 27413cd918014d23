"""Conversion of GSPMD's shardings, such as `{devices=[2,1]<=[2]}`, to axes of one mesh for a computation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from math import prod
from typing import NamedTuple

_TILED = re.compile(
    r"\{devices=\[([\d,]+)\](?:<=\[([\d,]+)\](?:T\(([\d,]+)\))?|([\d,]+))"
    r"( last_tile_dim_replicate| last_tile_dims=\{(?:manual|replicated)\})?\}"
)


class Tiling(NamedTuple):
    """The number of tiles per dimension, and the order of devices as a reshape and a transpose of iota."""

    tiles: tuple[int, ...]
    sizes: tuple[int, ...]
    order: tuple[int, ...]


def tiling(text: str) -> Tiling | None:
    """Return a sharding's tiling, without tiles where it is replicated; None if it is of another kind."""
    if text == "{replicated}":
        return Tiling((), (), ())
    match = _TILED.fullmatch(text)
    if match is None:
        return None
    tiles, sizes, order, listed = (
        tuple(map(int, part.split(","))) if part else () for part in match.groups()[:4]
    )
    if listed and listed != tuple(range(prod(tiles))):
        return None
    sizes = sizes or (prod(tiles),)
    return Tiling(tiles, sizes, order or tuple(range(len(sizes))))


def mesh_of(tilings: Sequence[Tiling]) -> list[int] | None:
    """Return the sizes of a mesh's axes such that every tiling splits along whole axes, or None."""
    counts = {prod(each.tiles) for each in tilings if each.tiles}
    if len(counts) != 1:
        return None
    strides = {1, *counts}  # of the axes: how far apart neighbours are, and the number of devices
    while True:
        sizes = _sizes(strides)
        if sizes is None:
            return None
        found = [_split(each, sizes) for each in tilings if each.tiles]
        if any(part is None for part in found):
            return None
        more = {part for part in found if isinstance(part, int)}
        if not more:
            return sizes
        strides |= more


def axes_of(each: Tiling, sizes: Sequence[int]) -> list[list[int]]:
    """Return the numbers of the axes that split each dimension, the major one first."""
    split = _split(each, sizes) if each.tiles else []
    assert isinstance(split, list)
    return split


def _sizes(strides: set[int]) -> list[int] | None:
    """Return the sizes of axes with these strides; None if a stride does not divide the next one."""
    falling = sorted(strides, reverse=True)
    pairs = list(pairwise(falling))
    return None if any(high % low for high, low in pairs) else [high // low for high, low in pairs]


def _split(each: Tiling, sizes: Sequence[int]) -> list[list[int]] | int | None:
    """Return the axes by dimension; or the stride at which an axis must be divided first; or None."""
    strides = [prod(sizes[k + 1 :]) for k in range(len(sizes))]
    waiting: list[int] = []
    for d in each.order:
        low = prod(each.sizes[d + 1 :])
        high = low * each.sizes[d]
        for stride in (low, high):
            if stride not in (*strides, prod(sizes), 1):
                return stride
        waiting += [k for k, stride in enumerate(strides) if low <= stride < high]
    found: list[list[int]] = []
    for count in each.tiles:
        axes: list[int] = []
        while (rest := count // prod(sizes[k] for k in axes)) > 1:
            k = waiting.pop(0)
            if sizes[k] % rest and rest % sizes[k]:
                return None
            if sizes[k] > rest:
                return strides[k] * (sizes[k] // rest)
            axes.append(k)
        found.append(axes)
    return found

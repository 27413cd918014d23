"""Ordered sums of products as a call of XLA: windows are gathered a tile at a time, and added in order."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np

from interp.backends.compiling import callback, inlined
from interp.fastpaths.ordered_numba import ROUNDING, Array, accumulation, fl, variant_of
from interp.fastpaths.register_block import BYTES, ROWS
from interp.fastpaths.xla_call import (
    ALL_FLAGS_MASKED,
    SIGNATURE,
    argument,
    doubles,
    float_modes,
    floats,
    integers,
    is_call,
    number,
    result,
    words32,
)

accumulate, numbers, bits = accumulation("f32"), floats, words32  # other types have others: `address_of`
TILE = 1 << 16  # left factors that are gathered at once
VECTOR = 16  # results side by side, about
GROUPS, SUMS, COLUMNS, POSITIONS, RUN, GROUP, OUT_GROUP, OUT_SUM, HOLE, RANK, HEAD = range(11)


@inlined
def place_of(meta: Array, row: int) -> int:
    """Return where the left factors of a row of sums begin."""
    rank, place, rest = meta[RANK], 0, row
    for d in range(rank - 1, -1, -1):
        size = meta[HEAD + d]
        place += rest % size * meta[HEAD + rank + d]
        rest //= size
    return place


@inlined
def offset_of(meta: Array, position: int) -> int:
    """Return how far a position of the window is from its first."""
    return meta[HEAD + 2 * meta[RANK] + position]


@inlined
def gathered(meta: Array, left: Array, group: int, first: int, rows: Array) -> None:
    """Fill rows [m, k] with the left factors of the sums from `first` on; zero for a hole.

    After the last sum, its row is repeated.
    """
    run, hole, base, zero = meta[RUN], meta[HOLE], 0, rows.dtype.type(0)
    for i in range(len(rows)):
        if first + i < meta[SUMS]:
            base = group * meta[GROUP] + place_of(meta, first + i)
        for p in range(meta[POSITIONS]):
            start = base + offset_of(meta, p)
            for f in range(run):
                x = left[np.uint64(start + f)]
                rows[i, p * run + f] = number(x) if x != hole else zero


@inlined
def panels_of(right: Array, n: int, columns: int, group: int, width: int) -> Array:
    """Return the right factors [k, n] of a group as panels [k, width], one after the other."""
    found = np.empty(n * columns, right.dtype)
    at = 0
    for start in range(0, columns, width):
        for k in range(n):
            for j in range(start, min(start + width, columns)):
                found[at] = right[(group * n + k) * columns + j]
                at += 1
    return found


@inlined
def scattered(meta: Array, totals: Array, group: int, first: int, column: int, out: Array) -> None:
    """Write the totals [m, n] of sums from `first` on to their places, from a column on."""
    for i in range(min(len(totals), meta[SUMS] - first)):
        place = group * meta[OUT_GROUP] + (first + i) * meta[OUT_SUM] + column
        for j in range(totals.shape[1]):
            out[np.uint64(place + j)] = totals[i, j]


def wide_sums(meta: Array, left: Array, right: Array, out: Array) -> None:
    """Compute sums of groups of many columns, a tile of rows after the other."""
    n, columns, sums = meta[POSITIONS] * meta[RUN], meta[COLUMNS], meta[SUMS]
    tile = max(ROWS, TILE // max(n, 1) // ROWS * ROWS)
    width = 2 * BYTES // right.itemsize  # that of a block, so that its right factors lie side by side
    for group in range(meta[GROUPS]):
        panels = panels_of(right, n, columns, group, width)
        for first in range(0, sums, tile):
            rows = np.empty((min(tile, (sums - first + ROWS - 1) // ROWS * ROWS), n), right.dtype)
            gathered(meta, left, group, first, rows)
            for start in range(0, columns, width):
                size = min(width, columns - start)
                panel = panels[n * start : n * (start + size)].reshape((n, size))
                totals = np.zeros((len(rows), size), right.dtype)
                accumulate(totals, rows, panel)
                scattered(meta, totals, group, first, start, out)


def narrow_sums(meta: Array, left: Array, right: Array, out: Array) -> None:
    """Compute sums of groups of few columns: vectors are of rows."""
    n, columns, sums = meta[POSITIONS] * meta[RUN], meta[COLUMNS], meta[SUMS]
    tile = max(VECTOR, TILE // max(n, 1) // VECTOR * VECTOR)
    weights = np.zeros(((columns + ROWS - 1) // ROWS * ROWS, n), right.dtype)
    for group in range(meta[GROUPS]):
        for k in range(n):
            for j in range(columns):
                weights[j, k] = right[(group * n + k) * columns + j]
        for first in range(0, sums, tile):
            rows = np.empty((min(tile, sums - first), n), right.dtype)
            gathered(meta, left, group, first, rows)
            totals = np.zeros((len(weights), len(rows)), right.dtype)
            accumulate(totals, weights, turned(rows))
            scattered(meta, turned(totals)[:, :columns], group, first, 0, out)


@inlined
def turned(x: Array) -> Array:
    """Return a matrix with its dimensions exchanged, in memory too."""
    found = np.empty((x.shape[1], x.shape[0]), x.dtype)
    for j in range(x.shape[1]):
        for i in range(x.shape[0]):
            found[j, i] = x[i, j]
    return found


def depthwise_sums(meta: Array, left: Array, right: Array, out: Array) -> None:
    """Compute sums of groups of one left feature and one column: vectors are of groups."""
    groups, positions, hole, zero = meta[GROUPS], meta[POSITIONS], meta[HOLE], right.dtype.type(0)
    weights = turned(right.reshape((groups, positions)))
    totals, factors = np.empty(groups, right.dtype), np.empty(groups, right.dtype)
    for i in range(meta[SUMS]):
        base = place_of(meta, i)
        for g in range(groups):
            totals[g] = 0
        for p in range(positions):
            start = base + offset_of(meta, p)
            for g in range(groups):
                x = left[np.uint64(start + g)]
                factors[g] = number(x) if x != hole else zero
            for g in range(groups):
                totals[g] = fl(totals[g] + fl(factors[g] * weights[p, g]))
        for g in range(groups):
            out[i * groups + g] = totals[g]


def masked_sums(meta: Array, left: Array, right: Array, out: Array) -> None:
    """Compute sums without the products at holes, which an infinite weight would make NaN."""
    n, columns, run = meta[POSITIONS] * meta[RUN], meta[COLUMNS], meta[RUN]
    for group in range(meta[GROUPS]):
        for i in range(meta[SUMS]):
            base, place = group * meta[GROUP] + place_of(meta, i), group * meta[OUT_GROUP] + i * meta[OUT_SUM]
            for j in range(columns):
                out[place + j] = 0
            for k in range(n):
                at = base + offset_of(meta, k // run) + k % run
                if left[at] != meta[HOLE]:
                    for j in range(columns):
                        x = number(left[at]) * right[(group * n + k) * columns + j]
                        out[place + j] = fl(out[place + j] + fl(x))


@inlined
def is_finite(x: Array) -> bool:
    """Return whether all numbers are finite: their differences from themselves are zero."""
    total = x.dtype.type(0)
    for k in range(len(x)):
        total += x[k] - x[k]
    return total == 0


sums, masked = wide_sums, masked_sums


def handler(frame: int) -> int:
    """Handle a call of XLA: the description, left factors as bits, right factors; the sums."""
    if is_call(frame):
        modes = float_modes(np.uint32(ALL_FLAGS_MASKED))
        meta, left = integers(argument(frame, 0)), bits(argument(frame, 1))
        right, out = numbers(argument(frame, 2)), numbers(result(frame))
        if meta[HOLE] == 0 or is_finite(right):
            sums(meta, left, right, out)
        else:
            masked(meta, left, right, out)
        float_modes(modes)
    return 0


SUMS_BY_WAY = {"wide": wide_sums, "narrow": narrow_sums, "depthwise": depthwise_sums}


@cache
def address_of(way: str, name: str) -> int:
    """Return the address of the compiled handler for sums of a float type, with vectors along the way."""
    loop = accumulation(name)
    names: dict[str, Any] = {"accumulate": loop, "fl": ROUNDING[name]}
    names |= {"numbers": doubles, "bits": integers} if name == "f64" else {"numbers": floats, "bits": words32}
    names["sums"] = variant_of(SUMS_BY_WAY[way], name, names, lambda f, _: inlined(f))
    names["masked"] = variant_of(masked_sums, name, names)
    return int(variant_of(handler, f"{way}_{name}", names, partial(callback, SIGNATURE)))

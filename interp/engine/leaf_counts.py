"""Numbers of leaves per result element, computed from the shapes alone, one dimension at a time."""

from __future__ import annotations

from math import prod
from typing import NamedTuple

import numpy as np

from interp.backends.windows import limit_steps, padded_index
from spec.ir import Op

SCATTER, WINDOW = "stablehlo.select_and_scatter", "stablehlo.reduce_window"
WINDOWED = {SCATTER, WINDOW}
UPDATED = "stablehlo.scatter"


class LeafCount(NamedTuple):
    """The fewest and the most elements that are folded into one result element.

    `positions` is the number of places that they may come from; in a reduce_window the rest is padding.
    """

    fewest: int
    most: int
    positions: int

    @property
    def padding(self) -> int:
        """Return the most leaves of one result element that can be padding."""
        return self.positions - self.fewest


def reduce_count(op: Op) -> LeafCount:
    n = prod(op.operands[0].type.shape[d] for d in op["dimensions"])
    return LeafCount(n, n, n)


def leaves_of(op: Op) -> int:
    """Return the number of leaves per result element of a reduce or reduce_window, without the init value."""
    return prod(op["window_dimensions"]) if op.name == WINDOW else reduce_count(op).most


def window_of(op: Op) -> tuple[int, ...]:
    """Return the sizes of an operation's windows; () if it has none, whatever its attributes are named."""
    return tuple(op["window_dimensions"]) if op.name in WINDOWED else ()


def dilation_factors(op: Op, name: str) -> tuple[int, ...]:
    """Return the `base_dilations` or `window_dilations` of an operation on windows: a scatter's are 1."""
    return tuple(op[name]) if op.name == WINDOW else (1,) * op.operands[0].type.rank


def window_count(op: Op) -> LeafCount:
    """Count the operand elements per window of a reduce_window or select_and_scatter."""
    counts, positions = windows(op), prod(op["window_dimensions"])
    if not all(map(len, counts)):  # no window at all
        return LeafCount(positions, 0, positions)
    fewest, most = (prod(int(extreme(count)) for count in counts) for extreme in (np.min, np.max))
    return LeafCount(fewest, most, positions)


def windows(op: Op) -> list[np.ndarray]:
    """Return, for each dimension, the number of elements in each window."""
    columns = (
        op.operands[0].type.shape,
        op["padding"],
        dilation_factors(op, "base_dilations"),
        op["window_dimensions"],
        op["window_strides"],
        dilation_factors(op, "window_dilations"),
    )
    return [in_windows(*column) for column in zip(*columns, strict=True)]


def in_windows(
    size: int, padding: tuple[int, int], base: int, window: int, stride: int, dilation: int
) -> np.ndarray:
    """Return the number of elements in each window along one dimension."""
    taken = padded_index(size, (*padding, base - 1)) >= 0
    stride, dilation = limit_steps((stride, dilation), (len(taken),) * 2)
    columns = np.pad(taken, (0, -len(taken) % dilation)).reshape(-1, dilation)
    before = np.pad(columns.cumsum(0), ((1, 0), (0, 0)))  # elements ahead of a position, in its column
    first = np.arange(0, max(0, len(taken) - (window - 1) * dilation), stride)
    row, column = first // dilation, first % dilation
    return before[row + window, column] - before[row, column]


def source_count(op: Op) -> LeafCount:
    """Count the sources that can select one element: at most as many as there are windows that cover it."""
    operand, source = op.operands[0].type.shape, op.operands[1].type.shape
    columns = zip(operand, source, op["window_dimensions"], op["window_strides"], op["padding"], strict=True)
    most = 1
    for size, windows, window, stride, (low, _) in columns:
        position = np.arange(size) + low
        first = np.maximum(0, -((window - 1 - position) // stride))
        last = np.minimum(windows - 1, position // stride)
        most *= int(np.max(last - first + 1, initial=0))
    return LeafCount(0, most, most)


def landing(op: Op) -> LeafCount:
    """Count the updates of a scatter that can land on one element: at most one of each window."""
    within = {d - (d > op["index_vector_dim"]) for d in op["scatter_indices_batching_dims"]}
    updates = op.operands[len(op.results) + 1].type.shape
    scattered = [d for d in range(len(updates)) if d not in op["update_window_dims"]]
    most = prod(updates[d] for k, d in enumerate(scattered) if k not in within) if prod(updates) else 0
    return LeafCount(0, most, most)

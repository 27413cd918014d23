"""Contractions on a tape: sums of products of floats, and of integers in parts that f32 has exactly."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

import numpy as np

from interp.backends import windows
from interp.backends.windows import limit_steps
from interp.speed.tape import (
    SIZE,
    WORD,
    Array,
    Tape,
    address,
    collapse,
    layout,
    pad,
    reshape,
    view_by_strides,
    write_copy,
    write_elementwise,
)
from interp.speed.taped_conversions import Task
from spec.ir import Op

EXACT = 1 << 24  # up to which f32 has all integers

# Sums of products: see `tape_code.write_products`.


def place_table(tape: Tape, sizes: Sequence[int], steps: Sequence[int], start: int = 0) -> Array:
    """Return the sums of the steps to each index, plus `start`, in a table that the tape keeps."""
    table = np.ascontiguousarray(windows.grid(sizes, steps).ravel() + start)
    tape.keep.append(table)
    return table


def _panels(tape: Tape, right: Array, is_constant: bool) -> Array:
    """Return right factors [group, k, n] in panels."""
    (groups, k, n), width = right.shape, tape.columns
    blocks, whole = -(-n // width), n // width
    if is_constant:
        panels = tape.zeros((groups, blocks, k, width))
        padded = np.zeros((groups, k, blocks * width), np.float32)
        padded[..., :n] = right
        panels[...] = padded.reshape(groups, k, blocks, width).swapaxes(1, 2)
        return panels
    panels = tape.temporary(tape.array((groups, blocks, k, width)))
    by_group, by_k, by_n = right.strides
    if whole:
        part = view_by_strides(right, (groups, whole, k, width), (by_group, width * by_n, by_k, by_n))
        write_elementwise(tape, "copy", panels[:, :whole], part)
    if rest := n - whole * width:
        write_elementwise(tape, "copy", panels[:, whole, :, :rest], right[:, :, whole * width :])
    return panels


class Left(NamedTuple):
    """Left factors: an array, the place of each sum's first one, and the offset of each position of a window.

    run: how many factors a position has, and their step. of_group: the step from group to group.
    """

    x: Array
    places: Array
    offsets: Array
    run: tuple[int, int]
    of_group: int

    def part(self, tape: Tape, positions: slice, factors: slice) -> Left:
        """Return some positions, and some of the factors at each."""
        places = self.places + factors.start * self.run[1]
        tape.keep.append(places)
        run = factors.stop - factors.start, self.run[1]
        return self._replace(places=places, offsets=self.offsets[positions], run=run)


def write_products(tape: Tape, left: Left, right: Array, is_constant: bool, out: Array) -> None:
    """Write the sums `out` [group, sum, column] of products with right factors [group, k, n]."""
    panels = _panels(tape, right, is_constant)
    groups, sums, columns = out.shape
    words = [address(left.x), address(panels), address(out), left.places.ctypes.data]
    words += [left.offsets.ctypes.data, sums, columns, len(left.offsets)]
    words += [*left.run, groups, left.of_group, *out.strides[:2]]
    tape.write("products", words)


def write_sums(
    tape: Tape, left: Left, right: Array, is_constant: bool, out: Array, most: Sequence[int]
) -> None:
    """Write sums of products; those that are words as sums of parts that f32 has exactly.

    most: bounds of |factors| on each side.
    """
    if out.dtype != WORD:
        write_products(tape, left, right, is_constant, out)
        return
    groups, _, columns = right.shape
    positions, (size, _) = len(left.offsets), left.run
    by_position = right.reshape(groups, positions, size, columns)
    parts = _exact_parts(by_position if is_constant else None, positions, size, most)
    sums = tape.temporary(tape.array(out.shape))
    for k, (of_positions, of_factors) in enumerate(parts):
        part = by_position[:, of_positions, of_factors]
        flat = (
            part.reshape(groups, -1, columns) if is_constant else reshape(tape, part, (groups, -1, columns))
        )
        write_products(tape, left.part(tape, of_positions, of_factors), flat, is_constant, sums)
        if k:
            write_elementwise(tape, "accumulate", out, out, sums)
        else:
            write_elementwise(tape, "whole_word", out, sums)


def _exact_parts(
    right: Array | None, positions: int, size: int, most: Sequence[int]
) -> list[tuple[slice, slice]]:
    """Return parts of the products, with sums of at most 2^24: of positions, or of factors at one."""
    of_row = np.full((positions, size, 1), most[1], np.int64)
    if right is not None:
        of_row = np.abs(right).astype(np.int64).transpose(1, 2, 0, 3).reshape(positions, size, -1)
    whole = slice(0, size)
    if (most[0] * of_row.sum(axis=1)).max() <= EXACT:
        return [(cut, whole) for cut in _cuts(most[0] * of_row.sum(axis=1))]
    return [(slice(p, p + 1), cut) for p in range(positions) for cut in _cuts(most[0] * of_row[p])]


def _cuts(sizes: Array) -> list[slice]:
    """Return slices of rows of which no column's sum is more than 2^24."""
    totals = np.concatenate([np.zeros_like(sizes[:1]), np.cumsum(sizes, axis=0)])
    cuts, start = [], 0
    for k in range(1, len(totals)):
        if k == len(sizes) or (totals[k + 1] - totals[start]).max() > EXACT:
            cuts.append(slice(start, k))
            start = k
    return cuts


def write_own_products(
    tape: Tape, x: Array, places: Array, offsets: Array, right: Array, out: Array, is_constant: bool
) -> None:
    """Write sums [sum, column] of products of each column's own left factors and right [position, column]."""
    n, columns = right.shape
    padded = tape.zeros((n, -(-columns // tape.columns) * tape.columns))
    if is_constant:
        padded[:, :columns] = right
    else:
        write_elementwise(tape, "copy", padded[:, :columns], right)
    words = [address(x), address(padded), address(out), places.ctypes.data, offsets.ctypes.data]
    words += [len(out), columns, len(offsets), 1, SIZE, 1, 0, 0, out.strides[0]]
    tape.write("own_products", words)


# Contractions.


def dot_general(tape: Tape, task: Task) -> Array:
    sides = []
    for side, x in zip(("lhs", "rhs"), task.operands, strict=True):
        batch, summed = task.op[f"{side}_batching_dimensions"], task.op[f"{side}_contracting_dimensions"]
        free = [d for d in range(x.ndim) if d not in (*batch, *summed)]
        sides.append((x, batch, summed, free))
    (x, batch, summed, free), (y, batch_y, summed_y, free_y) = sides
    sizes = lambda x, dimensions: [x.shape[d] for d in dimensions]
    steps = lambda x, dimensions: [x.strides[d] for d in dimensions]
    runs, (run_steps,) = collapse(sizes(x, summed), steps(x, summed))
    groups, (group_steps,) = collapse(sizes(x, batch), steps(x, batch))
    if len(runs) > 1 or len(groups) > 1:
        x = tape.temporary(write_copy(tape, x, [*batch, *free, *summed]))
        runs, (run_steps,) = collapse(sizes(x, summed), steps(x, summed))
        groups, (group_steps,) = collapse(sizes(x, batch), steps(x, batch))
    count, m, n, k = (prod(sizes(*each)) for each in ((x, batch), (x, free), (y, free_y), (x, summed)))
    right = y.transpose([*batch_y, *summed_y, *free_y])
    right = right.reshape(count, k, n) if task.constants[1] else reshape(tape, right, (count, k, n))
    out = tape.array((count, m, n), dtype=task.dtype)
    places, offsets = place_table(tape, sizes(x, free), steps(x, free)), place_table(tape, [1], [0])
    run = k, run_steps[0] if run_steps else SIZE
    of_group = group_steps[0] if group_steps else 0
    left = Left(x, places, offsets, run, of_group)
    write_sums(tape, left, right, task.constants[1], out, _most(task))
    return out.reshape(task.op.result.type.shape)


def _most(task: Task) -> Sequence[int]:
    """Return the largest integers of both operands, 0 for floats."""
    return [max(map(abs, bounds)) if bounds else 0 for bounds in task.bounds]


def convolution(tape: Tape, task: Task) -> Array:
    x = task.operands[0].transpose(_dimensions(task.op, "input_batch", "input_spatial", "input_feature"))
    w = task.operands[1].transpose(
        _dimensions(task.op, "kernel_spatial", "kernel_input_feature", "kernel_output_feature")
    )
    order = _dimensions(task.op, "output_batch", "output_spatial", "output_feature")
    groups, features, outputs = task.op["feature_group_count"], w.shape[-2], w.shape[-1]
    own = features == 1 and groups == outputs > 1 and task.dtype != WORD
    edges = [(*edge, d - 1) for edge, d in zip(task.op["padding"], task.op["lhs_dilation"], strict=True)]
    edges = [(0, 0, 0), *edges, (0, 0, 0)]
    if any(map(any, edges)):
        x = pad(tape, x, 0.0, edges, range(x.ndim) if own else layout(x))
    elif own and (x.strides[-1] != SIZE or task.constants[0]):
        x = tape.temporary(write_copy(tape, x))
    strides, dilation = (
        limit_steps(task.op[name], x.shape[1:-1]) for name in ("window_strides", "rhs_dilation")
    )
    sizes = [task.op.result.type.shape[d] for d in order]
    moves = [step * by for step, by in zip(x.strides[1:-1], strides, strict=True)]
    places = place_table(tape, sizes[:-1], [x.strides[0], *moves])
    within, start = [], 0
    rows = zip(x.strides[1:-1], w.shape, dilation, task.op["window_reversal"], strict=False)
    for step, size, by, is_reversed in rows:
        start += step * by * (size - 1) if is_reversed else 0
        within.append(-step * by if is_reversed else step * by)
    offsets = place_table(tape, w.shape[:-2], within, start)
    out = tape.array(sizes, dtype=task.dtype)
    flat, rows_of = out.reshape(-1, outputs), prod(w.shape[:-1])
    right = w.reshape(rows_of, outputs) if task.constants[1] else reshape(tape, w, (rows_of, outputs))
    if own:
        write_own_products(tape, x, places, offsets, right, flat, task.constants[1])
    else:
        columns = outputs // groups
        grouped = right.reshape(rows_of, groups, columns).swapaxes(0, 1)
        sums = flat.reshape(-1, groups, columns).swapaxes(0, 1)
        of_group = features * x.strides[-1]
        left = Left(x, places, offsets, (features, x.strides[-1]), of_group)
        write_sums(tape, left, grouped, task.constants[1], sums, _most(task))
    return out.transpose(sorted(range(len(order)), key=order.__getitem__))


def _dimensions(op: Op, *names: str) -> tuple[int, ...]:
    every: list[int] = []
    for name in names:
        every += op[f"{name}_dimensions"] if name.endswith("spatial") else [op[f"{name}_dimension"]]
    return tuple(every)

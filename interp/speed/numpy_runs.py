"""Parts of a left fold of saturating additions on NumPy, computed side by side from prefix sums."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from itertools import pairwise
from math import ceil, prod

import numpy as np

from interp.backends import NUMPY
from interp.speed.clamped_shift import Run, Shift
from interp.speed.numpy_boxes import boxes, by_leaf
from interp.speed.order_free import smallest_integer
from interp.speed.saturating_fold import FEW, IntegerStep, Stored

Array = np.ndarray
BOX = 1 << 20  # elements
PART = 1024  # leaves
ROWS = 32  # leaves, or runs, that are joined at once


def composes(fold: Stored) -> bool:
    """Return whether composing parts of a fold pays: it does for few columns, or for leaves to transpose."""
    leaves, rank = fold.leaves, fold.rank
    return prod(leaves.shape[rank:]) < FEW or leaves.strides[rank - 1] == leaves.itemsize


def parts(n: int) -> int:
    """Return how many parts to split `n` leaves of a composition into."""
    return min(FEW, n // PART)


def shifts(fold: Stored, step: IntegerStep) -> Shift:
    """Return each column's leaves as shifts, one per part; the parts are the first dimension.

    The last part that forgets is run step by step; the parts before it then have no effect.
    """
    low, high = step.low + step.zero_point, step.high + step.zero_point
    run = runs(fold, step)
    shift, forgets = run.clamp(low, high), run.forgets(low, high)
    if forgets.any():
        last = len(forgets) - 1 - forgets[::-1].argmax(0)
        where = (last, *np.indices(last.shape, sparse=True))
        innermost, outermost = range(-fold.rank, 0), range(fold.rank)
        leaves = np.moveaxis(np.moveaxis(fold.leaves, outermost, innermost)[where], innermost, outermost)
        ends = fold.of(leaves, fold.rank).steps(np.full_like(last, low), step)
        for bound in (shift.least, shift.greatest):
            bound[where] = np.where(forgets[where], ends, bound[where])
    return shift


def runs(fold: Stored, step: IntegerStep) -> Run:
    """Return the run of each column's leaves, computed in boxes of adjacent leaves."""
    source, leaves, rank = fold.reduction.quantized_types[0], fold.leaves, fold.rank
    ends = source.storage_min + step.offset, source.storage_max + step.offset
    of_few = partial(join_leaves, step.offset, smallest_integer(ROWS, *ends))
    of_all = partial(by_rows, of_few, partial(join_runs, smallest_integer(BOX, *ends)))

    def join_columns(columns: Array) -> Run:
        found = (of_all(Run(box, box, box)) for box in boxes(columns, rank, BOX))
        return reduce(lambda first, second: first.then(second, NUMPY), map(_wide, found))

    axis = max(range(rank, leaves.ndim), key=lambda d: (leaves.shape[d] > 1, leaves.strides[d]))
    count = min(ceil(leaves.size / BOX), leaves.shape[axis])
    found = map(join_columns, np.array_split(leaves, count, axis))
    return Run(*map(partial(np.concatenate, axis=axis - rank), zip(*found, strict=True)))


def by_rows(few: Callable[[Run], Run], more: Callable[[Run], Run], level: Run) -> Run:
    """Join the runs along the first dimension in rounds: groups of leaves by `few`, of runs by `more`."""
    n = len(level.sum)
    if n <= ROWS:
        return few(level)
    whole = n // ROWS * ROWS
    groups = few(Run(*(x[:whole].reshape(-1, ROWS, *x.shape[1:]).swapaxes(0, 1) for x in level)))
    run = by_rows(more, more, groups)
    return run if whole == n else run.then(few(Run(*(x[whole:] for x in level))), NUMPY)


def join_leaves(offset: int, dtype: np.dtype, level: Run) -> Run:
    """Return the stored leaves along the first dimension as one run, whose sums must fit `dtype`."""
    sums = _rows(level.sum, dtype)
    if offset:
        sums += np.int64(offset).astype(dtype)
    _accumulate(sums)
    run = sums[-1], sums.min(0, initial=0), sums.max(0, initial=0)
    return Run(*map(np.ascontiguousarray, run))


def join_runs(dtype: np.dtype, level: Run) -> Run:
    """Return the runs along the first dimension as one run."""
    sums, least, greatest = (_rows(x, dtype) for x in level)
    _accumulate(sums)
    least[1:] += sums[:-1]
    greatest[1:] += sums[:-1]
    return Run(sums[-1], least.min(0), greatest.max(0))


def _accumulate(rows: Array) -> None:
    for before, row in pairwise(rows):
        np.add(before, row, out=row)


def _rows(x: Array, dtype: np.dtype) -> Array:
    """Return a copy with the first dimension outermost in memory; the others keep their layout."""
    order = (0, *sorted(range(1, x.ndim), key=lambda d: -x.strides[d]))
    return by_leaf(x.transpose(order), dtype).transpose(np.argsort(order))


def _wide(run: Run) -> Run:
    return Run(*(x.astype(np.int64) for x in run))

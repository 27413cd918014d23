"""Fast paths on NumPy: in place, in blocks that fit a cache, without temporaries as large as an operand.

`leaves` are stored elements before conversion; their first `rank` dimensions are the reduced ones.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import partial, reduce
from itertools import pairwise
from math import ceil, prod
from typing import Any

import numpy as np

from interp.backends import NUMPY, Namespace
from interp.engine.quant import dequantize, to_destination_type
from interp.speed import native_reductions
from interp.speed.order_free import smallest_integer
from interp.speed.saturating_fold import FEW, FloatStep, IntegerStep, Run, Shift, Step, Stored
from interp.theory.quantized_arithmetic import TABLE_BITS, real_leaves
from spec.types import ElementType, QuantizedType

# Layout of leaves for NumPy: in blocks that fit a cache, with the reduced dimensions first.

Array = np.ndarray
BLOCK = 1 << 16  # elements


def boxes(leaves: Array, rank: int, block: int = BLOCK) -> Iterator[Array]:
    """Yield the leaves in order, in blocks of about `block` elements, joined along one first axis."""
    inner = prod(leaves.shape[1:])
    if rank > 1 and inner > block:
        for part in leaves:
            yield from boxes(part, rank - 1, block)
        return
    size = max(block // inner, 1)
    for start in range(0, len(leaves), size):
        part = leaves[start : start + size]
        yield part.reshape(-1, *part.shape[rank:])


def by_leaf(box: Array, dtype: np.dtype) -> Array:
    """Return a copy, converted to `dtype`, in which the leaves are the outermost axis in memory.

    If they are innermost now, the block is first made contiguous, since rows that are a power of two apart
    in a large operand share few sets of the cache. Then it is transposed, bytes in pairs, and converted.
    """
    if box.ndim == 1 or box.strides[0] != box.itemsize:
        return box.astype(dtype, order="C")
    together = np.ascontiguousarray(np.moveaxis(box, 0, -1))
    if box.itemsize > 1 or len(box) % 2:
        return _move_last_first(together).astype(dtype)
    return _split_pairs(_move_last_first(together.view(f"<{box.dtype.kind}2")), dtype)


def _move_last_first(box: Array) -> Array:
    return np.array(np.moveaxis(box, -1, 0), order="C")


def _split_pairs(pairs: Array, dtype: np.dtype) -> Array:
    """Split 16-bit integers, in place, into their two bytes, the lower one first."""
    leaves = np.empty((2 * len(pairs), *pairs.shape[1:]), dtype)
    np.right_shift(pairs, 8, out=leaves[1::2], casting="unsafe")
    pairs <<= 8
    np.right_shift(pairs, 8, out=leaves[::2], casting="unsafe")
    return leaves


# Parts of a left fold of saturating additions on NumPy, computed side by side from prefix sums.

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


FEW_COLUMNS = 8  # columns, up to which steps in Python take less time
LONG = 64  # leaves in a row, from which on an index of the rows is small beside them


def combine_along(xp: Namespace, x: Array, dimensions: Sequence[int], combine: str, dtype: np.dtype) -> Array:
    """Combine `x` along dimensions, in `dtype`; large operands by machine code.

    Rows that are adjacent in memory are joined first, since `reduce` has a cost per row.
    """
    found = native_reductions.combine_along(x, dimensions, combine, dtype)
    if found is not None:
        return found
    ufunc, rows = getattr(np, combine), x.ndim - len(dimensions)
    size, innermost = prod(x.shape[rows:]), min(dimensions, default=0) == rows
    if x.dtype == dtype and innermost and size >= LONG and x.flags.c_contiguous:
        pieces = ufunc.reduceat(x.reshape(-1), np.arange(0, x.size, size), dtype=dtype)
        return pieces.reshape(x.shape[:rows])
    return np.asarray(ufunc.reduce(x, axis=tuple(dimensions), dtype=dtype))


def branch(
    xp: Namespace,
    holds: Any,
    fast: Callable[[], Array],
    otherwise: Callable[[], Array],
    element: ElementType | None = None,
) -> Array:
    return fast() if holds else otherwise()


def steps(fold: Stored, states: Array, step: Step) -> Array:
    """Return `Stored.steps` on NumPy."""
    if isinstance(step, IntegerStep):
        return _integer_steps(states, fold.leaves, fold.rank, step)
    return _float_steps(states, fold.leaves, fold.rank, step)


def _integer_steps(states: Array, leaves: Array, rank: int, step: IntegerStep) -> Array:
    through = _in_integers if states.size <= FEW_COLUMNS else _in_integer_arrays
    numbers = np.array(states.astype(np.int64) - step.zero_point, step.dtype)
    numbers = through(numbers, (by_leaf(box, step.dtype) for box in boxes(leaves, rank)), step)
    return (numbers.astype(np.int64) + step.zero_point).astype(states.dtype)


def _in_integer_arrays(at: Array, blocks: Iterator[Array], step: IntegerStep) -> Array:
    """Apply the step to the numbers in place, for each row of the blocks."""
    low, high = (np.full(at.shape, bound, step.dtype) for bound in (step.low, step.high))
    for block in blocks:
        if step.offset:
            block += step.dtype.type(step.offset)
        for number in block:
            np.add(at, number, out=at)
            np.maximum(at, low, out=at)
            np.minimum(at, high, out=at)
    return at


def _in_integers(at: Array, blocks: Iterator[Array], step: IntegerStep) -> Array:
    """Do the work of `_in_integer_arrays` number by number in Python's integers."""
    offset, low, high = step.offset, step.low, step.high

    def walk(number: int, leaves: list[int]) -> int:
        for leaf in leaves:
            number += leaf + offset
            number = low if number < low else high if number > high else number
        return number

    return np.array(_by_number(at.ravel().tolist(), blocks, walk), step.dtype).reshape(at.shape)


def _by_number(
    states: list[Any], blocks: Iterator[Array], walked: Callable[[Any, list[Any]], Any]
) -> list[Any]:
    """Run each state through its column of every block; for few states this takes a tenth of NumPy's time.

    The columns are the last dimensions; there may be fewer of them than states.
    """
    for block in blocks:
        columns = block.reshape(len(block), -1).T.tolist()
        states = [walked(state, columns[k % len(columns)]) for k, state in enumerate(states)]
    return states


def _float_steps(states: Array, leaves: Array, rank: int, step: FloatStep) -> Array:
    """Return the stored numbers after one step in f32 per leaf; the rounded float is not clamped itself."""
    type = step.accumulation
    through = _in_floats if states.size <= FEW_COLUMNS else _in_arrays
    real = np.array(dequantize(NUMPY, states, type))
    whole = through(real, (_dequantize_box(box, step) for box in boxes(leaves, rank)), type)
    exact = np.clip(whole.astype(np.float64), type.storage_min, type.storage_max)
    return exact.astype(states.dtype)


def _in_arrays(real: Array, blocks: Iterator[Array], type: QuantizedType) -> Array:
    """Return the stored numbers, as floats, after a step for each row; they begin as the values `real`."""
    f32 = np.float32
    scale, zero_point = f32(type.scale), f32(type.zero_point)
    low, high = (np.full(real.shape, bound, f32) for bound in (type.storage_min, type.storage_max))
    whole = np.empty_like(real)
    for block in blocks:
        for value in block:
            np.add(real, value, out=whole)
            np.divide(whole, scale, out=whole)
            if zero_point:
                np.add(whole, zero_point, out=whole)
            np.maximum(whole, low, out=whole)
            np.minimum(whole, high, out=whole)
            np.rint(whole, out=whole)
            if zero_point:
                np.subtract(whole, zero_point, out=real)
            np.multiply(real if zero_point else whole, scale, out=real)
    return whole


def _in_floats(real: Array, blocks: Iterator[Array], type: QuantizedType) -> Array:
    """Do the work of `_in_arrays` number by number in Python's floats."""
    start = [(0.0, number) for number in real.ravel().tolist()]
    ends = _by_number(start, blocks, lambda state, values: _scalar_steps(state[1], values, type))
    return np.array([whole for whole, _ in ends], np.float32).reshape(real.shape)


def _scalar_steps(real: float, values: list[float], type: QuantizedType) -> tuple[float, float]:
    """Return the last stored number, and the real number that it represents.

    THEOREM: rounding a sum, quotient or product of f32 numbers to f64 and then to f32 is the same as rounding
    it once, since 53 >= 2 * 24 + 2; a subnormal quotient is too small to matter. Numbers are rounded to f32
    by storing them in an f32 array, and to an integer by adding 1.5 * 2^52.
    """
    scale, zero_point, low, high = (
        float(np.float32(number))
        for number in (type.scale, type.zero_point, type.storage_min, type.storage_max)
    )
    fl, shift = array("f", [0.0]), 1.5 * 2.0**52
    for value in values:
        fl[0] = real + value
        fl[0] = fl[0] / scale
        if zero_point:
            fl[0] = fl[0] + zero_point
        whole = fl[0]
        whole = low if whole < low else high if whole > high else whole + shift - shift
        fl[0] = whole - zero_point
        fl[0] = fl[0] * scale
        real = fl[0]
    return whole, real


def _dequantize_box(box: Array, step: FloatStep) -> Array:
    """Return the real values of the converted leaves, leaf by leaf, by the formula or from a table."""
    source, accumulation = step.source, step.accumulation
    if step.keeps_leaves:
        real = by_leaf(box, np.dtype(np.float32))
        real -= np.float32(source.zero_point)
        real *= np.float32(source.scale)
        return real
    if source.storage_type.bits > TABLE_BITS:
        return dequantize(NUMPY, to_destination_type(NUMPY, box, source, accumulation), accumulation)
    index = by_leaf(box, np.dtype(np.intp))
    index -= source.storage_min
    return np.take(real_leaves(source, accumulation), index, mode="clip")

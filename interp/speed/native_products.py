"""Sums of products by machine code: where their factors are, and the call from Python.

`product_code` writes the code. It needs LLVM alone, which comes with numba, and takes a quarter of a second
for each kind of sums, whatever their shapes.
"""

from __future__ import annotations

import ctypes
import os
from functools import cache
from importlib.util import find_spec
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from interp.backends import NUMPY, windows
from interp.speed.problem import Convolution, Dot, Problem
from spec.elements import ELEMENT_TYPES

if TYPE_CHECKING:
    from interp.speed.product_blocks import Kind
    from interp.speed.tree_tapes import Tape

Array = np.ndarray
POSITIONS, RUN = 2, 3  # words of a description, as in `product_blocks`
NO_SCALES = np.zeros(1, np.float32)
SCALE = np.float32(1 + 2.0**-12)  # of the right factors of `probe`
SCALES = np.append(np.full(32, SCALE), np.float32(3 * 2.0**-12 + 1))
ZERO_POINT = 5
UNITS = 4  # of work for each thread, so that none waits long for the last
WORK = 1 << 22  # products for which it pays to start a thread
MEMORY = 1 << 26  # bytes that all threads together may take
SHARE = 64  # sums of a unit at least, as each lays out its right factors


@cache
def threads() -> int:
    """Return how many threads may run at once in this process."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def kind_of(
    problem: Problem, name: str, fused: bool = False, stored: bool = False, both: bool = False
) -> Kind:
    """Return the kind of sums in a float type; for `fused`, `stored` and `both` see `Kind`."""
    from interp.speed.product_blocks import Kind

    own = isinstance(problem, Convolution) and problem.feature_group_count == problem.right.shape[-1] > 1
    return Kind(name, fused, own and problem.right.shape[-2] == 1, stored, both)


def is_possible(problem: Problem) -> bool:
    """Return whether there are sums, and not too many to be counted in 32 bits."""
    return bool(0 < prod(problem.shape) < 2**31 and problem.n)


@cache
def works(kind: Kind) -> bool:
    """Return whether LLVM is there, and its code for a kind of sums computes what it should."""
    if not find_spec("llvmlite"):
        return False
    if kind.grid or kind.counts or kind.ones:  # whose code is of the same LLVM
        return works(kind._replace(grid=None, counts=False, ones=False))
    problem, expected = probe(kind)
    try:
        found = sums(problem, kind, expected.dtype, SCALES, ZERO_POINT, tape_of_probe(kind))
        return bool(np.array_equal(found.ravel(), expected.ravel()))
    except (ImportError, AttributeError, RuntimeError, OSError):  # of another LLVM
        return False


def sums(
    problem: Problem,
    kind: Kind,
    dtype: Any,
    scales: Array = NO_SCALES,
    zero_point: int = 0,
    tape: Tape | None = None,
) -> Array:
    """Return the sums, in the dtype of the carrier of their type; holes are zeros.

    scales: of the columns of all groups, for stored right factors, and one for left ones, which have the
    zero point. tape: that of the tree along which a kind of sums adds, if it does. Where it counts,
    three arrays: the sums; as bits, how many nodes are not exact; how far the worst is from exact.
    """
    from interp.speed.product_code import bytes_needed, code_of

    problem = in_order(NUMPY, problem, tape)
    right = problem.right[:1] if kind.ones else columns_of(NUMPY, problem, kind)
    by_column = is_by_column(right)
    meta = describe(problem, kind, threads(), False, zero_point, by_column, tape)
    out = np.empty((3, *problem.shape) if kind.counts else problem.shape, dtype)
    pairs = (problem.left, kind.both), (right.swapaxes(1, 2) if by_column else right, kind.stored)
    sides = (np.ascontiguousarray(x, x.dtype if stored else dtype) for x, stored in pairs)
    arrays = meta, *sides, scales, out, np.empty(bytes_needed(meta, kind), np.uint8)
    run = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p] * len(arrays))(code_of(kind).run)
    run(*(array.ctypes.data for array in arrays))
    return out


def is_by_column(right: Array) -> bool:
    """Return whether right factors [group, k, n] lie beside those of the same column."""
    return not right.flags.c_contiguous and right.swapaxes(1, 2).flags.c_contiguous


def columns_of(xp: Any, problem: Problem, kind: Kind) -> Any:
    """Return the right factors as [group, k, n]; the groups of `kind.own` are the columns of one."""
    if isinstance(problem, Dot):
        return problem.right
    if kind.own or problem.groups == 1:
        return problem.right.reshape(1, -1, problem.right.shape[-1])
    grouped = problem.right.reshape(problem.n, problem.groups, -1)
    return xp.moveaxis(grouped, 1, 0)


def in_order(xp: Any, problem: Problem, tape: Tape | None) -> Problem:
    """Return the problem with the left factors of a matrix in the order of a tape, side by side in memory."""
    if tape is None or tape.is_in_order or not isinstance(problem, Dot):
        return problem
    return problem._replace(left=xp.take(problem.left, tape.order, axis=2))


def describe(
    problem: Problem,
    kind: Kind,
    threads: int,
    has_holes: bool = False,
    zero_point: int = 0,
    by_column: bool = False,
    tape: Tape | None = None,
) -> Array:
    """Return what the code reads: where the factors of each sum are, and where the sum goes.

    by_column: right factors lie beside those of the same column, [group, n, k]. tape: that of a tree, for
    which matrices are `in_order`.
    """
    if isinstance(problem, Dot):
        groups, m, columns = problem.shape
        n = problem.left.shape[2]  # as many as a tape takes, which may take a right factor several times
        head = [m, columns, 1, n, groups, m * n, m * columns, columns]
        tail, offsets = [m, n], np.zeros(1, np.int64)
    else:
        strides, kernel = windows.row_major(problem.left.shape), problem.right.shape
        groups = 1 if kind.own else problem.groups
        columns, features = kernel[-1] // groups, kernel[-2]
        of_group = features if problem.feature_group_count > 1 else strides[0] * problem.sizes[0]
        head = [prod(problem.sizes), columns, prod(kernel[:-2]), features]
        head += [groups, of_group, columns, kernel[-1]]
        steps = [stride * by for stride, by in zip(strides[1:-1], problem.window_strides, strict=True)]
        tail, offsets = [*problem.sizes, strides[0], *steps], _offsets(problem, strides, kind.size)
    threads = min(threads, most_threads(problem, kind))
    parts = count_parts(head[0], -(-columns // kind.width) * groups, threads)
    rank = 1 if isinstance(problem, Dot) else len(problem.sizes)
    along = [offsets]
    if tape is not None:
        every = (offsets[:, None] + np.arange(head[RUN]) * kind.size).ravel()
        along = [every if isinstance(problem, Dot) else every[tape.order], tape.order, tape.words]
        head[POSITIONS], head[RUN] = len(tape.order), 1
    sizes = prod(problem.left.shape), has_holes, zero_point, threads, parts
    apart = [1, problem.n] if by_column else [columns, 1]  # right factors of one column, and columns
    return np.concatenate([np.array([*head, *sizes, *apart, rank, *tail], np.int64), *along])


def most_threads(problem: Problem, kind: Kind) -> int:
    """Return how many threads have enough to do, and little memory in all for their right factors."""
    memory = problem.n * kind.width * kind.size
    return max(1, min(problem.n * prod(problem.shape) // WORK, MEMORY // memory))


def count_parts(sums: int, blocks: int, threads: int) -> int:
    """Return into how many parts to split the sums of a block of columns."""
    return 1 if threads == 1 else max(1, min(-(-UNITS * threads // blocks), sums // SHARE))


def _offsets(problem: Convolution, strides: list[int], size: int) -> Array:
    """Return where the factors at each position of the kernel are, beside those at the first, in bytes."""
    steps, start = [], 0
    rows = zip(
        strides[1:-1], problem.right.shape, problem.rhs_dilation, problem.window_reversal, strict=False
    )
    for stride, count, dilation, is_reversed in rows:
        start += stride * dilation * (count - 1) if is_reversed else 0
        steps.append(-stride * dilation if is_reversed else stride * dilation)
    return (windows.grid(problem.right.shape[:-2], steps).ravel() + start) * size


def tape_of_probe(kind: Kind) -> Tape | None:
    """Return the tape of `probe` for sums along a tree."""
    if not kind.tree:
        return None
    from interp.speed.tree_tapes import PAIR

    return PAIR


def probe(kind: Kind) -> tuple[Problem, Array]:
    """Return factors [2, 2] and [2, 32], and their sums: a subnormal one, one of a rounded product."""
    dtype, type = np.float64 if kind.name == "f64" else np.float32, ELEMENT_TYPES[kind.name]
    least, last = 2.0 ** (2 - type.bias - type.mantissa), 2.0 ** -(type.mantissa // 2 + 1)
    x = np.array([[3 * last, 0], [1 + last, 1]], dtype)
    q = np.array([[100] * 31 + [-100], [-128] * 32], np.int8)
    lefts = np.array([[-7, 5], [127, -128]], np.int8)
    x = (np.float32(lefts) - ZERO_POINT) * SCALES[-1] if kind.both else x
    w = q * SCALE if kind.stored else np.array([[least / last] + [1 + last] * 31, [-1] * 32], dtype)
    rounded = lambda y: NUMPY.round_to(y, type).astype(dtype)
    expected = rounded(rounded(x[:, :1] * w[0]) + rounded(x[:, 1:] * w[1]))
    if kind.flushes:
        least = 2.0 ** (1 - type.bias)
        expected = np.where(np.abs(expected) < least, np.copysign(dtype(0), expected), expected)
    left, right = lefts if kind.both else x, q if kind.stored else w
    if kind.own:
        repeated = np.repeat(left[:, :, None], w.shape[1], axis=2)
        return Convolution(repeated, right[:, None], (1,), (1,), (False,), w.shape[1], 1), expected
    return Dot(left[None], right[None]), expected

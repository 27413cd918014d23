"""Contractions under XLA: its own matrix products and convolutions, and the padding of their factors."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np

from interp.backends import Array, Namespace, windows
from interp.backends.platforms import on_cpu, register, try_handler
from interp.speed.jax_native import sum_in_order as sum_in_order
from interp.speed.jax_native import sum_weighted as sum_weighted
from interp.speed.problem import Dot, Problem
from spec.ir import Op

# Holes around and between stored factors of contractions, laid out by machine code on a CPU of this
# process.
#
# Every other array, and every other platform, has XLA's own padding, which XLA compiles for each shape.

TARGET = "interp_padded"
MANY = 1 << 10  # bytes, below which XLA compiles the padding into what uses it
PROBE = np.arange(6, dtype=np.int8).reshape(2, 3), ((1, 0, 1), (0, 2, 0))


def pad_factors(xp: Namespace, x: Array, hole: Any, edges: Sequence[windows.Edge]) -> Array:
    """Return an array dilated and padded with holes of this value."""
    by_xla = lambda x, edges=edges: xp.pad_with(x, xp.asarray(hole, x.dtype), edges)  # the untrimmed ones
    few = x.size < MANY or x.dtype not in (np.int8, np.uint8) or not isinstance(hole, int)
    box, edges = windows.trim(x.shape, edges)
    cuts = box != windows.whole(x.shape)
    if few or cuts or not any(map(any, edges)) or not xp.native or not works(xp):
        return by_xla(x)
    return on_cpu(_shape(x, edges), x.dtype, lambda x: call_handler(xp, x, hole, edges), by_xla, x)


def _shape(x: Array, edges: Sequence[windows.Edge]) -> list[int]:
    return [windows.placement(size, edge)[0] for size, edge in zip(x.shape, edges, strict=True)]


def call_handler(xp: Namespace, x: Array, hole: int, edges: Sequence[windows.Edge]) -> Array:
    """Return the padded array by a call of machine code."""
    from interp.speed.padding_code import describe

    result = xp.jax.ShapeDtypeStruct(_shape(x, edges), x.dtype)
    return xp.jax.ffi.ffi_call(TARGET, result)(describe(x.shape, edges, hole), x)


@cache
def works(xp: Namespace) -> bool:
    """Return whether LLVM is there, and XLA on a CPU calls its code, which lays bytes out as it should."""
    if not find_spec("llvmlite"):
        return False
    try:
        from interp.speed.padding_code import handler

        register(TARGET, handler())
    except (ImportError, AttributeError, RuntimeError, OSError):  # of another LLVM
        return False
    x, edges = PROBE
    found = try_handler(lambda x: call_handler(xp, x, -7, edges), x)
    return found is not None and found.tolist() == [[-7] * 5, [0, 1, 2, -7, -7], [-7] * 5, [3, 4, 5, -7, -7]]


NATIVE = np.dtype(np.int8)  # whose products XLA adds in i32, faster than any float


def library(xp: Namespace, problem: Problem, dtype: Any) -> Array:
    """Return the sums, added in a float dtype in whatever order XLA has."""
    left, right = problem.left.astype(dtype), problem.right.astype(dtype)
    return _sums(xp, problem._replace(left=left, right=right), dtype)


def integers(xp: Namespace, problem: Problem, dtype: Any, most: int) -> Array:
    """Return sums of integers modulo the width of an integer dtype; `most` bounds every |product|.

    THEOREM: floats of precision p add products exactly while their sums stay within 2^p. In matrices of i8
    XLA adds in i32, which wraps to narrower integers. So it does in convolutions, on CPUs; where it joined
    them with a padding, it would do so wrongly (jaxlib 0.10.2).
    """
    in_floats = lambda left, right: _in_floats(xp, problem._replace(left=left, right=right), dtype, most)
    narrow = problem.left.dtype == problem.right.dtype == NATIVE and np.dtype(dtype).itemsize <= 4
    if narrow and isinstance(problem, Dot):
        return _sums(xp, problem, np.int32).astype(dtype)
    if narrow and xp.native and all(problem.shape) and problem.n:
        padded = lambda left, right: problem._replace(left=xp.opaque(left), right=right)
        in_integers = lambda *sides: _sums(xp, padded(*sides), np.int32).astype(dtype)
        return on_cpu(problem.shape, dtype, in_integers, in_floats, problem.left, problem.right)
    return in_floats(problem.left, problem.right)


def _in_floats(xp: Namespace, problem: Problem, dtype: Any, most: int) -> Array:
    for wide, precision, integer in ((np.float32, 24, np.int32), (np.float64, 53, np.int64)):
        if problem.n * most <= 2**precision:
            return library(xp, problem, wide).astype(integer).astype(dtype)
    return library(xp, problem, dtype)


def _sums(xp: Namespace, problem: Problem, dtype: Any) -> Array:
    options = {"precision": xp.lax.Precision.HIGHEST, "preferred_element_type": np.dtype(dtype)}
    if isinstance(problem, Dot):
        return xp.lax.dot_general(problem.left, problem.right, (((2,), (1,)), ((0,), (0,))), **options)
    flipped = [d for d, flip in enumerate(problem.window_reversal) if flip]
    rank = len(problem.window_strides)
    ends, middle = (0, rank + 1), tuple(range(1, rank + 1))
    layout = xp.lax.ConvDimensionNumbers((*ends, *middle), (rank + 1, rank, *range(rank)), (*ends, *middle))
    return xp.lax.conv_general_dilated(
        problem.left,
        xp.flip(problem.right, flipped) if flipped else problem.right,
        window_strides=problem.window_strides,
        padding=[(0, 0)] * rank,
        rhs_dilation=problem.rhs_dilation,
        dimension_numbers=layout,
        feature_group_count=problem.feature_group_count,
        batch_group_count=problem.batch_group_count,
        **options,
    )


def largest(xp: Namespace, x: Array) -> Array:
    """Return the largest of numbers that are not negative, or 0.

    For f32 XLA on a CPU has a function, where it would compile a reduction for each shape.
    """
    if x.dtype != np.float32 or not x.size:
        return x.max(initial=0)
    return xp.lax.top_k(x.ravel(), 1)[0][0]


def is_native(op: Op) -> bool:
    """Return whether stored integers are multiplied as they are, faster than in floats."""
    return all(value.type.storage_type.name == "i8" for value in op.operands)

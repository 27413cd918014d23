"""Integers combined along dimensions by machine code: where that pays, and the call from Python.

The dimensions of an operand are taken as they lie in memory, and joined where neighbours are all reduced or
all kept. Machine code combines the innermost ones that are reduced; NumPy does the rest, which is smaller.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from itertools import groupby
from math import prod
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from interp.backends import windows

if TYPE_CHECKING:
    from interp.speed.reduction_code import Kind

Array = np.ndarray
MANY = 1 << 16  # numbers, below which NumPy has the result before code is loaded
SHORT = 16  # numbers of a row, or columns side by side, below which vectors do not pay


class Groups(NamedTuple):
    """Sizes of dimensions, outermost first, and whether each is reduced, which alternates."""

    sizes: tuple[int, ...]
    reduced: tuple[bool, ...]

    def innermost(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return what machine code is told, rows or matrices and their sizes, and the shape of its result."""
        if self.reduced[-1]:
            return (prod(self.sizes[:-1]), self.sizes[-1]), self.sizes[:-1]
        return (prod(self.sizes[:-2]), *self.sizes[-2:]), (*self.sizes[:-2], self.sizes[-1])


class Plan(NamedTuple):
    """Form of an operand's reduction: by which code, then by NumPy along `outer`; then its shape, turned."""

    kind: Kind
    groups: Groups
    outer: tuple[int, ...]
    shape: tuple[int, ...]
    turned: tuple[int, ...] | None


def combine_along(x: Array, dimensions: Sequence[int], combine: str, dtype: np.dtype) -> Array | None:
    """Combine `x` along dimensions, in `dtype`; return None where machine code does not do it."""
    if x.size < MANY:
        return None
    plan = plan_of(x.shape, x.strides, tuple(dimensions), combine, x.dtype, dtype)
    if plan is None:
        return None
    found = combine_innermost(x, plan.groups, plan.kind, dtype)
    found = getattr(np, combine).reduce(found, axis=plan.outer, dtype=dtype) if plan.outer else found
    found = np.asarray(found).reshape(plan.shape)
    return found if plan.turned is None else found.transpose(plan.turned)


@lru_cache
def plan_of(
    shape: tuple[int, ...],
    strides: tuple[int, ...],
    dimensions: tuple[int, ...],
    combine: str,
    source: np.dtype,
    dtype: np.dtype,
) -> Plan | None:
    """Return how to combine an operand that lies in memory with these strides, or None."""
    if not _are_known(combine, source, dtype):
        return None
    order = sorted((d for d, size in enumerate(shape) if size > 1), key=lambda d: (-strides[d], d))
    lying = [shape[d] for d in order]
    groups = _groups(lying, [d in dimensions for d in order])
    is_contiguous = [strides[d] for d in order] == [n * source.itemsize for n in windows.row_major(lying)]
    pays = any(groups.reduced) and groups.sizes[-1] >= SHORT and is_contiguous
    if not pays or not works(kind := _kind_of(combine, source, dtype)):
        return None
    outer = tuple(k for k, is_reduced in enumerate(groups.reduced[:-2]) if is_reduced)
    kept = [d for d in order if d not in dimensions] + [
        d for d, size in enumerate(shape) if size == 1 and d not in dimensions
    ]
    turned = None if kept == sorted(kept) else tuple(sorted(range(len(kept)), key=kept.__getitem__))
    return Plan(kind, groups, outer, tuple(shape[d] for d in kept), turned)


def _are_known(combine: str, source: np.dtype, dtype: np.dtype) -> bool:
    """Return whether there is machine code; a sum of booleans is no integer."""
    if combine == "multiply" or (dtype == np.bool_ and (combine == "add" or source != dtype)):
        return False
    return source.kind in "iub" and dtype.kind in "iub" and source.itemsize <= dtype.itemsize


def _kind_of(combine: str, source: np.dtype, dtype: np.dtype) -> Kind:
    from interp.speed.reduction_code import Kind

    return Kind(combine, source.kind == "i", 8 * source.itemsize, 8 * dtype.itemsize)


def _groups(shape: Sequence[int], reduced: Sequence[bool]) -> Groups:
    pairs = list(zip(reduced, shape, strict=True))
    joined = [(key, prod(size for _, size in some)) for key, some in groupby(pairs, lambda pair: pair[0])]
    return Groups(tuple(size for _, size in joined), tuple(key for key, _ in joined))


def combine_innermost(x: Array, groups: Groups, kind: Kind, dtype: np.dtype) -> Array:
    """Return numbers without gaps in memory, combined along the innermost group that is reduced."""
    counts, shape = groups.innermost()
    out = np.empty(shape, dtype)
    _function(kind, groups.reduced[-1])(x.ctypes.data, out.ctypes.data, *counts)
    return out


@cache
def _function(kind: Kind, are_rows: bool) -> Callable[..., int]:
    from interp.speed.reduction_code import code_of

    code = code_of(kind)
    kinds = [ctypes.c_void_p] * 2 + [ctypes.c_int64] * (2 if are_rows else 3)
    return ctypes.CFUNCTYPE(ctypes.c_int64, *kinds)(code.rows if are_rows else code.columns)


@cache
def works(kind: Kind) -> bool:
    """Return whether LLVM is there, and its code combines numbers as NumPy does."""
    if not find_spec("llvmlite"):
        return False
    source, dtype = (np.dtype(f"{'i' if kind.is_signed else 'u'}{n // 8}") for n in (kind.bits, kind.wide))
    x = (np.arange(2 * 9 * 600) * 37).astype(source).reshape(2, 9, 600)
    try:
        for axis, groups in (
            (2, Groups((18, 600), (False, True))),
            (1, Groups((2, 9, 600), (False, True, False))),
        ):
            expected = getattr(np, kind.combine).reduce(x, axis=axis, dtype=dtype)
            if not np.array_equal(combine_innermost(x, groups, kind, dtype).ravel(), expected.ravel()):
                return False
    except (ImportError, AttributeError, RuntimeError, OSError):  # of another LLVM
        return False
    return True

"""Holes around and between stored factors of contractions, laid out by machine code on a CPU of this process.

Every other array, and every other platform, has XLA's own padding, which XLA compiles for each shape.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np

from interp.backends import Array, Namespace, windows
from interp.backends.platforms import on_cpu, register, try_handler

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

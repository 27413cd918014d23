"""Machine code that lays out bytes with holes between and around them, called by XLA as a handler."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import prod
from typing import Any

import numpy as np
from llvmlite import ir

from interp.backends import windows
from interp.backends.machine_code import BYTE, WORD, Function, addresses
from interp.speed.product_code import write_handler
from interp.speed.product_units import position

TOTAL, HOLE, FIRST, BYTES, ROWS, RANK, HEAD = range(7)  # words of a description; sizes and steps come after


def write_run(module: Any) -> Function:
    """Write `run(meta, bytes, out)`: fill `out` with holes, and copy runs of bytes to their places."""
    f = Function(module, "run", 3, inner=False)
    meta, given, out = f.arguments
    word, false = lambda k: f.word(meta, k), ir.Constant(ir.IntType(1), 0)
    at = lambda address: f.place(address, BYTE)
    hole = f.builder.trunc(word(HOLE).value, BYTE)
    f.intrinsic("llvm.memset.p0.i64", ir.VoidType(), at(out), hole, word(TOTAL).value, false)
    size = word(BYTES)
    with f.loop(word(ROWS)) as row:
        to, start = out + word(FIRST) + position(f, meta + HEAD * 8, word(RANK), row), given + row * size
        f.intrinsic("llvm.memcpy.p0.p0.i64", ir.VoidType(), at(to), at(start), size.value, false)
    f.builder.ret(ir.Constant(WORD, 0))
    return f


def describe(shape: Sequence[int], edges: Sequence[windows.Edge], hole: int) -> np.ndarray:
    """Return what the code reads, for an array of bytes and edges that cut nothing off.

    A run of bytes is copied at once: those along the last dimension that has edges, if it has none inside.
    """
    whole = [windows.placement(size, edge)[0] for size, edge in zip(shape, edges, strict=True)]
    strides = windows.row_major(whole)
    last = max(d for d, edge in enumerate(edges) if any(edge))
    rank = last + 1 if edges[last][2] else last
    first = sum(low * stride for (low, _, _), stride in zip(edges, strides, strict=True))
    apart = [inside + 1 for _, _, inside in edges]
    steps = [stride * step for stride, step in zip(strides, apart, strict=True)][:rank]
    head = [prod(whole), hole % 256, first, prod(shape[rank:]), prod(shape[:rank]), rank]
    return np.array([*head, *shape[:rank], *steps], np.int64)


@cache
def handler() -> int:
    """Return the address of the compiled handler."""
    module = ir.Module()
    write_handler(module, write_run(module), 2, 1)
    return addresses(module, ("handler",))[0]

"""Layout of leaves for NumPy: in blocks that fit a cache, with the reduced dimensions first."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

import numpy as np

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

"""Operators that read and write at indices. LiteRT stops at one out of range, which an event names."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from interp.apps.litert.movement import as_output
from interp.apps.litert.node import I32, Build, Node, Result, with_element
from interp.loading.folding import scatter
from spec.ir import Value


def within(n: Node, places: Value, size: int) -> Value:
    """Return indices moved into the range, where the kernel would stop."""
    near = n.b.clamp(0, places, size - 1)
    n.compare_at_fault(f"LiteRT stops where an index is out of range for {size} elements", "NE", places, near)
    return near


def gather(n: Node) -> Result:
    """Return slices of the input at indices along an axis."""
    rank = n.type(0).rank
    axis = n.place(n.option("axis"), rank)
    if n.option("batch_dims"):
        return gather_in_batches(n, axis, n.place(n.option("batch_dims"), n.type(1).rank + 1))
    if n.is_known(0) and n.is_known(1):
        return np.take(n.constant(0), n.constant(1).astype(np.int64), axis)
    if n.is_known(1) and not all(0 <= k < n.type(0).shape[axis] for k in n.integers(1)):
        raise n.malformed_error(f"an index is out of range for {n.type(0).shape[axis]} elements")
    places = n.value(1) if n.is_known(1) else within(n, n.value(1), n.type(0).shape[axis])
    return n.b.gather(as_output(n), places, axis)


def gather_in_batches(n: Node, axis: int, batches: int) -> Value:
    """Return the slices at each batch's own indices; batches are the first dimensions of both inputs."""
    b, x, at = n.b, as_output(n), n.value(1)
    shape, indices = x.type.shape, at.type.shape
    if axis < batches or shape[:batches] != indices[:batches]:
        raise n.malformed_error(f"{batches} batches of {list(shape)} at {list(indices)}, axis {axis}")
    count, rank = prod(shape[:batches]), len(shape)
    order = (*range(batches), axis, *(d for d in range(batches, rank) if d != axis))
    rest = [shape[d] for d in order[batches + 1 :]]
    rows = b.reshape(b.transpose(x, order), (count * shape[axis], *rest))
    near = within(n, b.convert(at, I32), shape[axis])
    flat = b.reshape(near, (count, prod(indices[batches:])))
    first = b.binary_scalar("multiply", b.iota((count,), 0, I32), shape[axis])
    found = b.gather(rows, b.binary("add", flat, b.place(first, flat.type.shape, (0,))), 0)
    whole = b.reshape(found, (*indices, *rest))
    # the dimensions of x before the axis stand before those of the indices
    last, before = len(indices), axis - batches
    places = (*range(batches), *range(last, last + before), *range(batches, last))
    return b.transpose(whole, (*places, *range(last + before, whole.type.rank)))


def gather_nd(n: Node) -> Value:
    """Return the slices at places that are rows of constant indices."""
    x, at = as_output(n), n.constant(1).astype(np.int64)
    count, shape = at.shape[-1], x.type.shape
    if count > len(shape):
        raise n.malformed_error(f"indices of {count} dimensions for {list(shape)}")
    check_rows(n, 1, shape[:count])
    flat = np.ravel_multi_index(tuple(np.moveaxis(at, -1, 0)), shape[:count]).astype(np.int32)
    rows = n.b.reshape(x, (prod(shape[:count]), *shape[count:]))
    return n.b.gather(rows, n.b.array(flat, I32), 0)


def scatter_nd(n: Node) -> Value:
    """Return the sums of the updates at rows of indices, from 0 on; of integers, of stored numbers."""
    b, at, updates, shape = n.b, n.value(0), n.storage(1), n.integers(2)
    count = at.type.shape[-1]
    if count > len(shape) or updates.type.shape != (*at.type.shape[:-1], *shape[count:]):
        raise n.malformed_error(f"{updates.type!r} at {at.type!r} in {shape}")
    check_rows(n, 0, shape[:count])
    zeros = b.broadcast(b.full(0, updates.type.tensor_element_type), shape)
    sums = scatter(b, zeros, at, updates, "add", [], range(count), at.type.rank - 1)
    return with_element(b, sums, n.out().element)


def check_rows(n: Node, k: int, shape: Sequence[int]) -> None:
    """Raise `Malformed` if rows of constant indices leave a shape; of others, an event names it."""
    if not n.is_known(k):
        for axis, size in enumerate(shape):
            within(n, n.b.row(n.value(k), axis, n.type(k).rank - 1), size)
        return
    rows = np.moveaxis(n.constant(k), -1, 0)
    if not all(((row >= 0) & (row < size)).all() for row, size in zip(rows, shape, strict=True)):
        raise n.malformed_error(f"an index is out of range for {list(shape)}")


def one_hot(n: Node) -> Value:
    (depth,) = n.integers(1)
    indices, b = n.value(0), n.b
    axis = n.place(n.option("axis"), indices.type.rank + 1)
    shape = list(indices.type.shape)
    shape.insert(axis, depth)
    kept = [d for d in range(len(shape)) if d != axis]
    places = b.iota(tuple(shape), axis, indices.type.tensor_element_type)
    is_one = b.compare("EQ", places, b.place(indices, shape, kept))
    return b.select(is_one, b.reshape(as_output(n, 2), ()), b.reshape(as_output(n, 3), ()))


TABLE: dict[str, Build] = {
    "GATHER": gather,
    "GATHER_ND": gather_nd,
    "ONE_HOT": one_hot,
    "SCATTER_ND": scatter_nd,
}

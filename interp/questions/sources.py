"""The elements of an operation's operands from which one element of its result comes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from interp.engine.facts import facts
from spec.ir import Op
from spec.types import is_tensor

Index = tuple[int, ...]
Numbers = Sequence[Any] | None  # of the deciding elements, once they are known


class Source(NamedTuple):
    """The element `at` of operand number `operand`.

    `followed` is false for an operand that is read but has no part in the result: it was not selected.
    """

    operand: int
    at: Index
    followed: bool = True


def deciding(op: Op, index: Index) -> tuple[Source, ...]:
    """Return the elements whose values decide which other elements are read: indices and predicates."""
    name = op.name.removeprefix("stablehlo.")
    if name == "select":
        return (_same_index(op, 0, index),)
    if name == "dynamic_slice":
        return tuple(Source(k, ()) for k in range(1, len(op.operands)))
    if name == "dynamic_update_slice":
        return tuple(Source(k, ()) for k in range(2, len(op.operands)))
    return _start_indices(op, index) if name == "gather" else ()


def sources(op: Op, k: int, index: Index, decided: Sequence[Any]) -> tuple[Source, ...] | None:
    """Return the elements from which element `index` of result `k` comes, apart from the deciding ones.

    decided: the values of the deciding elements. None if the operation neither computes element by element
    nor moves elements.
    """
    if not all(is_tensor(value.type) for value in (*op.operands, *op.results)):
        return None
    name = op.name.removeprefix("stablehlo.")
    if move := _MOVES.get(name):
        return (move(op, index, decided),)
    if name == "optimization_barrier":
        return (Source(k, index),)
    if name == "select":
        chosen = 1 if decided[0] else 2
        return tuple(_same_index(op, at, index)._replace(followed=at == chosen) for at in (1, 2))
    shape = op.results[k].type.shape
    if facts(op).moves and op.operands[0].type.shape == shape:  # over a mesh, or a simulation's statistics
        return (Source(0, index),)
    if _is_elementwise(op) and op.operands and all(x.type.shape in (shape, ()) for x in op.operands):
        return tuple(_same_index(op, at, index) for at in range(len(op.operands)))
    return None


def _is_elementwise(op: Op) -> bool:
    """Return whether each element of the one result is computed from those at its index."""
    row = facts(op)
    by_element = row.batches or row.error in ("converted", "reinterpreted")
    return by_element and row.family in ("elementwise", "conversion") and len(op.results) == 1


def _same_index(op: Op, operand: int, index: Index) -> Source:
    """Return an operand's element at the result's index; that of a scalar has no index."""
    return Source(operand, index if op.operands[operand].type.rank else ())


def _reshape(op: Op, index: Index, _: Numbers) -> Source:
    flat = np.ravel_multi_index(index, op.result.type.shape) if index else 0
    shape = op.operand.type.shape
    return Source(0, _integers(np.unravel_index(flat, shape)) if shape else ())


def _transpose(op: Op, index: Index, _: Numbers) -> Source:
    found = dict(zip(op["permutation"], index, strict=True))
    return Source(0, tuple(found[d] for d in range(len(index))))


def _broadcast(op: Op, index: Index, _: Numbers) -> Source:
    sizes = zip(op["broadcast_dimensions"], op.operand.type.shape, strict=True)
    return Source(0, tuple(0 if size == 1 else index[d] for d, size in sizes))


def _slice(op: Op, index: Index, _: Numbers) -> Source:
    along = zip(op["start_indices"], index, op["strides"], strict=True)
    return Source(0, tuple(start + i * stride for start, i, stride in along))


def _reverse(op: Op, index: Index, _: Numbers) -> Source:
    sizes = enumerate(zip(index, op.result.type.shape, strict=True))
    return Source(0, tuple(n - 1 - i if d in op["dimensions"] else i for d, (i, n) in sizes))


def _concatenate(op: Op, index: Index, _: Numbers) -> Source:
    d = op["dimension"]
    at = index[d]
    for k, value in enumerate(op.operands):
        if at < value.type.shape[d]:
            return Source(k, (*index[:d], at, *index[d + 1 :]))
        at -= value.type.shape[d]
    raise AssertionError("the operands of a concatenate make up its result")


def _pad(op: Op, index: Index, _: Numbers) -> Source:
    """Return the operand's element there, or the padding value."""
    along = zip(index, op["edge_padding_low"], op["interior_padding"], strict=True)
    placed = [divmod(i - low, interior + 1) for i, low, interior in along]
    sizes = op.operands[0].type.shape
    if all(rest == 0 and 0 <= at < n for (at, rest), n in zip(placed, sizes, strict=True)):
        return Source(0, tuple(at for at, _ in placed))
    return Source(1, ())


def _dynamic_slice(op: Op, index: Index, starts: Numbers) -> Source:
    begin = _clamp_starts(starts or (), op.operands[0].type.shape, op["slice_sizes"])
    return Source(0, tuple(first + i for first, i in zip(begin, index, strict=True)))


def _dynamic_update_slice(op: Op, index: Index, starts: Numbers) -> Source:
    sizes = op.operands[1].type.shape
    begin = _clamp_starts(starts or (), op.operands[0].type.shape, sizes)
    at = tuple(i - first for i, first in zip(index, begin, strict=True))
    inside = all(0 <= i < n for i, n in zip(at, sizes, strict=True))
    return Source(1, at) if inside else Source(0, index)


def _clamp_starts(starts: Sequence[Any], shape: Index, sizes: Index) -> Index:
    """Return start indices moved so that a slice of these sizes lies in the shape."""
    return tuple(min(max(int(x), 0), n - size) for x, n, size in zip(starts, shape, sizes, strict=True))


def _start_indices(op: Op, index: Index) -> tuple[Source, ...]:
    """Return the elements of a gather's `start_indices` that an element of the result reads."""
    shape, vector = op.operands[1].type.shape, op["index_vector_dim"]
    batch = [i for d, i in enumerate(index) if d not in op["offset_dims"]]
    if vector == len(shape):
        return (Source(1, tuple(batch)),)
    return tuple(Source(1, (*batch[:vector], k, *batch[vector:])) for k in range(shape[vector]))


def _gather(op: Op, index: Index, starts: Numbers) -> Source:
    shape, vector = op.operands[0].type.shape, op["index_vector_dim"]
    batch = [i for d, i in enumerate(index) if d not in op["offset_dims"]]
    found = [0] * len(shape)
    for d, start in zip(op["start_index_map"], starts or (), strict=True):
        found[d] = min(max(int(start), 0), shape[d] - op["slice_sizes"][d])
    for d, of in zip(op["operand_batching_dims"], op["start_indices_batching_dims"], strict=True):
        found[d] += batch[of - (of > vector)]
    inner = {*op["collapsed_slice_dims"], *op["operand_batching_dims"]}
    for d, of in zip((d for d in range(len(shape)) if d not in inner), op["offset_dims"], strict=True):
        found[d] += index[of]
    return Source(0, tuple(found))


def _integers(index: Sequence[Any]) -> Index:
    return tuple(map(int, index))


_MOVES: dict[str, Callable[[Op, Index, Numbers], Source]] = {
    "broadcast_in_dim": _broadcast,
    "concatenate": _concatenate,
    "dynamic_slice": _dynamic_slice,
    "dynamic_update_slice": _dynamic_update_slice,
    "gather": _gather,
    "pad": _pad,
    "reshape": _reshape,
    "reverse": _reverse,
    "slice": _slice,
    "transpose": _transpose,
}

"""Operators on sequences and optionals, which are known here: programs only have their tensors."""

from __future__ import annotations

from itertools import accumulate

import numpy as np

from interp.apps.onnx.loading.node import Build, Node, Result, Symbol
from interp.apps.onnx.loading.subgraphs import tensors

MOST = 1 << 16  # elements of a sequence


def construct(n: Node) -> Symbol:
    return Symbol(items=tuple(n.symbol(k) for k in range(len(n.inputs))))


def empty(n: Node) -> Symbol:
    return Symbol(items=())


def position(n: Node, k: int, size: int, last: int) -> int:
    """Return an input as a position from 0 to `last`; negative ones count from the end of `size`."""
    (index,) = n.integers(k)
    if not -size <= index <= last:
        raise n.malformed_error(f"position {index} in a sequence of {size}")
    return index + size if index < 0 else index


def at(n: Node) -> Symbol:
    items = n.items(0)
    return items[position(n, 1, len(items), len(items) - 1)]


def insert(n: Node) -> Symbol:
    items = n.items(0)
    place = position(n, 2, len(items), len(items)) if n.has(2) else len(items)
    if len(items) >= MOST:
        raise n.unsupported_error(f"a sequence of more than {MOST} tensors")
    return Symbol(items=(*items[:place], n.symbol(1), *items[place:]))


def erase(n: Node) -> Symbol:
    items = n.items(0)
    place = position(n, 1, len(items), len(items) - 1) if n.has(1) else len(items) - 1
    if not items:
        raise n.malformed_error("nothing to erase in an empty sequence")
    return Symbol(items=(*items[:place], *items[place + 1 :]))


def length(n: Node) -> Result:
    return np.asarray(len(n.items(0)), np.int64)


def split(n: Node) -> Symbol:
    """Return the parts of x along an axis: of given sizes, of one size but for the last, or single slices."""
    x = n.raw_value(0)
    axis = n.axis(0, x.type.rank)
    size, keeps = x.type.shape[axis], n.attribute("keepdims", 1) or n.has(1)
    sizes = [1] * size
    if n.has(1):
        parts = n.constant(1)
        sizes = n.integers(1)
        if not parts.ndim and sizes[0] > 0:
            sizes = [min(sizes[0], size - start) for start in range(0, size, sizes[0])]
    if sum(sizes) != size or min(sizes, default=0) < 0 or len(sizes) > MOST:
        raise n.malformed_error(f"parts {sizes[:9]} of a dimension of {size}", f"at most {MOST} parts")
    if not keeps:
        return Symbol(items=tuple(Symbol(n.b.row(x, k, axis)) for k in range(size)))
    pairs = zip(accumulate(sizes), sizes, strict=True)
    return Symbol(items=tuple(Symbol(n.b.slice_in(x, axis, end - each, end)) for end, each in pairs))


def concat(n: Node) -> Result:
    """Return the tensors of a sequence one after the other along an axis, or along a new one."""
    values = tensors(n.b, n.items(0))
    if not values:
        raise n.malformed_error("expected a sequence of tensors", f"got {n.inputs[0]!r}")
    rank, is_new = values[0].type.rank, n.attribute("new_axis", 0)
    axis = n.axis(0, rank + 1 if is_new else rank)
    if is_new:
        shapes = [(*v.type.shape[:axis], 1, *v.type.shape[axis:]) for v in values]
        values = [n.b.reshape(v, shape) for v, shape in zip(values, shapes, strict=True)]
    if len({(*v.type.shape[:axis], *v.type.shape[axis + 1 :]) for v in values}) > 1:
        raise n.malformed_error("the shapes differ", ", ".join(repr(v.type) for v in values))
    return n.b.concatenate(values, axis)


def optional(n: Node) -> Symbol:
    return n.inputs[0] if n.has(0) and n.inputs[0] else Symbol()


def has_element(n: Node) -> Result:
    symbol = n.inputs[0] if n.inputs else None
    return np.asarray(symbol is not None and (symbol.is_tensor or symbol.items is not None))


def element(n: Node) -> Symbol:
    if not has_element(n):
        raise n.malformed_error("the optional is empty")
    return identity(n)


def identity(n: Node) -> Symbol:
    symbol = n.inputs[0] if n.inputs else None
    if symbol is None:
        raise n.malformed_error("input 0 is missing")
    return symbol


TABLE: dict[str, Build] = {
    "ConcatFromSequence": concat,
    "Identity": identity,
    "Optional": optional,
    "OptionalGetElement": element,
    "OptionalHasElement": has_element,
    "SequenceAt": at,
    "SequenceConstruct": construct,
    "SequenceEmpty": empty,
    "SequenceErase": erase,
    "SequenceInsert": insert,
    "SequenceLength": length,
    "SplitToSequence": split,
}

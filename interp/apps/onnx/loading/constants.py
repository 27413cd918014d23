"""Operators whose results, or the number of these, follow from numbers: constants, ranges, selections."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from onnx import TensorProto

from interp.apps.onnx.loading.movement import take
from interp.apps.onnx.loading.node import Build, Node, Result, array_of, element_of, to_storage
from interp.loading.build import I1, I64, Folds
from interp.loading.folding import fold
from spec.ir import Value

LARGEST = 1 << 24  # elements of an array that is made here


def constant(n: Node) -> Result:
    """Return the one attribute that is given: a tensor, numbers, or a number."""
    if tensor := n.attribute("value"):
        return array_of(tensor)
    for name, dtype in (("value_float", np.float32), ("value_int", np.int64)):
        for each in (name, f"{name}s"):
            if each in n.attributes:
                return np.asarray(n.attributes[each], dtype)
    raise n.unsupported_error(f"a constant of {', '.join(n.attributes) or 'nothing'}")


def shape(n: Node) -> Result:
    sizes = n.type(0).shape
    return np.asarray(sizes[slice(n.attribute("start", 0), n.attribute("end"))], np.int64)


def size(n: Node) -> Result:
    return np.asarray(n.type(0).size, np.int64)


def constant_of_shape(n: Node) -> Result:
    sizes = n.integers(0)
    if min(sizes, default=0) < 0 or int(np.prod(sizes, dtype=object)) > LARGEST:
        raise n.malformed_error(f"cannot make a constant of shape {sizes}", f"at most {LARGEST} elements")
    given = n.attribute("value")
    number = array_of(given).reshape(-1)[0] if given else np.float32(0)
    return np.full(sizes, number)


def number_range(n: Node) -> Result:
    """Return start + k * delta, computed as ONNX's own function does; delta is 1 by default."""
    start, limit = (n.constant(k).reshape(-1)[0] for k in range(2))
    delta = n.constant(2).reshape(-1)[0] if n.has(2) else start.dtype.type(1)
    if delta == 0 or not np.isfinite([float(start), float(limit), float(delta)]).all():
        raise n.malformed_error(f"a range from {start} to {limit} in steps of {delta}")
    count = max(0, int(np.ceil((float(limit) - float(start)) / float(delta))))
    if count > LARGEST:
        raise n.malformed_error(f"a range of {count} numbers", f"at most {LARGEST}")
    return (np.arange(count) * delta + start).astype(n.constant(0).dtype)


def eye_like(n: Node) -> Result:
    from onnx.helper import tensor_dtype_to_np_dtype

    type = n.type(0)
    rows, columns = type.shape
    dtype = np.dtype(type.storage_type.numpy)
    if to := n.attribute("dtype"):
        dtype = tensor_dtype_to_np_dtype(to)
    return np.eye(rows, columns, n.attribute("k", 0)).astype(dtype)


def mel_weight_matrix(n: Node) -> Result:
    """Return the weights of the bins of a spectrum (rows) in each of the bins of the mel scale (columns).

    Each column is a triangle with a peak of 1. Its corners are equidistant on the mel scale and rounded down.
    """
    bins, size, rate = (n.integers(k)[0] for k in range(3))
    low, high = (float(n.constant(k).reshape(-1)[0]) for k in (3, 4))
    rows = size // 2 + 1
    if bins < 1 or size < 1 or rate < 1 or not 0 <= low <= high < np.inf or (bins + 2) * rows > LARGEST:
        raise n.malformed_error(f"{bins} bins, DFT of {size}, rate {rate}, from {low} to {high} hertz")
    ends = 2595 * np.log10(1 + np.array([low, high]) / 700)
    mels = ends[0] + np.arange(bins + 2) * (ends[1] - ends[0]) / (bins + 2)
    corners = ((size + 1) * 700 * (10 ** (mels / 2595) - 1) // rate).astype(np.int64)
    left, peak, right = corners[:-2], corners[1:-1], corners[2:]
    row = np.arange(rows)[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        rising, falling = (row - left) / (peak - left), (right - row) / (right - peak)
    sides = [(row >= left) & (row < peak), row == peak, (row > peak) & (row < right)]
    element = element_of(n.attribute("output_datatype", TensorProto.FLOAT))
    return to_storage(np.select(sides, [rising, np.ones_like(rising), falling], 0.0), element)


# Selections, whose number of results data decide


def true_places(n: Node, mask: Value) -> Value:
    """Return the places of a vector that are true, in their order; only their number must be known."""
    b, (size,) = n.b, mask.type.shape
    places = b.iota((size,), 0, I64)
    number = fold(b, b.convert(mask, I64), "add", [0])
    count = int(n.evaluate(number, "the number of its results"))
    if count == size:
        return places
    found = b.select(mask, places, b.full(size, places.type))
    return b.slice_in(sort(b, found), 0, 0, count)


def sort(b: Folds, x: Value) -> Value:
    """Return a vector in ascending order."""
    inner = b.inner()
    pair = [Value(inner.fresh(hint), b.full(0, x.type.tensor_element_type).type) for hint in ("a", "b")]
    comparator = inner.block(pair, [inner.compare("LT", *pair)])
    return b.emit("sort", [x], x.type, (comparator,), dimension=0, is_stable=True)


def compress(n: Node) -> Value:
    """Return the slices along an axis, by default the elements, at which a condition is true."""
    x, condition = n.raw_value(0), n.value(1)
    if (axis := n.attribute("axis")) is None:
        x, axis = n.b.reshape(n.plain(x), (x.type.size,)), 0
    axis = n.place(axis, x.type.rank)
    size = x.type.shape[axis]
    if condition.type.rank != 1 or condition.type.shape[0] > size:
        raise n.malformed_error(f"a condition of type {condition.type!r} for {size} slices")
    if n.symbol(1).is_known:
        return take(n, x, np.flatnonzero(n.constant(1)), axis)
    return n.b.gather(x, true_places(n, condition), axis)


def nonzero(n: Node) -> Result:
    """Return the indices of elements that are not zero, in their order: a row for each dimension."""
    x = n.value(0)
    if n.symbol(0).is_known:
        return np.asarray(np.nonzero(np.atleast_1d(n.constant(0))), np.int64)
    sizes = x.type.shape or (1,)
    flat = n.b.reshape(x, (x.type.size,))
    mask = flat if flat.type.tensor_element_type == I1 else n.b.compare("NE", flat, n.b.full(0, flat.type))
    places = true_places(n, mask)
    rows, inner = [], int(np.prod(sizes))
    for size in sizes:
        inner = inner // max(size, 1)
        row = n.b.binary_scalar("divide", places, max(inner, 1))
        row = n.b.binary_scalar("remainder", row, max(size, 1))
        rows.append(n.b.reshape(row, (1, *row.type.shape)))
    return n.b.concatenate(rows, 0)


def unique(n: Node) -> Sequence[Result]:
    """Return the different elements or slices, their first places, those of all among them, and counts."""
    x, axis = n.constant(0), n.attribute("axis")
    if axis is not None:
        axis = n.place(axis, x.ndim)
    values, *rest = np.unique(x, return_index=True, return_inverse=True, return_counts=True, axis=axis)
    places, inverse, counts = (each.reshape(-1).astype(np.int64) for each in rest)
    if not n.attribute("sorted", 1):
        order = np.argsort(places)
        values = np.take(values, order, 0 if axis is None else axis)
        places, inverse, counts = places[order], np.argsort(order)[inverse], counts[order]
    return [values, places, inverse, counts][: len(n.proto.output)]


TABLE: dict[str, Build] = {
    "Compress": compress,
    "Constant": constant,
    "ConstantOfShape": constant_of_shape,
    "EyeLike": eye_like,
    "MelWeightMatrix": mel_weight_matrix,
    "NonZero": nonzero,
    "Range": number_range,
    "Shape": shape,
    "Size": size,
    "Unique": unique,
}

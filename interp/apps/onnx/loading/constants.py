"""Operators whose results follow from shapes and constants alone: arrays, which the program need not hold."""

from __future__ import annotations

import numpy as np
from onnx import TensorProto

from interp.apps.onnx.loading.node import Build, Node, Result, array_of, element_of, to_storage

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
    """Return start + k * delta, computed as ONNX's own function does."""
    start, limit, delta = (n.constant(k).reshape(-1)[0] for k in range(3))
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


TABLE: dict[str, Build] = {
    "Constant": constant,
    "ConstantOfShape": constant_of_shape,
    "EyeLike": eye_like,
    "MelWeightMatrix": mel_weight_matrix,
    "Range": number_range,
    "Shape": shape,
    "Size": size,
}

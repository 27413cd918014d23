"""Granularity of quantization: which element of scale and zero point belongs to an element of x."""

from __future__ import annotations

from collections.abc import Sequence

from spec.index import Index
from spec.onnx.node import Node
from spec.types import TensorType


def is_per_tensor(scale: TensorType, node: Node) -> bool:
    """Return whether there is one scale: a scalar, or a vector of one element that is no block's."""
    return scale.rank == 0 or (scale.shape == (1,) and not node["block_size"])


def axis_of(node: Node) -> int:
    """Return the axis, counted from the front."""
    return int(node["axis"]) % node["x"].type.rank


def parameter_index(node: Node, scale: TensorType, index: Sequence[int]) -> Index:
    """Return the index of the scale and the zero point for an element of x.

    Per tensor (), per axis (i[axis],), blocked i with i[axis] / block_size rounded down.
    """
    if is_per_tensor(scale, node):
        return Index((0,) * scale.rank)
    axis, size = axis_of(node), node["block_size"]
    if not size:
        return Index((index[axis],))
    return Index(i // size if d == axis else i for d, i in enumerate(index))

"""Granularity of quantization: one scale, one for each slice along an axis, or blocks."""

from __future__ import annotations

from spec.onnx.node import Node
from spec.types import TensorType


def is_per_tensor(scale: TensorType, node: Node) -> bool:
    """Return whether there is one scale: a scalar, or a vector of one element that is no block's."""
    return scale.rank == 0 or (scale.shape == (1,) and not node["block_size"])


def axis_of(node: Node) -> int:
    """Return the axis, counted from the front."""
    return int(node["axis"]) % node["x"].type.rank

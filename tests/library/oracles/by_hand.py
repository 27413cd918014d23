"""Quantization in NumPy's f32 and Python's integers, element by element: for types expressed in f32."""

from __future__ import annotations

import numpy as np

from spec.types import QuantizedType


def real(q: int, type: QuantizedType) -> np.float32:
    """`dequantize`."""
    return np.float32(np.float32(q - type.zero_point) * np.float32(type.scale))


def steps(x: np.float32, type: QuantizedType) -> int:
    """`quantize` into storage without bounds."""
    moved = np.float32(np.float32(x / np.float32(type.scale)) + np.float32(type.zero_point))
    return int(np.rint(moved))


def clamp(q: int, type: QuantizedType) -> int:
    return min(max(q, type.storage_min), type.storage_max)


def requantized(q: int, source: QuantizedType, destination: QuantizedType) -> int:
    """`to_destination_type` into storage without bounds."""
    return q if source == destination else steps(real(q, source), destination)

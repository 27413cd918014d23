"""The constraints of quantized types, checked on a tensor type.

C1 to C13 are the specification's. It has no sub-channel types: S1 to S9 are those of the `quant` dialect.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from spec.elements import EXPRESSED_TYPES, ElementType
from spec.quantized import QuantizedType, storage_range
from spec.rules.constraint import C, Constraint
from spec.types import TensorType


def has_type(constant: object, type: ElementType) -> bool:
    """Return whether a constant has an integer type, as any integer does; (C3) and (C7) check the range."""
    return isinstance(constant, int) and type.is_integer


def in_storage_type(type: QuantizedType) -> bool:
    """Return whether (C3) holds; float storage, which MLIR accepts, is refused by (C1)."""
    least, most = storage_range(type.storage_type)
    return least <= type.storage_min < type.storage_max <= most


def element(
    number: int, formula: str, show: str, holds: Callable[[QuantizedType], bool] | None = None
) -> Constraint:
    """Return a row about the element type alone."""
    judge = lambda holds: lambda self: holds(self.element_type)
    return C(number, formula, holds and judge(holds), show)


def per_axis(number: int, formula: str, show: str) -> Constraint:
    """Return a row about types with a quantization dimension."""
    return C(number, formula, show=show, when=lambda self: self.element_type.is_per_axis)


def sub_channel(
    number: int, formula: str, show: str, holds: Callable[[Any, Any], bool] | None = None
) -> Constraint:
    """Return a row about a sub-channel type `t` in a tensor type `self`."""
    judge = lambda holds: lambda self: holds(self, self.element_type)
    when = lambda self: self.element_type.block_sizes is not None
    return C(number, formula, holds and judge(holds), show, letter="s", when=when)


def blocks_fill(self: TensorType, t: QuantizedType) -> bool:
    """Return whether (S9) holds: blocks divide the sizes. An axis that is not named is one block."""
    sizes = dict(t.block_sizes or ())
    pairs = enumerate(zip(self.shape, t.parameters_shape, strict=True))
    return all(count * sizes.get(axis, n) == n for axis, (n, count) in pairs)


QUANTIZED_TYPE: tuple[Constraint, ...] = (
    element(
        1,
        "type(storage_min) = storage_type",
        "storage_min, storage_type",
        lambda t: has_type(t.storage_min, t.storage_type),
    ),
    element(
        2,
        "type(storage_max) = storage_type",
        "storage_max, storage_type",
        lambda t: has_type(t.storage_max, t.storage_type),
    ),
    element(
        3,
        "min_value(storage_type) <= storage_min < storage_max <= max_value(storage_type)",
        "storage_type, storage_min, storage_max",
        in_storage_type,
    ),
    element(
        4,
        "type(scales...) = expressed_type",
        "scales, expressed_type",
        lambda t: t.expressed_type in EXPRESSED_TYPES and all(isinstance(scale, float) for scale in t.scales),
    ),
    element(5, "0 < scales", "scales, expressed_type"),
    element(6, "is_finite(scales...)", "scales, expressed_type"),
    element(7, "storage_min <= zero_points <= storage_max", "storage_min, zero_points, storage_max"),
    element(
        8,
        "type(zero_points...) = storage_type",
        "zero_points, storage_type",
        lambda t: all(has_type(point, t.storage_type) for point in t.zero_points),
    ),
    element(9, "size(scales) = size(zero_points)", "size(scales), size(zero_points)"),
    element(
        10,
        "if is_empty(quantization_dimension), then size(scales) = 1",
        "size(scales)",
        lambda t: not t.is_per_tensor or len(t.scales) == 1,
    ),
    per_axis(11, "0 <= quantization_dimension", "quantization_dimension"),
    per_axis(12, "quantization_dimension < rank(self)", "quantization_dimension, rank(self)"),
    per_axis(
        13,
        "dim(self, quantization_dimension) = size(scales)",
        "shape(self), quantization_dimension, size(scales)",
    ),
    sub_channel(1, "size(scales) = prod(parameters_shape)", "size(scales), parameters_shape"),
    sub_channel(2, "0 < rank(self)", "rank(self)"),
    sub_channel(
        3,
        "0 <= axis < rank(self) for axis and size in block_sizes",
        "block_sizes, rank(self)",
        lambda self, t: all(0 <= axis < self.rank for axis, _ in t.block_sizes),
    ),
    sub_channel(
        4,
        "is_unique(axis for axis and size in block_sizes)",
        "block_sizes",
        lambda self, t: len(dict(t.block_sizes)) == len(t.block_sizes),
    ),
    sub_channel(
        5,
        "0 < size for axis and size in block_sizes",
        "block_sizes",
        lambda self, t: all(size > 0 for _, size in t.block_sizes),
    ),
    sub_channel(
        6,
        "dim(self, axis) % size = 0 for axis and size in block_sizes",
        "shape(self), block_sizes",
        lambda self, t: all(size and self.shape[axis] % size == 0 for axis, size in t.block_sizes),
    ),
    sub_channel(7, "0 < shape(self)...", "shape(self)"),
    sub_channel(8, "size(parameters_shape) = rank(self)", "parameters_shape, rank(self)"),
    sub_channel(
        9,
        "parameters_shape[axis] = dim(self, axis) / size, or 1 for an axis that block_sizes does not name",
        "parameters_shape, shape(self), block_sizes",
        blocks_fill,
    ),
)

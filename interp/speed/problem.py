"""Contractions in two normal forms, products of matrices and windows, and their weights stored in 8 bits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import NamedTuple

import numpy as np

from interp.backends import Array, Namespace
from interp.engine.quant import dequantize, round_parameters
from interp.theory.contractions import contracting
from spec.ir import Op
from spec.types import ElementType, QuantizedType


class Dot(NamedTuple):
    """Products of matrices: left [batch, m, k] by right [batch, k, n] gives [batch, m, n]."""

    left: Array
    right: Array

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the sums."""
        return (*self.left.shape[:2], self.right.shape[2])

    @property
    def n(self) -> int:
        """The number of products in a sum."""
        return self.right.shape[1]

    def column_sums(self) -> Array:
        """Return the sums of the right factors, to broadcast against the sums of products."""
        return self.right.sum(axis=1, keepdims=True, dtype="int32")


class Convolution(NamedTuple):
    """Windows of padded left [batch, *spatial, feature] times right [*kernel, feature, output feature].

    The sums have the shape [batch, *spatial, output feature]. The other fields are the operation's
    attributes.
    """

    left: Array
    right: Array
    window_strides: Sequence[int]
    rhs_dilation: Sequence[int]
    window_reversal: Sequence[bool]
    feature_group_count: int
    batch_group_count: int

    @property
    def groups(self) -> int:
        return self.feature_group_count * self.batch_group_count

    @property
    def sizes(self) -> list[int]:
        """The batch and the spatial sizes of the sums."""
        rows = zip(
            self.left.shape[1:-1], self.right.shape, self.rhs_dilation, self.window_strides, strict=False
        )
        spatial = [
            _windows(size, (n - 1) * dilation + 1 if n else 0, stride) for size, n, dilation, stride in rows
        ]
        return [self.left.shape[0] // self.batch_group_count, *spatial]

    @property
    def shape(self) -> tuple[int, ...]:
        return (*self.sizes, self.right.shape[-1])

    @property
    def n(self) -> int:
        return prod(self.right.shape[:-1])

    def column_sums(self) -> Array:
        return self.right.sum(axis=tuple(range(self.right.ndim - 1)), dtype="int32")


def _windows(size: int, span: int, stride: int) -> int:
    return (size - span) // stride + 1 if size >= span else 0


Problem = Dot | Convolution
Fold = Callable[[Array, Array], Array]  # the sums of two operands, as they are written


class Geometry(NamedTuple):
    """Conversions between an operation and its normal form: operands to factors, sums to the result.

    `left(x, hole)` arranges the left operand, with `hole` in padding and between dilated elements if
    `has_holes`; `right(x)` arranges the right operand. `is_traced`: `left` pads by numbers that a compiler
    traces, and so belongs to the trace. `by_column(x)` arranges a right operand of matrices, whose factors
    lie beside those of the same column, as [batch, n, k].
    """

    left: Callable[[Array, Array], Array]
    right: Callable[[Array], Array]
    joined: Callable[[Array, Array], Problem]
    result: Callable[[Array], Array]
    has_holes: bool = False
    is_traced: bool = False
    by_column: Callable[[Array], Array] | None = None

    def of(self, lhs: Array, rhs: Array, hole: int = 0) -> Problem:
        return self.joined(self.left(lhs, hole), self.right(rhs))


def rounds_as_its_carrier(sources: Sequence[ElementType], element: ElementType) -> bool:
    """Return whether f32 or f64 arithmetic, with one more rounding to a narrower type, gives the sums.

    THEOREM: a product of two f16 or two bf16 numbers is exact in f32, or below half their least number. A sum
    in f32 has 24 bits, at least twice their precision plus two, so that the second rounding does no harm.
    """
    names = {source.name for source in sources}
    if element.name in ("f16", "bf16"):
        return names == {element.name}
    narrow = {"f16", "bf16", "tf32", "f32"}
    return (element.name == "f32" and names <= narrow) or (
        element.name == "f64" and names <= narrow | {"f64"}
    )


# Factors stored in 8 bits, which machine code dequantizes: weights where it lays them out.
#
# THEOREM: the specification demands zero points of 0 of weights. f32 holds a stored number of 8 bits, also
# less a zero point, so that one rounded product with the scale is what `dequantize` gives.

Lazy = tuple[Array, Callable[[Array], Array]]  # a stored operand, and a function that gives its numbers

MOST = 2.0**100  # a scale of which no stored number becomes infinite


class Weights(NamedTuple):
    """Stored right factors, the scales of their columns, and `dequantize` for them.

    The last scale is that of left factors, as is the zero point, which is None if machine code does not
    dequantize them.
    """

    stored: Array
    scales: np.ndarray
    dequantized: Callable[[Array], Array]
    zero_point: int | None


def weights_of(xp: Namespace, op: Op, rhs: Array, element: ElementType) -> Weights | None:
    """Return the right factors of a contraction as stored, where machine code can dequantize them."""
    type, shape = op.operands[1].type.element_type, op.operands[1].type.shape
    if not isinstance(type, QuantizedType) or type.storage_type.name != "i8" or type.block_sizes:
        return None
    scales, names = round_parameters(type).scales, {type.expressed_type.name, element.name}
    if names != {"f32"} or any(type.zero_points) or not max(scales) < MOST:
        return None
    columns = prod(size for d, size in enumerate(shape) if d not in contracting(op))
    if len(scales) not in (1, columns) or type.quantization_dimension in contracting(op):
        return None
    scale, zero_point = _left_parameters(op.operands[0].type.element_type)
    every = np.array([*np.broadcast_to(scales, columns), scale], np.float32)
    return Weights(rhs, every, lambda x: dequantize(xp, x, type), zero_point)


def _left_parameters(type: object) -> tuple[float, int | None]:
    """Return the scale and the zero point of left factors, as in `Weights`."""
    other = float("inf"), None
    if not isinstance(type, QuantizedType) or not type.is_per_tensor:
        return other
    (scale,), storage = round_parameters(type).scales, type.storage_type
    if storage.name != "i8" or type.expressed_type.name != "f32" or not scale < MOST:
        return other
    return scale, type.zero_point

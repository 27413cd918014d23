"""Contractions in two normal forms, products of matrices and windows, whatever an operation's dimensions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import NamedTuple

from interp.backends import Array
from spec.types import ElementType


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
    `has_holes`; `right(x)` arranges the right operand.
    """

    left: Callable[[Array, Array], Array]
    right: Callable[[Array], Array]
    joined: Callable[[Array, Array], Problem]
    result: Callable[[Array], Array]
    has_holes: bool = False

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

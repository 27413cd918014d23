"""Ranges that hold a value of a program for every input: the least and the greatest of each element.

THEOREM (sound): whatever the inputs are, in the given ranges, each element that is a number lies between
`least` and `greatest`. It may be NaN only if `nan` is true. A range may be wider than what is attained.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from interp.backends import NUMPY, Array, max_finite
from interp.engine.quant import Type
from interp.engine.storage import storage, storage_range
from interp.theory.sums import Ends
from spec.types import TensorType, is_tensor


@dataclass(frozen=True, eq=False)
class Range:
    """Ends as carriers of stored elements, in a shape that broadcasts to the tensor's, of the same rank.

    A dimension of size 1 says that the ends are the same along it.
    """

    type: TensorType
    least: Array
    greatest: Array
    nan: bool = False

    @property
    def ends(self) -> Ends:
        return Ends(self.least, self.greatest)

    @property
    def is_point(self) -> bool:
        """Return whether every element is known."""
        if self.nan or self.least is self.greatest:
            return not self.nan
        return self.least.dtype.kind in "iu" and bool(np.all(self.least == self.greatest))

    @property
    def is_finite(self) -> bool:
        """Return whether all elements are finite numbers."""
        return not self.nan and bool(np.isfinite(self.least).all() and np.isfinite(self.greatest).all())

    @property
    def full(self) -> tuple[Array, Array]:
        """The ends in the tensor's shape."""
        least, greatest = (np.broadcast_to(end, self.type.shape) for end in (self.least, self.greatest))
        return least, greatest


def has_order(type: TensorType) -> bool:
    """Return whether elements are real numbers that are compared as they are stored."""
    if not is_tensor(type) or type.storage_type.kind == "complex":
        return False
    return not type.is_quantized or type.storage_type.is_integer


def ends_of(type: Type) -> tuple[float | int, float | int]:
    """Return the least and the greatest stored element of a type, infinities included."""
    element = storage(type)
    if element.kind == "float":
        most = float("inf") if element.special == "ieee" else max_finite(element)
        return -most, most
    return storage_range(type)


def type_range(type: TensorType) -> Range:
    """Return the range of everything that a type holds."""
    if not has_order(type):
        nothing = np.zeros((1,) * type.rank)
        return Range(type, nothing, nothing, True)
    dtype = NUMPY.carrier(type.storage_type)
    least, greatest = (np.full((1,) * type.rank, end, dtype) for end in ends_of(type.element_type))
    return Range(type, least, greatest, type.storage_type.kind == "float")


def finite_range(type: TensorType) -> Range:
    """Return the range of a parameter: everything that its type holds except NaN and infinities."""
    found = type_range(type)
    if not has_order(type) or type.storage_type.kind != "float":
        return found
    most = max_finite(type.storage_type)
    return Range(type, np.maximum(found.least, -most), np.minimum(found.greatest, most))


def value_range(type: TensorType, x: Array) -> Range:
    """Return the range of a known value; one with a NaN has the range of its type."""
    if not has_order(type) or (x.dtype.kind == "f" and np.isnan(x).any()):
        return type_range(type)
    known = compact(np.asarray(x))
    return Range(type, known, known)


def between(type: TensorType, least: Array, greatest: Array, nan: bool = False) -> Range:
    """Return the range with these ends; if one of them is NaN, that of the type."""
    least, greatest = np.asarray(least), np.asarray(greatest)
    if any(end.dtype.kind == "f" and np.isnan(end).any() for end in (least, greatest)):
        return type_range(type)
    low = compact(least)
    return Range(type, low, low if least is greatest else compact(greatest), nan)


def compact(x: Array) -> Array:
    """Return an array in which every dimension along which all elements have the same bits has size 1."""
    for d in range(x.ndim):
        if x.shape[d] > 1 and (x.strides[d] == 0 or _is_same(x, d)):
            x = x[(slice(None),) * d + (slice(1),)]
    return x


def _is_same(x: Array, d: int) -> bool:
    first = (slice(None),) * d
    bits = x.view(f"u{x.dtype.itemsize}") if x.dtype.kind == "f" else x
    return bool((bits[(*first, slice(1, 2))] == bits[(*first, slice(1))]).all()) and bool(
        (bits == bits[(*first, slice(1))]).all()
    )


def hull(ranges: Sequence[Range]) -> Range:
    """Return a range that holds the elements of all of these, which have one type."""
    first = ranges[0]
    if not has_order(first.type):
        return type_range(first.type)
    return Range(first.type, *reduce(Ends.join, (x.ends for x in ranges)), any(x.nan for x in ranges))


def widen_along(x: Range, dimensions: Sequence[int]) -> Range:
    """Return the range whose ends are the same along these dimensions; without elements, the type's."""
    if not x.type.size:
        return finite_range(x.type)
    axes = tuple(dimensions)
    least, greatest = x.least.min(axis=axes, keepdims=True), x.greatest.max(axis=axes, keepdims=True)
    return Range(x.type, least, greatest, x.nan)


def anywhere(type: TensorType, x: Range) -> Range:
    """Return the range of a tensor of this type, each of whose elements may be any of those of x."""
    if not has_order(type):
        return type_range(type)
    whole, sizes = widen_along(x, range(x.type.rank)), (1,) * type.rank
    return Range(type, whole.least.reshape(sizes), whole.greatest.reshape(sizes), x.nan)

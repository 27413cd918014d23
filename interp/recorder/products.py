"""The leaves of a contraction: products, computed when they are asked for, each with its two factors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from math import prod
from typing import Any, NamedTuple

import numpy as np

from interp.backends import NUMPY, Array, State
from interp.engine import additions
from interp.engine.additions import Terms
from interp.engine.fold import Leaves
from interp.engine.quant import Type, wrap_whole
from interp.kernels.contraction import geometry_of
from interp.kernels.product_fold import positions, product_leaves
from interp.recorder.exact import rounding_error
from interp.recorder.part import Part
from interp.speed.problem import Dot, Geometry, Problem
from interp.theory.factor_ranges import number_of_products
from spec.ir import Op
from spec.types import ElementType, QuantizedType, integer

WIDE = integer(64, True)  # the type of products of integers
SAFE = 2.0**480  # factors between its reciprocal and it have a product whose error f64 holds
NO_FACTOR = -1  # index of a left factor that is padding, or a hole of dilation
Range = tuple[int, int]  # least and greatest, both included


@dataclass(frozen=True)
class Factor:
    """One factor of a product: the operand's name, its index there (None: padding), and its stored number."""

    operand: str
    index: tuple[int, ...] | None
    stored: Any

    def __str__(self) -> str:
        place = "padding" if self.index is None else f"[{', '.join(map(str, self.index))}]"
        return f"{self.operand} {place}"


class Side(NamedTuple):
    """One operand of a contraction: its stored elements, the numbers that are multiplied, and their range.

    `range` is that of the type, if the numbers are integers; `type` is the quantized type of numbers that a
    program has dequantized, and `scales` are those of the elements if they are several.
    """

    stored: Array
    numbers: Callable[[], Array]
    range: Range | None = None
    type: Type | None = None
    scales: Callable[[], Array] | None = None


@dataclass(frozen=True, eq=False)
class Products:
    """The products of one run of a contraction: `multiply` of the numbers of both sides.

    type: that of a product before it is converted to the type of the accumulator; exact for integers.
    integers: the exact products of `q - zero_point`, if both operands represent quantized numbers; those of
    the integer reading, even where this run computed with floats.
    """

    op: Op
    sides: tuple[Side, Side]
    multiply: Callable[..., Array]
    type: ElementType
    integers: Products | None = None

    @cached_property
    def geometry(self) -> Geometry:
        return geometry_of(NUMPY, self.op)

    @cached_property
    def problem(self) -> Problem:
        return self.geometry.of(*self.numbers)

    @cached_property
    def numbers(self) -> State:
        """The numbers that are multiplied, arranged like the operands."""
        with np.errstate(all="ignore"):
            return tuple(side.numbers() for side in self.sides)

    @property
    def ranges(self) -> tuple[Range, Range]:
        """The ranges of the factors, by type."""
        left, right = (side.range for side in self.sides)
        assert left
        assert right
        return left, right

    @property
    def n(self) -> int:
        """The number of products in a sum."""
        return number_of_products(self.op)

    @cached_property
    def part(self) -> Part:
        """The products of all result elements as leaves; `columns` are in the order of the normal form."""
        found = product_leaves(NUMPY, self.geometry, self.multiply, *self.numbers)
        leaves = Leaves(found.n, lambda i: (found.at(i),), lambda: (found.at(slice(None)),))
        return Part(leaves, np.argsort(self._positions.reshape(-1), kind="stable"))

    @property
    def possible(self) -> Range:
        """The least and the greatest integer product of any operands of these types."""
        left, right = self.ranges
        found = [a * b for a in left for b in right]
        return min(found), max(found)

    @cached_property
    def _positions(self) -> Array:
        """Return, for each result index, the flat position of its sum in the normal form."""
        shape = self.problem.shape
        return np.asarray(self.geometry.result(np.arange(prod(shape)).reshape(shape)))

    @cached_property
    def _indices(self) -> Problem:
        """Return the normal form of flat indices into the operands instead of factors."""
        shapes = [side.stored.shape for side in self.sides]
        lhs, rhs = (np.arange(prod(shape)).reshape(shape) for shape in shapes)
        return self.geometry.of(lhs, rhs, NO_FACTOR)

    def places(self, elements: Array) -> tuple[Array, Array]:
        """Return the flat indices of both factors, [products, elements], of flat result indices."""
        at, indices = self._positions.reshape(-1)[elements], self._indices
        if isinstance(indices, Dot):
            batch, row, column = np.unravel_index(at, indices.shape)
            return indices.left[batch, row].T, indices.right[batch, :, column].T
        place, channel = np.divmod(at, indices.shape[-1])
        group = channel // (indices.shape[-1] // indices.groups)
        known = positions(indices)
        base = known.base.reshape(-1, indices.groups)[place, group]
        left = indices.left.reshape(-1)[base + known.offset[:, None]]
        return left, indices.right.reshape(indices.n, -1)[:, channel]

    def leaves_at(self, elements: Array) -> Array:
        """Return the products [products, elements] of some result elements, given by their flat indices."""
        left, right = self.places(elements)
        factors = (x.reshape(-1)[at] for x, at in zip(self.numbers, (left, right), strict=True))
        numbers = self.multiply(*factors)
        return np.where(left == NO_FACTOR, np.zeros_like(numbers), numbers)

    def element_leaves(self, index: tuple[int, ...]) -> Array:
        """Return the products of one result element."""
        return self.leaves_at(self._flat(index))[:, 0]

    def _flat(self, index: tuple[int, ...]) -> Array:
        shape = self.op.result.type.shape
        return np.array([np.ravel_multi_index(index, shape) if shape else 0])

    def factors(self, index: tuple[int, ...]) -> list[tuple[Factor, Factor]]:
        """Return both factors of each product of one result element."""
        names = [value.name for value in self.op.operands[:2]]
        stored = [side.stored for side in self.sides]
        places = (at[:, 0] for at in self.places(self._flat(index)))
        lhs, rhs = map(_factors, names, stored, places)
        return list(zip(lhs, rhs, strict=True))


def _factors(name: str, x: Array, places: Array) -> list[Factor]:
    flat, found = x.reshape(-1), []
    for place in map(int, places):
        index = tuple(map(int, np.unravel_index(place, x.shape))) if place != NO_FACTOR else None
        found.append(Factor(name, index, None if index is None else flat[place].item()))
    return found


def convert_products(x: Array, type: Type) -> Array:
    """Return products as leaves in the type of an accumulator: integers that do not fit it wrap."""
    if isinstance(type, QuantizedType) or not type.is_integer:
        return x
    return wrap_whole(x.astype(object), type)


def product_terms(
    geometry: Geometry, sides: State, types: list[ElementType], flushes: bool = False
) -> tuple[Terms, tuple[int, ...], Callable[[Array], Array]]:
    """Return the products of a contraction as terms, their shape, and what arranges sums as the result."""
    left, right = (x.astype(np.int64 if types[0] is WIDE else np.float64) for x in sides)
    if flushes and types[0] is not WIDE:
        left, right = (flush_subnormals(x, type) for x, type in zip((left, right), types, strict=True))
    leaves = partial(product_leaves, NUMPY, geometry)
    products = leaves(np.multiply, left, right)
    arrange = lambda x: np.asarray(
        geometry.result(np.broadcast_to(x, products.shape).reshape(products.result))
    )
    own = lambda i: np.frexp(np.asarray(products.at(i), np.float64))[1] - 1
    if types[0] is WIDE:
        return Terms(products.n, products.at, WIDE, lambda i, normalized: own(i)), products.shape, arrange
    odd, held = leaves(odd_product, left, right), holds_products(types)
    both = leaves(np.add, *map(additions.exponents, (left, right), types))
    exponents = lambda i, normalized: own(i) if normalized else both.at(i)
    type = max((type for type in types if type.kind == "float"), key=lambda type: type.bits)
    terms = Terms(products.n, products.at, type, exponents, held, None if held else odd.at)
    return terms, products.shape, arrange


def holds_products(types: list[ElementType]) -> bool:
    """Return whether f64 holds every product of factors of these types."""
    bits = sum(type.bits if type.is_integer else type.precision for type in types)
    return bits <= additions.MOST and all(type.name != "f64" for type in types)


def flush_subnormals(x: Array, type: ElementType) -> Array:
    return additions.flush(x, type) if type.kind == "float" else x


def odd_product(a: Array, b: Array) -> Array:
    """Return products rounded to odd: f64 has the error of a product (Dekker), or fractions decide."""
    a, b = np.broadcast_arrays(a, b)
    product = np.asarray(a * b)
    error = np.asarray(rounding_error("multiply", a, b, product), np.float64)
    sizes = np.abs(a), np.abs(b)
    far = np.any([(x != 0) & ((x > SAFE) | (x < 1 / SAFE)) for x in sizes], axis=0)
    far &= np.isfinite(a) & np.isfinite(b)
    for at in np.argwhere(far):
        where = tuple(at)
        if np.isinf(product[where]):
            error[where] = -np.sign(product[where])
        else:
            exact = Fraction(float(a[where])) * Fraction(float(b[where])) - Fraction(float(product[where]))
            error[where] = (exact > 0) - (exact < 0)
    return additions.to_odd(product, np.where(np.isfinite(a) & np.isfinite(b), error, 0.0))

"""A contraction as a reduction: its products as leaves, where they wrap, and the type of their sum."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, partial
from math import prod
from typing import Any, NamedTuple

import numpy as np

from interp.backends import NUMPY, Array, State, max_finite
from interp.engine import float_sums
from interp.engine.additions import WIDE, Terms, enter
from interp.engine.bodies import body_of
from interp.engine.evaluate import Place
from interp.engine.fold import Leaves, Node
from interp.engine.quant import Type, convert, wrap_whole
from interp.engine.storage import storage, to_reals
from interp.kernels.contraction import factor_types, geometry_of
from interp.kernels.product_fold import positions, product_leaves
from interp.loading.source import RESERVED
from interp.recorder.batch import Batch, Judgement, mask_events
from interp.recorder.exact import rounding_error
from interp.recorder.leaves import Part
from interp.speed.exact_contraction import accumulation_type, most_product
from interp.speed.problem import Dot, Geometry, Problem
from interp.theory.contractions import number_of_products
from interp.theory.sums import as_array, narrowest
from spec.accumulation import Accumulation
from spec.accumulator import Accumulator, Reading
from spec.integer_reading import in_integers
from spec.ir import Op, Value
from spec.op_attributes import expressed_element
from spec.types import ElementType, QuantizedType, TensorType, make_quantized

# A contraction as a reduction: the sum of its products, from 0, in the type of its accumulator.

WIDEST = 52  # bits of a saturating accumulator whose sums f64 has
DOT = Geometry(lambda x, hole: x, lambda x: x, Dot, lambda sums: sums)
LARGEST = 1 << 61  # the largest product of which i64 holds the sum of two, and their difference from another


NO_TYPE = "no type has the additions of {}: of 52 bits at most, with products up to 2^61"


def accumulator_type(op: Op, reading: Reading) -> Type:
    """Return the type in which a contraction's sums are kept, in a reading."""
    if not (reading.is_integer and in_integers(op)):
        return accumulation_type(op)
    held = reading.accumulator
    return held.type if never_saturates(op, held) else held_in(held)


def is_held(op: Op, reading: Reading) -> bool:
    """Return whether some type adds as the accumulator of a contraction does: see `NO_TYPE`."""
    held = reading.accumulator
    if not (reading.is_integer and in_integers(op) and held.saturates):
        return True
    return (held.bits <= WIDEST and most_product(op) <= LARGEST) or never_saturates(op, held)


def never_saturates(op: Op, accumulator: Accumulator) -> bool:
    """Return whether no sum of a wide accumulator is beyond it, so that it adds as one that wraps."""
    most = number_of_products(op) * most_product(op)
    return accumulator.bits > WIDEST and most <= accumulator.type.max_value


def held_in(accumulator: Accumulator) -> Type:
    """Return a type whose `add` is that of an accumulator of integers.

    THEOREM. Quantized addition with the scale 1 and the zero point 0, expressed in f64, adds stored integers
    of at most 52 bits exactly, and clamps the sum to the storage range. A product beyond 2^53, which f64 may
    round, is clamped whatever it is added to. The storage is i64, since products are leaves as they are.
    """
    if not accumulator.saturates:
        return accumulator.type
    low, high = accumulator.type.min_value, accumulator.type.max_value
    return make_quantized("i64", "f64", 1.0, storage_min=low, storage_max=high)


def text_of(type: Type) -> str:
    """Return the name of an accumulator's type: `i17 saturate` for one of `held_in`."""
    if not isinstance(type, QuantizedType):
        return repr(type)
    return f"i{narrowest(type.storage_min, type.storage_max, True)} saturate"


def as_sum(op: Op, source: Type, accumulator: Type, n: int | None = None) -> Op:
    """Return the `reduce` of a contraction's products, of the type `source`, along a new last dimension.

    n: how many numbers are added, by default all products.
    """
    shape, n = op.result.type.shape, number_of_products(op) if n is None else n
    product = Value(f"%products{RESERVED}", TensorType((*shape, n), source))
    init = Value(f"%zero{RESERVED}", TensorType((), accumulator))
    result = Value(op.result.name, TensorType(shape, accumulator))
    body = body_of("stablehlo.add", TensorType((), accumulator))
    attributes = {"dimensions": (len(shape),)}
    return Op("stablehlo.reduce", (product, init), (result,), attributes, (body,), location=op.location)


def zero(accumulator: Type) -> Array:
    """Return the init value of the sums."""
    return np.zeros((), NUMPY.carrier(storage(accumulator)))


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
        return Part(self._leaves(), np.argsort(self._positions.reshape(-1), kind="stable"))

    def _leaves(self) -> Leaves:
        found = product_leaves(NUMPY, self.geometry, self.multiply, *self.numbers)
        return Leaves(found.n, lambda i: (found.at(i),), lambda: (found.at(slice(None)),))

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

    def normal_place(self, element: int) -> int:
        """Return the flat position in the normal form of the sum of a result element."""
        return int(self._positions.reshape(-1)[element])

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
    geometry: Geometry, sides: State, types: list[ElementType], accumulation: Accumulation | None = None
) -> tuple[Terms, tuple[int, ...], Callable[[Array], Array]]:
    """Return the products of a contraction as terms, their shape, and what arranges sums as the result."""
    left, right = (x.astype(np.int64 if types[0] is WIDE else np.float64, copy=False) for x in sides)
    if accumulation is not None and types[0] is not WIDE:
        left, right = (enter(x, type, accumulation) for x, type in zip((left, right), types, strict=True))
    leaves = partial(product_leaves, NUMPY, geometry)
    products = leaves(np.multiply, left, right)
    arrange = lambda x: np.asarray(
        geometry.result(np.broadcast_to(x, products.shape).reshape(products.result))
    )
    own = lambda i: np.frexp(np.asarray(products.at(i), np.float64))[1] - 1
    if types[0] is WIDE:
        return Terms(products.n, products.at, WIDE, lambda i, normalized: own(i)), products.shape, arrange
    odd, held = leaves(odd_product, left, right), holds_products(types)
    both = cache(lambda: leaves(np.add, *map(float_sums.exponents, (left, right), types)))
    exponents = lambda i, normalized: own(i) if normalized else both().at(i)
    type = max((type for type in types if type.kind == "float"), key=lambda type: type.bits)
    first, second = leaves(_first, left, right), leaves(_second, left, right)
    factors = None if held else lambda i: (first.at(i), second.at(i))
    terms = Terms(products.n, products.at, type, exponents, held, None if held else odd.at, factors)
    return terms, products.shape, arrange


def holds_products(types: list[ElementType]) -> bool:
    """Return whether f64 holds every product of factors of these types."""
    bits = sum(type.bits if type.is_integer else type.precision for type in types)
    return bits <= float_sums.MOST and all(type.name != "f64" for type in types)


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
    return float_sums.to_odd(product, np.where(np.isfinite(a) & np.isfinite(b), error, 0.0))


# Products of plain integers that wrap, since the accumulator of their contraction does not hold them.

WORD = 62  # bits of a product up to which i64 holds it


def wrapped_products(op: Op, operands: State) -> Iterator[tuple[Batch, Judgement]]:
    """Yield, for each product of the sums, where it wraps: as an event at the leaf that it is."""
    element, most = accumulation_type(op), 1
    for value, x in zip(op.operands, operands, strict=True):
        type = value.type.element_type
        if not (isinstance(type, ElementType) and type.is_integer and element.is_integer):
            return
        most *= max(abs(int(x.min(initial=0))), abs(int(x.max(initial=0))))
    if most <= element.max_value:
        return
    wide = [np.asarray(x).astype(np.int64 if most.bit_length() <= WORD else object) for x in operands]
    for i, factors in _factors_by_leaf(op, wide):
        exact = as_array(factors[0] * factors[1])
        stored = as_array(wrap_whole(exact, element))
        batch = Batch(op, op, factors, stored, Place(op, 0, Node(i + 1, i + 1, None, False)), exact.shape)
        for wrapped in mask_events(
            "wrap", as_array(stored != exact), as_array(exact - stored), partial(_at, exact)
        ):
            yield batch, wrapped


def infinite_products(op: Op, operands: State) -> Iterator[tuple[Batch, Judgement]]:
    """Yield, for each product of a sum of floats, where finite factors make it infinite."""
    element = accumulation_type(op)
    if element.kind != "float":
        return
    with np.errstate(all="ignore"):
        reals = [
            convert(NUMPY, to_reals(x, v.type.element_type), expressed_element(v.type), type)
            for x, v, type in zip(operands, op.operands, factor_types(op), strict=True)
        ]
        finite = (np.abs(x[np.isfinite(x)]).max(initial=0) for x in reals)
        if prod(map(float, finite)) <= max_finite(element):
            return
        for i, factors in _factors_by_leaf(op, [x.astype(np.float64) for x in reals]):
            stored = as_array(NUMPY.round_to(factors[0] * factors[1], element))
            infinite = np.isinf(stored) & np.isfinite(factors[0]) & np.isfinite(factors[1])
            batch = Batch(
                op, op, factors, stored, Place(op, 0, Node(i + 1, i + 1, None, False)), stored.shape
            )
            for each in mask_events("inf", infinite, stored, partial(_product_at, factors)):
                yield batch, each


def _factors_by_leaf(op: Op, sides: Sequence[Array]) -> Iterator[tuple[int, tuple[Array, Array]]]:
    """Yield the number of each product of a contraction, and both factors of all results."""
    first, second = (
        product_leaves(NUMPY, geometry_of(NUMPY, op), side, *sides) for side in (_first, _second)
    )
    for i in range(first.n):
        yield i, (first.at(i).reshape(first.result), second.at(i).reshape(first.result))


def _first(a: Array, b: Array) -> Array:
    return np.broadcast_arrays(a, b)[0]


def _second(a: Array, b: Array) -> Array:
    return np.broadcast_arrays(a, b)[1]


def _product_at(factors: tuple[Array, Array], at: int) -> Fraction:
    first, second = (Fraction(x.flat[at].item()) for x in factors)
    return first * second


def _at(x: Array, at: int) -> int:
    return int(x.flat[at])

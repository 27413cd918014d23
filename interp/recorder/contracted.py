"""A contraction as a reduction: the sum of its products, from 0, in the type of its accumulator."""

from __future__ import annotations

import numpy as np

from interp.backends import NUMPY, Array
from interp.engine.bodies import body_of
from interp.engine.quant import Type
from interp.engine.stored import storage
from interp.loading.names import RESERVED
from interp.speed.exact_contraction import accumulation_type, most_product
from interp.theory.factor_ranges import number_of_products
from interp.theory.widths import narrowest
from spec.accumulator import Accumulator, Reading
from spec.integer_reading import in_integers
from spec.ir import Op, Value
from spec.types import QuantizedType, TensorType, make_quantized

WIDEST = 52  # bits of a saturating accumulator whose sums f64 has
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


def as_sum(op: Op, source: Type, accumulator: Type) -> Op:
    """Return the `reduce` of a contraction's products, of the type `source`, along a new last dimension."""
    shape = op.result.type.shape
    product = Value(f"%products{RESERVED}", TensorType((*shape, number_of_products(op)), source))
    init = Value(f"%zero{RESERVED}", TensorType((), accumulator))
    result = Value(op.result.name, TensorType(shape, accumulator))
    body = body_of("stablehlo.add", TensorType((), accumulator))
    attributes = {"dimensions": (len(shape),)}
    return Op("stablehlo.reduce", (product, init), (result,), attributes, (body,), location=op.location)


def zero(accumulator: Type) -> Array:
    """Return the init value of the sums."""
    return np.zeros((), NUMPY.carrier(storage(accumulator)))

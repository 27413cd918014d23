"""A contraction as a reduction: the sum of its products, from 0, in the type of its accumulator."""

from __future__ import annotations

import numpy as np

from interp.backends import NUMPY, Array
from interp.engine.bodies import body_of
from interp.engine.quant import Type
from interp.engine.stored import storage
from interp.fastpaths.exact_contraction import accumulation_type, number_of_products
from interp.reading.names import RESERVED
from interp.reductions.widths import narrowest
from spec.accumulator import Accumulator, Reading
from spec.integer_reading import in_integers
from spec.ir import Op, Value
from spec.types import QuantizedType, TensorType, element_type_of

QUANTIZED = 32  # bits of the widest storage of a quantized type


def accumulator_type(op: Op, reading: Reading) -> Type:
    """Return the type in which a contraction's sums are kept, in a reading."""
    if reading.is_integer and in_integers(op):
        return held_in(reading.accumulator)
    return accumulation_type(op)


def is_held(op: Op, reading: Reading) -> bool:
    """Return whether some type adds as the accumulator of a contraction does."""
    wide = reading.accumulator.saturates and reading.accumulator.bits > QUANTIZED
    return not (reading.is_integer and in_integers(op) and wide)


def held_in(accumulator: Accumulator) -> Type:
    """Return a type whose `add` is that of an accumulator of integers.

    THEOREM. Quantized addition with the scale 1 and the zero point 0, expressed in f64, adds stored integers
    of at most 32 bits exactly, and clamps the sum to the storage range.
    """
    if not accumulator.saturates:
        return accumulator.type
    assert accumulator.bits <= QUANTIZED
    bits = next(size for size in (8, 16, 32) if size >= accumulator.bits)
    low, high = accumulator.type.min_value, accumulator.type.max_value
    return element_type_of(f"!quant.uniform<i{bits}<{low}:{high}>:f64, 1.0>")


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

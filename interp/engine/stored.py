"""Stored numbers of an element type and the real numbers they represent, computed by NumPy."""

from __future__ import annotations

import numpy as np

from interp.backends import NUMPY, Array
from interp.engine.quant import Type, dequantize, quantize, to_destination_type
from spec.types import ElementType, QuantizedType

Range = tuple[int, int]  # least and greatest, both included


def storage(type: Type) -> ElementType:
    """Return the type of the stored elements."""
    return type.storage_type if isinstance(type, QuantizedType) else type


def expressed_type(type: Type) -> ElementType:
    """Return the type of the numbers that stored elements represent."""
    return type.expressed_type if isinstance(type, QuantizedType) else type


def zero_point(type: Type) -> int:
    """Return the stored number that represents zero."""
    return type.zero_point if isinstance(type, QuantizedType) else 0


def is_stored_as_integer(type: Type) -> bool:
    """Return whether elements are integers or quantized: stored as integers."""
    return isinstance(type, QuantizedType) or type.is_integer


def storage_range(type: Type) -> Range:
    """Return the least and the greatest stored integer; for a float type, those of its bits."""
    if isinstance(type, QuantizedType):
        return type.storage_min, type.storage_max
    return type.min_value, type.max_value


def stored_numbers(type: Type) -> Array:
    """Return every integer that a type stores, ascending."""
    low, high = storage_range(type)
    return np.arange(low, high + 1).astype(NUMPY.carrier(storage(type)))


def to_reals(x: Array, type: Type) -> Array:
    """Return the numbers that stored elements represent, in the expressed type."""
    with np.errstate(all="ignore"):
        return dequantize(NUMPY, x, type) if isinstance(type, QuantizedType) else x


def stored_again(x: Array, type: QuantizedType) -> Array:
    """Return stored numbers after `quantize(dequantize(q))`."""
    with np.errstate(all="ignore"):
        return quantize(NUMPY, dequantize(NUMPY, x, type), type)


def convert_leaves(x: Array, source: Type, destination: Type) -> Array:
    """Convert stored numbers to another type, as a reduction converts its leaves."""
    with np.errstate(all="ignore"):
        return to_destination_type(NUMPY, x, source, destination)

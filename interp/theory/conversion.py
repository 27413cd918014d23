"""Conversions between quantized types: when they are a shift or a table, keep order, and lose nothing."""

from __future__ import annotations

from functools import cache

import numpy as np

from interp.backends import NUMPY, fl
from interp.engine.quant import to_destination_type
from interp.engine.stored import Range, to_reals, storage_range, stored_again, stored_numbers
from interp.theory.addition import exact_range
from spec.types import QuantizedType

TABLE_BITS = 16  # bits of storage up to which all of its values are tried


def keeps_order(source: QuantizedType, destination: QuantizedType) -> bool:
    """Return whether conversion is known never to decrease: by trial up to 16 bits, else as a shift."""
    if source.storage_type.bits > TABLE_BITS:
        return conversion_shift(source, destination) is not None
    return bool((np.diff(conversion_table(source, destination).astype(np.int64)) >= 0).all())


def requantizes_to_itself(source: QuantizedType, destination: QuantizedType) -> bool:
    """Return whether `quantize(dequantize(q)) = q` for every result q of conversion from `source`."""
    if source.storage_type.bits > TABLE_BITS:
        exact, (least, greatest) = exact_range(destination), converted_range(source, destination)
        return exact is not None and exact[0] <= least and greatest <= exact[1]
    stored = conversion_table(source, destination)
    finite = np.isfinite(to_reals(stored, destination)).all()
    return bool(finite and (stored_again(stored, destination) == stored).all())


@cache
def conversion_table(source: QuantizedType, destination: QuantizedType) -> np.ndarray:
    """Return the conversion as a table over a storage range of up to 16 bits; entry 0 is for storage_min."""
    with np.errstate(all="ignore"):
        table = to_destination_type(NUMPY, stored_numbers(source), source, destination)
    table.flags.writeable = False
    return table


@cache
def real_leaves(source: QuantizedType, destination: QuantizedType) -> np.ndarray:
    """Return the real values of the numbers in `conversion_table`, as f32."""
    with np.errstate(all="ignore"):
        table = to_reals(conversion_table(source, destination), destination).astype(np.float32)
    table.flags.writeable = False
    return table


@cache
def real_ends(type: QuantizedType) -> tuple[np.float32, np.float32]:
    """Return the real values of the least and the greatest stored number, as f32."""
    ends = np.array(storage_range(type), NUMPY.carrier(type.storage_type))
    with np.errstate(all="ignore"):
        low, high = to_reals(ends, type).astype(np.float32)
    return low, high


def converted_range(source: QuantizedType, destination: QuantizedType) -> Range:
    """Return the least and the greatest stored number that conversion may give."""
    if source.storage_type.bits <= TABLE_BITS:
        table = conversion_table(source, destination)
        return int(table.min()), int(table.max())
    shift = conversion_shift(source, destination)
    if shift is None:
        return storage_range(destination)
    return source.storage_min + shift, source.storage_max + shift


@cache
def conversion_shift(source: QuantizedType, destination: QuantizedType) -> int | None:
    """Return the constant that conversion adds to every stored number of `source`, or None if not constant.

    THEOREM: for equal scales and expressed types, a stored number shifted by the difference of the zero
    points represents the same real number in `destination`; in `exact_range`, requantizing leaves it
    unchanged. Narrow storage is tried instead.
    """
    if source == destination:
        return 0
    if source.storage_type.bits <= TABLE_BITS:
        shifts = conversion_table(source, destination).astype(np.int64) - stored_numbers(source)
        least, greatest = int(shifts.min()), int(shifts.max())
        return least if least == greatest else None
    scales = {fl(type.scale, type.expressed_type) for type in (source, destination)}
    shift, exact = destination.zero_point - source.zero_point, exact_range(destination)
    if len(scales) > 1 or source.expressed_type != destination.expressed_type or exact is None:
        return None
    kept = exact[0] <= source.storage_min + shift and source.storage_max + shift <= exact[1]
    return shift if kept else None

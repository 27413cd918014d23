"""Theorems about quantized types: when conversion is a shift or a table, and `add` is integer addition."""

from __future__ import annotations

from functools import cache
from math import frexp, inf, isnan

import numpy as np

from interp.backends import NUMPY, Array, fl
from interp.engine.quant import Type, quantize, rounded, to_destination_type
from interp.engine.stored import Range, dequantized, storage_range, stored_again, stored_numbers
from spec.types import ElementType, QuantizedType

NARROW = 16  # bits of storage up to which all of its values are tried


def keeps_order(source: QuantizedType, destination: QuantizedType) -> bool:
    """Return whether conversion is known never to decrease: by trial up to 16 bits, else as a shift."""
    if source.storage_type.bits > NARROW:
        return conversion_shift(source, destination) is not None
    return bool((np.diff(converted(source, destination).astype(np.int64)) >= 0).all())


def requantizes_to_itself(source: QuantizedType, destination: QuantizedType) -> bool:
    """Return whether `quantize(dequantize(q)) = q` for every result q of conversion from `source`."""
    if source.storage_type.bits > NARROW:
        exact, (least, greatest) = exact_range(destination), converted_range(source, destination)
        return exact is not None and exact[0] <= least and greatest <= exact[1]
    stored = converted(source, destination)
    finite = np.isfinite(dequantized(stored, destination)).all()
    return bool(finite and (stored_again(stored, destination) == stored).all())


@cache
def converted(source: QuantizedType, destination: QuantizedType) -> np.ndarray:
    """Return the conversion as a table over a storage range of up to 16 bits; entry 0 is for storage_min."""
    with np.errstate(all="ignore"):
        table = to_destination_type(NUMPY, stored_numbers(source), source, destination)
    table.flags.writeable = False
    return table


@cache
def real_leaves(source: QuantizedType, destination: QuantizedType) -> np.ndarray:
    """Return the real values of the numbers in `converted`, as f32."""
    with np.errstate(all="ignore"):
        table = dequantized(converted(source, destination), destination).astype(np.float32)
    table.flags.writeable = False
    return table


@cache
def real_ends(type: QuantizedType) -> tuple[np.float32, np.float32]:
    """Return the real values of the least and the greatest stored number, as f32."""
    ends = np.array(storage_range(type), NUMPY.carrier(type.storage_type))
    with np.errstate(all="ignore"):
        low, high = dequantized(ends, type).astype(np.float32)
    return low, high


def converted_range(source: QuantizedType, destination: QuantizedType) -> Range:
    """Return the least and the greatest stored number that conversion may give."""
    if source.storage_type.bits <= NARROW:
        table = converted(source, destination)
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
    if source.storage_type.bits <= NARROW:
        shifts = converted(source, destination).astype(np.int64) - stored_numbers(source)
        least, greatest = int(shifts.min()), int(shifts.max())
        return least if least == greatest else None
    scales = {fl(type.scale, type.expressed_type) for type in (source, destination)}
    shift, exact = destination.zero_point - source.zero_point, exact_range(destination)
    if len(scales) > 1 or source.expressed_type != destination.expressed_type or exact is None:
        return None
    kept = exact[0] <= source.storage_min + shift and source.storage_max + shift <= exact[1]
    return shift if kept else None


def exact_range(type: QuantizedType) -> Range | None:
    """Return the stored numbers for which, as operands and results, `add` is integer addition, or None."""
    exact = exact_sums(type)
    return exact and (max(exact[0], type.storage_min), min(exact[1], type.storage_max))


@cache
def exact_sums(type: QuantizedType) -> Range | None:
    """Return the range of unclamped results in which `add` on `exact_range` is integer addition, or None.

    THEOREM: within `integer_bound` the error before rounding is below 1/2. Beyond the bound, all pairs of
    storage of up to 8 bits are tried; the range is then that of all sums, or None.
    """
    zero_point, bound, whole = type.zero_point, integer_bound(type), all_sums(type)
    proven = max(whole[0], zero_point - bound, -bound), min(whole[1], zero_point + bound, bound)
    if proven != whole and type.storage_type.bits <= 8 and not adds_wrongly(type).any():
        return whole
    return proven if abs(zero_point) <= bound else None


def all_sums(type: QuantizedType) -> Range:
    """Return the least and the greatest unclamped sum of two stored numbers."""
    low, high = storage_range(type)
    return 2 * low - type.zero_point, 2 * high - type.zero_point


def adds_integers(type: QuantizedType) -> bool:
    """Return whether `add` is integer addition, clamped, for all pairs of stored numbers."""
    return exact_sums(type) == all_sums(type)


def integer_bound(type: QuantizedType) -> int:
    """Return the largest |q|, |zero_point| and |q - zero_point| where `add` is integer addition, or -1.

    It is 2^(p-4) if scale * 2^(p-3) is a number of the expressed type, of precision p: three roundings with a
    relative error of 2^-p and two of sums lose at most 5 * 2^(p-4) * 2^-p < 1/2. It is 2^p for a scale that
    is a power of two, if no product is subnormal and scale * 2^p and 2^p are numbers of the type: nothing is
    rounded then. It is -1 if the type has no zero (f8E8M0FNU), or if it rounds a storage bound to NaN, since
    clamping then makes everything NaN.
    """
    expressed = type.expressed_type
    p, scale = expressed.precision, fl(type.scale, expressed)
    if not holds(0.0, expressed) or not has_bounds(type):
        return -1
    if is_binary(scale, expressed) and holds(scale * 2.0**p, expressed) and holds(2.0**p, expressed):
        return 2**p
    return 2 ** (p - 4) if scale > 0 and p >= 4 and holds(scale * 2.0 ** (p - 3), expressed) else -1


def holds(number: float, type: ElementType) -> bool:
    """Return whether a float type can represent a number exactly."""
    return fl(number, type) == number < inf


def is_binary(scale: float, type: ElementType) -> bool:
    """Return whether a scale is a power of two and a normal number of its type."""
    return frexp(scale)[0] == 0.5 and scale >= 2.0 ** (1 - type.bias)


def has_bounds(type: Type) -> bool:
    """Return whether the storage bounds are numbers in the expressed type; if NaN, all clamps to NaN."""
    return not isinstance(type, QuantizedType) or not any(map(isnan, rounded(type).bounds))


def added(type: QuantizedType) -> tuple[Array, Array]:
    """Return `add` on all pairs of stored numbers, and their unclamped sums as integers."""
    stored = stored_numbers(type)
    real = dequantized(stored, type)
    with np.errstate(all="ignore"):
        found = quantize(NUMPY, NUMPY.round_to(np.add.outer(real, real), type.expressed_type), type)
    return found, np.add.outer(stored, stored, dtype=np.int64) - type.zero_point


def adds_wrongly(type: QuantizedType) -> Array:
    """Return, for all pairs of stored numbers, whether `add` differs from clamped integer addition."""
    found, exact = added(type)
    return np.asarray(found != exact.clip(*storage_range(type)))

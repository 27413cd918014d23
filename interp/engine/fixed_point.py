"""Fixed-point arithmetic of LiteRT, gemmlowp and TOSA over an array namespace, in int64.

Multipliers and exponents are tables of int64 that broadcast against the integers. Integers have at most 32
bits, and multipliers 31, so that no product, rounded, leaves 64 bits; or 48 and 15 bits.
"""

from __future__ import annotations

from math import frexp
from typing import Any, NamedTuple

import numpy as np

from interp.backends import Array, Namespace
from spec.errors import Location
from spec.recipes import beyond

HALF = 1 << 30


class Multiplier(NamedTuple):
    """Tables of multipliers M and exponents e: `M * 2^(e - 31)`, or shifts s: `M * 2^-s`."""

    factor: np.ndarray
    exponent: np.ndarray


def tables(pairs: Any) -> Multiplier:
    """Return the tables for an array of pairs of integers."""
    shape = np.shape(pairs)
    flat = np.asarray(pairs, object).reshape(-1)
    columns = ([pair[k] for pair in flat] for k in (0, 1))
    factor, exponent = (np.array(column, np.int64).reshape(shape) for column in columns)
    return Multiplier(factor, exponent)


def alone(pair: tuple[int, int]) -> Multiplier:
    """Return the tables of one multiplier."""
    return Multiplier(*(np.asarray(number, np.int64) for number in pair))


def normalize(real: float, bits: int) -> tuple[int, int]:
    """Return (M, e) with `M * 2^(e - bits)` the nearest to a positive number, M of `bits` bits."""
    fraction, e = frexp(real)
    whole = int(fraction * 2**53)
    rounded = (whole + (1 << (52 - bits))) >> (53 - bits)
    return (rounded >> 1, e + 1) if rounded >> bits else (rounded, e)


def quantize_multiplier(real: float, most: int, where: Location) -> tuple[int, int]:
    """Return LiteRT's multiplier of 31 bits and exponent; numbers below 2^-32 become 0."""
    if real == 0:
        return 0, 0
    multiplier, e = normalize(real, 31)
    if e > most:
        raise beyond(f"the multiplier {real!r} has the exponent {e}", f"at most {most}", where)
    return (multiplier, e) if e >= -31 else (0, 0)


def below_one(real: float, where: Location) -> tuple[int, int]:
    """Return LiteRT's multiplier and exponent of a number that is below 1, also when rounded."""
    if not 0 < real < 1 or normalize(real, 31)[1] > 0:
        raise beyond(f"the multiplier is {real!r}", "above 0 and, when rounded, below 1", where)
    return quantize_multiplier(real, 0, where)


def with_shift(real: float, bits: int, where: Location) -> tuple[int, int]:
    """Return TOSA's multiplier of `bits` bits and shift."""
    multiplier, e = normalize(real, bits) if real else (0, 0)
    shift = bits - e
    if shift > 62:
        multiplier, shift = multiplier >> min(31, shift - 62), 62
    if shift < 2:
        raise beyond(f"RESCALE by {real!r} has the shift {shift}", "2 to 62", where)
    return multiplier, shift


def doubly_rounded(xp: Namespace, x: Array, by: Multiplier) -> Array:
    """Return the high half of the doubled product, then its shift to the right, each rounded."""
    left, right = (xp.asarray(np.maximum(e, 0)) for e in (by.exponent, -by.exponent))
    product = (((x << left) << 32) >> 32) * xp.asarray(by.factor)
    nudged = product + xp.where(product >= 0, HALF, 1 - HALF)
    high = xp.where(nudged < 0, -((-nudged) >> 31), nudged >> 31)
    mask = xp.asarray((1 << np.maximum(-by.exponent, 0)) - 1)
    up = (high & mask) > (mask >> 1) + (high < 0)
    return (high >> right) + up.astype(xp.int64)


def singly_rounded(xp: Namespace, x: Array, by: Multiplier) -> Array:
    return _half_up(xp, x, by.factor, 31 - by.exponent)


def narrow_product(xp: Namespace, x: Array, by: Multiplier) -> Array:
    """Return the product with a multiplier of 15 bits."""
    narrow = np.where(by.factor < 0x7FFF0000, (by.factor + (1 << 15)) >> 16, 0x7FFF)
    return _half_up(xp, x, narrow, 15 - by.exponent)


def apply_scale(xp: Namespace, x: Array, by: Multiplier, bits: int, wide: bool, where: Location) -> Array:
    """Return TOSA's apply_scale_32, or apply_scale_16 if `wide`; `bits` as many as |x| may have.

    Integers that it does not define are an error; a compiler's trace knows only the bits.
    """
    result = _half_up(xp, x, by.factor, by.exponent)
    least = int(by.exponent.min(initial=62))
    if (bits - 16 < least) if wide else (bits < least):
        return result
    seen, limit = (result, 1 << 31) if wide else (x, np.asarray(1 << (by.exponent - 1)))
    known = xp.known_values(seen)
    if known is None or not ((-limit <= known) & (known < limit)).all():
        found = f"RESCALE with the shift {least} of integers of up to {bits} bits"
        raise beyond(
            found, "results of 32 bits" if wide else f"integers of {least} bits with the sign", where
        )
    return result


def _half_up(xp: Namespace, x: Array, factor: np.ndarray, shift: np.ndarray) -> Array:
    half = xp.asarray(np.int64(1) << (shift - 1))
    return (x * xp.asarray(factor) + half) >> xp.asarray(shift)

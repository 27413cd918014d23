"""Verdicts of the oracle: when quantized addition is integer addition, by its own arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import frexp, inf, isnan

from spec.formats import least_exponent, power_of_two, round_to
from spec.meaning.notation import quantize_element
from spec.meaning.numbers import add, multiply
from spec.types import QuantizedType
from spec.verdict import Verdict, judge


def verdict(leaves: Sequence[int], type: QuantizedType, any_number_of_inits: bool = False) -> Verdict:
    """Return the verdict on `add` in `type` for one element's stored leaves; leaf 0 is the init value."""
    return judge(leaves, type, addition_is_integer, any_number_of_inits)


def addition_is_integer(type: QuantizedType, least: int, greatest: int) -> bool:
    """Return whether `add` is `clamp(a + b - zero_point)` on operands and results in [least, greatest].

    `_integer_bound` decides; if it does not suffice, storage of up to 8 bits is enumerated.
    """
    zero_point = type.zero_point
    stored = (least, greatest, zero_point)
    if max(max(abs(q), abs(q - zero_point)) for q in stored) <= _integer_bound(type):
        return True
    return type.storage_type.bits <= 8 and _by_enumeration(
        type,
        max(least, 2 * type.storage_min - zero_point),
        min(greatest, 2 * type.storage_max - zero_point),
    )


def _integer_bound(type: QuantizedType) -> int:
    """Return the largest magnitude by the expressed type's precision p: 2^(p-4), or 2^p for dyadic scales.

    The expressed type must be able to represent zero, the largest products and the storage bounds.
    """
    T = type.expressed_type
    p, scale = T.precision, round_to(type.scale, T)

    def has(*numbers: Fraction) -> bool:
        return all(round_to(number, T) == number for number in numbers)

    if any(isnan(round_to(bound, T)) for bound in (type.storage_min, type.storage_max)):
        return -1
    if not (0 < scale < inf and has(Fraction(0))):
        return -1
    normal = scale >= power_of_two(least_exponent(T))  # then no product is subnormal
    if frexp(scale)[0] == 0.5 and normal and has(Fraction(scale) * power_of_two(p), power_of_two(p)):
        return 2**p
    return 2 ** (p - 4) if p >= 4 and has(Fraction(scale) * power_of_two(p - 3)) else -1


@lru_cache(maxsize=1024)
def _by_enumeration(type: QuantizedType, least: int, greatest: int) -> bool:
    """Return whether all pairs of stored operands add as integers; addition is commutative."""
    T, zero_point = type.expressed_type, type.zero_point
    scale = round_to(type.scale, T)
    low, high = type.storage_min, type.storage_max
    number = {
        q: multiply(round_to(q - zero_point, T), scale, T)
        for q in range(max(least, low), min(greatest, high) + 1)
    }
    return all(
        quantize_element(add(number[a], number[b], T), type, scale, zero_point)
        == min(max(a + b - zero_point, low), high)
        for a in number
        for b in range(a, max(number) + 1)
        if least <= a + b - zero_point <= greatest
    )

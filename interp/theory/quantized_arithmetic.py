"""Addition and conversion of quantized numbers as arithmetic of integers: proofs, and what they lack."""

from __future__ import annotations

from functools import cache
from math import frexp, inf, isnan

import numpy as np

from interp.backends import NUMPY, Array, fl
from interp.engine.quant import Type, quantize, round_parameters, to_destination_type
from interp.engine.storage import Range, storage_range, stored_again, stored_numbers, to_reals
from spec.types import ElementType, QuantizedType

# Addition of quantized numbers as addition of integers: when it is proven, and what a proof lacks.
#
# Every fast path, verdict, bound and suggested accumulator of quantized sums relies on these theorems.

NARROW = 8  # bits of storage up to which all pairs are added
TRIED = 16  # up to which all numbers are quantized again
NEVER = 1 << 62


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
    if is_shift(type) and holds(scale * 2.0**p, expressed) and holds(2.0**p, expressed):
        return 2**p
    return 2 ** (p - 4) if scale > 0 and p >= 4 and holds(scale * 2.0 ** (p - 3), expressed) else -1


def holds(number: float, type: ElementType) -> bool:
    """Return whether a float type can represent a number exactly."""
    return fl(number, type) == number < inf


def is_shift(type: QuantizedType) -> bool:
    """Return whether the scale, as the expressed type rounds it, is a power of two and a normal number."""
    scale = fl(type.scale, type.expressed_type)
    return frexp(scale)[0] == 0.5 and scale >= 2.0 ** (1 - type.expressed_type.bias)


def has_bounds(type: Type) -> bool:
    """Return whether the storage bounds are numbers in the expressed type; if NaN, all clamps to NaN."""
    return not isinstance(type, QuantizedType) or not any(map(isnan, round_parameters(type).bounds))


def real_sums(type: QuantizedType) -> Array:
    """Return the sums, in the expressed type, of all pairs of stored numbers."""
    real = to_reals(stored_numbers(type), type)
    with np.errstate(all="ignore"):
        return NUMPY.round_to(np.add.outer(real, real), type.expressed_type)


def pair_sums(type: QuantizedType) -> tuple[Array, Array]:
    """Return `add` on all pairs of stored numbers, and their unclamped sums as integers."""
    stored = stored_numbers(type)
    with np.errstate(all="ignore"):
        results = quantize(NUMPY, real_sums(type), type)
    return results, np.add.outer(stored, stored, dtype=np.int64) - type.zero_point


def adds_wrongly(type: QuantizedType) -> Array:
    """Return, for all pairs of stored numbers, whether `add` is NaN or differs from clamped integer addition.

    A NaN is quantized to 0, clamped, which may be the right number by chance: f8E8M0FNU has NaN for zero.
    """
    results, exact = pair_sums(type)
    return np.asarray(np.isnan(real_sums(type)) | (results != exact.clip(*storage_range(type))))


def addition_is_integer(type: QuantizedType, least: Array, greatest: Array) -> Array:
    """Return whether `add` is `clamp(a + b - zero_point)` on operands and results in [least, greatest].

    The precision of the expressed type gives a bound; beyond it, narrow storage is enumerated.
    """
    zero_point = type.zero_point
    ends = [abs(x) for x in (least, least - zero_point, greatest, greatest - zero_point)]
    magnitude = np.maximum.reduce([*ends, np.full_like(least, abs(zero_point))])
    proven = np.asarray(magnitude <= integer_bound(type), bool)
    if proven.all() or type.storage_type.bits > NARROW:
        return proven
    first, nearest = _nearest_wrong(type)
    start = np.clip(least - first, 0, len(nearest) - 1).astype(np.int64)
    return proven | np.asarray(greatest < nearest[start], bool)


def choice_is_exact(type: QuantizedType, least: int, greatest: int) -> bool:
    """Return whether `maximum` and `minimum` return every stored number of [least, greatest] unchanged."""
    if type.storage_type.bits > TRIED:
        return bool(addition_is_integer(type, *(np.array([end], object) for end in (least, greatest))).all())
    low, _ = storage_range(type)
    tried = stored_numbers(type)[max(least - low, 0) : max(greatest + 1 - low, 0)]
    return bool((stored_again(tried, type) == tried).all())


@cache
def _nearest_wrong(type: QuantizedType) -> tuple[int, Array]:
    """Return `first` and a table of the least m for which [first + i, m] holds a pair that adds wrongly.

    Such a range holds both operands and their unclamped sum. An entry is `NEVER` if no range holds a pair.
    """
    (low, high), wrong = storage_range(type), adds_wrongly(type)
    stored = np.arange(low, high + 1)
    a, b = (x[wrong] for x in np.meshgrid(stored, stored, indexing="ij"))
    first, last = min(low, all_sums(type)[0]), max(high, all_sums(type)[1])
    nearest = np.full(last - first + 2, NEVER)
    three = np.stack([a, b, a + b - type.zero_point])
    np.minimum.at(nearest, three.min(0) - first, three.max(0))
    return first, np.minimum.accumulate(nearest[::-1])[::-1]


def precision(type: QuantizedType, least: int, greatest: int) -> int:
    """Return a precision p with which `add` is proven exact on the numbers of [least, greatest].

    ASSUMPTION: in an expressed type of precision p, with a zero, the scale is normal, the range includes the
    largest product, and the storage bounds are numbers. The bound is that of `integer_bound`: 2^p for a scale
    that every such type rounds to the same power of two, as it is written as one; else 2^(p - 4). A smaller p
    may also suffice, in this type also because it alone rounds the scale to a power of two.
    """
    is_binary = is_shift(type) and frexp(type.scale)[0] == 0.5
    return _bits(type, least, greatest) + (0 if is_binary else 4)


def _bits(type: QuantizedType, least: int, greatest: int) -> int:
    """Return the least b for which no |q|, |zero_point| or |q - zero_point| exceeds 2^b."""
    z = type.zero_point
    magnitude = max(max(abs(q), abs(q - z)) for q in (least, greatest, z))
    return max(0, magnitude - 1).bit_length()


def missing(type: QuantizedType, least: int, greatest: int) -> str:
    """Return the property that the expressed type lacks for a proof on [least, greatest], or ""."""
    expressed = type.expressed_type
    scale, rest = fl(type.scale, expressed), 0 if is_shift(type) else 4
    if not holds(0.0, expressed):
        return f"{expressed!r} has no zero"
    if not has_bounds(type):
        return lacking(type)
    if _bits(type, least, greatest) + rest > expressed.precision:
        p = precision(type, least, greatest)
        return f"a proof needs p >= {p} and {expressed!r} has {expressed.precision}"
    bits = expressed.precision - (0 if is_shift(type) else 3)
    if holds(scale * 2.0**bits, expressed):
        assert not holds(2.0**bits, expressed), type
        return f"2^{bits} is beyond {expressed!r}"
    return f"{scale:g} * 2^{bits} is beyond {expressed!r}"


def lacking(type: QuantizedType) -> str:
    """Return, in words, the storage bound for which `has_bounds` is false."""
    pairs = zip((type.storage_max, type.storage_min), reversed(round_parameters(type).bounds), strict=True)
    bound = next(bound for bound, held in pairs if isnan(held))
    return f"the storage bound {bound:,} is NaN in {type.expressed_type!r}"


# Conversions between quantized types: when they are a shift or a table, keep order, and lose nothing.

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

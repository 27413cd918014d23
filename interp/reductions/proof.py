"""Requirements on an expressed type under which sums are proven exact, and those a type does not meet."""

from __future__ import annotations

from math import frexp

from interp.backends import fl
from interp.fastpaths.quantized_add import has_bounds, holds
from interp.reductions.ends import lacking
from spec.types import QuantizedType


def precision(type: QuantizedType, least: int, greatest: int) -> int:
    """Return a precision p with which `add` is proven exact on the numbers of [least, greatest].

    ASSUMPTION: the expressed type has precision p and a zero, its range includes the largest product, and it
    holds the storage bounds. The bound is 2^p if nothing is rounded, since the scale is a power of two and
    normal, else 2^(p - 4). A smaller p may also suffice.
    """
    z = type.zero_point
    magnitude = max(max(abs(q), abs(q - z)) for q in (least, greatest, z))
    bits = max(0, magnitude - 1).bit_length()
    return bits if _is_shift(type) else bits + 4


def missing(type: QuantizedType, least: int, greatest: int) -> str:
    """Return the property that the expressed type lacks for a proof on [least, greatest], or ""."""
    expressed = type.expressed_type
    p, scale = precision(type, least, greatest), fl(type.scale, expressed)
    if not holds(0.0, expressed):
        return f"{expressed!r} has no zero"
    if not has_bounds(type):
        return lacking(type)
    if p > expressed.precision:
        return f"a proof needs p >= {p} and {expressed!r} has {expressed.precision}"
    bits = expressed.precision - (0 if _is_shift(type) else 3)
    if holds(scale * 2.0**bits, expressed):
        assert not holds(2.0**bits, expressed), type
        return f"2^{bits} is beyond {expressed!r}"
    return f"{scale:g} * 2^{bits} is beyond {expressed!r}"


def _is_shift(type: QuantizedType) -> bool:
    """Return whether the scale is a power of two, and a normal number of the expressed type."""
    normal = fl(type.scale, type.expressed_type) >= 2.0 ** (1 - type.expressed_type.bias)
    return frexp(type.scale)[0] == 0.5 and normal

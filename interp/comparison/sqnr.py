"""The signal-to-noise ratio of a quantized value: one definition, for every answer.

`10 log10(sum r^2 / sum (x - r)^2)` in dB, over elements in which both are finite. r is the reference, which
is the signal: the ratio of x beside r is not that of r beside x. It is infinite where nothing differs, and
minus infinity where only noise is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import frexp, fsum, inf, isfinite, log10

import numpy as np

from interp.backends import Array

SMALL = 2.0**-900  # sums of squares that may have lost what underflows


def sqnr(signal: Fraction, noise: Fraction) -> float:
    """Return the ratio of two sums of squares in dB."""
    if not noise:
        return inf
    return decibels(signal / noise) if signal else -inf


def decibels(ratio: Fraction) -> float:
    """Return `10 log10(ratio)` of a positive fraction, whose parts may be beyond the range of floats."""
    shift = ratio.numerator.bit_length() - ratio.denominator.bit_length()
    return 10 * (log10(float(ratio / Fraction(2) ** shift)) + shift * log10(2))


def squares(x: Array) -> Sequence[float | Fraction]:
    """Return the sum of the squares of each row: that of f64, scaled where it leaves the range of f64."""
    x = np.abs(x)
    with np.errstate(over="ignore", under="ignore"):
        sums: list[float | Fraction] = np.einsum("ij,ij->i", x, x).tolist()
    for k, found in enumerate(sums):
        if not SMALL <= found < inf and x[k].any():
            power = frexp(float(x[k].max()))[1]
            scaled = np.ldexp(x[k], -power)
            sums[k] = Fraction(float(scaled @ scaled)) * Fraction(4) ** power
    return sums


def total(sums: Sequence[float | Fraction]) -> Fraction:
    """Return the sum of several sums, rounded once to f64 if that holds it."""
    if all(isinstance(x, float) for x in sums) and isfinite(rounded := fsum(map(float, sums))):
        return Fraction(rounded)
    return sum((Fraction(x) for x in sums), Fraction(0))


def power(x: Array) -> Fraction:
    """Return the sum of the squares of finite numbers."""
    return total(squares(np.reshape(x, (1, -1))))

"""Ratios of sums of squares in dB, beyond the range of floats, too."""

from __future__ import annotations

from fractions import Fraction
from math import inf, log10

import numpy as np
import pytest

from interp.comparison.comparison import decibels, power, sqnr


@pytest.mark.parametrize(
    ("ratio", "db"),
    [
        (Fraction(1), 0.0),
        (Fraction(100), 20.0),
        (Fraction(1, 1000), -30.0),
        (Fraction(2), 10 * log10(2)),
        (Fraction(10) ** 400, 4000.0),
        (Fraction(10) ** -700, -7000.0),
        (Fraction(10**900, 10**899), 10.0),
    ],
)
def test_a_ratio_is_ten_times_its_logarithm(ratio: Fraction, db: float) -> None:
    assert decibels(ratio) == pytest.approx(db, rel=1e-12, abs=1e-12)


def test_without_noise_the_ratio_is_infinite_and_without_signal_too() -> None:
    assert sqnr(Fraction(1), Fraction(0)) == sqnr(Fraction(0), Fraction(0)) == inf
    assert sqnr(Fraction(0), Fraction(1)) == -inf
    assert sqnr(Fraction(50), Fraction(5)) == pytest.approx(10)


@pytest.mark.parametrize("exponent", [-1000, -500, 0, 500, 1000])
def test_squares_are_added_up_where_they_leave_the_range_of_f64(exponent: int) -> None:
    """9 + 16 is 25, in any power of 4."""
    x = np.ldexp(np.array([[3.0, -4.0], [0.0, 0.0]]), exponent)
    assert power(x) == 25 * Fraction(4) ** exponent

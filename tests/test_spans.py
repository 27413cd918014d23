"""Arithmetic of spans: each end against exact fractions."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

from interp.questions.permitted.spans import exact, is_short, rescale, value_span
from interp.theory.sums import Ends
from spec.types import ELEMENT_TYPES, TensorType

F32 = ELEMENT_TYPES["f32"]
OPERATIONS: dict[str, tuple[Callable[[Ends, Ends], Ends], Callable[[Fraction, Fraction], Fraction]]] = {
    "add": (partial(exact, "add"), lambda a, b: a + b),
    "multiply": (partial(exact, "multiply"), lambda a, b: a * b),
    "divide": (partial(exact, "divide"), lambda a, b: a / b),
}


def numbers(bits: int, n: int, seed: int) -> np.ndarray:
    """Return numbers of at most so many bits, of either sign, none of them 0."""
    rng = np.random.default_rng(seed)
    whole = rng.integers(2 ** (bits - 1), 2**bits, n) | 1
    return np.ldexp((whole * rng.choice([-1, 1], n)).astype(np.float64), rng.integers(-bits - 8, 8 - bits, n))


def point(x: np.ndarray) -> Ends:
    return Ends(x, x)


@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize(("bits", "other"), [(5, 5), (26, 26), (27, 27), (53, 3), (3, 53), (53, 53)])
def test_points_have_the_narrowest_span(name: str, bits: int, other: int) -> None:
    """The exact result if f64 holds it and few bits show that, else numbers of f64 around it."""
    operation, exactly = OPERATIONS[name]
    a, b = numbers(bits, 200, 1), numbers(other, 200, 2)
    low, high = operation(point(a), point(b))
    for x, y, least, most in zip(*(v.tolist() for v in (a, b, low, high)), strict=True):
        exact = exactly(Fraction(x), Fraction(y))
        assert Fraction(least) <= exact <= Fraction(most)
        assert most <= np.nextafter(np.nextafter(least, np.inf), np.inf)
        if name == "add" or (bits + other <= 52 and name == "multiply"):
            assert (least == most) == (Fraction(float(exact)) == exact)


@pytest.mark.parametrize("name", OPERATIONS)
def test_a_span_holds_the_results_of_its_corners(name: str) -> None:
    operation, exactly = OPERATIONS[name]
    a, b = np.sort(numbers(24, 400, 3).reshape(2, 200), 0), np.sort(numbers(24, 400, 4).reshape(2, 200), 0)
    low, high = operation(Ends(*a), Ends(*b))
    for k in range(200):
        if name == "divide" and b[0, k] < 0 < b[1, k]:
            assert (low[k], high[k]) == (-np.inf, np.inf)
            continue
        corners = [exactly(Fraction(x), Fraction(y)) for x in a[:, k] for y in b[:, k]]
        near = (
            np.nextafter(np.nextafter(low[k], np.inf), np.inf),
            np.nextafter(np.nextafter(high[k], -np.inf), -np.inf),
        )
        assert Fraction(low[k]) <= min(corners) <= Fraction(near[0])
        assert Fraction(near[1]) <= max(corners) <= Fraction(high[k])


def test_short_numbers_have_at_most_26_bits() -> None:
    """Products of two are then exact; 27 bits are too many: (2^26 + 1)^2 has 53 and (2^27 - 1)^2 has 54."""
    assert is_short(numbers(26, 1000, 5)).all()
    assert is_short(np.array([0.0, 1.0, 2.0**26 - 1, 2.0**40])).all()
    assert not is_short(numbers(27, 1000, 6)).any()
    assert not is_short(numbers(53, 1000, 7)).any()


def test_a_rescaled_span_is_wider_by_a_rounding_of_the_scale_and_a_point_stays() -> None:
    """A quotient of scales in f32 is off by 2^-24 of it; twice that is allowed on each side."""
    low, high = rescale(F32, Ends(np.array([-3.0, 1.0, 2.0, -5.0]), np.array([-3.0, 2.0, 7.0, 4.0])))
    u = 2.0**-24
    assert (low[0], high[0]) == (-3, -3)
    assert (low[1:] <= np.array([1 * (1 - u), 2 * (1 - u), -5 * (1 + u)])).all()
    assert (high[1:] >= np.array([2 * (1 + u), 7 * (1 + u), 4 * (1 + u)])).all()
    assert (high - low <= np.array([0, 1, 5, 9]) + 40 * u).all()


def test_complex_numbers_have_no_span() -> None:
    assert value_span(TensorType((), ELEMENT_TYPES["complex<f32>"]), np.complex64(1)) is None
    low, high = value_span(TensorType((), ELEMENT_TYPES["i32"]), np.int32(3)) or (None, None)
    assert (low, high) == (3, 3)

"""The theory of ranges: extremes of operations on a box of operands, held against numbers of the box."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from interp.backends import Array
from interp.engine.facts import facts_of
from interp.theory.ranges import exact_bracket, extremes
from interp.theory.sums import Ends

HALVES = [k / 2 for k in range(-5, 6)]


def test_a_magnitude_has_its_extremes_at_the_ends_or_at_a_zero_between_them() -> None:
    for low, high in product(HALVES, HALVES):
        if low <= high:
            numbers = [abs(x) for x in HALVES if low <= x <= high]
            operand = Ends(np.array([low]), np.array([high]))
            found = extremes(facts_of("abs"), exact_bracket(np.abs), [operand])
            assert (found.least.item(), found.greatest.item()) == (min(numbers), max(numbers)), (low, high)


@pytest.mark.parametrize(
    ("name", "expected"), [("add", (-2, 4)), ("subtract", (-4, 3)), ("multiply", (-3, 4))]
)
def test_an_end_is_rounded_to_its_own_side(name: str, expected: tuple[int, int]) -> None:
    """To whole numbers, of -1.25 to 1.75 and -0.5 to 2.0, whose products at the corners are -2.5 to 3.5."""

    def bracket(x: Array, y: Array) -> tuple[Array, Array]:
        exact = getattr(np, name)(x, y)
        return np.floor(exact), np.ceil(exact)

    boxes = [Ends(np.array([low]), np.array([high])) for low, high in ((-1.25, 1.75), (-0.5, 2.0))]
    found = extremes(facts_of(name), bracket, boxes)
    assert (found.least.item(), found.greatest.item()) == expected

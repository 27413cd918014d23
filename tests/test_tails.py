"""Pairs of values of two tails, by hand: batch norm merged into weights, or not."""

from __future__ import annotations

from typing import Any

import numpy as np

from interp.comparison.tails import Tail, Weights, pairs

W = np.array([[1.0, 2.0, -3.0], [0.5, -4.0, 2.0]])
FACTOR, OFFSET = np.array([2.0, 0.25]), np.array([1.0, -3.0])
ONE, ZERO = np.ones(1), np.zeros(1)


def tail(weights: np.ndarray, names: str, factors: list[np.ndarray], offsets: list[np.ndarray]) -> Tail:
    marks: Any = names.split()
    return Tail(marks, factors, offsets, Weights(weights, np.zeros(len(weights)), 1))


SPELLED = tail(W, "dot multiply add", [ONE, FACTOR, FACTOR], [ZERO, ZERO, OFFSET])
MERGED = tail(W * FACTOR[:, None], "dot add", [ONE, ONE], [ZERO, OFFSET])


def partners(left: Tail, right: Tail, counts: tuple[bool, bool] = (False, False)) -> list[tuple[str, str]]:
    return [(str(x), str(y)) for x, y in pairs(left, right, counts)]


def test_a_merged_factor_makes_the_product_the_partner_of_the_contraction() -> None:
    assert partners(SPELLED, MERGED) == [("multiply", "dot"), ("add", "add")]
    assert partners(MERGED, SPELLED) == [("dot", "multiply"), ("add", "add")]


def test_the_end_of_one_tail_may_be_the_partner_of_a_value_within_the_other() -> None:
    short = tail(W, "dot multiply", [ONE, FACTOR], [ZERO, ZERO])
    assert partners(short, MERGED) == [("multiply", "dot")]
    assert partners(MERGED, short) == [("dot", "multiply")]


def test_tails_of_other_numbers_have_their_ends_in_common_only() -> None:
    assert partners(SPELLED, tail(W + 1, "dot add", [ONE, ONE], [ZERO, OFFSET])) == [("add", "add")]


def test_each_value_has_one_partner() -> None:
    """An offset of 0 repeats a value, whose first place is taken."""
    twice = tail(W, "dot nothing", [ONE, ONE], [ZERO, ZERO])
    assert partners(tail(W, "dot", [ONE], [ZERO]), twice) == [("dot", "dot")]
    assert partners(twice, tail(W, "dot", [ONE], [ZERO])) == [("dot", "dot")]
    assert partners(twice, twice) == [("dot", "dot"), ("nothing", "nothing")]


def test_integers_count_in_units_of_a_positive_scale() -> None:
    """W is 0.5 times the integers; the product after them has the scales; their sums have no partner."""
    counted = tail(2 * W, "dot multiply add", [ONE, ONE, ONE], [ZERO, ZERO, OFFSET])
    floats = tail(W, "dot add", [ONE, ONE], [ZERO, OFFSET])
    assert partners(floats, counted, (False, True)) == [("dot", "multiply"), ("add", "add")]
    assert partners(counted, floats, (True, False)) == [("multiply", "dot"), ("add", "add")]
    turned = tail(-2 * W, "dot multiply add", [ONE, ONE, ONE], [ZERO, ZERO, OFFSET])
    assert partners(floats, turned, (False, True)) == [("add", "add")]

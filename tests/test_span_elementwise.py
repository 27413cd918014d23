"""Spans of elementwise operations and conversions: each against every number that its operands may be."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from operator import eq, ge, gt, le, lt, ne

import numpy as np
import pytest

import interp
from interp.questions.permitted.enclosure import comparison_span, conversion_span
from interp.questions.permitted.spans import exact
from interp.theory.sums import Ends
from spec.types import ELEMENT_TYPES, TensorType
from tests.library.builders import operation

SMALL = [(a, b) for a in range(-2, 3) for b in range(a, 3)]  # every span of these integers


def every(x: tuple[int, int]) -> range:
    return range(x[0], x[1] + 1)


def spans(pairs: list[tuple[int, int]]) -> Ends:
    low, high = np.array(pairs, np.float64).T
    return Ends(low, high)


COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "EQ": eq,
    "NE": ne,
    "LT": lt,
    "LE": le,
    "GT": gt,
    "GE": ge,
}


@pytest.mark.parametrize("direction", COMPARISONS)
def test_a_comparison_is_known_where_all_numbers_agree(direction: str) -> None:
    pairs = list(product(SMALL, SMALL))
    type = TensorType((len(pairs),), ELEMENT_TYPES["f32"])
    result = TensorType((len(pairs),), ELEMENT_TYPES["i1"])
    op = operation("compare", [type, type], result, comparison_direction=direction)
    low, high = comparison_span(op, *(spans([pair[k] for pair in pairs]) for k in range(2)))
    for (x, y), least, most in zip(pairs, low, high, strict=True):
        found = {COMPARISONS[direction](a, b) for a in every(x) for b in every(y)}
        assert (least, most) == (min(found), max(found)), (x, y)


FUNCTIONS: dict[str, Callable[..., float]] = {
    "abs": abs,
    "negate": lambda x: -x,
    "sign": lambda x: (x > 0) - (x < 0),
    "add": lambda x, y: x + y,
    "subtract": lambda x, y: x - y,
    "multiply": lambda x, y: x * y,
    "maximum": max,
    "minimum": min,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_operations_on_small_integers_have_the_narrowest_span(name: str) -> None:
    f = FUNCTIONS[name]
    arity = 1 if name in ("abs", "negate", "sign") else 2
    cases = list(product(SMALL, repeat=arity))
    low, high = exact(name, *(spans([case[k] for case in cases]) for k in range(arity)))
    for case, least, most in zip(cases, low, high, strict=True):
        found = {f(*numbers) for numbers in product(*map(every, case))}
        assert (least, most) == (min(found), max(found)), case


def test_roots_are_exact_where_they_are_short() -> None:
    x = np.array([0, 1, 4, 2.25, 2, 3, 0.1, 1e300, (2.0**26 - 1) ** 2, -1])
    low, high = exact("sqrt", Ends(x, x))
    assert low[:4].tolist() == high[:4].tolist() == [0, 1, 2, 1.5]
    assert low[8] == high[8] == 2**26 - 1
    assert (low[9], high[9]) == (-np.inf, np.inf)
    for k in range(4, 8):
        assert Fraction(low[k]) ** 2 < Fraction(x[k]) < Fraction(high[k]) ** 2
        assert high[k] <= low[k] * (1 + 2.0**-51)
    low, high = exact("sqrt", Ends(np.array([0.0, -1.0, 2.0]), np.array([9.0, 4.0, 16.0])))
    assert low[:2].tolist() == [0, -np.inf]
    assert high.tolist() == [3, np.inf, 4]
    assert Fraction(low[2]) ** 2 < 2


def conversion(source: str, destination: str, low: list[int], high: list[int]) -> list[tuple[float, float]]:
    """Return the spans of converted integers."""
    types = [TensorType((len(low),), ELEMENT_TYPES[name]) for name in (source, destination)]
    dtype = types[0].storage_type.numpy
    found = conversion_span(*types, Ends(np.array(low, dtype), np.array(high, dtype)))
    assert found is not None
    return list(zip(*(end.tolist() for end in found), strict=True))


def test_integers_as_floats_lie_in_their_span() -> None:
    """f32 has the integers to 2^24; f64, in which spans are computed, those to 2^53."""
    exact = [0, 1, -(2**24), 2**24 - 1, 2**40]
    assert conversion("i64", "f32", exact, exact) == [(float(x), float(x)) for x in exact]
    many = [2**24 + 1, -(2**24) - 1, 2**53 + 1, -(2**53) - 1, 2**62 + 1, 2**63 - 1]
    for x, (low, high) in zip(many, conversion("i64", "f32", many, many), strict=True):
        assert Fraction(low) <= x <= Fraction(high)
        assert low <= float(np.float32(x)) <= high
        assert high - low <= abs(x) * 2.0**-22
    ((low, high),) = conversion("i64", "f32", [-5], [2**53 + 1])
    assert low == -5
    assert high >= 2**53 + 1


def test_integers_that_fit_are_converted_and_others_have_one_result_or_any() -> None:
    assert conversion("i32", "i8", [-128, 5], [127, 7]) == [(-128, 127), (5, 7)]
    assert conversion("i8", "i32", [-3], [9]) == [(-3, 9)]
    assert conversion("i32", "i8", [0], [128]) == [(-128, 127)]
    for value in (129, -129):  # whatever the one result is, the span is that of the engine's
        ((low, high),) = conversion("i32", "i8", [value], [value])
        text = "func.func @main(%x: tensor<i32>) -> tensor<i8> {\n"
        text += "%r = stablehlo.convert %x : (tensor<i32>) -> tensor<i8>\nreturn %r : tensor<i8>\n}"
        assert low == high == interp.run(text, np.int32(value))[0].storage.item()


def test_integers_as_booleans() -> None:
    """Everything but 0 is true."""
    assert conversion("i32", "i1", [0, 3], [0, 3]) == [(False, False), (True, True)]
    assert conversion("i32", "i1", [0], [3]) == [(False, True)]

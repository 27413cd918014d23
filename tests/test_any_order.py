"""The bound on every accumulation: held against all trees of all permutations of a few leaves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from math import inf, isinf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interp
from interp.backends.dtypes import numpy_dtype
from interp.questions.permitted.any_order import above, bound, growth, loss
from spec.types import ELEMENT_TYPES, ElementType

F8, BF16, F16, F32, F64 = (ELEMENT_TYPES[name] for name in ("f8E5M2", "bf16", "f16", "f32", "f64"))
Rounding = Callable[[Fraction], Fraction]


def nearest(precision: int, least: int) -> Rounding:
    """Return rounding to nearest even with so many bits, and no digit below 2^(least - precision + 1)."""

    def rounding(x: Fraction) -> Fraction:
        if not x:
            return x
        exponent = abs(x).numerator.bit_length() - abs(x).denominator.bit_length()
        exponent -= abs(x) < Fraction(2) ** exponent
        step = Fraction(2) ** (max(exponent, least) - precision + 1)
        return round(x / step) * step  # round() of a Fraction goes to the even neighbour

    return rounding


def in_type(type: ElementType) -> Rounding:
    return nearest(type.precision, 1 - type.bias)


def flushing(type: ElementType) -> Rounding:
    least = Fraction(2) ** (1 - type.bias)
    return lambda x: Fraction(0) if abs(x) < least else in_type(type)(x)


def every_result(leaves: Sequence[tuple[Fraction, bool]], roundings: Sequence[Rounding]) -> set[Fraction]:
    """Return the roots of all binary trees over all permutations; each node rounds in any of these ways.

    A leaf is its exact value, and whether it is a product: one that may enter a sum unrounded, or rounded.
    """
    n, known = len(leaves), dict[frozenset[int], set[Fraction]]()
    entering = dict[frozenset[int], set[Fraction]]()
    for k, (x, product) in enumerate(leaves):
        known[frozenset([k])] = {r(x) for r in roundings} if product else {x}
        entering[frozenset([k])] = known[frozenset([k])] | {x}
    for size in range(2, n + 1):
        for subset in map(frozenset, combinations(range(n), size)):
            first, *others = sorted(subset)
            found = set[Fraction]()
            for k in range(len(others)):
                for rest in combinations(others, k):
                    left = frozenset([first, *rest])
                    pairs = ((left, subset - left), (subset - left, left))
                    sums = {a + b for one, two in pairs for a in known[one] for b in entering[two]}
                    found |= {r(s) for s in sums for r in roundings}
            known[subset] = entering[subset] = found
    return known[frozenset(range(n))]


def magnitudes(leaves: Sequence[tuple[Fraction, bool]]) -> float:
    return float(sum(abs(x) for x, _ in leaves))  # few bits: exact


def stored(type: ElementType, low: int, high: int) -> st.SearchStrategy[Fraction]:
    digits = st.integers(-(2**type.precision) + 1, 2**type.precision - 1)
    return st.builds(lambda m, e: Fraction(m) * Fraction(2) ** e, digits, st.integers(low, high))


def ways(type: ElementType) -> list[Rounding]:
    """Return the roundings of a node: the type's, a wider one's, one after the other, and flushed."""
    own, wide = in_type(type), nearest(type.precision + 3, 1 - type.bias)
    return [own, wide, lambda x: own(wide(x)), *([flushing(type)] if type.exponent >= 8 else [])]


@pytest.mark.parametrize("type", [F8, BF16, F16], ids=repr)
@given(data=st.data())
@settings(max_examples=20)
def test_no_accumulation_of_few_leaves_is_beyond_the_bound(type: ElementType, data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 5))
    near = data.draw(st.booleans())  # to the subnormals
    low = 1 - type.bias - type.mantissa if near else -2
    number = stored(type, low, low + (3 if near else 4))
    if data.draw(st.booleans()):
        pairs = data.draw(st.lists(st.tuples(number, stored(type, -4, 0)), min_size=n, max_size=n))
        leaves = [(a * b, True) for a, b in pairs]
    else:
        leaves = [(x, False) for x in data.draw(st.lists(number, min_size=n, max_size=n))]
    exact = sum((x for x, _ in leaves), Fraction(0))
    size, products = magnitudes(leaves), any(product for _, product in leaves)
    limit = float(bound(type, np.array(size), n, products))
    for result in every_result(leaves, ways(type)):
        assert isinf(limit) or abs(result - exact) <= Fraction(limit)


@pytest.mark.parametrize("type", [F8, BF16, F16], ids=repr)
def test_five_leaves_in_the_worst_order(type: ElementType) -> None:
    """One and four halves of its last place, which are all lost: the bound allows that, and not much more."""
    u = Fraction(1, 2**type.precision)
    leaves = [(Fraction(1), False)] + [(u, False)] * 4
    results = every_result(leaves, [in_type(type)])
    assert min(results) == 1
    limit = Fraction(float(bound(type, np.array(magnitudes(leaves)), 5)))
    assert 4 * u <= limit <= 4 * u * (1 + 4 * u) * Fraction(9, 8) * (1 + 10 * u) + 40 * loss(type)


def test_the_bound_at_the_edge_of_its_premise() -> None:
    """k rho < 1: for bf16, rho is 0.0044, and at most 226 additions are below 1."""
    rho = Fraction(1, 256) * (1 + Fraction(1, 8) + Fraction(1, 8 * 256))
    most = int(1 / rho)
    one = np.array(1.0)
    assert most * rho < 1 < (most + 1) * rho
    assert bound(BF16, one, most + 1) < inf == bound(BF16, one, most + 2)
    assert bound(BF16, one, most, products=True) < inf == bound(BF16, one, most + 1, products=True)
    assert growth(BF16, 1) == 0 == bound(BF16, one, 1)
    assert growth(F32, 2, True) > growth(F32, 2) > Fraction(1, 2**24)


def test_a_constant_is_rounded_up_and_stays_if_f64_holds_it() -> None:
    for x in (
        Fraction(1, 3),
        Fraction(2, 3),
        Fraction(1, 10),
        1 + Fraction(1, 2**60),
        Fraction(2**53 - 1, 7),
    ):
        assert Fraction(above(x)) > x > Fraction(np.nextafter(above(x), 0))
    assert [above(Fraction(x)) for x in (0, 1, 0.1)] == [0, 1, 0.1]


def test_no_claim_where_a_partial_sum_may_overflow() -> None:
    most = 65504.0
    g = growth(F16, 3)
    assert g
    fits = float(Fraction(most) / (1 + g)) - 1e-3
    assert bound(F16, np.array([fits, fits + 2, inf]), 3).tolist() == [
        pytest.approx(float(g) * fits),
        inf,
        inf,
    ]


def test_zeros_round_nothing_and_subnormals_may_be_flushed() -> None:
    assert bound(F32, np.array([2.0, 2.0, 0.0]), np.array([1, 2, 0])).tolist()[::2] == [0.0, 0.0]
    assert loss(F32) == Fraction(2) ** -126 == loss(BF16)
    assert loss(F16) == Fraction(2) ** -25
    assert loss(F32, flush=False) == Fraction(2) ** -150
    assert (
        float(bound(F32, np.array(2.0**-149), 2))
        > 2.0**-126
        > float(bound(F32, np.array(2.0**-149), 2, flush=False))
    )


def sum_of(type: str, n: int, tail: str = "") -> str:
    return f"""func.func @main(%x: tensor<{n}x{type}>) -> tensor<{type}> {{
      %z = stablehlo.constant dense<0.0> : tensor<{type}>
      %s = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0]
        : (tensor<{n}x{type}>, tensor<{type}>) -> tensor<{type}>
      {tail or f"return %s : tensor<{type}>"}
    }}"""


@pytest.mark.parametrize("type", [F8, BF16, F16], ids=repr)
@given(data=st.data())
@settings(max_examples=6)
def test_what_an_accumulation_gives_is_never_wrong(type: ElementType, data: st.DataObject) -> None:
    """Through `permits`: every result of every tree, rounded to the type, and then the numbers beyond."""
    n = data.draw(st.integers(2, 4))
    numbers = data.draw(st.lists(stored(type, -2, 2), min_size=n, max_size=n))
    own = in_type(type)
    leaves = [(x, False) for x in numbers]
    results = sorted({own(r) for r in every_result(leaves, ways(type))})
    m = interp.load(sum_of(type.name, n))
    x = np.array([float(v) for v in numbers]).astype(numpy_dtype(type))
    exact, limit = sum(numbers), float(bound(type, np.array(magnitudes(leaves)), n))
    for result in (results[0], results[-1]):
        assert place(m, x, float(result), type) != "wrong"
    if not isinf(limit):
        beyond = own((exact + Fraction(limit)) * (1 + Fraction(1, 2**type.precision)) + Fraction(limit))
        if abs(beyond - exact) > 2 * Fraction(limit) and abs(beyond) < 2**15:
            assert place(m, x, float(beyond), type) == "wrong"


def place(m: interp.Module, x: np.ndarray, result: float, type: ElementType) -> str:
    found = interp.permits(m, (x,), (np.array(result).astype(numpy_dtype(type)),), limit=100)
    return str(found.place[0][()])

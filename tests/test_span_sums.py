"""Spans of sums and of other folds, one after the other: against exact fractions, and by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement, permutations
from typing import Any

import numpy as np
import pytest

import interp
from interp.backends import NUMPY
from interp.engine.evaluate import Context
from interp.kernels import OPERATIONS
from interp.questions.permitted.any_order import bound
from interp.questions.permitted.enclosure import Enclosure
from interp.questions.permitted.span_folds import (
    MOST,
    Exact,
    _middle,
    _ones,
    contraction_span,
    magnitude,
    quantized_sum,
    total,
    whole_products,
)
from interp.theory.sums import Ends
from spec.ir import Op
from spec.schedule import BALANCED
from spec.types import ELEMENT_TYPES
from tests.library.builders import contracting, reduced, single
from tests.test_span_folds import SCATTER, place


def point(x: Any) -> Ends:
    known = np.array(x)
    return Ends(known, known)


def context(module: interp.Module) -> tuple[Context, Op]:
    return Context(NUMPY, module, BALANCED, OPERATIONS), module.main.body.ops[0]


def sums_of(type: str, x: Any, init: Any) -> tuple[int, int] | None:
    """Return the span of a sum of quantized elements; each operand is a list of known ones, or ends."""
    leaves, start = (each if isinstance(each, Ends) else point(each) for each in (x, init))
    ctx, op = context(reduced(f"{len(leaves.least)}x{type}"))
    found = quantized_sum(ctx, op, op.operands[0].type.element_type, leaves, start)
    return found and (int(found.least), int(found.greatest))


@pytest.mark.parametrize(
    ("zero", "least", "most"), [(0, -8, 7), (2, -8, 7), (-1, -5, 3), (7, -8, 7), (-8, -8, 7)]
)
def test_quantized_sums_lie_between_those_of_all_trees(zero: int, least: int, most: int) -> None:
    """Each node clamps; every permutation of three leaves. The theorem's ends: see `quantized_sum`."""
    type = f"!quant.uniform<i4<{least}:{most}>:f32, 0.5:{zero}>"
    low, high = least - zero, most - zero

    def clamp(a: int, b: int) -> int:
        return min(max(a + b, low), high)

    for x in combinations_with_replacement((least, least + 2, zero, most - 1, most), 3):
        steps = [stored - zero for stored in x]
        results = {clamp(clamp(a, b), c) for a, b, c in permutations(steps)}
        up, down = sum(max(m, 0) for m in steps), sum(min(m, 0) for m in steps)
        ends = max(low, min(up + down, high + down)), min(high, max(up + down, low + up))
        assert ends[0] <= min(results) <= max(results) <= ends[1]
        assert sums_of(type, list(x), zero) == (ends[0] + zero, ends[1] + zero)


def test_quantized_sums_of_other_inits_and_scales_have_no_claim() -> None:
    assert sums_of("!quant.uniform<i4:f32, 0.5>", [1, 2], 1) is None
    assert sums_of("!quant.uniform<i4:f32, 0.5:3>", [1, 2], 0) is None
    assert sums_of("!quant.uniform<i4<1:7>:f32, 0.5>", [1, 2], 0) is None
    assert sums_of("!quant.uniform<i4<-8:-1>:f32, 0.5>", [-1, -2], 0) is None


def test_quantized_sums_that_are_not_known_have_no_claim() -> None:
    type, several = "!quant.uniform<i8:f32, 0.5>", Ends(np.array([1, 2]), np.array([1, 3]))
    assert sums_of(type, [1, 2], 0) == (3, 3)
    assert sums_of(type, several, 0) is None
    assert sums_of(type, [1, 2], Ends(np.array(0), np.array(1))) is None
    assert sums_of("!quant.uniform<i8:f32:0, {0.5, 0.25}>", [1, 2], 0) is None


def test_quantized_sums_are_of_no_more_leaves_than_f64_counts() -> None:
    """2^20 of 32 bits are 2^52."""
    type = "!quant.uniform<i32:f32, 0.5>"
    assert sums_of(type, [0] * (1 << 20), 0) == (0, 0)
    assert sums_of(type, [0] * ((1 << 20) + 1), 0) is None


@pytest.mark.parametrize(
    ("bounds", "x", "zero", "expected"),
    [
        ("", [2**24, 0], 0, (2**24, 2**24)),
        ("", [2**24, 1], 0, None),
        ("", [-(2**24), 0], 0, (-(2**24), -(2**24))),
        ("", [-(2**24), -1], 0, None),
        ("<-16777216:16777216>", [2**24, 0], 0, (2**24, 2**24)),
        ("<-16777216:16777216>", [-(2**24), 0], 0, (-(2**24), -(2**24))),
        ("<-8000000:8000000>", [8_000_000] * 2, 0, (8_000_000, 8_000_000)),
        ("<-8000000:8000000>", [-8_000_000] * 2, 0, (-8_000_000, -8_000_000)),
        ("<-9000000:8000000>", [8_000_000] * 2, 0, None),
        ("<-8000000:9000000>", [-8_000_000] * 2, 0, None),
        ("<-8387609:2000>", [-8_387_609] * 2, 1000, None),
        ("<-8387608:2000>", [-8_387_608] * 2, 1000, (-8_387_608, -8_387_608)),
        ("<-2000:8387609>", [8_387_609] * 2, -1000, None),
        ("<-2000:8387608>", [8_387_608] * 2, -1000, (8_387_608, 8_387_608)),
    ],
)
def test_quantized_sums_are_known_where_f32_holds_every_node(
    bounds: str, x: list[int], zero: int, expected: tuple[int, int] | None
) -> None:
    """Up to 2^24 steps: of the sum of two elements at the bounds, or of all where none can be clamped.

    With zero points: -8,387,608 - 1000 is -2^23, and twice that is -2^24.
    """
    assert sums_of(f"!quant.uniform<i32{bounds}:f32, 1.0:{zero}>", x, zero) == expected


def test_a_span_is_a_middle_and_a_radius_that_hold_it() -> None:
    """Of nothing known: 0 and 0, as the caller leaves it out. The middle may be rounded to either end."""
    ulp = 2.0**-52
    low = np.array([1.0, -3.0, 0.1, -np.inf, 5e-324, 1.0, 1 + ulp, -1 - ulp])
    high = np.array([1.0, 5.0, 0.7, 2.0, 1e-323, 1 + ulp, 1 + 2 * ulp, -1.0])
    middle, radius = _middle(Ends(low, high))
    assert middle[:2].tolist() == [1, 1]
    assert (radius[0], middle[3], radius[3]) == (0, 0, 0)
    assert 4 <= radius[1] <= np.nextafter(4, 5)
    for k in (1, 2, 4, 5, 6, 7):
        m, r = Fraction(middle[k]), Fraction(radius[k])
        assert m - r <= Fraction(low[k]) <= Fraction(high[k]) <= m + r
    assert radius[2] < 0.3 + 1e-15


def dot_of(type: str, x: Ends, y: Ends) -> tuple[float, float]:
    """Return the span of a product of vectors."""
    n = len(x.least)
    ctx, op = context(single("dot_general", f"{n}x{type}; {n}x{type} -> {type}", **contracting()))
    found = contraction_span(ctx, op, x, y)
    assert found is not None
    return found.least.item(), found.greatest.item()


@pytest.mark.parametrize("type", ["f32", "f64"])
@pytest.mark.parametrize("n", [1, 2, 5])
def test_sums_of_products_of_positive_intervals_allow_for_all_roundings(type: str, n: int) -> None:
    """The greatest sum and the bound on its roundings lie within, and so they do below zero.

    The span is around the sum of the products of middles, and little wider than it has to be.
    """
    rng = np.random.default_rng(n)
    for k in range(40):
        low = rng.uniform(0, 1, (2, n)) * (k % 3 > 0)
        high = low + rng.uniform(0, 1, (2, n)) * (k % 4 > 0)
        x, y = (Ends(*ends) for ends in zip(low, high, strict=True))
        least, middle, most = (
            sum((Fraction(a) * Fraction(b) for a, b in zip(*ends, strict=True)), Fraction(0))
            for ends in (low, (low + high) / 2, high)
        )
        count = int(np.count_nonzero(high[0] * high[1]))
        error = Fraction(bound(ELEMENT_TYPES[type], np.array([float(most)]), count, True).item())
        reach = most + error * (1 - Fraction(1, 2**20))
        down, up = dot_of(type, x, y)
        assert Fraction(up) >= reach
        assert Fraction(down) <= least
        assert up - down <= 2 * float(most - middle) + 3 * float(error) + 2.0**-45
        down, _ = dot_of(type, x, Ends(-y.greatest, -y.least))
        assert Fraction(down) <= -reach


@pytest.mark.parametrize("r", [1 - 2.0**-53, 1 - 2.0**-30, 0.9999999, 1.9999999, 1.0])
@pytest.mark.parametrize("b", [1.0, 1 - 2.0**-53, 0.99999, 0.9999999])
def test_a_product_of_an_unknown_sign_may_be_its_farthest(r: float, b: float) -> None:
    """Of -r to r and b: the product itself, and its rounding besides."""
    exact = Fraction(r) * Fraction(b)
    for type in ("f32", "f64"):
        error = bound(ELEMENT_TYPES[type], np.array([float(exact)]), 1, True).item()
        reach = exact + Fraction(error) * (1 - Fraction(1, 2**20))
        x, y = Ends(np.array([-r]), np.array([r])), point([b])
        for least, greatest in (dot_of(type, x, y), dot_of(type, y, x)):
            assert Fraction(least) <= -reach < reach <= Fraction(greatest)


def test_a_factor_that_is_not_known_makes_its_own_products_unknown() -> None:
    ctx, op = context(single("dot_general", "2x2xf32; 2x2xf32 -> 2x2xf32", **contracting(1)))
    known = point([[1.0, 2.0], [3.0, 4.0]])
    open_ = Ends(np.array([[1.0, 2.0], [-np.inf, 4.0]]), np.array([[1.0, 2.0], [np.inf, 4.0]]))
    left, right = contraction_span(ctx, op, open_, known), contraction_span(ctx, op, known, open_)
    assert left is not None
    assert right is not None
    assert (
        np.isfinite(left.least).tolist() == np.isfinite(left.greatest).tolist() == [[True] * 2, [False] * 2]
    )
    assert np.isfinite(right.least).tolist() == np.isfinite(right.greatest).tolist() == [[False, True]] * 2


def test_products_of_integers_that_are_not_known_have_no_claim() -> None:
    ctx, op = context(single("dot_general", "2xi32; 2xi32 -> i32", **contracting()))
    known, several = point([3, 4]), Ends(np.array([1, 2]), np.array([1, 3]))
    found = whole_products(ctx, op, known, known)
    assert found is not None
    assert found.hull == (25, 25)
    assert whole_products(ctx, op, several, known) is None
    assert whole_products(ctx, op, known, several) is None


def spans(text: str, *args: Any, any_inits: bool = False) -> list[Any]:
    """Return the spans of the results of a program."""
    module = interp.load(text)
    found = Enclosure(module, any_inits).result_spans(module.main, [np.asarray(x) for x in args])
    return [x and (x.least.tolist(), x.greatest.tolist()) for x in found]


FOLD = """func.func @main(%x: tensor<2xf32>, %z: tensor<f32>) -> tensor<f32> {
  %t = stablehlo.reduce(%x init: %z) applies stablehlo.BODY across dimensions = [0]
    : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  return %t : tensor<f32>
}"""


@pytest.mark.parametrize(
    ("body", "init", "expected"),
    [
        ("maximum", 1, 3),
        ("maximum", 4, 4),
        ("maximum", -np.inf, 3),
        ("maximum", np.inf, None),
        ("minimum", 1, 1),
        ("minimum", 4, 2),
        ("minimum", np.inf, 2),
        ("minimum", -np.inf, None),
        ("multiply", 1, None),
    ],
)
def test_a_choice_of_known_floats_and_an_init_is_known(
    body: str, init: float, expected: float | None
) -> None:
    """Nothing is said where the init is infinite and chosen."""
    (found,) = spans(FOLD.replace("BODY", body), np.float32([3, 2]), np.float32(init))
    assert found == ((expected,) * 2 if expected is not None else (-np.inf, np.inf))


def test_an_init_is_added_once_or_not_known_how_often() -> None:
    """3 + 2 + 10 within the error of 2 additions in f32 of 15, 2 * 15 * 2^-24 * 9/8 and a little."""
    text = FOLD.replace("BODY", "add")
    (found,) = spans(text, np.float32([3, 2]), np.float32(10))
    assert 15 - 3e-6 < found[0] <= 15 - 2 * 15 * 2.0**-24 < 15 + 2 * 15 * 2.0**-24 <= found[1] < 15 + 3e-6
    for init, any_inits in ((10, True), (np.inf, False)):
        assert spans(text, np.float32([3, 2]), np.float32(init), any_inits=any_inits) == [(-np.inf, np.inf)]
    (found,) = spans(text, np.float32([3, 2]), np.float32(0), any_inits=True)
    assert 5 - 1e-6 < found[0] < 5 < found[1] < 5 + 1e-6


def test_each_of_several_sums_has_its_own_init() -> None:
    text = """func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>, %p: tensor<f32>, %q: tensor<f32>)
        -> (tensor<f32>, tensor<f32>) {
      %r:2 = "stablehlo.reduce"(%x, %y, %p, %q) ({
        ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
          %g = stablehlo.add %a, %c : tensor<f32>
          %h = stablehlo.add %b, %d : tensor<f32>
          stablehlo.return %g, %h : tensor<f32>, tensor<f32>
      }) {dimensions = array<i64: 0>}
        : (tensor<2xf32>, tensor<2xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
      return %r#0, %r#1 : tensor<f32>, tensor<f32>
    }"""
    found = spans(text, np.float32([3, 2]), np.float32([4, 5]), np.float32(10), np.float32(20))
    assert [round(low) for low, _ in found] == [round(high) for _, high in found] == [15, 29]


def test_a_scatter_of_anything_but_sums_is_not_known() -> None:
    args = np.float32([1]), np.zeros((3, 1), np.int32), np.float32([5, 6, 7])
    (found,) = spans(SCATTER, *args)
    assert 19 - 1e-5 < found[0][0] < 19 < found[1][0] < 19 + 1e-5
    for body in ("maximum", "multiply"):
        assert spans(SCATTER.replace("stablehlo.add", f"stablehlo.{body}"), *args) == [([-np.inf], [np.inf])]


def test_what_may_be_other_than_zero_counts() -> None:
    ends = [(0, 0), (0, 1), (-1, 0), (1, 1), (-1, -1), (-1, 1), (1, 2), (-2, -1)]
    low, high = (np.array(x, float) for x in zip(*ends, strict=True))
    assert _ones(Ends(low, high)).tolist() == [0, 1, 1, 1, 1, 1, 1, 1]
    assert magnitude(np.array([-128, 127, 0], np.int8)).tolist() == [128, 127, 0]


SMALL = """func.func @main(%x: tensor<2xi8>, %y: tensor<2xi8>) -> tensor<i8> {
  %t = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0]
    : (tensor<2xi8>, tensor<2xi8>) -> tensor<i8>
  return %t : tensor<i8>
}"""
ADDED = """func.func @main(%x: tensor<2xi8>, %z: tensor<i8>) -> tensor<i8> {
  %t = stablehlo.reduce(%x init: %z) applies stablehlo.BODY across dimensions = [0]
    : (tensor<2xi8>, tensor<i8>) -> tensor<i8>
  return %t : tensor<i8>
}"""


@pytest.mark.parametrize(
    ("x", "expected"),
    [((100, 26), "wrong"), ((100, -26), "wrong"), ((100, 28), "unknown"), ((100, -29), "unknown")],
)
def test_integers_have_one_sum_where_their_magnitudes_fit(x: tuple[int, int], expected: str) -> None:
    """The sums of magnitudes are 126, 126, 128 and 129: beyond 127 an accumulator may wrap or saturate."""
    assert place(SMALL, (np.int8(x), np.int8([1, 1])), np.int8(5)) == expected
    assert place(SMALL, (np.int8([1, 1]), np.int8(x)), np.int8(5)) == expected
    assert place(ADDED.replace("BODY", "add"), (np.int8(x), np.int8(0)), np.int8(5)) == expected


def test_a_factor_whose_middle_is_as_large_as_its_radius_may_be_other_than_zero() -> None:
    """From 2^-53 to 2 - 2^-52, 1 and up to 1: three products with 1, each of which may be rounded."""
    x = Ends(np.full(3, 2.0**-53), np.full(3, 2 - 2.0**-52))
    middle, radius = _middle(x)
    assert middle.tolist() == radius.tolist() == [1] * 3
    most = 3 * Fraction(2 - 2.0**-52)
    reach = most + Fraction(bound(ELEMENT_TYPES["f32"], np.array([float(most)]), 3, True).item())
    for factors in ((x, point([1.0] * 3)), (point([1.0] * 3), x)):
        _, up = dot_of("f32", *factors)
        assert Fraction(up) >= reach


def test_one_leaf_is_not_rounded_and_one_product_is() -> None:
    f32, three, one = ELEMENT_TYPES["f32"], np.full(1, 3.0), np.ones(1)
    for count in (0 * one, one):
        assert [end.item() for end in total(f32, Exact(three, three, three, count, 5))] == [3, 3]
    low, high = total(f32, Exact(three, three, three, one, 5), True)
    assert low < 3 < high
    low, high = total(f32, Exact(three, three, three, 2 * one, 5))
    assert low < 3 < high


@pytest.mark.parametrize("count", [2, 1 << 16, 1 << 20])
def test_the_magnitudes_that_f64_adds_up_may_be_larger(count: int) -> None:
    """Of as many leaves as may be, most of them 0, by gamma(n + 1) of themselves."""
    f32, one = ELEMENT_TYPES["f32"], np.ones(1)
    low, high = total(f32, Exact(0 * one, 0 * one, one, count * one, MOST))
    gamma = (MOST + 1) * Fraction(1, 2**53) / (1 - (MOST + 1) * Fraction(1, 2**53))
    largest = np.array([float(1 + gamma)])
    assert high.item() == -low.item()
    assert Fraction(high.item()) >= Fraction(bound(f32, largest, count).item()) + gamma * (1 + gamma)


@pytest.mark.parametrize(
    ("body", "init", "expected"),
    [
        ("add", 0, 5),
        ("add", 7, None),
        ("maximum", 1, 8),
        ("minimum", -9, -9),
        ("multiply", 1, None),
        ("or", 0, -3),
    ],
)
def test_known_integers_have_one_result_if_the_init_may_be_repeated(
    body: str, init: int, expected: int | None
) -> None:
    """8 - 3 is 5. -3 has the bits ...11101, to which the bit of 8 adds none."""
    (found,) = spans(ADDED.replace("BODY", body), np.int8([8, -3]), np.int8(init))
    assert (found == (expected, expected)) == (expected is not None)
    if expected is None:
        assert found[0] < found[1]

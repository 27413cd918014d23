"""Folds of values that are themselves known to an interval only: no result that some order gives is wrong."""

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
from interp.questions.permitted.span_folds import (
    MOST,
    Exact,
    _middle,
    _ones,
    magnitude,
    quantized_sum,
    total,
)
from interp.theory.sums import Ends
from spec.schedule import BALANCED
from spec.types import ELEMENT_TYPES
from tests.library.builders import reduced

# 2^24 + 1 is a tie in f32 and gives 2^24: each row adds up to 0 or to 1, by the order of its leaves.
BIG = 2.0**24
ROWS = np.float32([[BIG, 1, -BIG], [BIG, 1, -BIG]])
SUMS = """
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1]
    : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>"""
COUNT = f"""func.func @main(%x: tensor<2x3xf32>) -> tensor<i32> {{{SUMS}
  %i = stablehlo.convert %s : (tensor<2xf32>) -> tensor<2xi32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %t = stablehlo.reduce(%i init: %c) applies stablehlo.add across dimensions = [0]
    : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
  return %t : tensor<i32>
}}"""
WEIGHTED = f"""func.func @main(%x: tensor<2x3xf32>, %w: tensor<2xf32>) -> tensor<f32> {{{SUMS}
  %t = stablehlo.dot_general %s, %w, contracting_dims = [0] x [0]
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
  return %t : tensor<f32>
}}"""
INTEGERS = """func.func @main(%x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<i32> {
  %t = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0]
    : (tensor<2xi32>, tensor<2xi32>) -> tensor<i32>
  return %t : tensor<i32>
}"""
SCATTER = """func.func @main(%x: tensor<1xf32>, %i: tensor<3x1xi32>, %u: tensor<3xf32>) -> tensor<1xf32> {
  %s = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
    scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}
    : (tensor<1xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<1xf32>
  return %s : tensor<1xf32>
}"""
QUANTIZED = """!q = !quant.uniform<i32:f32, 1.0>
func.func @main(%x: tensor<3x!q>, %z: tensor<!q>) -> tensor<!q> {
  %s = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0]
    : (tensor<3x!q>, tensor<!q>) -> tensor<!q>
  return %s : tensor<!q>
}"""


def place(program: str, args: Any, result: Any) -> str:
    """Return the place of the one element of a result."""
    found = interp.permits(program, args, (result,), limit=0)
    return str(found.place[0].item())


@pytest.mark.parametrize("result", [0, 1, 2])
def test_a_sum_of_converted_sums_may_be_any_of_theirs(result: int) -> None:
    assert place(COUNT, (ROWS,), np.int32(result)) != "wrong"


@pytest.mark.parametrize("result", [0, 1])
def test_a_maximum_may_be_an_init_that_is_not_known(result: int) -> None:
    text = f"""func.func @main(%x: tensor<2x3xf32>, %y: tensor<2xi32>) -> tensor<i32> {{{SUMS}
      %i = stablehlo.convert %s : (tensor<2xf32>) -> tensor<2xi32>
      %j = stablehlo.slice %i [0:1] : (tensor<2xi32>) -> tensor<1xi32>
      %k = stablehlo.reshape %j : (tensor<1xi32>) -> tensor<i32>
      %t = stablehlo.reduce(%y init: %k) applies stablehlo.maximum across dimensions = [0]
        : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
      return %t : tensor<i32>
    }}"""
    rows = ROWS[:, [0, 2, 1]]  # 0 needs another order of the leaves, which no schedule has
    assert place(text, (rows, np.int32([-5, -9])), np.int32(result)) != "wrong"


def test_a_product_of_sums_is_as_uncertain_as_they_are() -> None:
    weights = np.float32([1024, 1])
    for result in (0, 1, 1024, 1025):
        assert place(WEIGHTED, (ROWS, weights), np.float32(result)) != "wrong"
        assert place(WEIGHTED, (ROWS, -weights), np.float32(-result)) != "wrong"
    for result in (-1e5, 1e5):  # each sum is within 2^25 (3 rho) < 8 of 1
        assert place(WEIGHTED, (ROWS, weights), np.float32(result)) == "wrong"


@pytest.mark.parametrize(
    ("x", "y", "result", "expected"),
    [
        ((1, 2), (3, 4), 12, "wrong"),  # 11
        ((1, -2), (3, 4), -4, "wrong"),  # -5
        ((2**15, 2**15), (2**15, 2**15 - 64), 7, "wrong"),  # 2^31 - 2^21
        ((2**15, 2**15), (2**15, 2**15), 7, "unknown"),  # 2^31, which may wrap or saturate
    ],
)
def test_products_of_integers_have_one_result_where_nothing_overflows(
    x: tuple[int, int], y: tuple[int, int], result: int, expected: str
) -> None:
    assert place(INTEGERS, (np.int32(x), np.int32(y)), np.int32(result)) == expected


def test_updates_that_cancel_leave_what_their_magnitudes_allow() -> None:
    """1e8 + 1 is 1e8 in f32; half a last place of 1e8 is 4, and there are 2 additions."""
    args = np.float32([0]), np.zeros((3, 1), np.int32), np.float32([1e8, 1, -1e8])
    for result in (0, 1):
        assert place(SCATTER, args, np.float32([result])) != "wrong"
    for result in (-1e5, 1e5):
        assert place(SCATTER, args, np.float32([result])) == "wrong"


def test_quantized_sums_where_floats_hold_every_integer() -> None:
    """f32 holds the integers up to 2^24: 2^24 + 1 may be rounded, and is not where a node is wider."""
    zero, few, many = np.int32(0), np.int32([1, 2, 4]), np.int32([2**24, 1, 0])
    assert [place(QUANTIZED, (few, zero), np.int32(r)) for r in (6, 8)] == ["wrong", "wrong"]
    assert [place(QUANTIZED, (-few, zero), np.int32(-r)) for r in (6, 8)] == ["wrong", "wrong"]
    for result in (2**24, 2**24 + 1):
        assert place(QUANTIZED, (many, zero), np.int32(result)) != "wrong"


def test_there_is_no_claim_on_sums_of_more_leaves_than_f64_adds_up() -> None:
    one = np.ones(1)
    low, high = total(ELEMENT_TYPES["f32"], Exact(one, one, one, one, MOST))
    assert np.isfinite([low, high]).all()
    low, high = total(ELEMENT_TYPES["f32"], Exact(one, one, one, one, MOST + 1))
    assert (low.tolist(), high.tolist()) == ([-np.inf], [np.inf])


@pytest.mark.parametrize("n", [2, 1000, 1 << 24, MOST])
def test_the_errors_of_sums_in_f64_are_allowed_for(n: int) -> None:
    """Of n leaves, two are not 0: f64 may be off by gamma(n + 1) of their magnitudes."""
    f32, one = ELEMENT_TYPES["f32"], np.ones(1)
    low, high = total(f32, Exact(one, one, one, 2 * one, n))
    u = Fraction(1, 2**53)
    gamma = (n + 1) * u / (1 - (n + 1) * u)
    reach = gamma + Fraction(float(bound(f32, one, 2)[0]))
    assert Fraction(low[0]) <= 1 - reach
    assert Fraction(high[0]) >= 1 + reach
    assert high - low <= 2.01 * float(reach) + 2.0**-48


def test_a_function_that_is_called_is_judged_like_its_body() -> None:
    text = """
    func.func @double(%x: tensor<f32>) -> tensor<f32> {
      %y = stablehlo.add %x, %x : tensor<f32>
      return %y : tensor<f32>
    }
    func.func @main(%x: tensor<f32>) -> tensor<f32> {
      %y = func.call @double(%x) : (tensor<f32>) -> tensor<f32>
      return %y : tensor<f32>
    }"""
    assert place(text, (np.float32(3),), np.float32(6.5)) == "wrong"
    assert place(text, (np.float32(3),), np.float32(6)) != "wrong"


def sums_of(type: str, x: list[int], init: int) -> tuple[int, int] | None:
    """Return the span of a sum of known quantized elements."""
    module = reduced(f"{len(x)}x{type}")
    ctx, op = Context(NUMPY, module, BALANCED, OPERATIONS), module.main.body.ops[0]
    leaves, start = np.array(x), np.array(init)
    found = quantized_sum(ctx, op, op.operands[0].type.element_type, Ends(leaves, leaves), Ends(start, start))
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


def test_a_span_is_a_middle_and_a_radius_that_hold_it() -> None:
    """Of nothing known: 0 and 0, as the caller leaves it out."""
    low, high = np.array([1.0, -3.0, 0.1, -np.inf, 5e-324]), np.array([1.0, 5.0, 0.7, 2.0, 1e-323])
    middle, radius = _middle(Ends(low, high))
    assert middle[:2].tolist() == [1, 1]
    assert (radius[0], middle[3], radius[3]) == (0, 0, 0)
    assert 4 <= radius[1] <= np.nextafter(4, 5)
    for k in (1, 2, 4):
        m, r = Fraction(middle[k]), Fraction(radius[k])
        assert m - r <= Fraction(low[k]) <= Fraction(high[k]) <= m + r
    assert radius[2] < 0.3 + 1e-15


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
    """The result 5 is none of 126, 74, -128 as 128 wraps, and 71, which another accumulator may give."""
    assert place(SMALL, (np.int8(x), np.int8([1, 1])), np.int8(5)) == expected
    assert place(SMALL, (np.int8([1, 1]), np.int8(x)), np.int8(5)) == expected
    assert place(ADDED.replace("BODY", "add"), (np.int8(x), np.int8(0)), np.int8(5)) == expected

"""Folds of values that are themselves known to an interval only: no result that some order gives is wrong."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import interp
from interp.questions.permitted.any_order import bound
from interp.questions.permitted.span_folds import (
    MOST,
    Exact,
    total,
)
from spec.types import ELEMENT_TYPES

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
@pytest.mark.parametrize("type", ["f32", "f64"])
def test_the_errors_of_sums_in_f64_are_allowed_for(n: int, type: str) -> None:
    """Of n leaves, two are not 0: f64 may be off by gamma(n + 1) of their magnitudes."""
    one = np.ones(1)
    low, high = total(ELEMENT_TYPES[type], Exact(one, one, one, 2 * one, n))
    u = Fraction(1, 2**53)
    gamma = (n + 1) * u / (1 - (n + 1) * u)
    reach = gamma + Fraction(float(bound(ELEMENT_TYPES[type], one, 2)[0]))
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

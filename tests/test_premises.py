"""Premises that decide by arithmetic: at 2^24, 2^53 and 2^63 they are exact; no fast path changes a bit."""

from __future__ import annotations

from math import expm1, inf, log1p

import numpy as np
import pytest

import interp
from interp.apps.onnx.loading import finite
from interp.speed.choice import block_size
from interp.speed.order_free import Form, Reduction, order_free
from spec.ir import Module
from spec.types import make_quantized
from tests.library.builders import contracting, single
from tests.test_exact_contractions import is_the_fold, theorems

WIDE = "!quant.uniform<i32:f64, 1.0>"


def vector_dot(lhs: str, rhs: str, n: int, result: str = WIDE) -> Module:
    return single("dot_general", f"1x{n}x{lhs}; {n}x1x{rhs} -> 1x1x{result}", **contracting(1))


@pytest.mark.parametrize("beyond", [0, 1])
def test_sums_up_to_2_to_53_are_exact_and_one_more_is_not(beyond: int) -> None:
    """321 * 28059810762433 = 2^53 + 1, which f64 rounds to 2^53: the largest sum that the theorem allows."""
    whole, rest = divmod((2**53 + 1) // 321 - 1 + beyond, 2**31 - 1)
    weights = np.array([*[2**31 - 1, 1 - 2**31] * (whole // 2), *[2**31 - 1] * (whole % 2), rest], np.int32)
    n = len(weights)
    module = vector_dot("!quant.uniform<i32<-400:400>:f64, 1.0>", WIDE, n)
    x, right = np.full((1, n), 321, np.int32), weights.reshape(-1, 1)
    assert (321 * int(np.abs(right.astype(object)).sum()) <= 2**53) == (not beyond)
    assert theorems(module, x, right) == ["plain fold" if beyond else "exact sums by data"]
    is_the_fold(module, x, right)


@pytest.mark.parametrize("schedule", ["left", "balanced"])
def test_factors_beyond_2_to_24_are_not_rounded_before_they_are_judged(schedule: str) -> None:
    """2^25 + 1 is 2^25 in f32: then 2^26 times the sum of the weights would be 2^53, and it is more."""
    left = "!quant.uniform<i32<-67108864:67108864>:f64, 1.0>"
    module = vector_dot(left, "!quant.uniform<i32<-134217728:134217728>:f64, 1.0>", 4)
    x = np.array([[2**26, 2**26 - 1, -(2**26), 1 - 2**26]], np.int32)
    weights = np.full((4, 1), 2**25 + 1, np.int32)
    assert theorems(module, x, weights, schedule=schedule) == ["plain fold"]
    is_the_fold(module, x, weights, schedule=schedule)


def test_numbers_far_from_zero_and_close_to_their_zero_point_are_exact() -> None:
    """The stored numbers lie beyond 2^24, where f32 has no odd ones; their distances are small."""
    far = "!quant.uniform<u32<2147483648:2147483748>:f32, 1.0:2147483698>"
    x = np.array([[2147483649, 2147483747, 2147483700]], np.uint32)
    weights = np.array([[1], [2], [3]], np.uint32)
    module = vector_dot(far, "!quant.uniform<u32<0:100>:f32, 1.0>", 3, "!quant.uniform<i32:f32, 1.0>")
    assert theorems(module, x, weights) == ["exact sums"]
    is_the_fold(module, x, weights)
    assert interp.run(module, x, weights)[0].storage.tolist() == [[-49 + 2 * 49 + 3 * 2]]


@pytest.mark.parametrize(
    ("x", "y", "stored"),
    [(3, 4, 12), (2**62, 2, -(2**63)), (2**62, 4, 0), (-(2**63), -1, -(2**63)), (-(2**63), -(2**63), 0)],
)
def test_products_of_rank_0_beyond_i64_are_exact(x: int, y: int, stored: int) -> None:
    empty = {
        f"{side}_{kind}_dimensions": () for side in ("lhs", "rhs") for kind in ("batching", "contracting")
    }
    module = single("dot_general", "i64; i64 -> i64", **empty)
    t = interp.trace(module, np.int64(x), np.int64(y))
    assert t.results[0].storage.item() == stored
    assert [(e.kind, e.exact) for e in t.events] == ([] if x * y == stored else [("wrap", x * y)])
    ends = t.bounds().by_value
    assert ends is not None
    assert (ends.least, ends.greatest) == (min(0, x * y), max(0, x * y))


@pytest.mark.parametrize(
    ("x", "event"), [(-(2.0**63), 0), (np.nextafter(-(2.0**63), -np.inf), 1), (2.0**63, 1)]
)
def test_the_least_i64_is_no_saturation(x: float, event: int) -> None:
    t = interp.trace(single("convert", "f64 -> i64"), np.float64(x))
    assert [e.kind for e in t.events] == ["saturate"] * event


@pytest.mark.parametrize(("x", "kinds"), [(2**31, []), (2**31 - 1, []), (2**31 + 1, ["wrap"])])
def test_a_product_next_to_2_to_63_is_judged_exactly(x: int, kinds: list[str]) -> None:
    """(2^32 - 2) (2^31 + 1) = 2^63 - 2, which f64 rounds to 2^63; one more factor of each is beyond."""
    factors = {
        2**31: (2**32 - 2, 2**31 + 1),
        2**31 - 1: (2**32 - 1, 2**31),
        2**31 + 1: (2**32 - 1, 2**31 + 1),
    }
    lhs, rhs = factors[x]
    type = "!quant.uniform<i32:f32, 1.0:-2147483648>"
    module = single("multiply", f"{type}; {type} -> !quant.uniform<i32:f32, 1.8446744073709552e+19>")
    args = [np.int32(each - 2**31) for each in (lhs, rhs)]
    t = interp.trace(module, *args, reading="integer", accumulator=64)
    assert [e.kind for e in t.events if e.kind == "wrap"] == kinds


SCALED = "!quant.uniform<i32<-1000:1000>:f32, 1.0>"


@pytest.mark.parametrize(
    ("least", "greatest", "verdict"),
    [(-100, 1000, "refuted"), (-299, 1000, "refuted"), (-301, 1000, "proved"), (-1000, 301, "proved")],
)
def test_the_result_of_a_proved_sum_holds_both_of_its_ends(least: int, greatest: int, verdict: str) -> None:
    """The sums go from -300 to 300; fl(0.3) times products rounds, so that the float's bound decides."""
    result = f"!quant.uniform<i32<{least}:{greatest}>:f32, 0.3>"
    types = f"1x3x!quant.uniform<i32<-10:10>:f32, 0.3>; 3x1x{SCALED} -> 1x1x{result}"
    module = single("dot_general", types, **contracting(1))
    proof = interp.prove(module, {1: np.full((3, 1), 10, np.int32)})
    assert [row.verdict for row in proof.rows] == [verdict]


@pytest.mark.parametrize(("most", "proved"), [(2**31 - 1, False), (2**31 - 2**12, True)])
def test_a_proof_knows_that_the_quotient_is_rounded(most: int, proved: bool) -> None:
    """f32 has no number between 2^31 - 128 and 2^31: a sum next to 2^31 - 1 becomes 2^31, and saturates."""
    operand = "!quant.uniform<i32:f32, 0.3>"
    module = single("dot_general", f"1x1x{operand}; 1x1x{SCALED} -> 1x1x{operand}", **contracting(1))
    proof = interp.prove(module, {0: (-5, most), 1: np.ones((1, 1), np.int32)})
    assert (proof.rows[0].verdict == "proved") == proved


@pytest.mark.parametrize(("n", "checked"), [(2**26, True), (2**29, True), (2**30, False), (2**40, False)])
def test_nodes_are_looked_at_only_where_i64_holds_their_bounds(n: int, checked: bool) -> None:
    """A bound of prefixes is a difference of two sums times a leaf, and the squares of a block's leaves."""
    narrow, wide = make_quantized("i16", "f32", 0.5), make_quantized("i32", "f32", 0.5)
    form = order_free(Reduction("add", narrow, wide, wide, n, 1))
    assert isinstance(form, Form)
    assert form.within is not None
    assert bool(block_size(form)) == checked
    largest = 2 * (n * 2**15 + 2**32) * 2**15 + 4096 * 2**30
    assert largest < 2**63 or not checked


def test_the_slack_of_finite_sums_covers_the_roundings_of_all_of_them() -> None:
    """Each of the products and of the additions rounds by 2^-24 at most."""
    assert expm1((finite.MANY + 2) * log1p(2.0**-24)) < finite.SLACK - 1
    types = f"1x{finite.MANY + 1}xf32; {finite.MANY + 1}x1xf32 -> 1x1xf32"
    (op,) = (
        op for op in single("dot_general", types, **contracting(1)).ops() if op.name.endswith("dot_general")
    )
    assert finite.RULES["dot_general"](op, [1.0, 1.0]) == inf

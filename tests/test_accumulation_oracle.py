"""What an accumulation means: the oracle's results, each worked out by hand."""

from __future__ import annotations

from fractions import Fraction
from math import inf, isnan, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import interp
from spec.accumulation import Accumulation
from spec.errors import Unsupported
from spec.formats import round_to
from spec.meaning.evaluate import evaluate
from spec.meaning.index import Tensor
from spec.meaning.sums import Number, Product, exact, exact_sum, exponent, flush, fold, toward_zero
from spec.schedule import parse
from spec.types import ELEMENT_TYPES
from tests.library.oracles.accumulated_by_hand import (
    CONVOLUTION,
    DOT,
    REDUCE,
    SCATTER,
    SELECT,
    WINDOW,
    dot,
    oracle,
    reduce,
)

F16, F32, BF16 = (ELEMENT_TYPES[name] for name in ("f16", "f32", "bf16"))
E = 2.0**-12
NEAR = 1 + E  # its square is 1 + 2^-11 + 2^-24, which f32 rounds to 1 + 2^-11


def test_fma_keeps_the_bit_that_a_plain_product_loses() -> None:
    """NEAR * NEAR - (1 + 2^-11): the product is rounded by plain, and not by fma."""
    lhs, rhs = [-(1 + 2 * E), NEAR], [1.0, NEAR]
    assert dot(lhs, rhs, "left") == 0
    assert dot(lhs, rhs, "left fma") == 2.0**-24
    # which of two products enters unrounded decides the sign
    lhs, rhs = [NEAR, -NEAR], [NEAR, NEAR]
    assert dot(lhs, rhs, "left plain without init") == 0
    assert dot(lhs, rhs, "tree(0 1') fma without init") == -(2.0**-24)
    assert dot(lhs, rhs, "tree(0' 1) fma without init") == 2.0**-24
    assert dot(lhs, rhs, "star exact") == 0


def test_an_unrounded_product_of_f64() -> None:
    """The square of 1 + 2^-30 is 1 + 2^-29 + 2^-60, of which f64 loses the last bit."""
    near = 1 + 2.0**-30
    lhs, rhs = [-(1 + 2.0**-29), near], [1.0, near]
    assert dot(lhs, rhs, "left", "f64") == 0
    assert dot(lhs, rhs, "left fma", "f64") == 2.0**-60


def test_inputs_are_rounded_before_they_are_multiplied() -> None:
    """1 + 2^-11 is half way between two numbers of tf32; 1 + 3 * 2^-12 is nearer to the upper one."""
    upper = 1 + 3 * E
    for text, factor in [("inputs in tf32", 1 + 4 * E), ("inputs in tf32 toward zero", 1.0)]:
        assert dot([upper, 0], [2.0, 0], f"left {text}") == 2 * factor
        assert run(DOT.format(m=1, k=2, n=1, lhs="f32", rhs="f32", result="f32"), upper, text) == 2 * factor
        assert repr(Accumulation.parse(f"left {text} flush")) == f"left {text} flush"


def run(text: str, factor: float, inputs: str) -> float:
    args = np.float32([[factor, 0]]), np.float32([[2], [0]])
    (found,) = interp.run(interp.load(text), *args, accumulator=f"left {inputs}")
    return float(found.storage[0, 0])


def test_the_init_is_added_last() -> None:
    assert repr(Accumulation.parse("left init last").tree(4)) == repr(
        Accumulation.parse("tree(0 ((1 2) 3))").tree(4)
    )
    assert reduce([1.0, 2.0**-24, 2.0**-24], "balanced init last", init=-1.0) == 0
    assert reduce([1.0, 2.0**-24, 2.0**-24], "right init last", init=-1.0) == 2.0**-23


def test_products_may_be_rounded_to_another_type_than_sums() -> None:
    """The square of NEAR is exact in f64; rounded to f32 first, its last bit is gone."""
    lhs, rhs = [-(1 + 2 * E), NEAR], [1.0, NEAR]
    assert dot(lhs, rhs, "left in f64") == 2.0**-24
    assert dot(lhs, rhs, "left in f64 products in f32") == 0
    # 1 + 2^-30 is lost in f32 and kept in f64, until the root becomes f32
    assert dot([1, 2.0**-30, -1], [1, 1, 1], "left") == 0
    assert dot([1, 2.0**-30, -1], [1, 1, 1], "left in f64") == 2.0**-30
    assert dot([1, 2.0**-30], [1, 1], "left in f64") == 1


def test_an_exact_node_rounds_its_sum_once() -> None:
    x = [2.0**24, 1, 1, -(2.0**24)]
    assert reduce(x, "left") == 0
    assert reduce(x, "star exact") == 2
    assert reduce(x, "star") == 2
    assert reduce([2.0**24, 1, 1], "left(3) exact in f32") == 2.0**24 + 2


def test_left_with_two_new_leaves_a_node() -> None:
    """(0 + 2^24 + 1) is a tie, and goes to 2^24; then 2^24 + 1 - 2^24 is exact."""
    assert reduce([2.0**24, 1, 1, -(2.0**24)], "left(2)") == 1
    assert reduce([2.0**24, 1, 1, -(2.0**24)], "left(2) without init") == 1


def test_a_fused_node_cuts_each_term_below_the_largest_exponent() -> None:
    """Exponent 3, so that 3 fraction bits are units of 1: 8 + 1.75 is 9 toward zero, 10 to nearest."""
    assert dot([8, 1.75], [1, 1], "star fused(3)") == 9
    assert dot([8, 1.75], [1, 1], "star fused(3 nearest)") == 10
    assert dot([8, -1.75], [1, 1], "star fused(3)") == 7
    assert dot([8, 2.5], [1, 1], "star fused(3 nearest)") == 10  # half to even
    assert dot([8, 1.75, -8], [1, 1, 1], "star fused(3)") == 1
    assert dot([8, 0.75, -8], [1, 1, 1], "star fused(3)") == 0
    assert dot([8, 0.75, -8], [1, 1, 1], "star fused(4)") == 0.5
    # 8 + 7 + 7 is 22 = 2^4 * 1.375; two fraction bits are units of 4
    assert dot([8, 7, 7], [1, 1, 1], "star fused(3) cut 2") == 20
    assert dot([-8, -7, -7], [1, 1, 1], "star fused(3) cut 2") == -20


def test_the_exponent_of_a_product_is_the_sum_of_its_factors() -> None:
    """1.5 * 1.5 = 2.25 has exponents 0 + 0 as a product, and 1 as a number: units of 1/2, or of 1."""
    assert dot([1.5, 0.5], [1.5, 1.0], "star fused(1)") == 2.5
    assert dot([1.5, 0.5], [1.5, 1.0], "star fused(1 normalized)") == 2.0
    product = Product(Number(1.5, F32), Number(1.5, F32))
    assert (exponent(product, False), exponent(product, True)) == (0, 1)
    # a subnormal factor has the least exponent of its type, -14 in f16
    assert exponent(Product(Number(2.0**-20, F16), Number(1.0, F16)), False) == -14


def test_steps_of_a_tensor_core_add_the_old_sum_as_a_term_or_last() -> None:
    """Steps of two products, units of 2^-1 of the largest exponent. First 4 + 3 = 7: units of 2, so 4 + 2."""
    ones = [1.0] * 4
    assert dot([4, 3, 1, 1], ones, "left(2) fused(1)") == 6  # 6 + 1 + 1 in units of 2: 6 + 0 + 0
    assert dot([4, 3, 1, 1], ones, "left(2) fused(1) last") == 8  # 6, and 1 + 1 in units of 1/2
    # promotion: blocks of two products, their sums in f32
    assert dot([4, 3, 1, 1], ones, "blocks(2: left(2) fused(1) in f32; left in f32)") == 8


def test_nodes_may_round_toward_zero() -> None:
    assert reduce([1, 1.5 * 2.0**-23, 1.5 * 2.0**-23], "left") == 1 + 2.0**-22 + 2.0**-23 * 2
    assert reduce([1, 1.5 * 2.0**-23, 1.5 * 2.0**-23], "left toward zero") == 1 + 2.0**-22
    assert reduce([-1, -1.5 * 2.0**-23], "left toward zero") == -1 - 2.0**-23
    assert dot([NEAR], [NEAR], "left toward zero") == 1 + 2 * E
    largest = float(np.finfo(np.float32).max)
    assert reduce([largest, largest], "left") == inf
    assert reduce([largest, largest], "left toward zero") == largest
    assert isnan(reduce([inf, -inf], "left toward zero"))
    assert reduce([1, 1.5 * 2.0**-8], "left in bf16 toward zero", "f32") == 1


@given(st.fractions(), st.integers(-30, 30), st.sampled_from([F16, BF16, F32]))
def test_toward_zero_is_the_neighbour_that_is_not_larger(x: Fraction, e: int, type) -> None:  # type: ignore[no-untyped-def]
    x *= Fraction(2) ** e
    if not x:
        return
    found = Fraction(toward_zero(x, type))
    nearest = Fraction(min(max(round_to(x, type), -3.4e38), 3.4e38)) if type is not F16 else None
    assert abs(found) <= abs(x)
    assert found * x >= 0
    if nearest is not None and abs(nearest) <= abs(x):
        assert found == nearest


def test_integers_wrap_or_saturate_at_each_level() -> None:
    """9 + 9 is 18: in i5 (-16 to 15) it wraps to -14, or saturates at 15."""
    assert reduce([9, 9, -9], "left in i5", "i32") == 9
    assert reduce([9, 9, -9], "left in i5 saturate", "i32") == 6
    # blocks: 9 + 9, -9 + -9 apart
    assert reduce([9, 9, -9, -9], "blocks(2: left in i5 saturate; left in i32)", "i32") == 15 - 16
    assert reduce([9, 9, -9, -9], "blocks(2: left in i5; left in i32)", "i32") == -14 + 14
    assert reduce([9, 9, 9, 9], "blocks(2: left in i32; left in i5 saturate)", "i32") == 15
    assert reduce([2**31 - 1, 1], "left saturate", "i32") == 2**31 - 1
    assert reduce([2**31 - 1, 1], "left", "i32") == -(2**31)


def test_a_leaf_enters_a_saturating_sum_as_it_is_and_the_init_does_not() -> None:
    """10 - 20 is -10 in i5; an init of 20 is 15 there."""
    assert reduce([10, -20], "left in i5 saturate", "i32") == -10
    assert reduce([-5], "left in i5 saturate", "i32", init=20) == 10
    assert reduce([-5], "left in i5 saturate without init", "i32", init=20) == -5
    assert reduce([20, -5], "left in i5 saturate without init", "i32") == 15
    assert reduce([20, -5], "blocks(2: left in i5 saturate; left in i32) from zero", "i32") == 10


def test_where_groups_start() -> None:
    """From the init, 100, in every group; from zero, and then the init; or without it."""
    x = [1, 2, 3, 4, 5]
    assert reduce(x, "blocks(2)", "i32", init=100) == 315
    assert reduce(x, "blocks(2) from zero", "i32", init=100) == 115
    assert reduce(x, "blocks(2) without init", "i32", init=100) == 15
    assert reduce(x, "lanes(2)", "i32", init=100) == 215
    assert reduce([], "blocks(2) without init", "i32", init=100) == 100
    assert reduce([7], "star without init", "i32", init=100) == 7


def test_promotion_every_k_keeps_what_one_long_sum_loses() -> None:
    """256 + 1 is 256 in bf16: 512 ones reach 256 in one sum, and 512 in blocks of 128 promoted to f32."""
    ones = [1.0] * 512
    assert reduce(ones, "left", "bf16") == 256
    assert reduce(ones, "blocks(128: left; left in f32)", "bf16") == 512


def test_permuted_leaves() -> None:
    """(2^24 + -2^24) + (1 + 1), against (2^24 + 1) + (1 - 2^24)."""
    x = [2.0**24, 1, 1, -(2.0**24)]
    assert reduce(x, "tree((0 3) (1 2)) without init") == 2
    assert reduce(x, "tree((0 1) (2 3)) without init") == 1
    assert reduce(x, "strided without init") == 2**24 + 1 - (2**24 - 1) - 1
    assert reduce(x, "halves without init") == 1


def test_subnormal_numbers_are_flushed_where_it_says() -> None:
    """2^-130 is subnormal in f32; 2^-126 is the least normal number."""
    tiny, least = 2.0**-130, 2.0**-126
    assert reduce([tiny, tiny], "left") == 2.0**-129
    assert reduce([tiny, tiny], "left flush") == 0
    assert reduce([least, tiny], "left inputs flush") == least
    assert reduce([least * 1.5, -least], "left inputs flush") == least / 2
    assert reduce([least * 1.5, -least], "left flush") == 0
    assert dot([2.0**-70], [2.0**-70], "left") == 2.0**-140
    assert dot([2.0**-70], [2.0**-70], "left flush") == 0
    assert flush(-tiny, F32) == 0
    assert str(flush(-tiny, F32)) == "-0.0"


def test_zeros_infinities_and_nan() -> None:
    assert str(exact_sum([-0.0, -0.0])) == "-0.0"
    assert str(exact_sum([-0.0, 0.0])) == "0.0"
    assert str(exact_sum([Fraction(1), Fraction(-1)])) == "0.0"
    assert exact_sum([inf, Fraction(1), inf]) == inf
    assert isnan(exact_sum([inf, -inf]))  # type: ignore[arg-type]
    assert isnan(exact_sum([nan, inf]))  # type: ignore[arg-type]
    assert isnan(exact(Product(Number(inf, F32), Number(0.0, F32))))  # type: ignore[arg-type]
    assert exact(Product(Number(-inf, F32), Number(2.0**-149, F32))) == -inf
    assert dot([inf, 1], [1, 1], "star fused(10)") == inf
    assert isnan(dot([inf, -inf], [1, 1], "left(2) fused(10) in f32"))
    assert str(reduce([-0.0, -0.0], "star exact without init")) == "-0.0"


def test_a_body_that_does_not_add_takes_the_tree_alone() -> None:
    assert reduce([3, 9, 4], "star fused(2) in f32", "f32", op="maximum") == 9
    assert reduce([3, 9, 4], "blocks(2: left in i8; left) from zero", "i32", init=-5, op="minimum") == -5
    leaves, along = [(5,), (1,), (2,), (3,)], Accumulation.parse("tree(1 (2 3) 0)")
    assert fold(along, lambda a, b: (a - b,), leaves, [True] * 4, True) == (1 - (2 - 3) - 5,)
    assert fold(along, lambda a, b: (a - b,), leaves, [True, False, True, True], True) == (2 - 3 - 5,)


def test_a_quantized_sum_in_integers_or_in_floats() -> None:
    """i8 at scale 0.5, zero point 3: q of 103 is 50.0. Twice that is 100.0, beyond 62.0, which is 127."""
    type = "!quant.uniform<i8:f32, 0.5:3>"
    x = [103, 103, -97]  # 50.0, 50.0, -50.0: steps 100, 100, -100
    assert reduce(x, "left", type, init=3) == 127 - 100
    assert reduce(x, "left in i16", type, init=3) == 103
    assert reduce(x, "left in i8 saturate", type, init=3) == 127 - 100 + 3
    assert reduce(x, "left in f32", type, init=3) == 103
    with pytest.raises(Unsupported, match="nodes that name no type"):
        reduce(x, "left toward zero", type, init=3)


def test_the_integer_reading_sums_products_in_the_declared_accumulator() -> None:
    """100 * 127 * 3 = 38,100: i16 wraps to -27,436, or saturates."""
    type = "!quant.uniform<i8:f32, 0.5>"
    text = """
    func.func @main(%x: tensor<1x3xT>, %w: tensor<3x1xT>) -> tensor<1x1x!quant.uniform<i32:f32, 0.25>> {
      %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
        : (tensor<1x3xT>, tensor<3x1xT>) -> tensor<1x1x!quant.uniform<i32:f32, 0.25>>
      return %0 : tensor<1x1x!quant.uniform<i32:f32, 0.25>>
    }""".replace("T>", type + ">")
    args = np.full((1, 3), 100, np.int8), np.full((3, 1), 127, np.int8)
    for accumulation, total in (
        ("left", 38100),
        ("left in i16", 38100 - 65536),
        ("left in i16 saturate", 32767),
        ("lanes(2: left in i16; left in i32)", 38100),
        ("blocks(3: left in i16 saturate; left in i32)", 32767),
    ):
        assert oracle(interp.load(text), args, accumulation, "integer") == [total]


def test_every_operation_that_adds_takes_an_accumulation() -> None:
    """2^24 and ones in f32: what is absorbed one by one is kept where f64 adds."""
    big = 2.0**24
    window = interp.load(WINDOW.format(k=5, type="f32"))
    x = np.float32([big, 1, 1, 1, 1])
    # windows of 5 with two places of padding on each side
    assert oracle(window, [x, np.float32(0)], "left") == [big, big, big, 4, 3]
    assert oracle(window, [x, np.float32(0)], "left in f64") == [big + 2, big + 4, big + 4, 4, 3]
    scatter = interp.load(SCATTER.format(type="f32"))
    places = np.int32([0, 0, 1, 1, 1, 9, 3, 0, 3])[:, None]
    args = [np.float32([big, 0, 5, 1]), places, np.ones(9, np.float32)]
    assert oracle(scatter, args, "left") == [big, 3, 5, 3]
    assert oracle(scatter, args, "star exact") == [big + 4, 3, 5, 3]  # 2^24 + 3, to even
    select = interp.load(SELECT.format(type="f32"))
    operand = np.float32([0, 0, 0, 0, 9, 0, 0, 0, 0])
    sources = np.float32([7, 7, big, 1, 1, 1, 1, 7, 7])
    left = oracle(select, [operand, sources, np.float32(0)], "left")
    exactly = oracle(select, [operand, sources, np.float32(0)], "left in f64")
    assert (left[4], exactly[4]) == (big, big + 4)
    assert left[:4] == exactly[:4]
    convolution = interp.load(CONVOLUTION.format(lhs="f32", rhs="f32", result="f32"))
    image, kernel = np.ones((1, 6, 2), np.float32), np.ones((3, 2, 2), np.float32)
    image[0, 0, 0] = big
    plain = np.reshape(oracle(convolution, [image, kernel], "left"), (6, 2))[:, 0]
    wide = np.reshape(oracle(convolution, [image, kernel], "left in f64"), (6, 2))[:, 0]
    assert plain.tolist() == [big, big, 6, 6, 6, 4]
    assert wide.tolist() == [big + 4, big + 4, 6, 6, 6, 4]  # 2^24 + 3 and + 5, to even


def test_absent_leaves_are_left_out_of_a_node() -> None:
    """The places of a source whose window selected another index are absent there."""
    select = interp.load(SELECT.format(type="f32"))
    operand = np.float32([9, 0, 0, 9, 0, 0, 9, 0, 0])
    sources = np.arange(1, 10, dtype=np.float32)
    lanes = "lanes(2) without init"
    for accumulation in ("left", "star exact", "balanced in f64", lanes, "blocks(2) from zero"):
        found = oracle(select, [operand, sources, np.float32(0)], accumulation)
        assert sum(found) == 45
        assert [i for i, x in enumerate(found) if x] == [0, 3, 6]


@given(
    st.lists(st.floats(width=16), min_size=1, max_size=9),
    st.sampled_from(["left", "balanced", "blocks(3)", "windows(2)", "random(3)"]),
    st.sampled_from(["f16", "bf16"]),
)
def test_to_name_the_declared_type_changes_nothing(x: list[float], schedule: str, type: str) -> None:
    """The specification's fold of `add`, and the nodes of an accumulation in the declared type."""
    text = interp.load(REDUCE.format(m=1, k=len(x), type=type, op="add"))
    args = [np.array([[round_to(v, ELEMENT_TYPES[type]) for v in x]]), np.array(-0.0)]
    assert str(oracle(text, args, schedule)) == str(oracle(text, args, f"{schedule} in {type}"))
    pairs = zip(text.main.inputs, args, strict=True)
    tensors = [Tensor(value.type, tuple(x.reshape(-1).tolist())) for value, x in pairs]
    literal = evaluate(text, tensors, parse(schedule))
    assert str(list(literal[0].elements)) == str(oracle(text, args, schedule))

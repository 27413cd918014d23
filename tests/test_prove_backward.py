"""Arguments for an extreme sum: wishes about operands against index loops, and the ends that they lead to."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import interp
from interp.questions.proving.backward import arguments, convolution_wish, dot_wish, window_wish
from interp.questions.proving.prove import walk_forward
from spec.ir import Op
from tests.library.builders import contracting, convolution, op, windowed
from tests.library.oracles.products_by_hand import pairs, space

RNG = np.random.default_rng(8)
CONTRACTIONS = [
    op("dot_general", "2x3xi8; 3x4xi8 -> 2x4xi32", **contracting(1)),
    op("dot_general", "3x2xi8; 4x3xi8 -> 2x4xi32", **contracting(0, 1)),
    op(
        "dot_general",
        "2x4x3x5xi8; 4x5x2x3xi8 -> 4x3x3xi32",
        lhs_batching_dimensions=(1,),
        rhs_batching_dimensions=(0,),
        lhs_contracting_dimensions=(3, 0),
        rhs_contracting_dimensions=(1, 2),
    ),
    convolution(
        "2x5x6xi8; 2x3x6xi8 -> 6x2x6xi32",
        "b0f 0io fb0",
        padding=((2, 3),),
        lhs_dilation=(2,),
        rhs_dilation=(3,),
        window_strides=(2,),
        window_reversal=(True,),
        feature_group_count=2,
    ).main.body.ops[0],
    convolution(
        "2x3x1x4xi8; 2x2x3x2xi8 -> 1x3x3x4xi32", "f0b1 1io0 b0f1", padding=((1, 0), (0, 1))
    ).main.body.ops[0],
]


@pytest.mark.parametrize("k", [0, 1])
@pytest.mark.parametrize("contraction", CONTRACTIONS)
def test_a_factor_is_wished_for_by_each_product_times_the_other_factor(contraction: Op, k: int) -> None:
    shapes = [value.type.shape for value in contraction.operands]
    wish = RNG.integers(-9, 10, contraction.result.type.shape).astype(float)
    factors = [RNG.integers(-9, 10, shape).astype(float) for shape in shapes]
    expected = np.zeros(shapes[k])
    for index in space(wish.shape):
        for places in pairs(contraction, index):
            if places[0] is not None:
                expected[places[k]] += wish[index] * factors[1 - k][places[1 - k]]
    rule: Any = dot_wish if contraction.name == "stablehlo.dot_general" else convolution_wish
    assert np.array_equal(rule(contraction, wish, factors[1 - k], k), expected)


def test_a_batch_that_is_grouped_has_no_wish() -> None:
    module = convolution("4x3x2xi8; 2x2x4xi8 -> 2x2x4xi32", "b0f 0io b0f", batch_group_count=2)
    assert convolution_wish(module.main.body.ops[0], np.ones((2, 2, 4)), np.ones((2, 2, 4)), 0) is None


def test_an_element_is_wished_for_by_each_window_that_it_is_in() -> None:
    geometry = {"strides": (2, 1), "base": (2, 1), "dilations": (1, 2), "padding": ((1, 2), (0, 3))}
    window = windowed("4x3xi8", (3, 2), **geometry).main.body.ops[0]
    wish = RNG.integers(-9, 10, window.result.type.shape).astype(float)
    expected = np.zeros((4, 3))
    for index in space(wish.shape):
        for at in space((3, 2)):
            place = [index[0] * 2 - 1 + at[0], index[1] + at[1] * 2]
            row, hole = divmod(place[0], 2)
            if not hole and 0 <= row < 4 and 0 <= place[1] < 3:
                expected[row, place[1]] += wish[index]
    assert np.array_equal(window_wish(window, wish), expected)


# Programs: the last operation is the sum. Those of integers are linear, so that runs on unit vectors tell
# how the sum depends on each element of an argument.

WEIGHTED = """
  %w = stablehlo.constant dense<[3, -2, 0, 5, -4, 1]> : tensor<6xi32>
  %s = stablehlo.dot_general %y, %w, contracting_dims = [0] x [0]
    : (tensor<6xi32>, tensor<6xi32>) -> tensor<i32>
  return %s : tensor<i32>
}"""
LINEAR = {
    "alone": "%y: tensor<6xi32>) -> tensor<i32> {",
    "moved": """%x: tensor<2x3xi32>) -> tensor<i32> {
      %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xi32>) -> tensor<3x2xi32>
      %r = stablehlo.reverse %t, dims = [0] : tensor<3x2xi32>
      %y = stablehlo.reshape %r : (tensor<3x2xi32>) -> tensor<6xi32>""",
    "joined": """%a: tensor<2xi32>, %b: tensor<5xi32>) -> tensor<i32> {
      %c = stablehlo.slice %b [1:5] : (tensor<5xi32>) -> tensor<4xi32>
      %y = stablehlo.concatenate %c, %a, dim = 0 : (tensor<4xi32>, tensor<2xi32>) -> tensor<6xi32>""",
    "spread": """%x: tensor<2xi32>, %e: tensor<i32>) -> tensor<i32> {
      %y = stablehlo.pad %x, %e, low = [1], high = [2], interior = [1]
        : (tensor<2xi32>, tensor<i32>) -> tensor<6xi32>""",
    "updated": """%x: tensor<6xi32>, %u: tensor<2xi32>) -> tensor<i32> {
      %i = stablehlo.constant dense<3> : tensor<i32>
      %y = stablehlo.dynamic_update_slice %x, %u, %i
        : (tensor<6xi32>, tensor<2xi32>, tensor<i32>) -> tensor<6xi32>""",
    "summed": """%x: tensor<6x2xi32>, %z: tensor<i32>) -> tensor<i32> {
      %y = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1]
        : (tensor<6x2xi32>, tensor<i32>) -> tensor<6xi32>""",
    "windows": """%x: tensor<5xi32>, %z: tensor<i32>) -> tensor<i32> {
      %y = "stablehlo.reduce_window"(%x, %z) ({
        ^bb0(%p: tensor<i32>, %q: tensor<i32>):
          %o = stablehlo.add %p, %q : tensor<i32>
          stablehlo.return %o : tensor<i32>
      }) {window_dimensions = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>}
        : (tensor<5xi32>, tensor<i32>) -> tensor<6xi32>""",
    "several sums": """%a: tensor<2x6xi32>, %b: tensor<2x6xi32>,
        %p: tensor<i32>, %q: tensor<i32>) -> tensor<i32> {
      %r:2 = "stablehlo.reduce"(%a, %b, %p, %q) ({
        ^bb0(%c: tensor<i32>, %d: tensor<i32>, %e: tensor<i32>, %f: tensor<i32>):
          %g = stablehlo.add %c, %e : tensor<i32>
          %h = stablehlo.add %d, %f : tensor<i32>
          stablehlo.return %g, %h : tensor<i32>, tensor<i32>
      }) {dimensions = array<i64: 0>} : (tensor<2x6xi32>, tensor<2x6xi32>, tensor<i32>, tensor<i32>)
        -> (tensor<6xi32>, tensor<6xi32>)
      %t = stablehlo.add %r#1, %r#1 : tensor<6xi32>
      %y = stablehlo.subtract %t, %r#0 : tensor<6xi32>""",
    "passed": """%a: tensor<6xi32>, %b: tensor<6xi32>) -> tensor<i32> {
      %c:2 = stablehlo.optimization_barrier %a, %b : tensor<6xi32>, tensor<6xi32>
      %d = stablehlo.bitcast_convert %c#1 : (tensor<6xi32>) -> tensor<6xi32>
      %y = stablehlo.subtract %c#0, %d : tensor<6xi32>""",
    "one element": """%x: tensor<i32>, %i: tensor<6x0xi32>) -> tensor<i32> {
      %y = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<index_vector_dim = 1>,
        slice_sizes = array<i64>} : (tensor<i32>, tensor<6x0xi32>) -> tensor<6xi32>""",
    "differences": """%a: tensor<6xi32>, %b: tensor<6xi32>) -> tensor<i32> {
      %c = stablehlo.negate %b : tensor<6xi32>
      %d = stablehlo.add %a, %a : tensor<6xi32>
      %e = stablehlo.subtract %c, %d : tensor<6xi32>
      %y = stablehlo.subtract %e, %b : tensor<6xi32>""",
}


def found(
    text: str, ranges: dict[Any, Any], side: int, index: tuple[int | None, ...] = (), result: int = 0
) -> list[Any]:
    """Return the arguments that the walk back from a result of the last operation finds."""
    forward = walk_forward(interp.load(text), ranges)
    args = arguments(forward.steps, forward.steps[-1], result, index, side, forward.given)
    return [x if isinstance(x, tuple) else x.tolist() for x in args]


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("name", LINEAR)
def test_each_argument_of_a_linear_program_is_at_the_end_that_its_factor_asks_for(
    name: str, side: int
) -> None:
    text = f"func.func @main({LINEAR[name]}{WEIGHTED}"
    module = interp.load(text)
    zeros = [np.zeros(value.type.shape, np.int32) for value in module.main.inputs]
    expected = []
    for k, x in enumerate(zeros):
        ends = np.zeros(x.shape, int)
        for index in space(x.shape):
            unit = [y.copy() for y in zeros]
            unit[k][index] = 1
            (result,) = interp.run(module, *unit)
            factor = int(result.storage.item()) * side
            ends[index] = 7 if factor > 0 else -5 if factor < 0 else 0
        expected.append(ends.tolist())
    assert found(text, dict.fromkeys(range(len(zeros)), (-5, 7)), side) == expected


ADD = """
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%y init: %z) applies stablehlo.add across dimensions = [0]
    : (tensor<1xf32>, tensor<f32>) -> tensor<f32>
  return %s : tensor<f32>
}"""


def ends_of(line: str, *ranges: tuple[float, float], side: int = 1) -> list[float]:
    """Return the arguments a, b, ... for an extreme %y, which the lines compute from them in f32."""
    names = ", ".join(f"%{name}: tensor<1xf32>" for name in "abcd"[: len(ranges)])
    text = f"func.func @main({names}) -> tensor<f32> {{\n{line}{ADD}"
    return [x[0] for x in found(text, dict(enumerate(ranges)), side)]


def call(text: str, type: str = "tensor<1xf32>") -> str:
    """Return lines of operations on one type: `"y = multiply a b; ..."`."""
    lines = (line.split() for line in text.split("; "))
    return "\n".join(
        f"  %{name} = stablehlo.{body} {', '.join(f'%{x}' for x in rest)} : {type}"
        for name, _, body, *rest in lines
    )


@pytest.mark.parametrize(
    ("a", "b", "side", "expected"),
    [
        ((-3, 5), (-7, 2), 1, [-3, -7]),  # b may be -7, so that a is small, and so is b: 21
        ((-3, 5), (-7, 2), -1, [5, -7]),  # -35
        ((-3, 5), (-2, 7), 1, [5, 7]),
        ((-3, 5), (-2, 7), -1, [-3, 7]),
        ((0.25, 0.5), (-0.5, 0.25), 1, [0.25, 0.25]),  # a follows -0.5, and b follows 0.25
        ((-0.25, 0.5), (-0.5, 0.25), 1, [-0.25, -0.5]),
        ((-0.5, 0.25), (-0.25, 0.5), 1, [0.25, 0.5]),
    ],
)
def test_factors_follow_one_another(a: Any, b: Any, side: int, expected: list[float]) -> None:
    assert ends_of(call("y = multiply a b"), a, b, side=side) == expected


@pytest.mark.parametrize(
    ("b", "expected"),
    [
        ((-4, -2), [-3, -2]),
        ((2, 4), [5, 2]),
        ((-0.5, -0.25), [-3, -0.25]),
        ((0.25, 0.5), [5, 0.25]),
        ((0, 0), [5, 0]),
    ],
)
def test_a_quotient_follows_the_sign_of_its_divisor(b: tuple[float, float], expected: list[float]) -> None:
    """The divisor itself is as near to zero as it may be. 5 / 0 is infinite, as -3 / 0 is below zero."""
    assert ends_of(call("y = divide a b"), (-3, 5), b) == expected
    assert ends_of(call("y = divide a b"), (-3, 5), b, side=-1) == [2 - expected[0], expected[1]]


@pytest.mark.parametrize(
    ("a", "expected"),
    [((-5, 3), -5), ((-3, 5), 5), ((-0.5, 0.25), -0.5), ((-0.25, 0.5), 0.5), ((-4, 4), 4)],
)
def test_a_magnitude_is_great_far_from_zero(a: tuple[float, float], expected: float) -> None:
    assert ends_of(call("y = abs a"), a) == [expected]
    assert ends_of(call("y = abs a"), a, side=-1) == [a[0] + a[1] - expected]


def test_opposite_wishes_leave_an_argument_near_zero() -> None:
    """a / b + a / c for negative b and positive c; |a| + a for an a that goes farther below zero."""
    lines = call("p = divide a b; q = divide a c; y = add p q")
    assert ends_of(lines, (-3, 5), (-4, -2), (2, 4)) == [0, -2, 2]
    assert ends_of(call("p = abs a; y = add p a"), (-5, 3)) == [0]
    assert ends_of(call("p = abs a; y = subtract p a"), (-3, 5)) == [0]


@pytest.mark.parametrize(("factor", "expected"), [(-2, -3), (-0.5, 5)])
def test_wishes_about_one_argument_are_weighed(factor: float, expected: float) -> None:
    """1 for the sum itself, and the factor."""
    line = f"  %c = stablehlo.constant dense<{factor:.1f}> : tensor<1xf32>\n"
    lines = line + call("p = negate a; q = negate p; r = multiply a c; y = add q r")
    assert ends_of(lines, (-3, 5)) == [expected]
    assert ends_of(lines, (-3, 5), side=-1) == [2 - expected]


@pytest.mark.parametrize(("factor", "expected"), [(-2, -3), (-0.5, 5)])
def test_a_step_of_a_quantized_type_weighs_its_scale(factor: float, expected: float) -> None:
    """There and back again, in steps of 4: a change of 1 is one quarter of a step, and a change of 1 then."""
    quantized = "tensor<1x!quant.uniform<i8:f32, 4.0>>"
    lines = f"""  %c = stablehlo.constant dense<{factor:.1f}> : tensor<1xf32>
      %p = stablehlo.uniform_quantize %a : (tensor<1xf32>) -> {quantized}
      %q = stablehlo.uniform_dequantize %p : ({quantized}) -> tensor<1xf32>
    """
    assert ends_of(lines + call("r = multiply a c; y = add q r"), (-3, 5)) == [expected]


def test_what_may_be_selected_follows_and_the_predicate_does_not() -> None:
    text = f"""func.func @main(%p: tensor<1xi1>, %a: tensor<1xf32>, %b: tensor<1xf32>) -> tensor<f32> {{
      %y = stablehlo.select %p, %a, %b : tensor<1xi1>, tensor<1xf32>{ADD}"""
    assert found(text, {1: (-1, 2), 2: (-3, 5)}, 1) == [[False], [2], [5]]
    assert found(text, {1: (-1, 2), 2: (-3, 5)}, -1) == [[False], [-1], [-3]]


DOT = """func.func @main(%x: tensor<5x3xi8>) -> tensor<5x1xi32> {
  %w = stablehlo.constant dense<[[3], [-2], [0]]> : tensor<3x1xi8>
  %s = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<5x3xi8>, tensor<3x1xi8>) -> tensor<5x1xi32>
  return %s : tensor<5x1xi32>
}"""


@pytest.mark.parametrize(("index", "row"), [((None, 0), 2), ((0, 0), 0), ((4, None), 4)])
def test_the_sum_is_the_one_at_an_index_in_the_middle_where_all_are_alike(
    index: tuple[int | None, ...], row: int
) -> None:
    expected = [[2, 2, 2]] * 5
    expected[row] = [9, 2, 2]
    assert found(DOT, {"x": (2, 9)}, 1, index) == [expected]
    rest = [[-2, -2, -2]] * 5
    rest[row] = [-2, -9, -2]
    assert found(DOT, {"x": (-9, -2)}, 1, index) == [rest]


@pytest.mark.parametrize(
    ("range", "row"), [((-9, 9), [3, -2]), ((0, 1), [1, 0]), ((-7, -3), [-3, -3]), ((4, 6), [4, 4])]
)
def test_an_argument_that_does_not_matter_is_the_zero_of_its_type(
    range: tuple[int, int], row: list[int]
) -> None:
    """Zero points of 3 and -2 along the second dimension; the nearest end, where the range is beyond."""
    type = "tensor<3x2x!quant.uniform<i8:f32:1, {0.5:3,0.5:-2}>>"
    text = f"func.func @main(%u: {type}, %t: !stablehlo.token, {LINEAR['alone']}{WEIGHTED}"
    assert found(text, {"u": range, "y": (-5, 7)}, 1) == [[row] * 3, (), [7, -5, 0, 7, -5, 7]]


def test_both_factors_of_a_contraction_that_are_no_constants_follow() -> None:
    """x may be -9 to 2, w 1 to 5: w is 5 for x, which is 2 for a great sum; for a small one, -9 times 5."""
    text = """func.func @main(%x: tensor<2xi8>, %w: tensor<2xi8>) -> tensor<i32> {
      %s = stablehlo.dot_general %x, %w, contracting_dims = [0] x [0]
        : (tensor<2xi8>, tensor<2xi8>) -> tensor<i32>
      return %s : tensor<i32>
    }"""
    assert found(text, {"x": (-9, 2), "w": (1, 5)}, 1) == [[2, 2], [5, 5]]
    assert found(text, {"x": (-9, 2), "w": (1, 5)}, -1) == [[-9, -9], [5, 5]]
    assert found(text, {"x": (-9, -2), "w": (1, 5)}, 1) == [[-2, -2], [1, 1]]
    ranges = {"x": (-2, 9), "w": (np.int8([[1, -3]]), np.int8([[3, -1]]))}
    assert found(OPPOSITE, ranges, 1) == [[0], [[3, -1]]]
    assert found(OPPOSITE, {**ranges, "x": (-9, 2)}, 1) == [[0], [[1, -3]]]


# The wishes about x, whose factors are 3 and -3 at their farthest, are none in all: w follows 9, or -9.
OPPOSITE = """func.func @main(%x: tensor<1xi8>, %w: tensor<1x2xi8>) -> tensor<i32> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %y = stablehlo.dot_general %x, %w, contracting_dims = [0] x [0]
    : (tensor<1xi8>, tensor<1x2xi8>) -> tensor<2xi32>
  %s = stablehlo.reduce(%y init: %z) applies stablehlo.add across dimensions = [0]
    : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
  return %s : tensor<i32>
}"""


def test_factors_of_grouped_batches_stay_near_zero() -> None:
    text = """func.func @main(%x: tensor<2x1x1xi8>, %w: tensor<1x1x2xi8>) -> tensor<1x1x2xi32> {
      %s = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}
        {batch_group_count = 2 : i64, feature_group_count = 1 : i64}
        : (tensor<2x1x1xi8>, tensor<1x1x2xi8>) -> tensor<1x1x2xi32>
      return %s : tensor<1x1x2xi32>
    }"""
    assert found(text, {"x": (2, 9), "w": (-5, -1)}, 1, (0, 0, 1)) == [[[[2]], [[2]]], [[[-1, -1]]]]


def test_the_limits_of_a_simulated_quantization_follow_in_all_channels() -> None:
    text = """func.func @main(%x: tensor<2x3xf32>, %a: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<2xf32> {
      %q = "tf.FakeQuantWithMinMaxVarsPerChannel"(%x, %a, %b) {num_bits = 8 : i64, narrow_range = false}
        : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
      %z = stablehlo.constant dense<0.0> : tensor<f32>
      %s = stablehlo.reduce(%q init: %z) applies stablehlo.add across dimensions = [1]
        : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
      return %s : tensor<2xf32>
    }"""
    ranges = {"x": (0.5, 3), "a": (-2, -1), "b": (1, 2)}
    assert found(text, ranges, 1, (1,)) == [[[0.5] * 3, [3] * 3], [-1] * 3, [2] * 3]
    assert found(text, ranges, -1, (0,)) == [[[0.5] * 3, [0.5] * 3], [-2] * 3, [1] * 3]


def test_an_element_at_an_unknown_index_is_not_wished_for() -> None:
    text = f"""func.func @main(%x: tensor<8xi32>, %i: tensor<i32>) -> tensor<i32> {{
      %y = stablehlo.dynamic_slice %x, %i, sizes = [6]
        : (tensor<8xi32>, tensor<i32>) -> tensor<6xi32>{WEIGHTED}"""
    assert found(text, {"x": (2, 9), "i": (0, 2)}, 1) == [[2] * 8, 0]
    only = f"func.func @main({LINEAR['one element']}{WEIGHTED}"
    assert found(only, {"x": (2, 9)}, 1) == [9, [[]] * 6]


def test_what_is_sorted_is_wished_for_where_it_stands() -> None:
    text = f"""func.func @main(%x: tensor<6xi32>, %v: tensor<6xi32>) -> tensor<i32> {{
      %r:2 = "stablehlo.sort"(%x, %v) ({{
        ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
          %p = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %p : tensor<i1>
      }}) {{dimension = 0 : i64}} : (tensor<6xi32>, tensor<6xi32>) -> (tensor<6xi32>, tensor<6xi32>)
      %y = stablehlo.add %r#1, %r#1 : tensor<6xi32>{WEIGHTED}"""
    assert found(text, {"x": (2, 9), "v": (-5, 7)}, 1) == [[2] * 6, [7, -5, 0, 7, -5, 7]]


SECOND = """func.func @main(%x: tensor<2xi8>, %y: tensor<2xi8>) -> (tensor<i8>, tensor<i8>) {
  %w = stablehlo.constant dense<[100, -100]> : tensor<2xi8>
  %z = stablehlo.constant dense<0> : tensor<i8>
  %v = stablehlo.multiply %y, %w : tensor<2xi8>
  %r:2 = "stablehlo.reduce"(%x, %v, %z, %z) ({
    ^bb0(%a: tensor<i8>, %b: tensor<i8>, %c: tensor<i8>, %d: tensor<i8>):
      %p = stablehlo.add %a, %c : tensor<i8>
      %q = stablehlo.add %b, %d : tensor<i8>
      stablehlo.return %p, %q : tensor<i8>, tensor<i8>
  }) {dimensions = array<i64: 0>}
    : (tensor<2xi8>, tensor<2xi8>, tensor<i8>, tensor<i8>) -> (tensor<i8>, tensor<i8>)
  return %r#0, %r#1 : tensor<i8>, tensor<i8>
}"""


def test_a_witness_is_looked_for_against_the_sum_that_may_overflow() -> None:
    """The second one, for y = [1, -1]: 100 + 100; equal elements of y cancel."""
    ranges = {"x": (0, 1), "y": (-1, 1)}
    assert found(SECOND, ranges, 1, result=0) == [[1, 1], [0, 0]]
    assert found(SECOND, ranges, 1, result=1) == [[0, 0], [1, -1]]
    first, second = interp.prove(SECOND, ranges).rows
    assert (first.verdict, second.verdict) == ("proved", "refuted")
    assert second.witness is not None
    assert second.witness.args[1].tolist() in ([1, -1], [-1, 1])

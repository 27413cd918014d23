"""Tails of contractions by hand: their factors, offsets and weights, and pairs of values of two tails."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import interp
from interp.comparison import tails
from interp.comparison.landmarks import Landmarks
from interp.comparison.tails import Tail, Weights, constant_value, is_same_value, pairs
from interp.comparison.tails import tail as follow

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


# Tails of programs. The contraction is %d, of an argument and constant weights; all numbers are exact in f32.

WEIGHTS = """%w = stablehlo.constant dense<[[1.0, 0.5], [2.0, -4.0], [-3.0, 2.0]]> : tensor<3x2xf32>
  %d = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>"""


def constant(name: str, numbers: str, dimensions: str = "[1]") -> str:
    """Return lines that spread a constant over a result of 2x2, channels along dimension 1."""
    small = "tensor<f32>" if dimensions == "[]" else "tensor<2xf32>"
    return f"""  %{name}_ = stablehlo.constant dense<{numbers}> : {small}
  %{name} = stablehlo.broadcast_in_dim %{name}_, dims = {dimensions} : ({small}) -> tensor<2x2xf32>
"""


def line(text: str) -> str:
    """Return an operation on f32 of 2x2: `"m = multiply d c"`."""
    name, _, body, *rest = text.split()
    return f"  %{name} = stablehlo.{body} {', '.join(f'%{x}' for x in rest)} : tensor<2x2xf32>\n"


READ = line("z = add m m")


def program(lines: str, *, inputs: str = "%x: tensor<2x3xf32>", start: str = WEIGHTS) -> Landmarks:
    """Return the landmarks of a program that returns its argument %x."""
    ends = "  return %x : tensor<2x3xf32>\n}"
    text = f"func.func @main({inputs}) -> tensor<2x3xf32> {{\n  {start}\n{lines}{ends}"
    return Landmarks(interp.load(text).main)


def followed(side: Landmarks, counts: bool = False) -> tuple[str, list[list[float]], list[list[float]]]:
    """Return the names of the tail of %d, its factors and its offsets."""
    found = follow(side, side.by_result["%d"], counts)
    return " ".join(found.names), [x.tolist() for x in found.factors], [x.tolist() for x in found.offsets]


def test_factors_and_offsets_are_multiplied_and_added_up() -> None:
    """g = 2, 1/4 and b = 1, -3; a quarter of both; b less 1/2, 1; 10, 20 less all that."""
    lines = constant("c", "[2.0, 0.25]") + line("m = multiply d c")
    lines += constant("e", "[1.0, -3.0]") + line("a = add e m")
    lines += constant("f", "4.0", "[]") + line("v = divide a f")
    lines += constant("g", "[0.5, 1.0]") + line("s = subtract v g")
    lines += constant("h", "[10.0, 20.0]") + line("t = subtract h s") + line("z = add t t")
    names, factors, offsets = followed(program(lines))
    assert names == "multiply add divide subtract subtract"
    assert factors == [[1], [2, 0.25], [2, 0.25], [0.5, 0.0625], [0.5, 0.0625], [-0.5, -0.0625]]
    assert offsets == [[0], [0, 0], [1, -3], [0.25, -0.75], [-0.25, -1.75], [10.25, 21.75]]


@pytest.mark.parametrize(
    "lines",
    [
        line("m = exponential d"),
        line("m = multiply d d"),
        constant("c", "[2.0, 3.0]") + line("m = divide c d"),
        constant("c", "[2.0, 0.0]") + line("m = divide d c"),
        constant("c", "[2.0, 3.0]", "[0]") + line("m = multiply d c"),
        constant("c", "[2.0, 3.0]") + line("m = multiply d c") + line("n = add d c"),
        constant("c", "[2.0, 3.0]") + line("m = maximum d c"),
        "  %m = stablehlo.transpose %d, dims = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>\n",
        "  %m = stablehlo.reshape %d : (tensor<2x2xf32>) -> tensor<4xf32>\n",
        constant("c", "[2.0, 3.0]") + line("m = multiply d c") + line("n = round_nearest_even m"),
    ],
)
def test_a_tail_ends_where_a_value_is_not_affine_in_the_contraction(lines: str) -> None:
    """By its operation, its constant, another reader, its shape, or as it is a simulated quantization."""
    assert followed(program(lines if "round" in lines or "reshape" in lines else lines + READ))[0] == ""


def test_a_constant_is_known_in_whatever_way_it_is_spread() -> None:
    same = "  %c = stablehlo.constant dense<[[2.0, 3.0], [2.0, 3.0]]> : tensor<2x2xf32>\n"
    assert followed(program(same + line("m = multiply d c") + READ))[1] == [[1], [2, 3]]
    other = "  %c = stablehlo.constant dense<[[2.0, 3.0], [2.0, 4.0]]> : tensor<2x2xf32>\n"
    assert followed(program(other + line("m = multiply d c") + READ))[1] == [[1]]
    rows = """  %b = stablehlo.constant dense<[[2.0, 3.0]]> : tensor<1x2xf32>
  %c = stablehlo.broadcast_in_dim %b, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<2x2xf32>\n"""
    assert followed(program(rows + line("m = multiply d c") + READ))[1] == [[1], [2, 3]]
    converted = """  %a = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %b = stablehlo.convert %a : (tensor<2xi32>) -> tensor<2xf32>
  %e = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<2xf32>) -> tensor<2x2xf32>
  %c = stablehlo.convert %e : tensor<2x2xf32>\n"""
    assert followed(program(converted + line("m = multiply d c") + READ))[1] == [[1], [2, 3]]


NORMALIZED = """  %p = stablehlo.constant dense<[2.0, 6.0]> : tensor<2xf32>
  %q = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r = stablehlo.constant dense<[4.0, 8.0]> : tensor<2xf32>
  %v = stablehlo.constant dense<[3.75, 8.75]> : tensor<2xf32>
  %m = "stablehlo.batch_norm_inference"(%d, %p, %q, %r, %v)
    {epsilon = 0.25 : f32, feature_index = FEATURE : i64}
    : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
"""


def test_a_batch_norm_is_a_product_and_an_offset_along_channels_alone() -> None:
    """2 / sqrt(4) and 6 / sqrt(9); 1 - 4 * 1 and 2 - 8 * 2. Along rows, there are none for a channel."""
    assert followed(program(NORMALIZED.replace("FEATURE", "1"))) == (
        "batch_norm_inference",
        [[1], [1, 2]],
        [[0], [-3, -14]],
    )
    assert followed(program(NORMALIZED.replace("FEATURE", "0")))[0] == ""


def test_a_scale_of_the_activations_is_left_out_where_integers_are_counted() -> None:
    inputs = "%x: tensor<2x3xf32>, %s: tensor<f32>, %t: tensor<2xf32>"
    spread = "  %c = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<2x2xf32>\n"
    lines = spread + line("m = multiply d c") + READ
    assert followed(program(lines, inputs=inputs), True) == ("multiply", [[1], [1]], [[0], [0]])
    assert followed(program(lines, inputs=inputs))[0] == ""
    assert followed(program(spread + line("m = add d c") + READ, inputs=inputs), True)[0] == ""
    several = "  %c = stablehlo.broadcast_in_dim %t, dims = [1] : (tensor<2xf32>) -> tensor<2x2xf32>\n"
    assert followed(program(several + line("m = multiply d c") + READ, inputs=inputs), True)[0] == ""
    known = constant("c", "2.0", "[]") + line("m = multiply d c") + READ
    assert followed(program(known), True) == ("multiply", [[1], [2]], [[0], [0]])


LEFT = """%w = stablehlo.constant dense<[[1.0, 0.5], [2.0, -4.0], [-3.0, 2.0]]> : tensor<3x2xf32>
  %d = stablehlo.dot_general %w, %x, contracting_dims = [0] x [1]
    : (tensor<3x2xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>"""
SEVERAL = """%w = stablehlo.constant dense<1.0> : tensor<3x2x5xf32>
  %d = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<2x3xf32>, tensor<3x2x5xf32>) -> tensor<2x2x5xf32>"""
BOTH = """%d = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1]
    : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>"""
STEPS = """%i = stablehlo.constant() {value = dense<[[1, 2], [3, 4], [5, -6]]> : tensor<3x2xi8>}
    : () -> tensor<3x2xTYPE>
  %w = stablehlo.uniform_dequantize %i : (tensor<3x2xTYPE>) -> tensor<3x2xf32>
  %d = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>"""
INTEGERS = """%i = stablehlo.constant dense<[[1, 3, 5], [2, 4, -6]]> : tensor<2x3xi8>
  %t = stablehlo.transpose %i, dims = [1, 0] : (tensor<2x3xi8>) -> tensor<3x2xi8>
  %w = stablehlo.convert %t : (tensor<3x2xi8>) -> tensor<3x2xf32>
  %d = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>"""


def weights_of(start: str) -> Weights | None:
    side = program("", start=start)
    return follow(side, side.by_result["%d"]).weights


@pytest.mark.parametrize(
    ("start", "numbers", "steps", "channel"),
    [
        (WEIGHTS, [[1, 2, -3], [0.5, -4, 2]], [0, 0], 1),
        (LEFT, [[1, 2, -3], [0.5, -4, 2]], [0, 0], 0),
        (SEVERAL, [[1] * 30], [0], None),
        (INTEGERS, [[1, 3, 5], [2, 4, -6]], [1, 1], 1),
        (STEPS.replace("TYPE", "!quant.uniform<i8:f32, 0.5>"), [[0.5, 1.5, 2.5], [1, 2, -3]], [0.5, 0.5], 1),
        (
            STEPS.replace("TYPE", "!quant.uniform<i8:f32:1, {0.5, 0.25}>"),
            [[0.5, 1.5, 2.5], [0.5, 1, -1.5]],
            [0.5, 0.25],
            1,
        ),
        (
            STEPS.replace("TYPE", "!quant.uniform<i8:f32:0, {0.5, 0.25, 1.0}>"),
            [[0.5, 0.75, 5], [1, 1, -6]],
            [1, 1],
            1,
        ),
    ],
)
def test_weights_are_known_by_channel_with_the_steps_of_their_type(
    start: str, numbers: list[list[float]], steps: list[float], channel: int | None
) -> None:
    found = weights_of(start)
    assert found is not None
    assert (found.numbers.tolist(), found.steps.tolist(), found.channel) == (numbers, steps, channel)


def test_two_factors_that_are_no_constants_are_no_weights() -> None:
    assert weights_of(BOTH) is None


CONVOLUTION = """%w = stablehlo.constant
    dense<[[[0.0, 1.0], [2.0, 3.0]], [[4.0, 5.0], [6.0, 7.0]]]> : tensor<2x2x2xf32>
  %r = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<1x3x2xf32>
  %d = stablehlo.convolution(%r, %w) dim_numbers = [b, 0, f]x[0, i, o]->[f, b, 0], window = {}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<1x3x2xf32>, tensor<2x2x2xf32>) -> tensor<2x1x2xf32>"""
CONVOLVED = """%w = stablehlo.constant dense<[[[1.0], [2.0], [3.0]]]> : tensor<1x3x1xf32>
  %r = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<2x1x3xf32>
  %d = stablehlo.convolution(%w, %r) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<1x3x1xf32>, tensor<2x1x3xf32>) -> tensor<1x2x3xf32>"""


@pytest.mark.parametrize(
    ("start", "numbers", "channel"),
    [(CONVOLUTION, [[0, 2, 4, 6], [1, 3, 5, 7]], 0), (CONVOLVED, [[1, 2, 3]], None)],
)
def test_the_channels_of_a_convolution_are_those_of_its_kernel(
    start: str, numbers: list[list[float]], channel: int | None
) -> None:
    found = weights_of(start)
    assert found is not None
    assert (found.numbers.tolist(), found.steps.tolist(), found.channel) == (
        numbers,
        [0] * len(numbers),
        channel,
    )


def test_only_constants_of_so_many_numbers_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """The weights have 6; a factor has 2, and 8 where it is spread."""
    text = """func.func @main(%x: tensor<4x3xf32>) -> tensor<4x2xf32> {
      %w = stablehlo.constant dense<[[1.0, 0.5], [2.0, -4.0], [-3.0, 2.0]]> : tensor<3x2xf32>
      %d = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
        : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
      %b = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf32>
      %c = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<2xf32>) -> tensor<4x2xf32>
      %m = stablehlo.multiply %d, %c : tensor<4x2xf32>
      return %m : tensor<4x2xf32>
    }"""
    monkeypatch.setattr(tails, "LARGEST", 6)
    assert followed(Landmarks(interp.load(text).main))[1] == [[1], [2, 3]]
    whole = """%c = stablehlo.constant
        dense<[[2.0, 3.0], [2.0, 3.0], [2.0, 3.0], [2.0, 3.0]]> : tensor<4x2xf32>"""
    start, end = text.index("%b"), text.index("%m")
    assert followed(Landmarks(interp.load(text[:start] + whole + "\n" + text[end:]).main))[0] == ""
    monkeypatch.setattr(tails, "LARGEST", 5)
    assert weights_of(WEIGHTS) is None
    monkeypatch.setattr(tails, "LARGEST", 1)
    assert followed(program(NORMALIZED.replace("FEATURE", "1") + READ))[0] == ""


def test_a_constant_of_one_row_is_known() -> None:
    text = """func.func @main(%x: tensor<1x3xf32>) -> tensor<1x2xf32> {
      %w = stablehlo.constant dense<[[1.0, 0.5], [2.0, -4.0], [-3.0, 2.0]]> : tensor<3x2xf32>
      %d = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
        : (tensor<1x3xf32>, tensor<3x2xf32>) -> tensor<1x2xf32>
      %c = stablehlo.constant dense<[[2.0, 3.0]]> : tensor<1x2xf32>
      %m = stablehlo.multiply %d, %c : tensor<1x2xf32>
      return %m : tensor<1x2xf32>
    }"""
    assert followed(Landmarks(interp.load(text).main))[1] == [[1], [2, 3]]


def test_values_are_the_same_within_a_step_of_the_weights() -> None:
    """Steps of 1/4 and 1/8 with 1 percent allow for 0.37875, of one factor of 2 on the left: 0.63125."""
    for factor, slack in ((1.0, 0.37875), (2.0, 0.63125)):
        left = Tail([], [np.full(1, factor)], [ZERO], Weights(W / factor, np.full(2, 0.25), 1))
        for distance, expected in ((slack - 1e-3, True), (slack + 1e-3, False)):
            numbers = W.copy()
            numbers[1, 1] += distance
            right = Tail([], [ONE], [ZERO], Weights(numbers, np.full(2, 0.125), 1))
            assert is_same_value(left, 0, right, 0) == expected
            assert is_same_value(right, 0, left, 0) == expected


@pytest.mark.parametrize(("distance", "expected"), [(4 * 2.0**-18, True), (4.1 * 2.0**-18, False)])
def test_weights_of_floats_are_the_same_within_a_part_of_the_largest(distance: float, expected: bool) -> None:
    """The largest is 4."""
    numbers = W.copy()
    numbers[0, 0] += distance
    for sign in (1, -1):
        left, right = tail(sign * W, "", [ONE], [ZERO]), tail(sign * numbers, "", [ONE], [ZERO])
        assert is_same_value(left, 0, right, 0) == is_same_value(right, 0, left, 0) == expected


@pytest.mark.parametrize(("distance", "expected"), [(3 * 2.0**-8, True), (3.1 * 2.0**-8, False)])
def test_offsets_are_the_same_within_a_part_of_the_largest(distance: float, expected: bool) -> None:
    """The largest is -3."""
    left = tail(W, "", [ONE], [OFFSET])
    right = tail(W, "", [ONE], [OFFSET + np.array([distance, 0])])
    assert is_same_value(left, 0, right, 0) == is_same_value(right, 0, left, 0) == expected
    assert not is_same_value(left, 0, tail(W, "", [ONE], [-OFFSET]), 0)


def test_values_whose_constants_are_not_known_are_not_the_same() -> None:
    known, wide = tail(W, "", [ONE], [ZERO]), tail(W[:, :2], "", [ONE], [ZERO])
    unknown = Tail([], [ONE], [ZERO], None)
    assert is_same_value(known, 0, known, 0)
    for other in (unknown, wide, tail(W, "", [np.ones(3)], [ZERO]), tail(W, "", [ONE], [np.zeros(3)])):
        assert not is_same_value(known, 0, other, 0)
        assert not is_same_value(other, 0, known, 0)


def test_the_same_function_of_the_arguments_needs_no_weights() -> None:
    spelled = Tail(SPELLED.landmarks, SPELLED.factors, SPELLED.offsets, None)
    other = Tail(["dot", "add"], [ONE, FACTOR], [ZERO, OFFSET], None)
    found = [(str(x), str(y)) for x, y in pairs(spelled, other, (False, False), same=True)]
    assert found == [("dot", "dot"), ("add", "add")]
    twice = Tail(["dot", "multiply", "double"], [ONE, FACTOR, 2 * FACTOR], [ZERO] * 3, None)
    once = Tail(["dot", "multiply"], [ONE, 2 * FACTOR], [ZERO] * 2, None)
    assert list(pairs(twice, once, (False, False), same=True)) == [("dot", "dot"), ("double", "multiply")]


def test_integers_whose_weights_are_not_known_have_the_ends_in_common() -> None:
    unknown = Tail(SPELLED.landmarks, SPELLED.factors, SPELLED.offsets, None)
    wide = tail(W[:, :2], "dot multiply add", SPELLED.factors, SPELLED.offsets)
    for other in (unknown, wide, tail(0 * W, "dot multiply add", SPELLED.factors, SPELLED.offsets)):
        assert partners(other, SPELLED, (True, False)) == [("add", "add")]
        assert partners(SPELLED, other, (False, True)) == [("add", "add")]


def test_a_constant_is_computed_with_what_it_is_made_of(monkeypatch: pytest.MonkeyPatch) -> None:
    text = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
      %b = stablehlo.add %a, %a : tensor<2xf32>
      %y = stablehlo.add %x, %x : tensor<2xf32>
      %c = stablehlo.multiply %b, %a : tensor<2xf32>
      return %y : tensor<2xf32>
    }"""
    func = interp.load(text).main
    (value,) = (op.result for op in func.body.ops if op.results and op.result.name == "%c")
    for largest, expected in ((2, [2, 8]), (1, None)):
        monkeypatch.setattr(tails, "LARGEST", largest)
        found = constant_value(func, value)
        assert (None if found is None else found.tolist()) == expected

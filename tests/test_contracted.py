"""Contractions as reductions, against index loops over the specification and all trees of products."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interp
from interp.questions.shrink import case_events
from spec.ir import Module
from tests.library.builders import contracting, convolution, single
from tests.library.oracles.products_by_hand import numbers, pairs, space
from tests.library.oracles.trees import Node, Trees

Q = "!quant.uniform<i8:f32, 0.5:3>"
PLAIN = {"lhs": "i8", "rhs": "i8", "result": "i8"}
QUANTIZED = {
    "lhs": Q,
    "rhs": "!quant.uniform<i8<-127:127>:f32, 0.25>",
    "result": "!quant.uniform<i8:f32, 2.0>",
}


def dot(lhs: str, rhs: str, result: str) -> Module:
    """Return a dot_general with a batch dimension in the middle, and two dimensions to sum over."""
    attributes: dict[str, Any] = {"lhs_batching_dimensions": (1,), "rhs_batching_dimensions": (0,)}
    attributes |= {"lhs_contracting_dimensions": (3, 0), "rhs_contracting_dimensions": (1, 2)}
    return single("dot_general", f"2x2x3x2x{lhs}; 2x2x2x2x{rhs} -> 2x3x2x{result}", **attributes)


def windows(lhs: str, rhs: str, result: str) -> Module:
    """Return a convolution with padding, holes, two groups, a reversal, and features that come first."""
    attributes: dict[str, Any] = {"padding": ((2, 3),), "lhs_dilation": (2,), "rhs_dilation": (3,)}
    attributes |= {"window_strides": (2,), "window_reversal": (True,), "feature_group_count": 2}
    return convolution(f"2x5x4x{lhs}; 2x2x4x{rhs} -> 4x2x6x{result}", "b0f 0io fb0", **attributes)


def batches(lhs: str, rhs: str, result: str) -> Module:
    return convolution(f"4x3x2x{lhs}; 2x2x4x{rhs} -> 2x2x4x{result}", "b0f 0io b0f", batch_group_count=2)


def arguments(module: Module, least: int = -128, most: int = 127) -> list[np.ndarray]:
    rng = np.random.default_rng(5)
    return [
        rng.integers(least, most + 1, v.type.shape).astype(v.type.storage_type.numpy)
        for v in module.main.inputs
    ]


SHAPES = [dot, windows, batches]
OPTIONS = {
    "plain": (PLAIN, {}),
    "dequantized": (QUANTIZED, {}),
    "wraps": (QUANTIZED, {"reading": "integer", "accumulator": "i15"}),
    "saturates": (QUANTIZED, {"reading": "integer", "accumulator": "i15 saturate"}),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("how", OPTIONS)
def test_leaves_are_the_products_of_the_factors_that_the_specification_names(shape: Any, how: str) -> None:
    types, options = OPTIONS[how]
    module = shape(**types)
    lhs, rhs = args = arguments(module, -127)
    trace = interp.trace(module, *args, **options)
    (reduction,), op = trace.reductions.values(), module.main.body.ops[0]
    for index in space(reduction.shape):
        told = trace.explain("%0", index)
        (init, *leaves), wanted = told.element.leaves, pairs(op, index)
        found = [tuple(factor.index for factor in leaf.factors or ()) for leaf in leaves]
        assert found == wanted
        stored = [(0 if i is None else lhs[i], rhs[j]) for i, j in wanted]
        assert [leaf.factors and leaf.factors[1].stored for leaf in leaves] == [y for _, y in stored]
        scale = 0.125 if how == "dequantized" else 1
        products = [0 if i is None else _number(types, lhs[i], rhs[j]) * scale for i, j in wanted]
        assert [leaf.before for leaf in leaves] == [(x,) for x in products]
        assert init.after == (0,)
        assert told.result == reduction.accumulators[0][index]


def _number(types: dict[str, str], a: Any, b: Any) -> int:
    """Return the product of two factors as integers; times the scales it is exact in f32."""
    return int(a) * int(b) if types is PLAIN else (int(a) - 3) * int(b)


@pytest.mark.parametrize("schedule", ["balanced", "blocks(3)", "random(4)"])
@pytest.mark.parametrize("how", OPTIONS)
def test_replays_give_the_bits_of_the_run_in_every_schedule(how: str, schedule: str) -> None:
    types, options = OPTIONS[how]
    module = windows(**types)
    args = arguments(module, -127)
    left = interp.trace(module, *args, **options).reductions["%0"]
    ran = interp.trace(module, *args, schedule=schedule, **options).reductions["%0"]
    for index in space(left.shape):
        assert left.element(index).result(schedule) == (ran.accumulators[0][index].item(),)


@pytest.mark.parametrize("how", ["plain", "wraps", "saturates"])
def test_verdicts_are_those_of_all_trees(how: str) -> None:
    types, options = OPTIONS[how]
    module = single("dot_general", "9x4x{lhs}; 4x9x{rhs} -> 9x9x{result}".format(**types), **contracting(1))
    low, high = (-128, 127) if how == "plain" else (-(2**14), 2**14 - 1)
    small = (-12, 12) if how == "plain" else (-127, 127)
    lhs, rhs = args = arguments(module, *small)
    trace = interp.trace(module, *args, **options)
    verdict = trace.verdict()
    seen = set()
    for index in space((9, 9)):
        terms = numbers(module.main.body.ops[0], lhs.astype(int) - 3 * (types is QUANTIZED), rhs, index)

        def combine(a: Any, b: Any) -> Node:
            total = a[0] + b[0]
            return Node((total,), not low <= total <= high)

        beyond = any(not low <= x <= high for x in terms)
        expected = "inevitable" if beyond else Trees([(0,), *((x,) for x in terms)], combine).kind
        assert verdict.kinds[index] == expected
        seen.add(expected)
        assert verdict.total is not None
        assert verdict.total[index] == sum(terms)
        if expected == "order-dependent":
            assert verdict.schedule(index) is not None
    assert seen == {"safe", "order-dependent", "inevitable"}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("how", ["plain", "dequantized", "wraps", "saturates"])
def test_bounds_are_those_of_all_sums(shape: Any, how: str) -> None:
    types, options = OPTIONS[how]
    module = shape(**types)
    lhs, rhs = args = arguments(module, -127)
    bounds = interp.trace(module, *args, **options).bounds()
    op, moved = module.main.body.ops[0], 3 * (types is QUANTIZED)
    ends = (-131, 124) if moved else (-128, 127)
    most = 127 if moved else 128
    leasts: list[list[int]] = [[0], [0], [0]]
    greatest: list[list[int]] = [[0], [0], [0]]
    whole = 0
    for index in space(op.result.type.shape):
        terms = [0, *numbers(op, lhs.astype(int) - moved, rhs, index)]
        sums = [sum(terms[a:b]) for a in range(len(terms)) for b in range(a + 1, len(terms) + 1)]
        nodes = [*terms, *(sum(terms[:k]) for k in range(1, len(terms) + 1))]
        weights = [int(rhs[j]) for i, j in pairs(op, index) if i is not None]
        extremes = [sum(pick(w * end for end in ends) for w in weights) for pick in (min, max)]
        for k, found in enumerate((sums, nodes, extremes)):
            leasts[k].append(min(found))
            greatest[k].append(max(found))
        whole = max(whole, len(weights))
    known = (bounds.by_value, bounds.by_schedule, bounds.by_constants)
    for k, bound in enumerate(known):
        assert bound is not None
        assert (bound.least, bound.greatest) == (min(leasts[k]), max(greatest[k]))
    assert bounds.by_type is not None
    corners = [a * b for a in ends for b in (-most, 127)]
    assert (bounds.by_type.least, bounds.by_type.greatest) == (whole * min(corners), whole * max(corners))


def test_an_overflow_planted_in_the_37th_channel_is_found_named_and_shrunk(tmp_path: Path) -> None:
    """Only channel 36 at position (5, 2) of the second image has large weights and a large window."""
    types = {"lhs": "i8", "rhs": "i8", "result": "i16"}
    module = convolution(
        "2x8x6x3x{lhs}; 3x3x3x40x{rhs} -> 2x6x4x40x{result}".format(**types), "b01f 01io b01f"
    )
    rng = np.random.default_rng(0)
    lhs, rhs = rng.integers(0, 4, (2, 8, 6, 3)).astype("i1"), rng.integers(-4, 5, (3, 3, 3, 40)).astype("i1")
    lhs[1, 5:8, 2:5], rhs[..., 36] = 60, 25
    trace = interp.trace(module, lhs, rhs)
    wrong = trace.verdict().wrong
    assert np.argwhere(wrong).tolist() == [[1, 5, 2, 36]]
    told = trace.explain()
    assert told.element.index == (1, 5, 2, 36)
    assert told.exact == 27 * 60 * 25
    assert told.first_bad
    assert told.first_bad.leaf
    number = -(-(2**15) // 1500)
    assert told.first_bad.leaf.number == number
    row, column, feature = np.unravel_index(number - 1, (3, 3, 3))
    assert str(told.first_bad.leaf.origin) == (
        f"%arg0 [1, {5 + row}, {2 + column}, {feature}] x %arg1 [{row}, {column}, {feature}, 36]"
    )
    bounds = trace.bounds()
    assert bounds.by_value
    assert bounds.by_value.greatest == 27 * 60 * 25
    assert bounds.channels
    channels = np.maximum(bounds.channels.greatest, -bounds.channels.least - 1).reshape(-1)
    assert channels.argmax() == 36
    assert trace.verdict().witness((1, 5, 2, 36)).total.value == 40500
    small = trace.shrink()
    assert (small.leaves, small.minimal) == (number, True)
    assert [x.tolist() for x in small.args] == [[60] * number, [25] * number]
    assert case_events(small.save(tmp_path / "case.mlir"))[0].kind == "wrap"


@pytest.mark.parametrize("how", ["wraps", "saturates", "dequantized"])
def test_smaller_cases_of_quantized_contractions_show_the_event(how: str, tmp_path: Path) -> None:
    types, options = OPTIONS[how]
    axis = {**types, "rhs": "!quant.uniform<i8<-127:127>:f32:2, {0.25,0.3,0.1,0.7}>"}
    module = windows(**axis)
    options = {**options, "accumulator": options["accumulator"].replace("15", "16")} if options else {}
    args = [np.where(x > 0, 127, -127).astype(np.int8) for x in arguments(module, -127)]
    trace = interp.trace(module, *args, **options)
    kind = {"wraps": "wrap", "saturates": "saturate", "dequantized": "inexact"}[how]
    small = trace.shrink(kind=kind)
    assert small.minimal
    assert small.leaves <= 4
    assert case_events(small.save(tmp_path / "case.mlir"))[0].kind == kind


def test_i64_products_beyond_64_bits_are_exact() -> None:
    module = single("dot_general", "1x2xi64; 2x1xi64 -> 1x1xi64", **contracting(1))
    big = 2**62
    trace = interp.trace(module, np.array([[big, -big]]), np.array([[4], [4]]))
    assert trace.verdict().kinds.item() == "inevitable"
    assert trace.verdict().total is not None
    assert trace.verdict().total.item() == 0
    assert [leaf.before[0] for leaf in trace.explain().element.leaves] == [0, 4 * big, -4 * big]


def test_steps_walk_through_a_contraction() -> None:
    module = single("dot_general", "1x3xi8; 3x2xi8 -> 1x2xi8", **contracting(1))
    walk = interp.step(module, np.int8([[9, 10, 2]]), np.int8([[1, 5], [1, 8], [1, 10]]))
    position = walk.until("wrap")
    assert position.index == (0, 1)
    assert "x2 = %arg0 [0, 2] x %arg1 [2, 1]" in repr(position)
    assert "125 + 20 -> -111, wrap (exact 145)" in repr(position)
    assert "45 + 80 -> 125" in repr(walk.back())


QDQ = """
!x = !quant.uniform<i8:f32, 0.3:5>
!w = !quant.uniform<i8<-127:127>:f32:0, {0.1, 0.7, 0.03}>
func.func private @product(%a: tensor<2x6xf32>, %b: tensor<3x6xf32>) -> tensor<2x3xf32> {
  %t = stablehlo.transpose %b, dims = [1, 0] : (tensor<3x6xf32>) -> tensor<6x3xf32>
  %0 = stablehlo.dot_general %a, %t, contracting_dims = [1] x [0]
    : (tensor<2x6xf32>, tensor<6x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
func.func @main(%x: tensor<2x6x!x>, %w: tensor<3x6x!w>) -> tensor<2x3x!x> {
  %a = stablehlo.uniform_dequantize %x : (tensor<2x6x!x>) -> tensor<2x6xf32>
  %b = stablehlo.uniform_dequantize %w : (tensor<3x6x!w>) -> tensor<3x6xf32>
  %y = func.call @product(%a, %b) : (tensor<2x6xf32>, tensor<3x6xf32>) -> tensor<2x3xf32>
  %q = stablehlo.uniform_quantize %y : (tensor<2x3xf32>) -> tensor<2x3x!x>
  return %q : tensor<2x3x!x>
}"""


def test_dequantized_operands_are_summed_as_their_integers() -> None:
    """They are known through calls and transposes, and the floats beside them are not taken for integers."""
    module, rng = interp.load(QDQ), np.random.default_rng(3)
    x, w = rng.integers(-128, 128, (2, 6)).astype("i1"), rng.integers(-127, 128, (3, 6)).astype("i1")
    trace = interp.trace(module, x, w)
    bounds = trace.bounds()
    terms = (x.astype(int)[:, None] - 5) * w
    sums = np.cumsum(np.pad(terms, ((0, 0), (0, 0), (1, 0))), -1)
    spans = sums[..., None, :] - sums[..., :, None]
    later = np.triu(np.ones((7, 7), bool))
    assert bounds.by_value
    assert (bounds.by_value.least, bounds.by_value.greatest) == (
        spans[..., later].min(),
        spans[..., later].max(),
    )
    assert bounds.channels
    most = np.maximum(w.astype(int) * -133, w.astype(int) * 122).sum(1)
    assert bounds.channels.greatest.reshape(-1).tolist() == most.tolist()
    assert "integers q - zero_point in i32" in repr(bounds)
    np.testing.assert_array_equal(trace.matrix(types="i32 wrap").exact, terms.sum(-1))
    (reduction,) = trace.reductions.values()
    assert repr(reduction.types[0]) == "f32"
    shifted = interp.load(QDQ.replace("func.call @product(%a, %b)", "func.call @product(%c, %b)").replace(
        "%y =", "%c = stablehlo.add %a, %a : tensor<2x6xf32>\n  %y =")
    )  # fmt: skip
    assert not interp.trace(shifted, x, w).bounds().is_known

"""Products of plain integers that wrap: events where they happen, by index loops, and findings of lint."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interp
from interp.questions.shrink import case_events
from spec.elements import ELEMENT_TYPES
from spec.errors import Malformed
from spec.ir import Module
from tests.library.builders import contracting, convolution, single
from tests.library.oracles.products_by_hand import numbers, pairs, space
from tests.library.strategies.dynamic_programs import made_dynamic
from tests.library.strategies.programs import Program

FEW = settings(max_examples=40, deadline=None)
ENDS = {"i4": (-8, 7), "i8": (-128, 127), "ui8": (0, 255), "i16": (-(2**15), 2**15 - 1)}
ENDS |= {"i64": (-(2**63), 2**63 - 1)}
DOT = "2x3xT; 3x2xT -> 2x2xT"
SPACED = "1x4x2xT; 2x1x4xT -> 1x3x4xT"


def programs(type: str) -> list[Module]:
    """A dot_general, and a convolution with padding, holes, groups and reversal, its result transposed."""
    grouped = convolution(SPACED.replace("T", type), "b0f 0io b0f", feature_group_count=2,
                          padding=((1, 0),), window_strides=(2,), lhs_dilation=(2,), rhs_dilation=(2,),
                          window_reversal=(True,))  # fmt: skip
    turned = convolution("2x1x4xT; 3x1x2xT -> 3x3x2xT".replace("T", type), "bf0 oi0 f0b")
    return [single("dot_general", DOT.replace("T", type), **contracting(1)), grouped, turned]


@FEW
@given(st.data(), st.sampled_from(list(ENDS)), st.booleans())
def test_every_product_that_wraps_is_an_event(data: st.DataObject, type: str, dynamic: bool) -> None:
    """The events at leaves are the products of the index loops that the accumulator does not hold."""
    module = data.draw(st.sampled_from(programs(type)))
    (op, _), (low, high) = module.main.body.ops, ENDS[type]
    near = st.one_of(st.integers(low, high), st.integers(max(low, -13), min(high, 13)))
    args = []
    for value in op.operands:
        drawn = data.draw(st.lists(near, min_size=value.type.size, max_size=value.type.size))
        args.append(np.array(drawn, value.type.storage_type.numpy).reshape(value.type.shape))
    program = Program(module, tuple(args))
    if dynamic and op.name == "stablehlo.convolution":
        program = made_dynamic(program, "i32").dynamic
    trace = interp.trace(program.module, *program.args, kinds="wrap", keep=10_000)
    found = [event for event in trace.kept if event.is_product]
    expected = [
        (index, k + 1, int(args[0][i]) * int(args[1][j]))
        for index in space(op.result.type.shape)
        for k, (i, j) in enumerate(pairs(op, index))
        if i is not None and not low <= int(args[0][i]) * int(args[1][j]) <= high
    ]
    assert sorted((e.index, e.leaves[0], e.exact) for e in found) == sorted(expected)  # type: ignore[index,type-var]
    for event in found:
        assert event.operands[0] * event.operands[1] == event.exact
        assert (event.stored - event.exact) % (high - low + 1) == 0  # type: ignore[operator]
        assert low <= event.stored <= high
        assert event.severity == "error"
    groups = [g for g in trace.groups if g.first.is_product]
    assert sum(g.count for g in groups) == len(expected)
    if expected:
        size = max(max(x - high, low - x, 0) and abs(x - wrapped(x, low, high)) for _, _, x in expected)
        assert groups[0].size == float(size)


def wrapped(x: int, low: int, high: int) -> int:
    return (x - low) % (high - low + 1) + low


def test_a_product_that_wraps_is_named_explained_and_shrunk(tmp_path: Path) -> None:
    """No sum wraps: 100 * 100 is stored as 16 before anything is added to it."""
    module = single("dot_general", "1x2xi8; 2x1xi8 -> 1x1xi8", **contracting(1))
    trace = interp.trace(module, np.int8([[1, 100]]), np.int8([[1], [100]]))
    (group,) = trace.groups
    assert "wrap at result (0, 0), leaf 2: 100 * 100 -> 16 (exact 10000)" in repr(group.first)
    assert trace.verdict().counts == {"inevitable": 1}
    bad = trace.explain().first_bad
    assert bad
    assert bad.leaf
    assert bad.leaf.number == 2
    small = trace.shrink()
    assert [x.tolist() for x in small.args] == [[100], [100]]
    assert [(e.kind, e.is_product) for e in case_events(small.save(tmp_path / "small.mlir"))] == [
        ("wrap", True)
    ]


def test_a_verdict_without_reductions_tells_of_the_events() -> None:
    trace = interp.trace(single("multiply", "2xi8; 2xi8 -> 2xi8"), np.int8([100, 2]), np.int8([100, 2]))
    with pytest.raises(Malformed, match=r"wrap x 1, first at result \(0,\): 100 \* 100 -> 16"):
        trace.verdict()


@pytest.mark.parametrize("type", ["i4", "i8", "ui8"])
@pytest.mark.parametrize("result", ["i8", "i16", "ui8"])
def test_lint_finds_the_contractions_that_some_data_overflows(type: str, result: str) -> None:
    """It is silent exactly if no corner of the data overflows: then no data does."""
    (low, high), (least, greatest) = ENDS[type], ENDS[result]
    module = single("dot_general", f"1x2x{type}; 2x1x{type} -> 1x1x{result}", **contracting(1))
    op = module.main.body.ops[0]
    sums = set()
    for corner in product((low, high), repeat=4):
        x, y = np.array(corner[:2]).reshape(1, 2), np.array(corner[2:]).reshape(2, 1)
        a, b = numbers(op, x, y, (0, 0))
        sums |= {a, b, a + b}
    found = [each.code for each in interp.lint(module)]
    assert found == ["lint_overflow"] * any(not least <= x <= greatest for x in sums)


@pytest.mark.parametrize(("factor", "found"), [(0, []), (1, []), (-1, ["lint_wrap"]), (2, ["lint_wrap"])])
def test_lint_knows_the_constants_of_a_product(factor: int, found: list[str]) -> None:
    """-1 times -128 is 128, which i8 does not hold."""
    program = f"""func.func @main(%x: tensor<2xi8>) -> tensor<2xi8> {{
      %c = stablehlo.constant dense<{factor}> : tensor<2xi8>
      %0 = stablehlo.multiply %x, %c : tensor<2xi8>
      return %0 : tensor<2xi8>
    }}"""
    assert [each.code for each in interp.lint(program)] == found
    assert interp.lint(program.replace("i8", "i32")) == []


# Products of floats that become infinite.

TOP = {
    "f16": 65504.0,
    "bf16": float(ml_dtypes.finfo(ml_dtypes.bfloat16).max),
    "f32": float(np.finfo("f").max),
}


@pytest.mark.parametrize("element", TOP)
@given(seed=st.integers(0, 99))
def test_a_product_of_finite_floats_that_is_infinite_is_an_event_where_it_is(element: str, seed: int) -> None:
    """Counted by Python's fractions; a factor that is infinite brings its infinity in."""
    rng, type = np.random.default_rng(seed), ELEMENT_TYPES[element]
    module = single("dot_general", DOT.replace("T", element), **contracting(1))
    draw = lambda *shape: rng.choice([1.0, 2.0, -3.0, TOP[element], TOP[element] / 2, np.inf], shape)
    left, right = draw(2, 3), draw(3, 2)
    limit = Fraction(TOP[element]) * (1 + Fraction(1, 2 ** (type.mantissa + 2)))
    expected = [
        ((i, j), k + 1, Fraction(left[i, k]) * Fraction(right[k, j]))
        for i, j, k in np.ndindex(2, 2, 3)
        if np.isfinite([left[i, k], right[k, j]]).all()
        and abs(Fraction(left[i, k]) * Fraction(right[k, j])) >= limit
    ]
    trace = interp.trace(module, *(x.astype(type.numpy) for x in (left, right)), kinds="inf", keep=100)
    found = [event for event in trace.kept if event.is_product]
    assert sorted((e.index, e.leaves[0], e.exact) for e in found) == sorted(expected)  # type: ignore[index,type-var]


ALGORITHM = """lhs_precision_type = T, rhs_precision_type = T, accumulation_type = f32,
  lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1,
  allow_imprecise_accumulation = false"""


@pytest.mark.parametrize(("precision", "found"), [("bf16", [1, 2, 3]), ("tf32", [1, 3]), ("f32", [3])])
def test_an_algorithm_multiplies_what_it_rounds(precision: str, found: list[int]) -> None:
    """The square of 2^64 is infinite in f32, and those of two numbers below it if they are rounded to it."""
    root = np.float32(2.0**64)
    text = f"""func.func @main(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<f32> {{
      %r = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT],
        algorithm = <{ALGORITHM.replace("T", precision)}> : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
      return %r : tensor<f32>
    }}"""
    x = np.array([np.nextafter(root, np.float32(0)), root * np.float32(1 - 2.0**-9), root])
    trace = interp.trace(text, x, x, kinds="inf", keep=9)
    assert [event.leaves[0] for event in trace.kept if event.is_product] == found


def test_products_of_integers_in_floats_do_not_wrap_first() -> None:
    text = """func.func @main(%x: tensor<2xi32>) -> tensor<f16> {
      %r = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0]
        : (tensor<2xi32>, tensor<2xi32>) -> tensor<f16>
      return %r : tensor<f16>
    }"""
    trace = interp.trace(text, np.array([1 << 16, 9], np.int32), kinds="inf", keep=9)
    assert [event.leaves[0] for event in trace.kept if event.is_product] == [1]

"""Sums by blocks of one scale: an accumulation within each block, another across them, and Qwix's order."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import interp
from interp.backends import NUMPY
from interp.backends.dtypes import numpy_dtype
from interp.engine.block_scales import significant_bits
from interp.engine.float_sums import scale_exactly
from interp.kernels.block_sums import edges_of
from interp.theory.sums import narrowest
from spec.accumulation import Accumulation
from spec.accumulator import Reading
from spec.errors import Malformed, Unspecified, Unsupported
from spec.integer_reading import refusal, sums_blocks
from spec.ir import Module
from spec.meaning.evaluate import evaluate
from spec.meaning.index import Tensor
from spec.types import ELEMENT_TYPES
from tests.library.oracles.blocks_by_hand import parameters
from tests.library.oracles.blocks_checked import _array, _flat
from tests.library.oracles.exact_model import fl
from tests.library.oracles.products_by_hand import pairs, space
from tests.library.strategies.block_programs import BlockProgram, draw

F32 = ELEMENT_TYPES["f32"]
WITHIN = (
    *("left", "balanced", "left in i12", "left in i16 saturate", "lanes(2: left in i8 saturate; left)"),
    *("blocks(2: left in i10 saturate; balanced in i16)", "left in f32", "star exact in f32"),
    *("left fma in bf16", "left(2) fused(10) in f32", "left in f32 toward zero"),
)
ACROSS = (
    *("left", "balanced", "right", "left in f64", "left fma", "star exact", "left in bf16"),
    *("left products in bf16 in f32", "lanes(2: left; balanced)", "left(2) fused(12) in f32"),
)
BLOCKED = [p for p in map(draw, range(260)) if sums_blocks(p.op) and not refusal(p.op)]
RUN = """
!x = tensor<1x4x!quant.uniform<i16:f32, 0.7450029>>
!w = tensor<4x1x!quant.uniform<i16:f32:{0:2}, {{0.42317522}, {1.0}}>>
!y = tensor<1x1x!quant.uniform<i32:f32, 0.0078125>>
func.func @main(%x: !x, %w: !w) -> tensor<1x1xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (!x, !w) -> !y
  %1 = stablehlo.uniform_dequantize %0 : (!y) -> tensor<1x1xf32>
  return %1 : tensor<1x1xf32>
}"""
LHS, RHS = np.array([[32767, -3375, 3, 1]], np.int16), np.array([[-12], [1], [5], [-2]], np.int16)


@pytest.fixture(scope="module")
def program() -> Module:
    return interp.load(RUN)


def both(p: BlockProgram, text: str, recipe: str | None) -> tuple[list[int], list[int]]:
    """Return the elements that the oracle and the engine give."""
    arrays = [_array(x, v.type) for x, v in zip(p.flat(), p.module.main.inputs, strict=True)]
    tensors = [Tensor(v.type, x) for v, x in zip(p.module.main.inputs, p.flat(), strict=True)]
    how = Reading("integer", chosen=recipe or "")
    oracle = evaluate(p.module, tensors, Accumulation.parse(text), reading=how)[0].elements
    found = interp.run(p.module, *arrays, reading="integer", accumulator=text, recipe=recipe)[0]
    return list(oracle), _flat(found)


@pytest.mark.parametrize("p", BLOCKED[:24], ids=lambda p: p.op.name[10:])
def test_oracle_and_engine_agree_on_any_pair_of_accumulations(p: BlockProgram) -> None:
    rng = Random(repr(p.arguments))
    for recipe in (None, "qwix"):
        text = f"scales({rng.choice(WITHIN)}; {rng.choice(ACROSS)})"
        with suppress(Unsupported):  # products that f64 does not hold, in nodes that cut them
            oracle, engine = both(p, text, recipe)
            assert oracle == engine, text


def test_the_declared_accumulations_give_the_bits_of_none() -> None:
    for p in BLOCKED[:8]:
        oracle, engine = both(p, "scales(left; left)", None)
        arrays = [_array(x, v.type) for x, v in zip(p.flat(), p.module.main.inputs, strict=True)]
        assert oracle == engine == _flat(interp.run(p.module, *arrays, reading="integer")[0])


def test_the_order_of_the_triple_product_is_a_recipe(program: Module) -> None:
    """acc -396579 and 13: once, or fl(fl(fl(acc) * s_l) * s_r), by exact fractions."""
    s, t, u = (Fraction(float(np.float32(x))) for x in (0.7450029, 0.42317522, 1.0))
    once = fl(fl(-396579 * s * t, F32) + fl(13 * s * u, F32), F32)
    step = fl(fl(fl(fl(-396579 * s, F32) * t, F32) + fl(fl(13 * s, F32) * u, F32), F32), F32)
    assert once != step
    for recipe, expected in ((None, once), ("qwix", step)):
        (result,) = interp.run(program, LHS, RHS, reading="integer", recipe=recipe)
        assert result.item() == float(expected)
        along = {"accumulator": "scales(left in i32; left in f32)", "recipe": recipe}
        assert interp.run(program, LHS, RHS, reading="integer", **along)[0].item() == float(expected)
        (compiled,) = interp.compile(program, reading="integer", recipe=recipe)(LHS, RHS)
        assert compiled.item() == float(expected)


def test_qwix_is_a_recipe_of_contractions_alone() -> None:
    x, y = "tensor<!quant.uniform<i8:f32, 0.5>>", "tensor<!quant.uniform<i8:f32, 0.3>>"
    text = f"""func.func @main(%x: {x}) -> {y} {{
      %0 = stablehlo.abs %x : ({x}) -> {y}
      return %0 : {y} }}"""
    with pytest.raises(Unspecified, match="the recipe qwix does not define"):
        interp.run(text, np.int8(3), reading="integer", recipe="qwix")


def test_wrapping_within_a_block_and_a_wide_sum_across(program: Module) -> None:
    """-396579 wraps to -3363 in i16; across, 2^-7 of a step is kept by f64 and the result's f32."""
    s, t = (Fraction(float(np.float32(x))) for x in (0.7450029, 0.42317522))
    assert (-396579 + 2**15) % 2**16 - 2**15 == -3363
    expected = fl(-3363 * s * t + 13 * s, F32)
    (result,) = interp.run(
        program, LHS, RHS, reading="integer", accumulator="scales(left in i16; star exact in f32)"
    )
    steps = round(Fraction(expected) * 128)  # the result's scale is 2^-7
    assert result.item() == steps / 128


def test_the_text_of_an_accumulation_by_scales() -> None:
    text = "scales(blocks(4: left in i16 saturate; left in i32); balanced in f32)"
    known = Accumulation.parse(text)
    assert repr(known) == text
    assert Accumulation.parse(repr(known.within)) == known.within
    assert repr(known.across) == "balanced in f32"
    assert Accumulation.parse("scales(left; left) in f32") == Accumulation.parse(
        "scales(left in f32; left in f32)"
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("scales(scales(left; left); left)", "groups of one scale are not groups of another pattern"),
        ("blocks(2: scales(left; left); left)", "groups of one scale are not groups of another pattern"),
        ("scales(left; left) from zero", "has no other level and no other start beside it"),
        ("scales(left; left) where n < 4: left;", "has no other level and no other start beside it"),
        ("scales(4: left; left)", "expected one of left"),
    ],
)
def test_scales_around_and_within_others_are_refused(text: str, why: str) -> None:
    with pytest.raises(Malformed, match=why):
        Accumulation.parse(text)


def test_sums_that_are_not_by_blocks_refuse_scales(program: Module) -> None:
    with pytest.raises(Unsupported, match="does not sum integers by blocks of one scale"):
        interp.run(program, LHS, RHS, accumulator="scales(left; left)")
    with pytest.raises(Unsupported, match="its scales change along the sum"):
        interp.run(program, LHS, RHS, reading="integer", accumulator={"%0": "left in i16"})
    with pytest.raises(Unsupported, match="is not compiled"):
        interp.compile(program, reading="integer", accumulator="scales(left; left)")


def test_events_within_and_across_name_the_leaves_of_the_whole_sum(program: Module) -> None:
    how = "scales(left in i17 saturate; left in bf16)"
    trace = interp.trace(program, LHS, RHS, reading="integer", accumulator=how)
    events = [
        (e.kind, e.leaves, e.exact, e.stored) for e in trace.events if e.kind in ("saturate", "inexact")
    ]
    assert events[0] == ("saturate", (0, 1), -393204, -65536)
    assert (
        "inexact",
        (0, 2),
        Fraction(-329573, 16),
        -20608.0,
    ) in events  # -65536 * s_l * s_r, and 0, in bf16


def test_a_trace_of_blocks_that_saturate_has_no_events_of_clipping() -> None:
    """The result has blocks of its own, whose zero points are no numbers of the accumulator."""
    text = """
    !x = tensor<2x4x!quant.uniform<i8:f32, 0.5>>
    !w = tensor<4x2x!quant.uniform<i8:f32:{0:2}, {{0.3}, {0.7}}>>
    !y = tensor<2x2x!quant.uniform<i8:f32:{0:1}, {{0.1:127}, {0.2:-8}}>>
    func.func @main(%x: !x, %w: !w) -> !y {
      %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (!x, !w) -> !y
      return %0 : !y
    }"""
    x, w = np.full((2, 4), 100, np.int8), np.full((4, 2), 100, np.int8)
    trace = interp.trace(text, x, w, reading="integer", accumulator="i8 saturate")
    (held,) = (group for group in trace.groups if group.first.leaves and group.kind == "saturate")
    assert held.count == 16  # two sums in each of two blocks, for four results
    assert {e.severity for e in trace.events if e.leaves and e.kind == "saturate"} == {"error"}


@pytest.mark.parametrize("p", BLOCKED[:6], ids=lambda p: p.op.name[10:])
def test_a_lowered_program_by_blocks_has_the_bits_of_the_run(p: BlockProgram) -> None:
    arrays = [_array(x, v.type) for x, v in zip(p.flat(), p.module.main.inputs, strict=True)]
    for accumulator in (None, "i10 saturate", "i9"):
        options = {"reading": "integer", "accumulator": accumulator}
        expected = _flat(interp.run(p.module, *arrays, **options)[0])
        assert _flat(np.asarray(interp.compile(p.module, **options)(*arrays)[0])) == expected
    lowered = interp.lower(p.module, reading="integer")
    assert "quant" not in str(lowered)
    assert _flat(interp.run(lowered, *arrays)[0]) == _flat(
        interp.run(p.module, *arrays, reading="integer")[0]
    )


SCALES = st.floats(2.0**-20, 2.0**20, width=32)


@given(st.integers(-(2**31), 2**31 - 1), SCALES, SCALES)
def test_a_triple_product_is_rounded_once(whole: int, s: float, t: float) -> None:
    expected = fl(whole * Fraction(s) * Fraction(t), F32)
    found = scale_exactly(NUMPY, np.array([whole]), np.array([s * t]), F32, 32, 48)
    assert found.item() == float(expected)


def test_a_product_that_f64_rounds_to_a_tie_is_not_rounded_twice() -> None:
    """Products of 78 bits next to ties of 24 bits: f64 rounds to the tie, and f32 then to even."""
    a, twice = 2**31 - 1, 0
    for m in range(2**23, 2**23 + 1000):
        tie = (2 * m + 1) << 53
        b = (tie + a // 2) // a
        if 0 < abs(a * b - tie) < 2**24:  # less than half a step of f64
            expected = fl(Fraction(a * b), F32)
            assert scale_exactly(NUMPY, np.array([a]), np.array([float(b)]), F32, 32, 48).item() == expected
            twice += float(np.float32(float(a) * float(b))) != expected
    assert twice > 3


def test_a_product_of_more_than_53_bits_is_a_fraction() -> None:
    whole, scale = 2**60 + 2**36 + 1, 1 + 2.0**-23
    expected = fl(whole * Fraction(scale), F32)
    assert scale_exactly(NUMPY, np.array([whole]), np.array([scale]), F32, 62, 24).item() == expected


def test_bits_of_scales_decide_whether_f64_holds_a_product() -> None:
    assert significant_bits(np.array([0.5, 4.0])) == 1
    assert significant_bits(np.array([0.75, 1.0])) == 2
    assert significant_bits(np.array([1 + 2.0**-23, 1.0])) == 24


def test_scales_as_operands_mean_what_types_with_scales_mean() -> None:
    """The composite sums by blocks in f32; quantized, it is the contraction whose types have the scales."""
    random = np.random.default_rng(5)
    x, w = (random.integers(-128, 128, shape).astype(np.int8) for shape in ((3, 8), (8, 2)))
    s, t = (2.0 ** random.integers(-6, 0, shape) * 1.5 for shape in ((3, 2), (2, 2)))
    row = lambda table: "{" + ", ".join("{" + ", ".join(f"{v:.7f}" for v in r) + "}" for r in table) + "}"
    typed = f"""
    !x = tensor<3x8x!quant.uniform<i8:f32:{{0:1, 1:4}}, {row(s)}>>
    !w = tensor<8x2x!quant.uniform<i8:f32:{{0:4, 1:1}}, {row(t)}>>
    !y = tensor<3x2x!quant.uniform<i32:f32, 0.00006103515625>>
    func.func @main(%x: !x, %w: !w) -> tensor<3x2xf32> {{
      %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (!x, !w) -> !y
      %1 = stablehlo.uniform_dequantize %0 : (!y) -> tensor<3x2xf32>
      return %1 : tensor<3x2xf32>
    }}"""
    operands = "tensor<3x8xi8>, tensor<8x2xi8>, tensor<3x2xbf16>, tensor<2x2xbf16>"
    arguments = ", ".join(f"%{name}: {type}" for name, type in zip("xwst", operands.split(", "), strict=True))
    composed = f"""
    func.func @main({arguments}) -> tensor<3x2xf32> {{
      %0 = stablehlo.composite "xla.scaled_dot" %x, %w, %s, %t {{
        composite_attributes = {{dimension_numbers = [[[1], [0]], [[], []]], preferred_element_type = f32}},
        decomposition = @inner}} : ({operands}) -> tensor<3x2xf32>
      return %0 : tensor<3x2xf32>
    }}
    func.func private @inner({arguments}) -> tensor<3x2xf32> {{
      %0 = stablehlo.constant dense<0.0> : tensor<3x2xf32>
      return %0 : tensor<3x2xf32>
    }}"""
    (by_type,) = interp.run(typed, x, w, reading="integer")
    scales = (table.astype(numpy_dtype(ELEMENT_TYPES["bf16"])) for table in (s, t))
    (by_operand,) = interp.run(composed, x, w, *scales, reading="integer")
    assert len({v for row in by_type.tolist() for v in row}) == 6
    assert by_type.tolist() == by_operand.tolist()


# Proofs


def integers_by_block(p: BlockProgram) -> list[list[int]]:
    """Return the products of `q - zero_point` of each block of each result, by hand."""
    lhs, rhs = (value.type for value in p.op.operands)
    found = []
    every = {i: pairs(p.op, i) for i in space(p.op.result.type.shape)}
    for places in every.values():
        for first, last in edges_of(p.op):
            block = [(a, b) for a, b in places[first:last] if a is not None]
            point = lambda type, at: parameters(type, at)[1]
            found.append(
                [(p.arguments[0][a] - point(lhs, a)) * (p.arguments[1][b] - point(rhs, b)) for a, b in block]
            )
    return found


WIDE = [p for p in BLOCKED if p.op.result.type.quantized_element_type.expressed_type == F32]


@pytest.mark.parametrize("p", [p for p in WIDE if p.kind == "dot"][:12], ids=lambda p: p.op.name[10:])
def test_a_proof_of_known_arguments_has_the_extremes_of_all_blocks(p: BlockProgram) -> None:
    """In any order a block's partial sums lie between its negative terms and its positive ones."""
    arrays = [_array(x, v.type) for x, v in zip(p.flat(), p.module.main.inputs, strict=True)]
    known = dict(enumerate(arrays))
    proof = interp.prove(p.module, known, reading="integer")
    blocks = integers_by_block(p)
    least = min(sum(min(x, 0) for x in block) for block in blocks)
    greatest = max(sum(max(x, 0) for x in block) for block in blocks)
    (row,) = proof.rows
    assert row.judgement.needed.hull == (least, greatest)
    bits = max(2, narrowest(least, greatest, True))
    for width, ok in ((bits, True), (bits - 1, False)):
        if width >= 2:
            (row,) = interp.prove(p.module, known, reading="integer", accumulator=width).rows
            assert (row.verdict == "proved" and row.judgement.scope == "any order") == ok


def test_floats_across_blocks_may_be_infinite() -> None:
    """65504 is the largest f16: 32 * 127 * 127 times 0.25 is beyond it, so that nothing is proved."""
    text = """
    !x = tensor<1x64x!quant.uniform<i8<-127:127>:f16, 0.5>>
    !w = tensor<64x1x!quant.uniform<i8<-127:127>:f16:{0:32}, {{0.5}, {SCALE}}>>
    !y = tensor<1x1x!quant.uniform<i8:f16, 1.0>>
    func.func @main(%x: !x, %w: !w) -> !y {
      %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (!x, !w) -> !y
      return %0 : !y
    }"""
    far = text.replace("SCALE", "0.25")
    (row,) = interp.prove(far, reading="integer").rows
    assert row.verdict == "refuted"  # already 32 * 127 * 127 * 0.25 is
    assert row.witness is not None
    assert row.witness.event.kind == "inf"
    (row,) = interp.prove(far, reading="integer", runs=0).rows
    assert row.verdict == "unknown"
    assert row.judgement.why == "sums of blocks, times their scales, may be infinite in f16"
    small = text.replace("0.5}, {SCALE", "0.03}, {0.02")
    assert interp.prove(small, reading="integer").rows[0].verdict == "proved"
    assert interp.prove(small, reading="integer", recipe="qwix").rows[0].verdict == "refuted"  # fl(516128)

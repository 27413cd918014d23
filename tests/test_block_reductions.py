"""Sums by blocks of scales as recorded reductions: their events, explanations, bounds, verdicts and proofs.

Expectations are computed here with Python's integers and fractions, node by node.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pytest

import interp
from interp.answers.trace import Trace
from interp.kernels.block_sums import edges_of
from interp.questions.proving.prove import walk_forward
from interp.theory.sums import narrowest
from spec.errors import Malformed, Unsupported
from spec.integer_reading import refusal, sums_blocks
from spec.ir import Module
from tests.library.oracles.blocks_by_hand import parameters
from tests.library.oracles.blocks_checked import _array
from tests.library.oracles.exact_model import fl
from tests.library.oracles.products_by_hand import pairs, space
from tests.library.strategies.block_programs import BlockProgram, draw

BLOCKED = [p for p in map(draw, range(260)) if sums_blocks(p.op) and not refusal(p.op)]
Index = tuple[int, ...]


class Leaf(NamedTuple):
    """A product of integers, and the product of its scales; None for padding."""

    product: int
    scale: Fraction | None


def blocks_of(p: BlockProgram) -> Iterator[tuple[Index, list[list[Leaf]]]]:
    """Yield the leaves of each block of each result, by hand."""
    lhs, rhs = (value.type for value in p.op.operands)
    for i in space(p.op.result.type.shape):
        leaves = []
        for a, b in pairs(p.op, i):
            if a is None:
                leaves.append(Leaf(0, None))
                continue
            (s, z), (t, y) = parameters(lhs, a), parameters(rhs, b)
            leaves.append(Leaf((p.arguments[0][a] - z) * (p.arguments[1][b] - y), s * t))
        yield i, [leaves[first:last] for first, last in edges_of(p.op)]


def hold(x: int, bits: int, saturates: bool) -> int:
    low, high = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
    return min(max(x, low), high) if saturates else (x - low) % 2**bits + low


def bits_of(accumulator: str) -> int:
    return int(accumulator.split()[0][1:])


def arrays_of(p: BlockProgram) -> list[np.ndarray]:
    return [_array(x, v.type) for x, v in zip(p.flat(), p.module.main.inputs, strict=True)]


def traced(p: BlockProgram, accumulator: Any = None, **options: Any) -> Trace:
    return interp.trace(p.module, *arrays_of(p), reading="integer", accumulator=accumulator, **options)


# Events


@pytest.mark.parametrize("p", BLOCKED[:16], ids=lambda p: p.op.name[10:])
def test_every_overflow_within_a_block_is_an_event_with_its_block_and_leaves(p: BlockProgram) -> None:
    for accumulator, saturates in (("i9", False), ("i10 saturate", True)):
        bits, expected = bits_of(accumulator), Counter[Any]()
        for index, blocks in blocks_of(p):
            first = 0
            for k, block in enumerate(blocks):
                total = 0
                for n, leaf in enumerate(block, first + 1):
                    exact, total = total + leaf.product, hold(total + leaf.product, bits, saturates)
                    expected[index, k, (0, n), exact, total] += exact != total
                first += len(block)
        for how in (accumulator, f"scales(left in {accumulator}; left)"):
            trace = traced(p, how, kinds=("wrap", "saturate"), keep=10**6)
            found = [e for e in trace.kept if e.leaves]
            assert all(e.kind == ("saturate" if saturates else "wrap") for e in found)
            seen = Counter((e.index, e.within, e.leaves, e.exact, e.stored) for e in found)
            assert seen == +expected, how


def test_roundings_across_blocks_are_apart_from_those_within() -> None:
    """Within, f16 rounds 2049; across, bf16 rounds 257: two groups of one kind, each with its place."""
    text = """
    !x = tensor<1x4x!quant.uniform<i8:f32, 1.0>>
    !w = tensor<4x1x!quant.uniform<i8:f32:{0:2}, {{1.0}, {0.5}}>>
    !y = tensor<1x1x!quant.uniform<i32:f32, 1.0>>
    func.func @main(%x: !x, %w: !w) -> !y {
      %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (!x, !w) -> !y
      return %0 : !y
    }"""
    x, w = np.array([[64, 1, 2, 0]], np.int8), np.array([[32], [1], [1], [0]], np.int8)
    trace = interp.trace(
        text, x, w, reading="integer", accumulator="scales(left in f16; left in bf16)", kinds="inexact"
    )
    places = [(g.count, g.first.within, g.first.place) for g in trace.groups]
    assert places == [
        (1, 0, "result (0, 0), block 0, leaves 0..2"),
        (1, -1, "result (0, 0), across blocks 0..1"),
    ]
    assert [e.exact for e in trace.events] == [2049, 2049]  # 2048 in f16, and 2048 + 1 in bf16
    assert '"block": "across"' in trace.to_json()


# Explanations


@pytest.mark.parametrize("p", BLOCKED[:12], ids=lambda p: p.op.name[10:])
def test_an_explanation_has_each_block_of_each_element(p: BlockProgram) -> None:
    T = p.op.operands[0].type.quantized_element_type.expressed_type
    for how, bits, saturates in (("i9", 9, False), ("scales(balanced in i11 saturate; left)", 11, True)):
        trace = traced(p, how)
        reduction = trace.reduction("%" + p.op.result.name[1:])
        for index, blocks in blocks_of(p):
            found = trace.explain(index=index)
            for k, block in enumerate(blocks):
                own, scale = (
                    found.blocks[k],
                    next((x.scale for x in block if x.scale is not None), Fraction(0)),
                )
                assert own.exact == sum(x.product for x in block)
                if not saturates:
                    assert own.held == hold(own.exact, bits, False)
                if -(2 ** (bits - 1)) <= min(own.nodes) <= max(own.nodes) < 2 ** (bits - 1):
                    assert own.held == own.exact
                assert own.term == own.held * scale
                assert own.stored == float(fl(own.term, T))
                inside = found.block(k)
                assert [x.before[0] for x in inside.element.leaves[1:]] == [x.product for x in block]
                assert inside.result == own.held
            total = Fraction(0)
            for own in found.blocks:
                total = fl(total + fl(own.term, T), T)
            assert found.result == float(total) == reduction.accumulators[0][index]


def test_an_explanation_reads_as_a_story() -> None:
    trace = interp.trace(TWO, X, W, reading="integer", accumulator="i5 saturate")
    lines = repr(trace.explain()).split("\n")
    assert lines[0] == "dot_general %0 at (0, 0) by 2 blocks, 4 leaves"
    assert lines[4].split()[:5] == ["1", "3..4", "-11", "-16", "6"]
    assert lines[4].endswith("! first: saturate x 2")
    assert lines[5] == "block 1, leaves 3..4:"
    assert lines[8].split()[0] == "3"
    assert lines[8].endswith("! first: saturate in i5 saturate")
    assert "with exact sums everywhere" in lines[-1]
    with pytest.raises(Malformed, match="has no block 2"):
        trace.reduction().block(2)


TWO = """
!x = tensor<1x4x!quant.uniform<i8:f32, 0.5>>
!w = tensor<4x1x!quant.uniform<i8:f32:{0:2}, {{0.3}, {0.7}}>>
!y = tensor<1x1x!quant.uniform<i8:f32, 0.1>>
func.func @main(%x: !x, %w: !w) -> !y {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (!x, !w) -> !y
  return %0 : !y
}"""
X, W = np.array([[1, 2, 3, 4]], np.int8), np.array([[5], [-6], [7], [-8]], np.int8)


def test_a_block_that_is_infinite_is_explained() -> None:
    """2^15 * 2 is beyond f16; the recipe qwix scales it all the same."""
    x, w = np.full((1, 4), -128, np.int8), np.full((4, 1), -128, np.int8)
    how = "scales(left products in f32 in f8E5M2; left)"
    trace = interp.trace(TWO, x, w, reading="integer", accumulator=how, recipe="qwix")
    found = trace.explain()
    assert [block.held for block in found.blocks] == [32768.0, 32768.0]
    text = TWO.replace("i8", "i16").replace("f32, 0.1", "f32, 1.0")
    x, w = np.full((1, 4), 300, np.int16), np.full((4, 1), 300, np.int16)
    trace = interp.trace(
        text, x, w, reading="integer", accumulator="scales(left in f16; left)", recipe="qwix"
    )
    assert [block.held for block in trace.explain().blocks] == [np.inf, np.inf]
    assert "inf" in repr(trace.explain())


def test_a_block_whose_scales_make_it_infinite_is_an_event() -> None:
    """3 * 29000 is beyond f16 before anything is added; 2 * 30000 is not, but 2 * 29000 more is."""
    x, w = np.array([[1, 1, 1, 1]], np.int8), np.array([[2], [0], [3], [0]], np.int8)
    module = tiny([3, 3, 3, 3], [3e4, 2.9e4], "i8:f16, 1.0")
    trace = interp.trace(module, x, w, reading="integer")
    (group,) = (group for group in trace.groups if group.first.leaves)
    scale = Fraction(float(np.float16(2.9e4)))
    assert (group.kind, group.count, group.first.exact) == ("inf", 1, 3 * scale)
    assert group.first.place == "result (0, 0), scaled block 1"
    w[2] = 2
    trace = interp.trace(module, x, w, reading="integer")
    assert [g.first.place for g in trace.groups if g.kind == "inf"] == ["result (0, 0), across blocks 0..1"]
    along = interp.trace(module, x, w + 1, reading="integer", accumulator="scales(left; left in f16)")
    assert [g.first.place for g in along.groups if g.kind == "inf"] == ["result (0, 0), across blocks 0..0"]


def test_a_step_across_blocks_names_what_happened_within_them() -> None:
    stepper = interp.step(TWO, X, W, reading="integer", accumulator="i5")
    lines = [repr(stepper.step()) for _ in range(3)]
    assert "x0 = block 0, leaves 1..2\n" in lines[1] + "\n"
    assert "x1 = block 1, leaves 3..4, wrap x 2" in lines[2]


def test_what_a_sum_across_blocks_absorbs_is_an_event() -> None:
    """508 + 1 in bf16, then 510 + 2 = 512, and 16 terms that are all lost: 1 and 2 in turn."""
    scales = ", ".join(["{1.0}", "{0.5}"] * 10)
    text = f"""
    !x = tensor<1x40x!quant.uniform<i8:bf16, 1.0>>
    !w = tensor<40x1x!quant.uniform<i8:bf16:{{0:2}}, {{{scales}}}>>
    !y = tensor<1x1x!quant.uniform<i16:bf16, 1.0>>
    func.func @main(%x: !x, %w: !w) -> !y {{
      %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (!x, !w) -> !y
      return %0 : !y
    }}"""
    x, w = np.full((1, 40), 1, np.int8), np.full((40, 1), 1, np.int8)
    x[0, 0], w[0, 0] = 127, 4
    trace = interp.trace(text, x, w, reading="integer")
    (group,) = (group for group in trace.groups if group.kind == "absorbed")
    assert (group.count, group.first.lost, group.first.within) == (17, 25.0, -1)
    assert group.first.place == "result (0, 0), across blocks 0..19"


# Bounds


def neighbours(block: list[int]) -> Iterator[int]:
    """Yield 0, the leaves and the sums of neighbouring ones: the nodes of all trees."""
    yield 0
    for i in range(len(block)):
        for j in range(i + 1, len(block) + 1):
            yield sum(block[i:j])


@pytest.mark.parametrize("p", BLOCKED[:12], ids=lambda p: p.op.name[10:])
def test_bounds_of_these_inputs_are_those_of_all_nodes_of_each_block(p: BlockProgram) -> None:
    every = [[[x.product for x in block] for block in blocks] for _, blocks in blocks_of(p)]
    found = traced(p).bounds()
    for k in range(len(every[0])):
        nodes = [x for blocks in every for x in neighbours(blocks[k])]
        least, greatest = min(nodes), max(nodes)
        (ends,) = (blocks[k] for blocks in found.ranges["these inputs, any schedule"].values())
        assert ends.hull == (least, greatest)
        assert found.bits("these inputs, any schedule")[k] == max(2, narrowest(least, greatest, True))
        prefixes = [sum(b[k][:n]) for b in every for n in range(len(b[k]) + 1)] + [
            x for b in every for x in b[k]
        ]
        (ends,) = (blocks[k] for blocks in found.ranges["these inputs, this schedule"].values())
        assert ends.hull == (min(prefixes), max(prefixes))


def test_bounds_of_any_data_are_those_of_all_inputs() -> None:
    """All 4^4 left operands, and all weights; the second block has weights that need fewer bits."""
    text = tiny([3, 3, 1, 1], [1.0, 0.5])
    values = range(-2, 2)
    x, w = np.zeros((1, 4), np.int8), np.array([[3], [-3], [1], [1]], np.int8)
    found = interp.trace(text, x, w, reading="integer").bounds()
    for scope, weights in (
        ("any data, these weights", [(3, -3, 1, 1)]),
        ("any data", product((-3, 3), repeat=4)),
    ):
        nodes: list[list[int]] = [[], []]
        for each in weights:
            for left in product(values, repeat=4):
                for k in range(2):
                    nodes[k] += neighbours(
                        [a * b for a, b in zip(left, each, strict=True)][2 * k : 2 * k + 2]
                    )
        (blocks,) = found.ranges[f"{scope}, any schedule"].values()
        assert [ends.hull for ends in blocks] == [(min(x), max(x)) for x in nodes]
    assert found.bits("any data, these weights, any schedule") == (5, 3)
    assert found.widest("any data, these weights, any schedule") == 0
    assert found.suggestion.weight_bits == 0  # 5 bits are needed of any weights as well
    assert repr(found.suggestion) == "i5; i8 is the next storage type"


def tiny(weights: list[int], scales: list[float], result: str = "i32:f32, 1.0", rows: int = 1) -> str:
    """Return a program of left operands from -2 to 1 and weights in blocks of two."""
    most = max(map(abs, weights))
    table = ", ".join(f"{{{s!r}}}" for s in scales)
    expressed = result.split(":")[1].split(",")[0]
    return f"""
    !x = tensor<{rows}x{len(weights)}x!quant.uniform<i8<-2:1>:{expressed}, 1.0>>
    !w = tensor<{len(weights)}x1x!quant.uniform<i8<-{most}:{most}>:{expressed}:{{0:2}}, {{{table}}}>>
    !y = tensor<{rows}x1x!quant.uniform<{result}>>
    func.func @main(%x: !x, %w: !w) -> !y {{
      %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (!x, !w) -> !y
      return %0 : !y
    }}"""


@pytest.mark.parametrize("p", BLOCKED[:10], ids=lambda p: p.op.name[10:])
def test_bounds_and_prove_agree(p: BlockProgram) -> None:
    """The bits that bounds finds for any data are proved; with one bit less nothing is."""
    bits = max(traced(p).bounds().bits("any data, any schedule"))
    for how in ("{}", "scales(left in {}; left)"):
        for width, ok in ((bits, True), (bits - 1, False)):
            if width < 2 or width > 62:
                continue
            (row,) = interp.prove(
                p.module, reading="integer", accumulator=how.format(f"i{width}"), runs=0
            ).rows
            finite = "infinite" not in row.judgement.why
            if finite and not (how != "{}" and ok is False):  # `left` alone may need fewer than all schedules
                assert (row.verdict == "proved" and "schedule left" not in row.judgement.scope) == ok, row


def test_headroom_and_the_tightest_block() -> None:
    trace = interp.trace(TWO, X, W, reading="integer", accumulator="i7")
    found = trace.bounds()  # blocks need -12..5 and -32..21, and i7 has -64..63
    assert (found.headroom, found.tightest, found.present) == (1, 1, 7)
    assert found.bits("any data, any schedule") == (17, 17)
    assert found.widest("any data, any schedule") == 0
    assert found.headrooms is not None
    assert found.headrooms.shape == (1, 1)
    wide = interp.trace(TWO, X, W, reading="integer", accumulator="scales(left in i7; left)").bounds()
    assert repr(wide.suggestion) == "scales(left in i12; left) for any data, these weights"
    rounds = interp.trace(TWO, X, W, reading="integer", accumulator="scales(left in f32; left)").bounds()
    assert "not judged: its nodes of floats round" in repr(rounds)


# Verdicts


@pytest.mark.parametrize("p", BLOCKED[:12], ids=lambda p: p.op.name[10:])
def test_a_verdict_is_the_worst_of_its_blocks(p: BlockProgram) -> None:
    for accumulator in ("i9", "i11 saturate"):
        bound = 2 ** (bits_of(accumulator) - 1)
        found = traced(p, accumulator).verdict()
        fits = lambda x, bound=bound: -bound <= x < bound
        for index, blocks in blocks_of(p):
            numbers = [[x.product for x in block] for block in blocks]
            if not all(fits(x) for b in numbers for x in (sum(b), *b)):
                assert found.kinds[index] == "inevitable"
            elif not all(fits(x) for b in numbers for x in neighbours(b)):
                assert found.kinds[index] == "order-dependent"
            else:
                assert found.kinds[index] in ("safe", "inexact")
    far = np.array([[100, 100, 0, 0]], np.int8), np.array([[100], [-100], [0], [0]], np.int8)
    alone = interp.trace(TWO, *far, reading="integer", accumulator="i9").verdict()
    assert alone.counts == {"inevitable": 1}  # 10,000 alone is beyond it, though the total is 0
    assert alone.first_block("inevitable") == (0, (0, 0))


def test_a_verdict_along_accumulations_compares_with_the_declared_sums() -> None:
    """All is exact in i32 and f32: i5 gives the same result, i4 another one."""
    text = tiny([3, -3, 1, 1], [1.0, 0.5])
    x, w = np.array([[-2, -2, 1, 1]], np.int8), np.array([[3], [-3], [1], [1]], np.int8)
    kinds = [
        interp.trace(
            text, x, w, reading="integer", accumulator=f"scales(left in {name} saturate; left)"
        ).verdict()
        for name in ("i5", "i3")
    ]
    assert [found.kinds.item() for found in kinds] == ["safe", "different"]
    inexact = interp.trace(TWO, X, W, reading="integer", accumulator="scales(left; left in f16)").verdict()
    assert inexact.kinds.item() == "unknown"


# The matrix


@pytest.mark.parametrize("p", BLOCKED[:6], ids=lambda p: p.op.name[10:])
def test_a_matrix_has_the_integers_of_each_block(p: BlockProgram) -> None:
    found = traced(p, "scales(left in i9; left)").matrix(types=["i9", "bf16"], schedules=["left"])
    for machine, saturates in (("i9 wrap", False), ("i9 saturate", True)):
        cell, wrong = found.cell(machine, "left"), Counter[int]()
        for index, blocks in blocks_of(p):
            for k, block in enumerate(blocks):
                total = 0
                for leaf in block:
                    total = hold(total + leaf.product, 9, saturates)
                exact = sum(x.product for x in block)
                assert cell.accumulators[k, *index] == total
                assert cell.errors[k, *index] == total - exact
                wrong[k] += total != exact
        assert found.wrong_by_block(cell) == tuple(wrong[k] for k in range(len(wrong)))
        assert found.worst_block(cell) == (
            int(np.abs(cell.errors).max(axis=tuple(range(1, cell.errors.ndim))).argmax())
            if cell.wrong
            else None
        )
    with pytest.raises(Unsupported, match="in the matrix of a contraction by blocks"):
        traced(p).matrix(types="scales(left; left)")


def test_no_program_of_fewer_leaves_is_made() -> None:
    with pytest.raises(Unsupported, match="whose leaves are not left out"):
        interp.trace(TWO, X, W, reading="integer", accumulator="i5").shrink()


# Widths


@pytest.mark.parametrize("p", BLOCKED[:8], ids=lambda p: p.op.name[10:])
def test_widths_of_blocks_agree_with_prove_and_with_every_partial_sum(p: BlockProgram) -> None:
    (row,) = interp.prove(p.module, reading="integer", accumulator="scales(left in i64; left)", runs=0).rows
    if "infinite" in row.judgement.why:  # f16 across; the integers are known all the same
        assert row.verdict == "unknown"
    study = interp.widths(p.module, [tuple(arrays_of(p))], ["i9", "i10 saturate"], reading="integer")
    assert max(each.bits_proved or 0 for each in study.rows) == row.judgement.bits
    every = [[x.product for x in block] for _, blocks in blocks_of(p) for block in blocks]
    anyhow = [sum(f(x, 0) for x in block) for block in every for f in (min, max)]
    ordered = [x for b in every for x in (*b, *(sum(b[:n]) for n in range(len(b) + 1)))]
    seen = [(each.observed_in_any_order, each.observed) for each in study.rows]
    for k, numbers in enumerate((anyhow, ordered)):
        assert min(ends[k][0] for ends in seen) == min(*numbers, 0)
        assert max(ends[k][1] for ends in seen) == max(*numbers, 0)
    for accumulator, kind in (("i9 wrap", "wrap"), ("i10 saturate", "saturate")):
        trace = traced(p, accumulator.removesuffix(" wrap"), kinds=kind)
        count = sum(group.count for group in trace.groups if group.first.leaves)
        assert sum(each.clippings[accumulator].count for each in study.rows) == count


def test_the_first_clip_names_its_block() -> None:
    study = interp.widths(TWO, [(X, W)], ["i5 saturate"], reading="integer")
    (row,) = study.rows
    assert (row.terms, row.bits_proved, row.bits_observed) == (2, 17, 6)
    assert str(row.clippings["i5 saturate"].first) == "saturate at group 1, leaf 3 of sample 0: 21 -> 15"


# Proofs, by enumeration of all inputs

WITHIN = ("left in i3", "left in i4 saturate", "left in i5", "balanced in i4", "left in f32", "left in bf16")
WITHIN = (
    *WITHIN,
    "lanes(2: left in i4; left in i5)",
    "star exact in f32",
    "left in f8E5M2",
    "left toward zero in f32",
)
ACROSS = (
    "left",
    "left in f16",
    "left fma in bf16",
    "star exact in f32",
    "lanes(2: left in f16; left)",
    "left in f64",
)
OVERFLOWS = ("wrap", "saturate", "inf", "nan")


@pytest.mark.parametrize("within", WITHIN)
def test_a_proof_along_scales_holds_for_all_inputs(within: str) -> None:
    every = np.array([*product(range(-2, 2), repeat=4)], np.int8)
    seen = Counter[str]()
    for across in ACROSS:
        for weights, scales in (
            ([1, 1, 1, 1], [1.0, 0.5]),
            ([3, -2, 1, 2], [0.3, 0.7]),
            ([2, 3, -3, 3], [7000.0, 30000.0]),
            ([1, 0, -1, 1], [2.0**-20, 1.5]),
            ([3, -2, 1, 2], [4.0, 2.0**-8]),  # 24 / 2^-8 is more than f16 has
            ([127, 125, -127, 126], [1.0, 0.5]),  # 508 is more than bf16 has
        ):
            module = interp.load(tiny(weights, scales, rows=len(every)))
            w = np.array(weights, np.int8)[:, None]
            how = f"scales({within}; {across})"
            options = {"reading": "integer", "accumulator": how}
            (row,) = interp.prove(module, {"w": w}, runs=0, **options).rows
            trace = interp.trace(module, every, w, **options)
            overflows = sum(g.count for g in trace.groups if g.kind in OVERFLOWS and g.first.leaves)
            finite = bool(np.isfinite(trace.reduction().accumulators[0]).all())
            assert finite or overflows, "an infinite sum is an event"
            seen[row.verdict] += 1
            if row.verdict != "proved":
                exact = " in i" in within and not overflows  # then every type held all that it had to
                assert not exact or "infinite" in row.judgement.why, (how, weights, scales)
                continue
            assert not overflows, (how, weights, scales, trace)
            if "nothing is rounded" in row.judgement.why:
                assert not trace.has("inexact"), (how, weights, scales)
            assert _within_range(module, every, w, how, trace)
    assert seen["proved"] >= 12 or within == "left in f8E5M2"


def _within_range(module: Module, x: np.ndarray, w: np.ndarray, how: str, trace: Trace) -> bool:
    """Return whether the range that a walk finds for the result has every result."""
    from interp.execute.run import reading_and_ways

    read, ways = reading_and_ways(module, ["main"], "left", ("integer", how, None))
    (step, *_) = walk_forward(module, {"w": w}, reading=read, ways=ways).steps
    (found,) = step.results
    stored = np.asarray(trace.results[0].storage)
    return bool((found.least <= stored).all() and (stored <= found.greatest).all())


@pytest.mark.parametrize("accumulator", ["i3", "i4 saturate", "i5", "i12", "i32"])
def test_a_proof_by_blocks_holds_for_all_inputs(accumulator: str) -> None:
    """Without `scales(..)`: sums of the reading's accumulator, and of f16 across that may be infinite."""
    every, seen = np.array([*product(range(-2, 2), repeat=4)], np.int8), Counter[str]()
    small, far = ("i8:f16, 1.0", [8.0, 2.0**-8]), ("i8:f16, 1.0", [7e3, 1e4])
    for result, scales in (("i32:f32, 1.0", [1.0, 0.5]), small, far):
        for weights in ([1, 1, 1, 1], [3, -2, 1, 2]):
            module = interp.load(tiny(weights, scales, result, rows=len(every)))
            w = np.array(weights, np.int8)[:, None]
            options: dict[str, Any] = {"reading": "integer", "accumulator": accumulator}
            (row,) = interp.prove(module, {"w": w}, runs=0, **options).rows
            trace = interp.trace(module, every, w, **options)
            overflows = sum(g.count for g in trace.groups if g.kind in OVERFLOWS and g.first.leaves)
            finite = bool(np.isfinite(trace.reduction().accumulators[0]).all())
            assert finite or overflows, "an infinite sum is an event"
            seen[row.verdict] += 1
            assert not (overflows and row.verdict == "proved"), (accumulator, weights, scales)
            if "nothing is rounded" in row.judgement.why:
                assert not trace.has("inexact"), (accumulator, weights, scales)
                seen["exact"] += 1
    assert min(seen["proved"], seen["unknown"]) > 0
    assert seen["exact"] > 0 or accumulator == "i3"


def test_what_bounds_suggests_is_proved() -> None:
    """12 bits hold the sums of these weights in each block, and 11 do not."""
    options: dict[str, Any] = {"reading": "integer"}
    found = interp.trace(TWO, X, W, **options, accumulator="scales(balanced in i7; left)").bounds()
    assert repr(found.suggestion.type) == "scales(balanced in i12; left)"
    for name, verdict in (("i12", "proved"), ("i11", "unknown")):
        how = repr(found.suggestion.type).replace("i12", name)
        assert interp.prove(TWO, {"w": W}, runs=0, accumulator=how, **options)["%0"].verdict == verdict


@pytest.mark.parametrize("how", [None, "scales(left in i32; left)", "scales(left in f64; left fma)"])
def test_a_sum_that_qwix_rounds_to_infinity_is_not_proved(how: str | None) -> None:
    """fl(90000) is infinite in f16, although 90000 * 2^-7 * 0.5 is not."""
    text = """
    !x = tensor<1x4x!quant.uniform<i16<-300:300>:f16, 0.0078125>>
    !w = tensor<4x1x!quant.uniform<i16<-300:300>:f16:{0:2}, {{0.5}, {0.25}}>>
    !y = tensor<1x1x!quant.uniform<i16:f16, 1.0>>
    func.func @main(%x: !x, %w: !w) -> !y {
      %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (!x, !w) -> !y
      return %0 : !y
    }"""
    x, w = np.array([[300, 0, 0, 0]], np.int16), np.array([[300], [0], [0], [0]], np.int16)
    options: dict[str, Any] = {"reading": "integer", "accumulator": how}
    for recipe, finite in (("qwix", False), (None, True)):
        trace = interp.trace(text, x, w, recipe=recipe, **options)
        assert bool(np.isfinite(trace.reduction().accumulators[0]).all()) == finite
        places = [g.first.place for g in trace.groups if g.kind == "inf" and g.first.leaves]
        assert places == [] if finite else places == ["result (0, 0), scaled block 0"]
        (row,) = interp.prove(text, recipe=recipe, runs=0, **options).rows
        assert (row.verdict == "proved") == finite

"""`explain`: every leaf and every partial result of an element, exact; and how it prints."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_verdicts import SUMS, plain

import interp
from interp.answers.trace import Trace
from interp.questions.explain import explain
from interp.questions.explanation import Explanation, explanation
from spec.formats import round_to
from spec.ir import Module
from spec.types import QuantizedType
from tests.library.builders import quantized, reduced
from tests.library.strategies.programs import Program

POOL = "testdata/programs/overflowing_pool"


def traced(program: Program, schedule: str = "left") -> Trace:
    with np.errstate(all="ignore"):  # signalling NaNs become quiet ones
        return interp.trace(program.module, *program.args, schedule=schedule)


def stands_for(stored: int, type: QuantizedType) -> Fraction:
    return (stored - type.zero_point) * Fraction(round_to(type.scale, type.expressed_type))


@given(SUMS, st.sampled_from(("left", "balanced", "blocks(2)", "windows(2)", "random(7)")))
def test_every_leaf_and_every_node_is_told_once(program: Program, schedule: str) -> None:
    """Nodes are what the schedule combines; the exact ones are sums of what leaves stand for."""
    reduction = traced(program, schedule).reduction()
    type, source = reduction.types[0], reduction.inputs[0].type.element_type
    for index in np.ndindex(reduction.shape):
        element = reduction.element(index)
        told = explanation(element)
        entered = [row.leaf for row in told.rows if row.leaf]
        assert sorted(leaf.number for leaf in entered) == [leaf.number for leaf in element.leaves]
        steps = list(element.schedule.steps(len(element.leaves), True))
        nodes = [row for row in told.rows if row.node]
        assert [row.node.children for row in nodes if row.node] == steps
        stored = reduction.accumulators[0][index].item()
        assert told.result == stored or stored != stored
        if not isinstance(type, QuantizedType) or not isinstance(source, QuantizedType):
            continue
        values = [stands_for(leaf.after[0], type) for leaf in element.leaves]
        for (lhs, rhs), row in zip(steps, nodes, strict=True):
            values.append(values[lhs] + values[rhs])
            assert row.exact == values[-1]
        for row in told.rows:
            if row.leaf and row.leaf.origin != "init" and source.is_per_tensor:
                before, after = stands_for(row.leaf.before[0], source), stands_for(row.leaf.after[0], type)
                assert row.loss(0) == before - after


@settings(max_examples=120)
@given(SUMS, st.sampled_from(("left", "balanced", "random(7)")))
def test_a_step_is_bad_where_what_it_stored_is_not_exact(program: Program, schedule: str) -> None:
    reduction = traced(program, schedule).reduction()
    type = reduction.types[0]
    if not isinstance(type, QuantizedType) or type.storage_type.bits > 16:
        return
    for index in np.ndindex(reduction.shape):
        for row in explanation(reduction.element(index)).rows:
            if row.node:
                exact = row.node.lhs[0] + row.node.rhs[0] - type.zero_point
                assert bool(row.kinds) == (exact != row.node.result[0])


def parsed(text: str) -> tuple[int, int]:
    """Leaves that are shown and that are folded."""
    folded = sum(int(n.replace(",", "")) for n in re.findall(r"\.\.\. ([0-9,]+) leaves,", text))
    return sum(bool(re.match(r" +\d+  (init|\[|padding)", line)) for line in text.splitlines()), folded


@settings(max_examples=20, deadline=None)
@given(
    st.lists(st.integers(-128, 127), min_size=1, max_size=120),
    st.sampled_from(("left", "balanced", "random(3)")),
)
def test_no_leaf_is_lost_in_print(rows: list[int], schedule: str) -> None:
    q = quantized("i8:f32, 0.5")
    module = reduced(f"{len(rows)}x{q}")
    told = traced(Program(module, (np.int8(rows), np.int8(0))), schedule).explain()
    shown, folded = parsed(repr(told))
    assert shown + folded == len(rows) + 1
    assert all(len(line) <= 110 for line in repr(told).splitlines())


def pool() -> tuple[Module, np.ndarray]:
    return interp.load(f"{POOL}.mlir"), np.load(f"{POOL}.npz")["arg0"]


def test_without_an_index_it_is_the_worst_element_of_the_result() -> None:
    """The first event is at (0, 0, 2, 2), where -43,528 became -32,568; (0, 3, 1, 2) is off by more."""
    m, x = pool()
    trace = interp.trace(m, x)
    exact = {index: trace.explain("%sum", index).exact for index in np.ndindex(1, 4, 4, 3)}
    stored = trace.explain().element.reduction.accumulators[0]
    scale = Fraction(np.float32(6.25e-3).item())
    worst = max(exact, key=lambda index: abs(int(stored[index]) - exact[index] / scale))
    assert trace.explain().element.index == worst != (0, 0, 2, 2)


def test_the_pool() -> None:
    m, x = pool()
    told = interp.trace(m, x).explain("%sum", (0, 0, 2, 2))
    assert repr(told) == EXPECTED
    assert told.first_bad
    assert told.first_bad.leaf
    assert told.first_bad.leaf.origin == (0, 5, 13, 2)


EXPECTED = """\
reduce_window %sum at (0, 0, 2, 2) in !quant.uniform<i16:f32, 6.250000e-03>, schedule left: 65 leaves
  leaf  origin         before  converted  leaves   exact  stored    value
     0  init                0          0
     1  [0, 0, 8, 2]     -104       -832    0..1    -832    -832     -5.2
  ... 43 leaves, nothing lost ...
    45  [0, 5, 12, 2]    -103       -824   0..45  -32736  -32736   -204.6
    46  [0, 5, 13, 2]    -104       -832   0..46  -33568  -32768   -204.8  ! first: saturate
    47  [0, 5, 14, 2]     -52       -416   0..47  -33984  -32768   -204.8  ! saturate
  ... 13 leaves, saturate x 13 ...
    61  [0, 7, 12, 2]     -78       -624   0..61  -43128  -32768   -204.8  ! saturate
    62  [0, 7, 13, 2]     -75       -600   0..62  -43728  -32768   -204.8  ! saturate
    63  [0, 7, 14, 2]      13        104   0..63  -43624  -32664  -204.15
    64  [0, 7, 15, 2]      12         96   0..64  -43528  -32568  -203.55
  result -32568 = -203.55, exactly -43528 = -272.05: off by 68.5; its sums need 17 bits of 16"""


def short(element: str, rows: list[Any], schedule: str = "left", wide: str = "") -> Explanation:
    q, acc = quantized(element), quantized(wide or element)
    module = reduced(f"{len(rows)}x{q}", acc)
    dtype = module.main.inputs[0].type.storage_type.numpy
    init = module.main.inputs[1].type.quantized_element_type.zero_point
    stored = np.array(init, module.main.inputs[1].type.storage_type.numpy)
    return traced(Program(module, (np.array(rows, dtype), stored)), schedule).explain()


def test_a_tree_is_told_node_by_node() -> None:
    told = short("i8:f32, 0.5", [100, 100, -100, 3], "balanced")
    assert (
        repr(told)
        == """\
reduce %0 at () in !quant.uniform<i8:f32, 5.000000e-01>, schedule balanced: 5 leaves
  leaf  origin  before  converted  leaves  exact  stored  value
     0  init         0          0
     1  [0]        100        100    0..1    100     100     50
     2  [1]        100        100
     3  [2]       -100       -100    2..3      0       0      0
                                     0..3    100     100     50
     4  [3]          3          3    0..4    103     103   51.5
  result 103 = 51.5, exactly"""
    )


def test_what_conversion_lost_is_told() -> None:
    """Steps of 0.5 in steps of 0.75: 1 is 0.5 and becomes 0.75."""
    told = short("i8:f32, 0.5", [1, 3], wide="i16:f32, 0.75")
    assert [row.loss(0) for row in told.rows] == [0, Fraction(-1, 4), 0]
    assert repr(told).splitlines()[-2:] == [
        "     2  [1]          3          2           0..2      3       3   2.25",
        "  result 3 = 2.25, exactly; conversion lost -0.25",
    ]


def test_an_empty_reduction_is_its_init() -> None:
    told = short("i8:f32, 0.5:3", [])
    assert (told.result, told.exact, told.first_bad) == (3, 0, None)
    assert repr(told).splitlines()[-1] == "  result 3 = 0, exactly"


def test_plain_elements_have_no_value_beside_them() -> None:
    found = plain("f32", "add", [[1.0, 1e8, -1e8]], 0)
    told = explanation(found.reduction.element(0))
    assert repr(told).splitlines()[-2:] == [
        "     3  [0, 2]  -100000000  -100000000    0..3          1          0",
        "  result 0, exactly 1: off by -1",
    ]
    assert "! first: inexact" in repr(told)


def test_infinities_and_nan_are_told_as_they_are() -> None:
    found = plain("f32", "add", [[np.inf, -np.inf, 1.0]], 0)
    text = repr(explanation(found.reduction.element(0)))
    assert "! first: nan" in text
    assert text.splitlines()[-1].startswith("  result nan, exactly nan")


def test_complex_numbers_have_no_exact_value_but_an_explanation() -> None:
    """`exact` is a rational number."""
    trace = interp.trace(reduced("2xcomplex<f32>"), np.complex64([2e38 + 3j, 3e38]), np.complex64(0))
    (event,) = trace.events
    assert (event.kind, event.exact, event.leaves) == ("inf", None, (0, 2))
    told = trace.explain()
    assert told.exact is None
    assert told.first_bad is told.rows[-1]
    assert repr(told).endswith("result (inf+3j); the exact one is not known of this body")


def test_one_operand_of_several() -> None:
    m = interp.load("testdata/programs/argmax.mlir")
    trace = interp.trace(m, *np.load("testdata/programs/argmax.npz").values())
    for k in (0, 1):
        told = trace.explain(index=2, k=k)
        assert f"operand {k} at (2,)" in repr(told)
        assert told.result == told.element.reduction.accumulators[k][2]
        assert repr(told).endswith("the exact one is not known of this body")
        assert told.first_bad is None
    with pytest.raises(interp.Malformed, match=r"no operand 2 of %best#0\n  it reduces 2"):
        trace.explain(k=2)
    with pytest.raises(interp.Malformed, match="is not an index"):
        trace.explain(index=99)


def test_a_careful_order_has_a_short_name() -> None:
    m, x = pool()
    trace = interp.trace(m, x)
    order = trace.verdict().witness((0, 0, 0, 1)).schedules[0]
    told = interp.trace(m, x, schedule=order).explain("%sum", (0, 0, 0, 1))
    assert told.first_bad is None
    assert told.result == -31136
    assert len(repr(told).splitlines()[0]) <= 110
    assert explain(trace, "sum", (0, 0, 0, 1)).result == -29424

"""`Trace.verdict`: equal to the theorems of the specification's side, and to all trees of a few leaves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interp
from interp.questions.verdicts import Verdicts, verdicts
from interp.theory.quantized_arithmetic import addition_is_integer
from spec.ir import Op
from spec.types import ELEMENT_TYPES, QuantizedType
from tests.library.builders import combining, module, quantized, reduce, reduction
from tests.library.oracles.bodies import addition_is_integer as integer_by_the_specification
from tests.library.oracles.bodies import verdict as verdict_by_the_specification
from tests.library.oracles.trees import by_integers
from tests.library.strategies.programs import (
    Program,
    quantized_types,
    reduce_windows,
    reduces,
    select_and_scatters,
)

SUMS = st.one_of(reduces(), reduce_windows(), select_and_scatters()).map(lambda p: summing(p)).filter(bool)


def summing(program: Program) -> Program | None:
    """The same reduction with `add` as its body, where that has one operand."""
    (op, *_) = program.module.main.body.ops
    if len(op.results) > 1:
        return None
    type = op.result.type.element_type
    changed = Op(op.name, op.operands, op.results, op.attributes, (*op.regions[:-1], combining("add", type)))
    return Program(module(changed), program.args)


def judged(program: Program, schedule: str = "left") -> Verdicts:
    with np.errstate(all="ignore"):  # signalling NaNs become quiet ones
        return verdicts(interp.trace(program.module, *program.args, kinds=(), schedule=schedule).reduction())


@given(SUMS, st.sampled_from(("left", "balanced", "blocks(2)", "random(7)")))
def test_every_element_is_judged_as_the_theorems_judge_it(program: Program, schedule: str) -> None:
    found = judged(program, schedule)
    type = found.reduction.types[0]
    if not isinstance(type, QuantizedType):
        return
    assert found.least is not None
    assert found.greatest is not None
    assert found.total is not None
    for index in np.ndindex(found.kinds.shape):
        expected = verdict_by_the_specification(found.reduction.element(index).values(), type)
        assert found.kinds[index] == expected.kind
        assert found.total[index] == expected.total.value
        assert found.witness(index) == expected
        assert expected.witness.value in (found.least[index], found.greatest[index], found.total[index])


NARROW = st.sampled_from(
    (quantized("i4:f32, 0.5"), quantized("i4<-3:7>:f32, 1.0:2"), quantized("u4:f32, 0.3:5"))
)


@settings(max_examples=120)
@given(NARROW, st.data())
def test_against_all_trees(text: str, data: st.DataObject) -> None:
    """Safe: no tree clamps. Inevitable: each does. Order-dependent: some do, and the one found does not."""
    module = reduction("reduce", f"3x5x{text}", text, text, f"3x{text}", "dimensions = array<i64: 1>")
    type = module.main.inputs[0].type.quantized_element_type
    stored = st.integers(type.storage_min, type.storage_max)
    rows = data.draw(st.lists(stored, min_size=15, max_size=15))
    init = data.draw(stored)
    dtype = type.storage_type.numpy
    found = judged(Program(module, (np.array(rows, dtype).reshape(3, 5), np.array(init, dtype))))
    low, high = type.storage_min - type.zero_point, type.storage_max - type.zero_point
    for k in range(3):
        numbers = [x - type.zero_point for x in (init, *rows[5 * k : 5 * k + 5])]
        kind = by_integers(numbers, low, high, wraps=False).kind
        assert found.kinds[k] == kind
        assert found.total is not None
        assert found.wrong[k] == (found.reduction.accumulators[0][k] != sum(numbers) + type.zero_point)
        order = found.schedule(k)
        if kind == "inevitable":
            assert order is None or found.reduction.element(k).result(order) == (found.total[k],)
        else:
            assert order is not None
            assert found.reduction.element(k).result(order) == (sum(numbers) + type.zero_point,)


@pytest.mark.slow("enumerates trees")
@settings(max_examples=6, deadline=None)
@given(quantized_types(), st.data())
def test_the_assumption_is_the_specifications(type: QuantizedType, data: st.DataObject) -> None:
    reach = 4 * type.storage_type.max_value
    pairs = [sorted(data.draw(st.tuples(*[st.integers(-reach, reach)] * 2))) for _ in range(2)]
    near = [(data.draw(st.integers(type.storage_min, type.zero_point)), type.storage_max) for _ in range(2)]
    least, greatest = np.array([*pairs, *near, [0, 2**40], [-(2**40), 3]]).T
    expected = [
        integer_by_the_specification(type, int(a), int(b)) for a, b in zip(least, greatest, strict=True)
    ]
    assert addition_is_integer(type, least, greatest).tolist() == expected


def plain(element: str, body: str, rows: list[list[Any]], init: Any) -> Verdicts:
    type = ELEMENT_TYPES[element]
    program = module(reduce(body, type, type, (len(rows), len(rows[0]))))
    dtype = np.dtype(type.numpy)
    return judged(Program(program, (np.array(rows, dtype), np.array(init, dtype))))


@pytest.mark.parametrize(
    ("element", "body", "rows", "init", "kinds"),
    [
        ("i8", "add", [[100, 20], [100, 28], [100, -128]], 0, ["safe", "inevitable", "safe"]),
        ("i8", "add", [[100, 28, -1]], 0, ["order-dependent"]),
        ("i64", "add", [[2**62, 2**62], [2**62, 2**62 - 1]], 0, ["inevitable", "safe"]),
        ("ui64", "add", [[2**63, 2**63], [2**63, 2**63 - 1]], 0, ["inevitable", "safe"]),
        (
            "f32",
            "add",
            [[2.0**24, 1.0], [2.0**23, 1.0], [0.0, 0.0], [np.nan, 0]],
            0,
            ["inexact", "safe", "safe", "inexact"],
        ),
        ("f16", "add", [[0.1, 0.25]], 0, ["inexact"]),
        ("f32", "maximum", [[1.5, np.nan]], 0, ["safe"]),
        ("i8", "minimum", [[1, 2]], 0, ["safe"]),
        ("i8", "multiply", [[1, 2]], 0, ["unknown"]),
        ("f32", "multiply", [[1, 2]], 0, ["unknown"]),
        ("i1", "add", [[True, True]], False, ["unknown"]),
        ("i1", "or", [[True, True]], False, ["safe"]),
    ],
)
def test_plain_elements(element: str, body: str, rows: list[list[Any]], init: Any, kinds: list[str]) -> None:
    found = plain(element, body, rows, init)
    assert found.kinds.tolist() == kinds
    assert sum(found.counts.values()) == len(rows)


def test_integers_that_wrap_have_witnesses_too() -> None:
    found = plain("i8", "add", [[100, 28, -1], [100, 100, 0], [1, 2, 3]], 0)
    assert [found.witness(k).kind for k in range(3)] == ["order-dependent", "inevitable", "safe"]
    assert found.wrong.tolist() == [False, True, False]
    assert "integers wrap: where the total fits, every schedule gives it" in repr(found)
    careful, careless = found.witness(0).schedules
    element = found.reduction.element(0)
    assert not any(step.marks for step in element.replay(careful))
    assert any(step.marks for step in element.replay(careless))


def test_maximum_that_changes_values_is_inexact() -> None:
    """-125 comes back as -124 in i8:bf16 with scale 0.3."""
    text = quantized("i8:bf16, 0.3")
    program = reduction(
        "reduce", f"2x2x{text}", text, text, f"2x{text}", "dimensions = array<i64: 1>", "maximum"
    )
    found = judged(Program(program, (np.int8([[1, 2], [-125, -128]]), np.int8(-128))))
    assert found.kinds.tolist() == ["safe", "inexact"]


def test_a_composed_body_by_least_and_greatest() -> None:
    """max(a, b) + b: what stands on the right may count again and again."""
    text = """func.func @main(%x: tensor<2x3x!q>, %init: tensor<!q>) -> tensor<2x!q> {
      %0 = "stablehlo.reduce"(%x, %init) ({
      ^bb0(%a: tensor<!q>, %b: tensor<!q>):
        %1 = stablehlo.maximum %a, %b : tensor<!q>
        %2 = stablehlo.add %1, %b : tensor<!q>
        stablehlo.return %2 : tensor<!q>
      }) {dimensions = array<i64: 1>} : (tensor<2x3x!q>, tensor<!q>) -> tensor<2x!q>
      return %0 : tensor<2x!q>
    }""".replace("!q", quantized("i8:f32, 0.5"))
    found = judged(Program(interp.load(text), (np.int8([[1, 2, 3], [0, 0, 0]]), np.int8(0))))
    assert found.kinds.tolist() == ["order-dependent", "unknown"]
    with pytest.raises(interp.Malformed, match="is not a sum of integers"):
        found.witness(0)


def test_the_pool() -> None:
    m = interp.load("testdata/programs/overflowing_pool.mlir")
    x = np.load("testdata/programs/overflowing_pool.npz")["arg0"]
    found = verdicts(interp.trace(m, x).reduction("%sum"))
    assert found.counts == {"safe": 39, "order-dependent": 3, "inevitable": 6}
    index = found.first("order-dependent")
    assert index is not None
    order = found.schedule(index)
    assert order is not None
    element = found.reduction.element(index)
    assert found.total is not None
    assert element.result(order) == (found.total[index],)
    assert element.result() != element.result(order)
    assert not any(step.marks for step in element.replay(order))
    assert repr(found).splitlines()[2] == (
        "        3 order-dependent: some schedules overflow and some do not; 2 went wrong in this one"
    )


def test_infinities_on_the_way_raise_no_warning() -> None:
    """f16 has no 7 * 60,000."""
    type = quantized("i8:f16, 60000.0")
    module = reduction("reduce", f"1x{type}", type, type, type, "dimensions = array<i64: 0>", "maximum")
    trace = interp.trace(module, np.int8([7]), np.int8(-7))
    with np.errstate(all="raise"):
        assert trace.verdict().kinds == "inexact"

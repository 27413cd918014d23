"""Recorded reductions of a run: leaves, origins, schedules on one element; against literal loops."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import interp
from interp.backends import NUMPY
from interp.engine.evaluate import Listener
from interp.questions.permitted.results import equal, one_element
from interp.recorder.recorded import Capture, Reduction
from interp.speed.order_free import Form
from spec.ir import Op
from spec.schedule import Schedule, random, tree
from tests.library.builders import oracle, quantized, reduced
from tests.library.strategies.programs import PROGRAMS, Program, reduce_windows, reduces, select_and_scatters

SCHEDULES = st.sampled_from(("left", "balanced", "blocks(2)", "windows(2)", "random(7)"))


def only(program: Program, schedule: str = "left") -> Reduction:
    with np.errstate(all="ignore"):  # signalling NaNs become quiet ones
        trace = interp.trace(program.module, *program.args, kinds=(), schedule=schedule, mode="mlir")
        return trace.reduction()


def stored(reduction: Reduction, states: list[tuple[Any, ...]]) -> list[np.ndarray]:
    types = [value.type.storage_type for value in reduction.body.returns]
    columns = zip(*states, strict=True)
    return [NUMPY.encode(np.array(x, NUMPY.carrier(t)), t) for x, t in zip(columns, types, strict=True)]


@given(PROGRAMS, SCHEDULES)
def test_an_element_replays_to_what_the_run_accumulated(program: Program, schedule: str) -> None:
    found = only(program, schedule)
    for index in np.ndindex(found.shape):
        element = found.element(index)
        steps = element.replay()
        result = steps[-1].result if steps else element.leaves[0].after
        ours = stored(found, [result])
        theirs = stored(found, [tuple(x[index].item() for x in found.accumulators)])
        assert all(equal(x, y).all() for x, y in zip(ours, theirs, strict=True))
        assert stored(found, [element.result()])[0].tobytes() == ours[0].tobytes()


@given(PROGRAMS, SCHEDULES, st.data())
def test_an_element_on_its_own_is_a_program(program: Program, schedule: str, data: st.DataObject) -> None:
    """Any schedule on the leaves of an element, against a run of the reduction of those alone."""
    found = only(program)
    if not found.size:
        return
    index = tuple(data.draw(st.integers(0, size - 1)) for size in found.shape)
    element = found.element(index)
    op = found.op
    alone = one_element_program(found, element.leaves)
    outs = interp.run(alone[0], *alone[1], schedule=schedule)
    ours = stored(found, [element.result(schedule)])
    assert all(equal(x, y.storage).all() for x, y in zip(ours, outs, strict=True)), op


def one_element_program(found: Reduction, leaves: Any) -> tuple[Any, Any]:
    from interp.questions.permitted.dataflow import Dataflow

    whole = Dataflow(found.module, found.module.main, found.op, (), ())
    columns = stored(found, [leaf.after for leaf in leaves])
    carried = [NUMPY.decode(x, v.type.storage_type) for x, v in zip(columns, found.body.returns, strict=True)]
    program = one_element(whole, tuple(carried), ())
    return program.module, program.args


@given(PROGRAMS, SCHEDULES)
def test_blocks_stream_the_leaves_of_every_element(program: Program, schedule: str) -> None:
    found = only(program, schedule)
    for k in range(len(found.types)):
        streamed: dict[int, list[Any]] = {}
        for columns, values, present in found.blocks(k):
            for at, column in enumerate(columns.tolist()):
                here = slice(None) if present is None else present[:, at]
                streamed.setdefault(column, []).extend(values[here, at].tolist())
        for flat, index in enumerate(np.ndindex(found.shape)):
            told = found.element(index).values(k)[1:]
            np.testing.assert_array_equal(streamed.get(flat, []), told)


def of_reduce(op: Op, index: tuple[int, ...]) -> list[Any]:
    """`inputs[j, :]` in ascending order."""
    shape, dimensions = op.operands[0].type.shape, sorted(op["dimensions"])
    kept = iter(index)
    fixed = {d: next(kept) for d in range(len(shape)) if d not in dimensions}
    moving = product(*(range(shape[d]) for d in dimensions))
    return [
        tuple({**fixed, **dict(zip(dimensions, at, strict=True))}[d] for d in range(len(shape)))
        for at in moving
    ]


def of_window(op: Op, index: tuple[int, ...]) -> list[Any]:
    """Positions of a window in ascending order; in between the elements and beyond them is padding."""
    shape = op.operands[0].type.shape
    origins: list[Any] = []
    for at in np.ndindex(*op["window_dimensions"]):
        columns = zip(
            index,
            op["window_strides"],
            at,
            op["window_dilations"],
            op["padding"],
            op["base_dilations"],
            strict=True,
        )
        places = [(i * s + w * d - low, base) for i, s, w, d, (low, _), base in columns]
        inside = all(p >= 0 and p % b == 0 and p // b < n for (p, b), n in zip(places, shape, strict=True))
        origins.append(tuple(p // b for p, b in places) if inside else "padding")
    return origins


@given(st.one_of(reduces(), reduce_windows()))
def test_origins_are_the_indices_of_the_specification(program: Program) -> None:
    found = only(program)
    literal = of_reduce if found.op.name == "stablehlo.reduce" else of_window
    for index in np.ndindex(found.shape):
        first, *leaves = found.element(index).leaves
        assert first.origin == "init"
        assert [leaf.origin for leaf in leaves] == literal(found.op, index)
        for leaf in leaves:
            given = found.init_before if leaf.origin == "padding" else [x[leaf.origin] for x in found.before]
            np.testing.assert_array_equal(leaf.before, [np.asarray(x).item() for x in given])


@given(select_and_scatters(), SCHEDULES)
def test_every_source_is_scattered_once_within_its_window(program: Program, schedule: str) -> None:
    found = only(program, schedule)
    op, seen = found.op, []
    for index in np.ndindex(found.shape):
        leaves = found.element(index).leaves[1:]
        assert [leaf.origin for leaf in leaves] == sorted(leaf.origin for leaf in leaves)
        for leaf in leaves:
            assert not isinstance(leaf.origin, str)
            np.testing.assert_array_equal(leaf.before, [found.before[0][leaf.origin].item()])
            columns = zip(
                index, leaf.origin, op["window_strides"], op["padding"], op["window_dimensions"], strict=True
            )
            assert all(0 <= i + low - o * stride < window for i, o, stride, (low, _), window in columns)
            seen.append(leaf.origin)
    empty = interp.trace(program.module, *program.args, kinds="empty_window").counts["empty_window"]
    assert len(seen) == len(set(seen)) == prod(op.operands[1].type.shape) - empty


I8 = quantized("i8:f32, 0.5:3")


def test_leaves_know_what_they_stand_for() -> None:
    wide = quantized("i16:f32, 0.25:-1")
    args = np.array([3, 5, -128], np.int8), np.array(4, np.int8)
    found = only(Program(reduced(f"3x{I8}", wide), args))
    leaves = found.element(()).leaves
    assert [leaf.origin for leaf in leaves] == ["init", (0,), (1,), (2,)]
    assert [leaf.before for leaf in leaves] == [(4,), (3,), (5,), (-128,)]
    assert [leaf.exact_before for leaf in leaves] == [(0.5,), (0,), (1,), (-65.5,)]
    assert [leaf.after for leaf in leaves] == [(1,), (-1,), (3,), (-263,)]
    assert [leaf.exact_after for leaf in leaves] == [leaf.exact_before for leaf in leaves]
    assert found.is_sum
    assert (found.name, found.n, found.shape) == ("%0", 3, ())


def test_steps_say_what_they_cover_and_what_went_wrong() -> None:
    """The sum of a and b is a + b - 3 in i8:f32, 0.5:3; results are clamped to 127."""
    module = reduced(f"4x{I8}")
    rows = [100, 50, -60, 3]
    element = only(Program(module, (np.array(rows, np.int8), np.int8(3)))).element(())
    steps = element.replay()
    assert [step.leaves for step in steps] == [(0, 1), (0, 2), (0, 3), (0, 4)]
    assert [step.children for step in steps] == [(0, 1), (5, 2), (6, 3), (7, 4)]
    assert [step.result for step in steps] == [(100,), (127,), (64,), (64,)]
    marks = [[(mark.kind, mark.exact) for mark in step.marks] for step in steps]
    assert marks == [[], [("saturate", 147)], [], []]
    order = tree([(2, 3), (1, 5), (0, 6), (7, 4)])
    careful = element.replay(order)
    assert [step.leaves for step in careful] == [(2, 3), (1, 3), (0, 3), (0, 4)]
    assert careful[-1].result == oracle(module, rows, [3], schedule=order) == (84,)
    assert not any(step.marks for step in careful)


TWICE = """
  func.func private @total(%x: tensor<2x!q>) -> tensor<!q> {
    %zero = "stablehlo.constant"() {value = dense<0> : tensor<i8>} : () -> tensor<!q>
    %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<2x!q>, tensor<!q>) -> tensor<!q>
    return %sum : tensor<!q>
  }
  func.func @main(%a: tensor<2x!q>, %b: tensor<2x!q>) -> (tensor<!q>, tensor<!q>) {
    %0 = func.call @total(%a) : (tensor<2x!q>) -> tensor<!q>
    %1 = func.call @total(%b) : (tensor<2x!q>) -> tensor<!q>
    return %0, %1 : tensor<!q>, tensor<!q>
  }""".replace("!q", quantized("i8:f32, 1.0"))


def test_a_reduction_that_runs_again_has_a_name_of_its_own() -> None:
    trace = interp.trace(interp.load(TWICE), np.int8([1, 2]), np.int8([100, 100]))
    assert list(trace.reductions) == ["@total/%sum", "@total/%sum#2"]
    first, second = trace.reductions.values()
    assert first.results[0].item() == 3
    assert second.results[0].item() == 127
    assert trace.reduction() is second  # the one that saturates
    assert trace.reduction("sum") is first
    assert trace.reduction("sum#2") is second
    with pytest.raises(interp.Malformed, match=r"no reduction x\n  reductions: @total/%sum, @total/%sum#2"):
        trace.reduction("x")


@pytest.mark.parametrize("index", [(4,), (0, 0), (-1,), "0", (), 1.0])
def test_an_index_that_is_none(index: Any) -> None:
    module = reduced(f"4x2x{I8}", dimensions=(1,))
    found = only(Program(module, (np.zeros((4, 2), np.int8), np.int8(3))))
    assert found.element(3).index == (3,)
    with pytest.raises(interp.Malformed, match="is not an index of %0"):
        found.element(index)


def test_a_program_without_reductions() -> None:
    module = interp.load("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }")
    with pytest.raises(interp.Malformed, match="no reduction ran"):
        interp.trace(module, np.float32([1, 2])).reduction()


class Theorems(Listener):
    """Listener that keeps which fast paths ran."""

    sees_nodes = False

    def __init__(self) -> None:
        self.found: list[str] = []

    def on_fast_path(self, op: Op, theorem: str, why: str) -> None:
        self.found.append(theorem)


def test_what_a_fast_path_does_not_fold_is_kept_all_the_same() -> None:
    """A reduction of many leaves takes too long node by node."""
    wide = quantized("i32:f32, 0.5:-7")
    module = reduced(f"500x{I8}", wide)
    x, init = np.int8(np.arange(500) % 256 - 128), np.int8(11)
    theorems, kept, plain = Theorems(), Capture(module, Schedule("left")), Captured(module, Schedule("left"))
    interp.run(module, x, init, listeners=[kept, theorems])
    assert theorems.found
    interp.run(module, x, init, listeners=[plain])
    (closed,), (folded,) = kept.found, plain.found
    assert closed.element(()).leaves == folded.element(()).leaves
    assert closed.init == folded.init
    assert closed.accumulators == folded.accumulators
    assert closed.results == folded.results


class Captured(Capture):
    """Listener that keeps every node."""

    def instead(self, form: Form) -> Form | None:
        return None


def test_schedules_that_are_none() -> None:
    module = reduced(f"2x{I8}")
    element = only(Program(module, (np.int8([1, 2]), np.int8(3)))).element(())
    assert element.schedule == Schedule("left")
    assert element.replay(random(3))[-1].leaves == (0, 2)
    with pytest.raises(interp.Malformed):
        element.replay("sideways")
    with pytest.raises(interp.Malformed):
        element.replay(tree([(0, 1)]))

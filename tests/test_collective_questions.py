"""Questions to traced collectives, whose leaves are elements of processes, held against all trees."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import interp
from interp.answers.trace import Trace
from interp.questions.bounds import bounds
from interp.questions.shrink import case_events
from interp.questions.verdicts import verdicts
from interp.recorder.element import Element
from interp.recorder.recorded import Reduction
from spec.errors import Malformed, Unsupported, Violation
from spec.types import QuantizedType
from tests.library.oracles.trees import by_integers
from tests.library.strategies.parallel_programs import OnGrid, collectives
from tests.test_engine import SCHEDULES

FEW = settings(max_examples=20, deadline=None)
FOLDED = ("stablehlo.all_reduce", "stablehlo.reduce_scatter", "stablehlo.collective_reduce")
I8 = "tensor<!quant.uniform<i8:f32, 0.5>>"
BODY = """({
    ^bb0(%a: TYPE, %b: TYPE):
      %s = stablehlo.add %a, %b : TYPE
      stablehlo.return %s : TYPE
    })"""
X = "tensor<2x3x!quant.uniform<i8:f32, 0.5>>"
SUMMED = f"""func.func @main(%x: {X}) -> {X} {{
  %sum = "stablehlo.all_reduce"(%x) {BODY.replace("TYPE", I8)} {{
    replica_groups = dense<[[2, 0, 1]]> : tensor<1x3xi64>}} : ({X}) -> {X}
  return %sum : {X}
}}"""
PAIR = """func.func @main(%x: tensor<2xi8>, %y: tensor<3xi8>) -> (tensor<2xi8>, tensor<3xi8>) {
  %r:2 = "stablehlo.all_reduce"(%x, %y) BODY {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
    : (tensor<2xi8>, tensor<3xi8>) -> (tensor<2xi8>, tensor<3xi8>)
  return %r#0, %r#1 : tensor<2xi8>, tensor<3xi8>
}""".replace("BODY", BODY.replace("TYPE", "tensor<i8>"))


def traced(program: OnGrid, schedule: Any = "left", **options: Any) -> tuple[Trace, ...]:
    return interp.trace_parallel(
        program.module, program.args, **program.grid._asdict(), schedule=schedule, **options
    )


def planted() -> list[list[np.ndarray]]:
    """Three processes, whose sum saturates at (1, 2) alone, and only if the negative number comes last."""
    rows = [np.full((2, 3), k, np.int8) for k in range(3)]
    for x, number in zip(rows, (100, -100, 100), strict=True):
        x[1, 2] = number
    return [[x] for x in rows]


def elements(reduction: Reduction) -> list[Element]:
    return [reduction.element(index) for index in np.ndindex(reduction.shape)]


@FEW
@given(collectives().filter(lambda p: p.module.main.body.ops[0].name in FOLDED), SCHEDULES)
def test_leaves_are_elements_of_the_processes_of_the_group(program: OnGrid, schedule: Any) -> None:
    """Each leaf is the element of the operand that its origin names, and they fold to the result."""
    ids = program.grid.process_ids
    for trace in traced(program, schedule, kinds=()):
        for k, reduction in enumerate(trace.reductions.values()):
            for element in elements(reduction):
                for leaf in element.leaves:
                    value, place, process = _origin(leaf.origin)
                    assert value == program.module.main.inputs[k].name
                    source = program.args[ids.index(process)][k]
                    assert repr(leaf.before) == repr((source.astype(type(leaf.before[0]))[place].item(),))
                assert repr(element.result()) == repr((reduction.accumulators[0][element.index].item(),))
                assert len(element.leaves) == reduction.terms


def _origin(text: Any) -> tuple[str, tuple[int, ...], tuple[int, int]]:
    head, _, process = text.partition(" of process ")
    value, _, place = head.partition(" ")
    return value, tuple(eval(place)), eval(process)


@FEW
@given(collectives().filter(lambda p: p.module.main.body.ops[0].name in FOLDED))
def test_sums_are_judged_as_all_trees_say(program: OnGrid) -> None:
    """There is no init: leaf 0 stands once, in any tree over the processes' numbers in their order."""
    for trace in traced(program, kinds=()):
        for reduction in trace.reductions.values():
            type, found = reduction.types[0], verdicts(reduction)
            if found.total is None:
                continue
            point = type.zero_point if isinstance(type, QuantizedType) else 0
            low, high = _ends(type)
            for element in elements(reduction):
                numbers = [x - point for x in element.values()]
                judged = by_integers(numbers, low - point, high - point, not isinstance(type, QuantizedType))
                assert found.kinds[element.index] in (judged.kind, "inexact")
                assert found.total[element.index] == sum(numbers) + point


def _ends(type: Any) -> tuple[int, int]:
    quantized = isinstance(type, QuantizedType)
    return (type.storage_min, type.storage_max) if quantized else (type.min_value, type.max_value)


@FEW
@given(collectives().filter(lambda p: p.module.main.body.ops[0].name in FOLDED), SCHEDULES)
def test_bounds_are_those_of_the_processes_numbers(program: OnGrid, schedule: Any) -> None:
    for trace in traced(program, schedule, kinds=()):
        for reduction in trace.reductions.values():
            found = bounds(reduction)
            if not (found.by_value and found.by_schedule and found.by_type and reduction.is_sum):
                continue
            point = reduction.types[0].zero_point if isinstance(reduction.types[0], QuantizedType) else 0
            rows = [[x - point for x in element.values()] for element in elements(reduction)]
            parts = [(row, a, b) for row in rows for b in range(len(row) + 1) for a in range(b)]
            sums = [sum(row[a:b]) for row, a, b in parts]
            if sums:
                known = found.by_value.least, found.by_value.greatest
                assert known == (min(sums) + point, max(sums) + point)
                assert found.by_type.least <= found.by_schedule.least
                assert found.by_type.greatest >= found.by_schedule.greatest


def test_an_overflow_between_processes_is_found_named_and_shrunk(tmp_path: Path) -> None:
    """The sum in the group's order (2, 0, 1) is 100 + 100 - 100: it saturates after two processes."""
    traces = interp.trace_parallel(SUMMED, planted(), num_replicas=3)
    for k, trace in enumerate(traces):
        assert [(g.kind, g.count, g.first.index, g.first.leaves) for g in trace.shown] == [
            ("saturate", 1, (1, 2), (0, 1))
        ]
        assert trace.groups[0].first.process == (k, 0)
        verdict = trace.verdict()
        assert verdict.counts == {"safe": 5, "order-dependent": 1}
        assert verdict.first("order-dependent") == (1, 2)
        explanation = trace.explain()
        assert explanation.element.index == (1, 2)
        assert [leaf.origin for leaf in explanation.element.leaves] == [
            f"%x [1, 2] of process {process}" for process in ((2, 0), (0, 0), (1, 0))
        ]
        bound = trace.bounds()
        assert bound.by_type
        assert (bound.by_type.least, bound.by_type.greatest) == (3 * -128, 3 * 127)
    small = traces[0].shrink()
    assert [x.tolist() for x in small.args] == [[100], 100]  # that of process (0, 0), and the init (2, 0)
    assert [e.kind for e in case_events(small.save(tmp_path / "small.mlir"))] == ["saturate"]


@pytest.mark.parametrize(("reading", "expressed"), [("dequantize", "f32"), ("integer", "f64")])
def test_other_schedules_types_and_accumulators_are_asked_of_a_collective(
    reading: str, expressed: str
) -> None:
    trace = interp.trace_parallel(SUMMED, planted(), num_replicas=3, reading=reading)[0]
    assert trace.reduction().reading == trace.verdict().reading == reading
    found = trace.matrix(
        types=[f"!quant.uniform<{i}:{expressed}, 0.5>" for i in ("i8", "i16")], recipes="onnx"
    )
    own, wide = found.types
    assert found.error(own, "specification", "left") == 73 * 0.5
    assert found.error(own, "wrap", "left") == 0
    assert found.error(wide, "specification", "left") == 0
    assert found.error(own, "integers by onnx", "left") == 73 * 0.5
    assert found.error(wide, "integers by onnx", "left") == 0
    assert trace.schedule.name == "left"
    (order,) = {repr(trace.verdict().schedule((1, 2)))}
    assert trace.reduction().element((1, 2)).result(trace.verdict().schedule((1, 2))) == (100,), order


def test_a_trace_of_a_process_runs_its_whole_grid_again(tmp_path: Path) -> None:
    """Tables, steps, pages and pickled traces run the program again, with all processes."""
    trace = interp.trace_parallel(SUMMED, planted(), num_replicas=3)[1]
    assert len(trace.table()) == sum(group.count for group in trace.shown)
    walk = interp.Stepper(trace)
    walk.step(2)
    assert walk.where().index == (1, 2)
    assert "all_reduce" in Path(trace.report(tmp_path / "page.html")).read_text()
    again = pickle.loads(pickle.dumps(trace))
    assert [x.leaves for x in elements(again.reduction())] == [x.leaves for x in elements(trace.reduction())]
    with pytest.raises(Unsupported, match="one process of several"):
        trace.budget()


def test_each_operand_of_a_collective_is_a_reduction_of_its_own() -> None:
    args = [[np.int8([100, 1]), np.int8([1, 2, 3])], [np.int8([1, 1]), np.int8([4, 5, 127])]]
    trace = interp.trace_parallel(PAIR, args, num_replicas=2)[0]
    assert list(trace.reductions) == ["%r#0", "%r#1"]
    assert [g.first.index for g in trace.shown] == [(2,)]
    assert trace.reduction().name == "%r#1"  # that of the first event
    assert trace.explain("%r#1").element.index == (2,)
    assert trace.verdict("%r#0").counts == {"safe": 2}
    with pytest.raises(Malformed, match="no reduction"):
        trace.reduction("%r#2")
    walk = interp.Stepper(trace)
    walk.step(100)
    assert [visit.reduction is not None for visit in walk.visits] == [False, True, False]


def test_a_program_that_runs_alone_has_one_leaf_for_each_element() -> None:
    program = PAIR.replace("[[0, 1]]", "[[0]]").replace("1x2xi64", "1x1xi64")
    trace = interp.trace(program, np.int8([1, 2]), np.int8([1, 2, 3]))
    assert [element.result() for element in elements(trace.reduction("%r#0"))] == [(1,), (2,)]
    assert trace.reduction("%r#1").terms == 1
    assert trace.verdict("%r#1").counts == {"safe": 3}
    assert not trace.shown


def test_collectives_of_a_mesh_are_recorded_on_every_device() -> None:
    file = Path("testdata/parallel/manual_computation_mesh.mlir")
    trace = interp.trace(file, np.arange(8, dtype=np.int32).reshape(2, 4))
    assert list(trace.reductions) == ["%1", "%1#2", "%1#3", "%1#4"]
    first = trace.reduction("%1").element((0, 1))
    assert [leaf.before for leaf in first.leaves] == [(1,), (5,)]


def test_a_trace_of_one_process_says_how_to_trace_several() -> None:
    with pytest.raises(Violation, match=r"interp\.trace_parallel, with num_replicas"):
        interp.trace(SUMMED, *planted()[0])

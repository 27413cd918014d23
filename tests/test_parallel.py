"""Grids of processes: what they compute together, the order in which they run, and how they fail."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interp
from interp.engine.evaluate import Listener
from interp.recorder.recorder import Recorder
from spec.errors import Malformed, Unspecified, Unsupported, Violation
from spec.grid import Grid
from spec.ir import Value
from spec.meaning.index import Tensor
from spec.schedule import parse
from spec.types import TOKEN
from tests.library.oracles.on_grid import Task, evaluate_parallel
from tests.library.strategies.parallel_programs import OnGrid, collectives
from tests.test_engine import RANDOM

TOK = "!stablehlo.token"
SUM = """({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  })"""
GROUPS = "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>"
TYPE = "tensor<2xi32>"
SUMMED = f"""
func.func @main(%x: {TYPE}) -> {TYPE} {{
  %0 = "stablehlo.all_reduce"(%x) {SUM} {{{GROUPS}}} : ({TYPE}) -> {TYPE}
  return %0 : {TYPE}
}}
func.func @alone(%x: {TYPE}) -> {TYPE} {{
  return %x : {TYPE}
}}
func.func @gathers(%x: {TYPE}) -> {TYPE} {{
  %0 = "stablehlo.all_gather"(%x) {{all_gather_dim = 0 : i64, {GROUPS}}} : ({TYPE}) -> tensor<4xi32>
  return %x : {TYPE}
}}
func.func @divides(%x: {TYPE}) -> {TYPE} {{
  %0 = stablehlo.custom_call @nobody(%x) : ({TYPE}) -> {TYPE}
  return %0 : {TYPE}
}}"""
ONES = [[np.array([k, 10 * k], np.int32)] for k in (1, 2)]


def oracle(program: OnGrid, schedule: str) -> list[list[tuple[Any, ...]]]:
    """Return the stored elements of each result of each process."""
    inputs = program.module.main.inputs
    tasks = {
        id: Task(
            "main", [Tensor(v.type, tuple(x.ravel().tolist())) for x, v in zip(row, inputs, strict=True)]
        )
        for id, row in zip(program.grid.process_ids, program.args, strict=True)
    }
    done = evaluate_parallel(program.module, program.grid, tasks, parse(schedule))
    return [[x.elements for x in results] for results, _ in done.values()]


def tensor(x: np.ndarray, parameter: Value) -> Tensor:
    return Tensor(parameter.type, tuple(x.ravel().tolist()))


@settings(RANDOM)
@given(program=collectives(), schedule=st.sampled_from(["left", "balanced", "blocks(2)", "random(3)"]))
def test_engine_and_oracle_agree_on_collectives(program: OnGrid, schedule: str) -> None:
    assert interp.verify(program.module) == []
    sizes = program.grid._asdict()
    found = interp.run_parallel(program.module, program.args, **sizes, schedule=schedule)
    stored = [[tuple(x.storage.ravel().tolist()) for x in results] for results in found]
    assert repr(stored) == repr([[tuple(x) for x in row] for row in oracle(program, schedule)])
    again = interp.run_parallel(program.module, program.args, **sizes, schedule=schedule)
    assert repr(again.results) == repr(found.results)


@settings(RANDOM, max_examples=20)
@given(program=collectives())
def test_a_collective_prints_and_reads_back(program: OnGrid) -> None:
    assert interp.load(repr(program.module), checked=False) == program.module


def test_one_process_is_a_grid_of_one() -> None:
    text = SUMMED.replace("[[0, 1]]> : tensor<1x2", "[[0]]> : tensor<1x1").replace("tensor<4x", "tensor<2x")
    (result,) = interp.run(text, ONES[0][0])
    assert result.tolist() == [1, 10]
    (compiled,) = interp.compile(text)(ONES[0][0])
    assert np.asarray(compiled).tolist() == [1, 10]


def test_a_plain_run_says_that_the_grid_is_too_small() -> None:
    with pytest.raises(Violation, match=r"all_reduce_c2: size\(replica_groups\) = num_replicas"):
        interp.run(SUMMED, ONES[0][0])


def test_results_are_found_by_number_and_by_id() -> None:
    found = interp.run_parallel(SUMMED, ONES, num_replicas=2)
    assert len(found) == 2
    assert found[1] == found[1, 0] == list(found)[1]
    assert found[0][0].tolist() == [3, 30]


def test_a_deadlock_names_every_process_that_waits() -> None:
    with pytest.raises(Unspecified, match="deadlock") as caught:
        interp.run_parallel(SUMMED, ONES, num_replicas=2, functions=["main", "gathers"])
    assert caught.value.evidence.splitlines() == [
        "process (0, 0) at stablehlo.all_reduce (<text>:3:8) waits for processes [(1, 0)] of its group "
        "[(0, 0), (1, 0)]",
        "process (1, 0) at stablehlo.all_gather (<text>:14:8) waits for processes [(0, 0)] of its group "
        "[(0, 0), (1, 0)]",
    ]


def test_who_waits_for_one_that_is_done_waits_for_ever() -> None:
    with pytest.raises(Unspecified, match=r"deadlock") as caught:
        interp.run_parallel(SUMMED, ONES, num_replicas=2, functions=["main", "alone"])
    assert caught.value.evidence.splitlines()[1:] == ["process (1, 0) is done"]


def test_an_error_says_in_which_process_it_was() -> None:
    with pytest.raises(Unsupported, match="custom_call @nobody"):
        interp.run_parallel(SUMMED, ONES, num_replicas=2, functions=["main", "divides"])
    refusing = _Refusing()  # process (0, 0) waits first
    with pytest.raises(Malformed, match=r"no more\n  enough\n  in process \(1, 0\)"):
        interp.run_parallel(SUMMED, ONES, num_replicas=2, listeners=refusing)


class _Refusing(Listener):
    def on_op(self, op: Any, operands: Any, results: Any, place: Any) -> None:
        raise Malformed("no more", "enough")


def test_listeners_hear_every_process() -> None:
    class Heard(Listener):
        names: list[str] = []  # noqa: RUF012

        def on_op(self, op: Any, operands: Any, results: Any, place: Any) -> None:
            if place is None:
                self.names.append(op.name)

    interp.run_parallel(SUMMED, ONES, num_replicas=2, listeners=Heard())
    assert Heard.names == ["stablehlo.all_reduce"] * 2


def test_events_can_fail_a_run() -> None:
    high = [[np.array([2**31 - 1, 0], np.int32)]] * 2
    with pytest.raises(interp.Finding, match=r"leaves 0..1, process \(1, 0\)"):
        interp.run_parallel(SUMMED, high, num_replicas=2, fail_on="wrap")


ADDED = f"""
func.func @main(%x: {TYPE}) -> {TYPE} {{
  %0 = "stablehlo.all_gather"(%x) {{all_gather_dim = 0 : i64, {GROUPS}}} : ({TYPE}) -> tensor<4xi32>
  %1 = stablehlo.add %x, %x : {TYPE}
  return %1 : {TYPE}
}}"""


def test_events_say_in_which_process_they_happened() -> None:
    """Each process goes on when its turn comes, and only the second one wraps."""
    recorder, heard = Recorder(keep=9), []

    class Heard(Listener):
        def on_op(self, op: Any, operands: Any, results: Any, place: Any) -> None:
            heard.append((op.name.partition(".")[2], self.process))

    args = [[np.array([1, 2], np.int32)], [np.array([2**31 - 1, 2**30], np.int32)]]
    interp.run_parallel(ADDED, args, num_replicas=2, listeners=[recorder, Heard()])
    assert [(event.process, event.index) for event in recorder.kept] == [((1, 0), (0,)), ((1, 0), (1,))]
    assert "wrap at result (0,), process (1, 0): " in repr(recorder.kept[0])
    assert sorted(heard) == [(name, (k, 0)) for name in ("add", "all_gather") for k in (0, 1)]
    assert Heard().process is None


def test_events_of_one_process_say_nothing_of_a_grid() -> None:
    recorder = Recorder(keep=1)
    alone = "\n".join(line for line in ADDED.splitlines() if "all_gather" not in line)
    interp.run(alone, np.array([2**31 - 1, 0], np.int32), listeners=[recorder])
    assert recorder.kept[0].process is None
    assert "process" not in repr(recorder.kept[0])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"args": ONES[:1]}, "`args` does not fit the grid"),
        ({"functions": [["main", "main"]]}, "`functions` does not fit the grid"),
        ({"infeeds": [[]]}, "`infeeds` does not fit the grid"),
        ({"num_partitions": 0}, "a grid without processes"),
        ({"num_replicas": -1}, "not a valid number of replicas"),
        ({"functions": "nothing"}, "no function @nothing"),
        ({"args": [ONES[0], [np.zeros(3, np.int32)]]}, r"process \(1, 0\): argument %x has another shape"),
    ],
)
def test_what_does_not_fit_the_grid_is_refused(options: dict[str, Any], message: str) -> None:
    given = {"args": ONES, "num_replicas": 2} | options
    with pytest.raises(Malformed, match=message):
        interp.run_parallel(SUMMED, given.pop("args"), **given)


FED = f"""func.func @main(%t: {TOK}) -> (tensor<i32>, {TOK}) {{
  %0:2 = "stablehlo.infeed"(%t) : ({TOK}) -> (tensor<i32>, {TOK})
  %1:3 = "stablehlo.infeed"(%0#1) : ({TOK}) -> (tensor<i32>, tensor<2xf32>, {TOK})
  %2 = "stablehlo.outfeed"(%1#1, %0#0, %1#2) : (tensor<2xf32>, tensor<i32>, {TOK}) -> {TOK}
  return %1#0, %2 : tensor<i32>, {TOK}
}}"""
PAIR = (np.int32(7), np.array([1, 2], np.float32))


def test_infeeds_are_read_and_outfeeds_are_kept() -> None:
    infeeds = [[np.int32(5), PAIR], [(np.int32(6),), PAIR]]
    found = interp.run_parallel(FED, [[()], [None]], num_partitions=2, infeeds=infeeds)
    assert [results[0].item() for results in found] == [7, 7]
    assert [results[1] for results in found] == [(), ()]
    assert [[x.tolist() for x in row] for feed in found.outfeeds for row in feed] == [
        [[1.0, 2.0], 5],
        [[1.0, 2.0], 6],
    ]


def test_an_infeed_that_is_empty_is_a_deadlock() -> None:
    with pytest.raises(Unspecified, match="deadlock") as caught:
        interp.run_parallel(FED, [[()]], infeeds=[[np.int32(5)]])
    assert "waits for its infeed, which is empty" in caught.value.evidence
    with pytest.raises(Unspecified, match="its infeed, which is empty"):
        interp.run(FED, ())


def test_an_infeed_must_have_the_types_of_the_program() -> None:
    with pytest.raises(Malformed, match="float64, its parameter is tensor<i32>"):
        interp.run_parallel(FED, [[()]], infeeds=[[5.5]])
    with pytest.raises(Unspecified, match="an element of the infeed does not fit"):
        interp.run_parallel(FED, [[()]], infeeds=[[PAIR]])


def test_the_oracle_reads_infeeds_too() -> None:
    module = interp.load(FED)
    five = Tensor(module.main.results[0], (5,))
    floats = Tensor(module.main.body.ops[1].results[1].type, (1.0, 2.0))
    task = Task("main", [Tensor(TOKEN, ())])
    done = evaluate_parallel(module, Grid(), {(0, 0): task}, infeeds={(0, 0): [(five,), (five, floats)]})
    assert done[0, 0].results[0].elements == (5,)
    assert done[0, 0].outfed == [(floats, five)]


PASSING = f"""func.func @main(%x: tensor<i32>, %t: {TOK}) -> tensor<i32> {{
  %0:2 = "stablehlo.recv"(%t) {{CHANNEL}} : ({TOK}) -> (tensor<i32>, {TOK})
  %1 = "stablehlo.send"(%x, %0#1) {{CHANNEL}} : (tensor<i32>, {TOK}) -> {TOK}
  return %0#0 : tensor<i32>
}}""".replace(
    "CHANNEL",
    "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false, "
    "source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>",
)


def test_two_that_receive_before_they_send_wait_for_each_other() -> None:
    with pytest.raises(Unspecified, match="deadlock") as caught:
        interp.run_parallel(PASSING, [[np.int32(1), ()]] * 2, num_partitions=2)
    assert caught.value.evidence.count("waits for a message in channel 1") == 2


def test_who_is_no_target_cannot_receive() -> None:
    text = PASSING.replace("[[0, 1], [1, 0]]> : tensor<2x2", "[[0, 1]]> : tensor<1x2")
    with pytest.raises(Unspecified, match=r"process \(0, 0\) receives, and no pair has it as target"):
        interp.run_parallel(text, [[np.int32(1), ()]] * 2, num_partitions=2)


def test_processes_that_disagree_about_a_collective_are_told() -> None:
    other = SUMMED.replace("@main", "@other").split("func.func @alone")[0].replace("2xi32", "3xi32")
    with pytest.raises(Unspecified, match="processes meet at different operations"):
        interp.run_parallel(
            SUMMED + other,
            [ONES[0], [np.zeros(3, np.int32)]],
            num_replicas=2,
            functions=[["main"], ["other"]],
        )


def test_roots_may_be_given_by_an_operand() -> None:
    text = """func.func @main(%x: tensor<2xi32>, %root: tensor<1xi32>) -> tensor<2xi32> {
      %0 = "stablehlo.NAME"(%x, %root) BODY {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
        has_dynamic_root = true} : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>
      "func.return"(%0) : (tensor<2xi32>) -> ()
    }"""
    body = SUM.replace(
        "stablehlo.add %a, %b : tensor<i32>",
        '"stablehlo.add"(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>',
    ).replace("stablehlo.return %s : tensor<i32>", '"stablehlo.return"(%s) : (tensor<i32>) -> ()')
    wanted = {"collective_broadcast": [[2, 20], [2, 20]], "collective_reduce": [[0, 0], [3, 30]]}
    for name, results in wanted.items():
        code = text.replace("NAME", name).replace("BODY", body if "reduce" in name else "")
        module = interp.load(code, checked=False)
        args = [[*row, np.array([1], np.int32)] for row in ONES]
        assert interp.verify(module) == []
        assert [x.tolist() for (x,) in interp.run_parallel(module, args, num_replicas=2)] == results
        assert oracle(OnGrid(module, Grid(2, 1), args), "left") == [[tuple(x)] for x in results]
        far = [[*row, np.array([2], np.int32)] for row in ONES]
        with pytest.raises(Violation, match="c6"):
            interp.run_parallel(module, far, num_replicas=2)


def test_tuples_cross_the_border() -> None:
    text = f"""func.func @main(%x: tuple<tensor<2xi32>, {TOK}>) -> tuple<tensor<2xi32>> {{
      %0 = stablehlo.get_tuple_element %x[0] : (tuple<tensor<2xi32>, {TOK}>) -> tensor<2xi32>
      %1 = stablehlo.tuple %0 : tuple<tensor<2xi32>>
      return %1 : tuple<tensor<2xi32>>
    }}"""
    ((result,),) = interp.run(text, (ONES[0][0], ()))
    assert result.tolist() == [1, 10]
    ((compiled,),) = interp.compile(text)((ONES[0][0], ()))
    assert np.asarray(compiled).tolist() == [1, 10]
    with pytest.raises(Malformed, match="expected a tuple of 2 values, got ndarray"):
        interp.run(text, ONES[0][0])
    with pytest.raises(Unsupported, match="tokens and tuples are not compared"):
        interp.compare(text, (ONES[0][0], ()))


def test_a_tensor_operation_takes_no_token() -> None:
    text = f"""func.func @main(%t: {TOK}) -> {TOK} {{
      %0 = "stablehlo.negate"(%t) : ({TOK}) -> {TOK}
      "func.return"(%0) : ({TOK}) -> ()
    }}"""
    found = interp.verify(interp.load(text, checked=False))
    assert found[0].code == "value_c2"

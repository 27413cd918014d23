"""Stepping: every node is the fold's, forward and back agree, the end is the run's; and how it reads."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import interp
from interp.answers.position import source_lines
from interp.answers.stepper import Stepper
from interp.backends import State
from interp.engine.evaluate import Listener, Place
from interp.recorder.element import Parenthesized
from spec.errors import Location
from spec.ir import Op
from spec.types import QuantizedType
from tests.library.builders import quantized, reduction
from tests.library.strategies.programs import PROGRAMS, Program, quantized_types

ROOT = Path(__file__).resolve().parent.parent
SCHEDULES = ("left", "balanced", "blocks(3)", "blocks(1)", "windows(2)", "random(5)")
I8 = quantized("i8:f32, 0.5:3")
SUM = f"""
func.func @main(%x: tensor<2x8x{I8}>) -> tensor<2x{I8}> {{
  %zero = stablehlo.constant() {{value = dense<3> : tensor<i8>}} : () -> tensor<{I8}>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<2x8x{I8}>, tensor<{I8}>) -> tensor<2x{I8}>
  return %sum : tensor<2x{I8}>
}}
"""
CALLED = """
func.func private @total(%x: tensor<3xi8>, %zero: tensor<i8>) -> tensor<i8> {
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<3xi8>, tensor<i8>) -> tensor<i8>
  return %0 : tensor<i8>
}
func.func @main(%x: tensor<3xi8>, %zero: tensor<i8>) -> tensor<i8> {
  %0 = func.call @total(%x, %zero) : (tensor<3xi8>, tensor<i8>) -> tensor<i8>
  %1 = func.call @total(%x, %0) : (tensor<3xi8>, tensor<i8>) -> tensor<i8>
  return %1 : tensor<i8>
}
"""


class Nodes(Listener):
    """Listener that keeps what the fold combined for one flat index of the result, in order."""

    def __init__(self, flat: int) -> None:
        self.flat = flat
        self.shape: tuple[int, ...] = ()
        self.found: list[tuple[State, State, State]] = []

    def on_fold(self, op: Any, region: int, init: Any, leaves: Any, columns: Any) -> None:
        self.shape = init[0].shape if init else ()

    def on_node(self, place: Place, lhs: State, rhs: State, results: State) -> None:
        if place.region != len(place.op.regions) - 1:
            return
        at = self.flat
        if place.columns is not None:
            (positions,) = np.nonzero(place.columns == self.flat)
            if not positions.size:
                return
            at = int(positions[0])
        for k in range(len(place.node.first) if place.node.stacked else 1):
            pick = lambda x, k=k: (x[k] if place.node.stacked else x).reshape(-1)[at].item()
            if place.node.present is None or pick(np.broadcast_to(place.node.present, lhs[0].shape)):
                self.found.append(tuple(tuple(map(pick, state)) for state in (lhs, rhs, results)))


def everywhere(stepper: Stepper) -> list[str]:
    """Return what each moment shows, from where it stands to the end."""
    seen = [told(stepper)]
    while stepper.step() and told(stepper) != seen[-1]:
        seen.append(told(stepper))
    return seen


def told(stepper: Stepper) -> str:
    return f"{stepper.where()!r}\n{stepper.acc()!r}"


def watched(program: Program, schedule: str, choice: int) -> tuple[Stepper, int]:
    """A walk that watches some element of the program's reduction, and its flat index."""
    shape = program.module.main.results[0].shape
    assume(np.prod(shape) > 0)
    flat = choice % int(np.prod(shape))
    stepper = interp.step(program.module, *program.args, schedule=schedule)
    stepper.watch(*(int(i) for i in np.unravel_index(flat, shape)))
    return stepper, flat


@given(PROGRAMS, st.sampled_from(SCHEDULES), st.integers(0, 99))
def test_every_accumulator_is_a_node_of_the_fold(program: Program, schedule: str, choice: int) -> None:
    """Accumulators come in the fold's order, but for blocks, which the engine folds side by side."""
    stepper, flat = watched(program, schedule, choice)
    nodes = Nodes(flat)
    (first, *_) = interp.run(program.module, *program.args, schedule=schedule, listeners=[nodes])
    stepper.step()
    seen = []
    while stepper.step().node:
        node = stepper.where().node
        assert node
        seen.append(repr((node.lhs, node.rhs, node.result)))
        assert len(stepper.acc().stored) == len(node.result)
    expected = list(map(repr, nodes.found))
    assert Counter(seen) == Counter(expected)
    if not schedule.startswith("blocks"):
        assert seen == expected
    assert stepper.acc()[0] == first


@given(PROGRAMS, st.sampled_from(SCHEDULES), st.integers(0, 30), st.integers(0, 30))
def test_there_and_back(program: Program, schedule: str, first: int, second: int) -> None:
    """n steps and n back are where one was; and steps one by one are those at once."""
    stepper = interp.step(program.module, *program.args, schedule=schedule)
    seen = everywhere(stepper)
    assert [told(stepper)] == seen[-1:]
    stepper.back(len(seen) - 1)
    assert told(stepper) == seen[0]
    stepper.step(first)
    at = min(first, len(seen) - 1)
    assert told(stepper) == seen[at]
    stepper.step(second)
    moved = min(at + second, len(seen) - 1) - at
    assert told(stepper) == seen[at + moved]
    stepper.back(moved)
    assert told(stepper) == seen[at]
    stepper.back(1000)
    assert told(stepper) == seen[0]


@given(PROGRAMS, st.sampled_from(SCHEDULES))
def test_the_end_is_what_run_gives(program: Program, schedule: str) -> None:
    stepper = interp.step(program.module, *program.args, schedule=schedule)
    stepper.step(10**6)
    assert stepper.acc() == interp.run(program.module, *program.args, schedule=schedule)


@given(quantized_types("f32"), st.data())
def test_the_exact_sum_is_that_of_the_leaves(element: QuantizedType, data: st.DataObject) -> None:
    values = st.integers(element.storage_min, element.storage_max)
    row = data.draw(st.lists(values, min_size=1, max_size=9))
    init = data.draw(values)
    text = repr(element)
    module = reduction("reduce", f"{len(row)}x{text}", text, text, text, "dimensions = array<i64: 0>")
    dtype = np.dtype(element.storage_type.numpy)
    stepper = interp.step(module, np.array(row, dtype), np.array(init, dtype), schedule="random(3)")
    stepper.step(len(row) + 1)
    (exact,) = stepper.acc().exact
    scale = Fraction(float(np.float32(element.scale)))
    assert exact == sum((q - element.zero_point) * scale for q in (init, *row))


# By hand


ROWS = np.array([[1, 2, 3, 4, 5, 6, 7, 8], [10, 60, 90, -100, 0, 0, 0, 50]], np.int8)


def test_a_walk() -> None:
    """The sum of a and b is a + b - 3 in i8:f32, 0.5:3; the second row overflows at its third element."""
    stepper = interp.step(interp.load(SUM), ROWS)
    assert repr(stepper) == "before the first operation"
    (x,) = stepper.acc()
    assert (x.storage == ROWS).all()
    assert repr(stepper.step()).startswith("<text>:3:11 constant %zero\n")
    assert repr(stepper.step()).startswith("<text>:4:26 reduce %sum, result (1,)\n")  # where it overflows
    assert repr(stepper.where()).endswith("\n  step 0 of 8: init\n  3")
    assert repr(stepper.acc()) == "stored 3, value 0, exact 0, !quant.uniform<i8:f32, 5.000000e-01:3>"
    assert repr(stepper.step()) == (
        "  step 1 of 8: (init . x0) inside (init..x0 . x1), x0 = %x (1, 0)\n  3 + 10 -> 10"
    )
    assert repr(stepper.until("saturate")) == (
        "  step 3 of 8: ((init..x0 . x1) . x2) inside (init..x2 . x3), x2 = %x (1, 2)\n"
        "  67 + 90 -> 127, saturate (exact 154)"
    )
    assert repr(stepper.acc()) == (
        "stored 127, value 62, exact 75.5 (-27 steps), !quant.uniform<i8:f32, 5.000000e-01:3>"
    )
    assert stepper.acc().values == (62.0,)
    assert repr(stepper.back(2)).startswith("  step 1 of 8: ")
    assert repr(stepper.step(8)).splitlines()[-2:] == ["  result (1,)", "  62"]
    assert repr(stepper.step()).startswith("the end: %sum\n")


def test_until_an_operation_and_what_is_not_ahead() -> None:
    stepper = interp.step(interp.load(SUM), ROWS)
    for name in ("%sum", "sum", "@main/%sum"):
        position = stepper.until(name)  # type: ignore[arg-type]
        assert (position.op.name, position.index, position.moment) == ("stablehlo.reduce", (1,), 0)
        stepper.back(1)
    stepper.until("saturate")
    with pytest.raises(interp.Malformed, match="no %sum from here on\n  it is behind"):
        stepper.until("%sum")
    with pytest.raises(interp.Malformed, match=r"no event from here on\n  .*: saturate x 1, .*\n  back"):
        stepper.until()
    stepper.back(100)
    assert stepper.until().events[-1].kind == "saturate"  # past errata
    with pytest.raises(interp.Malformed, match="no wrap from here on\n  there is none in this run"):
        stepper.until("wrap")
    with pytest.raises(
        interp.Malformed, match=r"no saturate from here on\n  .* reduce %sum: saturate x 1, .*\n"
    ):
        stepper.until("saturate")
    with pytest.raises(interp.Malformed, match=r"no operation %7\n  operations: %zero, %sum\n  or a ki"):
        stepper.until("%7")
    assert stepper.moment == 3  # it stays
    for n in (-1, "2", True, 1.5):
        with pytest.raises(interp.Malformed, match="is not a number of steps"):
            stepper.step(n)


def test_watching_another_element() -> None:
    stepper = interp.step(interp.load(SUM), ROWS)
    stepper.watch(0)
    stepper.until("%sum")
    assert stepper.step(3).node.result == (1 + 2 + 3 - 3 * 3 + 3,)
    with pytest.raises(interp.Malformed, match="no saturate"):
        stepper.until("saturate")
    assert stepper.watch(1).events[-1].kind == "saturate"  # at the same step
    assert repr(stepper.watch()) == repr(stepper.watch((1,))) == repr(stepper.where())
    for index in ((2,), (0, 0), (-1,)):
        with pytest.raises(interp.Malformed, match="is not an index of %sum"):
            stepper.watch(*index)
    stepper.step(100)
    with pytest.raises(interp.Malformed, match="nothing is reduced from here on"):
        stepper.watch(0)


@pytest.mark.parametrize(
    ("schedule", "parentheses"),
    [
        ("left", "(init . x0) ((init . x0) . x1) ((init..x0 . x1) . x2) ((init..x1 . x2) . x3)"),
        ("balanced", "(init . x0) (x1 . x2) ((init . x0) . (x1 . x2)) ((init..x0 . x1..x2) . x3)"),
        (
            "tree(3 4, 1 2, 6 5, 0 7)",
            "(x2 . x3) (x0 . x1) ((x0 . x1) . (x2 . x3)) (init . (x0..x1 . x2..x3))",
        ),
        (
            "blocks(2)",
            "(init . x0) ((init . x0) . x1) (init . x2) ((init . x2) . x3)"
            " ((init..x0 . x1) . (init, x2 . x3))",
        ),
    ],
)
def test_the_tree_in_parentheses(schedule: str, parentheses: str) -> None:
    module = reduction("reduce", "4xi8", "i8", "i8", "i8", "dimensions = array<i64: 0>")
    trace = interp.trace(module, np.arange(4, dtype=np.int8), np.int8(0), schedule=schedule)
    element = trace.reduction().element(())
    steps = element.replay()
    tree = Parenthesized(element, steps)
    assert " ".join(tree.text(5 + k, 2) for k in range(len(steps))) == parentheses
    assert tree.place(0).endswith({"left": " inside (init..x0 . x1)"}.get(schedule, ")"))
    assert tree.place(len(steps) - 1) == tree.text(4 + len(steps), 2)


def test_a_function_that_is_called_twice() -> None:
    """Each call's reduction is walked through; the calls themselves come after."""
    stepper = interp.step(interp.load(CALLED), np.int8([100, 20, 30]), np.int8(0))
    names = [visit.op.name.partition(".")[2] for visit in stepper.visits if visit.op]
    assert names == ["reduce", "call", "reduce", "call", "return"]
    first = stepper.until("wrap")
    assert (first.node.lhs, first.node.rhs, first.node.result) == ((120,), (30,), (-106,))
    stepper.step(100)
    assert stepper.acc()[0].storage == np.int8(300 - 256)


def test_next_and_finish_pass_over_calls_and_reductions() -> None:
    stepper = interp.step(interp.load(CALLED), np.int8([100, 20, 30]), np.int8(0))
    over = [stepper.next().name for _ in range(3)]
    assert over == ["@main/%0", "%1", ""]
    assert stepper.next().name == ""  # the end stays the end
    stepper.back(100)
    stepper.step(2)  # into the function, and its reduction
    assert (stepper.where().name, stepper.moment) == ("@total/%0", 1)
    assert [visit.op.name for visit in stepper.backtrace().around] == ["func.call"]
    assert repr(stepper.backtrace()).splitlines()[-1].endswith("call @main/%0")
    assert (stepper.next().name, stepper.moment) == ("@total/%0", 2)  # within a reduction, a node
    assert repr(stepper.finish()) == "  result ()\n  -106"
    assert stepper.next().name == "@main/%0"
    stepper.back()
    assert stepper.finish().name == "@main/%0"
    with pytest.raises(interp.Malformed, match="nothing to finish here"):
        stepper.finish()
    stepper.until("@total/%0#2")
    assert [name.name for name in (stepper.finish(), stepper.finish())] == ["@total/%0#2", "%1"]


def test_next_passes_over_a_loop_and_walks_within_it() -> None:
    text = """func.func @main(%n: tensor<i32>) -> tensor<i32> {
      %r = stablehlo.while(%k = %n) : tensor<i32>
        cond {
          %z = stablehlo.constant dense<0> : tensor<i32>
          %p = stablehlo.compare GT, %k, %z : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %p : tensor<i1>
        } do {
          %o = stablehlo.constant dense<1> : tensor<i32>
          %d = stablehlo.subtract %k, %o : tensor<i32>
          stablehlo.return %d : tensor<i32>
        }
      return %r : tensor<i32>
    }"""
    stepper = interp.step(interp.load(text), np.int32(3))
    assert stepper.next().op.name == "stablehlo.while"
    stepper.back(100)
    stepper.step()
    within = [stepper.where().name]
    while stepper.next().op.name != "stablehlo.while":
        within.append(stepper.where().name)
    assert len(within) == 4 * 2 + 3 * 2
    assert within[-1].endswith("#4")
    stepper.back(100)
    stepper.break_("%d if value < 2")
    assert stepper.continue_().name == "%d#2"
    assert stepper.value("%d").storage == 1
    assert stepper.value("%d#1").storage == stepper.value("n").storage - 1 == 2
    assert "while" in repr(stepper.backtrace()).splitlines()[-1]
    assert stepper.finish().op.name == "stablehlo.while"


def test_breakpoints() -> None:
    stepper = interp.step(interp.load(SUM), ROWS)
    first, second, third = map(stepper.break_, ("saturate", "%sum if stored == 67", "%sum"))
    hits = []
    for _ in range(4):
        position = stepper.continue_()
        hits.append((position.name, position.moment, position.reason.partition(":")[0]))
    assert hits == [
        ("%sum", 0, "breakpoint 3"),
        ("%sum", 2, "breakpoint 2"),
        ("%sum", 3, "breakpoint 1"),
        ("", 0, ""),  # the end
    ]
    assert [each.hits for each in (first, second, third)] == [1, 1, 1]
    assert repr(first) == "breakpoint 1: saturate, hit 1 time"
    stepper.back(100)
    assert stepper.continue_(3).moment == 3
    stepper.delete(3, 1)
    assert stepper.breakpoints == [second]
    assert stepper.break_("if value > 28").number == 4
    stepper.back(100)
    places = [(stepper.continue_().name, stepper.moment) for _ in range(3)]
    assert places == [("%sum", 2), ("%sum", 3), ("%sum", 8)]  # 67 is 32, 127 is 62, and 62 is 29.5
    stepper.delete()
    assert stepper.continue_().name == ""


@pytest.mark.parametrize(
    ("condition", "found"),
    [("nan", 1), ("inf", 2), ("value > 3", 2), ("value == 1.5", 3), ("stored != 1.5", 1), ("inexact", None)],
)
def test_conditions(condition: str, found: int | None) -> None:
    """The values are nan and 0, then inf and 1, then 1.5 twice."""
    text = """func.func @main() -> tensor<2xf32> {
      %a = stablehlo.constant dense<[0x7FC00000, 0.0]> : tensor<2xf32>
      %b = stablehlo.constant dense<[0x7F800000, 1.0]> : tensor<2xf32>
      %c = stablehlo.constant dense<1.5> : tensor<2xf32>
      return %a : tensor<2xf32>
    }"""
    stepper = interp.step(interp.load(text))
    stepper.break_(f"if {condition}")
    position = stepper.continue_()
    assert (position.name or None) == (None if found is None else f"%{' abc'[found]}")


def test_what_is_no_breakpoint() -> None:
    stepper = interp.step(interp.load(SUM), ROWS)
    for text in ("if", "if value", "if value > x", "if value = 3", "%sum if", "if size > 3"):
        with pytest.raises(interp.Malformed, match="is not a condition\n  expected one of"):
            stepper.break_(text)
    with pytest.raises(interp.Malformed, match="a breakpoint needs an operation"):
        stepper.break_()
    with pytest.raises(interp.Malformed, match=r"no operation %7\n  operations: %zero, %sum\n  or a kind"):
        stepper.break_("%7")
    with pytest.raises(interp.Malformed, match="no breakpoint 1\n  breakpoints: none"):
        stepper.delete(1)
    assert stepper.breakpoints == []


def test_the_listing() -> None:
    """A file is listed as it is written, a program without a file as MLIR."""
    stepper = interp.step(interp.load(SUM), ROWS)
    assert repr(stepper.listing()).startswith('-> 1  %zero = "stablehlo.constant"')
    assert repr(stepper.listing("%sum")).splitlines()[1].startswith("-> 2  %sum")
    path = ROOT / "testdata/programs/saturating_sum.mlir"
    stepper = interp.step(interp.load(path), np.load(path.with_suffix(".npz"))["arg0"])
    lines = path.read_text().splitlines()
    shown = stepper.listing("%sum")
    assert "stablehlo.reduce" in lines[shown.marked - 1]
    arrows = [line for line in repr(shown).splitlines() if line.startswith("->")]
    assert arrows == [f"-> {shown.marked:{len(str(len(lines)))}}  {lines[shown.marked - 1]}"]


def test_until_a_lossy_conversion() -> None:
    """An operand's conversion before anything is combined is told with the init value."""
    wide = quantized("i16:f32, 0.7")
    module = reduction("reduce", f"3x{I8}", I8, wide, wide, "dimensions = array<i64: 0>")
    stepper = interp.step(module, np.int8([4, 5, 6]), np.int8(3))
    position = stepper.until("lossy_convert")
    assert (position.moment, position.events[0].what) == (0, "operand %input")
    assert "lossy_convert at operand %input (0,)" in repr(position)


def test_what_is_too_long_to_tell_is_one_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interp.recorder.element.MOST", 7)
    stepper = interp.step(interp.load(SUM), ROWS)
    assert repr(stepper.until("%sum")).splitlines()[0].endswith("reduce %sum, in one step")
    assert stepper.acc() == interp.run(interp.load(SUM), ROWS)
    with pytest.raises(interp.Unsupported, match="at most 7 leaves, got 8"):
        stepper.watch(0)


def test_several_operands() -> None:
    """An argmax: what is combined is pairs, and there is no one operation to be exact about."""
    arrays = np.load(ROOT / "testdata/programs/argmax.npz")
    module = interp.load(ROOT / "testdata/programs/argmax.mlir")
    stepper = interp.step(module, *arrays.values())
    stepper.until("%best")
    position = stepper.step(2)
    assert len(position.node.result) == len(stepper.acc().stored) == 2
    assert stepper.acc().exact == (None, None)
    assert repr(stepper.acc()).splitlines()[1].startswith("stored ")


def test_the_line_of_the_source() -> None:
    """A file that is there gives the line with a caret; else the operation is shown as MLIR."""
    path = ROOT / "testdata/programs/saturating_sum.mlir"
    x = np.load(path.with_suffix(".npz"))["arg0"]
    first, line, caret = repr(interp.step(interp.load(path), x).step()).splitlines()
    assert first == f"{path}:6:11 constant %zero"
    assert path.read_text().splitlines()[5] in line
    assert caret.index("^") == line.index('"stablehlo.constant"')
    bytecode = interp.load(path.with_suffix(".current.mlirbc"))
    _, line = repr(interp.step(bytecode, x).step()).splitlines()
    assert line.startswith('  %cst = "stablehlo.constant"() {value = ')


@pytest.mark.parametrize("file", ["/dev/zero", "a\0b", "x" * 5000])
def test_a_location_that_names_no_text_file(file: str) -> None:
    op = Op("stablehlo.abs", (), (), location=Location(file, 1, 1))
    assert source_lines(op) == ['  "stablehlo.abs"() : () -> ()']


@pytest.mark.parametrize("type", ["bf16", "f16", "f32", "f64"])
def test_what_is_not_finite(type: str) -> None:
    module = reduction("reduce", f"2x{type}", type, type, type, "dimensions = array<i64: 0>")
    dtype = np.dtype("bfloat16" if type == "bf16" else f"float{type[1:]}")
    stepper = interp.step(module, np.array([np.inf, np.nan], dtype), dtype.type(1))
    stepper.step(2)
    assert repr(stepper.acc()) == f"stored inf, exact inf, {type}"
    stepper.step()
    assert repr(stepper.acc()) == f"stored nan, exact nan, {type}"


def test_an_enormous_exact_value() -> None:
    x = np.full(40, 1e300)
    module = reduction("reduce", "40xf64", "f64", "f64", "f64", "dimensions = array<i64: 0>", "multiply")
    stepper = interp.step(module, x, np.float64(1))
    stepper.step(41)
    assert repr(stepper.acc()) == "stored inf, exact about 2**39863, f64"
    assert stepper.acc().exact == (Fraction(1e300) ** 40,)

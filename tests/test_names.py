"""The name that is printed of an operation is the name that is understood, by every verb and command."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interp
from interp.__main__ import main
from interp.recorder.names import find, name_of, operations
from interp.rewrite.inlining import inline_and_name
from tests.library.strategies import op_programs, programs

ROOT = Path(__file__).resolve().parent.parent
TEXTS = sorted(path for path in (ROOT / "testdata").glob("programs/*.mlir") if path.stem != "rfc_example")
Q = "!quant.uniform<i8:f32, 1.0>"
REDUCE = "stablehlo.reduce({} init: %z) applies stablehlo.add across dimensions = [1]"
ROWS = f"(tensor<2x3x{Q}>, tensor<{Q}>) -> tensor<2x{Q}>"
# @rows runs twice, the second time beyond 127; %z is a name of both functions.
TWICE = f"""
func.func @main(%x: tensor<2x3x{Q}>) -> (tensor<2x{Q}>, tensor<2x{Q}>, tensor<2x{Q}>) {{
  %a = call @rows(%x) : (tensor<2x3x{Q}>) -> tensor<2x{Q}>
  %y = stablehlo.add %x, %x : tensor<2x3x{Q}>
  %b = call @rows(%y) : (tensor<2x3x{Q}>) -> tensor<2x{Q}>
  %z = "stablehlo.constant"() {{value = dense<0> : tensor<i8>}} : () -> tensor<{Q}>
  %sum = {REDUCE.format("%x")} : {ROWS}
  return %a, %b, %sum : tensor<2x{Q}>, tensor<2x{Q}>, tensor<2x{Q}>
}}
func.func private @rows(%x: tensor<2x3x{Q}>) -> tensor<2x{Q}> {{
  %z = "stablehlo.constant"() {{value = dense<0> : tensor<i8>}} : () -> tensor<{Q}>
  %row = {REDUCE.format("%x")} : {ROWS}
  return %row : tensor<2x{Q}>
}}
"""
MODULE = interp.load(TWICE)
X = np.full((2, 3), 40, np.int8)
TRACE = interp.trace(MODULE, X, keep=9)
SECOND = "@rows/%row#2"

PRINTED: dict[str, Callable[[], str]] = {
    "trace": lambda: repr(TRACE),
    "event": lambda: repr(TRACE.kept[0]),
    "json": lambda: TRACE.to_json(),
    "table": lambda: repr(TRACE.table()),
    "verdict": lambda: repr(TRACE.verdict(SECOND)),
    "bounds": lambda: repr(TRACE.bounds(SECOND)),
    "explain": lambda: repr(TRACE.explain(SECOND)),
    "matrix": lambda: repr(TRACE.matrix(SECOND)),
    "summary": lambda: repr(TRACE.summary()),
    "shrink": lambda: repr(TRACE.shrink(SECOND)),
    "budget": lambda: repr(TRACE.budget()),
    "step": lambda: repr(interp.step(MODULE, X).until(SECOND)),
    "plan": lambda: repr(interp.plan(MODULE)),
    "plan of a run": lambda: repr(interp.plan(MODULE, X)),
    "lint": lambda: repr(interp.lint(MODULE)),
    "breakpoint": lambda: repr(interp.trace(MODULE, X, break_on="saturate").stopped),
}


@pytest.mark.slow("runs each verb", rows=5)
@pytest.mark.parametrize("verb", PRINTED)
def test_a_verb_prints_the_names_that_are_understood(verb: str) -> None:
    text = PRINTED[verb]()
    names = set(re.findall(r"(?:reduce |\"|')(?:@\w+/)?%\w+(?:#\d+)?|@\w+/%\w+(?:#\d+)?", text))
    found = {name.split()[-1].strip("\"'") for name in names}
    assert any(name.startswith("@rows/%row") for name in found)
    known = operations(MODULE)
    for name in found:
        assert find(name, known, "operation").op in [x.op for x in known]


def test_the_page_names_reductions_alike(tmp_path: Path) -> None:
    page = TRACE.report(tmp_path / "page.html").read_text()
    for name in TRACE.reductions:
        assert f"{name} reduce" in page


def test_the_names_of_reductions_that_ran() -> None:
    assert list(TRACE.reductions) == ["@rows/%row", SECOND, "%sum"]
    assert [name_of(MODULE, op) for op in MODULE.main.body.ops[:-1]] == ["%a", "%y", "%b", "@main/%z", "%sum"]
    first = "first at @rows/%row#2 result (0,), leaves 0..2"
    assert f"reduce @rows/%row: saturate x 4, {first}" in repr(TRACE)


@pytest.mark.parametrize(
    ("spellings", "name"),
    [
        (("@rows/%row", "rows/%row", "@rows/row", "%row", "row", '@"rows"/%row', " %row "), "@rows/%row"),
        (("@rows/%row#2", "rows/row#2", "%row#2", "row#2"), SECOND),
        (("%sum", "sum", "@main/%sum", "main/sum"), "%sum"),
    ],
)
def test_a_name_with_and_without_its_function(spellings: tuple[str, ...], name: str) -> None:
    for spelling in spellings:
        assert TRACE.reduction(spelling) is TRACE.reductions[name]
        assert TRACE.explain(spelling).element.reduction is TRACE.reductions[name]
        stepper = interp.step(MODULE, X)
        assert stepper.until(spelling).name == name
    wide = "!quant.uniform<i32:f32, 1.0>"
    assert interp.with_accumulator(MODULE, spellings[0], wide) == interp.with_accumulator(MODULE, name, wide)


def test_an_operation_is_a_name_too() -> None:
    (reduce,) = (op for op in MODULE["rows"].body.ops if op.regions)
    assert TRACE.reduction(reduce) is TRACE.reductions["@rows/%row"]
    with pytest.raises(interp.Malformed, match="no reduction %y"):
        TRACE.reduction(MODULE.main.body.ops[1])


def test_numbers_are_names_of_what_bytecode_has() -> None:
    """At a prompt `bounds 0` gives a number."""
    program = ROOT / "testdata/programs/saturating_sum"
    trace = interp.trace(f"{program}.current.mlirbc", *np.load(f"{program}.npz").values())
    assert list(trace.reductions) == ["%0"]
    for name in ("%0", "0", 0):
        assert trace.reduction(name) is trace.reductions["%0"]


@pytest.mark.parametrize("ask", [TRACE.explain, TRACE.verdict, TRACE.bounds, TRACE.matrix, TRACE.shrink])
@pytest.mark.parametrize(
    ("name", "meant"),
    [("%rwo", "@rows/%row"), ("@rows/%rom", "@rows/%row"), ("%smu", "%sum"), ("@main/%row", "@rows/%row")],
)
def test_what_is_unknown_may_have_been_another(ask: Any, name: str, meant: str) -> None:
    with pytest.raises(interp.Malformed) as caught:
        ask(name)
    explains = ask == TRACE.explain  # which any operation may be asked of
    assert caught.value.verdict == f"no {'operation' if explains else 'reduction'} {name}"
    guess, known = caught.value.evidence.splitlines()
    assert guess.startswith("did you mean ")
    assert meant in guess
    every = "operations: %a, %y, %b, @main/%z, %sum, %4, @rows/%z, @rows/%row, @rows/%1"
    assert known == (every if explains else "reductions: @rows/%row, @rows/%row#2, %sum")


def test_what_is_unknown_elsewhere() -> None:
    with pytest.raises(
        interp.Malformed, match=r"no operation %b2\n  did you mean %b\?\n  operations: @rows/%z"
    ):
        interp.step(MODULE, X).until("%b2")
    with pytest.raises(interp.Malformed, match=r"no reduction %rom\n  did you mean @rows/%row\?\n  red"):
        interp.with_accumulator(MODULE, "%rom", "i32")
    with pytest.raises(interp.Malformed, match="no %row#3 from here on"):
        interp.step(MODULE, X).until("%row#3")


def test_what_is_ambiguous_lists_what_it_may_be() -> None:
    with pytest.raises(interp.Malformed) as caught:
        interp.step(MODULE, X).until("%z")
    assert caught.value.verdict == "%z may be several operations"
    assert caught.value.evidence.splitlines()[0] == "give one of @rows/%z, @main/%z"
    both = interp.load(TWICE.replace("%row", "%sum"))
    with pytest.raises(interp.Malformed, match=r"several reductions\n  give one of @main/%sum, @rows/%sum"):
        interp.with_accumulator(both, "%sum", "i32")
    wide = "!quant.uniform<i32:f32, 1.0>"
    changed = interp.with_accumulator(both, "%sum", wide, function="rows")
    assert changed == interp.with_accumulator(both, "@rows/%sum", wide)
    assert list(interp.trace(both, X).reductions) == ["@rows/%sum", "@rows/%sum#2", "@main/%sum"]


def test_the_command_explains_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, x = tmp_path / "twice.mlir", tmp_path / "x.npy"
    program.write_text(TWICE)
    np.save(x, X)
    assert main(["trace", str(program), str(x), "--explain", SECOND, "--explain", "sum"]) == 0
    out = capsys.readouterr().out
    assert f"reduce {SECOND} at (0,)" in out
    assert "reduce %sum at (0,)" in out
    assert main(["trace", str(program), str(x), "--explain", "%som"]) == 2
    assert "no operation %som\n  did you mean %sum?" in capsys.readouterr().err


def test_inlined_values_keep_their_names() -> None:
    program, names = inline_and_name(MODULE, MODULE.main)
    reductions = [op.result.name for op in program.main.body.ops if op.regions]
    assert [names[name] for name in reductions] == ["@rows/%row", SECOND, "%sum"]
    assert {operation.value for operation in TRACE.budget().operations} == {
        "@rows/%row",
        SECOND,
        "%sum",
        "%y",
    }


# What is shown reads back ----------------------------------------------------------------------------


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_the_full_text_of_a_program_is_that_program(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The names are the same, wherever the program came from."""
    for file in (path, path.with_suffix(".current.mlirbc")):
        module = interp.load(file)
        assert main(["show", "--full", str(file)]) == 0
        again = interp.load(capsys.readouterr().out)
        assert again == module
        assert values(again) == values(module)


def values(module: interp.Module) -> list[str]:
    return [value.name for op in module.ops() for value in op.results]


@settings(max_examples=30)
@given(st.one_of(programs.PROGRAMS, op_programs.dots(), op_programs.structures()))
def test_the_text_of_a_drawn_program_is_that_program(program: Any) -> None:
    again = interp.load(repr(program.module))
    assert interp.load(repr(again)) == again
    assert values(again) == values(program.module)

"""Programs that cannot run: every reason is named before anything runs; a foreign one is no violation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interp
from interp.__main__ import main
from interp.answers.trace import trace
from interp.engine.evaluate import Listener
from spec.errors import Unsupported
from spec.ir import Module

FOREIGN = "%{0} = arith.negf %{1} : tensor<4xf32>"
CALL = '%{0} = "stablehlo.custom_call"(%{1}) {{call_target_name = "f"}} : (tensor<4xf32>) -> tensor<4xf32>'
ADD = "%{0} = stablehlo.add %{1}, %{1} : tensor<4xf32>"
PROGRAM = f"""func.func @main(%0: tensor<4xf32>) -> tensor<4xf32> {{
  {ADD.format(1, 0)}
  {FOREIGN.format(2, 1)}
  {CALL.format(3, 2)}
  {FOREIGN.format(4, 3)}
  %5 = func.call @inner(%4) : (tensor<4xf32>) -> tensor<4xf32>
  return %5 : tensor<4xf32>
}}
func.func private @inner(%0: tensor<4xf32>) -> tensor<4xf32> {{
  %1 = stablehlo.custom_call @h(%0) : (tensor<4xf32>) -> tensor<4xf32>
  {FOREIGN.format(2, 1)}
  return %2 : tensor<4xf32>
}}
func.func private @never(%0: tensor<4xf32>) -> tensor<4xf32> {{
  %1 = stablehlo.custom_call @g(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}}"""
FIX = "`tools/operations.py` prints the ops that are; lower these to those, or report the program"
TOLD = f"""{{0}}:3:8: 3 operations are not built
  arith.negf is not built: 3 times at {{0}}:3:8, {{0}}:5:8, {{0}}:11:8
  custom_call @f is not known: once at {{0}}:4:8
  custom_call @h is not known: once at {{0}}:10:8
  {FIX}"""
X = np.ones(4, np.float32)


class Any_(Listener):
    ran = False

    def on_op(self, *_: Any) -> None:
        self.ran = True


VERBS: dict[str, Callable[[Module], object]] = {
    "run": lambda m: interp.run(m, X),
    "compile": interp.compile,
    "lower": lambda m: interp.lower(m, function="main"),
    "trace": lambda m: trace(m, X),
    "compare": lambda m: interp.compare(m, X),
    "permits": lambda m: interp.permits(m, [X], [X]),
    "plan": interp.plan,
}


@pytest.mark.parametrize("verb", VERBS)
def test_everything_is_named_at_once(verb: str) -> None:
    with pytest.raises(Unsupported) as caught:
        VERBS[verb](interp.load(PROGRAM))
    assert str(caught.value) == TOLD.format("<text>")


def test_nothing_runs_before() -> None:
    watch = Any_()
    with pytest.raises(Unsupported):
        interp.run(interp.load(PROGRAM), X, listeners=[watch])
    assert not watch.ran


def test_the_command_line_names_it_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "m.mlir"
    file.write_text(PROGRAM)
    assert main(["run", str(file)]) == 2
    assert TOLD.format(file) in capsys.readouterr().err


def test_one_that_is_missing_twice() -> None:
    text = PROGRAM.replace(CALL.format(3, 2), ADD.format(3, 2)).replace("custom_call @h(%0)", "abs %0")
    with pytest.raises(Unsupported, match=r"3:8: arith.negf is not built\n  3 times: <text>:3:8, "):
        interp.run(interp.load(text), X)


def test_what_only_a_branch_would_run_is_named() -> None:
    text = """func.func @main(%i: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = "stablehlo.case"(%i) ({
        stablehlo.return %x : tensor<4xf32>
      }, {
        %1 = arith.negf %x : tensor<4xf32>
        stablehlo.return %1 : tensor<4xf32>
      }) : (tensor<i32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }"""
    with pytest.raises(Unsupported, match=r"5:14: arith\.negf is not built"):
        interp.run(interp.load(text), np.int32(0), X)


def test_a_function_that_is_not_called_may_hold_anything() -> None:
    start, end = PROGRAM.index("func.func private @never"), PROGRAM.index("  %2")
    text = f"{PROGRAM[:end]}  return %1 : tensor<4xf32>\n}}\n{PROGRAM[start:]}"
    assert "@g" in text
    (result,) = interp.run(interp.load(text), X)
    assert result.storage.tolist() == [2.0] * 4


# Regions of other dialects.

MANUAL = """sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>]
      manual_axes={"x"} (%a: tensor<2xf32>) {
    %1 = stablehlo.add %a, %a : tensor<2xf32>
    sdy.return %1 : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}"""
NAMED = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = sdy.named_computation<"f">(%x) (%a: tensor<4xf32>) {
    sdy.return %a : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}"""
# Generic form of a dialect that nobody has registered.
GENERIC = """"builtin.module"() ({{ "func.func"() ({{ ^bb0(%x: tensor<4xf32>):
  %0 = "a.b"(%x) ({{ {} }}) : (tensor<4xf32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}}) {{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "main"}} : () -> () }}) : () -> ()"""
EMPTY = GENERIC.format("^bb0:")
ORDERLESS = GENERIC.format(
    '%1 = "a.c"(%2) : (tensor<f32>) -> tensor<f32>  %2 = "a.c"(%1) : (tensor<f32>) -> tensor<f32>'
)


@pytest.mark.parametrize(
    ("text", "name", "checked"),
    [
        (EMPTY, "a.b", False),
        (ORDERLESS, "a.b", False),
    ],
    ids=["empty", "orderless"],
)
def test_a_region_of_another_dialect_is_no_violation(text: str, name: str, checked: bool) -> None:
    program = interp.load(text, checked=checked)
    assert interp.verify(program) == interp.verify(program, mode="mlir") == []
    with pytest.raises(Unsupported, match=f"{name} is not built"):
        interp.run(program, X)
    assert interp.load(repr(program), checked=False) == program


def test_what_such_a_region_holds_is_verified() -> None:
    text = GENERIC.format(
        '%1 = "stablehlo.add"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<5xf32>  "a.c"() : () -> ()'
    )
    assert [v.code for v in interp.verify(interp.load(text, checked=False))] == ["add_i1", "add_c1"]


def test_a_region_without_a_block_names_its_operation() -> None:
    with pytest.raises(Unsupported, match=r"a\.b with a region of 0 blocks"):
        interp.load(GENERIC.format(""), checked=False)


def test_a_region_of_ours_still_has_to_return() -> None:
    text = GENERIC.format(
        '%1 = "stablehlo.case"(%x) ({ "a.d"() : () -> () }) : (tensor<4xf32>) -> tensor<4xf32>'
    )
    assert "region_c1" in [v.code for v in interp.verify(interp.load(text, checked=False))]

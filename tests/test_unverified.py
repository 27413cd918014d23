"""`verify` on the pretty form: jaxlib reads it only with its own checks, but the codes are ours."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import interp
from interp.__main__ import main
from interp.loading.load import as_written
from spec.errors import Malformed, Violation
from spec.ir import Module

ROOT = Path(__file__).resolve().parent.parent
NARROW = """\
// stablehlo.reduce in a comment, and a `stablehlo.add` in a string below, are not operations
!i8 = !quant.uniform<i8:f32, 5.000000e-01>
!i4 = !quant.uniform<i4:f32, 5.000000e-01>
module @net attributes {m.text = "stablehlo.add("} {
  func.func @main(%x: tensor<2x3x!i8>, %zero: tensor<!i8>) -> tensor<2x!i4> {
    %sum = stablehlo.reduce(%x init: %zero) across dimensions = [1] : (tensor<2x3x!i8>, tensor<!i8>) -> tensor<2x!i4>
     reducer(%a: tensor<!i4>, %b: tensor<!i4>) {
      %r = stablehlo.add %a, %b : tensor<!i4>
      stablehlo.return %r : tensor<!i4>
    }
    return %sum : tensor<2x!i4>
  }
}
"""  # noqa: E501
APPLIED = """\
!i8 = !quant.uniform<i8:f32, 5.000000e-01>
!wide = !quant.uniform<i16:f32, 5.000000e-01>
func.func @main(%x: tensor<2x3x!i8>, %zero: tensor<!i8>) -> tensor<2x!wide> {
  %1 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<2x3x!i8>, tensor<!i8>) -> tensor<2x!wide>
  return %1 : tensor<2x!wide>
}
"""  # noqa: E501
TWO = """\
func.func @main(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 1] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %2 = stablehlo.transpose %1, dims = [1] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %2 : tensor<3x2xf32>
}
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (NARROW, [("reduce_c6", 6, 12)]),
        (APPLIED, [("reduce_c8", 4, 8)]),
        (
            TWO,
            [("transpose_c2", 2, 8), ("transpose_c3", 2, 8), ("transpose_c2", 4, 8), ("transpose_c3", 4, 8)],
        ),
    ],
    ids=["c6", "c8", "two"],
)
def test_the_usual_spelling_has_our_codes_and_places(
    text: str,
    expected: list[tuple[str, int, int]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = interp.verify(text)
    assert [(v.code, v.where.line, v.where.column) for v in found] == expected
    file = tmp_path / "program.mlir"
    file.write_text(text)
    assert main(["verify", str(file)]) == 1
    printed = capsys.readouterr().out
    assert all(f"{file}:{line}:{column}: {code}: " in printed for code, line, column in expected)
    with pytest.raises(Malformed):  # every other verb wants a valid program
        interp.load(text)


def test_what_no_row_refuses_stays_refused_in_jaxlibs_words() -> None:
    text = (
        "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { %0 = stablehlo.nothing %x : tensor<2xf32>\n}"
    )
    with pytest.raises(Malformed, match=r"custom op 'stablehlo\.nothing' is unknown"):
        interp.verify(text)
    with pytest.raises(Malformed, match="jaxlib's words"):
        as_written("x", read=_refused)


def _refused(checked: bool = True) -> Module:
    if checked:
        raise Malformed("jaxlib's words")
    return interp.load("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }")


def test_resources_and_aliases_among_functions_stay_where_mlir_wants_them() -> None:
    text = """\
!a = tensor<2xf32>
func.func private @f(%x: !a) -> !a { return %x : !a }
#value = dense_resource<weights> : tensor<2xf32>
!b = tuple<tensor<2xf32>,
           tensor<2xf32>>
func.func @main(%x: !a) -> tensor<1xf32> {
  %w = stablehlo.constant #value
  %y = call @f(%x) : (!a) -> !a
  %0 = stablehlo.slice %y [0:3] : (!a) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}
{-# dialect_resources: { builtin: { weights: "0x04000000000080BF00000040" } } #-}
"""
    assert [(v.code, v.where.line) for v in interp.verify(text)] == [("slice_c3", 9), ("slice_c5", 9)]


@pytest.mark.slow("prints programs in a process each")
def test_both_forms_of_violating_cases_have_the_same_codes(tmp_path: Path) -> None:
    """Cases whose fault the pretty form cannot say, or at which jaxlib's printer crashes, are left out."""
    files = [f for f in sorted(ROOT.glob("testdata/*/*.mlir")) if "expect: violation" in f.read_text()]
    files = files[:: 1 if "ALL_CASES" in os.environ else 4]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "tests.library.children.pretty_child", str(tmp_path), *map(str, files)]
    subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True)
    same, other = 0, []
    for k, file in enumerate(files):
        text = tmp_path / f"{k}.mlir"
        if not text.exists() or (pretty := _judged(text)) is None or (generic := _judged(file)) is None:
            continue
        if _is_same(generic[0], pretty[0]):  # else the printer has left something out
            same += 1
            if generic[1:] != pretty[1:]:
                other.append((str(file), generic[1:], pretty[1:]))
    assert other == []
    assert same > 0.75 * len(files), same


def _judged(file: Path) -> tuple[Module, list[str], list[str], bool] | None:
    """Return the program, the codes of its violations in both modes, and whether each has its place."""
    text = file.read_text()
    try:
        module = as_written(text)
    except Malformed:
        return None
    found: list[list[Violation]] = [interp.verify(module, mode) for mode in ("strict", "mlir")]
    codes = [[violation.code for violation in violations] for violations in found]
    return module, codes[0], codes[1], all(v.where.line > 0 for v in found[0])


def _is_same(a: Module, b: Module) -> bool:
    """Return whether two programs are equal, and 0 is not false in their attributes."""
    attributes = [[repr(dict(op.attributes)) for op in module.ops()] for module in (a, b)]
    return a == b and attributes[0] == attributes[1]

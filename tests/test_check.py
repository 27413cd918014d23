"""`interp check`: the remarks of all stages, their levels and formats, and what a project configures."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import interp
from interp.apps.checking.formats import as_annotations, as_sarif
from interp.command.status import status

OVERFLOWING = Path("testdata/programs/overflowing_pool.mlir")
CNN = Path("testdata/litert/cnn.int8.tflite")
LOG = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.log %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}"""
WRONG = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.transpose"(%x) {permutation = array<i64: 1>} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}"""
UNKNOWN_SIZE = """func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.negate %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}"""


def rules(check: interp.Check) -> list[tuple[str, str, str]]:
    return [(each.stage, each.rule, each.level) for each in check.remarks]


def test_a_proof_for_every_input_overrules_a_suspicion() -> None:
    doubted, proved = {each.name for each in interp.lint(CNN)}, interp.prove(CNN)
    assert proved.ok
    assert doubted & {row.name for row in proved.rows}
    assert [each.stage for each in interp.check(CNN).remarks] == []
    alone = interp.check(CNN, stages=["load", "lint"])
    assert {each.name for each in alone.remarks} == doubted


def test_each_stage_says_what_its_verb_says() -> None:
    check = interp.check(OVERFLOWING)
    assert rules(check) == [("lint", "lint_overflow", "warning"), ("prove", "sum_overflows", "error")]
    assert check.remarks[0].text.endswith(interp.lint(OVERFLOWING)[0].evidence)
    assert check.remarks[1].text == repr(interp.prove(OVERFLOWING).rows[0])
    assert not check.ok


@pytest.mark.parametrize(
    ("program", "args", "expected"),
    [
        ("no program {\n", (), [("load", "malformed", "error")]),
        (WRONG, (), [("verify", "transpose_c2", "error")]),
        (LOG, (np.float32([1, 2, 3, 4]),), []),
        (LOG, (np.float32([1, 2, 3, -4]),), [("run", "not_finite", "warning")]),
        (LOG, (np.float32([1, 2, 3, np.nan]),), []),  # NaN of NaN is nothing to remark on
        (LOG, (np.float32([1, 2]),), [("run", "malformed", "error")]),
        (UNKNOWN_SIZE, (), [("load", "sizes_unknown", "warning")]),
        (UNKNOWN_SIZE, (np.float32([1, 2]),), []),
    ],
)
def test_what_is_remarked(program: str, args: tuple[np.ndarray, ...], expected: list[object]) -> None:
    assert rules(interp.check(program, *args)) == expected


def test_a_question_left_open_is_not_fine() -> None:
    check = interp.check(UNKNOWN_SIZE)
    assert not check.ok
    assert check.stages["prove"] == "not reached: sizes are unknown"
    late = interp.check(OVERFLOWING, seconds=0, stages=["prove"])
    assert (rules(late), late.ok) == ([("prove", "sum_not_judged", "warning")], False)
    assert late.stages["run"] == "not asked for"


def test_warnings_count_only_if_strict_and_ignored_ones_never() -> None:
    arguments = {"ranges": {"arg0": (-60, 60)}, "stages": ["lint", "prove"]}
    assert interp.check(OVERFLOWING, **arguments).ok
    assert not interp.check(OVERFLOWING, **arguments, strict=True).ok
    quiet = interp.check(OVERFLOWING, **arguments, strict=True, ignore=["lint_overflow"])
    assert (quiet.ok, quiet.ignored) == (True, {"lint_overflow": 1})


def test_sarif_names_rules_places_and_levels() -> None:
    (run,) = json.loads(as_sarif({"m.mlir": interp.check(OVERFLOWING)}))["runs"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["lint_overflow", "sum_overflows"]
    for result, (rule, level) in zip(
        run["results"], [("lint_overflow", "warning"), ("sum_overflows", "error")], strict=True
    ):
        place = result["locations"][0]["physicalLocation"]
        assert (result["ruleId"], result["level"]) == (rule, level)
        assert place["artifactLocation"]["uri"] == str(OVERFLOWING)
        assert place["region"] == {"startLine": 9, "startColumn": 10}


def test_annotations_are_one_line_each_and_escaped() -> None:
    lines = as_annotations({"a,b.mlir": interp.check("no program {\n")}).splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("::error file=a%2Cb.mlir,title=malformed::")


def project(folder: Path, table: str) -> Path:
    (folder / "models").mkdir()
    for name, text in (("log", LOG), ("wrong", WRONG)):
        (folder / "models" / f"{name}.mlir").write_text(text)
    path = folder / "pyproject.toml"
    path.write_text(f"[tool.interp]\n{table}\n")
    return path


@pytest.mark.parametrize(
    ("table", "expected", "said"),
    [
        ("models = ['models/log.mlir']\nstages = ['verify']", 0, "1 model: 0 errors"),
        ("models = ['models/*.mlir']", 1, "transpose_c2"),
        ("models = ['models/*.mlir']\nignore = ['transpose_c2']\nstages = ['verify']", 0, "transpose_c2 x 1"),
        ("models = ['nothing/*']", 2, "nothing matches 'nothing/*'"),
        ("model = ['models/log.mlir']", 2, "no key 'model'"),
        ("strict = 'yes'", 2, "expected true or false"),
        ("", 2, "no models"),
    ],
)
def test_a_project_says_what_is_checked(
    table: str, expected: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = project(tmp_path, table)
    assert status(["check", "--config", str(path)]) == expected
    output = capsys.readouterr()
    assert said in output.out + output.err


def test_the_format_goes_to_a_file_and_text_to_the_screen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "found.sarif"
    assert status(["check", str(OVERFLOWING), "--format", "sarif", "-o", str(file)]) == 1
    assert "sum_overflows" in capsys.readouterr().out
    assert json.loads(file.read_text())["version"] == "2.1.0"


def test_an_option_that_no_model_uses_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert status(["check", str(OVERFLOWING), "--dims", "N=2"]) == 2
    assert "no ONNX model" in capsys.readouterr().err


def test_a_loop_that_counts_to_a_drawn_number_ends_at_the_deadline() -> None:
    module = interp.load("""func.func @main(%n: tensor<i64>) -> tensor<i64> {
      %z = stablehlo.constant dense<0> : tensor<i64>
      %one = stablehlo.constant dense<1> : tensor<i64>
      %r = stablehlo.while(%i = %z) : tensor<i64>
      cond {
        %p = stablehlo.compare NE, %i, %n : (tensor<i64>, tensor<i64>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      } do {
        %k = stablehlo.add %i, %one : tensor<i64>
        stablehlo.return %k : tensor<i64>
      }
      return %r : tensor<i64>
    }""")
    late = interp.check(module, stages=["run"], seconds=0.2)
    assert (rules(late), late.ok) == ([("run", "run_not_finished", "warning")], False)
    assert interp.check(module, np.int64(3), stages=["run"], seconds=20).ok

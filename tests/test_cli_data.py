"""`--json` and `--csv`: every verb that prints an answer writes it as data with the documented fields."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import interp
from interp.__main__ import main
from interp.command.data import FORMS, plain
from interp.command.verbs import VERBS
from tests.library.builders import BATCH, UNCHECKED

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "testdata" / "programs"
SATURATING = str(PROGRAMS / "saturating_sum.mlir")
ARGUMENTS = str(PROGRAMS / "saturating_sum.npz")
RUN = [SATURATING, ARGUMENTS]
FLOAT = """
func.func @main(%x: tensor<2x3xf32>, %w: tensor<3x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}"""
QUANTIZED = """
func.func @main(%x: tensor<2x3x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5>> {
  %0 = stablehlo.add %x, %x : tensor<2x3x!quant.uniform<i8:f32, 0.5>>
  return %0 : tensor<2x3x!quant.uniform<i8:f32, 0.5>>
}"""
NOT_FINITE = """
func.func @main(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<2xcomplex<f32>>) {
  %0 = stablehlo.constant dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>
  return %x, %0 : tensor<3xf32>, tensor<2xcomplex<f32>>
}"""
Captured = pytest.CaptureFixture[str]


def strict(text: str) -> Any:
    """Return JSON, which has neither NaN nor infinities."""
    return json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))


def documented() -> dict[str, list[str]]:
    """Return the columns of each verb's rows by docs/output.md."""
    page = (ROOT / "docs" / "output.md").read_text()
    lines = re.findall(r"^\| `([a-z -]+)` \| [^|]* \| ([^|]*) \|$", page, re.M)
    return {verb: re.findall(r"`([^`]+)`", columns) for verb, columns in lines}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Programs and arguments of the commands."""
    texts = {
        "float": FLOAT,
        "quantized": QUANTIZED,
        "finite": NOT_FINITE,
        "invalid": UNCHECKED,
        "batch": BATCH,
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.mlir").write_text(text)
    rng = np.random.default_rng(0)
    x, w = rng.standard_normal((4, 2, 3)).astype("f4"), rng.standard_normal((4, 3, 2)).astype("f4")
    np.savez(tmp_path / "samples.npz", x=x, w=w)
    np.save(tmp_path / "x.npy", rng.integers(-128, 128, (2, 3)).astype(np.int8))
    np.save(tmp_path / "three.npy", np.float32([1.5, np.nan, -np.inf]))
    (result,) = interp.run(SATURATING, np.load(ARGUMENTS)["arg0"])
    np.save(tmp_path / "result.npy", result.storage)
    np.savez(tmp_path / "dump.npz", arg0=np.load(ARGUMENTS)["arg0"], out0=result.storage)
    return tmp_path


# The arguments of each verb, and its exit status; files of the folder begin with ./
COMMANDS: dict[str, tuple[list[str], int]] = {
    "show": ([SATURATING], 0),
    "verify": (["./invalid.mlir", "--dialect", "rfc"], 1),
    "run": (RUN, 0),
    "trace": (RUN, 0),
    "explain": (RUN, 0),
    "verdict": (RUN, 0),
    "bounds": (RUN, 0),
    "matrix": ([*RUN, "--in-schedule", "left"], 0),
    "shrink": (RUN, 0),
    "compare": (["./quantized.mlir", "./x.npy", "--against", "./quantized.mlir"], 0),
    "survey": (["./quantized.mlir", "./x.npy", "--against", "./quantized.mlir"], 0),
    "lower": (["./quantized.mlir"], 0),
    "quantize": (["./float.mlir", "./samples.npz"], 0),
    "raise-qdq": (["./float.mlir"], 0),
    "permits": ([*RUN, "--results", "./result.npy"], 0),
    "diagnose": ([*RUN, "--results", "./wrong.npy", "--limit", "3"], 1),
    "judge": ([SATURATING, "./dump.npz"], 0),
    "blame": ([*RUN, "--impl", "numpy"], 0),
    "reveal": (["./float.mlir", "--impl", "numpy", "--check", "12"], 0),
    "invariant": (["./batch.mlir", "--impl", "numpy", "--check", "6", "--sizes", "1", "2"], 0),
    "prove": ([SATURATING], 1),
    "check": (["./invalid.mlir"], 1),
    "widths": ([SATURATING, ARGUMENTS], 0),
    "conformance": (["--filter", "reduce/c5"], 0),
    "fuzz": (["--seconds", "0", "--impl", "./crash"], 1),
    "errata": ([], 0),
    "budget": (RUN, 0),
}
ROWS = {"compare": "compare --against"}  # the kind of rows that the command gives
SLOW = {"budget", "fuzz", "lower"}


def called(verb: str, folder: Path, *more: str) -> int:
    crash = f"'{sys.executable}' -c 'import sys; sys.exit(77)'"
    given, _ = COMMANDS[verb]
    np.save(folder / "wrong.npy", np.int8([1, 2, 3, 4]))
    paths = [crash if x == "./crash" else str(folder / x[2:]) if x.startswith("./") else x for x in given]
    return main([verb, *paths, *more])


LONG = [pytest.mark.slow("compiles, or starts processes")]
VERB = [pytest.param(verb, marks=LONG * (verb in SLOW)) for verb in COMMANDS]


@pytest.mark.parametrize("verb", VERB)
def test_json_and_csv_of_a_verb(verb: str, folder: Path, capsys: Captured) -> None:
    found, table = folder / "found.json", folder / "found.csv"
    assert called(verb, folder, "--json", str(found), "--csv", str(table)) == COMMANDS[verb][1]
    printed = capsys.readouterr().out
    assert printed
    document = strict(found.read_text())
    assert document
    rows = list(csv.DictReader(io.StringIO(table.read_text())))
    assert rows
    assert list(rows[0]) == documented()[ROWS.get(verb, verb)]
    if "rows" in document:
        assert [list(row) for row in document["rows"]] == [list(row) for row in rows]
        assert list(document)[-1] == "rows"


@pytest.mark.slow("compiles on XLA")
def test_a_comparison_with_floats(capsys: Captured) -> None:
    assert main(["compare", *RUN, "--csv", "-"]) == 0
    (row,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert list(row) == documented()["compare"]


def test_a_chain(folder: Path, capsys: Captured) -> None:
    program = [str(folder / "quantized.mlir"), str(folder / "x.npy")]
    assert main(["explain", *program, "--op", "%0", "--index", "0,1", "--json", "-"]) == 0
    document = strict(capsys.readouterr().out)
    x = int(np.load(folder / "x.npy")[0, 1])
    assert [document["op"], document["index"], document["stored"]] == [
        "%0",
        [0, 1],
        max(-128, min(2 * x, 127)),
    ]
    first, *others = document["rows"]
    assert list(first) == documented()["explain of a chain"]
    assert {row["row"] for row in others} == set(first["sources"])
    assert {(row["name"], row["stored"]) for row in others} == {("%x", x)}


def test_every_verb_with_an_answer_has_data() -> None:
    with_data = {name for name, verb in VERBS.items() if verb.has_data}
    assert with_data == set(FORMS), "FORMS of interp/command/data.py has the document and the rows of a verb"
    assert with_data == set(COMMANDS), "COMMANDS above has a command of each verb, and its exit status"
    assert with_data <= set(documented()), "docs/output.md has the fields and the columns of each verb"
    assert set(VERBS) - with_data == {"repl", "completion"}


def test_the_screen_gets_the_data_alone(capsys: Captured, folder: Path) -> None:
    assert main(["verdict", *RUN, "--json", "-"]) == 0
    document = strict(capsys.readouterr().out)
    assert document["op"] == "%sum"
    assert document["counts"] == {"inevitable": 4}
    assert [row["index"] for row in document["rows"]] == [[0], [1], [2], [3]]
    assert main(["conformance", "--filter", "reduce/c5", "--csv", "-"]) == 0
    assert capsys.readouterr().out.startswith("case,clause,verdict,")
    assert main(["verdict", *RUN, "--json", "-", "--csv", "-"]) == 2
    assert "both --json and --csv go to the screen" in capsys.readouterr().err


def test_results_and_their_values(capsys: Captured) -> None:
    (result,) = interp.run(SATURATING, np.load(ARGUMENTS)["arg0"])
    assert main(["run", *RUN, "--json", "-"]) == 0
    (found,) = strict(capsys.readouterr().out)["results"]
    assert found["stored"] == result.storage.tolist()
    assert found["values"] == result.dequantize().tolist()
    assert main(["run", *RUN, "--csv", "-"]) == 0
    assert capsys.readouterr().out.splitlines()[:2] == ["result,index,stored,value", "0,[0],127,63.75"]


def test_numbers_that_json_lacks(capsys: Captured, folder: Path) -> None:
    assert main(["run", str(folder / "finite.mlir"), str(folder / "three.npy"), "--json", "-"]) == 0
    first, second = strict(capsys.readouterr().out)["results"]
    assert first["stored"] == [1.5, "nan", "-inf"]
    assert second["stored"] == ["(1+2j)", "(1+2j)"]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Fraction(1, 3), "1/3"),
        (Fraction(4, 2), 2),
        (np.int8(-3), -3),
        (np.array([1.0, np.inf]), [1.0, "inf"]),
        (ml_dtypes.bfloat16(1.5), 1.5),
        (np.array([1.5], ml_dtypes.bfloat16), [1.5]),
        ({"a": (True, None)}, {"a": [True, None]}),
        (1 << 70, 1 << 70),
    ],
)
def test_values_as_json(value: Any, expected: Any) -> None:
    assert plain(value) == expected
    assert type(plain(value)) is type(expected)


def test_an_answer_without_rows(capsys: Captured) -> None:
    assert main(["verify", SATURATING, "--json", "-"]) == 0
    assert strict(capsys.readouterr().out) == {"rows": []}
    assert main(["verify", SATURATING, "--csv", "-"]) == 2
    assert "the answer of verify has no rows\n  --json has" in capsys.readouterr().err


def test_a_file_that_cannot_be_written(capsys: Captured, folder: Path) -> None:
    assert main(["errata", "--json", str(folder)]) == 2
    assert "cannot be written" in capsys.readouterr().err

"""The verbs that ask one question of a run print what `Trace` answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interp
from interp.__main__ import main
from interp.command.questions import index_of

PROGRAMS = Path(__file__).resolve().parent.parent / "testdata" / "programs"
SATURATING = str(PROGRAMS / "saturating_sum.mlir")
ARGUMENTS = str(PROGRAMS / "saturating_sum.npz")
NETWORK = """
func.func @main(%x: tensor<2x4xi8>, %w: tensor<4x3xi8>) -> (tensor<2x3xi16>, tensor<2xi16>) {
  %product = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<2x4xi8>, tensor<4x3xi8>) -> tensor<2x3xi16>
  %zero = stablehlo.constant dense<0> : tensor<i16>
  %total = stablehlo.reduce(%product init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<2x3xi16>, tensor<i16>) -> tensor<2xi16>
  return %product, %total : tensor<2x3xi16>, tensor<2xi16>
}"""
Captured = pytest.CaptureFixture[str]


@pytest.fixture
def network(tmp_path: Path) -> tuple[str, str, interp.Trace]:
    """A program with two reductions, its arguments, and its trace."""
    source, arguments = tmp_path / "network.mlir", tmp_path / "x.npz"
    source.write_text(NETWORK)
    x, w = np.full((2, 4), 120, np.int8), np.full((4, 3), 100, np.int8)
    w[:, 1] = -1
    np.savez(arguments, x=x, w=w)
    return str(source), str(arguments), interp.trace(str(source), x, w)


QUESTIONS: list[tuple[str, list[str], Any]] = [
    ("explain", [], lambda t: t.explain("%product")),
    ("explain", ["--index", "(1, 2)"], lambda t: t.explain("%product", (1, 2))),
    ("verdict", [], lambda t: t.verdict("%product")),
    ("bounds", [], lambda t: t.bounds("%product")),
    ("matrix", [], lambda t: t.matrix("%product")),
    (
        "matrix",
        ["--type", "i20", "--type", "f16", "--in-schedule", "left"],
        lambda t: t.matrix("%product", ["i20", "f16"], "left"),
    ),
]


@pytest.mark.parametrize(("verb", "options", "answer"), QUESTIONS)
@pytest.mark.parametrize("name", ["%product", "product", "@main/%product"])
def test_a_question_prints_the_answer(
    verb: str, options: list[str], answer: Any, name: str, network: Any, capsys: Captured
) -> None:
    source, arguments, trace = network
    assert main([verb, source, arguments, "--op", name, *options]) == 0
    assert capsys.readouterr().out == f"{answer(trace)!r}\n"


def test_shrink_prints_and_writes_a_case(network: Any, capsys: Captured, tmp_path: Path) -> None:
    source, arguments, trace = network
    written = tmp_path / "few.mlir"
    assert main(["shrink", source, arguments, "--op", "%product", "-o", str(written)]) == 0
    expected = trace.shrink("%product").text
    assert capsys.readouterr().out == f"{expected}\n"
    assert written.read_text() == expected
    assert main(["shrink", source, arguments, "--op", "%product", "--kind", "nan"]) == 2
    assert "no nan at %product" in capsys.readouterr().err


@pytest.mark.slow("runs the float reference on XLA several times")
def test_budget_prints_the_parts(capsys: Captured, tmp_path: Path) -> None:
    assert main(["budget", SATURATING, ARGUMENTS]) == 0
    x = np.load(ARGUMENTS)["arg0"]
    trace = interp.trace(SATURATING, x)
    assert capsys.readouterr().out == f"{trace.budget()!r}\n"
    real = tmp_path / "real.npy"
    np.save(real, np.zeros(x.shape))
    assert main(["budget", SATURATING, ARGUMENTS, "--inputs", str(real)]) == 0
    assert "the arguments count as exact" not in capsys.readouterr().out


@pytest.mark.parametrize("verb", ["explain", "verdict", "bounds", "matrix", "shrink"])
def test_an_unknown_name_lists_those_that_were_perhaps_meant(
    verb: str, network: Any, capsys: Captured
) -> None:
    source, arguments, _ = network
    assert main([verb, source, arguments, "--op", "%produkt"]) == 2
    error = capsys.readouterr().err
    assert f"no {'operation' if verb == 'explain' else 'reduction'} %produkt" in error
    assert "did you mean %product?" in error


def test_the_only_reduction_needs_no_name(capsys: Captured) -> None:
    assert main(["verdict", SATURATING, ARGUMENTS]) == 0
    assert "inevitable" in capsys.readouterr().out
    assert main(["verdict", SATURATING, "--random", "3", "--schedule", "balanced"]) == 0
    assert "schedule balanced" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "index"), [("0,3", (0, 3)), ("(0, 3)", (0, 3)), ("(3,)", (3,)), ("()", ()), (None, None)]
)
def test_an_index_as_it_is_printed(text: str | None, index: Any) -> None:
    assert index_of(text) == index


def test_an_index_that_is_none(network: Any, capsys: Captured) -> None:
    source, arguments, _ = network
    assert main(["explain", source, arguments, "--op", "%product", "--index", "worst"]) == 2
    assert "'worst' is not an index\n  expected whole numbers" in capsys.readouterr().err


def test_files_and_options_in_any_sequence(network: Any, capsys: Captured) -> None:
    source, arguments, trace = network
    for words in (["--op", "%total", source, arguments], [source, "--op", "%total", arguments]):
        assert main(["verdict", *words]) == 0
        assert capsys.readouterr().out == f"{trace.verdict('%total')!r}\n"


# Accumulators


def test_accumulators_by_name_and_for_all(network: Any, capsys: Captured) -> None:
    source, arguments, _ = network
    run = ["run", source, arguments, "--accumulator"]
    assert main([*run, "%product=i16 saturate", "--accumulator", "total=i20"]) == 0
    named = capsys.readouterr().out
    args = [np.load(arguments)[name] for name in ("x", "w")]
    kept = {"%product": "i16 saturate", "total": "i20"}
    assert named == "".join(f"{result!r}\n" for result in interp.run(source, *args, accumulator=kept))
    assert "32767" in named
    assert main([*run, "i16 saturate"]) == 0
    assert capsys.readouterr().out != named
    assert main([*run, "%product=lanes(2: left in i16; left in i32) where n >= 3: left in i20;"]) == 0
    assert main([*run, "lanes(2: left in i16; left in i32) where n >= 3: left in i20;"]) == 0
    assert main([*run, "i16", "--accumulator", "i32"]) == 2
    assert "several accumulators: i16, i32" in capsys.readouterr().err


def test_the_plan_names_an_accumulator(network: Any, capsys: Captured) -> None:
    source, arguments, _ = network
    assert main(["run", source, arguments, "--accumulator", "%product=i20", "--plan"]) == 0
    assert "accumulator i20 wrap" in capsys.readouterr().out


# Real numbers for quantized parameters


def test_floats_are_quantized_by_the_parameters_type(capsys: Captured, tmp_path: Path) -> None:
    """0.25 and -128: 1.0 is -124; 100 and -1 are beyond 63.75 and 0."""
    real, stored = tmp_path / "real.npy", tmp_path / "stored.npy"
    numbers = np.zeros((4, 16))
    numbers[0, :5] = 1.0, 100.0, -1.0, 0.375, np.nan
    np.save(real, numbers)
    expected = np.full((4, 16), -128, np.int8)
    expected[0, :5] = -124, 127, -128, -126, 0
    np.save(stored, expected)
    assert main(["run", SATURATING, str(stored)]) == 0
    direct = capsys.readouterr()
    assert main(["run", SATURATING, str(real), "--quantize-inputs"]) == 0
    found = capsys.readouterr()
    assert found.out == direct.out
    assert "2 of 64 elements saturated, 1 are NaN and become 0" in found.err
    assert main(["run", SATURATING, str(real)]) == 2
    assert "its parameter is quantized" in capsys.readouterr().err
    for verb in ("trace", "verdict"):
        assert main([verb, SATURATING, str(real), "--quantize-inputs"]) == 0
        assert "elements saturated" in capsys.readouterr().err


def test_stored_integers_stay_as_they_are(capsys: Captured) -> None:
    assert main(["run", SATURATING, ARGUMENTS, "--quantize-inputs"]) == 0
    found = capsys.readouterr()
    assert found.err == ""
    assert main(["run", SATURATING, ARGUMENTS]) == 0
    assert capsys.readouterr().out == found.out


def test_samples_of_a_parameter_quantized_per_axis(capsys: Captured, tmp_path: Path) -> None:
    """A survey's arrays have a dimension more, in front of that of the scales."""
    from interp.engine.inputs import quantized_inputs

    type = "tensor<2x2x!quant.uniform<i8:f32:1, {1.0, 0.5}>>"
    func = interp.load(f"func.func @main(%x: {type}) -> {type} {{ return %x : {type} }}").main
    sample = np.array([[1.0, 1.0], [200.0, -3.0]])
    (one,), (note,) = quantized_inputs([sample], func)
    assert one.tolist() == [[1, 2], [127, -6]]
    assert "1 of 4 elements saturated" in note
    (many,), _ = quantized_inputs([np.stack([sample, sample])], func)
    assert many.tolist() == [one.tolist()] * 2

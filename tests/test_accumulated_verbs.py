"""Verbs beside `run` that take accumulations: trace, matrix, permits, compile, survey, and the commands."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interp
from interp.__main__ import main
from interp.recorder.recorder import Recorder
from spec.accumulation import Accumulation
from tests.library.oracles.accumulated_by_hand import DOT, REDUCE, SCATTER, SELECT, WINDOW

NARROW, RIGHT = "!quant.uniform<i8:f32, 0.5:3>", "!quant.uniform<i8<-127:127>:f32, 0.25>"
RESULT = "!quant.uniform<i16:f32, 0.37:-4>"
WHOLE = DOT.format(m=2, k=40, n=2, lhs="i8", rhs="i8", result="i32")
QUANTIZED = DOT.format(m=2, k=40, n=2, lhs=NARROW, rhs=RIGHT, result=RESULT)
QDQ = f"""
func.func @main(%x: tensor<2x40x{NARROW}>, %w: tensor<40x2x{RIGHT}>) -> tensor<2x2xf32> {{
  %a = stablehlo.uniform_dequantize %x : (tensor<2x40x{NARROW}>) -> tensor<2x40xf32>
  %b = stablehlo.uniform_dequantize %w : (tensor<40x2x{RIGHT}>) -> tensor<40x2xf32>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    : (tensor<2x40xf32>, tensor<40x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}}"""
FLOATS = DOT.format(m=2, k=5, n=2, lhs="f32", rhs="f32", result="f32")
ALONG = [
    "left in i13 saturate",
    "lanes(4: left in i12; left in i32) from zero",
    "i13 blocks(4) i32",
    "star in f16",
]


def bytes_of(seed: int, *shapes: tuple[int, ...]) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return [rng.integers(-127, 128, shape).astype(np.int8) for shape in shapes]


@pytest.mark.parametrize("accumulator", ALONG)
@pytest.mark.parametrize("text", [WHOLE, QUANTIZED, QDQ])
@pytest.mark.parametrize("reading", ["dequantize", "integer"])
def test_a_trace_has_the_results_and_the_events_of_a_run(text: str, accumulator: str, reading: str) -> None:
    """A trace that was pickled gives the same answers."""
    module, args = interp.load(text), bytes_of(1, (2, 40), (40, 2))
    options: dict[str, Any] = {"accumulator": accumulator, "reading": reading}
    recorder = Recorder()
    ran = interp.run(module, *args, **options, listeners=[recorder])
    trace = interp.trace(module, *args, **options)
    assert [x.storage.tolist() for x in trace.results] == [x.storage.tolist() for x in ran]
    assert trace.counts == recorder.counts
    assert trace.counts["saturate"] or trace.counts["wrap"] or trace.counts["inexact"]
    assert not trace.sums_not_judged
    again = pickle.loads(pickle.dumps(trace))
    assert again.counts == trace.counts
    for question in ("verdict", "bounds", "explain", "summary"):
        assert repr(getattr(again, question)()) == repr(getattr(trace, question)())


def test_an_order_that_is_not_a_schedule_is_not_judged_where_a_body_adds() -> None:
    module = interp.load(REDUCE.format(m=3, k=9, type=NARROW, op="add"))
    args = bytes_of(1, (3, 9), ())
    trace = interp.trace(module, *args, accumulator="lanes(2)")
    (line,) = trace.sums_not_judged
    assert line.startswith("%0 is not judged: its body adds, in the order of lanes(2)")
    assert line in repr(trace.summary())
    with pytest.raises(interp.Malformed, match="%0 is not judged"):
        trace.verdict()
    in_order = interp.trace(module, *args, accumulator="balanced")
    assert repr(in_order.bounds()) == repr(interp.trace(module, *args, schedule="balanced").bounds())


def test_an_accumulator_of_the_integer_reading_is_judged_by_name_in_both_readings() -> None:
    module, args = interp.load(QUANTIZED), bytes_of(2, (2, 40), (40, 2))
    expected = interp.trace(module, *args, reading="integer", accumulator="i16")
    for reading in ("dequantize", "integer"):
        found = interp.trace(module, *args, reading=reading, accumulator={"%0": "i16"})
        assert not found.sums_not_judged
        for name in ("verdict", "bounds"):
            assert repr(getattr(found, name)()) == repr(getattr(expected, name)())
        assert np.array_equal(
            found.reductions["%0"].accumulators[0], expected.reductions["%0"].accumulators[0]
        )


def test_answers_of_another_run_are_refused() -> None:
    """A budget and the costs of recipes would be those of the declared sums."""
    trace = interp.trace(interp.load(QUANTIZED), *bytes_of(3, (2, 40), (40, 2)), accumulator="left in i16")
    for question in (trace.budget, trace.recipes):
        with pytest.raises(interp.Unsupported, match="of a run in the accumulator 'left in i16'"):
            question()


SUMS = [
    (REDUCE.format(m=3, k=9, type="i32", op="add"), (3, 9), ()),
    (REDUCE.format(m=3, k=9, type=NARROW, op="add"), (3, 9), ()),
    (WINDOW.format(k=6, type="i32"), (6,), ()),
    (SELECT.format(type="i32"), (9,), (9,), ()),
    (SELECT.format(type=NARROW), (9,), (9,), ()),
]


@pytest.mark.parametrize(
    "accumulator", ["left in i9 saturate", "i8 saturate", "lanes(2: left in i8; left in i16)"]
)
@pytest.mark.parametrize("program", SUMS)
@pytest.mark.parametrize("seed", range(3))
def test_a_matrix_of_a_reduction_has_the_sums_of_a_run(program: Any, accumulator: str, seed: int) -> None:
    text, *shapes = program
    module = interp.load(text)
    args = [
        x.astype(v.type.storage_type.numpy)
        for x, v in zip(bytes_of(seed, *shapes), module.main.inputs, strict=True)
    ]
    cell = interp.trace(module, *args).matrix(types=accumulator, schedules="left").cell(accumulator)
    (result,) = interp.run(module, *args, accumulator=accumulator)
    expected = cell.accumulators
    if result.type.is_quantized:
        expected = np.clip(expected + 3, -128, 127)
    assert result.storage.tolist() == expected.tolist()


def test_a_matrix_of_a_scatter_has_the_sums_of_a_run_and_their_errors() -> None:
    """Element 2 gets 20 + 100 + 60 = 180."""
    module = interp.load(SCATTER.format(type="i32"))
    args = np.int32([0, 0, 20, 0]), np.int32([[2], [2], *[[9]] * 7]), np.int32([100, 60, *[0] * 7])
    table = interp.trace(module, *args).matrix(types=["left in i8", "i8 saturate", "i32"])
    assert (table.cell("left in i8").error, table.cell("i8 saturate").error) == (256, 180 - 127)
    assert (table.cell("i8 saturate").wrong, table.cell("i32", "wrap", "left").wrong) == (1, 0)
    assert "left in i8" in repr(table)
    assert interp.Matrix is interp.WhatIf


def test_permits_finds_results_outside_the_specification() -> None:
    """Fused multiply-adds round what no schedule rounds; without being told, the known ones are tried."""
    module, outside = interp.load(FLOATS), 0
    for seed in range(6):
        rng = np.random.default_rng(seed)
        args = [rng.normal(size=shape).astype(np.float32) for shape in ((2, 5), (5, 2))]
        (fused,) = interp.run(module, *args, accumulator="left fma")
        told = interp.permits(module, args, [fused.storage], accumulator="left fma")
        plain = interp.permits(module, args, [fused.storage])
        assert told.counts == plain.counts
        assert told.counts["not permitted"] == told.places["outside the specification"]
        assert plain.places == told.places
        assert plain.along is None or plain.along[1:] == (4, 4)
        assert told.along == ("left fma", 4, 4)
        assert "4 of 4 as along left fma" in repr(told)
        outside += told.counts["not permitted"]
    assert outside
    other = interp.permits(module, args, [fused.storage + np.float32(1e-3)], accumulator="left fma")
    assert not other.places["outside the specification"]
    assert other.along == ("left fma", 0, 4)


def test_permits_in_accumulators_of_integers() -> None:
    module, args = interp.load(QUANTIZED), bytes_of(4, (2, 40), (40, 2))
    (wrapped,) = interp.run(module, *args, accumulator="i14")
    found = interp.permits(module, args, [wrapped.storage], accumulator={"%0": "i14"})
    assert found.counts["not permitted"] == found.places["outside the specification"] > 0
    with pytest.raises(interp.Unsupported, match="sums floats"):
        interp.permits(
            interp.load(FLOATS), [np.ones((2, 9)), np.ones((9, 2))], [np.ones((2, 2))], accumulator="i8"
        )


@pytest.mark.parametrize("order", ["left", "balanced", "blocks(4)"])
def test_compiled_accumulations_are_schedules(order: str) -> None:
    module, rng = interp.load(REDUCE.format(m=3, k=9, type="f32", op="add")), np.random.default_rng(7)
    args = rng.normal(size=(3, 9)).astype(np.float32), np.float32(0.1)
    (expected,) = interp.run(module, *args, accumulator=Accumulation.parse(order))
    (found,) = interp.compile(module, accumulator=order)(*args)
    assert np.asarray(found).tobytes() == expected.storage.tobytes()
    (lowered,) = interp.run(interp.lower(module, accumulator=order), *args)
    assert lowered.storage.tobytes() == expected.storage.tobytes()


@pytest.mark.parametrize(
    ("op", "accumulator", "reason"),
    [
        ("add", "left fma", "expected left, balanced or"),
        ("add", "left in f32", "expected left, balanced or"),
        ("add", "blocks(4: left; balanced)", "expected left, balanced or"),
        ("add", "i16 saturate blocks(4) i32", "expected left, balanced or"),
        ("add", {"%0": "left"}, "expected one for all sums"),
        ("multiply", "balanced", "%0 folds, and is not a sum"),
    ],
)
def test_what_is_not_lowered_says_why(op: str, accumulator: Any, reason: str) -> None:
    module, rng = interp.load(REDUCE.format(m=3, k=9, type="f32", op=op)), np.random.default_rng(7)
    args = rng.normal(size=(3, 9)).astype(np.float32), np.float32(0.1)
    with pytest.raises(interp.Unsupported, match="is not lowered") as error:
        interp.lower(module, accumulator=accumulator)
    assert reason in error.value.evidence
    if op == "add" and "i16" not in accumulator:
        (found,) = interp.compile(module, accumulator=accumulator)(*args)
        (expected,) = interp.run(module, *args, accumulator=accumulator)
        assert np.asarray(found).tobytes() == expected.storage.tobytes()
        return
    with pytest.raises(interp.Unsupported, match=r"is not compiled|cannot be summed"):
        interp.compile(module, accumulator=accumulator)


def test_a_survey_adds_along_accumulations_in_the_program_alone() -> None:
    module, args = interp.load(QUANTIZED), bytes_of(5, (2, 40), (40, 2))
    plain, found = (interp.survey(module, [tuple(args)], **kw) for kw in ({}, {"accumulator": {"%0": "i12"}}))
    (results,) = interp.run(module, *args, accumulator="i12")
    (reference,) = interp.run(module, *args)
    assert not np.array_equal(results.storage, reference.storage)
    assert sum(event.count for event in found.events if event.kind == "wrap") > 0
    assert not any(event.kind == "wrap" for event in plain.events)
    assert found.layers[-1].sqnr < plain.layers[-1].sqnr
    with pytest.raises(interp.Malformed, match="no reduction %7"):
        interp.survey(module, [tuple(args)], accumulator={"%7": "i12"})
    with pytest.raises(interp.Unsupported, match="a ranking in other accumulators"):
        interp.survey(module, [tuple(args)], accumulator="i12", ranking=True)


def test_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, data = tmp_path / "dot.mlir", tmp_path / "args.npz"
    file.write_text(WHOLE)
    args = bytes_of(6, (2, 40), (40, 2))
    np.savez(data, arg0=args[0], arg1=args[1])
    how = [str(file), str(data), "--accumulator", "%0=left in i13 saturate"]
    assert main(["trace", *how, "--fail-on", "saturate"]) == 1
    assert "%0: saturate x" in capsys.readouterr().out
    (result,) = interp.run(interp.load(WHOLE), *args, accumulator="left in i13 saturate")
    np.save(tmp_path / "out.npy", result.storage)
    assert main(["permits", *how, "--results", str(tmp_path / "out.npy")]) == 1
    assert "outside the specification" in capsys.readouterr().out
    assert main(["trace", str(file), str(data), "--accumulator", "i16", "--accumulator", "i8"]) == 2

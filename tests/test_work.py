"""Long work: every long verb has progress, a deadline, and a partial answer that says so."""

from __future__ import annotations

import argparse
import inspect
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interp
from interp.__main__ import main
from interp.answers.trace import Trace
from interp.apps.quantization.quantize import Quantized
from interp.command.verbs import VERBS
from interp.engine import work as works
from interp.engine.work import Covered, Partly, Work, beat
from spec.errors import InterpError
from tests.library.devices import devices

Q = "!quant.uniform<i8:f32, 0.1>"
NETWORK = f"""func.func @main(%x: tensor<40x96x{Q}>, %w: tensor<96x3x{Q}>) -> tensor<40x3x{Q}> {{
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<40x96x{Q}>, tensor<96x3x{Q}>) -> tensor<40x3x{Q}>
  return %y : tensor<40x3x{Q}>
}}"""
X, W = devices.drawn(9, (40, 96), (96, 3))
SUM = f"""func.func @main(%x: tensor<4x9x{Q}>, %i: tensor<{Q}>) -> tensor<4x{Q}> {{
  %y = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [1]
    : (tensor<4x9x{Q}>, tensor<{Q}>) -> tensor<4x{Q}>
  return %y : tensor<4x{Q}>
}}"""
LOUD, INIT = np.full((4, 9), 100, np.int8), np.int8(0)


def summed() -> Trace:
    return interp.trace(SUM, LOUD, INIT)


def multiplied() -> Trace:
    return interp.trace(NETWORK, X, W)


def clamped() -> np.ndarray:
    """Return the results of a device that keeps sums in 16 bits."""
    return np.asarray(interp.run(NETWORK, X, W, accumulator="i16 saturate")[0].storage)


def own() -> np.ndarray:
    return np.asarray(interp.run(NETWORK, X, W)[0].storage)


# Every verb whose work a deadline can cut: how to ask it.
LONG: dict[str, Callable[..., Any]] = {
    "diagnose": lambda **how: interp.diagnose(NETWORK, (X, W), (clamped(),), **how),
    "permits": lambda **how: interp.permits(NETWORK, (X, W), (own(),), **how),
    "judge": lambda **how: interp.judge(NETWORK, {"x": X, "w": W, "y": clamped()}, **how),
    "survey": lambda **how: interp.survey(NETWORK, [(X, W), (X, W)], **how),
    "conformance": lambda **how: interp.conformance("numpy", filter="reduce/c5", **how),
    "Trace.verdict": lambda **how: summed().verdict(**how),
    "Trace.bounds": lambda **how: summed().bounds(**how),
    "Trace.matrix": lambda **how: summed().matrix(**how),
    "Trace.matrix of a product": lambda **how: multiplied().matrix(**how),
    "Trace.shrink": lambda **how: summed().shrink(**how),
    "Trace.summary": lambda **how: summed().summary(**how),
    "Trace.budget": lambda **how: multiplied().budget(**how),
    "Trace.recipes": lambda **how: multiplied().recipes(**how),
}
# Verbs that may take long, and have no partial answer: why, and how their progress is heard.
WHOLE = {
    "run": "half of a run has no results; a listener hears every operation",
    "run_parallel": "as run",
    "trace": "as run; `break_on` ends a run where an event is",
    "trace_parallel": "as trace",
    "step": "as trace",
    "compile": "XLA compiles all or nothing",
    "compare": "half of a comparison has no results to compare; a listener hears every operation",
    "quantize": "fewer samples would give another program; it has progress",
    "raise_qdq": "half of a rewrite would be another program",
    "lower": "as raise_qdq",
    "quant_pass": "as raise_qdq",
    "with_accumulator": "as raise_qdq",
    "refine": "as raise_qdq",
    "bind": "as raise_qdq",
    "lint": "it reads the program only",
    "plan": "it reads the program only",
    "verify": "it reads the program only",
    "reveal": "half of a search states nothing",
    "fuzz": "its seconds are the amount of its work; it has progress",
}
OTHERS = {"prove", "blame", "widths"}  # tests of their own


def test_every_verb_is_long_or_whole() -> None:
    verbs = {*interp.VERBS, "conformance", "fuzz", "quantize"}
    assert verbs <= LONG.keys() | WHOLE.keys() | OTHERS
    assert not LONG.keys() & WHOLE.keys()


@pytest.mark.parametrize("name", LONG)
def test_every_long_verb_takes_seconds_and_progress(name: str) -> None:
    owner, _, method = name.partition(" ")[0].rpartition(".")
    function = getattr(Trace if owner else interp, method)
    assert {"seconds", "progress"} <= inspect.signature(function).parameters.keys()


@pytest.mark.parametrize("name", LONG)
def test_without_time_an_answer_says_so(name: str) -> None:
    found = LONG[name](seconds=0)
    assert isinstance(found, Partly)
    assert found.partial
    assert any(each.done < each.total for each in found.covered)
    assert " in 0 s" in found.shortfall
    text = found.conclusion if name == "conformance" else repr(found)
    assert found.shortfall in text
    assert not getattr(found, "ok", False)


@pytest.mark.parametrize("name", LONG)
def test_with_time_an_answer_is_as_without_a_deadline(name: str) -> None:
    heard: list[Any] = []
    found, other = (
        LONG[name](seconds=None, progress=lambda *said: heard.append(said)),
        LONG[name](seconds=1e9),
    )
    assert not found.partial
    assert not other.partial
    assert "partial" not in repr(found)
    if name != "conformance":  # it prints its seconds
        assert repr(found) == repr(other)
    assert all(each.done == each.total for each in found.covered)
    assert heard


def test_a_page_says_what_there_was_no_time_for(tmp_path: Any) -> None:
    trace = summed()
    late = trace.report(tmp_path / "late.html", seconds=0).read_text()
    assert "0 of 1 reductions" in late
    assert "looked at in 0 s" in late
    assert "looked at in" not in trace.report(tmp_path / "whole.html", seconds=None).read_text()


def test_every_long_verb_of_the_command_takes_seconds() -> None:
    named = {name.removeprefix("Trace.").split()[0] for name in LONG} & VERBS.keys()
    for name in {*named, "prove", "trace"} - OTHERS:
        parser = argparse.ArgumentParser()
        VERBS[name].options(parser)
        assert "--seconds" in parser.format_help(), name


def test_a_method_that_draws_takes_seconds() -> None:
    for method in (Trace.summary, Trace.report):
        assert {"seconds", "progress"} <= inspect.signature(method).parameters.keys()
    assert "progress" in inspect.signature(interp.quantize).parameters
    assert not isinstance(Quantized, Partly)


def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every look at the clock take a second."""
    ticks = itertools.count()
    monkeypatch.setattr(works, "monotonic", lambda: float(next(ticks)))


def test_a_loop_ends_at_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    clock(monkeypatch)
    work = Work(3)
    assert [*work.through("steps", range(10))] == [0, 1]
    assert [str(each) for each in work.covered] == ["2 of 10 steps"]
    assert [*Work(0).through("steps", range(10), least=1)] == [0]
    assert [*Work(0).through("steps", range(10))] == []
    heard: list[Any] = []
    told = Work(progress=lambda *said: heard.append(said))
    assert [*told.through("steps", "abc")] == ["a", "b", "c"]
    assert heard == [("steps", 1, 3), ("steps", 2, 3), ("steps", 3, 3)]


def test_a_step_that_is_whole_is_done_or_not_at_all() -> None:
    heard: list[Any] = []
    work = Work(progress=lambda *said: heard.append(said))
    assert work.whole("elements", 5, lambda: 7) == 7
    assert heard == [("elements", 0, 5), ("elements", 5, 5)]
    heard.clear()
    late = Work(0, progress=lambda *said: heard.append(said))
    assert late.whole("elements", 5, beat) is None
    assert heard == [("elements", 0, 5), ("elements", 0, 5)]
    assert [str(each) for each in (*work.covered, *late.covered)] == ["5 of 5 elements", "0 of 5 elements"]


def test_a_step_ends_at_its_own_deadline_or_that_of_work_outside() -> None:
    def endless() -> str:
        for _ in range(1000):
            beat()
        return "done"

    assert Work().attempt(endless) == "done"
    assert Work(0).attempt(endless) is None
    inner, outer = Work(1e9), Work(0)
    assert outer.attempt(lambda: inner.attempt(endless) or "not reached") is None
    both = Work(1e9)
    assert both.attempt(lambda: Work(0).attempt(endless) or "the inner one ended") == "the inner one ended"


def test_progress_is_heard_by_the_nearest_that_listens() -> None:
    heard: list[Any] = []
    outer = Work(progress=lambda *said: heard.append(said))
    outer.attempt(lambda: Work().attempt(lambda: beat("leaves", 3, 7)))
    outer.attempt(lambda: Work().attempt(lambda: beat("leaves")))
    assert heard == [("leaves", 3, 7), ("leaves", 0, 0)]


def test_what_was_covered_is_a_sentence() -> None:
    class Answer(Partly):
        covered = (Covered("elements", 12, 360, 20.0), Covered("types", 2, 2, 20.0))

    assert Answer().shortfall == "partial: 12 of 360 elements looked at in 20 s"
    assert not Partly().partial
    assert Partly().shortfall == ""


@pytest.mark.parametrize("seconds", [-1.0, float("nan")])
def test_a_deadline_is_a_number_from_0_on(seconds: float) -> None:
    with pytest.raises(InterpError, match="seconds="):
        interp.trace(SUM, LOUD, INIT).verdict(seconds=seconds)


@pytest.mark.parametrize(("seconds", "status"), [("0", 1), ("1000", 0)])
def test_a_partial_answer_has_exit_status_1(seconds: str, status: int) -> None:
    pool = str(Path(__file__).parent.parent / "testdata" / "programs" / "overflowing_pool")
    assert main(["bounds", f"{pool}.mlir", f"{pool}.npz", "--seconds", seconds]) == status

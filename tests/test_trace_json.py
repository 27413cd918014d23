"""A trace as JSON: everything that its events say, in numbers that JSON has or in words."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import interp
from interp.__main__ import main
from interp.recorder.event import Event
from tests.library.builders import quantized, reduction

PROGRAMS = Path(__file__).resolve().parent.parent / "testdata" / "programs"
ALL = "dimensions = array<i64: 0>"


def agrees(told: dict[str, object], event: Event) -> bool:
    exact = told["exact"]
    return (
        (told["kind"], told["what"], told["stored"]) == (event.kind, event.what, event.stored)
        and tuple(told["operands"]) == event.operands  # type: ignore[arg-type]
        and (None if exact is None else Fraction(exact)) == event.exact  # type: ignore[arg-type]
        and told["index"] == (None if event.index is None else [*event.index])
        and told["leaves"] == (None if event.leaves is None else [*event.leaves])
    )


def test_every_kept_event_is_told() -> None:
    coarse, fine = quantized("i8:f32, 3.0"), quantized("i8:f32, 2.0")
    module = reduction("reduce", f"6x{coarse}", coarse, fine, fine, ALL)
    trace = interp.trace(module, np.array([1, 2, 100, 4, 90, 33], np.int8), np.int8(1), keep=4)
    document = json.loads(trace.to_json())
    assert document["counts"] == trace.counts
    assert [group["count"] for group in document["groups"]] == [group.count for group in trace.groups]
    for told, group in zip(document["groups"], trace.groups, strict=True):
        assert agrees(told["first"], group.first)
        assert agrees(told["worst"], group.worst)
    assert len(document["events"]) == 4
    assert all(map(agrees, document["events"], trace.kept))
    assert any(isinstance(told["exact"], str) for told in document["events"])  # "3/2"


def test_what_json_has_no_number_for() -> None:
    module = reduction("reduce", "2xf32", "f32", "f32", "f32", ALL)
    trace = interp.trace(module, np.array([np.inf, 1], np.float32), np.float32(-np.inf), keep=1)
    (told,) = json.loads(trace.to_json(), parse_constant=pytest.fail)["events"]
    assert told["operands"] == ["-inf"]
    trace = interp.trace(module, np.array([1, 1], np.float32), np.float32(1), break_on="non_identity_init")
    assert json.loads(trace.to_json())["stopped"].startswith("stopped at")


def test_the_command_line_writes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, args = (str(PROGRAMS / f"saturating_sum.{end}") for end in ("mlir", "npz"))
    path = tmp_path / "new" / "out.json"
    assert main(["trace", program, args, "--json", str(path)]) == 0
    printed = capsys.readouterr().out
    document = json.loads(path.read_text())
    assert f"saturate x {document['counts']['saturate']}" in printed
    shown = [group for group in document["groups"] if group["severity"] != "information"]
    assert len(document["events"]) == sum(group["count"] for group in shown) > 0
    assert main(["trace", program, args, "--json", str(tmp_path)]) == 2
    assert "cannot be written" in capsys.readouterr().err

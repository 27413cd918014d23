"""Fake quantization by a range: its rows, and oracle, engine and compiled program against one another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interp
from spec.meaning.evaluate import evaluate
from spec.meaning.index import Tensor
from spec.op_attributes import FORMS
from spec.rules.verify import CONSTRAINTS, label, verify
from spec.schedule import BALANCED, LEFT
from tests.library import builders

RANGE: dict[str, Any] = {"min": -1.5, "max": 2.25}
SLICES: dict[str, Any] = {"min": (-1.0, 0.5, -3.0, 0.0), "max": (2.0, 1.5, -1.0, 0.0), "axis": 1}
# The attributes or the types of the operands, changed such that the row alone is violated.
CHANGES: dict[str, dict[str, Any]] = {
    "i1": {"x": "5x4xf64"},
    "i2": {"min": "low"},
    "i3": {"narrow_range": 1},
    "c1": {"result": "4x5xf32"},
    "c2": {"num_bits": 17},
    "c3": {"vars": "3xf32", "min": (0.0,) * 3, "max": (1.0,) * 3},
    "c4": {"min": 2.25},
    "c5": {"axis": 2},
}
SCHEDULES = {"left": LEFT, "balanced": BALANCED}
CASE = Path(__file__).parent.parent / "testdata/simulation/fake_quantization.mlir"
X = (np.random.default_rng(0).normal(size=(5, 4)) * 2).astype(np.float32)


def program(name: str, x: str = "5x4xf32", result: str = "", vars: str = "", **changed: Any) -> interp.Module:
    """Return a program of one such operation on 5 x 4 numbers, its attributes or its types changed."""
    form = FORMS[name]
    ranges = [vars or ("4xf32" if form.axis else "f32")] * 2 if form.vars else []
    results = [result or x, *(ranges if form.gradient else [])]
    known = {} if form.vars else SLICES if form.axis else RANGE
    attributes = {**known, "num_bits": 4, "narrow_range": True, **changed}
    signature = f"{'; '.join([x] * (1 + form.gradient) + ranges)} -> {'; '.join(results)}"
    return builders.single(name, signature, **attributes)


@pytest.mark.parametrize("name", FORMS)
def test_each_row_is_violated_alone(name: str) -> None:
    assert verify(program(name)) == []
    for row in CONSTRAINTS[name]:
        change = CHANGES[row.label]
        if row.label in ("i2", "c4") and FORMS[name].vars:
            continue  # a range of operands is not known before the run
        if row.label == "c3" and not FORMS[name].axis:
            change = {"vars": "4xf32"}
            if not FORMS[name].vars:
                continue  # one range fits every shape
        if row.label == "c4" and FORMS[name].axis:
            change = {"min": (0.0, 0.5, 1.0, 0.0), "max": (1.0, 1.5, 1.0, 0.0)}
        codes = [violation.code for violation in verify(program(name, **change))]
        assert codes == [f"{label(name)}_{row.label}"], row.formula


def arguments(module: interp.Module) -> list[np.ndarray]:
    """Return numbers on a grid of quarters, ties and bounds among them, and ranges."""
    xs = np.round(X * 8) / 8
    values = {(5, 4): [X, xs], (4,): [SLICES["min"], SLICES["max"]], (): [-1.5, 2.25]}
    return [np.float32(values[v.type.shape].pop(0)) for v in module.main.inputs]


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_oracle_and_engine_agree(name: str, schedule: str) -> None:
    module = program(name)
    args = arguments(module)
    given = [
        Tensor(v.type, tuple(np.ravel(x).tolist())) for v, x in zip(module.main.inputs, args, strict=True)
    ]
    expected = evaluate(module, given, SCHEDULES[schedule])
    for found, wanted in zip(interp.run(module, *args, schedule=schedule), expected, strict=True):
        np.testing.assert_array_equal(np.asarray(found).ravel(), np.float32(wanted.elements))


@pytest.mark.slow("compiles many programs")
def test_compiled_and_lowered_have_the_same_bits() -> None:
    """All forms in one program, which is compiled once."""
    module = interp.load(CASE)
    rng = np.random.default_rng(1)
    x, g = (rng.normal(size=5).astype(np.float32) for _ in range(2))
    expected = interp.run(module, x, g)
    lowered = interp.lower(module)
    for results in (interp.compile(module)(x, g), interp.run(lowered, x, g)):
        for found, wanted in zip(results, expected, strict=True):
            np.testing.assert_array_equal(np.asarray(found), np.asarray(wanted))


def test_it_reads_as_it_prints() -> None:
    module = interp.load(CASE)
    assert interp.load(repr(module)) == module
    assert interp.verify(module) == []


def test_a_range_is_moved_such_that_zero_is_exact() -> None:
    """The range 0.5 to 1.5 becomes 0 to 1, as TensorFlow's does: its grid has a zero."""
    module = builders.single("tf.FakeQuantWithMinMaxArgs", "4xf32 -> 4xf32", min=0.5, max=1.5)
    (found,) = interp.run(module, np.float32([-1, 0, 0.999, 9]))
    assert found.tolist() == [
        0,
        0,
        np.float32(255) * np.float32(1 / 255),
        np.float32(255) * np.float32(1 / 255),
    ]


def test_no_gradient_has_a_float_reference() -> None:
    module = program("tf.FakeQuantWithMinMaxArgsGradient")
    with pytest.raises(interp.Unsupported, match="has no float reference"):
        interp.compare(module, X, X)

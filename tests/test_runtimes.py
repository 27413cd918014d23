"""Runtimes with formats of their own: what they can express, what they run, and how they are judged.

Each expectation has a reason apart from the runtime: its documentation, or arithmetic that is exact.
"""

from __future__ import annotations

import pytest

from interp.suite.conformance import conformance
from interp.suite.conformance_report import as_dict, as_text
from interp.suite.foreign.runtimes import RUNTIMES, missing
from interp.suite.implementations import implementation
from interp.suite.report import Outcome, Report
from spec.errors import Unsupported


def needs(name: str) -> pytest.MarkDecorator:
    absent = missing(name)
    return pytest.mark.skipif(bool(absent), reason=f"{RUNTIMES[name].command} ({', '.join(absent)} missing)")


def outcomes(report: Report) -> dict[str, Outcome]:
    return {outcome.case.id: outcome for outcome in report.outcomes}


@pytest.mark.parametrize("name", RUNTIMES)
def test_an_absent_runtime_is_named_with_the_command_that_installs_it(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interp.suite.foreign.runtimes.find_spec", lambda package: None)
    with pytest.raises(Unsupported, match=f"{name} needs .*: not installed") as error:
        implementation(name)
    assert error.value.evidence == RUNTIMES[name].command


INVALID = "an invalid program, which only a reader of StableHLO refuses"
NARROW = "storage bounds narrower than the type"
# Case of the suite, verdict, and the operators that ran or the reason why none did.
ONNX = {
    # The real sums lie on the result's grid or are rounded once: every reading gives the same.
    "quantized/add_u8": ("exact", "QLinearAdd ui8"),
    "quantized/logistic_u8": ("exact", "QLinearSigmoid ui8"),
    "quantized/maximum_u8": ("exact", "QDQ Max ui8"),
    "contraction/dot_type_u8": ("exact", "QLinearMatMul ui8"),
    # Order-free bodies on stored integers of equal parameters.
    "reduce/accumulator_saturating_u8_maximum": ("exact", "ReduceMax ui8"),
    # ONNX's document: y = saturate(round(x / y_scale) + y_zero_point).
    "uniform_quantize/values_u16": ("wrong", "QuantizeLinear ui16"),
    # A float maximum propagates NaN in StableHLO's specification.
    "reduce/nan_maximum": ("wrong", "ReduceMax f32"),
    "select_and_scatter/first_f32": ("not expressible", "select_and_scatter: no operator for it"),
    "uniform_quantize/values_i32": ("not expressible", "ONNX's QuantizeLinear has no int32"),
    "reduce/accumulator_narrow_range_add": (
        "not expressible",
        "reduce: storage bounds narrower than the type",
    ),
    "reduce/c1_shapes_differ": (
        "not expressible",
        "an invalid program, which only a reader of StableHLO refuses",
    ),
}


@pytest.fixture(scope="module")
def onnx_report() -> Report:
    return conformance("onnxruntime", filter=list(ONNX))


@needs("onnxruntime")
@pytest.mark.parametrize("case", ONNX)
def test_onnx_runtime(case: str, onnx_report: Report) -> None:
    outcome = outcomes(onnx_report)[case]
    how = ", ".join(outcome.how) if outcome.how else outcome.detail
    assert (outcome.verdict, how) == ONNX[case]


@needs("onnxruntime")
def test_what_is_not_expressible_is_counted_and_no_failure(onnx_report: Report) -> None:
    inexpressible = [o for o in onnx_report.outcomes if o.verdict == "not expressible"]
    rest = Report("onnxruntime", tuple(o for o in onnx_report.outcomes if o.conforms or o in inexpressible))
    assert (rest.ok, onnx_report.ok) == (True, False)
    assert rest.conclusion.endswith(f"{len(inexpressible)} more are not expressible")
    assert {row["conforms"] for row in as_dict(rest)["cases"]} == {True, None}
    assert "operators that ran" in as_text(rest)
    assert Report("numpy", ()).verdicts[-1] != "not expressible"

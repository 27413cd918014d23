"""Readings of quantized operations: the one that a verdict speaks of, and where readings may differ."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from rich.console import Console

import interp
from interp.apps.suite import conformance as suite
from interp.apps.suite.cases import read_case
from interp.apps.suite.conformance import CASES, conformance, outcome_of
from interp.apps.suite.fuzz import Failure, ask, program
from interp.apps.suite.fuzz import failure_text as fuzz_text
from interp.apps.suite.implementations import InProcess, run_numpy
from interp.apps.suite.report import Report, as_dict, as_json, as_junit, show
from interp.apps.suite.report_files import as_html
from spec.accumulator import READINGS
from spec.ir import Op, Region
from spec.readings import ANY, READING, may_differ, reading_of
from spec.types import parse_element_type
from tests.library.builders import contracting, module, reduce, single, value, windowed

Q, R, U = "!quant.uniform<i8:f32, 0.5:3>", "!quant.uniform<i8:f32, 1.0>", "!quant.uniform<u8:f32, 1.0>"
OPEN = "not permitted in the dequantize reading, and not known of the integer reading"


def reduced(source: str, accumulation: str, body: str) -> interp.Module:
    """A reduction of four elements; `body` is its one operation, or "" to return an argument."""
    E, total = (parse_element_type(type) for type in (source, accumulation))
    code = body or Region(
        (value("a", total), value("b", total)), (Op("stablehlo.return", (value("a", total),), ()),)
    )
    return module(reduce(code, E, total, (4,)))


SAME = {
    "plain": lambda: single("abs", "4xf32 -> 4xf32"),
    "plain reduction": lambda: reduced("i8", "i32", "add"),
    "quantize": lambda: single("uniform_quantize", f"4xf32 -> 4x{Q}"),
    "dequantize": lambda: single("uniform_dequantize", f"4x{Q} -> 4xf32"),
    "moves": lambda: single("reshape", f"4x{Q} -> 2x2x{Q}"),
    "a body that chooses": lambda: reduced(Q, Q, ""),
    "hybrid": lambda: single("dot_general", f"2x3xf32; 3x2x{R} -> 2x2xf32", **contracting(1)),
}
DIFFERENT = {
    "elementwise": lambda: single("abs", f"4x{Q} -> 4x{Q}"),
    "comparison": lambda: single("compare", f"4x{Q}; 4x{Q} -> 4xi1", comparison_direction="LT"),
    "requantize": lambda: single("uniform_quantize", f"4x{Q} -> 4x{R}"),
    "a body": lambda: reduced(Q, Q, "add"),
    "leaves converted": lambda: reduced(Q, R, ""),
    "contraction": lambda: single("dot_general", f"2x3x{R}; 3x2x{R} -> 2x2x{R}", **contracting(1)),
    "in a function that is called": lambda: interp.load(f"""
        func.func @main(%x: tensor<4x{Q}>) -> tensor<4x{Q}> {{
          %0 = call @part(%x) : (tensor<4x{Q}>) -> tensor<4x{Q}>
          return %0 : tensor<4x{Q}>
        }}
        func.func private @part(%x: tensor<4x{Q}>) -> tensor<4x{Q}> {{
          %0 = stablehlo.negate %x : tensor<4x{Q}>
          return %0 : tensor<4x{Q}>
        }}"""),
}


@pytest.mark.parametrize("name", SAME)
def test_where_all_readings_agree(name: str) -> None:
    assert reading_of(SAME[name]()) == ANY


@pytest.mark.parametrize("name", DIFFERENT)
def test_where_readings_may_differ(name: str) -> None:
    assert reading_of(DIFFERENT[name]()) == READING


def test_an_operation_that_nobody_listed_may_differ() -> None:
    """Only what is known to agree is said to."""
    (op, _) = DIFFERENT["elementwise"]().main.body.ops
    assert may_differ(op.__class__("stablehlo.new", op.operands, op.results))
    (op, _) = SAME["plain"]().main.body.ops
    assert not may_differ(op.__class__("stablehlo.new", op.operands, op.results))


def test_the_reading_has_a_definition() -> None:
    assert {READING, "integer"} == set(READINGS)


# permits, verdict, trace ----------------------------------------------------------------------------

SUM = reduced(R, R, "add")
X, ZERO = np.int8([100, 100, -100, -100]), np.int8(0)


def test_permits_says_of_which_reading_it_speaks() -> None:
    judged = [interp.permits(SUM, (X, ZERO), (np.int8(given),)) for given in (0, 1)]
    assert {found.reading for found in judged} == {READING}
    fine, refused = (repr(found).splitlines()[0] for found in judged)
    assert fine == "1 exact in the dequantize reading"
    assert refused == "1 not permitted in the dequantize reading; the integer reading is not judged"


def test_permits_of_plain_types_speaks_of_any_reading() -> None:
    found = interp.permits(reduced("i8", "i8", "add"), (X, ZERO), (np.int8(1),))
    assert (found.reading, repr(found).splitlines()[0]) == (ANY, "1 not permitted")


def test_a_verdict_says_of_which_reading_it_speaks() -> None:
    quantized, plain = (
        interp.trace(module, X, ZERO).verdict() for module in (SUM, reduced("i8", "i8", "add"))
    )
    assert (quantized.reading, plain.reading) == (READING, ANY)
    assert repr(quantized).splitlines()[0].endswith(", schedule left, dequantize reading")
    assert repr(plain).splitlines()[0].endswith(", schedule left")


def test_a_trace_says_it_in_json_and_on_its_page(tmp_path: Path) -> None:
    for source, reading in ((SUM, READING), (reduced("i8", "i8", "add"), ANY)):
        trace = interp.trace(source, X, ZERO)
        assert json.loads(trace.to_json())["reading"] == reading
        page = trace.report(tmp_path / "page.html").read_text()
        assert f"<dt>reading of quantized operations</dt><dd>{reading}</dd>" in page.replace("\n", "")


# The suite --------------------------------------------------------------------------------------------

NOT_KNOWN = "reduce/sum_in_wider_type"  # not all that is permitted of converted leaves is known
ELSEWHERE = "reduce_window/maximum_bf16"  # the greatest stored integer is what the integer reading permits


def another(x: np.ndarray) -> np.ndarray:
    return np.asarray(x + np.ones((), x.dtype), x.dtype)


def off_by_one(module: interp.Module, mode: str, args: Sequence[np.ndarray]) -> list[np.ndarray]:
    return [another(x) for x in run_numpy(module, mode, args)]


def in_integers(module: interp.Module, mode: str, args: Sequence[np.ndarray]) -> list[np.ndarray]:
    return [out.storage for out in interp.run(module, *args, mode=mode, reading="integer")]


def reported(answer: Any, *filter: str) -> Report:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(suite, "implementation", lambda *_: InProcess(answer))
        return conformance("mine", filter=filter)


@pytest.fixture(scope="module")
def report() -> Report:
    """Report on an implementation whose every number is one too large."""
    return reported(off_by_one, "reduce/su", ELSEWHERE, "uniform_")


@pytest.fixture(scope="module")
def elsewhere() -> Report:
    """Report on an implementation of the integer reading."""
    return reported(in_integers, "reduce_window/maximum", "quantized/add")


def test_what_another_reading_may_permit_is_counted_apart(report: Report) -> None:
    wrong = [o for o in report.outcomes if o.verdict == "wrong"]
    assert report.open() == sum(o.is_open for o in wrong)
    assert 0 < report.open() < len(wrong)
    assert NOT_KNOWN in [o.case.id for o in wrong if o.is_open]
    assert ELSEWHERE in [o.case.id for o in wrong if o.reading == ANY]  # one too large in both
    assert not report.ok
    assert not report.elsewhere()


def test_what_the_integer_reading_permits_conforms(elsewhere: Report) -> None:
    assert elsewhere.ok
    found = {o.case.id: o for o in elsewhere.outcomes if o.is_elsewhere}
    assert elsewhere.elsewhere() == len(found) > 1
    assert (found[ELSEWHERE].verdict, found[ELSEWHERE].reading) == ("permitted", "integer")
    n = len(elsewhere.outcomes)
    said = f"{n} of {n} cases conform, {len(found)} of them in the integer reading"
    assert elsewhere.conclusion == said
    document: dict[str, Any] = json.loads(as_json(elsewhere))
    assert document["permitted in the integer reading"] == len(found)
    rows = {row["case"]: row for row in document["cases"]}
    assert (rows[ELSEWHERE]["verdict"], rows[ELSEWHERE]["reading"]) == ("permitted", "integer")
    page = as_html(elsewhere)
    assert ">permitted in the integer reading</td>" in page
    assert f"judged in the integer reading, too: {READINGS['integer']}" in page
    text = io.StringIO()
    show(elsewhere, Console(file=text, width=200))
    assert "in brackets: permitted in the integer reading" in text.getvalue()


def test_the_reports_say_so(report: Report) -> None:
    wrong, open = report.counts()["wrong"], report.open()
    conform = sum(o.conforms for o in report.outcomes)
    said = f"{conform} of {len(report.outcomes)} cases conform; {wrong} are wrong, "
    said += f"of which {open} are {OPEN}"
    assert report.conclusion == said
    text = io.StringIO()
    show(report, Console(file=text, width=200))
    assert f"mine: {said}" in text.getvalue()
    assert f"{wrong} ({open})" in text.getvalue()
    assert f"in brackets: {OPEN}" in text.getvalue()
    page = as_html(report)
    assert f"{said}." in page
    assert f">{OPEN}</td>" in page
    assert f"the dequantize reading: {READINGS[READING]}" in page


def test_the_reports_for_programs_say_so(report: Report) -> None:
    document: dict[str, Any] = json.loads(as_json(report))
    assert document == as_dict(report)
    assert (document["reading"], document["conclusion"]) == (READING, report.conclusion)
    assert document["wrong"] == {ANY: report.counts()["wrong"] - report.open(), READING: report.open()}
    cases = {row["case"]: row for row in document["cases"]}
    found = cases[NOT_KNOWN]
    assert (found["reading"], found["verdict"], found["conforms"]) == (READING, "wrong", None)
    assert {row["reading"] for row in document["cases"]} == {ANY, READING}
    assert sum(row["conforms"] is None for row in document["cases"]) == report.open()
    top = ElementTree.fromstring(as_junit(report))
    tests = {f"{t.get('classname')}/{t.get('name')}": t for t in top.iter("testcase")}
    for case, row in cases.items():
        (noted,) = tests[case].findall("properties/property")
        assert (noted.get("name"), noted.get("value")) == ("reading", row["reading"])
    (failure,) = tests[NOT_KNOWN].findall("failure")
    assert str(failure.get("message")).startswith(OPEN)


def test_where_nothing_is_wrong_nothing_is_said_of_readings() -> None:
    found = conformance("numpy", filter=("uniform_dequantize",))
    assert found.conclusion == f"{len(found.outcomes)} of {len(found.outcomes)} cases conform"


@pytest.mark.parametrize("answer", [[], [np.zeros(7, np.int8)], [np.zeros((), np.float64)]])
def test_results_of_another_type_are_wrong_in_any_reading(answer: list[np.ndarray]) -> None:
    case = read_case(CASES / f"{ELSEWHERE}.mlir", CASES)
    outcome = outcome_of(case, InProcess(lambda *_: answer))
    assert (outcome.verdict, outcome.reading, outcome.is_open) == ("wrong", ANY, False)


def test_fuzz_says_so() -> None:
    """The first random programs with a wrong answer include those of quantized types."""
    tested, said = InProcess(off_by_one), set()
    for seed in range(12):
        answer = ask(trial := program(seed), tested)
        if answer.verdict == "wrong":
            assert answer.reading in (ANY, READING)
            assert answer.is_open == (answer.reading == READING)
            said.add(answer.in_words)
            assert f"// Verdict: {answer.in_words}, " in fuzz_text(Failure(seed, trial, answer, seed))
    assert "wrong" in said
    assert said <= {"wrong", OPEN}


# What docs/conformance.md says of StableHLO's reference interpreter is wrong in either reading -------------


@pytest.mark.parametrize(
    ("source", "accumulation", "body", "x", "answer", "exact"),
    [
        (U, U, "maximum", [200, 1], 1, 200),  # 200 read as -56
        (Q, R, "add", [13, 23], 39, 15),  # 5.0 + 10.0, the init 3 is 0.0
        (Q, R, "maximum", [13, 23], 23, 10),
    ],
)
def test_no_rounding_explains_what_the_reference_answers(
    source: str, accumulation: str, body: str, x: list[int], answer: int, exact: int
) -> None:
    """Every number here is exact, in floats and in integers, in any schedule, with any number of inits: the
    scales are powers of two, and the init is zero, or the least."""
    scale, zero = {Q: (0.5, 3), R: (1.0, 0), U: (1.0, 0)}[source]
    values = [(q - zero) * scale for q in x]
    assert (sum if body == "add" else max)(values) == exact != answer
    dtype = np.uint8 if source == U else np.int8
    module = windowed(f"2x{source}", (2,), accumulation, body)
    args = np.array(x, dtype), np.array(zero, dtype)
    assert interp.run(module, *args)[0].storage.tolist() == [exact]
    assert reference(module, args) == [answer]


def reference(module: interp.Module, args: Sequence[np.ndarray]) -> list[int]:
    from interp.apps.suite.implementations import Question, implementation

    tested = implementation("stablehlo")
    try:
        case = read_case(CASES / f"{ELSEWHERE}.mlir", CASES)
        reply = tested(Question(case.__class__(**{**vars(case), "text": repr(module)}), module, args))
    finally:
        tested.close()
    assert reply.kind == "results", reply
    return list(reply.results[0].tolist())

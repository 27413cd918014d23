"""A device is judged as a function, a command and a server; its narrow accumulators are found and named."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interp
from interp.__main__ import main
from interp.apps.suite.causes import cover
from interp.apps.suite.conformance import conformance
from interp.apps.suite.fuzz import ask, fuzz
from interp.apps.suite.generate import program
from interp.apps.suite.implementations import available, implementation
from interp.apps.suite.outcome import Outcome
from interp.apps.suite.report import Report, as_dict
from interp.apps.suite.report_files import as_html
from spec.errors import Malformed, Unsupported, Violation
from tests.library.devices import narrow_dot

BEYOND = [f"beyond_{bits}_" for bits in (16, 20, 24, 31, 32)]
SCRIPT = Path(narrow_dot.__file__)


def function(bits: int) -> Callable[[str, list[np.ndarray]], Any]:
    """Return the device as a function."""

    def narrow(text: str, args: list[np.ndarray]) -> list[np.ndarray]:
        try:
            return narrow_dot.dot(text, args, bits)
        except narrow_dot.NotSupportedError as error:
            raise Unsupported(str(error)) from None

    return narrow


def command(bits: int, *fault: str) -> str:
    return " ".join([sys.executable, str(SCRIPT), str(bits), *fault])


def server(bits: int, *fault: str) -> str:
    return f"server:{command(bits, *fault)}"


def facts(outcomes: Any) -> list[tuple[Any, ...]]:
    return [(o.case.id, o.verdict, o.conforms, o.mistake, o.detail) for o in outcomes]


# Narrow accumulators
# -------------------------------------------------------------------------------------------------


def test_an_accumulator_that_holds_every_sum_is_right() -> None:
    report = conformance(function(0), filter=BEYOND, ops="dot_general")
    assert report.counts() == {"exact": 14}


@pytest.mark.parametrize(("bits", "wrong"), [(16, 14), (20, 11), (24, 8), (31, 4), (32, 1)])
def test_a_dot_that_saturates_is_found_and_named(bits: int, wrong: int) -> None:
    report = conformance(function(bits), filter=BEYOND, ops="dot_general")
    assert report.counts() == {"exact": 14 - wrong, "wrong": wrong} if wrong < 14 else {"wrong": 14}
    (cause,) = report.causes
    assert (cause.verdict, cause.name, len(cause.outcomes)) == ("wrong", f"summed in i{bits} saturate", wrong)
    assert cause.text.startswith(
        f"diagnose: accumulator i{bits} saturate: sums of integers are kept in i{bits}"
    )


@pytest.mark.parametrize("op", ["convolution", "reduce", "reduce_window"])
@pytest.mark.parametrize("bits", [16, 20, 24, 31])
@pytest.mark.parametrize("mode", ["saturate", "wrap"])
def test_other_narrow_sums_are_found(op: str, bits: int, mode: str) -> None:
    """By the engine with such an accumulator, which the cases' own expectations do not use."""
    run = lambda text, args: interp.run(text, *args, accumulator={"%0": f"i{bits} {mode}"})
    report = conformance(run, filter=[f"beyond_{bits}_"], ops=op)
    assert {o.verdict for o in report.outcomes} == {"wrong"}
    assert all(f"summed in i{bits} {mode}" in o.mistake for o in report.outcomes)


# Three ways to ask one device
# -------------------------------------------------------------------------------------------------


@pytest.mark.slow("starts processes")
def test_a_device_gives_the_same_report_in_three_ways() -> None:
    words = ["dot_beyond_20_plain", "c5_duplicate", "dot_two_contracted"]
    ways = [conformance(impl, filter=words) for impl in (function(20), server(20), command(20))]
    first, *others = [{**as_dict(report), "implementation": "", "cases": None} for report in ways]
    assert first["causes"][0]["cause"] == "summed in i20 saturate"
    assert others == [first, first]
    expected = facts(ways[0].outcomes)
    assert {verdict for _, verdict, *_ in expected} == {"wrong", "unsupported"}
    assert [facts(report.outcomes) for report in ways[1:]] == [expected, expected]


SEEDS = (88, 172, 185, 296, 3, 4)  # the first four multiply matrices that this device gets wrong


@pytest.mark.slow("starts processes")
def test_random_programs_get_the_same_answers_in_three_ways() -> None:
    programs = [program(seed, ["dot_general"]) for seed in SEEDS]
    answers = []
    for impl in (function(16), server(16), command(16)):
        tested = implementation(impl)
        answers.append([ask(each, tested)[:2] for each in programs])
        tested.close()
    assert answers[0] == answers[1] == answers[2]
    assert [verdict for verdict, _ in answers[0]] == ["wrong"] * 4 + ["unsupported"] * 2


def test_the_failures_of_random_programs_are_named_by_their_cause() -> None:
    found = fuzz(function(16), ops="dot_general", seconds=0, seed=SEEDS[0])
    assert found.causes == {"accumulator i16 saturate": [SEEDS[0]]}
    assert found.conclusion.startswith(
        f"accumulator i16 saturate: 1 of the failures, seed {SEEDS[0]} first\n"
    )
    assert "\ndiagnose: accumulator i16 saturate: sums of integers" in repr(found)


@pytest.mark.parametrize("impl", [function(20), server(20)])
def test_cases_that_are_asked_at_once_are_judged_in_their_order(impl: Any) -> None:
    one, four = (conformance(impl, filter=BEYOND, jobs=jobs) for jobs in (1, 4))
    assert facts(one.outcomes) == facts(four.outcomes)


def test_random_programs_are_asked_at_once() -> None:
    found = fuzz(server(0), seconds=1, jobs=3)
    assert found.ok
    assert found.counts.total() == found.next_seed > 3


# Functions
# -------------------------------------------------------------------------------------------------


def raising(error: Exception) -> Callable[..., Any]:
    def function(text: str, args: list[np.ndarray]) -> Any:
        raise error

    return function


ANSWERS: dict[str, tuple[Callable[..., Any], str]] = {
    "an array": (lambda text, args: args[0].max(), "exact"),
    "a list": (lambda text, args: [args[0].max()], "exact"),
    "a tensor": (lambda text, args: interp.run(text, *args), "exact"),
    "nothing": (lambda text, args: None, "wrong"),
    "no results": (lambda text, args: [], "wrong"),
    "a word": (lambda text, args: "200", "wrong"),
    "ragged": (lambda text, args: [[[1], [1, 2]]], "crashed"),
    "unsupported": (raising(Unsupported("sorting")), "unsupported"),
    "refused": (raising(Malformed("bad")), "refused"),
    "raises": (raising(ValueError("no such type")), "crashed"),
    "exits": (raising(AssertionError()), "crashed"),
    "takes one": (lambda text: [], "crashed"),
}


@pytest.mark.parametrize("answer", ANSWERS)
def test_a_function_is_judged(answer: str) -> None:
    impl, verdict = ANSWERS[answer]
    (outcome,) = conformance(impl, filter="reduce/unsigned_maximum").outcomes
    assert outcome.verdict == verdict


def test_a_function_cannot_change_the_arguments_of_a_case() -> None:
    def spoil(text: str, args: list[np.ndarray]) -> Any:
        results = interp.run(text, *args)
        for x in args:
            x[...] = 0
        return results

    for _ in range(2):
        assert conformance(spoil, filter="reduce/unsigned_maximum").ok


def test_a_function_gets_bits_where_numpy_has_no_type() -> None:
    kinds: list[str] = []

    def note(text: str, args: list[np.ndarray]) -> Any:
        kinds.extend(x.dtype.name for x in args)
        raise Unsupported("all")

    conformance(note, filter="contraction/dot_type_bf16")
    assert kinds == ["uint16", "uint16"]


def test_a_function_that_raises_a_violation_refuses() -> None:
    (outcome,) = conformance(raising(Violation("reduce_c5", "twice")), filter="reduce/c5_duplicate").outcomes
    assert (outcome.verdict, outcome.conforms) == ("refused", True)


def test_what_is_no_implementation() -> None:
    with pytest.raises(Malformed, match="int is not an implementation"):
        conformance(3, filter="reduce/argmax")  # type: ignore[arg-type]


# Servers
# -------------------------------------------------------------------------------------------------

FAULTS = {
    "slow": ("timed out", "no answer in 2 s"),
    "dead": ("crashed", "the server ended (exit status 1): out of memory"),
    "garbled": (
        "crashed",
        "expected `results ARRAYS` or `refused|unsupported|crashed BYTES`, got b'hello\\n'",
    ),
    "short": ("crashed", "the server ended (exit status 3)"),
    "large": ("crashed", "expected at most 2,147,483,648 bytes, got 99,999,999,999"),
}


@pytest.mark.slow("starts processes", rows=3)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_failure_of_a_server_is_that_of_one_case(fault: str) -> None:
    """Each process of the server fails at its third case; the case after it is asked in a fresh one."""
    words = ["dot_beyond_16", "dot_beyond_20_plain"]
    right = conformance(function(0), filter=words).outcomes
    outcomes = conformance(server(0, fault), filter=words, timeout=2).outcomes
    assert len(outcomes) == 4
    verdict, message = FAULTS[fault]
    failed = [o for o in outcomes if o.verdict != "exact"]
    assert facts(o for o in outcomes if o.verdict == "exact") == facts(
        o for o in right if o.case.id not in {f.case.id for f in failed}
    )
    if fault in ("slow", "garbled", "large"):
        assert [o.verdict for o in outcomes] == ["exact", "exact", verdict, "exact"]
        assert message in outcomes[2].detail
    else:  # the case was asked again, in a fresh process, in which it is the first
        assert failed == []


def test_a_server_that_dies_at_its_first_case(tmp_path: Path) -> None:
    script = tmp_path / "dies.py"
    script.write_text("print('interp-server 1', flush=True)\ninput()\nraise SystemExit('no memory')\n")
    report = conformance(f"server:{sys.executable} {script}", filter=["dot_beyond_16"])
    assert {o.verdict for o in report.outcomes} == {"crashed"}
    assert report.outcomes[0].detail == "the server ended (exit status 1): no memory"


@pytest.mark.parametrize(
    ("impl", "message"),
    [
        (server(0, "version"), "expected b'interp-server 1\\\\n' as its first line, got b'interp-server 2"),
        ("server:no-such-program", "No such file"),
        (
            f"server:{sys.executable} -c 'import sys; sys.exit(4)'",
            r"ended before its first line \(exit status 4",
        ),
        ("server:", "no implementation is named"),
    ],
)
def test_a_server_that_does_not_start_is_an_error(impl: str, message: str) -> None:
    with pytest.raises(Malformed, match=message):
        conformance(impl, filter=["dot_beyond_16_plain"])


# Operations, hints and causes
# -------------------------------------------------------------------------------------------------


def test_operations_choose_cases() -> None:
    report = conformance("numpy", ops=["fft", "triangular_solve"])
    assert report.ok
    assert {o.case.op for o in report.outcomes} == {"fft", "triangular_solve"}
    with pytest.raises(Malformed, match="no case has the operation dot"):
        conformance("numpy", ops="dot")


def test_operations_choose_random_programs(capsys: pytest.CaptureFixture[str]) -> None:
    for seed in range(8):  # the same programs on every machine, as a number of seconds has not
        arguments = ["fuzz", "--impl", server(0), "--ops", "dot_general,sort", "--seconds", "0"]
        assert main([*arguments, "--seed", str(seed)]) == 0
    out = capsys.readouterr().out
    assert "of the 1 unsupported (1 sort)" in out
    assert "of the 1 unsupported (1 dot_general)" in out
    assert "reduce)" not in out
    with pytest.raises(Malformed, match="'dot' is not a operation of random programs"):
        fuzz("numpy", ops="dot", seconds=0)
    with pytest.raises(Malformed, match="operations were named for a sweep"):
        fuzz("numpy", ops="sort", sweep=True, seconds=0)


def test_what_is_unsupported_comes_with_a_hint() -> None:
    hint = conformance(function(0), filter=["beyond_20_"]).hint
    assert hint.startswith("6 unsupported, 6 of them for this reason: only dot_general of two matrices\n")
    assert "--ops dot_general asks for cases with these" in hint
    asked = conformance(function(0), filter=["dot_b"], ops="dot_general").hint
    assert "--ops cannot tell these cases apart: --filter WORD" in asked
    nothing = conformance(raising(Unsupported("")), filter=["beyond_20_"]).hint
    assert "nothing is supported" in nothing
    found = fuzz(function(0), seconds=0, seed=0)
    assert found.hint == "" or "--ops" in found.conclusion


def test_help_offers_what_is_installed(capsys: pytest.CaptureFixture[str]) -> None:
    for verb in ("conformance", "fuzz"):
        with pytest.raises(SystemExit):
            main([verb, "--help"])
        text = " ".join(capsys.readouterr().out.split())
        assert f"one that is installed ({', '.join(available())})" in text
        assert "--reading" not in text
    for name in available():
        implementation(name).close()


def test_a_report_begins_with_what_is_wrong() -> None:
    report = conformance(function(20), filter=["dot_beyond_24"])
    assert repr(report).startswith("what is wrong")
    html = as_html(report)
    assert html.index("What is wrong") < html.index("<caption>Verdicts")
    assert "diagnose: accumulator i20 saturate" in html


def test_wrong_results_that_nothing_explains_are_grouped_by_operation() -> None:
    report: Report = conformance(
        lambda text, args: np.int8(77), filter=["reduce/in_order_i8", "reduce/formula_i8"]
    )
    wrong: list[Outcome] = [o for o in report.outcomes if o.verdict == "wrong"]
    assert wrong
    assert sum(len(cause.outcomes) for cause in report.causes) == len(wrong)


def test_the_fewest_names_cover_all() -> None:
    assert cover([("a", "b"), ("b",), (), ("c",), ("b", "c")]) == {"b": [0, 1, 4], "c": [3]}
    assert cover([]) == {}
    assert cover([("x", "x")]) == {"x": [0]}

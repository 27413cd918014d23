"""tools/bench: its candidates give our results, its numbers are what they are called, its table is whole."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.test_demo import TOOLS, script

ROOT = TOOLS.parent
sys.path.insert(0, str(TOOLS))

from benchmarks import cases, measure, report, resnet  # noqa: E402
from benchmarks.cases import RELU, SYMMETRIC, UNIFORM, Case  # noqa: E402
from benchmarks.first_calls import FirstCall, first_calls  # noqa: E402
from benchmarks.measure import SAMPLE, Call, Timing, growth, interleaved, local  # noqa: E402
from benchmarks.memory import peak  # noqa: E402
from benchmarks.numpy_peers import per_step  # noqa: E402
from benchmarks.peers import Peer  # noqa: E402
from benchmarks.scaling import Scaling, scaled  # noqa: E402
from benchmarks.session import DIFFERENT, EQUAL, LIMIT, Measurement, fitted, measured  # noqa: E402
from benchmarks.threads import LIBRARIES  # noqa: E402
from benchmarks.work_growth import SERIES, Growth, Series  # noqa: E402
from benchmarks.workloads import FAR, WORKLOADS, Workload  # noqa: E402

NAMED = {workload.id: workload for workload in WORKLOADS}
LIKE_OTHERS = (  # rows that differ from others in element types alone, for each of which much is compiled
    *("D binary scales", "C binary scales", "D f32", "C f32", "D bf16", "C f32 library"),
    *("R binary scales", "R f32", "C binary scales traced"),
)
QUICK = [workload for workload in WORKLOADS if workload.id not in ("start", *LIKE_OTHERS)]
LONG = {  # seconds each, of compilation by XLA or numba
    *("W7 overlap", "S3", "D real scales", "C bf16", "R real scales", "T real scales"),
    *("survey", "W3 beyond traced", "P2 traced", "C real scales traced"),
}
SLOW = (pytest.mark.slow("compiles a long workload"),)
OPTIONAL = {"LiteRT", "ONNX Runtime"}


def quick(workload: Workload) -> Measurement:
    return measured(workload, workload.data[0], workload.family.shapes[:1], 1, lambda text: None)


@pytest.mark.slow("compiles every workload")
@pytest.mark.parametrize("workload", [pytest.param(w, marks=SLOW * (w.id in LONG), id=w.id) for w in QUICK])
def test_every_candidate_gives_our_result(
    workload: Workload, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """But for those that say why not, and those that are not installed; targets name candidates."""
    monkeypatch.setattr(measure, "SAMPLE", 1e-9)  # one call of each
    monkeypatch.setattr(resnet, "STAGES", ((128, 2),))  # XLA takes long for the other three
    if workload.id == "digits" or workload.id.startswith("R "):
        request.getfixturevalue("unoptimized")  # whole networks
    if workload.id == "survey":
        workload = workload._replace(family=workload.family._replace(shapes=((200,),)))  # samples
    found = quick(workload)
    candidates = [peer.name for peer in (*workload.ours, *workload.peers)]
    if workload.id == "digits" and not cases.DIGITS.exists():
        assert found.timings == {}
        assert set(found.remarks.values()) == {"there is no ../shared/exports/digits_a.mlirbc"}
        return
    assert list(found.remarks) == candidates
    assert {*found.timings} | OPTIONAL >= {*candidates}
    admitted = {peer.name: {peer.differs or EQUAL} for peer in (*workload.ours, *workload.peers)}
    for name in found.timings:
        assert found.remarks[name] in admitted.get(name, {EQUAL}), name
    assert all(target.measured for target in found.targets)
    assert {target.theirs for target in found.targets} == {*workload.eager, *workload.compiled}


def test_the_table_has_a_row_for_each_workload_and_data_set() -> None:
    timings = {"eager": Timing((2e-9, 4e-9)), "compiled": Timing((1e-9, 1e-9)), "NumPy": Timing((1e-9, 1e-9))}
    found = [Measurement(workload, data, timings, {}) for workload in WORKLOADS for data in workload.data]
    lines = report.markdown(found).splitlines()
    rows = [line for line in lines if line.startswith("| ")]
    assert len(rows) == 2 + sum(len(workload.data) for workload in WORKLOADS)
    assert {row.count(" | ") for row in rows} == {5}
    w1 = next(row for row in rows if row.startswith("| W1"))
    assert (
        "| symmetric | 3 ns | 3 x NumPy (at most 1.3) NOT MET<br>? x reference (at most 1/5,000) | 1 ns |"
        in w1
    )
    assert lines[-1] == report.machine()


def test_the_machine_says_how_many_threads_a_process_may_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit of `limit_threads`, else the cores that it was given."""
    for number, text in (("1", "One thread of "), ("3", "3 threads of ")):
        monkeypatch.setenv(LIBRARIES[0], number)
        assert report.machine().startswith(text)
    monkeypatch.delenv(LIBRARIES[0])
    for cores, text in (({1}, "One thread of "), ({0, 1}, "2 threads of ")):
        monkeypatch.setattr(os, "sched_getaffinity", lambda process, cores=cores: cores, raising=False)
        assert report.machine().startswith(text)


def test_ratios_are_of_the_same_round() -> None:
    """Medians of both would say 1."""
    ours, theirs = Timing((1.0, 2.0, 6.0)), Timing((2.0, 1.0, 3.0), shrunk=16)
    assert ours.ratios(theirs) == Timing((0.5, 2.0, 2.0), shrunk=16)
    assert ours.ratios(theirs).median == 2.0
    assert Timing(tuple(range(11))).spread == (1.0, 9.0)


def test_candidates_take_turns_and_each_begins_a_round() -> None:
    order: list[str] = []

    def call(name: str, seconds: float) -> Call:
        return Call(None, lambda number: order.append(name) or seconds)

    timings = interleaved({"a": call("a", 1.0), "b": call("b", 3.0)}, {"a": 8, "b": 2}, 3, lambda: None)
    assert order == [*"aaabbb", *"ab", *"ba", *"ab"]  # first trials, which say how often to call
    assert timings == {"a": Timing((0.125,) * 3), "b": Timing((1.5,) * 3, shrunk=4)}


def test_a_slow_first_call_does_not_make_a_candidate_slow() -> None:
    """A sample is of as many calls as the quickest trial allows, after one that is not timed."""
    asked: list[int] = []
    seconds = iter([1.0, SAMPLE / 4, SAMPLE / 2, 1.0, 0.5])
    clock = lambda number: asked.append(number) or next(seconds)
    timings = interleaved({"a": Call(None, clock)}, {"a": 1}, 1, lambda: None)
    assert asked == [1, 1, 1, 1, 4]
    assert timings == {"a": Timing((0.5,))}


def test_what_takes_too_long_is_measured_on_fewer() -> None:
    """The time on the shape before decides; a result unlike the first candidate's is found on any shape."""
    case = lambda shape: Case("", (), shape[0])
    asked: list[int] = []

    def slow(case: Case) -> Call:
        asked.append(case.elements)
        return Call(np.array(case.elements), lambda number: case.elements * LIMIT / 100)

    shapes, results = [(1,), (10,), (100,), (1000,)], {(10,): np.array(11)}
    call, shape, remark = fitted(Peer("slow", slow), case, shapes, results)
    assert (asked, shape, call.result) == ([1, 10, 100], (100,), 100)
    assert remark == DIFFERENT
    assert fitted(Peer("slow", slow, "why"), case, shapes, results)[2] == "why"


def test_a_wrong_candidate_is_reported() -> None:
    lies = Peer("NumPy", lambda case: local(lambda: np.zeros(3)))
    found = quick(NAMED["W1"]._replace(peers=[lies]))
    assert found.wrong == ["NumPy"]
    assert found.remarks["compiled"] == EQUAL


def test_the_data_are_what_they_are_chosen_for() -> None:
    """Partial sums within and beyond the bound of integer addition; steps that integers do not reproduce."""
    side = NAMED["W3"].family.shapes[-1]
    largest = {
        data.name: np.abs(np.cumsum(data.draw(side), dtype=np.int64)).max() for data in NAMED["W3"].data
    }
    assert largest[SYMMETRIC.name] <= 2**20
    assert 2**20 < largest[UNIFORM.name] <= 2**24  # which suffices: its scale is a power of two
    assert RELU.draw(side).sum(dtype=np.int64) > 2**24
    x = SYMMETRIC.draw((64, 64))
    assert (per_step(SYMMETRIC.scale)(x, np.array(FAR)) != FAR + x.sum(0)).any()
    assert np.array_equal(SYMMETRIC.draw((4, 4)), SYMMETRIC.draw((4, 4)))


def test_growth_is_the_exponent() -> None:
    sizes = [10**k for k in range(3, 9)]
    assert growth(sizes, [n**1.5 for n in sizes]) == pytest.approx(1.5)
    slow_start = Scaling("W", "eager", True, {n: 1.0 + 10**5 * (n < 10**5) for n in sizes})
    assert slow_start.exponent == pytest.approx(1.0)
    assert slow_start.is_linear
    assert not slow_start._replace(seconds={n: n**0.5 for n in sizes}).is_linear
    assert Scaling("W", "eager", True, {1000: 1.0}).exponent is None


def test_growth_is_judged_where_a_call_takes_long_enough() -> None:
    """A square grows too fast; what every call costs is not growth."""
    square = Growth("trace", "operations", {n: 1e-4 * n**2 for n in (10, 100, 1000)})
    assert square.exponent == pytest.approx(2)
    assert not square.is_linear
    linear = Growth("load", "operations", {10: 0.004, 100: 0.004, 1000: 0.04, 10**4: 0.4})
    assert linear.exponent == pytest.approx(1)
    short = Growth("plan", "operations", {10: 0.0005, 100: 0.005})
    assert short.exponent is None
    assert report.growths([square, short])[1][0][-2:] == ["2.00", "NOT MET"]
    assert report.growths([square, short])[1][1][-2:] == ["too short to tell", "met"]


@pytest.mark.slow("runs each verb", rows=1)
@pytest.mark.parametrize("name", SERIES)
def test_growth_of_small_work(name: str) -> None:
    """Every call runs at the two least sizes; what takes too long is left out from there on."""
    said: list[str] = []
    series = SERIES[name]._replace(sizes=(100, 200) if name == "samples" else (1, 3))
    rows = series.measured(False, said.append)
    assert {size for row in rows for size in row.seconds} == set(series.sizes)
    assert len(said) == len(series.sizes) * len(rows)


def test_a_call_that_would_take_too_long_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.work_growth.LIMIT", 0.0)
    (row,) = Series("steps", (1, 2, 3), lambda size: {"call": lambda: size}).measured(False, lambda _: None)
    assert list(row.seconds) == [1]


def test_scaling_measures_ours_and_the_first_peer() -> None:
    found = scaled(NAMED["W2"], [100, 10_000], 1, lambda text: None)
    assert [(row.candidate, row.is_ours, list(row.seconds)) for row in found] == [
        ("eager", True, [100, 10_000]),
        ("compiled", True, [100, 10_000]),
        ("NumPy", False, [100, 10_000]),
    ]
    heading, rows = report.scaling(found)
    assert all(len(row) == len(heading) for row in rows)


def test_memory_is_measured_in_a_process_of_its_own() -> None:
    found = peak(NAMED["D bf16"], (64,))  # bf16: its arguments must reach the other process as such
    assert found.results == 64 * 64 * 2
    assert found.extra is not None
    assert 0 <= found.extra < 2**30
    assert found._replace(extra=found.results + (256 << 20)).met
    assert not found._replace(extra=found.results + (256 << 20) + 1).met
    assert not found._replace(extra=None).met


@pytest.mark.slow("starts four processes, each of which imports JAX")
def test_first_calls_are_measured_in_turns_with_xla() -> None:
    found = first_calls(NAMED["C real scales"], (8,), 1, lambda text: None)
    assert [call.way for call in found] == ["eager", "compiled"]
    assert all(call.timing.median > 0 and call.xla is found[0].xla for call in found)


def test_a_first_call_is_judged_by_the_ratio_of_its_rounds() -> None:
    call = FirstCall("R", "compiled", Timing((3.0, 6.0, 9.0)), Timing((1.0, 2.0, 3.0)))
    assert call.met
    assert not call._replace(way="eager").met
    assert not call._replace(timing=Timing((3.1, 6.2, 9.3))).met
    assert not call._replace(timing=Timing((float("nan"),) * 3)).met
    assert report.first_calls([call])[1] == [["R", "compiled", "6 s", "2 s", "3 x XLA f32 (at most 3) met"]]


@pytest.mark.parametrize(
    ("seconds", "text"), [(1.5, "1.5 s"), (2e-3, "2 ms"), (458e-6, "458 us"), (1.171e-11, "0.0117 ns")]
)
def test_durations(seconds: float, text: str) -> None:
    assert report.duration(seconds) == text


@pytest.mark.parametrize(
    ("ratio", "text"), [(1.066, "1.07"), (1154.2, "1,154"), (1 / 8, "1/8"), (1e-4, "1/10,000")]
)
def test_ratios_in_words(ratio: float, text: str) -> None:
    assert report.times(ratio) == text


def test_the_tool_prints_and_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 1, and the culprit's name, where a result is not ours."""
    tool = script("bench", monkeypatch)
    monkeypatch.setattr(sys, "argv", ["bench", "--quick", "--markdown"])
    options = tool.parsed()
    lies = Peer("NumPy", lambda case: local(lambda: np.zeros(3)))
    workload = NAMED["tiny"]._replace(peers=[lies])
    found, status = tool.compete([workload], options)
    printed = capsys.readouterr()
    assert status == 1
    assert printed.err == "tiny: NumPy gives another result than ours\n"
    assert printed.out.startswith("|  | data | eager | against | compiled | against |\n")
    assert json.loads(json.dumps(found))[0]["results"]["NumPy"] == DIFFERENT
    options.markdown = False
    _, status = tool.compete([workload._replace(peers=[], eager={}, compiled={})], options)
    assert status == 0
    assert "tiny: row sum of [16, 16], symmetric" in capsys.readouterr().out

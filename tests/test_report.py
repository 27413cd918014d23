"""The report: its numbers are the trace's own, the page stands alone, the summary says the same."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interp
from interp.__main__ import main
from interp.answers.summary import Grid, grid, is_quick, strip
from interp.answers.view import BY_SEVERITY, Tally, View, views
from interp.apps.reports.facts import facts, growing
from interp.apps.reports.page import page
from interp.recorder.event import KINDS
from spec.errors import Malformed
from tests.library.builders import reduced
from tests.library.strategies.programs import Program, reduce_windows, reduces, select_and_scatters

PROGRAMS = Path(__file__).resolve().parent.parent / "testdata/programs"
POOL = str(PROGRAMS / "overflowing_pool.mlir")
VOID = {"meta", "link", "br", "img", "input", "hr"}


def traced(name: str = "overflowing_pool", **options: Any) -> interp.Trace:
    arguments = np.load(PROGRAMS / f"{name}.npz")
    given = (arguments[key] for key in arguments.files)
    return interp.trace(interp.load(PROGRAMS / f"{name}.mlir"), *given, **options)


@pytest.fixture(scope="module")
def pool() -> interp.Trace:
    return traced()


@pytest.fixture(scope="module")
def document(pool: interp.Trace) -> str:
    return page(pool)


class Reader(HTMLParser):
    """Finds elements that are not closed where they should be, and keeps what a browser would load."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.loads: list[str] = []
        self.ids: list[str] = []
        self.refers: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {key: value or "" for key, value in attrs}
        self.loads += [named[key] for key in ("src", "href", "srcset") if key in named]
        self.loads = [address for address in self.loads if not address.startswith("#")]
        self.ids += [named[key] for key in ("id",) if key in named]
        self.refers += [named[key] for key in ("aria-labelledby", "data-from") if key in named]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert tag in VOID or self.open.pop() == tag


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    reader.close()
    return reader


def embedded(text: str) -> Any:
    found = re.search(r'<script type="application/json" id="facts">(.*?)</script>', text)
    assert found
    return json.loads(found[1])


# Counts


SCHEDULES = st.sampled_from(("left", "balanced", "blocks(3)", "random(7)"))


@settings(max_examples=120)
@given(st.one_of(reduces(), reduce_windows(), select_and_scatters()), SCHEDULES)
def test_an_element_has_the_events_that_the_table_has_of_it(program: Program, schedule: str) -> None:
    with np.errstate(all="ignore"):
        trace = interp.trace(program.module, *program.args, schedule=schedule, kinds=KINDS)
        (reduction,) = trace.reductions.values()
        tally = Tally(trace.counts, [reduction.op])
        interp.run(program.module, *program.args, schedule=schedule, listeners=[tally])
        table = trace.table()
    expected = np.zeros(reduction.shape, int)
    for row in table[(table["what"] == "result")]:
        if row["index"] is not None:
            expected[row["index"]] += 1
    (found,) = tally.found
    np.testing.assert_array_equal(found, expected)


def test_each_run_of_a_reduction_has_its_own_events() -> None:
    """A function is called twice, once with arguments that saturate."""
    text = """
      !i = !quant.uniform<i8:f32, 1.0>
      func.func private @sum(%x: tensor<4x!i>) -> tensor<!i> {
        %zero = "stablehlo.constant"() {value = dense<0> : tensor<i8>} : () -> tensor<!i>
        %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
          : (tensor<4x!i>, tensor<!i>) -> tensor<!i>
        return %0 : tensor<!i>
      }
      func.func @main(%a: tensor<4x!i>, %b: tensor<4x!i>) -> (tensor<!i>, tensor<!i>) {
        %0 = call @sum(%a) : (tensor<4x!i>) -> tensor<!i>
        %1 = call @sum(%b) : (tensor<4x!i>) -> tensor<!i>
        return %0, %1 : tensor<!i>, tensor<!i>
      }"""
    quiet, loud = np.zeros(4, np.int8), np.full(4, 100, np.int8)
    found = views(interp.trace(interp.load(text), quiet, loud))
    assert [(view.name, view.events.item()) for view in found] == [("@sum/%0", 0), ("@sum/%0#2", 3)]


# Maps


@settings(max_examples=120)
@given(st.lists(st.integers(1, 20), max_size=4).map(tuple), st.integers(1, 300), st.randoms())
def test_a_cell_is_the_largest_of_its_elements(shape: tuple[int, ...], most: int, random: Any) -> None:
    found = grid(shape, most)
    assert np.prod(found.cells, dtype=int) <= max(most, 1)
    x = np.array([random.randrange(100) for _ in range(int(np.prod(shape)))]).reshape(shape)
    expected = np.full(int(np.prod(found.cells)), -1)
    for index in np.ndindex(shape):
        cell = found.cell(index)
        expected[cell] = max(expected[cell], x[index])
    assert found.largest(x).tolist() == expected.tolist()


def test_a_small_result_is_shown_element_by_element() -> None:
    assert grid((1, 4, 4, 3), 100) == Grid((1, 4, 4, 3), (1, 1, 1, 1), (0, 3, 1, 2))


@settings(deadline=None)
@given(st.integers(0, 10**30))
def test_every_number_has_a_shade(most: int) -> None:
    shades = growing(most)
    ends = [shade.least for shade in shades]
    assert ends == sorted(set(ends))
    assert len(shades) <= 7
    assert ends[0] == 0
    assert most == 0 or ends[-1] <= most
    assert len({shade.style for shade in shades}) == len(shades)


# The page


def test_the_embedded_numbers_are_the_trace_s_own(pool: interp.Trace, document: str) -> None:
    (found,) = embedded(document)["reductions"]
    verdict, bounds, reduction = pool.verdict(), pool.bounds(), pool.reduction()
    assert found["events"] == pool.counts["saturate"]
    assert found["shape"] == list(reduction.shape)
    assert found["name"] == reduction.name
    layers = {layer["name"]: layer["values"] for layer in found["maps"]["layers"]}
    mapped = grid(reduction.shape, 1 << 15)
    assert verdict.total is not None
    assert bounds.headrooms is not None
    for index in np.ndindex(reduction.shape):
        cell = mapped.cell(index)
        error = int(reduction.accumulators[0][index]) - int(verdict.total[index])
        assert layers["error"][cell] == abs(error)
        assert layers["headroom"][cell] == bounds.headrooms[index]
        assert BY_SEVERITY[layers["verdict"][cell]] == verdict.kinds[index]
    assert sum(layers["events"]) == pool.counts["saturate"]


def test_the_plotted_numbers_are_those_of_the_element(pool: interp.Trace, document: str) -> None:
    (found,) = embedded(document)["reductions"]
    assert len(found["elements"]) == 48
    for told in found["elements"]:
        element = pool.reduction().element(tuple(told["index"]))
        steps = element.replay()
        sums = np.cumsum(element.values())
        assert told["stored_ends"] == [[element.values()[0], *(step.result[0] for step in steps)]]
        assert told["exact_ends"] == [sums.tolist()]
        assert told["bad"] == [k for k, step in enumerate(steps, 1) if step.marks]
        assert told["first_bad"] == (told["bad"] or [None])[0]
        assert told["verdict"] == pool.verdict().kinds[tuple(told["index"])]
        assert told["explanation"] == repr(pool.explain(index=tuple(told["index"])))
    worst = [abs(told["exact_ends"][0][-1] - told["stored_ends"][0][-1]) for told in found["elements"]]
    assert worst == sorted(worst, reverse=True)


def test_a_long_plot_keeps_the_least_and_the_greatest_of_each_column() -> None:
    x = np.random.default_rng(3).integers(-128, 128, (1, 1000)).astype(np.int8)
    (found,) = facts(views(interp.trace(reduced("1x1000xi8", dimensions=(1,)), x, np.int8(0))))["reductions"]
    (told,) = found["elements"]
    sums = [0, *np.cumsum(x[0], dtype=np.int8).tolist()]
    columns = [sums[k : k + 5] for k in range(0, 1001, 5)]
    assert told["per_column"] == 5
    assert told["stored_ends"] == [[min(column) for column in columns], [max(column) for column in columns]]


def test_the_page_stands_alone(document: str) -> None:
    reader = read(document)
    assert reader.open == []
    assert reader.loads == []
    assert len(reader.ids) == len(set(reader.ids))
    assert set(reader.refers) <= set(reader.ids)
    assert re.findall(r"@import|url\((?!#)|https?://(?!www.w3.org/2000/svg)", document) == []
    read("<p><b></b></p>")
    with pytest.raises(AssertionError):
        read("<p><b></p></b>")


def test_a_program_s_own_text_is_no_markup() -> None:
    module = interp.load('func.func @"</script><b>"() { return }')
    text = page(interp.trace(module, function="</script><b>"))
    assert "</script><b>" not in text
    assert "&lt;/script&gt;&lt;b&gt;" in text
    assert embedded(text) == {"reductions": []}


@pytest.mark.parametrize("name", ["argmax", "sum_i8_bf16", "global_sum", "max_pool_gradient"])
def test_a_page_of_other_bodies_types_and_ranks(name: str) -> None:
    trace = traced(name)
    text = page(trace)
    assert read(text).open == []
    (found,) = embedded(text)["reductions"]
    assert len(found["elements"]) == min(64, trace.reduction().size)


@pytest.mark.parametrize("shape", [(2, 0), (0, 3)])
def test_a_page_of_no_elements_and_of_no_leaves(shape: tuple[int, int]) -> None:
    program = reduced("{}x{}xi8".format(*shape))
    trace = interp.trace(program, np.zeros(shape, np.int8), np.int8(5))
    (found,) = embedded(page(trace))["reductions"]
    assert (found["maps"] is None) == (shape[1] == 0)
    assert [told["stored_ends"] for told in found["elements"]] == [[[5]]] * shape[1]


def test_a_run_that_a_breakpoint_ended_is_drawn_to_its_end(pool: interp.Trace) -> None:
    stopped = traced(break_on="saturate")
    text = page(stopped)
    assert "<dt>stopped</dt>" in text
    assert embedded(text)["reductions"][0]["events"] == pool.counts["saturate"]


@settings(max_examples=20, deadline=None)
@given(st.one_of(reduces(), reduce_windows(), select_and_scatters()))
def test_any_reduction_can_be_drawn(program: Program) -> None:
    with np.errstate(all="ignore"):
        trace = interp.trace(program.module, *program.args)
        read(page(trace))
        repr(trace.summary())


def test_each_reduction_counts_the_kinds_of_its_own_picture() -> None:
    """One overflows, of which its picture counts that alone; the other loses digits."""
    module = interp.load("""
        func.func @main(%x: tensor<2x3xi8>, %y: tensor<2x3xf32>) -> (tensor<2xi8>, tensor<2xf32>) {
          %c = stablehlo.constant dense<0> : tensor<i8>
          %z = stablehlo.constant dense<0.0> : tensor<f32>
          %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1]
            : (tensor<2x3xi8>, tensor<i8>) -> tensor<2xi8>
          %1 = stablehlo.reduce(%y init: %z) applies stablehlo.add across dimensions = [1]
            : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
          return %0, %1 : tensor<2xi8>, tensor<2xf32>
        }
    """)
    x = np.int8([[100, 100, 0], [1, 2, 3]])
    y = np.float32([[1, 2, 3], [2**24, 1, 1]])
    first, second = views(interp.trace(module, x, y, kinds=("wrap", "inexact", "absorbed")))
    assert (first.kinds, first.events.tolist()) == (("wrap",), [1, 0])
    assert "wrap" not in second.kinds
    assert second.events[0] == 0 < second.events[1]


@pytest.mark.slow("a million elements")
def test_a_million_elements_are_a_small_page() -> None:
    x = np.random.default_rng(1).integers(-128, 128, (2, 1_000_000)).astype(np.int8)
    trace = interp.trace(reduced("2x1000000xi8"), x, np.int8(0))
    written = page(trace)
    assert len(written) < 2_000_000
    (found,) = embedded(written)["reductions"]
    assert found["events"] == trace.counts["wrap"]
    assert found["maps"]["block"] == [32]
    assert 0 < len(found["elements"]) <= 64


def test_report_writes_the_page(tmp_path: Path) -> None:
    trace = traced("widened_sum")
    path = trace.report(tmp_path / "new" / "out.html")
    assert path.read_text("utf-8") == page(trace)
    with pytest.raises(Malformed, match="cannot be written"):
        trace.report(tmp_path)


def test_a_notebook_shows_the_tables(pool: interp.Trace) -> None:
    text = pool._repr_html_()
    assert read(text).open == []
    assert "<script" not in text
    assert "6 would overflow in every schedule; 3 would overflow in only some schedules" in text


# The terminal


def test_summary_is_a_line_for_each_reduction(pool: interp.Trace) -> None:
    head, line = repr(pool.summary()).splitlines()
    assert head.split()[-3:] == ["inevitable", "headroom", "suggested"]
    counts = np.zeros((1, 4, 4, 3), int)
    for row in pool.table():
        counts[row["index"]] += 1
    strip_of_fours = strip(counts.reshape(12, 4).max(1))
    assert (
        line.split() == f"%sum reduce_window 1x4x4x3 64 65 {strip_of_fours} 39 3 6 -1 bits i17 in i32".split()
    )


def test_strip_is_the_largest_of_each_part() -> None:
    assert strip(np.array([0, 1, 8, 4])) == "·▁█▄"
    assert strip(np.zeros((2, 2), int)) == "····"
    assert len(strip(np.ones(1000, int))) <= 16
    assert strip(np.zeros((3, 0), int)) == ""


def test_a_summary_is_quick_without_loops_and_many_leaves(pool: interp.Trace) -> None:
    assert is_quick(pool.module)
    module = reduced("2x3000000xi8")
    assert not is_quick(module)
    trace = interp.trace(module, np.ones((2, 3_000_000), np.int8), np.int8(0), kinds=())
    assert "Reductions" in pool._repr_html_()
    assert "Reductions" not in trace._repr_html_()


def test_the_command_prints_and_writes(
    pool: interp.Trace, document: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    arguments = [POOL, POOL.replace(".mlir", ".npz"), "--html", str(tmp_path / "out.html")]
    assert main(["trace", *arguments]) == 0
    assert capsys.readouterr().out.splitlines() == [
        *repr(pool).splitlines(),
        *repr(pool.summary()).splitlines(),
    ]
    written = (tmp_path / "out.html").read_text("utf-8")
    assert embedded(written) == embedded(document)
    assert 'id="budget"' not in written


def test_worst_elements_come_first(pool: interp.Trace) -> None:
    (view,) = views(pool)
    assert isinstance(view, View)
    first, *_ = view.worst(3)
    assert view.errors is not None
    assert view.errors[first] == view.errors.max() > 0

"""Pages of programs of many operations: all are listed as data, few are drawn, and no row is lost."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interp
from interp.apps.pages.rows import ABSENT, FIRST, Column, columns_of, rows_of
from interp.apps.reports.findings import SENTENCES
from interp.apps.reports.operations import FEW
from interp.apps.reports.page import WORST, page
from interp.engine.markup import Html
from interp.engine.work import Covered, Work, shortfall
from interp.rewrite.inlining import inline_and_name
from spec.ir import nested_ops
from tests.library.browsers import CHROMIUM, needs_chromium, opened
from tests.library.strategies.op_programs import convolutions, dots
from tests.library.strategies.programs import Program

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))

from benchmarks.pages import plain_table
from benchmarks.work_growth import arguments, program

COUNT = 300
BYTES = 250  # of a page for one more operation that has events


def traced(operations: int) -> interp.Trace:
    return interp.trace(interp.load(program(operations)), *arguments())


@pytest.fixture(scope="module")
def trace() -> interp.Trace:
    return traced(COUNT)


@pytest.fixture(scope="module")
def document(trace: interp.Trace) -> str:
    return page(trace)


def data_of(text: str, name: str) -> list[dict[str, Any]]:
    """Return the columns of a long table, as its scripts read them."""
    start = text.index(f'id="rows-{name}"')
    found = re.compile(r'<script type="application/json">(.*?)</script>', re.DOTALL).search(text, start)
    assert found
    known: list[dict[str, Any]] = json.loads(found[1])
    return known


def cells(column: dict[str, Any]) -> list[Any]:
    known = column["cells"]
    return [column["distinct"][k] for k in known] if "distinct" in column else known


# The data


CELLS = st.one_of(
    st.lists(st.none() | st.integers(-(10**9), 10**9), min_size=1, max_size=60),
    st.lists(st.text(alphabet="ab<>&\"'/\\ \n\u2028", max_size=9), min_size=1, max_size=60),
    st.lists(st.sampled_from([Html("<b>a</b>"), Html("</script>"), Html("c")]), min_size=1, max_size=60),
)


@settings(max_examples=100)
@given(CELLS)
def test_every_cell_is_in_the_data_and_no_cell_ends_it(given: list[Any]) -> None:
    text = rows_of("x", "Cells", [Column("head", given)])
    (column,) = data_of(text, "x")
    assert cells(column) == given
    assert text.count("</script>") == 1 + sum(str(cell) == "</script>" for cell in given[:FIRST])


def test_the_first_rows_are_there_without_scripts() -> None:
    rows = [[f"%{k}", k * 1000, None if k == 2 else "a<b"] for k in range(FIRST + 5)]
    text = rows_of("x", "Rows", columns_of(["name", "count", "note"], rows, [f"op/{k[0]}" for k in rows]))
    static = text.partition("<script")[0]
    assert static.count('<tr role="row">') == 1 + FIRST
    assert f"Rows: the first {FIRST} of {FIRST + 5}" in static
    assert '<a href="#op/%1">%1</a>' in static
    assert ">1,000</td>" in static
    assert f">{ABSENT}</td>" in static
    assert "a&lt;b" in static
    assert f"%{FIRST}<" not in static


def test_a_table_that_is_whole_does_not_say_the_first() -> None:
    text = rows_of("x", "Rows", columns_of(["name"], [["a"], ["b"]]))
    assert "<caption>Rows</caption>" in text
    assert 'aria-rowcount="3"' in text


def test_every_operation_is_listed_with_what_it_reads(trace: interp.Trace, document: str) -> None:
    columns = {column["head"]: cells(column) for column in data_of(document, "operations")}
    ops = [op for op in nested_ops(trace.module.main.body) if op.results]
    assert columns["operation"] == [op.results[0].name for op in ops]
    assert columns["kind"] == [op.name.partition(".")[2] for op in ops]
    assert columns["reads"] == [" ".join(v.name for v in op.operands) for op in ops]
    assert columns["where"] == [str(op.location) for op in ops]
    counts = dict.fromkeys(columns["operation"], 0)
    for group in trace.shown:
        counts[group.first.name] += group.count
    assert columns["events"] == [f"{n} saturate" if n else "" for n in counts.values()]


def test_stored_numbers_are_those_of_the_run(trace: interp.Trace, document: str) -> None:
    extremes: dict[str, tuple[int, int]] = {}

    class Extremes(interp.Listener):
        def on_op(self, op: Any, operands: Any, results: Any, place: Any) -> None:
            extremes[op.results[0].name] = int(results[0].min()), int(results[0].max())

    interp.run(trace.module, *trace.args, listeners=[Extremes()])
    columns = {column["head"]: cells(column) for column in data_of(document, "operations")}
    said = {n: x.replace("−", "-") for n, x in zip(columns["operation"], columns["stored"], strict=True) if x}
    assert len(said) > COUNT // 2
    assert said == {name: "{} to {}".format(*extremes[name]) for name in said}


def test_events_and_sums_are_all_in_their_tables(trace: interp.Trace, document: str) -> None:
    events = {column["head"]: column for column in data_of(document, "events")}
    assert cells(events["count"]) == [group.count for group in trace.shown]
    assert events["operation"]["to"] == [f"operation/{group.first.name}" for group in trace.shown]
    sums = {column["head"]: column for column in data_of(document, "sums")}
    assert sums["reduction"]["to"] == [f"operation/{name}" for name in trace.reductions]
    assert cells(sums["leaves"]) == [4] * len(trace.reductions)


def test_the_head_of_a_page_is_short(trace: interp.Trace, document: str) -> None:
    head = document.partition("<main")[0]
    assert head.count("has events in") == SENTENCES
    more = sum(x.size > 0 for x in trace.reductions.values()) - SENTENCES
    assert f"{more:,} more reductions have events" in head


def test_a_small_program_is_not_listed() -> None:
    few = page(traced(FEW), None, Work(0))
    assert 'id="rows-' not in few
    assert 'id="rows-operations"' in page(traced(FEW + 1), None, Work(0))


# Its size, and what it costs to write


def test_a_page_grows_by_few_bytes_and_by_no_element_for_an_operation() -> None:
    """Rows, nodes and links beyond the data are as many for 2,400 operations as for 1,600."""
    smaller, larger = (page(traced(n), None, Work(0)) for n in (1600, 2400))
    assert len(larger.encode()) - len(smaller.encode()) <= 800 * BYTES
    static = (re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL) for text in (smaller, larger))
    few, many = (len(re.findall(r"<\w", text)) for text in static)
    assert few > 1000
    assert many <= 1.02 * few


@settings(max_examples=60, deadline=None)
@given(st.one_of(dots(), convolutions()))
def test_the_number_of_leaves_needs_no_products(drawn: Program) -> None:
    with np.errstate(all="ignore"):
        trace = interp.trace(drawn.module, *drawn.args)
    for name, reduction in trace.reductions.items():
        assert reduction.n == max((part.n for part in reduction.parts), default=0)
        assert trace.reduction(name) is reduction


def test_a_module_without_calls_is_inlined_already() -> None:
    module = interp.load(program(5))
    same, names = inline_and_name(module, module.main)
    assert same is module
    other = interp.load(program(5).replace("@main", "@other"))
    flat, others = inline_and_name(other, other.main)
    assert flat is not other
    assert [op.name for op in flat.main.body.ops] == [op.name for op in module.main.body.ops]
    assert names == others == {f"%v{k}": f"%v{k}" for k in range(5)}


def test_a_function_that_is_called_is_inlined() -> None:
    text = """
      func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
        %0 = call @twice(%x) : (tensor<2xf32>) -> tensor<2xf32>
        return %0 : tensor<2xf32>
      }
      func.func private @twice(%x: tensor<2xf32>) -> tensor<2xf32> {
        %0 = stablehlo.add %x, %x : tensor<2xf32>
        return %0 : tensor<2xf32>
      }"""
    module = interp.load(text)
    flat, names = inline_and_name(module, module.main)
    assert [op.name for op in flat.main.body.ops] == ["stablehlo.add", "func.return"]
    assert list(names.values()) == ["@twice/%0"]


def test_loops_of_one_name_are_told_together() -> None:
    loops = [Covered("tables", 0, 1, 2.0), Covered("sums", 3, 9, 2.0), Covered("tables", 1, 2, 2.0)]
    assert shortfall(loops) == "partial: 1 of 3 tables, 3 of 9 sums looked at in 2 s"


def test_the_peer_has_a_row_for_each_operation(trace: interp.Trace) -> None:
    assert plain_table(trace.module).count("<tr>") == 1 + COUNT


# In a browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="no playwright: pip install playwright")
    with playwright.sync_playwright() as started:
        launched = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def address(document: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("page") / "page.html"
    path.write_text(document)
    return path.as_uri()


@pytest.fixture
def view(browser: Any, address: str) -> Iterator[Any]:
    shown, found = opened(browser, address)
    yield shown
    shown.close()
    assert found == []


LIST = "#rows-operations"
ROWS = f"{LIST} tbody tr[role=row]"


def names(view: Any) -> list[str]:
    return view.locator(f"{ROWS} th").all_text_contents()  # type: ignore[no-any-return]


@needs_chromium
@pytest.mark.slow("drives a browser")
def test_few_rows_are_drawn_and_all_are_reached_by_scrolling(view: Any) -> None:
    view.locator(f"{LIST} .scroll").scroll_into_view_if_needed()
    assert view.locator(f"{LIST} output").text_content() == f"{COUNT} rows"
    view.wait_for_function(f"document.querySelectorAll('{LIST} .space').length === 2")
    seen = set(names(view))
    assert 10 < len(seen) < COUNT // 2
    box = view.locator(f"{LIST} .scroll")
    for _ in range(80):
        box.evaluate("box => { box.scrollTop += box.clientHeight / 2; }")
        view.wait_for_timeout(20)
        seen |= set(names(view))
    assert seen == {f"%v{k}" for k in range(COUNT)}
    assert names(view)[-1] == f"%v{COUNT - 1}"
    assert view.locator(f"{ROWS}[aria-rowindex='{COUNT + 1}']").count() == 1


@needs_chromium
@pytest.mark.slow("drives a browser")
def test_a_search_leaves_the_rows_with_all_words(view: Any) -> None:
    view.locator(f"{LIST} input").fill("DOT %v26")
    # of products, whose operands count as well
    assert names(view) == ["%v27", "%v261", "%v264", "%v267", "%v270"]
    assert view.locator(f"{LIST} output").text_content() == f"5 of {COUNT} rows"
    view.locator(f"{LIST} input").fill("no such thing")
    assert names(view) == []
    view.locator(f"{LIST} input").fill("")
    assert names(view)[:3] == ["%v0", "%v1", "%v2"]


@needs_chromium
@pytest.mark.slow("drives a browser")
def test_a_click_shows_what_is_known_of_an_operation(view: Any, trace: interp.Trace) -> None:
    view.locator(f"{LIST} input").fill("%v201")
    view.locator(f"{LIST} a", has_text="%v201").click()
    home = view.locator("#operation")
    assert home.locator("h3").text_content() == "dot_general %v201"
    text = home.text_content()
    (group,) = [group for group in trace.shown if group.first.name == "%v201"]
    assert f"saturate × {group.count}, first at {group.first.place}: {group.first.explanation}" in text
    assert home.locator("a[href='#operation/%v200']").count() == 1
    assert home.locator("dt", has_text="read by").locator("+ dd").text_content() == "%v202"
    assert home.locator("dt", has_text="stored numbers").locator("+ dd").text_content() == "−128 to 127"
    assert view.locator(f"{LIST} [aria-current=true] th").text_content() == "%v201"
    home.locator("a[href='#operation/%v200']").click()
    view.locator("#operation h3", has_text="transpose %v200").wait_for()
    assert view.locator(f"{LIST} output").text_content() == f"{COUNT} rows"  # the search would hide it
    assert view.locator(f"{LIST} input").input_value() == ""


@needs_chromium
@pytest.mark.slow("drives a browser")
def test_a_fragment_opens_an_operation_and_an_unknown_one_nothing(browser: Any, address: str) -> None:
    view, found = opened(browser, f"{address}#operation/%v299")
    assert view.locator("#operation h3").text_content() == "transpose %v299"
    assert view.locator(f"{ROWS} th", has_text="%v299").is_visible()
    view.evaluate("location.hash = '#operation/%v300'")
    view.wait_for_timeout(50)
    assert view.locator("#operation h3").text_content() == "transpose %v299"
    view.close()
    assert found == []


@needs_chromium
@pytest.mark.slow("drives a browser")
def test_rows_sort_by_numbers_in_names_and_by_counts(view: Any, trace: interp.Trace) -> None:
    view.locator("#rows-events").scroll_into_view_if_needed()
    view.locator("#rows-events thead button", has_text="count").click()
    view.locator("#rows-events thead button", has_text="count").click()
    counts = view.locator("#rows-events tbody td.n").all_text_contents()
    most = sorted((group.count for group in trace.shown), reverse=True)
    assert counts == [str(n) for n in most[: len(counts)]]
    view.locator(f"{LIST} thead button", has_text="operation").click()
    assert names(view)[8:12] == ["%v8", "%v9", "%v10", "%v11"]
    view.locator(f"{LIST} thead button", has_text="operation").click()
    assert names(view)[0] == f"%v{COUNT - 1}"


@needs_chromium
@pytest.mark.slow("drives a browser")
def test_without_scripts_the_first_rows_and_the_worst_layers_are_there(browser: Any, address: str) -> None:
    view, found = opened(browser, address, java_script_enabled=False)
    assert names(view) == [f"%v{k}" for k in range(FIRST)]
    assert view.locator("table.profile tbody tr").count() == WORST
    assert "the first 24 of 300" in view.locator(f"{LIST} caption").text_content()
    assert view.locator(f"{LIST} input").count() == 0
    view.close()
    assert found == []

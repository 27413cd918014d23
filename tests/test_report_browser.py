"""The report in a browser: drawn, chosen from by mouse and by keyboard, without a network or an error."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interp
from tests.library.browsers import CHROMIUM, needs_chromium, opened

playwright = pytest.importorskip("playwright.sync_api", reason="no playwright: pip install playwright")
pytestmark = [needs_chromium, pytest.mark.slow("drives a browser")]
PROGRAM = Path(__file__).resolve().parent.parent / "testdata/programs/overflowing_pool.mlir"
NEAR_BLACK, NEAR_WHITE = 60, 200
NAMES = "events", "error", "headroom", "verdict"


@pytest.fixture(scope="module")
def trace() -> interp.Trace:
    return interp.trace(interp.load(PROGRAM), np.load(PROGRAM.with_suffix(".npz"))["arg0"])


@pytest.fixture(scope="module")
def report(trace: interp.Trace, tmp_path_factory: pytest.TempPathFactory) -> str:
    return trace.report(tmp_path_factory.mktemp("report") / "out.html").as_uri()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as started:
        launched = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture
def page(browser: Any, report: str) -> Iterator[Any]:
    view, found = opened(browser, report)
    yield view
    view.close()
    assert found == []


def readout(page: Any) -> str:
    return page.locator(".pictures > .readout").text_content()


def chosen(page: Any) -> str:
    return page.locator(".element h4").text_content()


def test_the_worst_element_is_there_at_first(page: Any, trace: interp.Trace) -> None:
    verdict = trace.verdict()
    assert verdict.total is not None
    off = np.abs(trace.reduction().accumulators[0] - verdict.total)
    worst = tuple(map(int, np.unravel_index(off.argmax(), off.shape)))
    assert chosen(page) == f"Element {worst}"
    assert f"{off.max():,} steps off" in readout(page)
    assert page.locator("pre[aria-label='Its explanation']").text_content().rstrip() == repr(
        trace.explain(index=worst)
    )


def test_each_map_has_a_shape_for_each_cell_and_a_legend(page: Any) -> None:
    paths = [svg.locator("path.fill") for svg in page.locator(".board svg").all()]
    assert len(paths) == len(NAMES)
    for shapes in paths:
        assert sum(shape.get_attribute("d").count("M") for shape in shapes.all()) == 16
    styles = [shape.get_attribute("class") for shape in page.locator(".board g").all()]
    legend = [mark.get_attribute("class") for mark in page.locator(".legend i").all()]
    assert {f"fill {style}" for style in styles} <= set(legend)


def test_arrow_keys_choose_the_neighbours_and_are_read_out(page: Any) -> None:
    cursor = page.locator("button.cursor")
    cursor.focus()
    seen = []
    for key in ("Home", "ArrowRight", "ArrowDown", "ArrowUp", "ArrowUp", "End", "PageUp", "PageDown"):
        page.keyboard.press(key)
        seen.append(chosen(page).removeprefix("Element "))
        assert readout(page).startswith(seen[-1])
        assert cursor.get_attribute("aria-label") == f"Element {readout(page)}"
    assert seen == [
        *["(0, 3, 0, 2)", "(0, 3, 1, 2)", "(0, 3, 1, 2)", "(0, 2, 1, 2)"],
        *["(0, 1, 1, 2)", "(0, 1, 3, 2)", "(0, 1, 3, 1)", "(0, 1, 3, 2)"],
    ]
    assert page.locator(".pictures > .readout").get_attribute("aria-live") == "polite"


def test_everything_is_reached_by_tab_in_the_order_of_the_page(page: Any) -> None:
    reached = []
    for _ in range(60):
        page.keyboard.press("Tab")
        kind = "e => e.classList[0] || e.getAttribute('role') || e.type || e.tagName"
        what = f"({kind})(document.activeElement)"
        reached.append(page.evaluate(what))
        if reached[-1] == "BODY":
            break
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle !== 'none'"), reached
    stops = ["skip", "radio", "node", "scroll", "range", "cursor", "select-one", "slider", "copy"]
    assert [reached.index(stop) for stop in stops] == sorted(reached.index(stop) for stop in stops)
    once = ("skip", "radio", "node", "cursor", "slider")  # a graph is one stop, and so are the maps together
    assert [reached.count(stop) for stop in once] == [1] * len(once)


def test_enter_goes_to_the_plot_whose_steps_are_read_out(page: Any, trace: interp.Trace) -> None:
    page.locator("button.cursor").focus()
    page.keyboard.press("Enter")
    plot = page.locator("[role=slider]")
    assert plot.evaluate("e => e === document.activeElement")
    explanation = trace.explain(index=(0, 3, 1, 2))
    nodes = [row for row in explanation.rows if row.node]
    first = nodes.index(explanation.first_bad) + 1  # type: ignore[arg-type]
    assert plot.get_attribute("aria-valuenow") == str(first)
    page.keyboard.press("ArrowLeft")
    stored = nodes[first - 2].node.result[0]  # type: ignore[union-attr]
    text = f"step {first - 1}: stored {stored:,}, exact {stored:,}".replace("-", "−")
    assert plot.get_attribute("aria-valuetext") == text
    page.keyboard.press("PageDown")
    assert plot.get_attribute("aria-valuenow") == str(first)
    page.keyboard.press("End")
    assert plot.get_attribute("aria-valuenow") == plot.get_attribute("aria-valuemax") == "64"


def test_a_click_on_any_map_chooses_its_element(page: Any) -> None:
    for board in page.locator(".board").all():
        page.keyboard.press("Escape")
        box = board.bounding_box()
        board.click(position={"x": box["width"] * 0.6, "y": box["height"] * 0.1})
        assert chosen(page) == "Element (0, 0, 2, 2)"
        board.click(position={"x": box["width"] * 0.1, "y": box["height"] * 0.6})
        assert chosen(page) == "Element (0, 2, 0, 2)"


def test_slider_and_list_choose_too(page: Any) -> None:
    page.locator("input[type=range]").fill("0")
    assert chosen(page) == "Element (0, 3, 1, 0)"
    page.locator("select").select_option(index=1)
    assert chosen(page) == "Element (0, 0, 2, 2)"
    assert page.locator("input[type=range]").input_value() == "2"


def test_the_suggested_type_is_copied(page: Any, trace: interp.Trace) -> None:
    button = page.locator("button.copy")
    button.click()
    page.wait_for_function("document.querySelector('button.copy').textContent !== 'copy'")
    assert page.locator("#type-0").text_content() == repr(trace.bounds().suggested)
    if button.text_content() == "selected":
        assert page.evaluate("getSelection().toString()") == repr(trace.bounds().suggested)


@pytest.mark.parametrize("width", [390, 768, 1440, 3840])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_its_window_in_light_and_dark(browser: Any, report: str, scheme: str, width: int) -> None:
    size = {"width": width, "height": 800}
    page, found = opened(browser, report, color_scheme=scheme, viewport=size)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    red = "getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0]"
    shade = int(page.evaluate(red))
    assert shade < NEAR_BLACK if scheme == "dark" else shade > NEAR_WHITE
    page.emulate_media(media="print")
    assert int(page.evaluate(red)) > NEAR_WHITE
    assert not page.locator("select").is_visible()
    assert found == []
    page.close()


def test_of_a_large_result_the_worst_elements_are_outlined(browser: Any, tmp_path: Path) -> None:
    text = """
      func.func @main(%x: tensor<2x300xi8>, %zero: tensor<i8>) -> tensor<300xi8> {
        %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
          : (tensor<2x300xi8>, tensor<i8>) -> tensor<300xi8>
        return %0 : tensor<300xi8>
      }"""
    x = np.zeros((2, 300), np.int8)
    x[:, 130] = 100
    traced = interp.trace(interp.load(text), x, np.int8(0))
    page, found = opened(browser, traced.report(tmp_path / "out.html").as_uri())
    assert chosen(page) == "Element (130,)"
    page.locator("button.cursor").focus()
    page.keyboard.press("ArrowDown")
    assert chosen(page) == "Element (162,)"
    assert "worst 64 of 300 elements" in page.locator(".element p").first.text_content()
    page.keyboard.press("ArrowUp")
    assert page.locator(".element svg").is_visible()
    outlined = page.locator(".board").first.locator("path.kept").get_attribute("d", timeout=2000)
    assert outlined.count("M") == 64
    assert found == []
    page.close()


# The graph, the profile and fragments


def test_arrow_keys_walk_along_the_edges_of_the_graph(page: Any) -> None:
    shown = page.locator(".about.chosen h3")
    assert shown.text_content() == "reduce_window %sum"  # the worst node
    page.locator(".node.chosen").focus()
    seen = []
    for key in ("ArrowUp", "ArrowUp", "ArrowDown", "ArrowDown", "ArrowLeft", "Home", "End"):
        page.keyboard.press(key)
        seen.append(shown.text_content())
    first, middle, last = "argument %arg0", "reduce_window %sum", "results"
    assert seen == [first, first, middle, last, last, first, last]
    assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith(
        "results, result 0, "
    )
    assert page.locator(".node[tabindex='0']").count() == 1


def test_the_colours_of_the_graph_are_chosen(page: Any, trace: interp.Trace) -> None:
    badge = page.locator(".node.chosen .badge:visible")
    band = "getComputedStyle(document.querySelector('.node.chosen .band')).fill"
    fills = [page.evaluate(band)]
    assert badge.all_text_contents() == [f"{trace.counts['saturate']}!"]
    for name, text in (("noise", " dB"), ("clipped", " each"), ("room", " bit")):
        page.locator(f"#by-{name}").check()
        assert badge.text_content().endswith(text)
        fills.append(page.evaluate(band))
    assert len(set(fills)) == len(fills)


@pytest.mark.parametrize("name", ["%sum", "%25sum"])
def test_a_fragment_links_to_one_element(browser: Any, report: str, trace: interp.Trace, name: str) -> None:
    page, found = opened(browser, f"{report}#reduction/{name}/element/0,0,2,2")
    assert chosen(page) == "Element (0, 0, 2, 2)"
    text = page.locator("pre[aria-label='Its explanation']").text_content()
    assert text.rstrip() == repr(trace.explain(index=(0, 0, 2, 2)))
    assert page.locator("text=link to this element").get_attribute("href").endswith("/element/0,0,2,2")
    page.evaluate("location.hash = '#reduction/%sum/element/0,3,1,2'")
    page.wait_for_function("document.querySelector('.element h4').textContent === 'Element (0, 3, 1, 2)'")
    page.evaluate("location.hash = '#op/%arg0'")
    page.wait_for_function("document.querySelector('.about.chosen').id === 'op/%arg0'")
    page.evaluate("location.hash = '#reduction/%sum/element/0,9'")  # there is none
    assert chosen(page) == "Element (0, 3, 1, 2)"
    assert found == []
    page.close()


def test_every_link_leads_to_something(page: Any) -> None:
    missing = """[...document.querySelectorAll('a[href]')].map(a => a.getAttribute('href').slice(1))
      .filter(name => !name.includes('/element/') && !document.getElementById(name)
        && !(name.startsWith('op/') && graph.find(name.slice(3)) >= 0))"""
    assert page.evaluate(missing) == []
    assert page.locator("a[href]").count() > 10


def test_the_profile_sorts_and_returns_to_program_order(page: Any) -> None:
    names = page.locator(".profile tbody th a")
    order = names.all_text_contents()
    button = page.get_by_role("button", name="overflows per element")
    button.click()
    assert names.all_text_contents()[-1] == "%sum"
    button.click()
    assert page.locator("th[aria-sort=descending]").count() == 1
    assert names.all_text_contents()[0] == "%sum"
    button.click()
    assert names.all_text_contents() == order


def summed(shape: tuple[int, ...]) -> interp.Trace:
    """Return the trace of sums of two numbers for each element of a shape; those of the last element wrap."""
    result = "x".join(map(str, shape))
    text = f"""
      func.func @main(%x: tensor<2x{result}xi8>, %zero: tensor<i8>) -> tensor<{result}xi8> {{
        %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
          : (tensor<2x{result}xi8>, tensor<i8>) -> tensor<{result}xi8>
        return %0 : tensor<{result}xi8>
      }}"""
    x = np.zeros((2, *shape), np.int8)
    x.reshape(2, -1)[:, -1] = 100
    return interp.trace(interp.load(text), x, np.int8(0))


@pytest.mark.parametrize("shape", [(500, 2), (2, 500), (1, 700), (700, 1), (40, 40)])
def test_narrow_maps_are_as_legible_as_wide_ones(
    browser: Any, tmp_path: Path, shape: tuple[int, int]
) -> None:
    address = summed(shape).report(tmp_path / "out.html").as_uri()
    page, found = opened(browser, address, viewport={"width": 1440, "height": 900})
    box = page.locator(".board").first.bounding_box()
    assert box["width"] * box["height"] / (shape[0] * shape[1]) >= 16  # pixels of a cell
    assert max(box["width"], box["height"]) <= 2 * min(box["width"], box["height"])
    last = tuple(n - 1 for n in shape)
    assert chosen(page) == f"Element {last}"
    cursor = page.locator("button.cursor")
    cursor.scroll_into_view_if_needed()
    at = cursor.bounding_box()
    page.evaluate("maps.get('%0').go(0)")
    page.mouse.click(at["x"] + at["width"] / 2, at["y"] + at["height"] / 2)
    assert chosen(page) == f"Element {last}"
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("maps.get('%0').cell") == shape[0] * shape[1] - 2
    assert found == []
    page.close()


@pytest.mark.parametrize("width", [390, 3840])
def test_a_survey_is_a_page_too(browser: Any, tmp_path: Path, trace: interp.Trace, width: int) -> None:
    module = trace.module
    found = interp.survey(module, [trace.args])
    address = found.report(tmp_path / "survey.html", module).as_uri()
    page, wrong = opened(browser, address, viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    drawn = [x.name for x in found.layers[:-1] if x.histogram is not None]
    assert page.locator(".histograms b").all_text_contents() == drawn
    assert page.locator(".about.chosen h3").text_content() == "reduce_window %sum"
    assert wrong == []
    page.close()

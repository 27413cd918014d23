"""The parts of pages: the graph has every operation once and is legible, the headline tells the worst."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interp
from interp.answers.view import views
from interp.apps.pages.graph import Block, blocks, caption, graph, join_neighbours, path, title
from interp.apps.pages.layout import NODE, lay_out, ranks, space_apart
from interp.apps.pages.mark import CLIPPED, NOISE, ROOM, SCALES, Mark, badness, join_marks, shade, text
from interp.apps.pages.picture import _name_and_type
from interp.apps.pages.profile import HIGH, histogram
from interp.apps.reports.findings import source, verdict
from interp.apps.reports.page import page, value_facts
from interp.recorder.event import OVERFLOWS
from interp.rewrite.inlining import inline_and_name
from spec.ir import Func
from tests.library.builders import reduced
from tests.library.strategies.programs import Program, reduce_windows, reduces

EXPORTS = Path(__file__).resolve().parent.parent / "testdata/exports"
DIGITS = EXPORTS.parents[2] / "shared/exports/digits_a.mlirbc"
NETWORKS = ("torch_digits_int8.mlirbc", "qwix_digits_int8.export", "jax_mlp_training_step.export")


def function(name: str) -> Func:
    module = interp.load(EXPORTS / name)
    return inline_and_name(module, module.main)[0].main


def constant(func: Func) -> set[str]:
    """Return the names of the values that depend on no argument."""
    live = {v.name for v in func.inputs}
    for op in func.body.ops:
        if any(v.name in live for v in op.operands):
            live |= {v.name for v in op.results}
    return {v.name for op in func.body.ops for v in op.results} - live


# Layout


@st.composite
def edges(draw: st.DrawFn) -> tuple[int, list[tuple[int, int]]]:
    count = draw(st.integers(1, 14))
    pairs = [(a, b) for b in range(count) for a in range(b)]
    return count, draw(st.lists(st.sampled_from(pairs), max_size=24)) if pairs else []


@settings(max_examples=150, deadline=None)
@given(edges())
def test_a_layout_has_nodes_apart_and_edges_downwards(given: tuple[int, list[tuple[int, int]]]) -> None:
    count, pairs = given
    found = lay_out(count, pairs)
    assert len(found.nodes) == count
    for (x, rank), (other, same) in ((a, b) for k, a in enumerate(found.nodes) for b in found.nodes[:k]):
        assert rank != same or abs(x - other) >= NODE - 1e-9
    assert set(found.routes) == set(pairs)
    for (above, below), route in found.routes.items():
        assert (route[0], route[-1]) == (found.nodes[above], found.nodes[below])
        assert all(b[1] == a[1] + 1 for a, b in pairwise(route))
    assert all(NODE / 2 - 1e-9 <= x <= found.width - NODE / 2 + 1e-9 for x, _ in found.nodes)


def test_a_chain_is_a_straight_line_and_its_shortcut_goes_beside_it() -> None:
    chain = [(0, 1), (1, 2), (2, 3)]
    found = lay_out(4, [*chain, (0, 3)])
    assert ranks(4, [*chain, (0, 3)]) == [0, 1, 2, 3]
    assert abs(found.nodes[1][0] - found.nodes[2][0]) < 1e-6
    bends = {x for x, _ in found.routes[0, 3][1:-1]}
    assert all(abs(x - found.nodes[1][0]) > NODE / 2 for x in bends)


def test_what_reads_nothing_is_beside_its_reader() -> None:
    assert ranks(4, [(0, 1), (1, 3), (2, 3)]) == [0, 1, 1, 2]


PLACES = st.lists(st.tuples(st.integers(-9, 9), st.integers(1, 4)), min_size=1, max_size=6)


@settings(max_examples=150, deadline=None)
@given(PLACES, st.integers(0, 3))
def test_places_are_the_nearest_that_are_apart(wanted: list[tuple[int, int]], gap: int) -> None:
    """No place can move alone, and no run of touching places together, towards what is wanted."""
    places, weights = [float(x) for x, _ in wanted], [float(w) for _, w in wanted]
    found = space_apart(places, weights, [gap] * (len(wanted) - 1))

    def cost(x: list[float]) -> float:
        return sum(w * (a - b) ** 2 for w, a, b in zip(weights, x, places, strict=True))

    assert all(b - a >= gap - 1e-9 for a, b in pairwise(found))
    for first in range(len(found)):
        for last in range(first, len(found)):
            for step in (-0.01, 0.01):
                moved = [x + step * (first <= k <= last) for k, x in enumerate(found)]
                if all(b - a >= gap - 1e-9 for a, b in pairwise(moved)):
                    assert cost(moved) >= cost(found) - 1e-9


# Blocks


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("most", [4, 64])
def test_a_graph_has_every_operation_once_and_reads_upwards(name: str, most: int) -> None:
    func = function(name)
    found = join_neighbours(blocks(func), most)
    assert len(found) <= most
    placed = [id(op) for block in found for op in block.ops]
    assert len(placed) == len(set(placed))
    made = {v.name: k for k, block in enumerate(found) for op in block.ops for v in op.results}
    made |= {v.name: k for k, block in enumerate(found) for v in block.values}
    for value in constant(func):
        made.pop(value, None)
    for k, block in enumerate(found):
        read = [v for op in block.ops for v in op.operands]
        read += func.body.returns if block is found[-1] else ()
        assert {made[v.name] for v in read if v.name in made} - {k} == block.reads
        assert all(n < k for n in block.reads)
    assert sum(block.blocks for block in found) == len(blocks(func))
    left = [op for op in func.body.ops[:-1] if id(op) not in placed]
    read = {v.name for op in func.body.ops if op not in left for v in op.operands}
    assert not read & {v.name for op in left for v in op.results}
    assert graph(func, {}, lambda name: None, most).left_out == len(left)


def test_elementwise_operations_follow_what_they_read() -> None:
    found = blocks(function("torch_digits_int8.mlirbc"))
    names = ["argument", *("convolution", "reduce_window") * 2, "dot_general", "results"]
    assert [title(block) for block in found] == names


def test_many_blocks_become_the_places_of_their_source() -> None:
    lines = [
        f'%{k} = stablehlo.reverse %{k - 1}, dims = [0] : tensor<4xf32> loc("net/part{k // 10}/layer{k}/op")'
        for k in range(1, 40)
    ]
    type, body = "tensor<4xf32>", "\n".join(lines)
    module = interp.load(f"func.func @main(%0: {type}) -> {type} {{ {body}\n return %39 : {type} }}")
    ops = module.main.body.ops[:-1]
    every = [Block(ops=[op], reads={k - 1} if k else set()) for k, op in enumerate(ops)]
    every.append(Block(reads={38}, label="results"))
    assert path(every[13]) == ("net", "part1", "layer14")
    found = join_neighbours(every, 8)
    assert [block.label for block in found] == ["part0", "part1", "part2", "part3", "results"]
    assert [block.reads for block in found] == [set(), {0}, {1}, {2}, {3}]
    counts = {"part0": 3, "part1": 4, "part2": 4, "part3": 4}
    pieces = [f"{part} {k}/{count}" for part, count in counts.items() for k in range(1, count + 1)]
    assert [block.label for block in join_neighbours(every, 20)] == [*pieces, "results"]


# Marks


def test_a_mark_of_several_values_is_the_worst_of_each() -> None:
    mild = Mark({("warning", "saturate"): 2}, 10, sqnr=30.0, headroom=2.0, worst="mild")
    severe = Mark({("error", "wrap"): 1}, 4, sqnr=12.0, room=-1, worst="severe")
    both = join_marks([mild, severe])
    assert both.severity == "error"
    assert (both.sqnr, both.headroom, both.room, both.worst) == (12.0, 2.0, -1, "severe")
    assert both.events == "1 wrap, 2 saturate"
    assert both.overflow_rate == 0.3
    assert sorted([mild, severe, Mark()], key=badness) == [severe, mild, Mark()]
    assert [text(both, scale.name) for scale in SCALES] == ["", "12.0 dB", "30 %", "−1 bit"]
    assert shade(Mark(), SCALES[1]).label == "unknown"


@given(st.floats(allow_nan=False))
def test_every_number_has_one_shade(x: float) -> None:
    for shades in (NOISE, CLIPPED, ROOM):
        ends = [each.least for each in shades]
        assert ends == sorted(ends)
        assert ends[0] == -np.inf
    assert shade(Mark(sqnr=x), SCALES[1]) in NOISE
    assert shade(Mark(headroom=x), SCALES[3]) in ROOM


def test_a_histogram_has_the_height_of_each_bin() -> None:
    counts = np.array([1, 0, 7, 3])
    drawn = histogram(counts, "numbers")
    heights = [HIGH - int(y) for y in re.findall(r"V(\d+)H", drawn)]
    assert heights == np.ceil(np.log1p(counts) * HIGH / np.log1p(7)).astype(int).tolist()
    assert drawn.count('class="end"') == 1


# The headline and the profile


TWO = """
  !q = !quant.uniform<i8:f32, 1.0>
  func.func @main(%x: tensor<3xf32>, %y: tensor<3xi8>) -> (tensor<3x!q>, tensor<i8>) {
    %zero = stablehlo.constant dense<0> : tensor<i8>
    %clipped = stablehlo.uniform_quantize %x : (tensor<3xf32>) -> tensor<3x!q>
    %sum = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<3xi8>, tensor<i8>) -> tensor<i8>
    return %clipped, %sum : tensor<3x!q>, tensor<i8>
  }"""


def headline(x: list[float], y: list[int], **options: Any) -> interp.Trace:
    return interp.trace(interp.load(TWO), np.float32(x), np.int8(y), **options)


def told(trace: interp.Trace) -> tuple[str, str]:
    found = views(trace)
    head = verdict(trace, found, value_facts(trace, found).layers)
    return head.severity, head.found


def test_the_headline_tells_errors_before_warnings() -> None:
    assert told(headline([1e3, 1e3, 0], [100, 100, 0])) == ("error", "1 error in reduce %sum (wrap × 1)")
    clipped = "No errors; 2 warnings in uniform_quantize %clipped (saturate × 2)"
    assert told(headline([1e3, 1e3, 0], [1, 2, 3])) == ("warning", clipped)
    assert told(headline([1, 2, 3], [1, 2, 3])) == ("fine", "No errors and no warnings")


def test_the_headline_says_under_which_premises() -> None:
    trace = headline([1, 2, 3], [100, 100, 0], schedule="balanced", kinds="saturate", break_on="wrap")
    premises = verdict(trace, views(trace), []).premises
    asked = "Only kinds of events that were asked for"
    for said in ("these arguments", "schedule balanced", asked, "stopped"):
        assert said in premises
    assert asked not in verdict(headline([1, 2, 3], [1, 2, 3]), [], []).premises


def test_a_program_given_as_text_is_named_by_its_function() -> None:
    assert source(headline([1, 2, 3], [1, 2, 3])) == "@main"


@pytest.mark.parametrize(("file", "expected"), [("pool.mlir", "pool.mlir"), ("exporter/lib.py", "@main")])
def test_a_program_is_named_by_its_file_but_not_by_its_exporters(file: str, expected: str) -> None:
    program = f"""func.func @main(%x: tensor<f32>) -> tensor<f32> {{
      %y = stablehlo.tanh %x : tensor<f32> loc("{file}":3:4)
      return %y : tensor<f32>
    }}"""
    assert source(interp.trace(program, np.float32(1))) == expected


def test_the_profile_is_the_survey_of_the_run() -> None:
    path = EXPORTS / "qwix_digits_int8.export"
    module, data = interp.load(path), np.load(path.with_suffix(".npz"))["arg0"]
    trace, survey = interp.trace(module, data), interp.survey(module, [data])
    found = value_facts(trace, views(trace))
    assert [row.name for row in found.layers] == [layer.name for layer in survey.layers]
    for row, layer, cells in zip(found.layers, survey.layers, survey.rows(), strict=True):
        assert row.mark.sqnr == layer.sqnr
        assert row.mark.headroom == layer.headroom
        clipped = sum(n for (_, kind), n in row.mark.counts.items() if kind in OVERFLOWS)
        assert clipped == cells["overflows"]
        if row.mark.used is not None:
            assert row.mark.used[1] - row.mark.used[0] == pytest.approx(layer.range_used)
    assert found.missing == ""
    drawn = graph(found.func, found.names, found.mark)
    events = sum(n for node in drawn.nodes for n in node.mark.counts.values())
    assert events == sum(group.count for group in trace.shown)


def test_a_node_has_the_name_and_type_of_its_operation() -> None:
    """The block of a pool ends with a division and a quantization; the reduction gives it its title."""
    module = interp.load(EXPORTS.parent / "programs" / "overflowing_pool.mlir")
    drawn = graph(module.main, {}, lambda name: None)
    assert [node.title for node in drawn.nodes] == ["argument %arg0", "reduce_window %sum", "results"]
    assert drawn.nodes[1].name == "%pooled"  # of links, which stay
    assert _name_and_type(drawn.nodes[1]) == "%sum 1×4×4×3 qi16"
    named = graph(module.main, {"%sum": "@pool/%sum#2"}, lambda name: None, layers={"%sum": "pool1"})
    assert named.nodes[1].title == "reduce_window pool1 (@pool/%sum#2)"


def test_a_program_without_quantization_says_why_it_has_no_ratios() -> None:
    trace = interp.trace(reduced("2x3xi8"), np.zeros((2, 3), np.int8), np.int8(0))
    assert "No signal-to-noise ratios: nothing is quantized" in page(trace)


@settings(max_examples=15, deadline=None)
@given(st.one_of(reduces(), reduce_windows()))
def test_any_reduction_is_marked_in_the_graph(program: Program) -> None:
    with np.errstate(all="ignore"):
        trace = interp.trace(program.module, *program.args)
        found = value_facts(trace, views(trace))
    drawn = graph(found.func, found.names, found.mark)
    assert sum(n for node in drawn.nodes for n in node.mark.counts.values()) == sum(
        g.count for g in trace.shown
    )


def test_a_survey_of_other_severities_keeps_both(tmp_path: Path) -> None:
    trace = headline([1e3, 1e3, 0], [100, 100, 0])
    found = interp.survey(trace.module, [trace.args, trace.args])
    assert {(e.name, e.kind, e.severity): e.count for e in found.events} == {
        ("%clipped", "saturate", "warning"): 4,
        ("%sum", "wrap", "error"): 2,
    }
    text = found.report(tmp_path / "survey.html", trace.module).read_text("utf-8")
    assert "2 errors at %sum (wrap)" in text
    assert 'href="#layer/%sum"' in text


@pytest.mark.skipif(not DIGITS.exists(), reason="there is no ../shared/exports/digits_a.mlirbc")
@pytest.mark.slow("traces a network on 360 images")
def test_the_page_of_a_real_network_is_legible_and_small() -> None:
    module, data = interp.load(DIGITS), np.load(DIGITS.with_suffix(".npz"))
    text = page(interp.trace(module, data["inputs"]))
    assert len(text) < 600_000
    titles = re.findall(r'class="title"[^>]*>([^<]*)<', text)
    assert titles.count("convolution") == 2
    assert len(titles) < 12
    assert "No signal-to-noise ratios" not in text


def test_events_of_a_function_that_runs_twice_are_said_to_be_counted_together() -> None:
    text = """
      func.func private @double(%x: tensor<2xi8>) -> tensor<2xi8> {
        %0 = stablehlo.add %x, %x : tensor<2xi8>
        return %0 : tensor<2xi8>
      }
      func.func @main(%a: tensor<2xi8>) -> tensor<2xi8> {
        %0 = call @double(%a) : (tensor<2xi8>) -> tensor<2xi8>
        %1 = stablehlo.reverse %0, dims = [0] : tensor<2xi8>
        %2 = call @double(%1) : (tensor<2xi8>) -> tensor<2xi8>
        return %2 : tensor<2xi8>
      }"""
    trace = interp.trace(interp.load(text), np.int8([100, 1]))
    found = value_facts(trace, [])
    counts = [mark.counts for name in ("@double/%0", "@double/%0#2") if (mark := found.mark(name))]
    assert counts == [{("warning", "wrap"): trace.counts["wrap"]}] * 2
    assert "are counted together" in caption(graph(found.func, found.names, found.mark))

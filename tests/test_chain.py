"""`explain` of single elements: sources, exact values and events, by hand and on random programs."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interp
from interp.questions.chain import Chain
from interp.questions.links import Link
from interp.recorder.event import KINDS
from tests.library.strategies.indexing_programs import dynamic_slices, gathers
from tests.library.strategies.op_programs import (
    conversions,
    plain_elementwise,
    quantized_elementwise,
    structures,
)
from tests.library.strategies.programs import Program

Q = "!quant.uniform<i8:f32, 0.5:-3>"
HALVES = "!quant.uniform<i8:f32, 0.5>"


def chain(text: str, *args: Any, name: str, index: Any = None, k: int | None = None) -> Chain:
    told = interp.trace(interp.load(text), *args).explain(name, index, k)
    assert isinstance(told, Chain)
    return told


def shown(link: Link) -> Any:
    """Return a chain as nested tuples: name, index, stored number, sources."""
    return (link.name, link.index, link.stored, *map(shown, link.sources))


# By hand


NETWORK = f"""func.func @main(%x: tensor<2x3xf32>) -> tensor<2x{Q}> {{
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %bias = stablehlo.constant dense<[1.0, 7.25]> : tensor<2xf32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %moved = stablehlo.add %sum, %bias : tensor<2xf32>
  %q = stablehlo.uniform_quantize %moved : (tensor<2xf32>) -> tensor<2x{Q}>
  return %q : tensor<2x{Q}>
}}"""


def test_a_saturated_quantize_after_an_add_after_a_reduce() -> None:
    """70 + 7.25 = 77.25 is 154.5 steps, at zero point -3 151.5: beyond 127, which means 65."""
    told = chain(NETWORK, np.float32([[1, 2, 3], [20, 20, 30]]), name="%q", index=1)
    assert repr(told) == (
        "uniform_quantize %q at (1,) in !quant.uniform<i8:f32, 5.000000e-01:-3>\n"
        "  element        operation         stored  value  exact   lost\n"
        "  %q [1]         uniform_quantize     127     65  151.5  12.25  ! saturate\n"
        "    %moved [1]   add                77.25\n"
        "      %sum [1]   reduce                70                       explain('%sum', (1,))\n"
        "      %bias [1]  constant            7.25                       constant\n"
        "  result 127 = 65; lost at %q (saturate 12.25)"
    )
    link = told.link
    assert (link.value, link.exact, link.lost) == (Fraction(65), Fraction(309, 4), Fraction(49, 4))
    assert [(mark.kind, mark.exact) for mark in link.marks] == [("saturate", Fraction(303, 2))]
    exact = chain(NETWORK, np.float32([[1, 2, 3], [20, 20, 30]]), name="%q", index=0)
    assert repr(exact).splitlines()[-1] == "  result 11 = 7; nothing was lost since %sum, %bias"


def test_without_an_index_it_is_the_worst_event_and_without_a_name_its_operation() -> None:
    trace = interp.trace(interp.load(NETWORK), np.float32([[60, 10, 1], [60, 60, 60]]))
    assert trace.explain("%q").link.index == trace.explain().link.index == (1,)  # type: ignore[union-attr]
    assert trace.explain("%sum").element.index == (0,)  # type: ignore[union-attr]
    assert trace.explain("%moved").link.index == (0,)  # type: ignore[union-attr]


CONVOLVED = f"""func.func private @relu(%v: tensor<1x3x2xf32>) -> tensor<1x3x2xf32> {{
  %least = stablehlo.constant dense<0.0> : tensor<1x3x2xf32>
  %kept = stablehlo.maximum %v, %least : tensor<1x3x2xf32>
  return %kept : tensor<1x3x2xf32>
}}
func.func @main(%x: tensor<1x4x1xf32>, %w: tensor<2x1x2xf32>) -> tensor<1x3x2x{HALVES}> {{
  %bias = stablehlo.constant dense<[-10.0, 0.25]> : tensor<2xf32>
  %conv = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {{}}
    {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}}
    : (tensor<1x4x1xf32>, tensor<2x1x2xf32>) -> tensor<1x3x2xf32>
  %wide = stablehlo.broadcast_in_dim %bias, dims = [2] : (tensor<2xf32>) -> tensor<1x3x2xf32>
  %biased = stablehlo.add %conv, %wide : tensor<1x3x2xf32>
  %active = func.call @relu(%biased) : (tensor<1x3x2xf32>) -> tensor<1x3x2xf32>
  %q = stablehlo.uniform_quantize %active : (tensor<1x3x2xf32>) -> tensor<1x3x2x{HALVES}>
  return %q : tensor<1x3x2x{HALVES}>
}}"""


def test_a_quantize_of_a_convolution_through_bias_and_relu() -> None:
    """Channel 0 weighs 1, 1 and channel 1 2, 0: at place 1 they are 2 + 4 - 10 < 0 and 2 * 2 + 0.25."""
    x, w = np.float32([1, 2, 4, 8]).reshape(1, 4, 1), np.float32([[[1, 2]], [[1, 0]]])
    told = chain(CONVOLVED, x, w, name="%q", index=(0, 1, 0))
    bias = ("%wide", (0, 1, 0), -10.0, ("%bias", (0,), -10.0))
    biased = ("%biased", (0, 1, 0), -4.0, ("%conv", (0, 1, 0), 6.0), bias)
    kept = ("%kept", (0, 1, 0), 0.0, biased, ("%least", (0, 1, 0), 0.0))
    assert shown(told.link) == ("%q", (0, 1, 0), 0, ("%active", (0, 1, 0), 0.0, kept))
    assert [link.stops for link in told.ends][:1] == ["explain('%conv', (0, 1, 0))"]
    other = chain(CONVOLVED, x, w, name="%q", index=(0, 1, 1))
    assert (other.link.stored, other.link.exact, other.link.lost) == (8, Fraction(17, 4), Fraction(1, 4))
    assert other.link.kinds == []  # it is rounded as it should be
    assert "lost at %q (rounding 0.25)" in repr(other)


def test_a_type_with_several_scales_has_the_scale_of_the_element() -> None:
    per_axis = "!quant.uniform<i8:f32:1, {0.5, 0.125:7}>"
    text = f"""func.func @main(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {{
      %q = stablehlo.uniform_quantize %x : (tensor<2x2xf32>) -> tensor<2x2x{per_axis}>
      %y = stablehlo.uniform_dequantize %q : (tensor<2x2x{per_axis}>) -> tensor<2x2xf32>
      return %y : tensor<2x2xf32>
    }}"""
    told = chain(text, np.full((2, 2), 3.25, np.float32), name="%y", index=(0, 1))
    (source,) = told.link.sources
    assert (source.stored, source.value, source.lost) == (26 + 7, Fraction(13, 4), 0)
    (source,) = chain(text, np.full((2, 2), 3.25, np.float32), name="%y", index=(1, 0)).link.sources
    assert (source.stored, source.exact, source.lost) == (6, Fraction(13, 4), Fraction(1, 4))


# Indices

MOVES = {
    "reshape": ("stablehlo.reshape %x : (tensor<3x4xi32>) -> tensor<2x6xi32>", (1, 3), (2, 1)),
    "transpose": (
        "stablehlo.transpose %x, dims = [1, 0] : (tensor<3x4xi32>) -> tensor<4x3xi32>",
        (3, 1),
        (1, 3),
    ),
    "broadcast": (
        "stablehlo.broadcast_in_dim %x, dims = [2, 0] : (tensor<3x4xi32>) -> tensor<4x2x3xi32>",
        (3, 1, 2),
        (2, 3),
    ),
    "slice": ("stablehlo.slice %x [1:3, 0:4:3] : (tensor<3x4xi32>) -> tensor<2x2xi32>", (1, 1), (2, 3)),
    "reverse": ("stablehlo.reverse %x, dims = [1] : tensor<3x4xi32>", (2, 1), (2, 2)),
}


@pytest.mark.parametrize("name", MOVES)
def test_an_index_by_hand(name: str) -> None:
    line, index, source = MOVES[name]
    result = line.rpartition("-> ")[2].rpartition(": ")[2]
    text = f"func.func @main(%x: tensor<3x4xi32>) -> {result} {{ %y = {line} return %y : {result} }}"
    told = chain(text, np.arange(12, dtype=np.int32).reshape(3, 4), name="%y", index=index)
    assert [(link.name, link.index, link.stored) for link in told.link.sources] == [
        ("%x", source, 4 * source[0] + source[1])
    ]
    assert told.ends[0].stops == "argument 0 of @main"


JOINED = """func.func @main(%x: tensor<2xi32>, %y: tensor<3xi32>, %i: tensor<2x1xi32>) -> tensor<2xi32> {
  %both = stablehlo.concatenate %x, %y, dim = 0 : (tensor<2xi32>, tensor<3xi32>) -> tensor<5xi32>
  %edge = stablehlo.constant dense<-1> : tensor<i32>
  %padded = stablehlo.pad %both, %edge, low = [1], high = [0], interior = [1]
    : (tensor<5xi32>, tensor<i32>) -> tensor<10xi32>
  %picked = "stablehlo.gather"(%padded, %i) {dimension_numbers = #stablehlo.gather<
    collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1>} : (tensor<10xi32>, tensor<2x1xi32>) -> tensor<2xi32>
  return %picked : tensor<2xi32>
}"""


def test_a_gather_of_padding_and_of_a_concatenation() -> None:
    """Element 8 of -1 1 -1 2 -1 3 -1 4 -1 5 is padding, and 12, clamped to 9, is the last of %y."""
    args = np.int32([1, 2]), np.int32([3, 4, 5]), np.int32([[8], [12]])
    told = chain(JOINED, *args, name="%picked", index=0)
    padded = ("%padded", (8,), -1, ("%edge", (), -1))
    assert shown(told.link) == ("%picked", (0,), -1, ("%i", (0, 0), 8), padded)
    told = chain(JOINED, *args, name="%picked", index=1)
    last = ("%padded", (9,), 5, ("%both", (4,), 5, ("%y", (2,), 5)))
    assert shown(told.link) == ("%picked", (1,), 5, ("%i", (1, 0), 12), last)


def test_what_was_not_selected_is_not_followed() -> None:
    text = """func.func @main(%p: tensor<i1>, %x: tensor<2xi8>, %y: tensor<2xi8>) -> tensor<2xi8> {
      %a = stablehlo.add %x, %x : tensor<2xi8>
      %b = stablehlo.add %y, %y : tensor<2xi8>
      %c = stablehlo.select %p, %a, %b : (tensor<i1>, tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
      return %c : tensor<2xi8>
    }"""
    for p in (True, False):
        told = chain(text, np.bool_(p), np.int8([1, 2]), np.int8([30, 100]), name="%c", index=1)
        predicate, a, b = told.link.sources
        assert (predicate.stored, predicate.index, a.stored, b.stored) == (p, (), 4, -56)
        assert (a.stops, b.stops) == (("", "not selected") if p else ("not selected", ""))
        assert told.link.kinds == []
    assert b.kinds == ["wrap"]
    assert (b.exact, b.lost) == (200, 256)


def arguments_by_number(program: Program) -> tuple[Program, bool]:
    """Replace arrays of integers by the numbers of their elements, where these fit."""
    value = program.module.main.inputs[0]
    storage = value.type.storage_type
    if storage.kind not in ("signed", "unsigned") or value.type.is_quantized or value.type.size > 3:
        return program, False
    numbers = np.arange(value.type.size).reshape(value.type.shape)
    return program._replace(args=(numbers.astype(program.args[0].dtype), *program.args[1:])), True


@settings(max_examples=60, deadline=None)
@given(st.one_of(structures(), gathers(), dynamic_slices()), st.integers(0, 99))
def test_every_moved_element_is_the_one_that_the_kernel_moved(program: Program, choice: int) -> None:
    """The sources of a moved element have its stored number, and some operand has it at that index."""
    (out, *_) = interp.run(program.module, *program.args)
    if not out.storage.size:
        return
    index = tuple(map(int, np.unravel_index(choice % out.storage.size, out.storage.shape)))
    (op, _) = program.module.main.body.ops
    link = interp.trace(program.module, *program.args).explain(op, index).link  # type: ignore[arg-type, union-attr]
    if not op.operands:
        assert link.stops
        return
    source = link.sources[-1]
    operands = {value.name: x for value, x in zip(program.module.main.inputs, program.args, strict=True)}
    assert repr(source.stored) == repr(link.stored)
    assert np.array_equal(
        np.asarray(operands[source.name])[source.index], out.storage[index], equal_nan=True
    ) or (source.stored != source.stored)


COMPUTED = st.one_of(plain_elementwise(), quantized_elementwise(), conversions())


@settings(max_examples=80, deadline=None)
@given(COMPUTED, st.integers(0, 99), st.sampled_from(("dequantize", "integer")))
def test_the_events_of_a_link_are_those_of_the_trace(program: Program, choice: int, reading: str) -> None:
    try:
        options: dict[str, Any] = {"kinds": list(KINDS), "keep": 10_000, "reading": reading}
        trace = interp.trace(program.module, *program.args, **options)
    except interp.InterpError:
        return
    (out,) = trace.results
    if not out.storage.size:
        return
    index = tuple(map(int, np.unravel_index(choice % out.storage.size, out.storage.shape)))
    (op, _) = program.module.main.body.ops
    link = trace.explain(op, index).link  # type: ignore[arg-type, union-attr]
    if link.stops:
        return
    expected = [(event.kind, event.exact) for event in trace.kept if event.index == index]
    assert sorted(map(repr, expected)) == sorted(repr((mark.kind, mark.exact)) for mark in link.marks)


@pytest.mark.parametrize("shape", ["", "1x"])
def test_a_scalar_is_judged_as_exactly_as_a_tensor(shape: str) -> None:
    """-114.0625 in steps of 819 / 8192 is -934400 / 819, which f64 does not hold."""
    q = f"tensor<{shape}!quant.uniform<i2:f16, 0.1>>"
    text = f"""func.func @main(%x: tensor<{shape}f16>) -> {q} {{
      %q = stablehlo.uniform_quantize %x : (tensor<{shape}f16>) -> {q}
      return %q : {q}
    }}"""
    x = np.full((1,) * bool(shape), -114.0625, np.float16)
    assert interp.trace(interp.load(text), x).groups[0].first.exact == Fraction(-934400, 819)


def test_the_events_of_a_complex_number_made_an_integer_are_those_of_its_real_part() -> None:
    text = """func.func @main(%x: tensor<3xcomplex<f32>>) -> tensor<3xi8> {
      %y = stablehlo.convert %x : (tensor<3xcomplex<f32>>) -> tensor<3xi8>
      return %y : tensor<3xi8>
    }"""
    trace = interp.trace(interp.load(text), np.complex64([200 + 1j, np.nan, 3 - 500j]), keep=9)
    assert sorted((event.kind, event.index) for event in trace.kept) == [("nan", (1,)), ("saturate", (0,))]


# Calls, loops and branches

CALLS = """func.func private @twice(%v: tensor<2xi32>) -> tensor<2xi32> {
  %d = stablehlo.add %v, %v : tensor<2xi32>
  return %d : tensor<2xi32>
}
func.func private @same(%v: tensor<2xi32>, %u: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  return %u, %v : tensor<2xi32>, tensor<2xi32>
}
func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {
  %a = func.call @twice(%x) : (tensor<2xi32>) -> tensor<2xi32>
  %b = func.call @twice(%a) : (tensor<2xi32>) -> tensor<2xi32>
  %c:2 = func.call @same(%x, %b) : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  return %c#0 : tensor<2xi32>
}"""


def test_a_value_passes_calls() -> None:
    x = ("%x", (1,), 5)
    first = ("%a", (1,), 10, ("@twice/%d", (1,), 10, x, x))
    second = ("@twice/%d#2", (1,), 20, first, first)
    told = chain(CALLS, np.int32([3, 5]), name="%c", index=1)
    assert shown(told.link) == ("%c#0", (1,), 20, ("%b", (1,), 20, second))
    assert repr(told).count("as above") == 1
    inside = chain(CALLS, np.int32([3, 5]), name="@twice/%d#2", index=1)
    assert shown(inside.link) == second
    assert shown(chain(CALLS, np.int32([3, 5]), name="%c", index=1, k=1).link) == ("%c#1", (1,), 5, x)
    with pytest.raises(interp.Malformed, match="no such run\n  it did not run"):
        chain(CALLS, np.int32([3, 5]), name="@twice/%d#3", index=1)


LOOP = """func.func @main(%x: tensor<i32>, %n: tensor<i32>, %w: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:3 = stablehlo.while(%k = %zero, %v = %x, %u = %w) : tensor<i32>, tensor<i32>, tensor<i32>
    cond {
      %p = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %next = stablehlo.add %k, %one : tensor<i32>
      %grown = stablehlo.multiply %v, %u : tensor<i32>
      stablehlo.return %next, %grown, %u : tensor<i32>, tensor<i32>, tensor<i32>
    }
  %last = stablehlo.negate %r#1 : tensor<i32>
  %kept = stablehlo.negate %r#2 : tensor<i32>
  return %last, %kept : tensor<i32>, tensor<i32>
}"""


def loop(n: int, name: str) -> Chain:
    return chain(LOOP, np.int32(7), np.int32(n), np.int32(3), name=name)


def test_a_value_stops_at_a_loop_that_changes_it() -> None:
    told = loop(3, "%last")
    (end,) = told.ends
    (name,) = re.findall(r"explain\('(.*)', \(\)\)", end.stops)
    assert end.stops.startswith("returned by iteration 3 of while %")
    assert name.endswith("#3")
    third = loop(3, name).link
    before, weight = third.sources
    assert (third.stored, before.stored, weight.stored) == (189, 63, 3)
    assert before.stops.startswith("returned by iteration 2 of while %")
    assert weight.stops == "argument 2 of @main"  # which the loop keeps
    first = loop(3, name.removesuffix("#3")).link
    assert shown(first)[2:] == (21, ("%x", (), 7), ("%w", (), 3))
    assert shown(loop(3, "%kept").link) == ("%kept", (), -3, ("%r#2", (), 3, ("%w", (), 3)))
    never = loop(0, "%last").link.sources[0]
    assert shown(never)[1:] == ((), 7, ("%x", (), 7))


def test_an_event_in_a_loop_names_the_run() -> None:
    """7 * 3 ** 18 is the first product beyond i32, and the next one is worse."""
    trace = interp.trace(interp.load(LOOP), np.int32(7), np.int32(19), np.int32(3))
    (group,) = (group for group in trace.groups if group.kind == "wrap")
    assert group.first.name_of_run.endswith("#18")
    assert trace.explain().link.name == group.worst.name_of_run  # type: ignore[union-attr]
    assert trace.explain().link.exact == 3 * trace.explain().link.sources[0].stored  # type: ignore[union-attr]


def test_a_value_passes_the_branch_that_was_taken() -> None:
    text = """func.func @main(%p: tensor<i1>, %x: tensor<i32>) -> tensor<i32> {
      %a = stablehlo.add %x, %x : tensor<i32>
      %y = "stablehlo.if"(%p) ({
        %n = stablehlo.negate %a : tensor<i32>
        stablehlo.return %n : tensor<i32>
      }, {
        stablehlo.return %x : tensor<i32>
      }) : (tensor<i1>) -> tensor<i32>
      return %y : tensor<i32>
    }"""
    x = ("%x", (), 4)
    negated = ("%n", (), -8, ("%a", (), 8, x, x))
    told = chain(text, np.bool_(True), np.int32(4), name="%y")
    assert shown(told.link) == ("%y", (), -8, negated)
    other = chain(text, np.bool_(False), np.int32(4), name="%y")
    assert other.link.stops == "returned by a branch without operations"


def test_what_is_not_followed_says_so() -> None:
    text = """func.func @main(%x: tensor<3xf32>, %z: tensor<f32>) -> (tensor<3xf32>, tensor<f32>) {
      %s = "stablehlo.sort"(%x) ({
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %p = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      }) {dimension = 0 : i64} : (tensor<3xf32>) -> tensor<3xf32>
      %m = "stablehlo.reduce"(%x, %z) ({
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %q = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %q : tensor<f32>
      }) {dimensions = array<i64: 0>} : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
      return %s, %m : tensor<3xf32>, tensor<f32>
    }"""
    args = np.float32([3, 1, 2]), np.float32(0)
    assert chain(text, *args, name="%s", index=0).link.stops == "sort is not followed element by element"
    with pytest.raises(
        interp.Malformed, match="it did not run, or only in the body of a reduction: explain the reduction"
    ):
        chain(text, *args, name="%q")
    for index in (3, (0, 0), (-1,), "a"):
        with pytest.raises(interp.Malformed):
            chain(text, *args, name="%s", index=index)
    with pytest.raises(interp.Malformed, match="no tensor is result 1 of %s"):
        chain(text, *args, name="%s", index=0, k=1)


def test_only_asked_elements_are_kept() -> None:
    """A chain through many layers keeps single numbers, and prints the rows that fit."""
    lines = "\n".join(f"%v{k + 1} = stablehlo.add %v{k}, %v{k} : tensor<4xf32>" for k in range(60))
    text = f"func.func @main(%v0: tensor<4xf32>) -> tensor<4xf32> {{ {lines} return %v60 : tensor<4xf32> }}"
    told = chain(text, np.ones(4, np.float32), name="%v60", index=2)
    assert len(told.links) == 62  # the argument is read twice
    assert told.link.stored == 2.0**60
    assert "more rows: .links has every element" in repr(told)


def test_a_name_says_which_result_is_explained() -> None:
    """Of a call with the results x + y and x - y, `%v#1` is the second, `%v#1#3` that of its third run."""
    text = """func.func private @f(%x: tensor<2xi32>, %y: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
      %s = stablehlo.add %x, %y : tensor<2xi32>
      %t = stablehlo.subtract %x, %y : tensor<2xi32>
      return %s, %t : tensor<2xi32>, tensor<2xi32>
    }
    func.func @main(%x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %n = stablehlo.constant dense<3> : tensor<i32>
      %w:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<2xi32>
      cond {
        %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %j = stablehlo.add %i, %one : tensor<i32>
        %v:2 = func.call @f(%a, %y) : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
        stablehlo.return %j, %v#1 : tensor<i32>, tensor<2xi32>
      }
      return %w#1 : tensor<2xi32>
    }"""
    args = np.int32([5, 6]), np.int32([1, 2])
    assert chain(text, *args, name="%w#1", index=0).link.stops.endswith("explain('%v#1#3', (0,))")
    assert chain(text, *args, name="%w#1", index=0).link.stored == 5 - 3
    trace = interp.trace(interp.load(text), *args)
    found = [trace.explain(name, 0).link.stored for name in ("%v", "%v#0", "%v#1", "%v#1#3")]  # type: ignore[union-attr]
    assert found == [6, 6, 4, 2]
    assert trace.explain("%v", 0, 1).link.stored == 4  # type: ignore[union-attr]


def test_a_name_says_which_operand_of_a_reduction_is_explained() -> None:
    text = """func.func @main(%x: tensor<2xi32>, %y: tensor<2xi32>, %i: tensor<i32>) -> tensor<i32> {
      %r:2 = stablehlo.reduce(%x init: %i), (%y init: %i) across dimensions = [0]
        : (tensor<2xi32>, tensor<2xi32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
        reducer(%a: tensor<i32>, %c: tensor<i32>) (%b: tensor<i32>, %d: tensor<i32>) {
          %s = stablehlo.add %a, %c : tensor<i32>
          %t = stablehlo.add %b, %d : tensor<i32>
          stablehlo.return %s, %t : tensor<i32>, tensor<i32>
        }
      %z = stablehlo.add %r#1, %i : tensor<i32>
      return %z : tensor<i32>
    }"""
    trace = interp.trace(interp.load(text), np.int32([1, 2]), np.int32([10, 20]), np.int32(0))
    last = trace.explain("%z").link.sources[0]  # type: ignore[union-attr]
    assert last.stops == "explain('%r#1', ())"
    assert trace.explain("%r#1", ()).result == last.stored == 30  # type: ignore[union-attr]
    assert trace.explain("%r", ()).result == 3  # type: ignore[union-attr]


def test_a_loop_that_only_swaps_its_values_is_not_followed() -> None:
    """Its body has no operation that would tell how often it ran: the result is the other operand."""
    text = """func.func @main(%p: tensor<i1>, %q: tensor<i1>) -> tensor<i1> {
      %w:2 = stablehlo.while(%a = %p, %b = %q) : tensor<i1>, tensor<i1>
      cond {
        stablehlo.return %a : tensor<i1>
      } do {
        stablehlo.return %b, %a : tensor<i1>, tensor<i1>
      }
      return %w#0 : tensor<i1>
    }"""
    link = chain(text, np.True_, np.False_, name="%w", index=()).link
    assert (link.stored, link.stops) == (False, "returned by a loop whose body has no operations")

"""Proofs where ends say little of the values between them: mixed bits, zeros with signs, NaN, no elements."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest

import interp
from interp.backends.dtypes import numpy_dtype
from interp.engine.facts import FACTS
from interp.questions.proving.witness import Looking
from interp.theory.ranges import exact_bracket, extremes
from interp.theory.sums import Ends
from spec.ir import Module
from spec.types import ELEMENT_TYPES
from tests.library.builders import single
from tests.library.oracles.proofs_checked import wrong

TAIL = """
  %w = stablehlo.constant dense<60> : tensor<2xi8>
  %q = stablehlo.dot_general %k, %w, contracting_dims = [0] x [0] : (tensor<2xi8>, tensor<2xi8>) -> tensor<i8>
  return %q : tensor<i8>
}"""


def reducing(name: str) -> str:
    """Return a program that reduces columns by an operation, and sums multiples of the results in i8."""
    return f"""func.func @main(%x: tensor<2x2xi8>) -> tensor<i8> {{
  %c = stablehlo.constant dense<{-1 if name == "and" else 0}> : tensor<i8>
  %k = stablehlo.reduce(%x init: %c) applies stablehlo.{name} across dimensions = [0]
    : (tensor<2x2xi8>, tensor<i8>) -> tensor<2xi8>{TAIL}"""


NEGATED = """func.func @main(%n: tensor<i32>) -> tensor<i8> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %l:2 = stablehlo.while(%i = %none, %v = %zero) : tensor<i32>, tensor<f32>
    cond {
      %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %j = stablehlo.add %i, %one : tensor<i32>
      %u = stablehlo.negate %v : tensor<f32>
      stablehlo.return %j, %u : tensor<i32>, tensor<f32>
    }
  %b = stablehlo.bitcast_convert %l#1 : (tensor<f32>) -> tensor<4xi8>
  %k = stablehlo.slice %b [2:4] : (tensor<4xi8>) -> tensor<2xi8>""" + TAIL.replace(
    "dense<60>", "dense<[1, 127]>"
)
SORTED = (
    """func.func @main(%x: tensor<2xf32>) -> tensor<i8> {
  %s = "stablehlo.sort"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %p = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<2xf32>) -> tensor<2xf32>
  %k = stablehlo.convert %s : (tensor<2xf32>) -> tensor<2xi8>"""
    + TAIL
)


@pytest.mark.parametrize(
    ("program", "args", "ranges"),
    [
        (reducing("or"), [np.int8([[1, 1], [2, 2]])], {"x": (1, 2)}),
        (reducing("and"), [np.int8([[1, 1], [2, 2]])], {"x": (1, 2)}),
        (NEGATED, [np.int32(1)], {"n": (0, 3)}),
        (SORTED, [np.float32([np.nan, 100])], {"x": np.float32([np.nan, 100])}),
    ],
    ids=["or", "and", "negative zero", "known NaN"],
)
def test_every_value_lies_in_its_range(program: str, args: list[Any], ranges: dict[str, Any]) -> None:
    module = interp.load(program)
    proof = interp.prove(module, ranges)
    assert not wrong(module, args, ranges, proof)
    assert proof["q"].verdict != "proved" or not interp.trace(module, *args).events


@pytest.mark.parametrize("type", ["f4E2M1FN", "f6E2M3FN", "f6E3M2FN"])
@pytest.mark.parametrize("name", ["log", "log_plus_one", "rsqrt", "sqrt"])
def test_a_type_without_nan_stores_a_number_in_its_place(name: str, type: str) -> None:
    """All numbers from -3 to 2 are run: log(-3) is a number there, and not the least of the results."""
    element = ELEMENT_TYPES[type]
    every = np.arange(2**element.bits, dtype=np.uint8).view(numpy_dtype(element))
    x = every[(every.astype(np.float64) >= -3) & (every.astype(np.float64) <= 2)]
    module = single(name, f"{len(x)}x{type} -> {len(x)}x{type}")
    ranges = {0: (-3, 2)}
    assert not wrong(module, [x], ranges, interp.prove(module, ranges))


def test_windows_of_padding_alone_sum_their_init() -> None:
    module = interp.load("""func.func @main() -> tensor<2xi8> {
  %init = stablehlo.constant dense<100> : tensor<i8>
  %x = stablehlo.constant dense<> : tensor<0xi8>
  %r = "stablehlo.reduce_window"(%x, %init) ({
    ^bb0(%a: tensor<i8>, %b: tensor<i8>):
      %0 = stablehlo.add %a, %b : tensor<i8>
      stablehlo.return %0 : tensor<i8>
  }) {window_dimensions = array<i64: 2>, padding = dense<[[3, 0]]> : tensor<1x2xi64>}
    : (tensor<0xi8>, tensor<i8>) -> tensor<2xi8>
  return %r : tensor<2xi8>
}""")
    assert interp.prove(module)["r"].verdict == "refuted"


def scattering(inputs: str, init: str, *indices: str, updates: int) -> Module:
    """Return a program that adds updates to four i8 numbers; the indices are an argument or a constant."""
    types = f"tensor<4xi8>, tensor<{updates}x1xi32>, tensor<{updates}xi8>"
    return interp.load(f"""func.func @main({inputs}) -> tensor<4xi8> {{
  %init = stablehlo.constant dense<{init}> : tensor<4xi8>
  {"".join(indices)}
  %r = "stablehlo.scatter"(%init, %i, %x) ({{
    ^bb0(%a: tensor<i8>, %b: tensor<i8>):
      %0 = stablehlo.add %a, %b : tensor<i8>
      stablehlo.return %0 : tensor<i8>
  }}) {{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}} : ({types}) -> tensor<4xi8>
  return %r : tensor<4xi8>
}}""")


def test_a_scatter_into_different_constants_is_judged_for_each() -> None:
    known = "%i = stablehlo.constant dense<[[0], [1], [0]]> : tensor<3x1xi32>"
    module = scattering("%x: tensor<3xi8>", "[1, 2, 3, 4]", known, updates=3)
    verdicts = [interp.prove(module, {"x": (0, most)})["r"].verdict for most in (1, 41, 127)]
    assert verdicts == ["proved", "proved", "refuted"]


def test_a_run_for_a_witness_ends_in_a_loop_that_a_parameter_prolongs() -> None:
    with pytest.raises(interp.Unsupported, match="operations"):
        interp.run(interp.load(NEGATED), np.int32(1 << 19), listeners=[Looking([])])
    assert interp.prove(interp.load(NEGATED))["q"].verdict == "unknown"


def test_a_random_tree_of_fewer_updates_is_another_tree() -> None:
    """Init -100 and at most four times 55: 55 + 55 + 55 overflows, where a tree sums these first."""
    module = scattering("%i: tensor<4x1xi32>, %x: tensor<4xi8>", "-100", updates=4)
    ranges = {"i": (0, 3), "x": (0, 55)}
    assert interp.prove(module, ranges)["r"].verdict == "proved"  # -100 + 4 * 55 = 120, one after the other
    assert {interp.prove(module, ranges, schedule=f"random({k})")["r"].verdict for k in range(9)} <= {
        "unknown",
        "refuted",
    }


def test_ends_of_which_only_one_is_the_same_everywhere() -> None:
    """Products from 0 to (3, 6): the least one is a single number, the greatest ones are two."""
    module = interp.load("""func.func @main(%x: tensor<1xi8>) -> tensor<i8> {
  %w = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi8>
  %p = stablehlo.dot_general %x, %w, contracting_dims = [0] x [0]
    : (tensor<1xi8>, tensor<1x2xi8>) -> tensor<2xi8>
  %s = stablehlo.multiply %p, %p : tensor<2xi8>
  %zero = stablehlo.constant dense<0> : tensor<i8>
  %r = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<2xi8>, tensor<i8>) -> tensor<i8>
  return %r : tensor<i8>
}""")
    proof = interp.prove(module, {"x": (0, 3)})
    assert proof["r"].judgement.ends is not None
    assert proof["r"].judgement.ends.hull == (0, 3**2 + 6**2)


@pytest.mark.parametrize(
    ("schedule", "inits"),
    [
        ("left", 1),
        ("blocks(2)", 5),
        ("blocks(9)", 1),
        ("windows(2)", 11),
        ("windows(3)", 4),
        ("tree(0 1, 10 2, 0 3, 12 4, 0 5, 14 6, 11 13, 16 15, 17 7, 18 8, 19 9)", 3),
    ],
)
def test_the_sums_of_a_schedule_count_each_of_its_inits(schedule: str, inits: int) -> None:
    """Nine leaves of 3 and so many inits of 3: the most that a run adds is where the proved range ends."""
    module = interp.load("""func.func @main(%x: tensor<3x3xui2>, %init: tensor<ui2>) -> tensor<i8> {
  %r = "stablehlo.reduce"(%x, %init) ({
    ^bb0(%a: tensor<i8>, %b: tensor<i8>):
      %0 = stablehlo.add %a, %b : tensor<i8>
      stablehlo.return %0 : tensor<i8>
  }) {dimensions = array<i64: 0, 1>} : (tensor<3x3xui2>, tensor<ui2>) -> tensor<i8>
  return %r : tensor<i8>
}""")
    (most,) = interp.run(module, np.full((3, 3), 3, np.uint8), np.uint8(3), schedule=schedule)
    assert most.storage == 27 + 3 * inits
    assert interp.prove(module, schedule=schedule).to_dict()["rows"][0]["ends"] == [0, int(most.storage)]


@pytest.mark.parametrize(("bits", "verdict"), [(7, "refuted"), (8, "proved")])
@pytest.mark.parametrize("shape", ["", "2x"])
def test_a_product_of_scalars_has_ends(shape: str, bits: int, verdict: str) -> None:
    """By hand: factors of i4 are -8 to 7, their products -56 to 64; i8 holds these, i7 ends at 63."""
    type = f"tensor<{shape}!quant.uniform<i4:f32, 0.5>>"
    text = f"""func.func @main(%x: {type}, %y: {type}) -> {type} {{
      %0 = stablehlo.multiply %x, %y : {type}
      return %0 : {type}
    }}"""
    proof = interp.prove(text, reading="integer", accumulator=f"i{bits}")
    assert [row.verdict for row in proof.rows] == [verdict]
    assert proof["%0"].judgement.ends.hull == (-56, 64)


@pytest.mark.parametrize(("expressed", "verdict"), [("f8E8M0FNU", "unknown"), ("f8E4M3FN", "proved")])
def test_a_sum_that_is_nan_is_not_proved(expressed: str, verdict: str) -> None:
    """f8E8M0FNU has no zero: -1 stands for NaN, a sum of it, too; NaN becomes 0, clamped to -1, by chance."""
    type = f"!quant.uniform<i2<-2:-1>:{expressed}, 0.5:-1>"
    text = f"""func.func @main(%x: tensor<2x{type}>, %i: tensor<{type}>) -> tensor<{type}> {{
      %0 = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [0]
        : (tensor<2x{type}>, tensor<{type}>) -> tensor<{type}>
      return %0 : tensor<{type}>
    }}"""
    only = {0: (np.int8([-1, -1]), np.int8([-1, -1])), 1: (np.int8(-1), np.int8(-1))}
    proof = interp.prove(interp.load(text), only)
    assert (proof["%0"].verdict == "proved") == (verdict == "proved")
    kinds = {event.kind for event in interp.trace(interp.load(text), np.int8([-1, -1]), np.int8(-1)).events}
    assert ("nan" in kinds) == (verdict != "proved")


@pytest.mark.parametrize(("element", "least"), [("i64", -5), ("ui64", 0), ("i32", -5)])
@pytest.mark.parametrize("factor", [1, 2])
def test_products_of_the_widest_integers_are_ranges_of_their_own(
    element: str, least: int, factor: int
) -> None:
    """Two numbers of at most 5 times a factor; over the whole type, no end fits in 64 bits."""
    module = interp.load(f"""func.func @main(%n: tensor<2x{element}>) -> tensor<{element}> {{
      %c = stablehlo.constant dense<{factor}> : tensor<2x{element}>
      %r = stablehlo.multiply %n, %c : tensor<2x{element}>
      %z = stablehlo.constant dense<0> : tensor<{element}>
      %s = stablehlo.reduce(%r init: %z) applies stablehlo.add across dimensions = [0]
        : (tensor<2x{element}>, tensor<{element}>) -> tensor<{element}>
      return %s : tensor<{element}>
    }}""")
    row = interp.prove(module, {"n": (least, 5)})["%s"]
    assert row.verdict == "proved"
    assert row.judgement.ends is not None
    assert [int(end) for end in row.judgement.ends.hull] == [2 * factor * least, 2 * factor * 5]
    everything = interp.prove(module)["%s"]
    assert everything.verdict != "proved"
    assert f"{int(element[-2:]) + 1} bits needed" in repr(everything)


def test_extremes_beyond_64_bits_keep_all_digits() -> None:
    """NumPy has no type of integers that holds a number from 2^63 on beside a negative one."""
    wide = 3037000501
    found = extremes(
        FACTS["stablehlo.multiply"], exact_bracket(operator.mul), [Ends(-3, wide), Ends(-1, wide)]
    )
    assert (int(found.least), int(found.greatest)) == (-3 * wide, wide * wide)

"""Proofs about the leaves of accumulations: of collectives, selections, empty dimensions and other bodies."""

from __future__ import annotations

import numpy as np
import pytest

import interp
from interp.questions.proving.prove import Proof
from tests.library.builders import reduced


def hull(proof: Proof) -> tuple[object, object] | None:
    (row,) = proof.rows
    return row.judgement.ends and row.judgement.ends.hull


def test_a_sum_along_an_empty_dimension_is_its_init() -> None:
    for args in ({}, {0: np.zeros((0, 3), np.int8)}):
        proof = interp.prove(reduced("0x3xi8"), {**args, 1: np.int8(5)})
        assert [row.verdict for row in proof.rows] == ["proved"]
        assert hull(proof) in ((5, 5), (0, 5))  # in any order, no leaf is 0


def test_sums_of_no_element_are_proved() -> None:
    (row,) = interp.prove(reduced("3x0xi8"), {}).rows
    assert (row.verdict, row.judgement.why) == ("proved", "it has no elements")


def test_a_body_that_computes_is_not_passed_over() -> None:
    """One that only compares and selects has no sum; one that multiplies a sum has no theorem."""
    text = """func.func @main(%x: tensor<4xi8>, %z: tensor<i8>) -> tensor<i8> {
      %r = "stablehlo.reduce"(%x, %z) ({
      ^bb0(%a: tensor<i8>, %b: tensor<i8>):
        BODY
        stablehlo.return %2 : tensor<i8>
      }) {dimensions = array<i64: 0>} : (tensor<4xi8>, tensor<i8>) -> tensor<i8>
      return %r : tensor<i8>
    }"""
    computes = "%1 = stablehlo.add %a, %b : tensor<i8>\n%2 = stablehlo.multiply %1, %1 : tensor<i8>"
    chooses = """%1 = stablehlo.compare GT, %a, %b : (tensor<i8>, tensor<i8>) -> tensor<i1>
        %2 = stablehlo.select %1, %a, %b : tensor<i1>, tensor<i8>"""
    nothing = {0: np.zeros(4, np.int8), 1: np.int8(0)}
    (row,) = interp.prove(text.replace("BODY", computes), nothing).rows
    assert row.verdict == "unknown"
    assert row.judgement.why == "no theorem about this body"
    assert interp.prove(text.replace("BODY", chooses)).rows == ()


def test_a_sum_that_additions_may_round_is_unknown_with_its_bits() -> None:
    """Steps of 0.3 up to 2^26 are beyond the 24 bits of f32; the integers need 27 bits and a sign."""
    q = "!quant.uniform<i32:f32, 0.3>"
    x = np.full(4, 2**24, np.int32)
    (row,) = interp.prove(reduced(f"4x{q}"), {0: x, 1: np.int32(0)}).rows
    assert row.verdict == "unknown"
    assert row.judgement.why == "no theorem: additions in this type may round"
    assert row.judgement.bits == 28


def test_a_selection_scatters_any_element_of_its_source() -> None:
    """Windows of two at every place: a result adds at most two elements of the source."""
    text = """func.func @main(%x: tensor<4xi8>, %s: tensor<3xi8>, %z: tensor<i8>) -> tensor<4xi8> {
      %r = "stablehlo.select_and_scatter"(%x, %s, %z) ({
      ^bb0(%a: tensor<i8>, %b: tensor<i8>):
        %1 = stablehlo.compare GE, %a, %b : (tensor<i8>, tensor<i8>) -> tensor<i1>
        stablehlo.return %1 : tensor<i1>
      }, {
      ^bb0(%a: tensor<i8>, %b: tensor<i8>):
        %1 = stablehlo.add %a, %b : tensor<i8>
        stablehlo.return %1 : tensor<i8>
      }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 1>}
        : (tensor<4xi8>, tensor<3xi8>, tensor<i8>) -> tensor<4xi8>
      return %r : tensor<4xi8>
    }"""
    for source, verdict in (([40, -7, 63], "proved"), ([40, -7, 64], "unknown")):
        proof = interp.prove(text, {1: np.int8(source), 2: np.int8(0)})
        assert [row.verdict for row in proof.rows] == [verdict]
        assert hull(proof) == (-14, 2 * source[2])


def test_a_process_alone_scatters_its_own_elements() -> None:
    """The sum of one leaf, which is any element along the scattered dimension."""
    text = """func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {
      %r = "stablehlo.reduce_scatter"(%x) ({
      ^bb0(%a: tensor<i8>, %b: tensor<i8>):
        %1 = stablehlo.add %a, %b : tensor<i8>
        stablehlo.return %1 : tensor<i8>
      }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0]]> : tensor<1x1xi64>}
        : (tensor<4xi8>) -> tensor<4xi8>
      return %r : tensor<4xi8>
    }"""
    proof = interp.prove(text, {0: np.int8([3, -5, 7, 60])})
    assert [row.verdict for row in proof.rows] == ["proved"]
    assert hull(proof) == (-5, 60)


@pytest.mark.parametrize(
    ("accumulator", "verdict", "why"),
    [
        ("i8", "proved", ""),
        ("i8 saturate", "proved", ""),
        ("i7 saturate", "unknown", "events do not tell a product that saturates from a result that does"),
    ],
)
def test_a_product_that_fits_needs_no_reason(accumulator: str, verdict: str, why: str) -> None:
    """Products of i4 go from -56 to 64, and i7 to 63."""
    type = "tensor<!quant.uniform<i4:f32, 0.5>>"
    text = f"""func.func @main(%x: {type}, %y: {type}) -> {type} {{
      %0 = stablehlo.multiply %x, %y : {type}
      return %0 : {type}
    }}"""
    (row,) = interp.prove(text, reading="integer", accumulator=accumulator).rows
    assert (row.verdict, row.judgement.why) == (verdict, why)


SUM = """func.func private @sum(%x: tensor<4xi8>) -> tensor<i8> {
  %z = stablehlo.constant dense<0> : tensor<i8>
  %s = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0]
    : (tensor<4xi8>, tensor<i8>) -> tensor<i8>
  return %s : tensor<i8>
}"""


@pytest.mark.parametrize("order", [("%x", "%c"), ("%c", "%x")])
def test_a_sum_that_two_calls_reach_has_the_worse_verdict(order: tuple[str, str]) -> None:
    """Ones fit; four numbers of i8 need not."""
    text = f"""{SUM}
    func.func @main(%x: tensor<4xi8>) -> (tensor<i8>, tensor<i8>) {{
      %c = stablehlo.constant dense<1> : tensor<4xi8>
      %a = call @sum({order[0]}) : (tensor<4xi8>) -> tensor<i8>
      %b = call @sum({order[1]}) : (tensor<4xi8>) -> tensor<i8>
      return %a, %b : tensor<i8>, tensor<i8>
    }}"""
    proof = interp.prove(text)
    assert [row.verdict for row in proof.rows] == ["refuted"]
    assert "\n  witness: " in repr(proof)
    alone = interp.prove(text.replace("(%x) :", "(%c) :"))
    assert [row.verdict for row in alone.rows] == ["proved"]


def test_no_witness_is_looked_for_among_complex_numbers() -> None:
    text = f"""{SUM}
    func.func @main(%x: tensor<4xi8>, %y: tensor<2xcomplex<f32>>) -> tensor<i8> {{
      %a = call @sum(%x) : (tensor<4xi8>) -> tensor<i8>
      return %a : tensor<i8>
    }}"""
    (row,) = interp.prove(text).rows
    assert row.verdict == "unknown"
    assert row.judgement.why == "no witness is looked for, as a parameter is a tensor<2xcomplex<f32>>"


def test_a_barrier_hands_ranges_on() -> None:
    text = f"""{SUM}
    func.func @main(%x: tensor<4xi8>) -> tensor<i8> {{
      %y = stablehlo.optimization_barrier %x : tensor<4xi8>
      %a = call @sum(%y) : (tensor<4xi8>) -> tensor<i8>
      return %a : tensor<i8>
    }}"""
    proof = interp.prove(text, {0: (-2, 31)})
    assert [row.verdict for row in proof.rows] == ["proved"]
    assert hull(proof) == (-8, 124)


@pytest.mark.parametrize(("n", "ends"), [(4, (-4, 64)), (0, (0, 0))])
def test_a_map_of_elements_in_a_range(n: int, ends: tuple[int, int]) -> None:
    """Each element of -2 to 15 and one more; without elements, nothing."""
    text = f"""func.func @main(%x: tensor<{n}xi8>) -> tensor<i8> {{
      %c = stablehlo.constant dense<1> : tensor<{n}xi8>
      %y = "stablehlo.map"(%x, %c) ({{
      ^bb0(%a: tensor<i8>, %b: tensor<i8>):
        %1 = stablehlo.add %a, %b : tensor<i8>
        stablehlo.return %1 : tensor<i8>
      }}) {{dimensions = array<i64: 0>}} : (tensor<{n}xi8>, tensor<{n}xi8>) -> tensor<{n}xi8>
      %z = stablehlo.constant dense<0> : tensor<i8>
      %s = stablehlo.reduce(%y init: %z) applies stablehlo.add across dimensions = [0]
        : (tensor<{n}xi8>, tensor<i8>) -> tensor<i8>
      return %s : tensor<i8>
    }}"""
    proof = interp.prove(text, {0: (-2, 15)})
    assert [row.verdict for row in proof.rows] == ["proved"]
    assert hull(proof) == ends


def test_a_slice_anywhere_has_any_elements() -> None:
    text = f"""{SUM}
    func.func @main(%x: tensor<6xi8>, %i: tensor<i32>) -> tensor<i8> {{
      %y = stablehlo.dynamic_slice %x, %i, sizes = [4] : (tensor<6xi8>, tensor<i32>) -> tensor<4xi8>
      %a = call @sum(%y) : (tensor<4xi8>) -> tensor<i8>
      return %a : tensor<i8>
    }}"""
    proof = interp.prove(text, {0: np.int8([3, -5, 0, 31, 1, 2])})
    assert [row.verdict for row in proof.rows] == ["proved"]
    assert hull(proof) == (-20, 124)

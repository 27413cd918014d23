"""`compare` of two programs: what is matched with what, and what differs, against programs made by hand."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import interp
from interp.comparison.landmarks import common_subsequence
from interp.comparison.matching import match_landmarks
from interp.comparison.side_by_side import SideBySide, side_by_side
from interp.loading.load import load
from spec.errors import Malformed, Unsupported
from spec.ir import Module
from tests.library.builders import function

Q = "!quant.uniform<i8:f32, 0.5:3>"
X = np.array([0.2, 1.0, -2.6, 200.0], np.float32)

FLOAT = function(
    "(%x: tensor<4xf32>) -> tensor<4xf32>",
    "%c = stablehlo.constant dense<1.0> : tensor<4xf32>",
    "%z = stablehlo.constant dense<0.0> : tensor<4xf32>",
    "%0 = stablehlo.add %x, %c : tensor<4xf32>",
    "%1 = stablehlo.maximum %0, %z : tensor<4xf32>",
    "%2 = stablehlo.multiply %1, %1 : tensor<4xf32>",
    "return %2 : tensor<4xf32>",
)
QUANTIZED = function(
    "(%x: tensor<4xf32>) -> tensor<4xf32>",
    "%c = stablehlo.constant dense<1.0> : tensor<4xf32>",
    "%0 = stablehlo.add %x, %c : tensor<4xf32>",
    "%1 = stablehlo.uniform_quantize %0 : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.5:-128>>",
    "%2 = stablehlo.uniform_dequantize %1 : (tensor<4x!quant.uniform<i8:f32, 0.5:-128>>) -> tensor<4xf32>",
    "%3 = stablehlo.multiply %2, %2 : tensor<4xf32>",
    "return %3 : tensor<4xf32>",
)


def found(left: Module, right: Module, *args: object) -> SideBySide:
    both = interp.compare(left, right, *args)
    assert isinstance(both, SideBySide)
    return both


def names(both: SideBySide) -> list[tuple[str, str, str]]:
    return [(row.left, row.right, row.how) for row in both.rows]


def test_a_program_beside_itself_has_no_difference() -> None:
    both = found(FLOAT, FLOAT, X)
    assert both.ok
    assert (both.first, both.worst) == (None, None)
    assert [row[:2] for row in names(both)] == [(x, x) for x in ("%0", "%1", "%2", "result 0")]
    assert "no difference in any pair" in repr(both)


def test_a_value_is_compared_after_its_conversions_and_an_activation_that_storage_replaces() -> None:
    both = found(FLOAT, QUANTIZED, X)
    # The add stands beside the other's add; but maximum(x, 0) is what storage from 0 to 127.5 does to it.
    assert names(both) == [
        ("%1", "%0", "structure"),
        ("%2", "%3", "structure"),
        ("result 0",) * 2 + ("result",),
    ]
    assert both.unmatched == (("%0",), ())
    clipped, squared, _ = both.rows
    # 1.2, 2, 0 and 201 in halves, at most 127.5: 1, 2, 0 and 127.5.
    assert (clipped.worst, clipped.values) == ((3,), (201.0, 127.5))
    assert clipped.report.disagreeing == 2
    assert squared.values == (201.0**2, 127.5**2)
    signal, noise = 1.2**2 + 2**2 + 201**2, 0.2**2 + 73.5**2
    assert clipped.report.sqnr == pytest.approx(10 * math.log10(signal / noise), rel=1e-6)
    assert both.first is clipped
    assert both.worst is squared
    assert not both.ok


def test_the_order_of_the_programs_turns_the_rows_around() -> None:
    there, back = found(FLOAT, QUANTIZED, X), found(QUANTIZED, FLOAT, X)
    assert [(b, a, how) for a, b, how in names(there)] == names(back)
    assert back.unmatched == ((), ("%0",))


def test_names_that_somebody_chose_match_across_other_operations_and_positions() -> None:
    left = function(
        "(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)",
        "%gate = stablehlo.tanh %x : tensor<4xf32>",
        "%body = stablehlo.abs %x : tensor<4xf32>",
        "return %gate, %body : tensor<4xf32>, tensor<4xf32>",
    )
    right = function(
        "(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)",
        "%body = stablehlo.maximum %x, %x : tensor<4xf32>",
        "%gate = stablehlo.tanh %x : tensor<4xf32>",
        "return %gate, %body : tensor<4xf32>, tensor<4xf32>",
    )
    both = found(left, right, X)
    assert names(both)[:2] == [("%body", "%body", "name"), ("%gate", "%gate", "name")]
    assert both.rows[0].values == (pytest.approx(2.6), pytest.approx(-2.6))


TWO = "(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<{0}xf32>"
ONE, OTHER = (f"%c{k} = stablehlo.constant dense<{k}.0> : tensor<4xf32>" for k in (2, 3))


@pytest.mark.parametrize(
    ("operations", "size"),
    [
        (("tanh %x : tensor<4xf32>", "tanh %y : tensor<4xf32>"), 4),
        (("multiply %x, %c2 : tensor<4xf32>", "multiply %c3, %x : tensor<4xf32>"), 4),
        (
            (
                "slice %x [0:2] : (tensor<4xf32>) -> tensor<2xf32>",
                "slice %x [2:4] : (tensor<4xf32>) -> tensor<2xf32>",
            ),
            2,
        ),
    ],
    ids=["arguments", "constants", "attributes"],
)
def test_permuted_operations_are_matched_by_what_they_compute(operations: tuple[str, str], size: int) -> None:
    def program(first: int) -> Module:
        names = ("%0", "%1") if first == 0 else ("%1", "%0")
        lines = [f"%{k} = stablehlo.{operations[k ^ first]}" for k in (0, 1)]
        last = f"%2 = stablehlo.subtract {', '.join(names)} : tensor<{size}xf32>"
        return function(TWO.format(size), ONE, OTHER, *lines, last, f"return %2 : tensor<{size}xf32>")

    both = found(program(0), program(1), X, X[::-1].copy())
    assert names(both)[:3] == [
        ("%1", "%0", "structure"),
        ("%0", "%1", "structure"),
        ("%2", "%2", "structure"),
    ]
    assert both.first is None


def test_values_of_other_arguments_are_not_aligned() -> None:
    signature = "(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32>"
    left, right = (
        function(signature, f"%0 = stablehlo.tanh {x} : tensor<4xf32>", "return %0 : tensor<4xf32>")
        for x in ("%x", "%y")
    )
    assert names(found(left, right, X, X[::-1].copy())) == [("result 0", "result 0", "result")]


def test_what_reads_other_values_is_no_partner() -> None:
    """The second exponential reads the first on one side, and the negation on the other."""
    left = function(
        "(%x: tensor<4xf32>) -> tensor<4xf32>",
        "%0 = stablehlo.negate %x : tensor<4xf32>",
        "%1 = stablehlo.exponential %0 : tensor<4xf32>",
        "%2 = stablehlo.exponential %1 : tensor<4xf32>",
        "%3 = stablehlo.add %0, %2 : tensor<4xf32>",
        "return %3 : tensor<4xf32>",
    )
    right = function(
        "(%x: tensor<4xf32>) -> tensor<4xf32>",
        "%0 = stablehlo.negate %x : tensor<4xf32>",
        "%1 = stablehlo.exponential %0 : tensor<4xf32>",
        "%2 = stablehlo.exponential %0 : tensor<4xf32>",
        "%3 = stablehlo.add %0, %2 : tensor<4xf32>",
        "return %3 : tensor<4xf32>",
    )
    pairs = {(p.left.value.name, p.right.value.name) for p in match_landmarks(left.main, right.main).pairs()}
    assert {("%0", "%0"), ("%1", "%1")} <= pairs
    assert ("%2", "%2") not in pairs


def test_a_layer_that_one_program_lacks_leaves_the_others_in_place() -> None:
    def layers(count: int, without: int = -1) -> Module:
        lines, last = [], "%x"
        for k in (k for k in range(count) if k != without):
            scale = f"%c{k} = stablehlo.constant dense<{k + 2}.0> : tensor<4xf32>"
            ops = [f"%{2 * k} = stablehlo.multiply {last}, %c{k} : tensor<4xf32>"]
            ops += [f"%{2 * k + 1} = stablehlo.{'tanh' if k == 1 else 'sine'} %{2 * k} : tensor<4xf32>"]
            lines += [scale, *ops]
            last = f"%{2 * k + 1}"
        return function("(%x: tensor<4xf32>) -> tensor<4xf32>", *lines, f"return {last} : tensor<4xf32>")

    both = found(layers(4), layers(4, without=1), X)
    pairs = [(a, b) for a, b, how in names(both) if how != "result"]
    assert pairs == [(f"%{k}", f"%{k}") for k in (0, 1, 4, 5, 6, 7)]
    assert both.unmatched == (("%2", "%3"), ())
    assert both.first is both.rows[2]  # the layer after the one that is missing


def test_integers_are_compared_with_their_own_type_only() -> None:
    text = (
        "(%x: tensor<2xf32>) -> tensor<2x{0}>",
        "%0 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2x{0}>",
    )
    counts = [
        function(
            text[0].format(t),
            text[1].format(t),
            f"%1 = stablehlo.add %0, %0 : tensor<2x{t}>",
            f"return %1 : tensor<2x{t}>",
        )
        for t in ("i32", "f32")
    ]
    both = side_by_side(*counts, [np.ones(2, np.float32)])
    assert [row.how for row in both.rows] == ["result"]
    assert both.unmatched == (("%1",), ("%1",))


def test_arguments_are_translated_to_the_types_of_the_other_program() -> None:
    left = function(
        "(%x: tensor<4xf32>) -> tensor<4xf32>",
        "%0 = stablehlo.negate %x : tensor<4xf32>",
        "return %0 : tensor<4xf32>",
    )
    right = function(
        f"(%x: tensor<4x{Q}>) -> tensor<4x{Q}>",
        f"%0 = stablehlo.negate %x : tensor<4x{Q}>",
        f"return %0 : tensor<4x{Q}>",
    )
    both = found(left, right, X)
    stored = interp.to_storage(X, right.main.inputs[0].type)
    assert both.outputs[1] == interp.run(right, stored)
    assert found(right, left, stored).outputs[1][0].tolist() == [-0.0, -1.0, 2.5, -62.0]


def test_a_function_as_second_argument_is_what_the_first_is_compared_against() -> None:
    import jax.numpy as jnp

    both = interp.compare(FLOAT, lambda x: jnp.maximum(x + 1, 0) ** 2, X)
    assert isinstance(both, interp.Comparison)
    assert both.ok


def test_errors_name_the_side_and_what_to_give() -> None:
    other = function("(%x: tensor<3xf32>) -> tensor<3xf32>", "return %x : tensor<3xf32>")
    with pytest.raises(Malformed, match="return other shapes"):
        interp.compare(FLOAT, other, X)
    longer = function(
        "(%x: tensor<3xf32>) -> tensor<4xf32>",
        "%0 = stablehlo.constant dense<1.0> : tensor<4xf32>",
        "return %0 : tensor<4xf32>",
    )
    with pytest.raises(Malformed, match="right program's argument %x has another shape"):
        interp.compare(FLOAT, longer, X)
    with pytest.raises(Malformed, match="neither a function nor a program"):
        interp.compare(FLOAT, X, against=3)


def test_values_that_do_not_fit_into_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTERP_MEMORY", "70")  # six values of 16 bytes each
    with pytest.raises(Unsupported, match="the values of 3 pairs"):
        interp.compare(FLOAT, FLOAT, X)


def test_values_of_called_functions_are_matched_under_their_names() -> None:
    called = load("""
      func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
        %0 = func.call @twice(%x) : (tensor<4xf32>) -> tensor<4xf32>
        %1 = func.call @twice(%0) : (tensor<4xf32>) -> tensor<4xf32>
        return %1 : tensor<4xf32>
      }
      func.func private @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
        %0 = stablehlo.add %x, %x : tensor<4xf32>
        return %0 : tensor<4xf32>
      }
    """)
    assert [row.left for row in found(called, called, X).rows] == ["@twice/%0", "@twice/%0#2", "result 0"]


@given(st.text("abc", max_size=8), st.text("abc", max_size=8))
def test_a_common_subsequence_is_longest(left: str, right: str) -> None:
    def longest(i: int, j: int) -> int:
        if not (i and j):
            return 0
        if left[i - 1] == right[j - 1]:
            return 1 + longest(i - 1, j - 1)
        return max(longest(i - 1, j), longest(i, j - 1))

    found = common_subsequence(left, right)
    assert len(found) == longest(len(left), len(right))
    assert all(left[i] == right[j] for i, j in found)
    assert all(a[0] < b[0] and a[1] < b[1] for a, b in itertools.pairwise(found))

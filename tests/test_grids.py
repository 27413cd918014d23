"""Contractions of numbers that were dequantized, and then moved or chosen from: the integers are known."""

from __future__ import annotations

import numpy as np
import pytest

import interp
from interp.recorder.products import Products

A, B = "!quant.uniform<i8:f32, 0.5:-3>", "!quant.uniform<i8:f32, 0.25:-3>"
F = "tensor<4xf32>"
X = np.array([-128, -3, 5, 127], np.int8)
POOL = """%v = "stablehlo.reduce_window"(%d, %i) ({{
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %m = stablehlo.{} %l, %r : tensor<f32>
      stablehlo.return %m : tensor<f32>
  }}) {{window_dimensions = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>}}
    : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>"""


def number(name: str, value: str, type: str = "tensor<f32>") -> str:
    return f"%{name} = stablehlo.constant dense<{value}> : {type}"


def products(*lines: str, other: str = A) -> Products:
    """Return the products of a sum of the values %v, which are made of %d = dequantize(%x) and %e, of %z."""
    body = "\n  ".join(lines)
    module = interp.load(f"""func.func @main(%x: tensor<4x{A}>, %z: tensor<4x{other}>) -> tensor<f32> {{
  %d = stablehlo.uniform_dequantize %x : (tensor<4x{A}>) -> {F}
  %e = stablehlo.uniform_dequantize %z : (tensor<4x{other}>) -> {F}
  {body}
  %w = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi8>
  %q = stablehlo.bitcast_convert %w : (tensor<4xi8>) -> tensor<4x{B}>
  %u = stablehlo.uniform_dequantize %q : (tensor<4x{B}>) -> {F}
  %y = stablehlo.dot_general %v, %u, contracting_dims = [0] x [0] : ({F}, {F}) -> tensor<f32>
  return %y : tensor<f32>
}}""")
    found = interp.trace(module, X, X[::-1].copy()).reductions["%y"].products
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([number("i", "0xFF800000"), POOL.format("maximum")], [-128, -3, 5, 127]),
        ([number("i", "0x7F800000"), POOL.format("minimum")], [-128, -128, -3, 5]),
        ([number("i", "0.0"), POOL.format("maximum")], [-3, -3, 5, 127]),  # 0 is the zero point -3
        ([number("i", "0.0", F), f"%v = stablehlo.maximum %d, %i : {F}"], [-3, -3, 5, 127]),
        ([f"%v = stablehlo.minimum %d, %e : {F}"], [-128, -3, -3, -128]),
        (
            [
                number("i", "0.0"),
                number("j", "2.0"),
                f"%v = stablehlo.clamp %i, %d, %j : (tensor<f32>, {F}, tensor<f32>) -> {F}",
            ],
            [-3, -3, 1, 1],
        ),
        (
            [
                number("i", "0.0"),
                "%s = stablehlo.slice %d [1:3] : (tensor<4xf32>) -> tensor<2xf32>",
                "%v = stablehlo.pad %s, %i, low = [1], high = [1], interior = [0]"
                f" : (tensor<2xf32>, tensor<f32>) -> {F}",
            ],
            [-3, -3, 5, -3],
        ),
        (
            [
                "%p = stablehlo.constant dense<[true, false, false, true]> : tensor<4xi1>",
                f"%v = stablehlo.select %p, %d, %e : tensor<4xi1>, {F}",
            ],
            [-128, 5, -3, 127],
        ),
    ],
    ids=["max pool", "min pool", "pool from 0", "relu", "minimum", "clamp", "pad", "select"],
)
def test_the_integers_of_what_is_moved_or_chosen(lines: list[str], expected: list[int]) -> None:
    whole = products(*lines).integers
    assert whole is not None
    assert whole.numbers[0].tolist() == [q + 3 for q in expected]
    assert whole.numbers[1].tolist() == [4, 5, 6, 7]
    assert whole.ranges[0] == (-125, 130)


@pytest.mark.parametrize(
    ("lines", "other"),
    [
        ([f"%v = stablehlo.maximum %d, %e : {F}"], B),
        ([number("i", "0.3", F), f"%v = stablehlo.maximum %d, %i : {F}"], A),
        ([number("i", "[0.0, 0.5, 1.0, 1.5]", F), f"%v = stablehlo.maximum %d, %i : {F}"], A),
        (
            [
                number("i", "-1.0e9", F),
                "%p = stablehlo.constant dense<true> : tensor<4xi1>",
                f"%v = stablehlo.select %p, %d, %i : tensor<4xi1>, {F}",
            ],
            A,
        ),
        ([number("i", "99.7", F), f"%v = stablehlo.minimum %d, %i : {F}"], A),
        ([f"%v = stablehlo.add %d, %e : {F}"], A),
        ([number("i", "0xFF800000"), POOL.format("add")], A),
    ],
    ids=["two scales", "beside the grid", "several numbers", "mask", "bound", "sum", "sum of windows"],
)
def test_what_computes_or_mixes_other_numbers_has_no_integers(lines: list[str], other: str) -> None:
    assert products(*lines, other=other).integers is None


@pytest.mark.parametrize(
    ("type", "x"),
    [("i32:f32, 0.5", 2**24 + 1), ("i16:f16, 0.5", 2049), ("i8:f16, 40000.0", 2), ("i8:f16, 40000.0", 1)],
    ids=["rounded in f32", "rounded in f16", "infinite", "one"],
)
def test_numbers_of_several_integers_have_none(type: str, x: int) -> None:
    """What an operation returns of them does not tell which: 2^24 + 1 is 2^24 in f32."""
    q, (storage, e) = f"!quant.uniform<{type}>", type.split(",")[0].split(":")
    f = f"tensor<1x{e}>"
    module = interp.load(f"""func.func @main(%x: tensor<1x{q}>) -> tensor<{e}> {{
  %d = stablehlo.uniform_dequantize %x : (tensor<1x{q}>) -> {f}
  %v = stablehlo.maximum %d, %d : {f}
  %y = stablehlo.dot_general %v, %v, contracting_dims = [0] x [0] : ({f}, {f}) -> tensor<{e}>
  return %y : tensor<{e}>
}}""")
    found = interp.trace(module, np.array([x], f"int{storage[1:]}")).reductions["%y"].products
    assert found is not None
    whole = found.integers
    assert (whole and whole.numbers[0].tolist()) == ([1] if x == 1 else None)


@pytest.mark.parametrize(("kept", "known"), [(1, True), (0, False)], ids=["each scale apart", "summed"])
@pytest.mark.parametrize("dims", [[0, 1], [1, 0]])
def test_numbers_of_several_scales_are_not_summed_as_integers(
    kept: int, known: bool, dims: list[int]
) -> None:
    """A sum of integers along the dimension of the scales is that of no numbers."""
    q = "!quant.uniform<i8:f32:1, {0.5:3, 0.25}>"
    f, side = "tensor<2x2xf32>", 1 - dims.index(kept)
    module = interp.load(f"""func.func @main(%x: tensor<2x2x{q}>) -> {f} {{
  %d = stablehlo.uniform_dequantize %x : (tensor<2x2x{q}>) -> {f}
  %v = stablehlo.transpose %d, dims = {dims} : ({f}) -> {f}
  %y = stablehlo.dot_general %v, %v, contracting_dims = [{side}] x [{side}] : ({f}, {f}) -> {f}
  return %y : {f}
}}""")
    x = np.array([[1, 2], [3, 4]], np.int8)
    found = interp.trace(module, x).reductions["%y"].products
    assert found is not None
    whole = found.integers
    assert (whole and whole.numbers[0].tolist()) == ((x - [3, 0]).transpose(dims).tolist() if known else None)

"""The float reference of programs that sum the stored integers of quantized values."""

from __future__ import annotations

import numpy as np
import pytest

import interp
from interp.rewrite.float_reference import float_reference

X, W = "!quant.uniform<u8:f32, 0.5:3>", "!quant.uniform<i8:f32:1, {0.25, 0.125}>"
SUMS = "!quant.uniform<i32:f32:1, {0.125, 0.0625}>"
PRODUCT = """%xi = stablehlo.bitcast_convert %x : (tensor<2x3xX>) -> tensor<2x3xui8>
  %xw = stablehlo.convert %xi : (tensor<2x3xui8>) -> tensor<2x3xi32>
  %z = stablehlo.constant dense<3> : tensor<2x3xi32>
  %xs = stablehlo.subtract %xw, %z : tensor<2x3xi32>
  %wi = stablehlo.bitcast_convert %w : (tensor<3x2xW>) -> tensor<3x2xi8>
  %ws = stablehlo.convert %wi : (tensor<3x2xi8>) -> tensor<3x2xi32>
  %p = stablehlo.dot_general %xs, %ws, contracting_dims = [1] x [0]
    : (tensor<2x3xi32>, tensor<3x2xi32>) -> tensor<2x2xi32>
  %c = stablehlo.constant dense<[4, -8]> : tensor<2xi32>
  %b = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<2xi32>) -> tensor<2x2xi32>
  %s = stablehlo.add %p, %b : tensor<2x2xi32>"""
END = """%q = stablehlo.bitcast_convert %s : (tensor<2x2xi32>) -> tensor<2x2xS>
  %y = stablehlo.uniform_dequantize %q : (tensor<2x2xS>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>"""


def program(body: str, end: str = END, result: str = "tensor<2x2xf32>") -> interp.Module:
    text = f"func.func @main(%x: tensor<2x3xX>, %w: tensor<3x2xW>) -> {result} {{\n  {body}\n  {end}\n}}"
    for name, type in (("xX>", X), ("xW>", W), ("xS>", SUMS)):
        text = text.replace(name, f"x{type}>")
    return interp.load(text)


def test_sums_of_stored_integers_are_sums_of_the_numbers() -> None:
    """By hand: the bias 4 and -8 in steps of 1/8 and 1/16 is 0.5 and -0.5; nothing is rounded to steps."""
    x = np.float32([[0.3, -1.1, 2.2], [60.0, 0.1, -1.4]])
    w = np.float32([[0.3, -0.2], [1.7, 0.05], [-0.6, 3.1]])
    (found,) = interp.run(float_reference(program(PRODUCT)), x, w)
    np.testing.assert_allclose(np.asarray(found), x @ w + np.float32([0.5, -0.5]), rtol=1e-5, atol=1e-6)


def test_the_program_itself_keeps_its_integers() -> None:
    x, w = np.uint8([[3, 4, 5], [255, 0, 3]]), np.int8([[1, 2], [3, 4], [5, 6]])
    (found,) = interp.run(program(PRODUCT), x, w)
    sums = (x.astype(int) - 3) @ w.astype(int) + [4, -8]
    assert np.asarray(found).tolist() == (sums * [0.125, 0.0625]).tolist()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("%s = stablehlo.add %p, %b", "%s = stablehlo.xor %p, %b"),
        ("%s = stablehlo.add %p, %b", "%s = stablehlo.maximum %p, %b"),
        (
            "%xw = stablehlo.convert %xi : (tensor<2x3xui8>) -> tensor<2x3xi32>",
            "%xn = stablehlo.convert %xi : (tensor<2x3xui8>) -> tensor<2x3xi8>\n"
            "%xw = stablehlo.convert %xn : (tensor<2x3xi8>) -> tensor<2x3xi32>",
        ),
    ],
    ids=["bits", "no arithmetic", "a conversion that wraps"],
)
def test_other_integers_have_no_float_reference(old: str, new: str) -> None:
    assert old in PRODUCT
    with pytest.raises(interp.Unsupported, match="reinterprets storage"):
        float_reference(program(PRODUCT.replace(old, new)))


def test_integers_that_are_results_have_no_float_reference() -> None:
    with pytest.raises(interp.Unsupported, match="reinterprets storage"):
        float_reference(program(PRODUCT, "return %s : tensor<2x2xi32>", "tensor<2x2xi32>"))

"""Contractions of dequantized numbers (QDQ) in integer accumulators: sums of their integers."""

from __future__ import annotations

import numpy as np
import pytest

import interp
from tests.library.oracles.accumulators_by_hand import BY_HAND, integers, left, products, saturating

QDQ = """!x = !quant.uniform<i8:f32, 0.5:3>
func.func @main(%x: tensor<2x6x!x>, %w: tensor<3x6x{weights}>) -> tensor<2x3xf32> {{
  %0 = stablehlo.uniform_dequantize %x : (tensor<2x6x!x>) -> tensor<2x6xf32>
  %1 = stablehlo.uniform_dequantize %w : (tensor<3x6x{weights}>) -> tensor<3x6xf32>
  {moved}
  %y = stablehlo.dot_general {args} : ({types}) -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}}"""
PER_TENSOR, PER_CHANNEL = "!quant.uniform<i8:f32, 0.25>", "!quant.uniform<i8:f32:0, {0.25, 0.125, 2.0}>"


def simulated(weights: str, transposed: bool) -> interp.Module:
    move = "%2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<3x6xf32>) -> tensor<6x3xf32>"
    args = "%0, %2, contracting_dims = [1] x [0]" if transposed else "%0, %1, contracting_dims = [1] x [1]"
    types = "tensor<2x6xf32>, tensor<6x3xf32>" if transposed else "tensor<2x6xf32>, tensor<3x6xf32>"
    return interp.load(QDQ.format(weights=weights, moved=move if transposed else "", args=args, types=types))


@pytest.mark.parametrize("accumulator", BY_HAND)
@pytest.mark.parametrize(
    ("weights", "transposed", "scales"),
    [
        (PER_TENSOR, False, [0.25] * 3),
        (PER_TENSOR, True, [0.25] * 3),
        (PER_CHANNEL, False, [0.25, 0.125, 2.0]),
    ],
)
def test_dequantized_numbers_by_hand(
    accumulator: str, weights: str, transposed: bool, scales: list[float]
) -> None:
    """Sums of integers times both scales, which are powers of two."""
    module = simulated(weights, transposed)
    for seed in range(5):
        x, w = integers(seed, 2, 6), integers(50 + seed, 3, 6)
        (found,) = interp.run(module, x, w, accumulator={"%y": accumulator})
        shifted = products(x.astype(int) - 3, w.T)
        sums = [[BY_HAND[accumulator](cell) for cell in row] for row in shifted]
        expected = [[s * 0.5 * scale for s, scale in zip(row, scales, strict=True)] for row in sums]
        assert found.storage.tolist() == expected
        assert interp.run(module, x, w, accumulator="i32") == interp.run(module, x, w)


def test_floats_that_are_not_dequantized_alone() -> None:
    """A scale for each channel does not follow a transpose, and nothing follows an addition."""
    args = integers(1, 2, 6), integers(2, 3, 6)
    with pytest.raises(interp.Unsupported, match="not known to be dequantized"):
        interp.run(simulated(PER_CHANNEL, True), *args, accumulator="i16")
    before, after = 'dot_general"(%0, ', 'dot_general"(%s, '
    added = repr(simulated(PER_TENSOR, False)).replace(before, after)
    line = '%s = "stablehlo.add"(%0, %0) : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>'
    module = interp.load(added.replace("    %y =", f"    {line}\n    %y ="))
    assert "stablehlo.add" in repr(module)
    with pytest.raises(interp.Unsupported, match="not known to be dequantized"):
        interp.run(module, *args, accumulator="i16")
    assert interp.run(module, *args, accumulator="f16")


CONVOLUTION = """!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32:3, {0.25, 0.5}>
func.func @main(%x: tensor<1x5x5x2x!x>, %w: tensor<3x3x2x2x!w>) -> tensor<1x5x5x2xf32> {
  %0 = stablehlo.uniform_dequantize %x : (tensor<1x5x5x2x!x>) -> tensor<1x5x5x2xf32>
  %1 = stablehlo.uniform_dequantize %w : (tensor<3x3x2x2x!w>) -> tensor<3x3x2x2xf32>
  %y = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<1x5x5x2xf32>, tensor<3x3x2x2xf32>) -> tensor<1x5x5x2xf32>
  return %y : tensor<1x5x5x2xf32>
}"""


def test_a_convolution_of_dequantized_numbers() -> None:
    """Padding is 0, which is the zero point; the middle element by hand, in 16 bits."""
    module = interp.load(CONVOLUTION)
    x, w = np.full((1, 5, 5, 2), 127, np.int8), np.full((3, 3, 2, 2), 127, np.int8)
    x[0, 2, 2, 1] = -128
    assert interp.run(module, x, w, accumulator="i32") == interp.run(module, x, w)
    (found,) = interp.run(module, x, w, accumulator="i16 saturate")
    middle = left(saturating(16), [124 * 127] * 9 + [-131 * 127] + [124 * 127] * 8)
    assert middle == 32767
    assert found.storage[0, 2, 2].tolist() == [middle * 0.125, middle * 0.25]
    beside = left(saturating(16), [124 * 127] * 17 + [-131 * 127])
    assert found.storage[0, 1, 1].tolist() == [beside * 0.125, beside * 0.25]
    (corner,) = interp.run(module, x, w, accumulator="i18 saturate")
    assert corner.storage[0, 0, 0].tolist() == [8 * 124 * 127 * 0.125, 8 * 124 * 127 * 0.25]

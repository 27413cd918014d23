"""Weights by blocks as exporters spell them: constants of a type with blocks, and the same bits."""

from __future__ import annotations

import numpy as np
import pytest

import interp
from interp.quantization.block_weights import raise_blocks

HEAD = "func.func @main(%x: tensor<2x4xf32>, %s: tensor<2x1x3xf32>) -> tensor<2x3xf32> {"
TAIL = """%y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  return %y : tensor<2x3xf32> }"""
INTEGERS = """%q = stablehlo.constant dense<[[1, -2, 3], [4, -5, 6], [-7, 7, -8], [0, 1, 2]]> : tensor<4x3xi4>
  %k = stablehlo.constant dense<[[[0.5, 0.3, 0.25]], [[0.1, 0.7, 2.0]]]> : tensor<2x1x3xf32>
  %p = stablehlo.constant dense<[[[1, 0, 2]], [[3, 0, -1]]]> : tensor<2x1x3xi4>"""
# Qwix: convert, split into tiles, multiply with the scales of each tile, and join.
TILES = """%f = stablehlo.convert %q : (tensor<4x3xi4>) -> tensor<4x3xf32>
  %t = stablehlo.reshape %f : (tensor<4x3xf32>) -> tensor<2x2x3xf32>
  %b = stablehlo.broadcast_in_dim {0}, dims = [0, 1, 2] : (tensor<2x1x3xf32>) -> tensor<2x2x3xf32>
  %m = stablehlo.multiply %t, %b : tensor<2x2x3xf32>
  %w = stablehlo.reshape %m : (tensor<2x2x3xf32>) -> tensor<4x3xf32>"""
# ONNX: widen, subtract zero points, convert, and multiply with scales that are spread and joined first.
ONNX = """%i = stablehlo.convert %q : (tensor<4x3xi4>) -> tensor<4x3xi32>
  %pb = stablehlo.broadcast_in_dim %p, dims = [0, 1, 2] : (tensor<2x1x3xi4>) -> tensor<2x2x3xi4>
  %pr = stablehlo.reshape %pb : (tensor<2x2x3xi4>) -> tensor<4x3xi4>
  %pi = stablehlo.convert %pr : (tensor<4x3xi4>) -> tensor<4x3xi32>
  %d = stablehlo.subtract %i, %pi : tensor<4x3xi32>
  %f = stablehlo.convert %d : (tensor<4x3xi32>) -> tensor<4x3xf32>
  %b = stablehlo.broadcast_in_dim %k, dims = [0, 1, 2] : (tensor<2x1x3xf32>) -> tensor<2x2x3xf32>
  %r = stablehlo.reshape %b : (tensor<2x2x3xf32>) -> tensor<4x3xf32>
  %w = stablehlo.multiply %f, %r : tensor<4x3xf32>"""


@pytest.mark.parametrize(
    ("spelling", "points"), [(TILES.format("%k"), (0,) * 6), (ONNX, (1, 0, 2, 3, 0, -1))]
)
def test_blocks_are_raised_with_every_bit(spelling: str, points: tuple[int, ...]) -> None:
    program = interp.load("\n".join([HEAD, INTEGERS, spelling, TAIL]))
    found = raise_blocks(program)
    dot = found.module.main.body.ops[-2]
    type = dot.operands[1].type.quantized_element_type
    assert (type.storage_type.name, type.block_sizes, type.zero_points) == ("i4", ((0, 2), (1, 1)), points)
    assert interp.verify(found.module) == []
    x = np.random.default_rng(0).standard_normal((2, 4)).astype(np.float32), np.zeros((2, 1, 3), np.float32)
    before, after = (interp.run(module, *x)[0] for module in (program, found.module))
    assert before.tolist() == after.tolist()


def test_scales_that_are_arguments_have_no_type() -> None:
    program = interp.load("\n".join([HEAD, INTEGERS, TILES.format("%s"), TAIL]))
    found = raise_blocks(program)
    assert found.left == (("%w", "scales or zero points that are arguments have no type"),)
    assert found.raised == ()
    assert "%w stays in floats: scales or zero points that are arguments have no type" in repr(found)

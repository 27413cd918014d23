"""A program on some of its elements: the same bits as those elements of the whole program."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import interp
from interp.engine.inputs import random_arguments
from interp.rewrite.fewer_elements import fewer_elements
from interp.rewrite.inlining import inline_calls
from spec.errors import Unsupported

Q, R = "!quant.uniform<i8:f32, 0.05:3>", "!quant.uniform<i8:f32, 0.9:-4>"
AXIS = "!quant.uniform<i8:f32:{}, {{0.01, 0.02, 0.03, 0.04, 0.05}}>"
CONVOLUTION = """func.func @main(%x: tensor<2x7x6x4x{x}>, %w: tensor<3x2x{g}x6x{w}>)
    -> tensor<2x{h}x{v}x6x{y}> {{
  %y = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {{stride = [2, 1], pad = [[1, 2], [0, 3]], lhs_dilate = [1, {d}], rhs_dilate = [2, 1]}}
    {{batch_group_count = 1 : i64, feature_group_count = {n} : i64}}
    : (tensor<2x7x6x4x{x}>, tensor<3x2x{g}x6x{w}>) -> tensor<2x{h}x{v}x6x{y}>
  return %y : tensor<2x{h}x{v}x6x{y}> }}"""
convolution = partial(CONVOLUTION.format, h=3, v=8, d=1)
PROGRAMS = {
    "dense": f"""func.func @main(%x: tensor<6x20x{Q}>, %w: tensor<20x5x{AXIS.format(1)}>, %b: tensor<5x{R}>)
        -> tensor<6x5x{R}> {{
      %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
        : (tensor<6x20x{Q}>, tensor<20x5x{AXIS.format(1)}>) -> tensor<6x5x{R}>
      %s = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<5x{R}>) -> tensor<6x5x{R}>
      %y = stablehlo.add %p, %s : tensor<6x5x{R}>
      return %y : tensor<6x5x{R}> }}""",
    "batches": """func.func @main(%x: tensor<2x4x3x8xf32>, %w: tensor<2x8x4x5xf32>) -> tensor<5x3x4x2xf32> {
      %p = stablehlo.dot_general %x, %w, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1]
        : (tensor<2x4x3x8xf32>, tensor<2x8x4x5xf32>) -> tensor<2x4x3x5xf32>
      %y = stablehlo.transpose %p, dims = [3, 2, 1, 0] : (tensor<2x4x3x5xf32>) -> tensor<5x3x4x2xf32>
      return %y : tensor<5x3x4x2xf32> }""",
    "two products": """func.func @main(%x: tensor<4x6xf32>, %v: tensor<6x7xf32>, %w: tensor<7x3xf32>)
        -> tensor<4x3xf32> {
      %h = stablehlo.dot_general %x, %v, contracting_dims = [1] x [0]
        : (tensor<4x6xf32>, tensor<6x7xf32>) -> tensor<4x7xf32>
      %t = stablehlo.negate %h : tensor<4x7xf32>
      %y = stablehlo.dot_general %t, %w, contracting_dims = [1] x [0]
        : (tensor<4x7xf32>, tensor<7x3xf32>) -> tensor<4x3xf32>
      return %y : tensor<4x3xf32> }""",
    "means": """func.func @main(%x: tensor<3x4x10xf32>) -> tensor<4x3xf32> {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %n = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
      %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [2]
        : (tensor<3x4x10xf32>, tensor<f32>) -> tensor<3x4xf32>
      %m = stablehlo.broadcast_in_dim %n, dims = [0] : (tensor<3xf32>) -> tensor<3x4xf32>
      %d = stablehlo.divide %s, %m : tensor<3x4xf32>
      %y = stablehlo.transpose %d, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
      return %y : tensor<4x3xf32> }""",
    "flattened": """func.func @main(%x: tensor<3x2x2x4xf32>, %w: tensor<16x5xf32>) -> tensor<3x5xf32> {
      %f = stablehlo.reshape %x : (tensor<3x2x2x4xf32>) -> tensor<3x16xf32>
      %y = stablehlo.dot_general %f, %w, contracting_dims = [1] x [0]
        : (tensor<3x16xf32>, tensor<16x5xf32>) -> tensor<3x5xf32>
      return %y : tensor<3x5xf32> }""",
    "slices": """func.func @main(%x: tensor<9x8xf32>) -> tensor<12xf32> {
      %s = stablehlo.slice %x [1:8:2, 2:5] : (tensor<9x8xf32>) -> tensor<4x3xf32>
      %y = stablehlo.reshape %s : (tensor<4x3xf32>) -> tensor<12xf32>
      return %y : tensor<12xf32> }""",
    "convolution": convolution(x="f32", w="f32", y="f32", g=4, n=1),
    "groups": convolution(x="f32", w="f32", y="f32", g=2, n=2),
    "quantized convolution": convolution(x=Q, w="!quant.uniform<i8:f32, 0.02>", y=R, g=4, n=1),
    "dilated": CONVOLUTION.format(x="f32", w="f32", y="f32", g=4, n=1, h=3, v=13, d=2),
}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("schedule", ["left", "balanced", "blocks(3)"])
def test_chosen_elements_have_the_bits_of_the_whole_program(name: str, schedule: str) -> None:
    module = interp.load(PROGRAMS[name])
    args = random_arguments(module.main, 3)
    flat = inline_calls(module, module.main)
    (whole,) = interp.run(module, *args, schedule=schedule)
    rng = np.random.default_rng(5)
    for rows in (1, 7, whole.storage.size):
        at = rng.choice(whole.storage.size, rows, replace=False)
        few = fewer_elements(flat, at)
        known = dict(zip((v.name for v in flat.main.inputs), args, strict=True))
        (found,) = interp.run(few.module, *few.args(known.__getitem__), schedule=schedule)
        assert found.storage.tobytes() == whole.storage.reshape(-1)[at].tobytes()


@pytest.mark.parametrize("reading", ["dequantize", "integer"])
@pytest.mark.parametrize("name", ["dense", "quantized convolution"])
def test_readings_are_those_of_the_whole_program(name: str, reading: str) -> None:
    module = interp.load(PROGRAMS[name])
    args, flat = random_arguments(module.main, 3), inline_calls(module, module.main)
    (whole,) = interp.run(module, *args, reading=reading)
    few = fewer_elements(flat, np.arange(whole.storage.size)[::-1])
    known = dict(zip((v.name for v in flat.main.inputs), args, strict=True))
    (found,) = interp.run(few.module, *few.args(known.__getitem__), reading=reading)
    assert found.storage.tolist() == whole.storage.reshape(-1)[::-1].tolist()


@pytest.mark.parametrize("name", ["convolution", "groups", "dilated"])
def test_padding_is_a_product_of_zero_for_infinities_and_nan_too(name: str) -> None:
    module = interp.load(PROGRAMS[name])
    image, kernel = random_arguments(module.main, 3)
    kernel = np.where(np.random.default_rng(4).random(kernel.shape) < 0.03, np.inf, kernel).astype("f4")
    kernel[0, 0, 0, 0] = np.nan
    (whole,) = interp.run(module, image, kernel)
    assert 0 < np.isfinite(whole.storage).sum() < whole.storage.size
    few = fewer_elements(module, np.arange(whole.storage.size))
    given = dict(zip((v.name for v in module.main.inputs), (image, kernel), strict=True))
    (found,) = interp.run(few.module, *few.args(given.__getitem__))
    np.testing.assert_array_equal(found.storage, whole.storage.reshape(-1))


def test_what_mixes_elements_is_refused() -> None:
    module = interp.load("""func.func @main(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
      %y = stablehlo.reverse %x, dims = [1] : tensor<4x6xf32>
      return %y : tensor<4x6xf32> }""")
    with pytest.raises(Unsupported, match="reverse"):
        fewer_elements(module, np.arange(3))

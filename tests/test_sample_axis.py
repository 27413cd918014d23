"""The dimension of a survey's samples in a value: what changes with one of them; all sizes are 3."""

from __future__ import annotations

import numpy as np
import pytest

import interp
from interp.rewrite.fewer_samples import sample_axes
from tests.library.builders import function

T, U = "tensor<3x3xf32>", "tensor<3x3x3xf32>"
IMAGE = "tensor<3x3x3x1xf32>"
X = np.arange(9, dtype=np.float32).reshape(3, 3) / 4
CASES = {
    "elementwise": ("tanh %x : {T}", T, 0),
    "transpose": ("transpose %x, dims = [1, 0] : ({T}) -> {T}", T, 1),
    "rotated": ("transpose %u, dims = [2, 0, 1] : ({U}) -> {U}", U, 1),
    "broadcast": ("broadcast_in_dim %x, dims = [2, 0] : ({T}) -> {U}", U, 2),
    "reshape": ("reshape %x : ({T}) -> tensor<1x3x3xf32>", "tensor<1x3x3xf32>", 1),
    "merged": ("reshape %x : ({T}) -> tensor<9xf32>", "tensor<9xf32>", None),
    "reduced samples": ("reduce(%x init: %z) applies stablehlo.add across dimensions = [0] "
                        ": ({T}, tensor<f32>) -> tensor<3xf32>", "tensor<3xf32>", None),
    "reduced": ("reduce(%x init: %z) applies stablehlo.add across dimensions = [1] "
                ": ({T}, tensor<f32>) -> tensor<3xf32>", "tensor<3xf32>", 0),
    "left": ("dot_general %x, %w, contracting_dims = [1] x [0] : ({T}, {T}) -> {T}", T, 0),
    "right": ("dot_general %w, %x, contracting_dims = [1] x [1] : ({T}, {T}) -> {T}", T, 1),
    "summed": ("dot_general %x, %w, contracting_dims = [0] x [0] : ({T}, {T}) -> {T}", T, None),
    "both": ("dot_general %x, %x, contracting_dims = [1] x [1] : ({T}, {T}) -> {T}", T, None),
    "batched": ("dot_general %x, %x, batching_dims = [0] x [0], contracting_dims = [1] x [1] "
                ": ({T}, {T}) -> tensor<3xf32>", "tensor<3xf32>", 0),
    "reversed": ("reverse %x, dims = [0] : {T}", T, None),
    "reversed otherwise": ("reverse %x, dims = [1] : {T}", T, 0),
    "joined": ("concatenate %x, %x, dim = 1 : ({T}, {T}) -> tensor<3x6xf32>", "tensor<3x6xf32>", 0),
    "sliced": ("slice %x [0:2, 0:3] : ({T}) -> tensor<2x3xf32>", "tensor<2x3xf32>", None),
    "shifted": ("pad %x, %z, low = [1, 0], high = [-1, 0], interior = [0, 0] "
                ": ({T}, tensor<f32>) -> {T}", T, None),
    "edged": ("pad %x, %z, low = [0, 1], high = [0, -1], interior = [0, 0] "
              ": ({T}, tensor<f32>) -> {T}", T, 0),
    "bits": ("bitcast_convert %x : ({T}) -> tensor<3x3xi32>", "tensor<3x3xi32>", 0),
    "parts of bits": ("bitcast_convert %x : ({T}) -> tensor<3x3x4xi8>", "tensor<3x3x4xi8>", None),
    "mixed": ("cholesky %x, lower = true : {T}", T, None),
    "constant": ("tanh %w : {T}", T, None),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_one_sample_changes_its_own_numbers_alone(name: str) -> None:
    line, type, expected = CASES[name]
    module = function(
        f"(%x: {T}) -> {type}",
        f"%w = stablehlo.constant dense<{(X * 2 - 1).tolist()}> : {T}",
        "%z = stablehlo.constant dense<0.0> : tensor<f32>",
        f"%u = stablehlo.broadcast_in_dim %x, dims = [0, 2] : ({T}) -> {U}",
        "%y = stablehlo." + line.format(T=T, U=U),
        f"return %y : {type}",
    )
    axis = sample_axes(module, 3).get("%y")
    assert axis == expected
    before = interp.run(module, X)[0].storage
    for sample in range(3 if axis is not None else 0):
        x = X.copy()
        x[sample] += 8
        changed = np.moveaxis(interp.run(module, x)[0].storage != before, axis or 0, 0)
        assert changed[sample].any()
        assert not np.delete(changed, sample, 0).any()


@pytest.mark.parametrize(("dimension", "expected"), [(-1, 0), (-2, None), (0, None), (1, 0)])
def test_a_sort_mixes_the_samples_of_its_dimension(dimension: int, expected: int | None) -> None:
    module = function(
        f"(%x: {T}) -> {T}",
        '%y = "stablehlo.sort"(%x) ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>):',
        "%c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>",
        "stablehlo.return %c : tensor<i1> })",
        f"{{dimension = {dimension} : i64}} : ({T}) -> {T}",
        f"return %y : {T}",
    )
    assert sample_axes(module, 3)["%y"] == expected


def test_a_barrier_passes_each_operand_alone() -> None:
    module = function(
        f"(%x: {T}) -> {T}",
        f"%w = stablehlo.constant dense<1.0> : {T}",
        f"%t = stablehlo.transpose %x, dims = [1, 0] : ({T}) -> {T}",
        f"%y:3 = stablehlo.optimization_barrier %x, %w, %t : {T}, {T}, {T}",
        f"return %y#1 : {T}",
    )
    axes = sample_axes(module, 3)
    assert (axes["%y#0"], "%y#1" in axes, axes["%y#2"]) == (0, False, 1)


@pytest.mark.parametrize(("dimensions", "axis"), [("b, 0, 1, f", 2), ("0, b, 1, f", None)])
def test_a_convolution_keeps_samples_in_its_batch_alone(dimensions: str, axis: int | None) -> None:
    module = function(
        f"(%x: {IMAGE}) -> {IMAGE}",
        "%k = stablehlo.constant dense<1.0> : tensor<1x1x1x1xf32>",
        f"%y = stablehlo.convolution(%x, %k) dim_numbers = [{dimensions}]x[0, 1, i, o]->[0, 1, b, f], "
        "window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}"
        f" : ({IMAGE}, tensor<1x1x1x1xf32>) -> {IMAGE}",
        f"return %y : {IMAGE}",
    )
    assert sample_axes(module, 3)["%y"] == axis


def test_a_survey_of_transposed_values_names_the_sample_and_leaves_out_filling() -> None:
    q = "tensor<4x4x!quant.uniform<i8:f32, 0.01>>"
    t = "tensor<4x4xf32>"
    module = function(
        f"(%x: {t}) -> {t}",
        f"%0 = stablehlo.transpose %x, dims = [1, 0] : ({t}) -> {t}",
        f"%1 = stablehlo.uniform_quantize %0 : ({t}) -> {q}",
        f"%2 = stablehlo.uniform_dequantize %1 : ({q}) -> {t}",
        f"%3 = stablehlo.transpose %2, dims = [1, 0] : ({t}) -> {t}",
        f"return %3 : {t}",
    )
    x = np.zeros((3, 4), np.float32)
    x[2] = 9  # and 1.27 is the greatest number
    found = interp.survey(module, interp.batched(module, x))
    layer = found["%0"]
    assert (layer.elements, layer.unequal) == (12, 4)
    assert layer.worst is not None
    assert (layer.worst.samples, layer.worst.place) == ((2, 2), (0, 2))
    assert layer.noisiest.samples == (2, 2)
    assert [(e.count, e.worst_at) for e in found.events] == [(4, (2, 2))]


@pytest.mark.parametrize(("size", "padding", "axis"), [(1, 0, 0), (1, 1, None), (3, 0, None)])
def test_windows_keep_samples_that_they_do_not_join_or_move(
    size: int, padding: int, axis: int | None
) -> None:
    n = 3 + padding - size + 1
    module = function(
        f"(%x: {T}) -> tensor<{n}x1xf32>",
        "%z = stablehlo.constant dense<0.0> : tensor<f32>",
        f"""%y = "stablehlo.reduce_window"(%x, %z) ({{
          ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            %s = stablehlo.add %a, %b : tensor<f32>
            stablehlo.return %s : tensor<f32>
          }}) {{window_dimensions = array<i64: {size}, 3>,
            padding = dense<[[{padding}, 0], [0, 0]]> : tensor<2x2xi64>}}
          : ({T}, tensor<f32>) -> tensor<{n}x1xf32>""",
        f"return %y : tensor<{n}x1xf32>",
    )
    assert sample_axes(module, 3).get("%y") == axis


LOOP = """%y:2 = stablehlo.while(%i = %none, %v = %w) : tensor<i32>, {T}
  cond {{ %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1> }}
  do {{ %j = stablehlo.add %i, %one : tensor<i32>
    %u = {next}
    stablehlo.return %j, %u : tensor<i32>, {T} }}"""
BRANCH = """%y = "stablehlo.if"(%p) ({{ stablehlo.return %w : {T} }},
  {{ %a = {next}
  stablehlo.return %a : {T} }}) : (tensor<i1>) -> {T}"""
CONTROL = {
    "loop": (LOOP, "stablehlo.add %v, %x : {T}", 0),
    "loop that turns": (LOOP, "stablehlo.transpose %x, dims = [1, 0] : ({T}) -> {T}", 1),
    "loop that mixes": (LOOP, "stablehlo.reverse %x, dims = [0] : {T}", None),
    "loop without samples": (LOOP, "stablehlo.add %v, %v : {T}", None),
    "branch": (BRANCH, "stablehlo.tanh %x : {T}", 0),
    "branch that mixes": (BRANCH, "stablehlo.reverse %x, dims = [0] : {T}", None),
}


@pytest.mark.parametrize("name", CONTROL)
def test_samples_stay_apart_in_loops_and_branches(name: str) -> None:
    form, line, expected = CONTROL[name]
    result = "%y#1" if form == LOOP else "%y"
    module = function(
        f"(%x: {T}, %n: tensor<i32>, %p: tensor<i1>) -> {T}",
        f"%w = stablehlo.constant dense<0.5> : {T}",
        "%none = stablehlo.constant dense<0> : tensor<i32>",
        "%one = stablehlo.constant dense<1> : tensor<i32>",
        form.format(T=T, next=line.format(T=T)),
        f"return {result} : {T}",
    )
    axes = sample_axes(module, 3, ["%x"])
    assert axes.get(result) == expected
    assert (result in axes) == (name != "loop without samples")
    before = interp.run(module, X, np.int32(2), np.bool_(False))[0].storage
    for sample in range(3 if expected is not None else 0):
        x = X.copy()
        x[sample] += 8
        after = interp.run(module, x, np.int32(2), np.bool_(False))[0].storage
        changed = np.moveaxis(after != before, expected or 0, 0)
        assert changed[sample].any()
        assert not np.delete(changed, sample, 0).any()


def test_what_samples_decide_has_none_apart() -> None:
    module = function(
        f"(%x: {T}, %q: tensor<3xi1>) -> {T}",
        "%r = stablehlo.slice %q [0:1] : (tensor<3xi1>) -> tensor<1xi1>",
        "%p = stablehlo.reshape %r : (tensor<1xi1>) -> tensor<i1>",
        f'%y = "stablehlo.if"(%p) ({{ stablehlo.return %x : {T} }}, {{ stablehlo.return %x : {T} }})'
        f" : (tensor<i1>) -> {T}",
        f"return %y : {T}",
    )
    assert sample_axes(module, 3)["%y"] is None
    assert sample_axes(module, 3, ["%x"])["%y"] == 0

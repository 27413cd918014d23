"""Programs on some of their samples: on the rows that were taken, they give the bits of the whole program."""

from __future__ import annotations

import numpy as np
import pytest

import interp
from interp.rewrite.fewer_samples import fewer_samples
from spec.ir import Module

ROWS = (0, 3, 17, 39)


def network() -> Module:
    """Return a program with a call, a number for each sample, a maximum's index, and weights."""
    rows = ", ".join(f"[{k}, {-k}]" for k in range(40))
    return interp.load(f"""
        func.func private @scaled(%x: tensor<40x2xi32>) -> tensor<40x2xi32> {{
          %c = stablehlo.constant dense<[{rows}]> : tensor<40x2xi32>
          %y = stablehlo.multiply %x, %c : tensor<40x2xi32>
          return %y : tensor<40x2xi32>
        }}
        func.func @main(%x: tensor<40x3xi32>, %w: tensor<3x2xi32>, %i: tensor<i32>)
          -> (tensor<40xi32>, tensor<40x1x2xi32>) {{
          %d = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
            : (tensor<40x3xi32>, tensor<3x2xi32>) -> tensor<40x2xi32>
          %s = call @scaled(%d) : (tensor<40x2xi32>) -> tensor<40x2xi32>
          %t = stablehlo.transpose %s, dims = [1, 0] : (tensor<40x2xi32>) -> tensor<2x40xi32>
          %r = stablehlo.reduce(%t init: %i) applies stablehlo.add across dimensions = [0]
            : (tensor<2x40xi32>, tensor<i32>) -> tensor<40xi32>
          %b = stablehlo.slice %s [0:40, 0:2] : (tensor<40x2xi32>) -> tensor<40x2xi32>
          %o = stablehlo.reshape %b : (tensor<40x2xi32>) -> tensor<40x1x2xi32>
          return %r, %o : tensor<40xi32>, tensor<40x1x2xi32>
        }}""")


def test_the_rows_are_those_of_the_whole_program() -> None:
    m = network()
    rng = np.random.default_rng(0)
    x, w = (rng.integers(-9, 10, shape, np.int32) for shape in ((40, 3), (3, 2)))
    fewer = fewer_samples(m, m.main, ROWS)
    assert fewer is not None
    assert interp.verify(fewer.module, mode="mlir") == []
    assert (fewer.module.dialect, fewer.module.source) == (m.dialect, m.source)
    inputs = zip(m.main.inputs, (x, w), (x[[*ROWS]], w), strict=False)  # weights have no samples
    assert all(np.array_equal(fewer.of(value, whole, ROWS), some) for value, whole, some in inputs)
    (t,) = (op.result for op in fewer.func.body.ops if op.name == "stablehlo.transpose")
    assert np.array_equal(fewer.of(t, np.arange(80).reshape(2, 40), ROWS), [[*ROWS], [40, 43, 57, 79]])
    wanted = interp.run(m, x, w, np.int32(5))
    found = interp.run(fewer.module, x[[*ROWS]], w, np.int32(5))
    for a, b in zip(found, wanted, strict=True):
        assert np.array_equal(a.storage, b.storage[[*ROWS]])


def test_each_operation_has_its_original() -> None:
    m = network()
    fewer = fewer_samples(m, m.main, ROWS)
    assert fewer is not None
    every = list(m.ops())
    assert all(any(op is other for other in every) for op in fewer.originals.values())
    named = {op.name for op in fewer.originals.values()}
    assert {"stablehlo.multiply", "stablehlo.reduce", "stablehlo.dot_general"} <= named


@pytest.mark.parametrize(
    "body",
    [
        "%y = stablehlo.reverse %x, dims = [0] : tensor<40x3xi32>",
        "%y = stablehlo.slice %x [1:40, 0:3] : (tensor<40x3xi32>) -> tensor<39x3xi32>",
        "%u = stablehlo.reverse %x, dims = [0] : tensor<40x3xi32> %y = stablehlo.abs %x : tensor<40x3xi32>",
        "%y = stablehlo.custom_call @other(%x) : (tensor<40x3xi32>) -> tensor<40x3xi32>",
    ],
)
def test_what_mixes_samples_or_is_unknown_is_refused(body: str) -> None:
    type = body.rpartition(" ")[2]
    m = interp.load(f"func.func @main(%x: tensor<40x3xi32>) -> {type} {{ {body} return %y : {type} }}")
    assert fewer_samples(m, m.main, ROWS) is None


def test_a_scale_for_each_sample_is_refused() -> None:
    scales = ", ".join(f"{0.1 * (k + 1):.1f}" for k in range(40))
    q = f"!quant.uniform<i8:f32:0, {{{scales}}}>"
    m = interp.load(f"""func.func @main(%x: tensor<40x3xf32>) -> tensor<40x3xf32> {{
      %q = stablehlo.uniform_quantize %x : (tensor<40x3xf32>) -> tensor<40x3x{q}>
      %y = stablehlo.uniform_dequantize %q : (tensor<40x3x{q}>) -> tensor<40x3xf32>
      return %y : tensor<40x3xf32>
    }}""")
    assert fewer_samples(m, m.main, ROWS) is None

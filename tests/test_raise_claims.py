"""Each claim of `raise_qdq`, "differs by at most k steps", against the float program on the same inputs."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interp
from interp.apps.quantization.raise_qdq import Raised, raise_qdq
from tests.library.strategies.qdq_programs import KINDS, drawn, tensor


def measured(raised: Raised, args: list[np.ndarray]) -> float:
    """Return the most steps, of the result's type, by which the program differs from its regions."""
    (wanted,), (got,) = (interp.run(m, *args) for m in (raised.regions, raised.module))
    if (wanted.storage == got.storage).all():
        return 0
    made = {v.name: op for op in raised.regions.main.body.ops for v in op.results}
    (value,) = raised.regions.main.body.returns
    (spec,) = made[value.name]["output_specs"]
    if not hasattr(spec, "scales"):
        return np.inf  # a float has no steps
    return float(np.rint(np.abs(got.storage - wanted.storage) / np.float32(spec.scale)).max())


@settings(max_examples=60)
@given(
    seed=st.integers(0, 2**40), kind=st.sampled_from(KINDS), flow=st.sampled_from(["stablehlo", "codegen"])
)
def test_no_kernel_differs_by_more_than_is_claimed(seed: int, kind: str, flow: str) -> None:
    text, args = drawn(Random(seed), kind)
    raised = raise_qdq(interp.load(text), flow=flow)
    kernels = [rewrite for rewrite in raised.rewrites if rewrite.kernel != "uniform_quantize"]
    steps = [rewrite.steps for rewrite in kernels]
    assert len(steps) <= 1
    assert len(steps) or raised.left
    if None not in steps:
        assert measured(raised, args) <= sum(n for n in steps if n is not None), f"{text}\n{raised}"


A, B = "!quant.uniform<i8:f32, 0.5>", "!quant.uniform<i8:f32, 0.25>"


def simulated(body: str, result: str, shape: tuple[int, ...] = (4, 2), out: tuple[int, ...] = (4,)) -> str:
    """Return a program of a kernel on a quantized argument, whose result is quantized unless it is `f32`."""
    x, y = tensor(shape), tensor(out)
    end = "%y" if result == "f32" else "%e"
    simulated = f"""%p = stablehlo.uniform_quantize %y : ({y}) -> {tensor(out, result)}
      %e = stablehlo.uniform_dequantize %p : ({tensor(out, result)}) -> {y}"""
    return f"""func.func @main(%arg0: {x}) -> {y} {{
      %q = stablehlo.uniform_quantize %arg0 : ({x}) -> {tensor(shape, A)}
      %x = stablehlo.uniform_dequantize %q : ({tensor(shape, A)}) -> {x}
      {body}
      {"" if result == "f32" else simulated}
      return {end} : {y}
    }}"""


MEAN = """%zero = stablehlo.constant dense<0.0> : tensor<f32>
      %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<4xf32>
      %n = stablehlo.constant dense<3.0> : tensor<4xf32>
      %y = stablehlo.divide %s, %n : tensor<4xf32>"""  # noqa: E501


def test_a_mean_that_stays_a_float_has_no_claim() -> None:
    """1.5 / 3 is 0.5, but 3 steps of the scale 0.5 / 3 are 0.5 only if no rounding is lost."""
    raised = raise_qdq(interp.load(simulated(MEAN, "f32", (4, 3))))
    (rewrite,) = raised.rewrites
    assert rewrite.steps is None
    assert "differs by not bounded" in str(rewrite)
    x = np.array([[0.5, 0, 0], [1, 1.5, 1], [3, 3.5, -63], [60, 63.5, 60]], np.float32)
    assert measured(raised, [x]) == np.inf
    (rewrite,) = raise_qdq(interp.load(simulated(MEAN, A, (4, 3)))).rewrites
    assert rewrite.steps == 1


def test_what_stays_in_float_is_not_merged() -> None:
    body = """%c = stablehlo.tanh %x : tensor<4xf32>
      %k = stablehlo.constant dense<3.0> : tensor<4xf32>
      %m = stablehlo.maximum %c, %k : tensor<4xf32>
      %y = stablehlo.sort_free %m : tensor<4xf32>""".replace("sort_free", "cosine")
    raised = raise_qdq(interp.load(simulated(body, A, (4,))))
    left = {each.operation for each in raised.left}
    merged = {name for rewrite in raised.rewrites for name in rewrite.merged}
    assert not left & merged
    assert "cosine" in left | merged


@pytest.mark.parametrize(("bits", "steps"), [(8, 1), (16, None)])
def test_a_sum_has_a_claim_only_if_i32_holds_it(bits: int, steps: int | None) -> None:
    """65,538 numbers of i16 reach 2^31 + 2^16; of i8 they stay below 2^24."""
    n = 65538
    element = f"!quant.uniform<i{bits}:f32, 1.0>"
    text = f"""func.func @main(%arg0: tensor<1x{n}xf32>) -> tensor<1xf32> {{
      %q = stablehlo.uniform_quantize %arg0 : (tensor<1x{n}xf32>) -> tensor<1x{n}x{element}>
      %x = stablehlo.uniform_dequantize %q : (tensor<1x{n}x{element}>) -> tensor<1x{n}xf32>
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %y = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<1x{n}xf32>, tensor<f32>) -> tensor<1xf32>
      %p = stablehlo.uniform_quantize %y : (tensor<1xf32>) -> tensor<1x!quant.uniform<i8:f32, 1.0e+07>>
      %e = stablehlo.uniform_dequantize %p : (tensor<1x!quant.uniform<i8:f32, 1.0e+07>>) -> tensor<1xf32>
      return %e : tensor<1xf32>
    }}"""  # noqa: E501
    (rewrite,) = raise_qdq(interp.load(text)).rewrites
    assert rewrite.steps == steps


def test_bf16_has_no_claim_where_storage_is_widened() -> None:
    """bf16 has 8 bits: numbers of i16 change in its quotients, and a sum with i8 is off by steps."""
    body = "%y = stablehlo.add %x, %x : tensor<4xf32>"
    for result, steps in ((B, 0), ("!quant.uniform<i16:f32, 0.25>", None)):
        text = simulated(body, result, (4,)).replace("f32", "bf16")
        (rewrite,) = raise_qdq(interp.load(text)).rewrites
        assert rewrite.steps == steps


def test_per_axis_scales_keep_their_float_reference() -> None:
    """A factor is merged into the scales of each channel: `compare` and `survey` multiply by the ratios."""
    weights = "!quant.uniform<i8:f32:1, {0.1, 0.3}>"
    body = f"""%w = stablehlo.constant dense<[[1.0, 2.0], [0.5, -3.0]]> : tensor<2x2xf32>
      %wq = stablehlo.uniform_quantize %w : (tensor<2x2xf32>) -> tensor<2x2x{weights}>
      %wd = stablehlo.uniform_dequantize %wq : (tensor<2x2x{weights}>) -> tensor<2x2xf32>
      %s = stablehlo.dot_general %x, %wd, contracting_dims = [1] x [0] : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
      %k = stablehlo.constant dense<0.3> : tensor<4x2xf32>
      %y = stablehlo.multiply %s, %k : tensor<4x2xf32>"""  # noqa: E501
    raised = raise_qdq(interp.load(simulated(body, B, (4, 2), (4, 2))))
    assert "stablehlo.bitcast_convert" in {op.name for op in raised.module.ops()}
    x = np.array([[1, 2], [-1, 0.5], [3, -4], [0, 0.5]], np.float32)
    found = interp.compare(raised.module, x)
    numbers = np.array([[1.0, 2.0], [0.5, -3.0]])
    assert np.allclose(found.reference[0], x @ numbers * 0.3, rtol=1e-6)
    assert found.ok
    assert found.results[0].bound is not None
    bare = interp.compare(replace(raised.module, reference=None, origin=""), x)
    numbers[0, 1] = 2.1  # 7 steps of 0.3
    assert np.allclose(bare.reference[0], x @ numbers * 0.3, rtol=1e-6)
    assert interp.survey(raised.module, [(x,)])


def test_a_kernel_is_not_named_after_what_stays_in_float() -> None:
    """A product with weights in float is left there; the transposition before it is merged."""
    body = f"""%w = stablehlo.constant dense<[[1.0, 2.5], [0.5, -3.0], [1.0, 0.1], [0.7, 0.3]]> : {tensor((4, 2))}
      %t = stablehlo.transpose %x, dims = [1, 0] : ({tensor((4, 2))}) -> {tensor((2, 4))}
      %y = stablehlo.dot_general %t, %w, contracting_dims = [1] x [0] : ({tensor((2, 4))}, {tensor((4, 2))}) -> {tensor((2, 2))}"""  # noqa: E501
    raised = raise_qdq(interp.load(simulated(body, B, (4, 2), (2, 2))))
    assert [left.operation for left in raised.left] == ["dot_general"]
    (rewrite,) = raised.rewrites
    assert (rewrite.kernel, rewrite.merged) == ("generic.transpose", ("transpose",))

"""Batch norm merged into the weights before it: equal in reals, and only where nothing else reads between."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import interp
from interp.apps.quantization.decisions import Choices
from interp.apps.quantization.kernels import kernels
from interp.apps.quantization.prepare import prepare
from interp.apps.quantization.targets import TARGETS
from spec.ir import Module

RNG = np.random.default_rng(3)
KERNEL, DENSE = RNG.normal(size=(3, 3, 2, 4)).astype("f"), RNG.normal(size=(6, 4)).astype("f")
MEAN, SCALE, OFFSET, BIAS = RNG.normal(size=(4, 4)).astype("f")
VARIANCE = RNG.uniform(0.5, 2, size=4).astype("f")
X = RNG.normal(size=(2, 4, 4, 2)).astype("f")
LAYOUT = ("NHWC", "HWIO", "NHWC")


def convolved(x: Any) -> Any:
    return lax.conv_general_dilated(x, KERNEL, (1, 1), "SAME", dimension_numbers=LAYOUT)


def normalized(y: Any) -> Any:
    return (y - MEAN) / jnp.sqrt(VARIANCE + 1e-3) * SCALE + OFFSET


def flax_like(x: Any) -> Any:
    factor = lax.rsqrt(jnp.asarray(VARIANCE) + 1e-3) * SCALE
    return (convolved(x) + BIAS - MEAN) * factor + OFFSET


def names(module: Module) -> list[str]:
    return [op.name.removeprefix("stablehlo.") for op in module.main.body.ops if op.operands][:-1]


def prepared(function: Any, x: np.ndarray) -> tuple[Module, Choices]:
    choices = Choices()
    return prepare(interp.load((function, (x,))), TARGETS["int8"], choices), choices


MERGED = ["broadcast_in_dim", "add"]


@pytest.mark.parametrize(
    ("function", "x", "contraction"),
    [
        (lambda x: normalized(convolved(x)), X, "convolution"),
        (flax_like, X, "convolution"),
        (lambda x: 0.5 - normalized(x @ DENSE) / 3, X.reshape(-1)[:30].reshape(5, 6), "dot_general"),
    ],
)
def test_constants_per_channel_are_merged(function: Any, x: np.ndarray, contraction: str) -> None:
    module, choices = prepared(function, x)
    assert names(module) == [contraction, *MERGED]
    (choice,) = choices.made
    assert (choice.kind, choice.steps) == ("batch norm", None)
    (result,) = interp.run(module, x)
    assert np.abs(result.storage - function(x)).max() <= 1e-5
    assert module.main.body.ops[-1].operands[0].name == choice.value


def test_the_operation_is_merged() -> None:
    numbers = [
        f"%{name} = stablehlo.constant dense<{x.tolist()}> : tensor<4xf32>"
        for name, x in (("s", SCALE), ("o", OFFSET), ("m", MEAN), ("v", VARIANCE))
    ]
    text = f"""func.func @main(%x: tensor<5x6xf32>) -> tensor<5x4xf32> {{
      %w = stablehlo.constant dense<{DENSE.tolist()}> : tensor<6x4xf32>
      {"; ".join(numbers).replace("; ", chr(10))}
      %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
        : (tensor<5x6xf32>, tensor<6x4xf32>) -> tensor<5x4xf32>
      %z = "stablehlo.batch_norm_inference"(%y, %s, %o, %m, %v)
        {{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}}
        : (tensor<5x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<5x4xf32>
      return %z : tensor<5x4xf32>
    }}"""
    module, x = interp.load(text), X.reshape(-1)[:30].reshape(5, 6)
    found = prepare(module, TARGETS["int8"])
    assert names(found) == ["dot_general", *MERGED]
    ours, whole = (interp.run(each, x)[0].storage for each in (found, module))
    assert np.abs(ours - whole).max() <= 1e-5


def two_readers(x: Any) -> Any:
    y = convolved(x)
    return normalized(y) + y


def across_rows(x: Any) -> Any:
    return convolved(x) * SCALE[:, None, None]


@pytest.mark.parametrize(
    "function",
    [two_readers, across_rows, lambda x: convolved(x) + BIAS, lambda x: convolved(x) * 0.5 + BIAS],
)
def test_what_is_no_batch_norm_stays(function: Any) -> None:
    """Another reads the sums, the constants are not per channel, or nothing scales the channels apart."""
    module, choices = prepared(function, X)
    assert choices.made == []
    assert (interp.run(module, X)[0].storage == interp.run(interp.load((function, (X,))), X)[0].storage).all()


def test_weights_that_overflow_are_not_merged() -> None:
    module, choices = prepared(lambda x: convolved(x) * np.float32([1, 1, 3e38, 1]), X)
    assert names(module) == ["convolution", "broadcast_in_dim", "multiply"]
    assert choices.made == []


def test_a_merged_network_is_one_kernel() -> None:
    q = interp.quantize(lambda x: jax.nn.relu(flax_like(x)), [(X,)])
    assert [op["logical_kernel"] for op in kernels(q.stages["fuse"])] == ["generic.convolution_add_clamp"]
    assert [each.kind for each in q.choices][:2] == ["batch norm", "accumulator"]
    found, simulated = (interp.run(q.stages[name], X)[0].storage for name in ("materialize", "propagate"))
    assert np.abs(found - simulated).max() <= 1.01 * q.decision(q.decisions[-1].value).type.scale

"""Small models in JAX to quantize and write as ONNX, with the operators that they become."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

import interp

DRAWN = np.random.default_rng(5)
WEIGHTS, BIAS, LAST = (DRAWN.normal(0, 1, s).astype(np.float32) for s in ((6, 16), (16,), (16, 5)))
KERNEL, DEPTHWISE = (DRAWN.normal(0, 1, s).astype(np.float32) for s in ((3, 3, 2, 4), (3, 3, 1, 4)))
LAYOUT = ("NHWC", "HWIO", "NHWC")


Model = Callable[[Any], Any]


def dense(x: Any) -> Any:
    return jnp.maximum(x @ WEIGHTS + BIAS, 0) @ LAST


def convolved(x: Any) -> Any:
    y = lax.conv_general_dilated(x, KERNEL, (1, 1), "SAME", dimension_numbers=LAYOUT)
    y = lax.conv_general_dilated(
        jnp.clip(y, 0, 6), DEPTHWISE, (2, 2), "SAME", dimension_numbers=LAYOUT, feature_group_count=4
    )
    return jnp.mean(y, axis=(1, 2))


def pooled(x: Any) -> Any:
    window = (1, 2, 2, 1)
    y = lax.reduce_window(x, 0.0, lax.add, window, window, "VALID") / 4
    y = jnp.concatenate([y, jnp.pad(y[:, 1:], ((0, 0), (0, 1), (0, 0), (0, 0)))], -1)
    return lax.reduce_window(y, -jnp.inf, lax.max, window, window, "VALID").transpose(0, 3, 1, 2)


def attention(x: Any) -> Any:
    scores = (x @ WEIGHTS[:, :8]) @ (x @ WEIGHTS[:, 8:]).swapaxes(-1, -2)
    weights = jnp.exp(scores - scores.max(-1, keepdims=True))
    return (weights / weights.sum(-1, keepdims=True)) @ x + x


SHAPES: dict[Model, tuple[int, ...]] = {
    dense: (8, 6),
    convolved: (2, 8, 8, 2),
    pooled: (2, 8, 8, 3),
    attention: (2, 4, 6),
}
OPERATORS: dict[Model, dict[str, int]] = {
    dense: {"Gemm": 1, "MatMul": 1},
    convolved: {"Conv": 2, "ReduceMean": 1},
    pooled: {"AveragePool": 1, "MaxPool": 1, "Pad": 1, "Slice": 1, "Concat": 1},
    attention: {"MatMul": 4, "ReduceMax": 1, "ReduceSum": 1, "Exp": 1, "Div": 1},
}


def quantized(model: Model, target: str = "int8") -> tuple[Any, np.ndarray]:
    """Return a quantized program, and an argument for it."""
    rng = np.random.default_rng(9)
    samples = [rng.normal(0, 1, SHAPES[model]).astype(np.float32) for _ in range(3)]
    return interp.quantize(model, [(x,) for x in samples], target), samples[0]

"""A small classifier of digits in JAX, to be trained in floats and with fake quantization.

`data/digits.npz` has 360 images of "Optical Recognition of Handwritten Digits" by E. Alpaydin and C. Kaynak
(UCI, CC BY 4.0; `load_digits` of scikit-learn): 8 x 8 pixels of 0 to 16, and their labels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

Params = dict[str, Any]
TRAINING = 240
DATA = Path(__file__).resolve().parent.parent / "data" / "digits.npz"


def images() -> tuple[np.ndarray, np.ndarray]:
    """Return 360 images f32[360, 8, 8, 1] of 0 to 1, and labels; the first `TRAINING` are to train with."""
    with np.load(DATA) as data:
        return data["images"].astype(np.float32)[..., None] / 16, data["labels"].astype(np.int32)


def initial(seed: int = 0) -> Params:
    """Return random parameters."""
    rng = np.random.default_rng(seed)

    def normal(*shape: int) -> np.ndarray:
        return (rng.normal(size=shape) / np.sqrt(np.prod(shape[:-1]))).astype(np.float32)

    zeros = partial(np.zeros, dtype=np.float32)
    return {"kernel": normal(3, 3, 1, 8), "bias": zeros(8), "dense": normal(128, 10), "offset": zeros(10)}


def plain(name: str, x: jax.Array) -> jax.Array:
    """Return x itself: a hook that quantizes nothing."""
    return x


def logits(params: Mapping[str, Any], x: jax.Array, hook: Callable[[str, Any], Any] = plain) -> jax.Array:
    """Return the logits f32[n, 10]; `hook` sees every value that quantization may act on, by name."""
    kernel, dense = hook("kernel", params["kernel"]), hook("dense", params["dense"])
    layout = ("NHWC", "HWIO", "NHWC")
    y = lax.conv_general_dilated(hook("x", x), kernel, (1, 1), "SAME", dimension_numbers=layout)
    y = hook("convolved", jnp.maximum(y + params["bias"], 0))
    y = lax.reduce_window(y, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    return hook("logits", y.reshape(-1, 128) @ dense + params["offset"])


def trained(params: Params, hook: Callable[[str, Any], Any] = plain, steps: int = 150) -> Params:
    """Return the parameters after steps of Adam on all training images."""
    x, labels = (a[:TRAINING] for a in images())
    wanted = jax.nn.one_hot(labels, 10)

    def loss(params: Params) -> jax.Array:
        return -(jax.nn.log_softmax(logits(params, x, hook)) * wanted).sum(1).mean()

    def step(k: Any, state: Any) -> Any:
        params, first, second = state
        gradient = jax.grad(loss)(params)
        first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, gradient)
        second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, gradient)

        def moved(p: Any, m: Any, v: Any) -> Any:
            return p - 0.01 * m / (1 - 0.9 ** (k + 1)) / (jnp.sqrt(v / (1 - 0.999 ** (k + 1))) + 1e-8)

        return jax.tree.map(moved, params, first, second), first, second

    zeros = jax.tree.map(np.zeros_like, params)
    found = jax.jit(lambda state: lax.fori_loop(0, steps, step, state))((params, zeros, zeros))[0]
    return jax.tree.map(np.asarray, found)


def accuracy(found: Any) -> float:
    """Return the share of images after the first `TRAINING` whose logits, f32[120, 10], are right."""
    return float((np.asarray(found).argmax(1) == images()[1][TRAINING:]).mean())

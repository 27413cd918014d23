"""Training of a small decoder on the characters of a text, by Adam in JAX."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from decoding.model import Shape, Tree, draw, scores

CHARACTERS = [chr(code) for code in range(32, 127)] + ["\n"]  # of ASCII; others are read as "?"
SMALL = Shape(4, 192, 6, len(CHARACTERS), 128)  # 1.8 million weights
HELD = 0.1  # the share of a text that is not trained on, at its end
RATE, FIRST, SECOND = 1e-3, 0.9, 0.99  # of Adam


def read_text(folder: Path) -> np.ndarray:
    """Return the characters of the pages of a folder, as numbers, one page after the other."""
    known = {character: k for k, character in enumerate(CHARACTERS)}
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.md")))
    return np.array([known.get(c, known["?"]) for c in text], np.int32)


def split(text: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the part of a text to train on, and what is held back."""
    end = round(len(text) * (1 - HELD))
    return text[:end], text[end:]


def windows(text: np.ndarray, size: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield `size` characters after the other, each time with those that follow them."""
    for start in range(0, len(text) - size, size):
        yield text[start : start + size], text[start + 1 : start + size + 1]


def loss(found: Any, following: Any) -> jax.Array:
    """Return the mean of -log of the share that scores [t, vocabulary] give to what follows [t]."""
    return -jnp.take_along_axis(jax.nn.log_softmax(found), following[:, None], axis=-1).mean()


def train(
    shape: Shape,
    text: np.ndarray,
    steps: int,
    batch: int = 16,
    seed: int = 0,
    progress: Callable[[int, float], None] = lambda step, loss: None,
) -> Tree:
    """Return weights that were trained on windows of a text, drawn at random."""
    rng, weights = np.random.default_rng(seed), draw(shape, seed)
    moments = jax.tree.map(np.zeros_like, (weights, weights))
    for step in range(steps):
        starts = rng.integers(0, len(text) - shape.context, batch)
        chosen = np.stack([text[k : k + shape.context + 1] for k in starts])
        rate = RATE * min(1, (step + 1) / max(1, steps // 10)) * (1 - step / steps)
        given = chosen, np.float32(step + 1), np.float32(rate), shape.heads
        weights, moments, found = _adam(weights, moments, *given)
        progress(step + 1, float(found))
    return jax.tree.map(np.asarray, weights)


def _adam_step(weights: Tree, moments: Tree, chosen: Any, step: Any, rate: Any, heads: int) -> Any:
    """Return weights and moments after one step of Adam, and the loss before it."""

    def mean_loss(weights: Tree) -> jax.Array:
        found = jax.vmap(lambda tokens: scores(weights, tokens, heads))(chosen[:, :-1])
        return jax.vmap(loss)(found, chosen[:, 1:]).mean()

    before, slopes = jax.value_and_grad(mean_loss)(weights)
    first = jax.tree.map(lambda m, g: FIRST * m + (1 - FIRST) * g, moments[0], slopes)
    second = jax.tree.map(lambda m, g: SECOND * m + (1 - SECOND) * g * g, moments[1], slopes)
    scale = jnp.sqrt(1 - SECOND**step) / (1 - FIRST**step)
    moved = jax.tree.map(lambda w, m, v: w - rate * scale * m / (jnp.sqrt(v) + 1e-8), weights, first, second)
    return moved, (first, second), before


_adam = jax.jit(_adam_step, static_argnums=5)

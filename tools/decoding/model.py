"""A decoder of GPT-2's architecture: layers of attention and two dense layers, and a tied embedding."""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import export

Tree = Any  # arrays, by name
MASK = -1e9  # the likeness of tokens that are not seen


class Shape(NamedTuple):
    """Sizes of a decoder: `width` numbers for each token, of `vocabulary`; at most `context` tokens."""

    layers: int
    width: int
    heads: int
    vocabulary: int
    context: int


GPT2 = Shape(12, 768, 12, 50257, 1024)  # 124 million weights


def draw(shape: Shape, seed: int = 0) -> Tree:
    """Return weights as GPT-2's are drawn: normal, of standard deviation 0.02; offsets are zero."""
    rng, d = np.random.default_rng(seed), shape.width

    def matrix(*sizes: int) -> np.ndarray:
        return rng.standard_normal(sizes, np.float32) * np.float32(0.02)

    def scaled() -> Tree:
        return {"scale": np.ones(d, np.float32), "offset": np.zeros(d, np.float32)}

    def dense(rows: int, columns: int) -> Tree:
        return {"weight": matrix(rows, columns), "bias": np.zeros(columns, np.float32)}

    layers = [
        {
            "attention_norm": scaled(),
            "query_key_value": dense(d, 3 * d),
            "joined": dense(d, d),
            "dense_norm": scaled(),
            "up": dense(d, 4 * d),
            "down": dense(4 * d, d),
        }
        for _ in range(shape.layers)
    ]
    return {
        "words": matrix(shape.vocabulary, d),
        "places": matrix(shape.context, d),
        "layers": layers,
        "norm": scaled(),
    }


def scores(weights: Tree, tokens: jax.Array, heads: int, mask: float = MASK) -> jax.Array:
    """Return the score of every next token [t, vocabulary] after each of the tokens [t].

    mask: what tokens that come later have as likeness.
    """
    n = tokens.shape[0]
    x = weights["words"][tokens] + weights["places"][:n]
    seen = jnp.tril(jnp.ones((n, n), bool))
    for layer in weights["layers"]:
        query, key, value = _heads(layer, x, heads)
        x = _layer(layer, x, query, key, value, seen, mask)
    return _normal(weights["norm"], x) @ weights["words"].T


def step(
    weights: Tree, cache: tuple[jax.Array, jax.Array], place: jax.Array, token: jax.Array, heads: int
) -> tuple[jax.Array, tuple[jax.Array, jax.Array]]:
    """Return the scores [vocabulary] after a token at a place, and the cache with its keys and values.

    cache: keys and values [layers, heads, context, width / heads] of the tokens before.
    """
    keys, values = cache
    x = (weights["words"][token] + weights["places"][place])[None]
    seen = jnp.arange(keys.shape[2])[None] <= place
    for k, layer in enumerate(weights["layers"]):
        query, key, value = _heads(layer, x, heads)
        keys = jax.lax.dynamic_update_slice(keys, key[None], (k, 0, place, 0))
        values = jax.lax.dynamic_update_slice(values, value[None], (k, 0, place, 0))
        x = _layer(layer, x, query, keys[k], values[k], seen)
    return (_normal(weights["norm"], x) @ weights["words"].T)[0], (keys, values)


def empty_cache(shape: Shape) -> tuple[np.ndarray, np.ndarray]:
    """Return keys and values of no token."""
    sizes = shape.layers, shape.heads, shape.context, shape.width // shape.heads
    return np.zeros(sizes, np.float32), np.zeros(sizes, np.float32)


def _heads(layer: Tree, x: jax.Array, heads: int) -> list[jax.Array]:
    """Return queries, keys and values, each [heads, t, width / heads]."""
    parts = jnp.split(_dense(layer["query_key_value"], _normal(layer["attention_norm"], x)), 3, axis=-1)
    return [part.reshape(x.shape[0], heads, -1).transpose(1, 0, 2) for part in parts]


def _layer(
    layer: Tree,
    x: jax.Array,
    query: jax.Array,
    key: jax.Array,
    value: jax.Array,
    seen: jax.Array,
    mask: float = MASK,
) -> jax.Array:
    likeness = jnp.einsum("htd,hsd->hts", query, key) / np.float32(np.sqrt(query.shape[-1]))
    shares = jax.nn.softmax(jnp.where(seen, likeness, np.float32(mask)), axis=-1)
    found = jnp.einsum("hts,hsd->thd", shares, value).reshape(x.shape)
    x = x + _dense(layer["joined"], found)
    inner = jax.nn.gelu(_dense(layer["up"], _normal(layer["dense_norm"], x)), approximate=True)
    return x + _dense(layer["down"], inner)


def _dense(weights: Tree, x: jax.Array) -> jax.Array:
    return x @ weights["weight"] + weights["bias"]


def _normal(weights: Tree, x: jax.Array) -> jax.Array:
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred * centred).mean(axis=-1, keepdims=True)
    return centred * jax.lax.rsqrt(variance + np.float32(1e-5)) * weights["scale"] + weights["offset"]


def abstract(weights: Tree) -> Tree:
    """Return the shapes and types of weights."""
    return jax.tree.map(lambda w: jax.ShapeDtypeStruct(w.shape, w.dtype), weights)


def export_scores(shape: Shape, weights: Tree, tokens: int | None, mask: float = MASK) -> export.Exported:
    """Return the exported program `scores(weights, tokens)`; None: of any number of tokens."""
    limits = [f"t <= {shape.context}"]
    sizes = export.symbolic_shape("t", constraints=limits) if tokens is None else (tokens,)
    given = abstract(weights), jax.ShapeDtypeStruct(sizes, np.int32)
    return export.export(jax.jit(lambda w, t: scores(w, t, shape.heads, mask)))(*given)


def export_step(shape: Shape, weights: Tree) -> export.Exported:
    """Return the exported program `step(weights, cache, place, token)`."""
    number, cache = jax.ShapeDtypeStruct((), np.int32), abstract(empty_cache(shape))
    program = jax.jit(lambda w, c, place, token: step(w, c, place, token, shape.heads))
    return export.export(program)(abstract(weights), cache, number, number)

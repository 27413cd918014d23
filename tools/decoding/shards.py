"""A transformer block whose heads and inner features are divided among devices, beside the block on one."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from benchmarks.report import machine
from jax import export
from jax.sharding import AbstractMesh
from jax.sharding import PartitionSpec as P

from decoding.cost import leaves_of

DEVICES, ROUNDS, LIMIT = 8, 25, 1.5  # the least time of all rounds counts
PARTS = {
    "query": P("i"),
    "key": P("i"),
    "value": P("i"),
    "joined": P("i"),
    "up": P(None, "i"),
    "down": P("i"),
}


def draw_block(width: int, heads: int, inner: int, seed: int = 0) -> dict[str, np.ndarray]:
    """Return weights: of queries, keys and values [heads, width, width / heads], and of the dense layers."""
    rng, part = np.random.default_rng(seed), width // heads
    sizes = dict.fromkeys(("query", "key", "value"), (heads, width, part))
    sizes |= {"joined": (heads, part, width), "up": (width, inner), "down": (inner, width)}
    return {name: rng.standard_normal(size, np.float32) * np.float32(0.05) for name, size in sizes.items()}


def block(weights: Any, x: jax.Array, add: Any = lambda y: y) -> jax.Array:
    """Return the features [t, width] after attention and dense layers; `add` adds those of all devices."""
    centred = _normal(x)
    query, key, value = (
        jnp.einsum("td,hde->hte", centred, weights[name]) for name in ("query", "key", "value")
    )
    likeness = jnp.einsum("hte,hse->hts", query, key) / np.float32(np.sqrt(query.shape[-1]))
    found = jnp.einsum("hts,hse->hte", jax.nn.softmax(likeness, axis=-1), value)
    x = x + add(jnp.einsum("hte,hed->td", found, weights["joined"]))
    return x + add(jax.nn.gelu(_normal(x) @ weights["up"]) @ weights["down"])


def _normal(x: jax.Array) -> jax.Array:
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred * jax.lax.rsqrt((centred * centred).mean(axis=-1, keepdims=True) + np.float32(1e-5))


def programs(weights: Any, x: np.ndarray) -> tuple[Any, Any]:
    """Return the exported block, and the one that is divided among `DEVICES`."""
    divided = jax.shard_map(
        lambda weights, x: block(weights, x, lambda y: jax.lax.psum(y, "i")),
        mesh=AbstractMesh((DEVICES,), ("i",)),
        in_specs=(PARTS, P()),
        out_specs=P(),
    )
    return export.export(jax.jit(block))(weights, x), export.export(jax.jit(divided))(weights, x)


def report(tokens: int, width: int, inner: int) -> int:
    """Print the time of the divided block beside the whole one, and how far their numbers are apart."""
    import interp

    weights = draw_block(width, DEVICES, inner)
    x = np.random.default_rng(1).standard_normal((tokens, width), np.float32)
    leaves = [*leaves_of(weights), x]
    modules = [interp.load(program) for program in programs(weights, x)]
    results = [np.asarray(interp.run(module, *leaves)[0]) for module in modules]
    times: list[list[float]] = [[], []]
    for _ in range(ROUNDS):
        for module, found in zip(modules, times, strict=True):
            start = perf_counter()
            interp.run(module, *leaves)
            found.append(perf_counter() - start)
    ratio = min(times[1]) / min(times[0])
    print(f"{tokens} tokens of {width} numbers, {inner} inner ones, {DEVICES} heads on as many devices")
    print(f"divided / whole: {ratio:.2f} in time (at most {LIMIT})")
    apart, largest = np.abs(results[1] - results[0]).max(), np.abs(results[0]).max()
    print(f"largest difference: {apart:.2g}, largest number: {largest:.3g}")
    print(machine())
    return 0

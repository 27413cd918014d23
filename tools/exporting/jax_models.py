"""JAX functions as users export them, each with arguments. Needs JAX alone."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

RNG = np.random.default_rng(0)
Program = tuple[Callable[..., Any], tuple[Any, ...]]


def floats(*shape: int) -> np.ndarray:
    return RNG.normal(size=shape).astype(np.float32)


def layers(*sizes: int) -> list[dict[str, np.ndarray]]:
    return [
        {"kernel": floats(m, n) / np.float32(np.sqrt(m)), "bias": floats(n) / 10}
        for m, n in itertools.pairwise(sizes)
    ]


def perceptron(params: Any, x: Any) -> Any:
    for layer in params[:-1]:
        x = jax.nn.relu(x @ layer["kernel"] + layer["bias"])
    return x @ params[-1]["kernel"] + params[-1]["bias"]


def cross_entropy(logits: Any, labels: Any) -> Any:
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], 1))


def training_step(model: Callable[..., Any]) -> Callable[..., Any]:
    """Return one step of gradient descent on the cross-entropy of a classifier."""

    def step(params: Any, x: Any, labels: Any) -> Any:
        loss, gradient = jax.value_and_grad(lambda p: cross_entropy(model(p, x), labels))(params)
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, gradient), loss

    return step


def convolutional(params: Any, x: Any) -> Any:
    x = lax.conv_general_dilated(
        x, params["conv"], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
    )
    x = lax.reduce_window(jax.nn.relu(x), -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    return x.reshape(x.shape[0], -1) @ params["dense"]


def layer_norm(x: Any, scale: Any, shift: Any) -> Any:
    centred = x - x.mean(-1, keepdims=True)
    return centred * lax.rsqrt((centred**2).mean(-1, keepdims=True) + 1e-5) * scale + shift


def batch_norm(x: Any, scale: Any, shift: Any) -> Any:
    mean, variance = x.mean(0), x.var(0)
    return (x - mean) * lax.rsqrt(variance + 1e-5) * scale + shift, mean, variance


def attention(q: Any, k: Any, v: Any) -> Any:
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(q.shape[-1])
    mask = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(jnp.where(mask, scores, -1e9)), v)


def gru(params: Any, h: Any, xs: Any) -> Any:
    def cell(h: Any, x: Any) -> Any:
        gates = jax.nn.sigmoid(x @ params["w"] + h @ params["u"])
        update, reset = jnp.split(gates, 2, -1)
        candidate = jnp.tanh(x @ params["wc"] + (reset * h) @ params["uc"])
        h = (1 - update) * h + update * candidate
        return h, h

    return lax.scan(cell, h, xs)


def collatz(n: Any) -> Any:
    step = lambda state: (jnp.where(state[0] % 2 == 0, state[0] // 2, 3 * state[0] + 1), state[1] + 1)
    return lax.while_loop(lambda state: state[0] != 1, step, (n, 0))[1]


def branches(i: Any, x: Any) -> Any:
    chosen = lax.switch(i, [jnp.sin, jnp.cos, lambda x: x**2], x)
    return lax.cond(x.sum() > 0, lambda y: y + 1, lambda y: y - 1, chosen)


def adamax_like(x: Any) -> Any:
    return x.at[jnp.array([0, 2, 2])].add(1.5).at[1].mul(3.0).at[-1].min(0.25).at[0].max(0.5)


def cumulative(x: Any) -> Any:
    return jnp.cumsum(x, 0), jnp.cumprod(x, 1), lax.cummax(x, axis=0), lax.cumlogsumexp(x, axis=1)


def ordered(x: Any) -> Any:
    return jnp.sort(x, 0), jnp.argsort(x, 1), lax.top_k(x, 2), jnp.median(x, 0), jnp.unique(x[0], size=3)


def special(x: Any) -> Any:
    scaled = x / (1 + jnp.abs(x))
    return lax.erf(x), lax.erf_inv(scaled), lax.lgamma(jnp.abs(x) + 1), jnp.arcsin(scaled), jnp.sinh(scaled)


def integers(x: Any, y: Any) -> Any:
    return x // y, x % y, lax.population_count(x), lax.clz(x), x >> 2, lax.shift_right_logical(x, 3), x & y


def narrow(x: Any) -> Any:
    return (
        x.astype(jnp.int4).astype(jnp.int8) * 2,
        x.astype(jnp.float8_e4m3fn).astype(jnp.float32),
        x.astype(jnp.bfloat16) * x.astype(jnp.bfloat16),
        x.astype(jnp.float16).sum(),
    )


def complex_numbers(z: Any) -> Any:
    return jnp.exp(z), jnp.sqrt(z), z * jnp.conj(z), jnp.angle(z), jnp.abs(z), z @ z


def linear_algebra(a: Any) -> Any:
    spd = a @ a.T + jnp.eye(len(a))
    q, r = jnp.linalg.qr(a)
    return (
        jnp.linalg.cholesky(spd),
        jnp.linalg.solve(spd, a[0]),
        q @ r,
        jnp.linalg.inv(spd),
        jnp.linalg.det(a),
    )


def spectra(a: Any) -> Any:
    return jnp.linalg.eigvalsh(a @ a.T), jnp.linalg.svd(a, compute_uv=False), jnp.linalg.slogdet(a)[1]


def transforms(x: Any) -> Any:
    spectrum = jnp.fft.rfft(x)
    return jnp.abs(spectrum), jnp.fft.irfft(spectrum), jnp.fft.ifft(jnp.fft.fft(x)).real


def randomness(seed: Any) -> Any:
    key = jax.random.key(seed)
    return jax.random.bits(key, (5,)), jax.random.uniform(key, (5,)), jax.random.permutation(key, 6)


def embedding_gradient(table: Any, ids: Any) -> Any:
    return jax.grad(lambda t: (t[ids] ** 2).sum())(table)


def pooled(x: Any) -> Any:
    window = ((1, 3, 3, 1), (1, 2, 2, 1), "SAME")
    count = lax.reduce_window(jnp.ones_like(x), 0.0, lax.add, *window)
    return lax.reduce_window(x, 0.0, lax.add, *window) / count


def images(x: Any) -> Any:
    return jax.image.resize(x, (1, 8, 8, 2), "bilinear"), jnp.pad(
        x, ((0, 0), (1, 1), (1, 1), (0, 0)), "reflect"
    )


def sampled(logits: Any) -> Any:
    return (
        jax.nn.softmax(logits),
        jnp.argmax(logits, -1),
        jax.nn.one_hot(jnp.argmax(logits, -1), 4),
        jax.nn.gelu(logits),
    )


def programs() -> dict[str, Program]:
    """Return the functions and their arguments, by name."""
    x, labels = floats(8, 6), RNG.integers(0, 4, 8).astype(np.int32)
    image, square = floats(2, 6, 6, 2), floats(4, 4)
    gates = {"w": floats(3, 8), "u": floats(4, 8), "wc": floats(3, 4), "uc": floats(4, 4)}
    whole = RNG.integers(-50, 50, (3, 4)).astype(np.int32)
    z = (floats(3, 3) + 1j * floats(3, 3)).astype(np.complex64)
    convnet = {"conv": floats(3, 3, 2, 4) / 4, "dense": floats(36, 4) / 6}
    return {
        "mlp": (perceptron, (layers(6, 8, 4), x)),
        "mlp_training_step": (training_step(perceptron), (layers(6, 8, 4), x, labels)),
        "convnet_training_step": (training_step(convolutional), (convnet, image, labels[:2])),
        "layer_norm": (layer_norm, (x, floats(6), floats(6))),
        "batch_norm": (batch_norm, (x, floats(6), floats(6))),
        "attention": (attention, tuple(floats(2, 5, 2, 4) for _ in range(3))),
        "attention_gradient": (
            jax.grad(lambda *a: attention(*a).sum()),
            tuple(floats(1, 4, 1, 3) for _ in range(3)),
        ),
        "gru": (gru, (gates, floats(2, 4), floats(5, 2, 3))),
        "gru_gradient": (jax.grad(lambda *a: gru(*a)[1].sum()), (gates, floats(2, 4), floats(5, 2, 3))),
        "collatz": (collatz, (np.int32(27),)),
        "branches": (branches, (np.int32(1), floats(4))),
        "indexed_updates": (adamax_like, (floats(5),)),
        "cumulative": (cumulative, (floats(4, 3),)),
        "ordered": (ordered, (floats(5, 4),)),
        "special": (special, (floats(3, 4),)),
        "integers": (integers, (whole, np.int32(7) + np.abs(whole))),
        "narrow": (narrow, (np.clip(floats(3, 4) * 3, -7, 7),)),
        "complex": (complex_numbers, (z,)),
        "linear_algebra": (linear_algebra, (square,)),
        "spectra": (spectra, (square,)),
        "transforms": (transforms, (floats(2, 8),)),
        "randomness": (randomness, (np.uint32(3),)),
        "embedding_gradient": (embedding_gradient, (floats(6, 3), np.int32([1, 1, 5, 0]))),
        "average_pool": (pooled, (image,)),
        "images": (images, (floats(1, 4, 4, 2),)),
        "sampled": (sampled, (floats(3, 4),)),
        "einsum": (lambda a, b: jnp.einsum("ijk,jl->kil", a, b), (floats(2, 3, 4), floats(3, 5))),
        "rolled": (lambda x: (jnp.roll(x, 2, 1), x[::-1, ::2], x[:, None, 1:3]), (floats(3, 6),)),
    }


def main(folder: Path) -> None:
    jax.config.update("jax_hlo_source_file_canonicalization_regex", r".*/(tools|site-packages)/")
    for name, (function, args) in programs().items():
        exported = jax.export.export(jax.jit(function))(*args)
        path = folder / f"jax_{name}.export"
        path.write_bytes(exported.serialize())
        leaves, results = jax.tree.leaves(args), jax.tree.leaves(exported.call(*args))
        arrays = {f"arg{k}": np.asarray(x) for k, x in enumerate(leaves)}
        arrays |= {f"out{k}": bits(np.asarray(x)) for k, x in enumerate(results)}
        np.savez_compressed(path.with_suffix(".npz"), **arrays)
        print(path.name, path.stat().st_size, flush=True)


def bits(x: np.ndarray) -> np.ndarray:
    """Return the array, or its bits if NumPy cannot write its type."""
    return x if x.dtype.isbuiltin == 1 else x.view(f"uint{x.itemsize * 8}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

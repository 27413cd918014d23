"""XLA's long sums on a CPU, as docs/reveal.md states them, and devices whose blocks' sums are compensated."""

from __future__ import annotations

import numpy as np
import pytest

import interp

ROWS = """func.func @main(%x: tensor<4x64xf32>) -> tensor<4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1]
    : (tensor<4x64xf32>, tensor<f32>) -> tensor<4xf32>
  return %s : tensor<4xf32>
}"""


def left(parts: list[np.ndarray]) -> np.ndarray:
    total, *others = parts
    for part in others:
        total = total + part
    return total


def fours(vectors: np.ndarray) -> list[np.ndarray]:
    return [left([*vectors[k : k + 4]]) for k in range(0, len(vectors), 4)]


def block_sum(vectors: np.ndarray, whole: int, step: int) -> np.ndarray:
    """Add vectors by sixteens, then by `step`, then the rest; `whole` of them are not short."""
    near = whole - whole % 16
    far = whole - (whole - near) % step
    starts = [*range(0, near, 16), *range(near, far, step), *([far] if far < len(vectors) else [])]
    return left([left(fours(vectors[a:b])) for a, b in zip(starts, [*starts[1:], len(vectors)], strict=True)])


def long_sum(x: np.ndarray, lanes: int, block: int, step: int) -> np.ndarray:
    """Add along axis 0, in lanes; the sums of blocks are compensated as Kahan's."""
    n, others = len(x), x.shape[1:]
    short = np.zeros((-n % lanes, *others), x.dtype)
    vectors = np.concatenate([x, short]).reshape(-1, lanes, *others)
    size, full = block // lanes, n // block * (block // lanes)
    total = error = np.zeros_like(vectors[0])
    for k in range(0, full, size):
        y = block_sum(vectors[k : k + size], size, step) - error
        after = total + y
        error, total = (after - total) - y, after
    rest = vectors[full:]
    last = block_sum(rest, n // lanes - full, step) if len(rest) else np.zeros_like(total)
    total = total + (last - error)
    while len(total) > 1:
        total = total[: len(total) // 2] + total[len(total) // 2 :]
    return np.asarray(total[0])


def numbers(rng: np.random.Generator, shape: tuple[int, ...], dtype: type) -> np.ndarray:
    """Return numbers of many sizes, of which many cancel, so that each rounding counts."""
    x = rng.normal(size=shape) * 2.0 ** rng.integers(-12, 12, shape)
    x[1 : len(x) // 3] = -x[len(x) // 3 + 1 : 2 * (len(x) // 3)]
    return np.asarray(x, dtype)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    ("n", "m", "axis"), [(4096, 1, 1), (1100, 40, 1), (4095, 5, 1), (7777, 1, 1), (1001, 8, 0), (777, 20, 0)]
)
def test_xla_adds_long_sums_as_the_page_says(n: int, m: int, axis: int, dtype: type) -> None:
    jax = pytest.importorskip("jax", reason="XLA's sums are those of jaxlib")
    import jax.numpy as jnp

    rng, wide = np.random.default_rng(n), 64 // np.dtype(dtype).itemsize
    how = (1, 256, 16) if axis == 0 else (wide, 1024, 64 // wide)
    with jax.enable_x64(True):
        summed = jax.jit(lambda x: jnp.sum(x, axis=axis))
        if "avx512" not in flags() or "__ynn_fusion" not in compiled(summed, n, m, axis, dtype):
            pytest.skip("of a CPU with AVX-512 and of jaxlib 0.10.2")
        for _ in range(4):
            x = numbers(rng, (n, m), dtype)
            given = np.asarray(summed(np.ascontiguousarray(x if axis == 0 else x.T)))
            assert given.tolist() == long_sum(x, *how).tolist()


def flags() -> str:
    try:
        with open("/proc/cpuinfo") as file:
            return file.read()
    except OSError:
        return ""


def compiled(summed: object, n: int, m: int, axis: int, dtype: type) -> str:
    shape = (n, m) if axis == 0 else (m, n)
    return str(summed.lower(np.zeros(shape, dtype)).compile().as_text())  # type: ignore[attr-defined]


def by_blocks(x: np.ndarray, corrects_last: bool) -> np.ndarray:
    total = error = np.zeros(len(x), x.dtype)
    for k in range(0, x.shape[1], 8):
        y = left([*x[:, k : k + 8].T]) - error
        after = total + y
        error, total = (after - total) - y, after
    return total - error if corrects_last else total


@pytest.mark.parametrize(("corrects_last", "nodes"), [(False, 6), (True, 7)])
def test_a_refusal_counts_the_nodes_that_are_compensated(corrects_last: bool, nodes: int) -> None:
    found = interp.reveal(interp.load(ROWS), lambda x: by_blocks(x, corrects_last), check=120)
    assert not found.ok
    assert f"at {nodes} of 63 nodes" in found.reason, found.reason


def test_sums_toward_zero_are_not_called_compensated() -> None:
    """u/2 and 1 + u have the sum 1 + u there, too, but 3u/2 and 1 + u have 1 + 2u."""

    def cut(x: np.ndarray) -> np.ndarray:
        total = np.zeros(len(x), np.float32)
        for column in x.T:
            exact = total.astype(np.float64) + column
            near = exact.astype(np.float32)
            beyond = np.abs(near.astype(np.float64)) > np.abs(exact)
            total = np.where(beyond, np.nextafter(near, np.float32(0)), near)
        return np.where(total > 3, np.nextafter(total, np.float32(0)), total)

    found = interp.reveal(interp.load(ROWS), cut, check=120)
    assert not found.ok
    assert "Kahan" not in found.reason

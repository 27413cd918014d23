"""Random bits against XLA, and the distributions of rng."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest

import interp
from tests.library.builders import single
from tests.test_agreement import ulps

ALGORITHMS = {
    "THREE_FRY": jax.lax.RandomAlgorithm.RNG_THREE_FRY,
    "PHILOX": jax.lax.RandomAlgorithm.RNG_PHILOX,
    "DEFAULT": jax.lax.RandomAlgorithm.RNG_DEFAULT,
}
SHAPES = [(), (7,), (8,), (2, 0, 3), (5, 3, 3), (9, 9, 2)]
STATES = [(0, 0), (1, 2), (2**64 - 1, 2**64 - 3), (12345678901234567890, 2**32 - 2)]


@pytest.mark.usefixtures("unoptimized_module")  # integers have one result
@pytest.mark.slow("XLA compiles each", rows=3)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("bits", [8, 16, 32, 64])
def test_random_bits_are_those_of_xla(algorithm: str, bits: int) -> None:
    """Compare the bits for every shape and state, and the new state."""
    kinds = {"dtype": f"uint{bits}", "algorithm": ALGORITHMS[algorithm]}
    draws = jax.jit(lambda key: [jax.lax.rng_bit_generator(key, shape, **kinds) for shape in SHAPES])
    with jax.enable_x64(True):
        drawn = {words: draws(np.array(words, np.uint64)) for words in STATES}
    for k, shape in enumerate(SHAPES):
        sizes = "".join(f"{n}x" for n in shape)
        program = single("rng_bit_generator", f"2xui64 -> 2xui64; {sizes}ui{bits}", rng_algorithm=algorithm)
        for words in STATES:
            results = interp.run(program, np.array(words, np.uint64))
            for ours, theirs in zip(results, drawn[words][k], strict=True):
                assert ours.storage.dtype == theirs.dtype
                assert np.array_equal(ours.storage, theirs), (shape, words)


@pytest.mark.parametrize("algorithm", ["PHILOX", "DEFAULT"])
def test_the_carry_of_a_counter_of_128_bits(algorithm: str) -> None:
    program = single("rng_bit_generator", "3xui64 -> 3xui64; 9xui32", rng_algorithm=algorithm)
    after, bits = interp.run(program, np.array([5, 2**64 - 2, 2**64 - 1], np.uint64))
    assert after.tolist() == [5, 1, 0]
    (_, again) = interp.run(program, np.array([5, 2**64 - 1, 2**64 - 1], np.uint64))
    assert bits.tolist()[4:] == again.tolist()[:5]


def drawn(type: str, distribution: str, a: Any, b: Any, n: int = 20_000) -> np.ndarray:
    program = single("rng", f"{type}; {type}; 1xi64 -> {n}x{type}", rng_distribution=distribution)
    dtype = program.main.inputs[0].type.storage_type.numpy
    return interp.run(program, np.array(a, dtype), np.array(b, dtype), np.array([n]))[0].storage


@pytest.mark.parametrize("type", ["f16", "f32", "f64"])
def test_uniform_floats_fill_their_range(type: str) -> None:
    x = drawn(type, "UNIFORM", -2.0, 6.0)
    assert x.min() >= -2
    assert x.max() < 6
    assert abs(x.astype(np.float64).mean() - 2) < 0.05
    assert abs(x.astype(np.float64).std() - 8 / np.sqrt(12)) < 0.05


@pytest.mark.parametrize(("type", "a", "b"), [("i8", -128, 127), ("ui64", 2**63, 2**64 - 1), ("i64", -5, 5)])
def test_uniform_integers_fill_their_range(type: str, a: int, b: int) -> None:
    x = drawn(type, "UNIFORM", a, b).astype(object)
    assert min(x) >= a
    assert max(x) < b
    assert abs(sum(map(int, x)) / len(x) - (a + b - 1) / 2) < (b - a) / 50


@pytest.mark.parametrize("type", ["f16", "f32", "f64"])
def test_normal_numbers_have_their_moments(type: str) -> None:
    x = drawn(type, "NORMAL", 3.0, 2.0).astype(np.float64)
    assert abs(x.mean() - 3) < 0.05
    assert abs(x.std() - 2) < 0.05
    inside = [(np.abs(x - 3) < 2 * k).mean() for k in (1, 2, 3)]
    assert np.allclose(inside, [0.6827, 0.9545, 0.9973], atol=0.01)


def test_what_the_agreement_says_of_normal_numbers() -> None:
    from interp.execute.agreement import figure
    from spec.meaning.evaluate import evaluate
    from tests.test_engine import oracle_tensor, stored

    program = single("rng", "f64; f64; 1xi64 -> 1500xf64", rng_distribution="NORMAL")
    args = [np.array(0.0), np.array(1.0), np.array([1500])]
    eager = interp.run(program, *args)[0].storage
    tensors = [oracle_tensor(x, v.type) for x, v in zip(args, program.main.inputs, strict=True)]
    assert ulps(eager, stored(evaluate(program, tensors)[0])) <= figure("rng NORMAL on f64", "run", "oracle")
    compiled = np.asarray(interp.compile(program)(*args)[0])
    assert ulps(compiled, eager) <= figure("rng NORMAL on f64", "compile", "run")

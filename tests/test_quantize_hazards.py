"""Programs that quantization got wrong without a word: each is held against its float program."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import interp
from interp.apps.quantization.constraints import NoQuant, Uniform
from interp.apps.quantization.quantize import Quantized
from spec.errors import Malformed

RNG = np.random.default_rng(5)
X = RNG.uniform(-1, 1, (4, 6)).astype(np.float32)
W = RNG.uniform(-1, 1, (6, 5)).astype(np.float32)


def error_of(q: Quantized, function: Callable[..., Any], *args: np.ndarray) -> float:
    """Return the largest difference from the float function, relative to its largest number."""
    pairs = zip(jax.tree.leaves(function(*args)), interp.run(q.module, *args), strict=True)
    return max(float(np.abs(a - np.asarray(b)).max() / np.abs(a).max()) for a, b in pairs)


@pytest.mark.parametrize("flow", ["stablehlo", "codegen"])
def test_sums_over_weights_follow_the_order_of_the_results_dimensions(flow: str) -> None:
    w = (RNG.uniform(-1, 1, (3, 2, 4)) * np.array([[1.0], [9.0]])).astype(np.float32)
    x = RNG.uniform(-1, 3, (2, 5, 4)).astype(np.float32)
    f = lambda x: jnp.einsum("bik,jbk->bij", x, w)  # the weights' batch dimension stands second
    q = interp.quantize(f, [(x,)], flow=flow)
    simulated = interp.run(q.stages["propagate"], x)[0]
    assert np.abs(np.asarray(interp.run(q.module, x)[0]) - np.asarray(simulated)).max() < 1e-6


def test_a_loop_of_several_results_is_quantized_and_read_back(tmp_path: Path) -> None:
    f = lambda x: jax.lax.scan(lambda sum, row: (sum + row, sum * row), x[0] * 0, x)
    q = interp.quantize(f, [(X,)])
    assert error_of(q, f, X) < 0.03, "sums on the way are larger than the first and the last"
    again = interp.load(q.save(tmp_path / "loop.mlirbc"))
    assert np.array_equal(interp.run(again, X)[1], interp.run(q.module, X)[1])


def test_a_function_of_several_results_can_be_called_twice() -> None:
    both = jax.jit(lambda x: (jax.lax.sort((x, -x), num_keys=1)[1], x + 1))
    f = lambda x: (both(x), both(2 * x))
    q = interp.quantize(f, [(X,)])
    assert interp.load(repr(q.module)).main.results == q.module.main.results
    assert error_of(q, f, X) < 0.03


@pytest.mark.slow("calibrates", rows=1)
@pytest.mark.parametrize(
    "function",
    [
        lambda x: jnp.concatenate([jnp.tanh(x), 10 * x]),
        lambda x: jnp.where(x > 0, jnp.tanh(x), 10 * x) + 10 * x,
        lambda x: jax.lax.fori_loop(0, 2, lambda _, y: (jnp.tanh(y[0]), y[0] + y[1]), (10 * x, 10 * x))[1],
    ],
)
def test_a_fixed_scale_does_not_clip_larger_numbers_beside_it(function: Callable[..., Any]) -> None:
    assert error_of(interp.quantize(function, [(X,)]), function, X) < 0.03


@pytest.mark.parametrize("target", ["int8", "int16x8"])
def test_a_bias_beside_tiny_weights_is_kept(target: str) -> None:
    bias = np.array([0.5, 0.25, 0.0, -0.7, 0.1], np.float32)
    f = lambda x: x @ (W * np.float32([1, 1e-20, 1, 0, 1e-9])) + bias
    assert error_of(interp.quantize(f, [(X,)], target), f, X) < 0.03


def test_codegen_says_that_ties_may_be_rounded_otherwise() -> None:
    types = {f"%{name}": Uniform(f"!quant.uniform<i8:f32, {s}>") for name, s in (("x", 0.5), ("y", 1.0))}
    m = interp.load("""func.func @main(%x: tensor<5xf32>) -> tensor<5xf32> {
      %y = stablehlo.negate %x : tensor<5xf32>
      return %y : tensor<5xf32>
    }""")
    x = np.array([-1.5, -0.5, 0.5, 1.5, 2.5], np.float32)
    q = interp.quantize(m, [(x,)], flow="codegen", constraints=types)
    simulated = np.asarray(interp.run(q.stages["propagate"], x)[0])
    (claimed,) = (choice.steps for choice in q.choices if choice.kind == "rescale")
    assert np.abs(np.asarray(interp.run(q.module, x)[0]) - simulated).max() == 1
    assert claimed == 1


def test_contradictory_types_of_what_is_joined_are_named() -> None:
    given = {name: Uniform(f"!quant.uniform<i8:f32, {s}>") for name, s in (("x", 0.5), ("y", 0.25))}
    q = interp.quantize(lambda x, y: jnp.concatenate([x, y]), [(X, X)], constraints=given)
    assert [rescale.value for rescale in q.rescales] == ["%arg1"]


@pytest.mark.parametrize(
    ("constraints", "message"),
    [([1], "expected a dictionary"), ({"%nope": NoQuant()}, r"known: %arg0, %0\b")],
)
def test_constraints_of_nothing_are_refused(constraints: Any, message: str) -> None:
    with pytest.raises(Malformed, match=message):
        interp.quantize(lambda x: jnp.tanh(x), [(X,)], constraints=constraints)


def test_a_program_of_integers_has_nothing_to_quantize() -> None:
    with pytest.raises(Malformed, match="nothing to quantize"):
        interp.quantize(lambda i: 2 * i, [(np.arange(3),)])


def test_an_accumulator_of_a_contraction_that_is_too_narrow_saturates() -> None:
    x, ones = np.ones((1, 600), np.float32), np.ones((600, 1), np.float32)
    q = interp.quantize(lambda x: x @ ones, [(x * np.float32(np.arange(600) / 600),)])
    name = next(op.result.name for op in q.module.ops() if op.name == "stablehlo.dot_general")
    retyped = interp.with_accumulator(q.module, name, "i16")
    (choice,) = (choice for choice in q.choices if choice.kind == "accumulator")
    assert choice.holds
    proven, narrow = (
        float(interp.run(q.module, x, reading="integer", accumulator=f"{n} saturate")[0].storage.item())
        for n in ("i32", "i16")
    )
    assert narrow < proven == float(interp.run(q.module, x)[0].storage.item())
    assert float(interp.run(retyped, x)[0].storage.item()) < proven

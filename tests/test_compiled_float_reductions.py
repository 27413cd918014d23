"""Float reductions that a compiled program runs without a loop: the bits of the fold that listeners see."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import interp
from interp.engine.evaluate import Listener
from spec.elements import ELEMENT_TYPES
from tests.library import builders

jax = pytest.importorskip("jax")
pytest.importorskip("llvmlite", reason="it has no wheel here")
F32 = ELEMENT_TYPES["f32"]
DTYPES = {"f32": np.float32, "f64": np.float64, "bf16": ml_dtypes.bfloat16, "f16": np.float16}
NUMBERS = (0.0, -0.0, np.inf, -np.inf, np.nan, 1e-40, -1e-40)
PROGRAM = """func.func @main(%x: tensor<5x40xEL>) -> (tensor<5xEL>, tensor<40xEL>, tensor<5xEL>) {
  %z = stablehlo.constant dense<INIT> : tensor<EL>
  %a = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1]
    : (tensor<5x40xEL>, tensor<EL>) -> tensor<5xEL>
  %b = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0]
    : (tensor<5x40xEL>, tensor<EL>) -> tensor<40xEL>
  %c = stablehlo.reduce(%x init: %z) applies stablehlo.maximum across dimensions = [1]
    : (tensor<5x40xEL>, tensor<EL>) -> tensor<5xEL>
  return %a, %b, %c : tensor<5xEL>, tensor<40xEL>, tensor<5xEL>
}"""


def operands(dtype: type) -> list[np.ndarray]:
    """Return ordinary numbers, tiny ones, mostly -0, and special ones."""
    rng, shape = np.random.default_rng(0), (5, 40)
    ordinary = rng.normal(size=shape) * 10.0 ** rng.integers(-3, 4, shape)
    zeros = np.where(rng.random(shape) < 0.9, -0.0, ordinary)
    zeros[0] = -0.0
    special = np.where(rng.random(shape) < 0.05, rng.choice(NUMBERS, shape), ordinary)
    return [x.astype(dtype) for x in (ordinary, ordinary * 1e-40, zeros, special)]


def have_equal_bits(x: np.ndarray, y: np.ndarray) -> bool:
    bits = f"u{x.dtype.itemsize}"
    return np.array_equal(x.view(bits), y.view(bits))


@pytest.mark.parametrize("init", ["0.0", "-0.0"])
@pytest.mark.parametrize("element", DTYPES)
def test_bits_are_those_of_the_fold(element: str, init: str) -> None:
    program = interp.load(PROGRAM.replace("EL", element).replace("INIT", init))
    compiled = interp.compile(program)
    for x in operands(DTYPES[element]):
        folds = interp.run(program, x, listeners=[Listener()])
        for fold, found in zip(folds, compiled(x), strict=True):
            assert have_equal_bits(np.asarray(fold.storage), np.asarray(found))


@pytest.mark.parametrize(("init", "calls"), [("0.0", 2), ("-0.0", 0), ("1.5", 0)])
def test_sums_that_begin_with_zero_are_calls(init: str, calls: int) -> None:
    compiled = interp.compile(interp.load(PROGRAM.replace("EL", "f32").replace("INIT", init)))
    text = jax.jit(compiled).lower(np.zeros((5, 40), np.float32)).as_text()
    assert text.count("custom_call @interp_sums") == calls
    assert ("stablehlo.while" in text) == (calls == 0)


@pytest.mark.parametrize("init", [0.0, -0.0, 1.5, np.nan])
@pytest.mark.parametrize("body", ["maximum", "minimum"])
def test_extrema_of_any_init_are_those_of_the_fold(body: str, init: float) -> None:
    program = builders.module(builders.reduce(body, F32, F32, (5, 40), (1,)))
    compiled = interp.compile(program)
    for x in operands(np.float32):
        (fold,) = interp.run(program, x, np.float32(init), listeners=[Listener()])
        assert have_equal_bits(np.asarray(fold.storage), np.asarray(compiled(x, np.float32(init))[0]))

"""Functions are correctly rounded next to ties, where f64 does not tell on which side a result lies."""

from __future__ import annotations

import math

import numpy as np
import pytest

from interp.backends.functions import FUNCTIONS, correctly_rounded
from interp.execute.run import run
from spec.ir import Module
from spec.meaning import transcendental
from spec.meaning.evaluate import evaluate
from spec.types import ELEMENT_TYPES, ElementType, TensorType
from tests.library.builders import module, operation
from tests.test_engine import oracle_tensor, same, stored

NAMES = sorted(FUNCTIONS.keys() - {"hypot"})
NARROW = ("f32", "bf16", "f16", "f8E5M2")
IN_F64 = {
    "cbrt": np.cbrt,
    "cosine": np.cos,
    "exponential": np.exp,
    "exponential_minus_one": np.expm1,
    "log": np.log,
    "log_plus_one": np.log1p,
    "logistic": lambda x: 1 / (1 + np.exp(-x)),
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "sine": np.sin,
    "tan": np.tan,
    "tanh": np.tanh,
    "atan2": np.arctan2,
    "power": np.power,
    "abs": np.hypot,
}
# Of all arguments in f32 these are rounded wrongly by way of f64, or some of them: found by trying.
TWICE_ROUNDED = {
    "log": (9.472636222839355, 0.011794382706284523),
    "logistic": (6.556510925292969e-06, -4.172325134277344e-07, -6.139278411865234e-06),
}


def function(name: str, type: ElementType, n: int) -> Module:
    operands = [TensorType((n,), type)] * (2 if name in ("atan2", "power") else 1)
    return module(operation(name, operands, operands[0]))


def agrees_with_the_oracle(program: Module, args: list[np.ndarray]) -> bool:
    tensors = [oracle_tensor(x, v.type) for x, v in zip(args, program.main.inputs, strict=True)]
    return same(run(program, *args)[0].storage, stored(evaluate(program, tensors)[0]))


def nearest_to_ties(name: str, type: ElementType, args: list[np.ndarray], most: int = 60) -> np.ndarray:
    """Return the places whose result in f64 is nearest to the middle between two neighbours of a format."""
    with np.errstate(all="ignore"):
        y = IN_F64[name](*(x.astype(np.float64) for x in args))
    whole = 1 << (52 - type.mantissa)
    dropped = y.view(np.int64) & (whole - 1)
    usual = np.isfinite(y) & (np.abs(y) >= 2.0 ** (1 - type.bias))
    return np.argsort(np.where(usual, np.abs(dropped - whole // 2), whole), kind="stable")[:most]


def arguments(type: ElementType, count: int, seed: int) -> list[np.ndarray]:
    """All numbers of a short format, in another order for the second operand; of f32 as many at random."""
    rng, dtype = np.random.default_rng(seed), np.dtype(type.numpy)
    bits = np.arange(2 ** min(type.bits, 16)) if type.bits < 32 else rng.integers(0, 2**32, 2**17)
    return [rng.permutation(bits).astype(f"u{dtype.itemsize}").view(dtype) for _ in range(count)]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("element", NARROW)
def test_results_next_to_ties_are_correctly_rounded(name: str, element: str) -> None:
    type = ELEMENT_TYPES[element]
    args = arguments(type, 2 if name in ("atan2", "power") else 1, seed=len(name))
    at = nearest_to_ties(name, type, args)
    assert agrees_with_the_oracle(function(name, type, len(at)), [x[at] for x in args])


@pytest.mark.parametrize("name", TWICE_ROUNDED)
def test_results_that_f64_rounds_twice(name: str) -> None:
    x = np.array(TWICE_ROUNDED[name], np.float32)
    with np.errstate(all="ignore"):
        twice = IN_F64[name](x.astype(np.float64)).astype(np.float32)
    program = function(name, ELEMENT_TYPES["f32"], len(x))
    assert agrees_with_the_oracle(program, [x])
    assert (run(program, x)[0].storage != twice).all()


def test_powers_that_are_ties() -> None:
    """The square of a number of 13 bits may lie midway between two of f32; it is no approximation."""
    x = np.arange(4097, 8192, 16).astype(np.float32)
    for exponent, scale in ((2.0, 1.0), (-2.0, 2.0**-5), (2.0, -(2.0**60))):
        args = [x * np.float32(scale), np.full_like(x, exponent)]
        assert agrees_with_the_oracle(function("power", ELEMENT_TYPES["f32"], len(x)), args)
    halves = (np.arange(33, 64) / 8).astype(np.float16)
    for exponent in (2.0, 3.0, 1.5, -1.0):
        args = [halves**2, np.full_like(halves, exponent)]
        assert agrees_with_the_oracle(function("power", ELEMENT_TYPES["f16"], len(halves)), args)


def test_moduli_next_to_ties() -> None:
    parts = arguments(ELEMENT_TYPES["f32"], 2, seed=5)
    at = nearest_to_ties("abs", ELEMENT_TYPES["f32"], parts)
    x = (parts[0][at] + 1j * parts[1][at]).astype(np.complex64)
    type = TensorType(x.shape, ELEMENT_TYPES["complex<f32>"])
    assert agrees_with_the_oracle(
        module(operation("abs", [type], TensorType(x.shape, ELEMENT_TYPES["f32"]))), [x]
    )


@pytest.mark.parametrize("name", NAMES)
def test_the_digits_are_those_of_the_oracle(name: str) -> None:
    """Two implementations on Python's integers, by other formulas, round to f64 alike."""
    rng = np.random.default_rng(3)
    for scale in (1e-9, 1.0, 30.0, 600.0):
        for _ in range(12):
            x = [float(v) * scale for v in rng.uniform(0.1, 1, 2 if name in ("atan2", "power") else 1)]
            x[0] *= -1 if name not in ("log", "rsqrt", "power", "log_plus_one") and rng.random() < 0.5 else 1
            wanted = getattr(transcendental, name)(*x, ELEMENT_TYPES["f64"])
            assert correctly_rounded(name, *x) == wanted, x


def test_functions_beyond_f64() -> None:
    assert correctly_rounded("exponential", 709.782712893384) == pytest.approx(math.exp(709.782712893384))
    assert [correctly_rounded("exponential", x) for x in (710.0, -746.0)] == [math.inf, 0.0]
    assert correctly_rounded("power", -3.0, 999.0) == -math.inf

"""Factors, solutions and transforms against jax, by what they must satisfy, and what the Agreement says."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product, zip_longest
from typing import Any

import jax
import numpy as np
import pytest

import interp
from interp.execute.agreement import figure
from spec.ir import Module
from spec.meaning.evaluate import evaluate
from tests.library.builders import single
from tests.library.strategies.programs import Program, joined
from tests.test_engine import oracle_tensor, stored

pytestmark = pytest.mark.usefixtures("unoptimized_module")
KINDS = ("FFT", "IFFT", "RFFT", "IRFFT")
TRANSFORMS = (((8,), 1), ((7,), 1), ((2, 12), 1), ((3, 4), 2), ((2, 3, 4, 5), 3), ((1,), 1), ((60,), 1))


def drawn(dtype: Any, *shape: int, seed: int = 1) -> np.ndarray:
    x, dtype = np.random.default_rng(seed).normal(size=shape), np.dtype(dtype)
    return (x + 1j * np.random.default_rng(seed + 1).normal(size=shape) if dtype.kind == "c" else x).astype(
        dtype
    )


def sizes(shape: tuple[int, ...], element: str) -> str:
    return "".join(f"{n}x" for n in shape) + element


def distance(a: np.ndarray, b: np.ndarray, axes: tuple[int, ...]) -> int:
    """The largest difference, in units of the last place of the largest modulus along the axes."""
    largest = np.abs(b).max(axes, keepdims=True)
    return int(np.ceil((np.abs(a.astype(np.complex128) - b) / np.spacing(largest)).max(initial=0)))


# Triangular systems and Cholesky factors

TYPES = {"f32": np.float32, "f64": np.float64, "complex<f32>": np.complex64, "complex<f64>": np.complex128}


@pytest.mark.slow("compiles each", rows=2)
@pytest.mark.parametrize("type", TYPES)
@pytest.mark.parametrize("lower", [True, False])
def test_the_factor_times_its_adjoint_is_the_matrix(type: str, lower: bool) -> None:
    x = drawn(TYPES[type], 3, 20, 20)
    a = x @ x.conj().swapaxes(1, 2) + 5 * np.eye(20, dtype=x.dtype)
    program = single("cholesky", f"3x20x20x{type} -> 3x20x20x{type}", lower=lower)
    for factor in (interp.run(program, a)[0].storage, np.asarray(interp.compile(program)(a)[0])):
        adjoint = factor.conj().swapaxes(1, 2)
        epsilon = np.finfo(x.dtype).eps
        assert (
            np.abs((factor @ adjoint if lower else adjoint @ factor) - a).max()
            < 50 * epsilon * np.abs(a).max()
        )
        assert (np.triu(factor, 1) if lower else np.tril(factor, -1)).any() == False  # noqa: E712
        with jax.enable_x64(True):
            theirs = np.asarray(jax.lax.linalg.cholesky(a))
        theirs = theirs if lower else theirs.conj().swapaxes(1, 2)
        assert distance(factor, theirs, (1, 2)) <= figure(f"cholesky on {type}", "run", "xla")


@pytest.mark.slow("compiles each", rows=6)
@pytest.mark.parametrize("type", TYPES)
@pytest.mark.parametrize("transpose", ["NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"])
@pytest.mark.parametrize("left", [True, False])
def test_the_solution_solves(type: str, transpose: str, left: bool) -> None:
    a = drawn(TYPES[type], 2, 20, 20) + 9 * np.eye(20, dtype=TYPES[type])
    b = drawn(TYPES[type], 2, 20, 3) if left else drawn(TYPES[type], 2, 3, 20)
    triangles = {}
    for lower, unit in product((True, False), repeat=2):
        triangle = np.tril(a, -unit) if lower else np.triu(a, unit)
        triangles[lower, unit] = triangle / 20 + np.eye(20, dtype=a.dtype) if unit else triangle
    flags = {"transpose_a": transpose != "NO_TRANSPOSE", "conjugate_a": transpose == "ADJOINT"}
    solve = lambda triangle, lower, unit: jax.lax.linalg.triangular_solve(
        triangle, b, left_side=left, lower=lower, unit_diagonal=unit, **flags
    )
    with jax.enable_x64(True):  # all in one compilation
        theirs = jax.jit(lambda xs: [solve(x, *key) for key, x in zip(triangles, xs, strict=True)])(
            list(triangles.values())
        )
    operand = sizes(b.shape, type)
    for ((lower, unit), triangle), expected in zip(triangles.items(), theirs, strict=True):
        attributes = {"left_side": left, "lower": lower, "unit_diagonal": unit, "transpose_a": transpose}
        program = single("triangular_solve", f"2x20x20x{type}; {operand} -> {operand}", **attributes)
        x = interp.run(program, triangle, b)[0].storage
        assert distance(x, np.asarray(expected), (1, 2)) <= figure(
            f"triangular_solve on {type}", "run", "xla"
        )
        turned = triangle if transpose == "NO_TRANSPOSE" else triangle.swapaxes(1, 2)
        turned = turned.conj() if transpose == "ADJOINT" else turned
        again = turned @ x if left else x @ turned
        assert np.allclose(again, b, rtol=0, atol=200 * np.finfo(a.dtype).eps * np.abs(x).max() * 10)


def test_a_matrix_that_is_not_positive_definite_gives_nan() -> None:
    program = single("cholesky", "2x2xf32 -> 2x2xf32", lower=True)
    found = interp.run(program, np.float32([[1, 2], [2, 1]]))[0].storage
    assert np.isnan(found[1, 1])
    assert np.isnan(np.asarray(jax.lax.linalg.cholesky(np.float32([[1, 2], [2, 1]])))[1, 1])


# Fourier transforms


def transform(kind: str, shape: tuple[int, ...], L: int, bits: int) -> Module:
    half = (*shape[:-1], shape[-1] // 2 + 1)
    real, pair = f"f{bits}", f"complex<f{bits}>"
    operand, result = {
        "FFT": (sizes(shape, pair), sizes(shape, pair)),
        "IFFT": (sizes(shape, pair), sizes(shape, pair)),
        "RFFT": (sizes(shape, real), sizes(half, pair)),
        "IRFFT": (sizes(half, pair), sizes(shape, real)),
    }[kind]
    return single("fft", f"{operand} -> {result}", fft_type=kind, fft_length=shape[-L:])


def operand(program: Module) -> np.ndarray:
    type = program.main.inputs[0].type
    return drawn(type.storage_type.numpy, *type.shape)


@pytest.mark.slow("compiles each", rows=2)
@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("kind", KINDS)
def test_transforms_are_the_oracles_sums(kind: str, bits: int) -> None:
    modules = [transform(kind, shape, L, bits) for shape, L in TRANSFORMS]
    programs = [Program(module, (operand(module),)) for module in modules]
    together = joined(programs if kind == "FFT" else programs[:4])  # XLA takes a second for all
    compiled = interp.compile(together.module)(*together.args)
    for (module, (x,)), (_, L), y in zip_longest(programs, TRANSFORMS, compiled):
        axes = tuple(range(-L, 0))
        ours = interp.run(module, x)[0].storage
        expected = stored(evaluate(module, [oracle_tensor(x, module.main.inputs[0].type)])[0])
        assert distance(ours, expected, axes) <= figure(f"fft on f{bits}", "run", "oracle")
        if y is not None:
            assert distance(np.asarray(y), ours, axes) <= figure(f"fft on f{bits}", "compile", "run")


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("kind", KINDS)
def test_transforms_are_those_of_xla(kind: str, bits: int) -> None:
    sizes = (*TRANSFORMS, ((1000,), 1), ((4, 16, 63), 3))
    programs = [transform(kind, shape, L, bits) for shape, L in sizes]
    args, type = [operand(program) for program in programs], getattr(jax.lax.FftType, kind)
    with jax.enable_x64(True):
        together = jax.jit(
            lambda *xs: [jax.lax.fft(x, type, s[-L:]) for x, (s, L) in zip(xs, sizes, strict=True)]
        )
        theirs = together(*args)
    for program, x, (_, L), expected in zip(programs, args, sizes, theirs, strict=True):
        ours = interp.run(program, x)[0].storage
        assert distance(ours, np.asarray(expected), tuple(range(-L, 0))) <= figure(
            f"fft on f{bits}", "run", "xla"
        )


@pytest.mark.parametrize("run", [interp.run, lambda m, *x: interp.compile(m)(*x)])
def test_a_transform_of_what_is_not_finite_is_nan(run: Callable[..., Any]) -> None:
    program = transform("FFT", (2, 3), 1, 32)
    x = operand(program)
    x[0, 1] = np.inf
    found = np.asarray(run(program, x)[0])
    assert np.isnan(found[0].real).all()
    assert np.isfinite(found[1]).all()
    assert len(evaluate(program, [oracle_tensor(x, program.main.inputs[0].type)])[0].elements) == 6


def test_a_transform_of_nothing_is_nothing() -> None:
    assert interp.run(transform("FFT", (0, 3), 1, 32), np.zeros((0, 3), np.complex64))[0].storage.shape == (
        0,
        3,
    )

"""Linear algebra as jax.export writes it, against jax, and by what it must satisfy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import interp
from interp.engine.facts import CALLS
from interp.execute.agreement import figure
from interp.ops import KERNELS
from spec.errors import Malformed, Unsupported
from spec.ir import Module, Opaque
from tests.builders import single
from tests.test_algebra import distance, drawn

TYPES = {"f32": np.float32, "f64": np.float64, "complex<f32>": np.complex64, "complex<f64>": np.complex128}
linalg = jax.lax.linalg
triangular = linalg.triangular_solve


def hermitian(x: Any) -> Any:
    return x + jnp.conj(jnp.swapaxes(x, -1, -2))


def nine(x: Any) -> Any:
    return 9 * jnp.eye(x.shape[-1], dtype=x.dtype)


def definite(x: Any) -> Any:
    return x @ jnp.conj(jnp.swapaxes(x, -1, -2)) + nine(x)


# Functions whose results are unique: no sign or phase of a vector is free.
UNIQUE: dict[str, Callable[..., Any]] = {
    "cholesky": lambda x: linalg.cholesky(hermitian(x) + 20 * jnp.eye(6, dtype=x.dtype)),
    "unsymmetrized": lambda x: linalg.cholesky(definite(x), symmetrize_input=False),
    "qr": linalg.qr,
    "singular values": lambda x: linalg.svd(x, compute_uv=False),
    "eigenvalues": lambda x: linalg.eigh(hermitian(x))[1],
    "hessenberg": lambda x: linalg.hessenberg(x)[0],
    "tridiagonal": lambda x: linalg.tridiagonal(hermitian(x))[1:3],
    "triangular": lambda x: triangular(x + nine(x), x, left_side=True, lower=True),
    "adjoint": lambda x: triangular(x + nine(x), x, transpose_a=True, conjugate_a=True),
    "unit": lambda x: triangular(x / 9, x, left_side=True, lower=True, unit_diagonal=True),
    "tridiagonal solve": lambda x: linalg.tridiagonal_solve(x[..., 0, :], 9 + x[..., 1, :], x[..., 2, :], x),
    "inverse": jnp.linalg.inv,
    "solve": lambda x: jnp.linalg.solve(x, x[..., :2]),
    "determinant": jnp.linalg.det,
    "slogdet": jnp.linalg.slogdet,
    "lu": lambda x: linalg.lu(x)[:2],
    "least squares": lambda x: jnp.linalg.lstsq(x[0], x[1, :, :2])[0][None],
}


def exported(f: Callable[..., Any], x: np.ndarray) -> Module:
    with jax.enable_x64(True):
        return interp.load(jax.export.export(jax.jit(f))(x))


def refuse_what_is_missing(module: Module) -> None:
    missing = {op.name for op in module.ops() if op.name not in KERNELS and not op.name.endswith(".return")}
    if missing:
        pytest.skip(f"not built: {', '.join(sorted(missing))}")


@pytest.mark.parametrize("type", TYPES)
@pytest.mark.parametrize("name", UNIQUE)
def test_linear_algebra_is_jaxs(name: str, type: str) -> None:
    """Eager: the routine of the same name in SciPy; compiled: the same custom call."""
    x = drawn(TYPES[type], 2, 6, 6, seed=5)
    f = UNIQUE[name]
    module = exported(f, x)
    refuse_what_is_missing(module)
    with jax.enable_x64(True):
        theirs = [np.asarray(y) for y in jax.tree.leaves(jax.jit(f)(x))]
    ours = [y.storage for y in interp.run(module, x)]
    compiled = [np.asarray(y) for y in interp.compile(module)(x)]
    assert len(ours) == len(compiled) == len(theirs)
    for eager, same, expected in zip(ours, compiled, theirs, strict=True):
        assert eager.dtype == same.dtype == expected.dtype
        axes = tuple(range(1, expected.ndim))
        most = figure(f"linear algebra on {type}", "run", "xla")
        assert distance(eager, expected, axes) <= most
        assert distance(same, expected, axes) <= most


def epsilon(x: np.ndarray) -> float:
    return float(200 * np.finfo(x.dtype).eps * np.abs(x).max())


@pytest.mark.parametrize("type", TYPES)
@pytest.mark.parametrize("run", [interp.run, lambda m, x: interp.compile(m)(x)], ids=["run", "compile"])
def test_decompositions_compose(type: str, run: Callable[..., Any]) -> None:
    """Q R = A, U S V = A, A v = w v and Z T Z* = A, whatever signs and phases the vectors have."""
    x = drawn(TYPES[type], 2, 6, 6)
    adjoint = lambda y: y.conj().swapaxes(1, 2)
    got = lambda f, a=x: [np.asarray(y) for y in run(exported(f, a), a)]
    q, r = got(linalg.qr)
    assert np.allclose(q @ r, x, rtol=0, atol=epsilon(x))
    assert np.allclose(adjoint(q) @ q, np.eye(6), rtol=0, atol=epsilon(x))
    for whole in (True, False):
        tall = x[:, :, :4].copy()
        u, s, v = got(lambda a, whole=whole: jnp.linalg.svd(a, full_matrices=whole), tall)
        assert u.shape == ((2, 6, 6) if whole else (2, 6, 4))
        assert np.allclose(u[..., :4] * s[:, None] @ v, tall, rtol=0, atol=epsilon(x))
    h = (x + adjoint(x)) / 2
    vectors, values = got(linalg.eigh, h)
    assert np.allclose(h @ vectors, vectors * values[:, None], rtol=0, atol=epsilon(x))
    values, left, right = got(lambda a: linalg.eig(a))
    assert np.allclose(x @ right, right * values[:, None], rtol=0, atol=5 * epsilon(x))
    assert np.allclose(adjoint(left) @ x, values[..., None] * adjoint(left), rtol=0, atol=5 * epsilon(x))
    form, basis = got(linalg.schur)
    assert np.allclose(basis @ form @ adjoint(basis), x, rtol=0, atol=epsilon(x))


@pytest.mark.parametrize("letter", "sdcz")
def test_lu_with_pivots(letter: str) -> None:
    """getrf alone, whose pivots count from 1: P L U = A."""
    type = dict(zip("sdcz", TYPES, strict=True))[letter]
    a = drawn(TYPES[type], 5, 4)
    module = call(f"lapack_{letter}getrf_ffi", f"5x4x{type} -> 5x4x{type}; 4xi32; i32")
    for results in (interp.run(module, a), interp.compile(module)(a)):
        lu, pivots, info = (np.asarray(x) for x in results)
        order = np.arange(5)
        for k, p in enumerate(pivots - 1):
            order[[k, p]] = order[[p, k]]
        product = (np.tril(lu, -1) + np.eye(5, 4)) @ np.triu(lu)[:4]
        assert np.allclose(product, a[order], rtol=0, atol=epsilon(a))
        assert info == 0


def call(target: str, signature: str, config: str = "{}") -> Module:

    return single(
        "custom_call", signature, call_target_name=target, **{"mhlo.backend_config": Opaque(config)}
    )


def test_a_singular_matrix_is_told_by_info() -> None:
    module = call("lapack_spotrf_ffi", "2x2xf32 -> 2x2xf32; i32", "{uplo = 76 : ui8}")
    for results in (
        interp.run(module, -np.eye(2, dtype=np.float32)),
        interp.compile(module)(-np.eye(2, dtype=np.float32)),
    ):
        assert np.asarray(results[1]) == 1


def test_no_matrices_are_no_work() -> None:
    module = call("lapack_sgeqrf_ffi", "0x2x2xf32 -> 0x2x2xf32; 0x2xf32")
    assert interp.run(module, np.zeros((0, 2, 2), np.float32))[0].storage.shape == (0, 2, 2)


def test_a_call_without_its_arguments_is_malformed() -> None:
    module = single("custom_call", "2x2xf32 -> 2x2xf32; i32", call_target_name="lapack_spotrf_ffi")
    with pytest.raises(Malformed, match=r"without mhlo\.backend_config"):
        interp.run(module, np.eye(2, dtype=np.float32))


def test_the_oracle_has_no_opinion_on_lapack() -> None:
    from spec.evaluate import evaluate
    from tests.test_engine import oracle_tensor

    module = call("lapack_spotrf_ffi", "2x2xf32 -> 2x2xf32; i32", "{uplo = 76 : ui8}")
    with pytest.raises(Unsupported, match="has no meaning here"):
        evaluate(module, [oracle_tensor(np.eye(2, dtype=np.float32), module.main.inputs[0].type)])


def test_every_routine_is_called() -> None:
    """By the tests above, or the tests would not know of it."""
    called = set()
    for dtype in TYPES.values():
        x = drawn(dtype, 2, 6, 6)
        for f in (*UNIQUE.values(), linalg.schur, linalg.eig, linalg.eigh):
            ops = exported(f, x).ops()
            called |= {op["call_target_name"] for op in ops if op.name == "stablehlo.custom_call"}
    assert {name for name in CALLS if name.startswith("lapack")} <= called

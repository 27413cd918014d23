"""Linear algebra as jax.export writes it, against jax, and by what it must satisfy."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import interp
from interp.engine.facts import CALLS
from interp.execute.agreement import figure
from spec.attributes import Opaque
from spec.errors import Malformed, Unsupported
from spec.ir import Module
from tests.library.builders import single
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
    "lu": lambda x: linalg.lu(x)[:2],
}
# Functions that JAX composes of those above: long programs, the same for every type.
COMPOSED = {
    "inverse": jnp.linalg.inv,
    "solve": lambda x: jnp.linalg.solve(x, x[..., :2]),
    "determinant": jnp.linalg.det,
    "slogdet": jnp.linalg.slogdet,
    "least squares": lambda x: jnp.linalg.lstsq(x[0], x[1, :, :2])[0][None],
}


# Parts of what has no unique form, which must compose to what was taken apart.
PARTS: dict[str, Callable[..., Any]] = {
    "QR": linalg.qr,
    "SVD": lambda x: jnp.linalg.svd(x[:, :, :4], full_matrices=True),
    "thin SVD": lambda x: jnp.linalg.svd(x[:, :, :4], full_matrices=False),
    "eigh": lambda x: linalg.eigh(hermitian(x) / 2),
    "eig": lambda x: linalg.eig(x),
    "Schur": linalg.schur,
}


SLOW = (pytest.mark.slow("XLA compiles some 40 functions at once"),)


class Found(NamedTuple):
    """One program of all functions: its results by name, of JAX, of `run` and of `compile`."""

    type: str
    x: np.ndarray
    module: Module
    theirs: dict[str, list[np.ndarray]]
    ours: dict[str, list[np.ndarray]]
    compiled: dict[str, list[np.ndarray]]


@pytest.fixture(scope="module", params=[pytest.param(t, marks=SLOW * t.startswith("complex")) for t in TYPES])
def found(request: pytest.FixtureRequest, unoptimized_module: None) -> Found:
    x = drawn(TYPES[request.param], 2, 6, 6, seed=5)
    functions = UNIQUE | PARTS | (COMPOSED if request.param in ("f64", "complex<f32>") else {})
    everything = jax.jit(lambda x: {name: f(x) for name, f in functions.items()})
    with jax.enable_x64(True):
        module, theirs = interp.load(jax.export.export(everything)(x)), everything(x)
    structure = jax.tree.structure(theirs)

    def by_name(results: Iterable[Any]) -> dict[str, list[np.ndarray]]:
        tree = jax.tree.unflatten(structure, [np.asarray(y) for y in results])
        return {name: jax.tree.leaves(part) for name, part in tree.items()}

    ways = jax.tree.leaves(theirs), interp.run(module, x), interp.compile(module)(x)
    return Found(request.param, x, module, *map(by_name, ways))


@pytest.mark.slow("exports and compiles every routine")
def test_linear_algebra_is_jaxs(found: Found) -> None:
    """Eager: the routine of the same name in SciPy; compiled: the same custom call."""
    most = figure(f"linear algebra on {found.type}", "run", "xla")
    for name in found.ours.keys() - PARTS.keys():
        parts = found.ours[name], found.compiled[name], found.theirs[name]
        for eager, same, expected in zip(*parts, strict=True):
            assert eager.dtype == same.dtype == expected.dtype, name
            axes = tuple(range(1, expected.ndim))
            assert distance(eager, expected, axes) <= most, name
            assert distance(same, expected, axes) <= most, name


def epsilon(x: np.ndarray) -> float:
    return float(200 * np.finfo(x.dtype).eps * np.abs(x).max())


@pytest.mark.slow("XLA compiles each decomposition", rows=1)
@pytest.mark.parametrize("way", ["ours", "compiled"])
def test_decompositions_compose(found: Found, way: str) -> None:
    """Q R = A, U S V = A, A v = w v and Z T Z* = A, whatever signs and phases the vectors have."""
    x, parts = found.x, getattr(found, way)
    adjoint = lambda y: y.conj().swapaxes(1, 2)
    near = lambda a, b, much=1: np.allclose(a, b, rtol=0, atol=much * epsilon(x))
    q, r = parts["QR"]
    assert near(q @ r, x)
    assert near(adjoint(q) @ q, np.eye(6))
    for name, columns in (("SVD", 6), ("thin SVD", 4)):
        u, s, v = parts[name]
        assert u.shape == (2, 6, columns)
        assert near(u[..., :4] * s[:, None] @ v, x[:, :, :4])
    vectors, values = parts["eigh"]
    assert near((x + adjoint(x)) / 2 @ vectors, vectors * values[:, None])
    values, left, right = parts["eig"]
    assert near(x @ right, right * values[:, None], 5)
    assert near(adjoint(left) @ x, values[..., None] * adjoint(left), 5)
    form, basis = parts["Schur"]
    assert near(basis @ form @ adjoint(basis), x)


def test_every_routine_is_called(found: Found) -> None:
    """The program of all functions calls each routine, so that the tests above see all of them."""
    ops = (op for op in found.module.ops() if op.name == "stablehlo.custom_call")
    routines = f"lapack_{'sdcz'[list(TYPES).index(found.type)]}"
    wanted = {name for name in CALLS if name.startswith(routines)}
    assert wanted
    assert wanted <= {op["call_target_name"] for op in ops}


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
    module, x = (
        call("lapack_spotrf_ffi", "2x2xf32 -> 2x2xf32; i32", "{uplo = 76 : ui8}"),
        -np.eye(2, dtype="f4"),
    )
    for results in (interp.run(module, x), interp.compile(module)(x)):
        assert np.asarray(results[1]) == 1


def test_no_matrices_are_no_work() -> None:
    module = call("lapack_sgeqrf_ffi", "0x2x2xf32 -> 0x2x2xf32; 0x2xf32")
    assert interp.run(module, np.zeros((0, 2, 2), np.float32))[0].storage.shape == (0, 2, 2)


def test_a_call_without_its_arguments_is_malformed() -> None:
    module = single("custom_call", "2x2xf32 -> 2x2xf32; i32", call_target_name="lapack_spotrf_ffi")
    with pytest.raises(Malformed, match=r"has no mhlo\.backend_config"):
        interp.run(module, np.eye(2, dtype=np.float32))


def test_the_oracle_has_no_opinion_on_lapack() -> None:
    from spec.meaning.evaluate import evaluate
    from tests.test_engine import oracle_tensor

    module = call("lapack_spotrf_ffi", "2x2xf32 -> 2x2xf32; i32", "{uplo = 76 : ui8}")
    with pytest.raises(Unsupported, match="has no meaning here"):
        evaluate(module, [oracle_tensor(np.eye(2, dtype=np.float32), module.main.inputs[0].type)])

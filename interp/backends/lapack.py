"""LAPACK's routines as JAX calls them on a CPU: run by SciPy on NumPy, and by JAX itself under `jax.jit`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from interp.backends.dtypes import numpy_dtype
from spec.types import TensorType

Arrays = Sequence[Any]


class Call(NamedTuple):
    """A custom call: its target, the arguments that are not arrays (characters as codes), the result types.

    The target `lapack_spotrf_ffi` names the routine `potrf` for the letter `s`, which is f32.
    """

    target: str
    attributes: Mapping[str, int]
    results: Sequence[TensorType]

    @property
    def letter(self) -> str:
        return self.target.removeprefix("lapack_")[0]

    @property
    def routine(self) -> str:
        return self.target.removeprefix("lapack_").removesuffix("_ffi")[1:]

    def is_char(self, name: str, character: str) -> bool:
        return self.attributes[name] == ord(character)

    @property
    def dtypes(self) -> list[np.dtype]:
        return [numpy_dtype(type.storage_type) for type in self.results]

    @property
    def roles(self) -> tuple[str, str]:
        """Kinds of the operands and results: m (matrix), v (vector) or i (number), apart from the batch."""
        split = ROLES.get(self.routine + ("_complex" if self.letter in "cz" else ""), ROLES[self.routine])
        operands, _, results = split.partition(" ")
        return operands, results


LETTERS = {"s": "f32", "d": "f64", "c": "complex<f32>", "z": "complex<f64>"}
RANK = {"m": 2, "v": 1, "i": 0}
ROLES = {
    "gees": "m mmvvii",
    "gees_complex": "m mmvii",
    "geev": "m vvmmi",
    "geev_complex": "m vmmi",
    "gehrd": "m mvi",
    "geqrf": "m mv",
    "gesdd": "m mvmmi",
    "getrf": "m mvi",
    "gtsv": "vvvm vvvmi",
    "heevd": "m mvi",
    "hetrd": "m mvvvi",
    "orgqr": "mv m",
    "potrf": "m mi",
    "syevd": "m mvi",
    "sytrd": "m mvvvi",
    "trsm": "mm m",
    "ungqr": "mv m",
}


# The arguments that each routine needs, with the characters that they may be; () for an integer.
_EIGEN = {"mode": "NV", "uplo": "LU"}
ARGUMENTS: dict[str, dict[str, str]] = {
    "gees": {"mode": "NV"},
    "geev": {"compute_left": "NV", "compute_right": "NV"},
    "gehrd": {"low": "", "high": ""},
    "gesdd": {"mode": "ASON"},
    "heevd": _EIGEN,
    "hetrd": {"uplo": "LU"},
    "potrf": {"uplo": "LU"},
    "syevd": _EIGEN,
    "sytrd": {"uplo": "LU"},
    "trsm": {"side": "LR", "uplo": "LU", "trans_x": "NTC", "diag": "NU"},
}


def misfit(call: Call, operands: Sequence[TensorType]) -> str:
    """Return what a call lacks, or what of it no routine can have; "" if it fits."""
    for name, characters in ARGUMENTS.get(call.routine, {}).items():
        number = call.attributes.get(name)
        if number is None:
            return f"no {name}"
        if characters and number not in map(ord, characters):
            return f"{name} = {number}, expected the code of one of {', '.join(characters)}"
    if call.routine == "gehrd" and not _has_rows(call, operands):
        return f"low and high are {call.attributes['low']} and {call.attributes['high']}"
    return _other_types(call, operands)


def _has_rows(call: Call, operands: Sequence[TensorType]) -> bool:
    """Return whether low and high are rows of a matrix, counted from 1."""
    rows = operands[0].shape[-1] if operands and operands[0].rank >= 2 else 0
    return 1 <= call.attributes["low"] <= max(call.attributes["high"], 1) <= max(rows or 0, 1)


def _other_types(call: Call, operands: Sequence[TensorType]) -> str:
    """Return in what the operands or the results are not those of the routine."""
    for kinds, types, what in zip(call.roles, (operands, call.results), ("operand", "result"), strict=True):
        if len(kinds) != len(types):
            return f"{len(types)} {what}s, expected {len(kinds)}"
        batches = {t.shape[: max(t.rank - RANK[kind], 0)] for kind, t in zip(kinds, types, strict=True)}
        if len(batches) > 1 or any(t.rank < RANK[kind] for kind, t in zip(kinds, types, strict=True)):
            return f"{what}s of the types {', '.join(map(repr, types))}"
    given = operands[0].storage_type.name if operands else ""
    return "" if given == LETTERS[call.letter] else f"operands of {given}, expected {LETTERS[call.letter]}"


def on_numpy(call: Call, operands: Arrays) -> tuple[np.ndarray, ...]:
    """Return the results of a call, matrix by matrix; elements that the routine does not set are zero."""
    ranks = [RANK[role] for role in call.roles[0]]
    batch = operands[0].shape[: operands[0].ndim - ranks[0]]
    flat = [x.reshape(-1, *x.shape[x.ndim - rank :]) for x, rank in zip(operands, ranks, strict=True)]
    made = [ROUTINES[call.routine](call, *(x[k] for x in flat)) for k in range(len(flat[0]))]
    found = []
    for k, (type, dtype) in enumerate(zip(call.results, call.dtypes, strict=True)):
        parts = [np.zeros(type.shape[len(batch) :], dtype) if one[k] is None else one[k] for one in made]
        found.append(np.array(parts, dtype).reshape(type.shape))
    return tuple(found)


def on_jax(jax: Any, call: Call, operands: Arrays) -> tuple[Any, ...]:
    """Return the results of the same custom call, which JAX registers when it lowers its own."""
    one = jax.ShapeDtypeStruct((1, 1), np.float32)
    jax.jit(jax.lax.linalg.cholesky).lower(one)
    roles = call.roles
    order = lambda role, rank: (*range(rank - 2), rank - 1, rank - 2) if role == "m" else tuple(range(rank))
    run = jax.ffi.ffi_call(
        call.target,
        [jax.ShapeDtypeStruct(t.shape, dtype) for t, dtype in zip(call.results, call.dtypes, strict=True)],
        input_layouts=[order(role, x.ndim) for role, x in zip(roles[0], operands, strict=True)],
        output_layouts=[order(role, t.rank) for role, t in zip(roles[1], call.results, strict=True)],
        vmap_method="broadcast_all",
    )
    types = {"low": np.int32, "high": np.int32}
    return tuple(run(*operands, **{n: types.get(n, np.uint8)(v) for n, v in call.attributes.items()}))


def _scipy(call: Call, room: str = "lapack") -> Callable[..., Any]:
    return getattr(import_module(f"scipy.linalg.{room}"), call.letter + call.routine)


def _with_room(call: Call, *operands: np.ndarray) -> Any:
    """Run a routine with the workspace that it asks for: its size decides the blocks, and so the rounding."""
    *_, work, _ = _scipy(call)(*operands, lwork=-1)
    return _scipy(call)(*operands, lwork=int(work[0].real))


def _potrf(call: Call, a: np.ndarray) -> Arrays:
    return _scipy(call)(a, lower=call.is_char("uplo", "L"), clean=False)


def _getrf(call: Call, a: np.ndarray) -> Arrays:
    lu, pivots, info = _scipy(call)(a)
    return lu, pivots + 1, info


def _geqrf(call: Call, a: np.ndarray) -> Arrays:
    qr, tau, *_ = _with_room(call, a)
    return qr, tau


def _orgqr(call: Call, a: np.ndarray, tau: np.ndarray) -> Arrays:
    return _with_room(call, a, tau)[:1]


def _gesdd(call: Call, a: np.ndarray) -> Arrays:
    vectors, whole = not call.is_char("mode", "N"), call.is_char("mode", "A")
    u, s, vt, info = _scipy(call)(a, compute_uv=vectors, full_matrices=whole)
    return None, s, *((u, vt) if vectors else (None, None)), info


def _syevd(call: Call, a: np.ndarray) -> Arrays:
    vectors = call.is_char("mode", "V")
    values, found, info = _scipy(call)(a, compute_v=vectors, lower=call.is_char("uplo", "L"))
    return found if vectors else None, values, info


def _trsm(call: Call, a: np.ndarray, b: np.ndarray) -> Arrays:
    solved = _scipy(call, "blas")(
        1.0,
        a,
        b,
        side=call.is_char("side", "R"),
        lower=call.is_char("uplo", "L"),
        trans_a="NTC".index(chr(call.attributes["trans_x"])),
        diag=call.is_char("diag", "U"),
    )
    return (solved,)


def _geev(call: Call, a: np.ndarray) -> Arrays:
    wanted = [call.is_char(name, "V") for name in ("compute_left", "compute_right")]
    *values, left, right, info = _scipy(call)(a, compute_vl=wanted[0], compute_vr=wanted[1])
    found = [x if here else None for x, here in zip((left, right), wanted, strict=True)]
    if call.letter in "sd":
        found = [None if x is None else _pair_conjugates(values[1], x) for x in found]
    return *values, *found, info


def _pair_conjugates(imaginary: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Return complex eigenvectors; LAPACK stores a conjugate pair as one real and one imaginary part."""
    found = vectors.astype(np.complex128)
    for k in np.flatnonzero(imaginary > 0):
        found[:, k] = vectors[:, k] + 1j * vectors[:, k + 1]
        found[:, k + 1] = found[:, k].conj()
    return found


def _gees(call: Call, a: np.ndarray) -> Arrays:
    vectors = call.is_char("mode", "V")
    form, selected, *values, basis, _, info = _scipy(call)(lambda *_: None, a, compute_v=vectors, sort_t=0)
    return form, basis if vectors else None, *values, selected, info


def _gehrd(call: Call, a: np.ndarray) -> Arrays:
    return _scipy(call)(a, lo=call.attributes["low"] - 1, hi=call.attributes["high"] - 1)


def _sytrd(call: Call, a: np.ndarray) -> Arrays:
    return _scipy(call)(a, lower=call.is_char("uplo", "L"))


def _gtsv(call: Call, dl: np.ndarray, d: np.ndarray, du: np.ndarray, b: np.ndarray) -> Arrays:
    """Solve; the first subdiagonal and the last superdiagonal element lie outside the matrix."""
    *_, solved, info = _scipy(call)(dl[1:], d, du[:-1], b)
    return None, None, None, solved, info


ROUTINES: dict[str, Callable[..., Arrays]] = {
    "gees": _gees,
    "geev": _geev,
    "gehrd": _gehrd,
    "geqrf": _geqrf,
    "gesdd": _gesdd,
    "getrf": _getrf,
    "gtsv": _gtsv,
    "heevd": _syevd,
    "hetrd": _sytrd,
    "orgqr": _orgqr,
    "potrf": _potrf,
    "syevd": _syevd,
    "sytrd": _sytrd,
    "trsm": _trsm,
    "ungqr": _orgqr,
}

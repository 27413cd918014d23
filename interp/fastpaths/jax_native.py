"""Ordered sums of products compiled by numba, as a call from a program of XLA on a CPU.

Where XLA compiles for another platform, or JAX exports a program, which may run without us, the same sums are
XLA's own loops (`jax_ordered`).
"""

from __future__ import annotations

import ctypes
import platform
from functools import cache
from math import prod

import numpy as np

from interp.backends import NUMPY, Array, Namespace, loops, windows
from interp.backends.dtypes import numpy_dtype
from interp.backends.platforms import on_cpu
from interp.fastpaths import jax_ordered
from interp.fastpaths.problem import Convolution, Dot, Fold, Geometry, Problem
from spec.elements import ELEMENT_TYPES
from spec.types import ElementType

F32 = ELEMENT_TYPES["f32"]
MANY = 1 << 16  # products, below which XLA compiles the plain fold as soon
X86 = ("x86_64", "AMD64")
NARROW = 16  # columns of a group, below which vectors are of rows


def ordered(
    xp: Namespace, geometry: Geometry, element: ElementType, lhs: Array, rhs: Array, fold: Fold
) -> Array:
    """Return sums of floats from the left, each product and each sum rounded, on a CPU by compiled code."""
    elsewhere = lambda lhs, rhs: jax_ordered.ordered(xp, geometry, element, lhs, rhs, fold)
    problem = geometry.of(lhs, rhs)
    few = problem.n * prod(problem.shape) < MANY
    if few or not (xp.native and works(xp, way_of(problem), element.name)):
        return elsewhere(lhs, rhs)
    known = [xp.stored(x) for x in (lhs, rhs)]
    sides = [x if y is None or y.dtype != np.float32 else y for x, y in zip((lhs, rhs), known, strict=True)]
    carried = lambda x: xp.decode(x, F32) if x.dtype == np.float32 else x
    stored = element if element.name == "f64" else F32
    in_carriers = lambda lhs, rhs: xp.encode(elsewhere(carried(lhs), carried(rhs)), stored)
    here = lambda *sides: sums(xp, geometry, element, *sides)
    return xp.decode(on_cpu(problem.shape, numpy_dtype(stored), here, in_carriers, *sides), stored)


def sums(xp: Namespace, geometry: Geometry, element: ElementType, left: Array, right: Array) -> Array:
    """Return the sums of products, stored in f32 or f64, of operands so stored or in a carrier."""
    stored = element if element.name == "f64" else F32
    integer = np.dtype(f"int{stored.bits}")
    hole = -1 if geometry.has_holes else 0  # as bits, a NaN that none has that is encoded
    left, right = (_encoded(xp, x, stored) for x in (left, right))
    problem = geometry.of(xp.lax.bitcast_convert_type(left, integer), right, hole)
    meta = described(problem, hole)
    out = xp.jax.ShapeDtypeStruct(problem.shape, problem.right.dtype)
    call = xp.jax.ffi.ffi_call(registered(xp, way_of(problem), element.name), out)
    return call(meta, problem.left, columns_of(xp, problem))


def _encoded(xp: Namespace, x: Array, type: ElementType) -> Array:
    """Return numbers in a type that has them, every NaN the one quiet NaN."""
    if x.dtype == np.float32 and type == F32:
        return xp.where(xp.isnan(x), np.float32(np.nan), x)
    return xp.encode(xp.decode(x, F32) if x.dtype == np.float32 else x, type)


def columns_of(xp: Namespace, problem: Problem) -> Array:
    """Return the right factors as [group, k, n]."""
    if isinstance(problem, Dot):
        return problem.right
    grouped = problem.right.reshape(problem.n, problem.groups, -1)
    return xp.moveaxis(grouped, 1, 0)


def described(problem: Problem, hole: int) -> Array:
    """Return what `ordered_call` reads: where the factors of each sum are, and where the sum goes."""
    if isinstance(problem, Dot):
        groups, m, n = problem.shape
        head = [groups, m, n, 1, problem.n, m * problem.n, m * n, n, hole, 1]
        return np.array([*head, m, problem.n, 0], np.int64)
    strides, kernel = windows.row_major(problem.left.shape), problem.right.shape
    columns, features = kernel[-1] // problem.groups, kernel[-2]
    of_group = features if problem.feature_group_count > 1 else strides[0] * problem.sizes[0]
    head = [problem.groups, prod(problem.sizes), columns, prod(kernel[:-2]), features, of_group]
    steps = [stride * by for stride, by in zip(strides[1:-1], problem.window_strides, strict=True)]
    lengths = [*problem.sizes, strides[0], *steps]
    tail = [columns, kernel[-1], hole, len(problem.sizes), *lengths, *_offsets(problem, strides)]
    return np.array([*head, *tail], np.int64)


def _offsets(problem: Convolution, strides: list[int]) -> Array:
    """Return where the factors at each position of the kernel are, beside those at the first."""
    steps, start = [], 0
    rows = zip(
        strides[1:-1], problem.right.shape, problem.rhs_dilation, problem.window_reversal, strict=False
    )
    for stride, size, dilation, is_reversed in rows:
        start += stride * dilation * (size - 1) if is_reversed else 0
        steps.append(-stride * dilation if is_reversed else stride * dilation)
    return windows.grid(problem.right.shape[:-2], steps).ravel() + start


def way_of(problem: Problem) -> str:
    """Return along what the vectors of the compiled loop are."""
    groups, sums, columns, _, run, step, *_ = described(problem, 0)
    if isinstance(problem, Convolution) and groups > 1 and columns == run == step == 1:
        return "depthwise"
    return "narrow" if columns < min(NARROW, sums) else "wide"


@cache
def registered(xp: Namespace, way: str, name: str) -> str:
    """Return the name by which XLA knows the handler for sums of a float type."""
    from interp.fastpaths.ordered_call import address_of

    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype, capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    target = f"interp_{way}_sums_{name}"
    xp.jax.ffi.register_ffi_target(target, capsule(address_of(way, name), None, None), platform="cpu")
    return target


@cache
def works(xp: Namespace, way: str, name: str) -> bool:
    """Return whether XLA on a CPU calls a handler that numba compiles, and gets the sums that it should.

    Among them a subnormal one, and one of a product that is rounded.
    """
    if platform.machine() not in X86 or not loops.available():
        return False  # LLVM ends the process where it has no instruction for `xla_call.float_modes`
    jax, (problem, expected) = xp.jax, probe(way, name)
    bits = problem.left.view(f"int{8 * problem.left.itemsize}")
    try:
        with jax.ensure_compile_time_eval(), jax.enable_x64(True), jax.default_device(jax.devices("cpu")[0]):
            out = jax.ShapeDtypeStruct(problem.shape, problem.right.dtype)
            call = jax.ffi.ffi_call(registered(xp, way, name), out)
            found = jax.jit(call)(described(problem, 0), bits, columns_of(xp, problem))
    except Exception:  # of whatever kind: another jaxlib may refuse the handler at any point
        return False
    return bool(np.array_equal(np.asarray(found).ravel(), expected.ravel()))


def probe(way: str, name: str) -> tuple[Problem, Array]:
    """Return factors [2, 2] and [2, 32] for a handler, and their sums."""
    dtype, type = np.float64 if name == "f64" else np.float32, ELEMENT_TYPES[name]
    least, last = 2.0 ** (2 - type.bias - type.mantissa), 2.0 ** -(type.mantissa // 2 + 1)
    x = np.array([[3 * last, 0], [1 + last, 1]], dtype)
    w = np.array([[least / last] + [1 + last] * 31, [-1] * 32], dtype)
    rounded = lambda y: NUMPY.round_to(y, type).astype(dtype)
    expected = rounded(rounded(x[:, :1] * w[0]) + rounded(x[:, 1:] * w[1]))
    if way == "depthwise":
        left = np.repeat(x[:, :, None], w.shape[1], axis=2)
        return Convolution(left, w[:, None], (1,), (1,), (False,), w.shape[1], 1), expected
    return Dot(x[None], w[None]), expected

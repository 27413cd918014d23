"""Results of real implementations of sums and products, none of which `permits` may call wrong.

Each adds in an order of its own, some with fused multiply-adds, in wider types, or with flushed subnormals.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from math import fsum
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np

import interp
from interp.questions.permitted.element_verdicts import refutations
from interp.questions.permitted.results import Program
from spec.ir import Module

SIZES = (3, 4, 7, 16, 31, 64, 100, 255, 256, 1000, 1024, 4096)
KINDS = ("normal", "wide exponents", "cancelling", "positive", "subnormal", "many scales")
DTYPES = {"f16": "float16", "f32": "float32", "f64": "float64", "bf16": "bfloat16"}
Array = np.ndarray
Implementation = Callable[..., Array]


class Target(NamedTuple):
    """An implementation of a program on one type; `program` makes its text from rows and leaves."""

    name: str
    type: str
    program: Callable[[str, int, int], str]
    run: Implementation


def inputs(kind: str, shape: Sequence[int], dtype: np.dtype, rng: np.random.Generator) -> Array:
    """Return numbers of a kind."""
    x, info = rng.standard_normal(shape), ml_dtypes.finfo(dtype)
    span = int(min(-info.minexp, info.maxexp)) // 4
    n = shape[-1]
    if kind == "wide exponents":
        x = x * 2.0 ** rng.integers(-span, span // 2, shape)
    elif kind == "cancelling":
        x[..., n // 2 : 2 * (n // 2)] = -x[..., : n // 2] * (1 + 2.0**-8 * rng.standard_normal((n // 2,)))
        x = rng.permuted(x, axis=-1)
    elif kind == "positive":
        x = np.abs(x)
    elif kind == "subnormal":
        x = x * 2.0 ** (info.minexp + rng.integers(-4, 3, shape))
    elif kind == "many scales":
        x[..., 1::2] = -x[..., : n - n % 2 : 2]
        x = rng.permuted(x * 2.0 ** rng.integers(-span // 2, span // 2, (*shape[:-1], 1)), axis=-1)
        x = x + rng.standard_normal(shape) * 2.0**-10
    return x.astype(dtype)


def sums(type: str, rows: int, n: int) -> str:
    return f"""func.func @main(%x: tensor<{rows}x{n}x{type}>) -> tensor<{rows}x{type}> {{
      %z = stablehlo.constant dense<0.0> : tensor<{type}>
      %s = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1]
        : (tensor<{rows}x{n}x{type}>, tensor<{type}>) -> tensor<{rows}x{type}>
      return %s : tensor<{rows}x{type}>
    }}"""


def products(type: str, rows: int, n: int) -> str:
    operands = f"%x: tensor<{rows}x{n}x{type}>, %y: tensor<{n}x4x{type}>"
    return f"""func.func @main({operands}) -> tensor<{rows}x4x{type}> {{
      %s = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
        : (tensor<{rows}x{n}x{type}>, tensor<{n}x4x{type}>) -> tensor<{rows}x4x{type}>
      return %s : tensor<{rows}x4x{type}>
    }}"""


def squares(type: str, rows: int, n: int) -> str:
    return f"""func.func @main(%x: tensor<{rows}x{n}x{type}>, %y: tensor<{n}x4x{type}>) -> tensor<4x{type}> {{
      %s = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
        : (tensor<{rows}x{n}x{type}>, tensor<{n}x4x{type}>) -> tensor<{rows}x4x{type}>
      %q = stablehlo.multiply %s, %s : tensor<{rows}x4x{type}>
      %z = stablehlo.constant dense<0.0> : tensor<{type}>
      %r = stablehlo.reduce(%q init: %z) applies stablehlo.add across dimensions = [0]
        : (tensor<{rows}x4x{type}>, tensor<{type}>) -> tensor<4x{type}>
      return %r : tensor<4x{type}>
    }}"""


def in_a_tree(x: Array, rng: np.random.Generator, y: Array | None = None) -> Array:
    """Add rows, or products, in a random tree over a random permutation, fused where a leaf meets a node."""
    dtype, terms = x.dtype, list(rng.permutation(x.shape[-1]))
    nodes: list[Any] = [(None, k) for k in terms]
    while len(nodes) > 1:
        at = int(rng.integers(len(nodes) - 1))
        (a, i), (b, j) = nodes[at], nodes[at + 1]
        if rng.random() < 0.5:
            (a, i), (b, j) = (b, j), (a, i)
        left = _leaf(x, y, i).astype(dtype) if a is None else a
        right = _leaf(x, y, j) if b is None else b
        with np.errstate(all="ignore"):
            total = left.astype(np.longdouble) + right  # 64 bits: exact, or rounded as a wider node rounds
        nodes[at : at + 2] = [(total.astype(dtype), None)]
    return np.asarray(nodes[0][0])


def _leaf(x: Array, y: Array | None, k: int) -> Array:
    """Return a leaf, or an exact product in 64 bits of precision."""
    return x[:, k] if y is None else x[:, k, None].astype(np.longdouble) * y[k].astype(np.longdouble)


def in_onnx(op: str, dtype: str, *arrays: Array) -> Array:
    feeds = {f"x{k}": x for k, x in enumerate(arrays)}
    return np.asarray(_session(op, dtype, tuple(x.shape for x in arrays)).run(None, feeds)[0])


@cache
def _session(op: str, dtype: str, shapes: tuple[tuple[int, ...], ...]) -> Any:
    import onnx
    import onnxruntime
    from onnx import TensorProto, helper

    code = {"float32": TensorProto.FLOAT, "float64": TensorProto.DOUBLE}[dtype]
    names = [f"x{k}" for k in range(len(shapes))]
    values = [helper.make_tensor_value_info(n, code, s) for n, s in zip(names, shapes, strict=True)]
    extra = [helper.make_tensor("axes", TensorProto.INT64, [1], [1])] if op == "ReduceSum" else []
    attributes = {"keepdims": 0} if extra else {}
    node = helper.make_node(op, [*names, *(e.name for e in extra)], ["y"], **attributes)
    shape = (shapes[0][0], *(s[1] for s in shapes[1:]))
    out = helper.make_tensor_value_info("y", code, shape)
    graph = helper.make_graph([node], "g", values, [out], extra)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    return onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])


@cache
def on_xla(name: str) -> Implementation:
    import jax
    import jax.numpy as jnp
    from jax import lax

    def windows(x: Any) -> Any:
        return lax.reduce_window(x, np.zeros((), x.dtype), lax.add, (1, x.shape[1]), (1, 1), "VALID")[:, 0]

    def convolved(x: Any, y: Any) -> Any:
        return lax.conv_general_dilated(x[:, :, None], y.T[:, :, None], (1,), "VALID")[:, :, 0]

    functions: dict[str, Any] = {
        "sum": lambda x: jnp.sum(x, axis=1),
        "cumsum": lambda x: jnp.cumsum(x, axis=1)[:, -1],
        "dot": lambda x, y: x @ y,
        "reduce_window": windows,
        "conv": convolved,
        "squares": lambda x, y: jnp.sum((x @ y) ** 2, axis=0),
    }
    compiled = jax.jit(functions[name])

    def run(*arrays: Array) -> Array:
        with jax.enable_x64(True):
            return np.asarray(compiled(*arrays))

    return run


def targets() -> Iterator[Target]:
    """Yield implementations; those of libraries that are not installed are left out."""
    for type in ("f32", "f64", "f16"):
        yield Target(f"NumPy sum {type}", type, sums, lambda x: np.sum(x, axis=1))
        yield Target(f"NumPy cumsum {type}", type, sums, lambda x: np.cumsum(x, axis=1)[:, -1])
    for type in ("f32", "f64", "f16"):
        yield Target(f"NumPy matmul {type}", type, products, lambda x, y: x @ y)
    dots = lambda x, y: np.array([[np.dot(a, b) for b in y.T] for a in x])
    yield Target("NumPy dot f32", "f32", products, dots)
    yield Target("NumPy einsum f32", "f32", products, lambda x, y: np.einsum("ij,jk->ik", x, y))
    yield Target("fsum f32", "f32", sums, lambda x: np.float32([fsum(row) for row in x]))
    yield Target("fsum f64", "f64", sums, lambda x: np.float64([fsum(row) for row in x]))
    yield Target("NumPy two contractions f32", "f32", squares, lambda x, y: np.sum((x @ y) ** 2, axis=0))
    yield Target("random trees f32", "f32", sums, in_a_tree)
    yield Target("random trees bf16", "bf16", sums, in_a_tree)
    yield Target("random trees f32, fused", "f32", products, in_a_tree)
    for type in ("f32", "f16", "bf16", "f64"):
        yield Target(f"XLA sum {type}", type, sums, on_xla("sum"))
        yield Target(f"XLA dot {type}", type, products, on_xla("dot"))
    yield Target("XLA cumsum f32", "f32", sums, on_xla("cumsum"))
    yield Target("XLA reduce_window f32", "f32", sums, on_xla("reduce_window"))
    yield Target("XLA convolution f32", "f32", products, on_xla("conv"))
    yield Target("XLA two contractions f32", "f32", squares, on_xla("squares"))
    try:
        import onnxruntime  # noqa: F401
    except ImportError:
        return
    for type in ("f32", "f64"):
        yield Target(f"onnxruntime ReduceSum {type}", type, sums, partial(in_onnx, "ReduceSum", DTYPES[type]))
        yield Target(f"onnxruntime MatMul {type}", type, products, partial(in_onnx, "MatMul", DTYPES[type]))


class Placed(NamedTuple):
    """Places of the results of one call, and the accumulation that was named for them, or the schedule."""

    places: Counter[str]
    named: str


def placed(target: Target, kind: str, n: int, rows: int, seed: int) -> Placed:
    """Return the places of the results of an implementation by `permits`, in full."""
    program = results_of(target, kind, n, rows, seed)
    found = interp.permits(program.module, program.args, program.given)
    named = found.schedule or (found.along[0] if found.along and found.along[1] == found.along[2] else "")
    return Placed(found.places, named)


@cache
def module_of(program: Callable[[str, int, int], str], type: str, rows: int, n: int) -> Module:
    return interp.load(program(type, rows, n))


def results_of(target: Target, kind: str, n: int, rows: int, seed: int) -> Program:
    """Return a program, random arguments of a kind, and an implementation's results for them."""
    rng = np.random.default_rng([seed, n, KINDS.index(kind)])
    dtype = np.dtype(DTYPES[target.type])
    args = [inputs(kind, (rows, n), dtype, rng)]
    if target.program is not sums:
        args.append(np.ascontiguousarray(inputs("normal", (4, n), dtype, rng).T))
    if target.run is in_a_tree:
        given = in_a_tree(args[0], rng, *args[1:])
    else:
        with np.errstate(all="ignore"):
            given = np.asarray(target.run(*args))
    module = module_of(target.program, target.type, rows, n)
    return Program(module, args, [given.astype(dtype)], module.main.name)


def refuted(target: Target, kind: str, n: int, rows: int, seed: int) -> tuple[int, int, list[str]]:
    """Return how many results were judged, how many of them were bounded, and why some were called wrong."""
    program = results_of(target, kind, n, rows, seed)
    (given,) = program.given
    places = list(range(given.size))
    nothing = [np.full(given.shape, np.nan, given.dtype)]
    bounded = len(refutations(program._replace(given=nothing), places, True))
    return given.size, bounded, list(refutations(program, places, True).values())

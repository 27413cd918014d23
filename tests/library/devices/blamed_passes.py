"""Programs of which one pass of XLA changes results, and the exhaustive check that it does: 25 of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from interp.execute.xla_process import XlaFailed, passes_apart, run_apart
from interp.loading.load import load
from spec.ir import Module

DISABLED = "xla_disable_hlo_passes"
# What code generation needs: results without one of these are no results of this program.
NEEDED = {"copy-insertion", "layout-assignment", "call-inliner", "flatten-call-graph", "dce"}


@dataclass(frozen=True)
class Single:
    """A JAX function, the shapes of its arguments, and the pass that changes its results.

    Its arguments are random numbers from 0.5 to 3.5.
    """

    name: str
    guilty: str
    function: Callable[..., Any]
    shapes: tuple[tuple[int, ...], ...]

    @property
    def arguments(self) -> list[np.ndarray]:
        """The function's arguments."""
        rng = np.random.default_rng(0)
        return [(rng.random(shape) * 3.0 + 0.5).astype(np.float32) for shape in self.shapes]

    @property
    def module(self) -> Module:
        """The program."""
        return load((self.function, tuple(self.arguments)))


def guilty(module: Module, args: Sequence[np.ndarray]) -> set[str]:
    """Return the passes that alone make the difference, by switching each off, and each on, alone.

    With one of them off the results are those of all off; with all others off they are not.
    """
    names = [name for name in passes_apart(module, None) if name not in NEEDED]
    results = {name: bits(module, args, [name]) for name in names}
    names = [name for name in names if results[name] is not None]
    nothing, everything = bits(module, args, []), bits(module, args, names)
    assert everything is not None
    assert nothing != everything
    alone = [name for name in names if results[name] == everything]
    return {name for name in alone if bits(module, args, [x for x in names if x != name]) != everything}


def bits(module: Module, args: Sequence[np.ndarray], off: Sequence[str]) -> bytes | None:
    """Return XLA's results with passes switched off, None if there are none."""
    try:
        results = run_apart(module, args, {DISABLED: ",".join(off)} if off else None)
    except XlaFailed:
        return None
    return b"".join(x.tobytes() for x in results)


def lazily(name: str) -> Callable[..., Any]:
    """Return a function of `jax.numpy` or `jax.lax`, which is imported when it is called."""

    def call(*args: Any, **options: Any) -> Any:
        import jax

        home = jax.numpy if hasattr(jax.numpy, name) else jax.lax
        return getattr(home, name)(*args, **options)

    return call


exp, log, sqrt, total, dot, cumsum = map(lazily, ("exp", "log", "sqrt", "sum", "dot", "cumsum"))
pow, rsqrt, rounded, einsum = map(lazily, ("pow", "rsqrt", "round", "einsum"))
WEIGHTS = np.random.default_rng(1).random((8, 64)).astype(np.float32)
N = (64,)
SINGLES = (
    Single("x / 7", "algsimp", lambda x: x / np.float32(7), (N,)),
    Single("a / b / c", "algsimp", lambda a, b, c: (a / b) / c, (N, N, N)),
    Single("a / (b / c)", "algsimp", lambda a, b, c: a / (b / c), (N, N, N)),
    Single("x * 0.1 * 0.7", "algsimp", lambda x: (x * 0.1) * 0.7, (N,)),
    Single("x + 0.1 + 0.7", "algsimp", lambda x: (x + 0.1) + 0.7, (N,)),
    Single("exp(a) * exp(b)", "algsimp", lambda a, b: exp(a) * exp(b), (N, N)),
    Single("log(exp(x))", "algsimp", lambda x: log(exp(x)), (N,)),
    Single("a / exp(b)", "algsimp", lambda a, b: a / exp(b), (N, N)),
    Single("a / sqrt(b)", "algsimp", lambda a, b: a / sqrt(b), (N, N)),
    Single("a / b^c", "algsimp", lambda a, b, c: a / pow(b, c), (N, N, N)),
    Single("(x^3)^0.7", "algsimp", lambda x: pow(pow(x, np.float32(3)), np.float32(0.7)), (N,)),
    Single("x^3", "algsimp", lambda x: pow(x, np.float32(3)), (N,)),
    Single("a * b + c", "fusion", lambda a, b, c: a * b + c, (N, N, N)),
    Single("a * b - c", "fusion", lambda a, b, c: a * b - c, (N, N, N)),
    Single("(a * b + c) * a + b", "fusion", lambda a, b, c: (a * b + c) * a + b, (N, N, N)),
    Single("a * c + b * c", "fusion", lambda a, b, c: a * c + b * c, (N, N, N)),
    Single("x * rsqrt(x * x + 0.1)", "fusion", lambda x: x * rsqrt(x * x + 0.1), (N,)),
    Single("a sum of fake-quantized numbers", "fusion", lambda x: total(fake(x), axis=1), ((16, 32),)),
    Single("sums of squares", "tree_reduction_rewriter", lambda x: total(x * x, axis=1), ((8, 64),)),
    Single("a product", "dot-library-rewriter", dot, ((16, 64), (64, 8))),
    Single("two products", "dot-library-rewriter", lambda a, b: dot(dot(a, b), b.T), ((16, 64), (64, 8))),
    Single("products of a batch", "dot-library-rewriter", lambda a, b: einsum("bij,bjk->bik", a, b),
           ((4, 8, 16), (4, 16, 8))),
    Single("sums of long rows", "dot-library-rewriter", lambda x: total(x, axis=1), ((16, 4100),)),
    Single("a cumulative sum", "reduce-window-rewriter", cumsum, ((100,),)),
    Single("a product of constants", "constant_folding", lambda x: x + dot(array(WEIGHTS), array(WEIGHTS).T),
           ((8,),)),
)  # fmt: skip


def array(x: np.ndarray) -> Any:
    import jax

    return jax.numpy.asarray(x)


def fake(x: Any) -> Any:
    return rounded(x / 0.02).astype("int8").astype("float32") * 0.02

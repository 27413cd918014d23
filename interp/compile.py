"""`compile`: the same kernels under `jax.jit`. The lowered function is the program as plain StableHLO."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from interp.evaluate import Context
from interp.namespace import jax_namespace
from interp.run import accepted, contractions_named, function_named, refuse_violations
from spec.errors import Unsupported
from spec.ir import Func, Module
from spec.schedule import Schedule, parse


def compile(
    module: Module,
    *,
    schedule: str | Schedule = "left",
    function: str = "main",
    mode: str = "mlir",
    contractions: str = "fold",
) -> Callable[..., tuple[jax.Array, ...]]:
    """A JAX function from storage arrays to a tuple of storage arrays, bit-equal to `run` (but see
    `AGREEMENT`).

    jit, vmap, export, shard it. The schedule must be "left", "balanced": a `random` tree is for eager runs.
    """
    refuse_violations(module, mode)
    func, tree = function_named(module, function), parse(schedule)
    if tree.name not in ("left", "balanced"):
        raise Unsupported(
            f"schedule {tree} under jit", "compile runs left and balanced; use interp.run for others"
        )
    compiled = jax.jit(traceable(module, func, tree, contractions_named(contractions)))

    def call(*args: Any) -> tuple[jax.Array, ...]:
        stored = [
            x if isinstance(x, jax.Array) else y for x, y in zip(args, _checked(func, args), strict=True)
        ]
        with jax.enable_x64(True):
            return compiled(*stored)

    call.__name__ = func.name
    call.__doc__ = "\n".join(["Storage arrays in, storage arrays out.", "", *map(repr, func.inputs)])
    return call


def traceable(
    module: Module, func: Func, schedule: Schedule, contractions: str = "fold"
) -> Callable[..., Any]:
    """The kernels as a function on JAX's storage arrays; needs 64-bit types enabled around it."""

    def f(*args: Any) -> tuple[jax.Array, ...]:
        xp = jax_namespace()
        ctx = Context(xp, module, schedule, contractions=contractions)
        with jax.enable_x64(True):
            carried = [xp.decode(x, v.type.storage_type) for x, v in zip(args, func.inputs, strict=True)]
            results = ctx.call(func.name, carried)
            return tuple(xp.encode(x, t.storage_type) for x, t in zip(results, func.results, strict=True))

    return f


def _checked(func: Func, args: Any) -> list[Any]:
    """Concrete arguments are checked as `run` does; tracers by JAX."""
    if any(isinstance(x, jax.core.Tracer) for x in args):
        return [x if hasattr(x, "dtype") else np.asarray(x) for x in args]
    return accepted(func, args)

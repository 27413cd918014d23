"""`compile`: the same kernels under `jax.jit`. The lowered function is the program as plain StableHLO."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from interp.evaluate import Context
from interp.fold import TRACEABLE
from interp.namespace import jax_namespace
from interp.run import check_count, contractions_named, function_named, refuse_violations
from interp.tensor import accept
from spec.errors import Malformed, Unsupported
from spec.ir import Func, Module, Value
from spec.schedule import Schedule, parse


def compile(
    module: Module,
    *,
    schedule: str | Schedule = "left",
    function: str = "main",
    mode: str = "mlir",
    contractions: str = "fold",
) -> Callable[..., tuple[jax.Array, ...]]:
    """A JAX function on storage arrays, bit-equal to `run` but for the rows of `AGREEMENT`.

    jit, vmap, export, shard it. Schedules "left", "balanced" and "blocks(k)"; others are for eager runs.
    """
    refuse_violations(module, mode)
    func, tree = function_named(module, function), parse(schedule)
    if tree.name not in TRACEABLE:
        what = "compile runs left, balanced and blocks(k); use interp.run for others"
        raise Unsupported(f"schedule {tree} under jit", what)
    compiled = jax.jit(_without_gradient(traceable(module, func, tree, contractions_named(contractions))))

    def call(*args: Any) -> tuple[jax.Array, ...]:
        check_count(func, args)
        stored = [_stored(x, v, i) for i, (x, v) in enumerate(zip(args, func.inputs, strict=True))]
        with jax.enable_x64(True):
            return compiled(*stored)

    call.__name__ = func.name
    call.__doc__ = "\n".join(["Storage arrays in, storage arrays out.", "", *map(repr, func.inputs)])
    return call


def _without_gradient(f: Callable[..., Any]) -> Callable[..., Any]:
    """Reading bits cuts the derivative: better no gradient than one of zeros."""

    def refuse(primals: Any, tangents: Any) -> Any:
        raise Unsupported("a compiled program has no gradient", "differentiate the float function instead")

    undifferentiable = jax.custom_jvp(f)
    undifferentiable.defjvp(refuse)
    return undifferentiable


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


def _stored(x: Any, parameter: Value, position: int) -> Any:
    """What is passed on: a tracer or an array of JAX as it is, if it is of the parameter's type."""
    if not isinstance(x, jax.Array):
        return accept(x, parameter, position)
    type, wanted = parameter.type, np.dtype(parameter.type.storage_type.numpy)
    if isinstance(x, jax.core.Tracer) and (x.shape != type.shape or x.dtype != wanted):
        raise Malformed(
            f"argument {parameter.name} is traced as {x.dtype}{list(x.shape)}, its parameter is {type!r}",
            f"wanted {wanted}{list(type.shape)}; 64-bit types need jax.enable_x64(True) around the trace",
        )
    if isinstance(x, jax.core.Tracer):
        return x
    stored = accept(x, parameter, position)
    return x if x.dtype == wanted else stored

"""Calls of a program in parts, each compiled by JAX on its own: like parts are compiled once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

from interp.backends import Array, Namespace
from interp.backends.dtypes import numpy_dtype
from interp.engine.arguments import encode
from interp.engine.evaluate import Context
from interp.execute.parts import Part
from spec.ir import Func, Region
from spec.types import TensorType

Entrance = Callable[[bool], AbstractContextManager[Context]]  # whether operations have their layers' names


class Stored(NamedTuple):
    """The stored elements of a value that passes from part to part; others pass in their carrier."""

    elements: Array


class Step(NamedTuple):
    """A compiled part: names of the values that it takes and gives, and of those that no later one takes.

    lifted: for each that it takes, the type to decode it from first, as like parts have it in its carrier.
    """

    function: Callable[..., tuple[Any, ...]]
    taken: Sequence[str]
    lifted: Sequence[TensorType | None]
    given: Sequence[str]
    dead: Sequence[str]


def join(func: Func, parts: Sequence[Part], enter: Entrance, xp: Namespace) -> Callable[..., tuple[Any, ...]]:
    """Return a function on JAX's storage arrays that calls compiled parts, one after the other.

    enter: returns the context in which a part is traced.
    """
    steps = _steps(func, parts, enter, xp)

    def lift(x: Any, type: TensorType) -> Array:
        with enter(False) as ctx:
            return _take(ctx.xp, x, type)

    lift = xp.jax.jit(lift, static_argnums=1)

    def call(*args: Any) -> tuple[Any, ...]:
        given = (x if isinstance(x, xp.jax.Array) else xp.jax.device_put(x) for x in args)
        values: dict[str, Any] = {v.name: Stored(x) for v, x in zip(func.inputs, given, strict=True)}
        for step in steps:
            taken = zip(map(values.__getitem__, step.taken), step.lifted, strict=True)
            found = step.function(*(x if type is None else lift(x, type) for x, type in taken))
            values.update(zip(step.given, found, strict=True))
            for name in step.dead:
                del values[name]
        return found

    return call


def _steps(func: Func, parts: Sequence[Part], enter: Entrance, xp: Namespace) -> list[Step]:
    inputs = {v.name for v in func.inputs}
    reads = [(part.like, k, v) for part in parts for k, v in enumerate(part.region.arguments)]
    computed = {(like, k) for like, k, v in reads if v.name not in inputs}
    shared = {part.like for k, part in enumerate(parts) if part.like != k}
    functions: dict[int, Any] = {}
    steps = []
    for k, (part, dead) in enumerate(zip(parts, _dead(func, parts), strict=True)):
        taken, given = part.region.arguments, part.region.returns
        if part.like == k:
            results = func.results if k == len(parts) - 1 else None
            functions[k] = xp.jax.jit(_traceable(part.region, enter, k not in shared, results))
        lifted = [
            v.type if v.name in inputs and (part.like, i) in computed else None for i, v in enumerate(taken)
        ]
        names = [v.name for v in taken], lifted, [v.name for v in given], dead
        steps.append(Step(functions[part.like], *names))
    return steps


def _dead(func: Func, parts: Sequence[Part]) -> list[list[str]]:
    """Return, for each part, the names of values that no later one reads."""
    last = {v.name: 0 for v in func.inputs}
    for k, part in enumerate(parts):
        last |= dict.fromkeys((v.name for v in (*part.region.arguments, *part.region.returns)), k)
    return [[name for name, end in last.items() if end == k] for k in range(len(parts))]


def _traceable(
    region: Region, enter: Entrance, named: bool, results: Sequence[TensorType] | None
) -> Callable[..., tuple[Any, ...]]:
    """Return a region as a function on values that pass; results: of these types, as they are stored."""

    def part(*values: Any) -> tuple[Any, ...]:
        with enter(named) as ctx:
            pairs = zip(values, region.arguments, strict=True)
            found = ctx.run(region, [_take(ctx.xp, x, v.type) for x, v in pairs])
            if results is not None:
                return tuple(encode(ctx.xp, x, type) for x, type in zip(found, results, strict=True))
            return tuple(_give(ctx.xp, x, v.type) for x, v in zip(found, region.returns, strict=True))

    return part


def _take(xp: Namespace, x: Any, type: TensorType) -> Array:
    return xp.decode(x.elements, type.storage_type) if isinstance(x, Stored) else x


def _give(xp: Namespace, x: Array, type: TensorType) -> Any:
    stored = xp.storage(x)
    return Stored(stored) if stored is not None and stored.dtype == numpy_dtype(type.storage_type) else x

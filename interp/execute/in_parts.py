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


def join(func: Func, parts: Sequence[Part], enter: Entrance, xp: Namespace) -> Callable[..., tuple[Any, ...]]:
    """Return a function on JAX's storage arrays that calls compiled parts, one after the other.

    enter: returns the context in which a part is traced.
    """
    shared = {part.like for k, part in enumerate(parts) if part.like != k}
    results = {len(parts) - 1: func.results}
    compiled = {
        k: xp.jax.jit(_traceable(part.region, enter, k not in shared, results.get(k)))
        for k, part in enumerate(parts)
        if part.like == k
    }
    steps = [
        (
            compiled[part.like],
            [v.name for v in part.region.arguments],
            [v.name for v in part.region.returns],
            dead,
        )
        for part, dead in zip(parts, _dead(func, parts), strict=True)
    ]

    def call(*args: Any) -> tuple[Any, ...]:
        values: dict[str, Any] = {v.name: Stored(x) for v, x in zip(func.inputs, args, strict=True)}
        for function, taken, given, dead in steps:
            found = function(*[values[name] for name in taken])
            values.update(zip(given, found, strict=True))
            for name in dead:
                del values[name]
        return found

    return call


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
    has_all = stored is not None and stored.dtype == numpy_dtype(type.storage_type)
    return Stored(stored) if has_all else x

"""Left folds as one loop over unconverted leaves, which the namespace compiles: see `Namespace.loop`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import prod

from interp.backends import Loop, Namespace, State
from interp.engine.evaluate import Context
from interp.engine.fold import Elementwise, Leaves
from interp.engine.quant import Type, to_destination_type
from interp.engine.stored import storage
from interp.fastpaths.integer_bodies import body_of
from spec.ir import Op
from spec.types import QuantizedType


def in_loop(ctx: Context, op: Op, operands: State, leaves: Callable[[State], Leaves]) -> State | None:
    """Return the accumulators of a `reduce` by a loop, or None if there is none.

    leaves: those of unconverted inputs.
    """
    n, xp, shape = len(op.results), ctx.xp, op.results[0].type.shape
    loop = None if ctx.watched else loop_of(ctx, op)
    if loop is None:
        return None
    init = _accumulated(xp, operands[n:], *_types(op, n))
    return loop(tuple(xp.broadcast_to(x, shape) for x in init), [leaves(operands[:n]).stack()])


def loop_of(ctx: Context, op: Op) -> Loop | None:
    """Return the loop of a `reduce` in the schedule `left`: a step converts a leaf and applies the body."""
    xp, body = ctx.xp, body_of(ctx, op, 0)
    sources, types = _types(op, 0)
    alike = all(not isinstance(type, QuantizedType) or type.is_per_tensor for type in sources)
    if ctx.schedule.name != "left" or not alike or not isinstance(body, Elementwise):
        return None

    def combine(xp: Namespace, state: State, leaf: State) -> State:
        return body.combine(xp, state, _accumulated(xp, leaf, sources, types))

    state, leaf = ([xp.carrier(storage(type)) for type in each] for each in (types, sources))
    count = prod(op.operands[0].type.shape[d] for d in op["dimensions"])
    return xp.loop(combine, state, leaf, count, prod(op.results[0].type.shape))


def _types(op: Op, first: int) -> tuple[list[Type], list[Type]]:
    """Return the element types of operands, from number `first` on, before and after conversion."""
    n = len(op.results)
    sources = [value.type.element_type for value in op.operands[first : first + n]]
    return sources, [value.type.element_type for value in op.regions[0].returns]


def _accumulated(xp: Namespace, arrays: State, sources: Sequence[Type], types: Sequence[Type]) -> State:
    return tuple(map(partial(to_destination_type, xp), arrays, sources, types))

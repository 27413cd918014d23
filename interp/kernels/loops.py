"""Left folds as one compiled loop over unconverted leaves: see `Namespace.loop`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import accumulate, chain
from math import prod

from interp.backends import Loop, Namespace, State
from interp.backends.chunks import Chunk
from interp.engine.evaluate import Context
from interp.engine.fold import Elementwise, Leaves
from interp.engine.quant import Type, to_destination_type
from interp.engine.stored import storage
from interp.engine.tally import Tally
from interp.speed.choice import choice_of
from interp.speed.form import Plain
from interp.speed.integer_bodies import body_of
from interp.speed.saturating_fold import IntegerStep
from spec.ir import Op
from spec.types import QuantizedType

WATCHED = 64  # folds that take as long as one whose nodes are seen by listeners


def in_loop(ctx: Context, op: Op, operands: State, leaves: Callable[[State], Leaves]) -> State | None:
    """Return the accumulators of a `reduce` by a loop, which also counts for listeners, or None.

    leaves: the leaves of the unconverted inputs.
    """
    tallies = [listener.tally(op) for listener in ctx.listeners]
    counting = [tally for tally in tallies if tally is not None]
    suffice = len(counting) == len(tallies) and (len(op.results) == 1 or not ctx.is_watched)
    loop = loop_of(ctx, op, counting) if suffice else None
    if loop is None:
        return None
    n, xp, shape = len(op.results), ctx.xp, op.results[0].type.shape
    init = _to_accumulators(xp, operands[n:], *_types(op, n))
    _tell(ctx, op, operands, init)
    starts = [tally.start(xp, shape) for tally in counting]
    state = tuple(xp.broadcast_to(x, shape) for x in init) + tuple(chain(*starts))
    after = loop(state, [leaves(operands[:n]).stack()], _looking(counting, starts, n, _entering(ctx, op)))
    for tally in counting:
        tally.finish()
    return after[:n]


def _looking(
    tallies: Sequence[Tally], starts: Sequence[State], n: int, enter: Callable[[State], State]
) -> Callable[[Chunk], None] | None:
    """Return what looks at the counts of all tallies after some leaves; None if there are no counts."""
    ends = list(accumulate(map(len, starts), initial=n))
    where = [slice(*ends[k : k + 2]) for k in range(len(starts))]

    def look(chunk: Chunk) -> None:
        for tally, counts in zip(tallies, where, strict=True):
            tally.look(chunk, counts, enter)

    return look if ends[-1] > n else None


def _entering(ctx: Context, op: Op) -> Callable[[State], State]:
    """Return the conversion of a leaf to the types of the accumulators."""
    return lambda leaf: _to_accumulators(ctx.xp, leaf, *_types(op, 0))


def _tell(ctx: Context, op: Op, operands: State, init: State) -> None:
    """Tell the listeners about the operands and the loop, as a fast path does."""
    n = len(init)
    for listener in ctx.listeners:
        listener.on_fast_path(op, "compiled loop", "no theorem gives its bits with less work")
        if ctx.is_watched:
            for k in range(n):
                listener.on_leaves(op, k, operands[k])
            for k in range(n):
                listener.on_convert(op, n + k, operands[n + k], init[k])


def loop_of(ctx: Context, op: Op, tallies: Sequence[Tally] = ()) -> Loop | None:
    """Return the loop of a `reduce` in the schedule `left`: a step converts a leaf and applies the body."""
    n, xp, body = len(op.results), ctx.xp, body_of(ctx._replace(listeners=()), op, 0)
    sources, types = _types(op, 0)
    alike = all(not isinstance(type, QuantizedType) or type.is_per_tensor for type in sources)
    if ctx.schedule.name != "left" or not alike or not isinstance(body, Elementwise):
        return None
    starts = [tally.start(xp, ()) for tally in tallies]

    step = _integer_step(ctx, op)

    def combine(xp: Namespace, state: State, leaf: State) -> State:
        rhs = _to_accumulators(xp, leaf, sources, types)
        results = step(xp, state[:n], rhs) if step else body.combine(xp, state[:n], rhs)
        counted = zip(tallies, _parts(state[n:], starts), strict=True)
        counts = (tally.step(xp, before, state[:n], rhs, results) for tally, before in counted)
        return results + tuple(chain(*counts))

    before, after = ([xp.carrier(storage(type)) for type in each] for each in (sources, types))
    count = prod(op.operands[0].type.shape[d] for d in op["dimensions"]) * (WATCHED if starts else 1)
    state = after + [x.dtype for x in chain(*starts)]
    return xp.loop(combine, state, before, count, prod(op.results[0].type.shape))


def _integer_step(ctx: Context, op: Op) -> Callable[..., State] | None:
    """Return the body in integers, of a quantized addition that a theorem gives: `saturating_fold`."""
    choice = choice_of(op, ctx.schedule, ctx.reading)
    if isinstance(choice, Plain) or not isinstance(choice.step, IntegerStep):
        return None
    step = choice.step
    low, high = step.low + step.zero_point, step.high + step.zero_point

    def combine(xp: Namespace, lhs: State, rhs: State) -> State:
        total = lhs[0].astype(step.dtype) + rhs[0].astype(step.dtype) - step.zero_point
        return (xp.clip(total, low, high).astype(lhs[0].dtype),)

    return combine


def _parts(state: State, like: Sequence[State]) -> Iterator[State]:
    """Split a state into consecutive parts, with the lengths of the states in `like`."""
    first = 0
    for each in like:
        yield state[first : first + len(each)]
        first += len(each)


def _types(op: Op, first: int) -> tuple[list[Type], list[Type]]:
    """Return the element types of operands, from number `first` on, before and after conversion."""
    n = len(op.results)
    sources = [value.type.element_type for value in op.operands[first : first + n]]
    return sources, [value.type.element_type for value in op.regions[0].returns]


def _to_accumulators(xp: Namespace, arrays: State, sources: Sequence[Type], types: Sequence[Type]) -> State:
    return tuple(map(partial(to_destination_type, xp), arrays, sources, types))

"""reduce, its compiled loop, and what all reductions share: conversions, and listeners."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import accumulate, chain
from math import prod
from typing import TYPE_CHECKING, Any

from interp.backends import Array, Loop, Namespace, State
from interp.backends.base import Chunk
from interp.engine.evaluate import Context
from interp.engine.fold import Body, Elementwise, Leaves, Tally, fold
from interp.engine.quant import Type, convert, to_destination_type
from interp.engine.requantizing import entering
from interp.engine.storage import storage
from interp.speed import choice
from interp.speed.choice import choice_of
from interp.speed.integer_bodies import body_of
from interp.speed.order_free import Plain
from interp.speed.saturating_fold import IntegerStep
from spec.ir import Op
from spec.types import QuantizedType

if TYPE_CHECKING:
    from spec.accumulation import Accumulation

# Left folds as one compiled loop over unconverted leaves: see `Namespace.loop`.

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


Kernel = Callable[..., State]


def reduce(ctx: Context, op: Op, *operands: Array) -> State:
    """`results...[j] = fold(body, [init] + inputs...[j, :])`, the slices being along `dimensions`."""

    looped = lambda: in_loop(ctx, op, operands, lambda inputs: slices(ctx.xp, op, inputs))

    def plain() -> State:
        if (accumulators := looped()) is not None:
            return accumulators
        inputs, init = convert_operands(ctx, op, operands)
        seed = tuple(ctx.xp.broadcast_to(x, op.results[0].type.shape) for x in init)
        if (floats := _fold_floats(ctx, op, inputs, init)) is not None:
            return (floats,)
        return fold_leaves(ctx, op, 0, body_of(ctx, op, 0), seed, slices(ctx.xp, op, inputs))[0]

    accumulators = choice.accumulators(ctx, op, operands, plain, looped)
    return results(ctx, op, accumulators, [v.type.element_type for v in op.regions[0].returns])


def _fold_floats(ctx: Context, op: Op, inputs: State, init: State) -> Array | None:
    """Return the fold of floats by XLA without a loop of its own, or None."""
    if ctx.xp.in_place or ctx.along is not None:
        return None
    from interp.speed.jax_reductions import fold_floats

    def fold_stacked(stacked: Array) -> Array:
        leaves = Leaves(len(stacked), lambda i: (stacked[i],), lambda: (stacked,), in_memory=True)
        seed = ctx.xp.zeros(op.results[0].type.shape, stacked.dtype)
        return fold(ctx.xp, body_of(ctx, op, 0), (seed,), leaves, ctx.schedule)[0][0]

    return fold_floats(ctx, op, inputs[0], init[0], fold_stacked)


def reduce_along_tree(ctx: Context, op: Op, operands: State, accumulation: Accumulation) -> State:
    """Return the results of a `reduce` of floats that adds, along an accumulation, under a compiler."""
    from interp.speed import jax_trees, tree_sums  # which few runs need

    (inputs, init), type = convert_operands(ctx, op, operands), op.regions[0].returns[0].type.element_type
    elements = slices(ctx.xp, op, inputs).stack()[0]
    along = tree_sums.sum_under_compiler(accumulation, len(elements), type)
    assert along
    assert not isinstance(type, QuantizedType)
    if not accumulation.without_init:
        start = ctx.xp.broadcast_to(init[0], (1, *op.results[0].type.shape))
        elements = ctx.xp.concatenate([start, elements])
    sums = jax_trees.sum_elements(ctx.xp, elements, along, type, accumulation.flushes_inputs)
    return results(ctx, op, (convert(ctx.xp, sums, along.type, type),), [type])


def slices(xp: Namespace, op: Op, inputs: State) -> Leaves:
    """Return the leaves of a `reduce`."""
    dimensions = sorted(op["dimensions"])
    order = [*dimensions, *(d for d in range(inputs[0].ndim) if d not in dimensions)]
    n = prod(inputs[0].shape[d] for d in dimensions)
    shape = op.results[0].type.shape
    stacked = tuple(xp.transpose(x, order).reshape(n, *shape) for x in inputs)
    return Leaves(n, lambda i: tuple(x[i] for x in stacked), lambda: stacked, in_memory=True)


def to_body(ctx: Context, op: Op, operands: State, region: int, first: int = 0) -> tuple[State, list[Any]]:
    """Convert operands, from number `first` on, to the types of the body's arguments (erratum E12)."""
    arguments = [value.type.element_type for value in op.regions[region].arguments]
    converted = []
    for k, x in enumerate(operands):
        source = op.operands[first + k].type.element_type
        after = entering(ctx, x, source, arguments[k])
        for listener in ctx.listeners:
            listener.on_convert(op, first + k, x, after)
        converted.append(after)
    return tuple(converted), arguments[: len(arguments) // 2]


def convert_operands(ctx: Context, op: Op, operands: State) -> tuple[State, State]:
    """Return `inputs` and `init_values` in the accumulation types."""
    converted, _ = to_body(ctx, op, operands, 0)
    half = len(converted) // 2
    return converted[:half], converted[half:]


def fold_leaves(
    ctx: Context,
    op: Op,
    region: int,
    body: Body,
    init: State | None,
    leaves: Leaves,
    columns: Array | None = None,
) -> tuple[State, Array | None]:
    """Tell the listeners of the fold, and fold the leaves."""
    for listener in ctx.listeners:
        listener.on_fold(op, region, init, leaves, columns)
    if ctx.along is not None:
        return ctx.along(ctx, op, region, body, init, leaves, columns)
    return fold(ctx.xp, body, init, leaves, ctx.schedule)


def results(ctx: Context, op: Op, accumulators: State, types: Sequence[Any]) -> State:
    """Convert accumulators of these types to the result types, which may be others (E7, E14)."""
    results = []
    for k, (before, source) in enumerate(zip(accumulators, types, strict=True)):
        after = entering(ctx, before, source, op.results[k].type.element_type)
        for listener in ctx.listeners:
            listener.on_result(op, k, before, after)
        results.append(after)
    return tuple(results)


KERNELS: dict[str, Kernel] = {
    "stablehlo.reduce": reduce,
}

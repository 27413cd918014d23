"""Collectives: each process computes its results from the operands of its group, when all are there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from interp.backends import Array, Namespace, State
from interp.engine.evaluate import Context
from interp.engine.fold import Leaves
from interp.engine.in_integers import entering
from interp.engine.process_groups import by_channel, by_device
from interp.engine.quant import quantize
from interp.engine.stored import expressed
from interp.ops.reduce import folded
from spec.errors import Violation
from spec.ir import Op
from spec.types import QuantizedType, TensorType


def all_gather(ctx: Context, op: Op, *operands: Array) -> State:
    """`results... = concatenate(operands...@process_group, all_gather_dim)`."""
    columns = zip(*_met(ctx, op, _by_device(ctx, op), operands), strict=True)
    return tuple(ctx.xp.concatenate(parts, axis=op["all_gather_dim"]) for parts in columns)


def all_reduce(ctx: Context, op: Op, *operands: Array) -> State:
    """`results...[i]` is the fold of `operands...@process_group[i]`."""
    return _reduced(ctx, op, _met(ctx, op, _by_device(ctx, op), operands))


def reduce_scatter(ctx: Context, op: Op, operand: Array) -> State:
    """Fold the part of all operands that is this process's along `scatter_dimension`."""
    group, d = _by_device(ctx, op), op["scatter_dimension"]
    gathered = _met(ctx, op, group, (operand,))
    place, size = group.index(ctx.process.number), operand.shape[d] // len(group)
    mine = (*[slice(None)] * d, slice(place * size, (place + 1) * size))
    return _reduced(ctx, op, [(x[mine],) for (x,) in gathered])


def all_to_all(ctx: Context, op: Op, *operands: Array) -> State:
    """Concatenate, of all operands' parts along `split_dimension`, those that are this process's."""
    group = _own(ctx, by_channel(op, ctx.process.grid.numbers))
    assert group is not None
    d, place = op["split_dimension"], group.index(ctx.process.number)
    gathered = _met(ctx, op, group, operands)
    size = [x.shape[d] // op["split_count"] for x in operands]
    parts = [
        [x[(*[slice(None)] * d, slice(place * n, (place + 1) * n))] for x, n in zip(row, size, strict=True)]
        for row in gathered
    ]
    return tuple(
        ctx.xp.concatenate(column, axis=op["concat_dimension"]) for column in zip(*parts, strict=True)
    )


def collective_permute(ctx: Context, op: Op, operand: Array) -> State:
    """`result = operand@source`, where a pair says (source, this process); else 0."""
    result, me = None, ctx.process.number
    for pair in by_channel(op, ctx.process.grid.numbers, "source_target_pairs"):
        if me in pair:
            sent = operand if pair == (me, me) else _met(ctx, op, pair, operand)[0]
            result = sent if pair[1] == me else result
    return (_zeros(ctx.xp, op.result.type) if result is None else result,)


def collective_broadcast(ctx: Context, op: Op, *operands: Array) -> State:
    """`results[j] = operands[j]` of the process in this one's group that is the root; 0 without a group."""
    group = _own(ctx, by_channel(op, ctx.process.grid.numbers))
    if group is None:
        return tuple(_zeros(ctx.xp, value.type) for value in op.results)
    gathered = _met(ctx, op, group, operands)
    roots = _roots(ctx, op, operands, len(group))
    return tuple(gathered[root][j] for j, root in enumerate(roots))


def collective_reduce(ctx: Context, op: Op, *operands: Array) -> State:
    """`results[j]` is the fold of `operands[j]@process_group` in the process that is the root; else 0."""
    group = _own(ctx, by_channel(op, ctx.process.grid.numbers))
    zeros = tuple(_zeros(ctx.xp, value.type) for value in op.results)
    if group is None:
        return zeros
    gathered = [row[: len(op.results)] for row in _met(ctx, op, group, operands)]
    roots, place = _roots(ctx, op, operands, len(group)), group.index(ctx.process.number)
    if place not in roots:
        return zeros
    chosen = zip(_reduced(ctx, op, gathered), zeros, roots, strict=True)
    return tuple(x if root == place else zero for x, zero, root in chosen)


def _by_device(ctx: Context, op: Op) -> tuple[int, ...]:
    group = _own(ctx, by_device(op, ctx.process.grid.numbers))
    assert group is not None
    return group


def _own(ctx: Context, groups: list[tuple[int, ...]]) -> tuple[int, ...] | None:
    """Return the group of this process, or None."""
    return next((group for group in groups if ctx.process.number in group), None)


def _met(ctx: Context, op: Op, group: tuple[int, ...], operands: Any) -> list[Any]:
    return ctx.process.meet(op, group, operands)


def _roots(ctx: Context, op: Op, operands: State, size: int) -> list[int]:
    """Return, for each result, the place of the root in its group."""
    if not op.attributes.get("has_dynamic_root"):
        return [0] * len(op.results)
    roots = [int(operands[-1][j]) for j in range(len(op.results))]
    if not all(0 <= root < size for root in roots):
        formula = "0 <= operands[size(operands)-1] < shape(replica_groups)[1]"
        evidence = f"the roots are {roots}, a group has {size} processes"
        raise Violation(f"{op.name.rpartition('.')[2]}_c6", formula, evidence, op.location)
    return roots


def _reduced(ctx: Context, op: Op, gathered: Sequence[State]) -> State:
    """Fold each operand over the processes, in the order of the group, and convert it to its result type."""
    element, xp, results = op.regions[0].returns[0].type.element_type, ctx.xp, []
    for k, result in enumerate(op.results):
        source = op.operands[k].type.element_type
        converted = []
        for row in gathered:
            converted.append(entering(ctx, row[k], source, element))
            for listener in ctx.listeners:
                listener.on_convert(op, k, row[k], converted[-1])
        (total,), _ = folded(ctx, op, 0, ctx.body(op, 0), None, _leaves(xp, converted))
        after = entering(ctx, total, element, result.type.element_type)
        for listener in ctx.listeners:
            listener.on_result(op, k, total, after)
        results.append(after)
    return tuple(results)


def _leaves(xp: Namespace, operands: list[Array]) -> Leaves:
    """Return the operands of all processes as leaves."""
    stacked = xp.stack(operands)
    return Leaves(len(operands), lambda i: (stacked[i],), lambda: (stacked,))


def _zeros(xp: Namespace, type: TensorType) -> Array:
    """Return zeros of a type; for a quantized one what the number 0 is stored as."""
    element, plain = type.element_type, expressed(type.element_type)
    zero = xp.zeros(type.shape, xp.carrier(plain))
    if plain.kind == "float":
        zero = xp.round_to(zero, plain)
    return quantize(xp, zero, element) if isinstance(element, QuantizedType) else zero


FOLDS = {"stablehlo.all_reduce", "stablehlo.collective_reduce", "stablehlo.reduce_scatter"}
KERNELS: dict[str, Callable[..., Any]] = {
    "stablehlo.all_gather": all_gather,
    "stablehlo.all_reduce": all_reduce,
    "stablehlo.all_to_all": all_to_all,
    "stablehlo.collective_broadcast": collective_broadcast,
    "stablehlo.collective_permute": collective_permute,
    "stablehlo.collective_reduce": collective_reduce,
    "stablehlo.reduce_scatter": reduce_scatter,
}

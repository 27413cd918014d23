"""Collectives: each process waits for the operands of its group, and computes its results from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from interp.backends import Array, Namespace, State
from interp.engine.evaluate import Context
from interp.engine.facts import facts
from interp.engine.fold import Elementwise, fold_arrays, leaves_of
from interp.engine.memo import once
from interp.engine.processes import Groups, by_channel, by_device
from interp.engine.quant import quantize
from interp.engine.requantizing import entering
from interp.engine.storage import expressed_type
from interp.kernels.communication import meeting, own, protect, receive, refuse_unknown
from interp.kernels.reduce import fold_leaves
from interp.speed.integer_bodies import body_of
from spec.errors import Violation
from spec.ir import Op, captures, nested_ops
from spec.types import QuantizedType, TensorType


def all_gather(ctx: Context, op: Op, *operands: Array) -> State:
    """`results... = concatenate(operands...@process_group, all_gather_dim)`."""
    rows, _ = meeting(ctx, op, _by_device(ctx, op), operands)
    columns = zip(*rows, strict=True)
    return tuple(ctx.xp.concatenate(parts, axis=op["all_gather_dim"]) for parts in columns)


def all_reduce(ctx: Context, op: Op, *operands: Array) -> State:
    """`results...[i]` is the fold of `operands...@process_group[i]`."""
    groups = _by_device(ctx, op)
    gathered, _ = meeting(ctx, op, groups, operands)
    is_alone = len(gathered) == 1 or not ctx.process.is_known
    if ctx.listeners or is_alone or _asks_who_runs(op):
        return _fold_operands(ctx, op, gathered, groups)
    shared = ctx.process.shared  # all processes of a group compute the same
    if "folds" not in shared:
        shared["folds"] = tuple(map(protect, _fold_operands(ctx, op, gathered, groups)))
    return shared["folds"]


@once
def _asks_who_runs(op: Op) -> bool:
    """Return whether the body of a collective may give another result in another process."""
    (body,) = op.regions
    families = {facts(inner).family for inner in nested_ops(body) if not inner.name.endswith(".return")}
    return bool(captures(op) or families - {"elementwise", "conversion", "structure"})


def reduce_scatter(ctx: Context, op: Op, operand: Array) -> State:
    """Fold this process's part, along `scatter_dimension`, of all processes' operands."""
    d, groups = op["scatter_dimension"], _by_device(ctx, op)
    rows, place = meeting(ctx, op, groups, (operand,))
    size = operand.shape[d] // len(rows)
    first = tuple(place * size if k == d else 0 for k in range(operand.ndim))
    return _fold_operands(
        ctx, op, [(_piece(ctx.xp, x, d, place, len(rows)),) for (x,) in rows], groups, first
    )


def all_to_all(ctx: Context, op: Op, *operands: Array) -> State:
    """Split all operands along `split_dimension`, and concatenate the parts that belong to this process."""
    d, count = op["split_dimension"], op["split_count"]
    rows, place = meeting(ctx, op, by_channel(op, ctx.process.grid.numbers), operands)
    parts = [[_piece(ctx.xp, x, d, place, count) for x in row] for row in rows]
    return tuple(
        ctx.xp.concatenate(column, axis=op["concat_dimension"]) for column in zip(*parts, strict=True)
    )


def collective_permute(ctx: Context, op: Op, operand: Array) -> State:
    """`result = operand@source` if there is a pair (source, this process), else 0."""
    pairs = by_channel(op, ctx.process.grid.numbers, "source_target_pairs")
    result, me = _zeros(ctx.xp, op.result.type), ctx.process.number
    if not ctx.process.is_known:
        return (receive(ctx, {target: source for source, target in pairs}, operand, result),)
    for pair in pairs:
        if me in pair:
            sent = operand if pair == (me, me) else protect(ctx.process.meet(op, pair, operand)[0])
            result = sent if pair[1] == me else result
    return (result,)


def collective_broadcast(ctx: Context, op: Op, *operands: Array) -> State:
    """`results[j] = operands[j]@root`, with the root of this process's group; 0 without a group."""
    groups = by_channel(op, ctx.process.grid.numbers)
    zeros = tuple(_zeros(ctx.xp, value.type) for value in op.results)
    if not ctx.process.is_known and not op.attributes.get("has_dynamic_root"):
        root_of = {member: group[0] for group in groups for member in group}
        return tuple(receive(ctx, root_of, x, zero) for x, zero in zip(operands, zeros, strict=True))
    refuse_unknown(ctx, op)
    group = own(groups, ctx.process.number)
    if group is None:
        return zeros
    gathered = ctx.process.meet(op, group, operands)
    roots = _roots(ctx, op, operands, len(group))
    return tuple(protect(gathered[root][j]) for j, root in enumerate(roots))


def collective_reduce(ctx: Context, op: Op, *operands: Array) -> State:
    """`results[j]` is the fold of `operands[j]@process_group` in the root of the group, elsewhere 0."""
    refuse_unknown(ctx, op)
    groups = by_channel(op, ctx.process.grid.numbers)
    group = own(groups, ctx.process.number)
    zeros = tuple(_zeros(ctx.xp, value.type) for value in op.results)
    if group is None:
        return zeros
    gathered = [row[: len(op.results)] for row in ctx.process.meet(op, group, operands)]
    roots, place = _roots(ctx, op, operands, len(group)), group.index(ctx.process.number)
    if place not in roots:
        return zeros
    chosen = zip(_fold_operands(ctx, op, gathered, groups), zeros, roots, strict=True)
    return tuple(x if root == place else zero for x, zero, root in chosen)


def _by_device(ctx: Context, op: Op) -> Groups:
    return by_device(op, ctx.process.grid.numbers)


def _piece(xp: Namespace, x: Array, d: int, place: Any, count: int) -> Array:
    """Return the part at a place of an array that is split into `count` parts along dimension d."""
    size = x.shape[d] // count
    if isinstance(place, int):
        return x[(*[slice(None)] * d, slice(place * size, (place + 1) * size))]
    return xp.take(x, place * size + xp.arange(size), axis=d)


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


def _fold_operands(
    ctx: Context, op: Op, gathered: Sequence[State], groups: Groups, first: tuple[int, ...] = ()
) -> State:
    """Fold each operand over the processes; `first`: where in the operands the result begins, if not at 0."""
    results: list[Array] = []
    group = own(groups, ctx.process.number) if ctx.listeners else None
    processes = [ctx.process.grid.processes[k].id for k in group or ()]
    for k in range(len(op.results)):
        one = select_operand(op, k)
        for listener in ctx.listeners:  # of which there are none in compiled code
            listener.on_group(one, processes, first)
        results += fold_processes(ctx, one, [row[k] for row in gathered])
    return tuple(results)


@once
def select_operand(op: Op, k: int) -> Op:
    """Return the collective of operand k alone."""
    return op if len(op.results) == 1 else replace(op, operands=(op.operands[k],), results=(op.results[k],))


def fold_processes(ctx: Context, op: Op, gathered: Sequence[Array]) -> State:
    """Fold the only operand over the processes, in their order, and convert it to the result's type."""
    element = op.regions[0].returns[0].type.element_type
    source, result = op.operands[0].type.element_type, op.results[0].type.element_type
    converted = []
    for x in gathered:
        converted.append(entering(ctx, x, source, element))
        for listener in ctx.listeners:
            listener.on_convert(op, 0, x, converted[-1])
    body = body_of(ctx, op, 0)
    if ctx.listeners or not isinstance(body, Elementwise):
        (total,), _ = fold_leaves(ctx, op, 0, body, None, leaves_of(ctx.xp, converted))
    else:
        total = fold_arrays(ctx.xp, body, converted, ctx.schedule)
    after = entering(ctx, total, element, result)
    for listener in ctx.listeners:
        listener.on_result(op, 0, total, after)
    return (after,)


def _zeros(xp: Namespace, type: TensorType) -> Array:
    """Return zeros of a type; for a quantized one, the stored number that represents 0."""
    element, plain = type.element_type, expressed_type(type.element_type)
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

"""Collectives and communication, which compute from what several processes have: `x@p` is x in process p."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from spec.errors import Unspecified
from spec.formats import round_to
from spec.grid import ProcessId
from spec.ir import Op
from spec.meaning.index import Context, Index, Meaning, Results, Tensor, build
from spec.meaning.integer_arithmetic import entering
from spec.meaning.notation import fold, quantize_element, scale_at, zero_point_at
from spec.meaning.reduction import adding, argument_types, scalars
from spec.meaning.structure import join_parts
from spec.processes import by_channel, by_device
from spec.types import TOKEN, QuantizedType, TensorType


def all_gather(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """results...@process = concatenate(operands...@process_group, all_gather_dim)"""
    gathered = context.process.meet(op, own_group(op, context, by_device(op)), operands)
    d = op["all_gather_dim"]
    return tuple(
        join_parts(parts, d, result.type)
        for parts, result in zip(zip(*gathered, strict=True), op.results, strict=True)
    )


def all_reduce(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """results...@process[result_index] = exec(schedule), the leaves being operands...@process_group"""
    gathered = context.process.meet(op, own_group(op, context, by_device(op)), operands)
    return fold_processes(op, gathered, [value.type for value in op.results], context)


def reduce_scatter(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result@receiver = split(all_reduce(operand), dim(process_groups, 1), scatter_dimension)[its place]"""
    group = own_group(op, context, by_device(op))
    gathered = context.process.meet(op, group, operands)
    type = TensorType(operands[0].type.shape, op.result.type.element_type)
    (reduced_value,) = fold_processes(op, gathered, [type], context)
    receiver_index = group.index(context.process.id)
    return (part(reduced_value, receiver_index, len(group), op["scatter_dimension"]),)


def all_to_all(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """results...@receiver = concatenate([split(operands...@sender)[its place], ...], concat_dimension)"""
    group = own_group(op, context, by_channel(op))
    gathered = context.process.meet(op, group, operands)
    receiver_index, split_count = group.index(context.process.id), op["split_count"]

    def scattered_parts(k: int) -> list[Tensor]:
        return [part(sent[k], receiver_index, split_count, op["split_dimension"]) for sent in gathered]

    d = op["concat_dimension"]
    return tuple(join_parts(scattered_parts(k), d, result.type) for k, result in enumerate(op.results))


def collective_permute(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result@process = operand@source if (source, process) is one of the pairs, else 0"""
    result = zeros(op.result.type)
    for source, target in by_channel(op)(context.process.grid, op["source_target_pairs"]):
        if context.process.id in (source, target):
            (sent,), _ = context.process.meet(op, (source, target), operands)
            result = sent if target == context.process.id else result
    return (result,)


def collective_broadcast(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """results[j]@process = operands[j]@process_group[root of j], 0 in processes without a group"""
    group = found_group(op, context)
    if group is None:
        return tuple(zeros(value.type) for value in op.results)
    gathered = context.process.meet(op, group, operands)
    return tuple(gathered[root(op, operands, j)][j] for j in range(len(op.results)))


def collective_reduce(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """results[j]@root = exec(schedule), the leaves being operands[j]@process_group; 0 in all others"""
    group = found_group(op, context)
    if group is None:
        return tuple(zeros(value.type) for value in op.results)
    gathered = context.process.meet(op, group, operands)
    data = [sent[: len(op.results)] for sent in gathered]
    accumulated = fold_processes(op, data, [value.type for value in op.results], context)
    place = group.index(context.process.id)
    return tuple(x if root(op, operands, j) == place else zeros(x.type) for j, x in enumerate(accumulated))


def found_group(op: Op, context: Context) -> list[ProcessId] | None:
    """Return the group of this process, or None if it is in none."""
    groups = by_channel(op)(context.process.grid, op["replica_groups"])
    return next((group for group in groups if context.process.id in group), None)


def own_group(op: Op, context: Context, strategy: object) -> list[ProcessId]:
    """Return the group of this process; every process is in one."""
    groups = strategy(context.process.grid, op["replica_groups"])  # type: ignore[operator]
    (group,) = [group for group in groups if context.process.id in group]
    return list(group)


def root(op: Op, operands: Sequence[Tensor], j: int) -> int:
    """Return the place, in its group, of the process that sends operand j or receives result j."""
    return int(operands[-1][(j,)]) if op.attributes.get("has_dynamic_root") else 0


def fold_processes(
    op: Op, gathered: Sequence[Sequence[Tensor]], types: Sequence[TensorType], context: Context
) -> Results:
    """Return, per operand, the fold of all processes' elements at each index, in the result types."""
    E = argument_types(op.regions[0])[0]
    results = []
    for k, type in enumerate(types):
        inputs = [entering(sent[k], E, context.reading) for sent in gathered]

        def accumulate(index: Index, inputs: Sequence[Tensor] = inputs) -> object:
            leaves = [scalars([x], index) for x in inputs]
            sum = adding(op.regions[0], leaves, context)
            (total,) = fold(context.bodies[0], leaves, [True] * len(leaves), context.schedule, False, sum)
            return total.item

        accumulator = build(TensorType(type.shape, E), accumulate)
        results.append(entering(accumulator, type.element_type, context.reading))
    return tuple(results)


def part(x: Tensor, number: int, count: int, d: int) -> Tensor:
    """Return one of `count` equal parts along a dimension."""
    shape, size = x.type.shape, x.type.shape[d] // count
    type = TensorType((*shape[:d], size, *shape[d + 1 :]), x.type.element_type)
    return build(type, lambda i: x[(*i[:d], number * size + i[d], *i[d + 1 :])])


def zeros(type: TensorType) -> Tensor:
    """broadcast_in_dim(constant(is_quantized(result) ? quantize(0, element_type(result)) : 0))"""
    element = type.element_type
    if isinstance(element, QuantizedType):
        quantized = quantize_element(0.0, element, scale_at(type, ()), zero_point_at(type, ()))
        return build(type, lambda _: quantized)
    if element.kind == "float":
        return build(type, lambda _: round_to(0.0, element))
    zero = {"boolean": False, "complex": 0j}.get(element.kind, 0)
    return build(type, lambda _: zero)


MEANINGS: dict[str, Meaning] = {
    "stablehlo.all_gather": all_gather,
    "stablehlo.all_reduce": all_reduce,
    "stablehlo.all_to_all": all_to_all,
    "stablehlo.collective_broadcast": collective_broadcast,
    "stablehlo.collective_permute": collective_permute,
    "stablehlo.collective_reduce": collective_reduce,
    "stablehlo.reduce_scatter": reduce_scatter,
}


# Communication of a process with others and the host, and operations that return its ids.

TOKENS = (Tensor(TOKEN, ()),)


def replica_id(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result = replica_id of the current process"""
    return (Tensor(op.result.type, (context.process.id[0],)),)


def partition_id(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result = partition_id of the current process"""
    return (Tensor(op.result.type, (context.process.id[1],)),)


def infeed(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """results = the next element of the infeed, and a token"""
    return (*fitting(op, context.process.infeed(op)), *TOKENS)


def outfeed(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """Write inputs to the outfeed; result = a token."""
    context.process.outfed.append(tuple(operands[:-1]))
    return TOKENS


def send(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """Put inputs into the channel, to the host or to the target of each pair; result = a token."""
    for channel in channels(op, context, place=0):
        context.process.send(channel, tuple(operands[:-1]))
    return TOKENS


def recv(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """results = the next values in the channel, from the host or from the source of the pair, and a token"""
    for channel in channels(op, context, place=1):
        wanted = f"a message in channel {op['channel_id']}"
        return (*fitting(op, context.process.receive(op, channel, wanted)), *TOKENS)
    raise Unspecified(
        f"process {context.process.id} receives, and no pair has it as target",
        f"source_target_pairs = {op['source_target_pairs']}",
        op.location,
    )


def channels(op: Op, context: Context, place: int) -> Iterator[Hashable]:
    """Yield the channels of the pairs in which a process is at `place`, or the channel of the host."""
    if op["is_host_transfer"]:
        yield op["channel_id"], "host"
        return
    pairs: list[list[ProcessId]] = by_channel(op)(context.process.grid, op["source_target_pairs"])
    yield from ((op["channel_id"], *pair) for pair in pairs if pair[place] == context.process.id)


def fitting(op: Op, values: Sequence[Tensor]) -> Sequence[Tensor]:
    """Return values if they have the types of the results."""
    wanted, given = [value.type for value in op.results[:-1]], [x.type for x in values]
    if wanted != given:
        raise Unspecified("received values have other types", f"expected {wanted}\ngot {given}", op.location)
    return values


def async_start(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result = a future that holds the results of the operation in body"""
    (body,) = context.bodies
    arguments = operands if op.regions[0].arguments else ()
    return (Tensor(op.result.type, body(*arguments)),)


def async_done(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result = the value of the future"""
    return tuple(operands[0].elements)


COMMUNICATION_MEANINGS: dict[str, Meaning] = {
    "stablehlo.async_done": async_done,
    "stablehlo.async_start": async_start,
    "stablehlo.infeed": infeed,
    "stablehlo.outfeed": outfeed,
    "stablehlo.partition_id": partition_id,
    "stablehlo.recv": recv,
    "stablehlo.replica_id": replica_id,
    "stablehlo.send": send,
}

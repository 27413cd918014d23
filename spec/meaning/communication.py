"""Communication of a process with others and the host, and operations that return its ids."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from spec.errors import Unspecified
from spec.grid import ProcessId
from spec.ir import Op
from spec.meaning.context import Context, Meaning, Results
from spec.meaning.index import Tensor
from spec.processes import by_channel
from spec.types import TOKEN

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

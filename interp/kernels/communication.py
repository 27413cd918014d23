"""Communication of a process with others and the host, and operations that return its ids."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from interp.backends import Array, State
from interp.engine.bundles import accept_value, decode, encode, results_of
from interp.engine.evaluate import Context
from interp.engine.process_groups import by_channel
from spec.errors import Unspecified
from spec.ir import Op
from spec.options import several

TOKEN: State = ((),)


def replica_id(ctx: Context, op: Op) -> State:
    """`result` is the replica id of this process."""
    return (_number(ctx, op, ctx.process.id[0]),)


def partition_id(ctx: Context, op: Op) -> State:
    """`result` is the partition id of this process."""
    return (_number(ctx, op, ctx.process.id[1]),)


def _number(ctx: Context, op: Op, number: int) -> Array:
    return ctx.xp.asarray(number, ctx.xp.carrier(op.result.type.storage_type))


def infeed(ctx: Context, op: Op, token: State) -> State:
    """`results` are the next element of this process's infeed, as stored, and a token."""
    payload = op.results[:-1]
    given = several(ctx.process.from_infeed(op), "values", alone=object if len(payload) == 1 else ())
    if len(given) == 1 and isinstance(given[0], tuple):
        (given,) = given
    if len(given) != len(payload):
        evidence = f"expected {len(payload)} values, got {len(given)}"
        raise Unspecified("an element of the infeed does not fit", evidence, op.location)
    stored = [accept_value(x, value, k) for k, (x, value) in enumerate(zip(given, payload, strict=True))]
    carried = [decode(ctx.xp, x, value.type) for x, value in zip(stored, payload, strict=True)]
    return (*carried, *TOKEN)


def outfeed(ctx: Context, op: Op, *operands: Array) -> State:
    """Write the inputs to this process's outfeed; `result` is a token."""
    types = [value.type for value in op.operands[:-1]]
    stored = [encode(ctx.xp, x, type) for x, type in zip(operands[:-1], types, strict=True)]
    ctx.process.outfed.append(results_of(types, stored, ()))
    return TOKEN


def send(ctx: Context, op: Op, *operands: Array) -> State:
    """Put the inputs into a channel; `result` is a token."""
    for channel in _channels(ctx, op, 0):
        ctx.process.send(channel, ([value.type for value in op.operands[:-1]], operands[:-1]))
    return TOKEN


def recv(ctx: Context, op: Op, token: State) -> State:
    """`results` are the next values in a channel, and a token."""
    channels = _channels(ctx, op, 1)
    if not channels:
        verdict = f"process {ctx.process.id} receives, and no pair has it as target"
        raise Unspecified(verdict, f"source_target_pairs = {op['source_target_pairs']}", op.location)
    types, values = ctx.process.receive(op, channels[0], f"a message in channel {op['channel_id']}")
    if types != (wanted := [value.type for value in op.results[:-1]]):
        raise Unspecified(
            "a message has values of other types", f"expected {wanted}\ngot {types}", op.location
        )
    return (*values, *TOKEN)


def _channels(ctx: Context, op: Op, place: int) -> Sequence[Hashable]:
    """Return the channels of the pairs in which this process is at `place`, or the channel of the host."""
    if op["is_host_transfer"]:
        return [(op["channel_id"], "host")]
    pairs = by_channel(op, ctx.process.grid.numbers, "source_target_pairs")
    return [(op["channel_id"], *pair) for pair in pairs if pair[place] == ctx.process.number]


def async_start(ctx: Context, op: Op, *operands: Array) -> State:
    """`result` is a future, which holds the results of the body."""
    (body,) = op.regions
    return (ctx.run(body, operands if body.arguments else ()),)


def async_done(ctx: Context, op: Op, future: State) -> State:
    """`results` are the values in the future."""
    return future


KERNELS: dict[str, Callable[..., Any]] = {
    "stablehlo.async_done": async_done,
    "stablehlo.async_start": async_start,
    "stablehlo.infeed": infeed,
    "stablehlo.outfeed": outfeed,
    "stablehlo.partition_id": partition_id,
    "stablehlo.recv": recv,
    "stablehlo.replica_id": replica_id,
    "stablehlo.send": send,
}

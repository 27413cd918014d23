"""Communication of a process with its group, with other processes and with the host; and its ids."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

from interp.backends import Array, State
from interp.engine.arguments import accept_value, decode, encode, results_of
from interp.engine.evaluate import Context
from interp.engine.processes import by_channel
from spec.errors import Unspecified, Unsupported, several
from spec.ir import Op

# Exchange among the processes of a group: each receives the operands of all, and its place in the group.
#
# A process in a thread of its own knows its number. A device that runs compiled code learns it only when it
# runs: there all devices send everything to all, and each looks up its group in a table.

Groups = Sequence[tuple[int, ...]]


def meeting(ctx: Context, op: Op, groups: Groups, operands: State) -> tuple[list[State], Any]:
    """Return the operands of this process's group, in its order, and the place of the process in it."""
    process = ctx.process
    if process.is_known:
        group = own(groups, process.number)
        assert group is not None
        return process.meet(op, group, operands), group.index(process.number)
    count, sizes = len(process.grid.processes), {len(group) for group in groups}
    found = {member: (group, place) for group in groups for place, member in enumerate(group)}
    if len(sizes) != 1 or len(found) != count:
        what_to_do = f"all {count} devices have to be in groups of one size; use interp.run"
        verdict = f"not supported: {op.name} of groups {list(groups)} under jit"
        raise Unsupported(verdict, what_to_do, op.location)
    table, places = (ctx.xp.asarray([found[k][part] for k in range(count)]) for part in (0, 1))
    members = table[process.number]
    gathered = [ctx.xp.from_all(x) for x in operands]
    rows = [tuple(x[members[k]] for x in gathered) for k in range(sizes.pop())]
    return rows, places[process.number]


def receive(ctx: Context, source_of: Mapping[int, int], operand: Array, otherwise: Array) -> Array:
    """Return the operand of the device from which this one receives, or `otherwise` if there is none."""
    count, me = len(ctx.process.grid.processes), ctx.process.number
    source = ctx.xp.asarray([source_of.get(k, -1) for k in range(count)])[me]
    return ctx.xp.where(source >= 0, ctx.xp.from_all(operand)[source], otherwise)


def own(groups: Groups, number: int) -> tuple[int, ...] | None:
    """Return the group that a process belongs to, or None."""
    return next((group for group in groups if number in group), None)


def protect(x: Array) -> Array:
    """Return what others have, too, as a view that nobody may write to; of 0-d, a number.

    A result of the program is then a copy.
    """
    view = x.view() if x.ndim else x[()]
    if x.ndim:
        view.flags.writeable = False
    return view


def refuse_unknown(ctx: Context, op: Op) -> None:
    """Raise `Unsupported` on a device that runs compiled code, since its number is not known."""
    if not ctx.process.is_known:
        raise Unsupported(
            f"not supported: {op.name} on several devices under jit", "use interp.run", op.location
        )


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
    return (*map(protect, carried), *TOKEN)


def outfeed(ctx: Context, op: Op, *operands: Array) -> State:
    """Write the inputs to this process's outfeed; `result` is a token."""
    types = [value.type for value in op.operands[:-1]]
    stored = [encode(ctx.xp, x, type) for x, type in zip(operands[:-1], types, strict=True)]
    ctx.process.outfed.append(results_of(types, stored, operands[:-1]))
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
    return (*map(protect, values), *TOKEN)


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

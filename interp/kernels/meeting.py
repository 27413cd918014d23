"""Exchange among the processes of a group: each receives the operands of all, and its place in the group.

A process in a thread of its own knows its number. A device that runs compiled code learns it only when it
runs: there all devices send everything to all, and each looks up its group in a table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from interp.backends import Array, State
from interp.engine.evaluate import Context
from spec.errors import Unsupported
from spec.ir import Op

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


def refuse_unknown(ctx: Context, op: Op) -> None:
    """Raise `Unsupported` on a device that runs compiled code, since its number is not known."""
    if not ctx.process.is_known:
        raise Unsupported(
            f"not supported: {op.name} on several devices under jit", "use interp.run", op.location
        )

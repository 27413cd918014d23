"""Fast paths of scatters whose updates may be combined in place, one after the other or in any order."""

from __future__ import annotations

from typing import NamedTuple

from interp.backends import Array, Namespace, State
from interp.engine.bodies import only_op
from spec.ir import Op
from spec.schedule import Schedule
from spec.types import ElementType

IN_ANY_ORDER = ("add", "multiply", "maximum", "minimum")
IN_TURN = ("add", "multiply")
LAST = "last"


class Landing(NamedTuple):
    """A way to combine updates: an operation's name or `LAST`; and the theorem and reason for `plan`."""

    name: str
    in_order: bool  # whether the namespace must take the updates one after the other
    theorem: str
    why: str


def landing_of(op: Op, schedule: Schedule) -> Landing | None:
    """Return a faster form of a scatter, or None.

    THEOREM 1: if a body returns its right arguments, every tree gives the last leaf.
    THEOREM 2: on integers that fill their carrier, add and multiply (modulo 2^n), maximum and minimum are
    associative and commutative: every tree and every order has the same result.
    THEOREM 3: under `left`, a fold of f32 or f64 with add or multiply rounds once per update, in ascending
    order; so does arithmetic in the type itself, if it takes the updates of each element in that order.
    None of them finds the events of a fold, so they run only if no listener sees nodes.
    """
    body = op.regions[0]
    if schedule.name == "tree":  # it fits some numbers of leaves only
        return None
    if body.returns == body.arguments[len(op.results) :]:
        return Landing(LAST, False, "the last update", "the body returns the update")
    name, type = only_op(body), body.arguments[0].type.element_type
    if len(op.results) != 1 or not isinstance(type, ElementType):
        return None
    if type.is_integer and type.bits >= 8 and name in IN_ANY_ORDER:
        return Landing(name, False, "order-free", f"{name} of {type!r} gives the same in any order")
    if type.name in ("f32", "f64") and name in IN_TURN and schedule.name == "left":
        return Landing(name, True, "in turn", f"{name} of {type!r} rounds once per update, in their order")
    return None


def combine_updates(xp: Namespace, landing: Landing, key: Array, inputs: State, updates: State) -> State:
    """Return the rows of inputs combined with all rows of updates; a row with a negative key is ignored."""
    count = len(inputs[0])
    key = xp.where(key < 0, count, key)
    if landing.name == LAST:
        number = xp.arange(len(key))
        last = xp.combined_at("maximum", xp.full(count, -1), key, number)
        here = (last >= 0)[:, None]
        return tuple(xp.where(here, y[last], x) for x, y in zip(inputs, updates, strict=True))
    ((x,), (y,)) = inputs, updates
    row = x.shape[1]
    flat = key[:, None] * row + xp.arange(row)
    total = xp.combined_at(landing.name, x.reshape(-1), flat.reshape(-1), y.reshape(-1))
    return (total.reshape(x.shape),)

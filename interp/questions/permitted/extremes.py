"""Facts about all schedules at once: the least and the greatest result, and where all schedules agree.

They are vectorised over result elements: leaves are stacked, `[leaves, elements]`; leaf 0 is the init value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from interp.backends import NUMPY, State
from interp.engine.bodies import only_op
from interp.engine.facts import facts_of
from interp.engine.identity import identity
from interp.engine.stored import stored_again
from interp.questions.permitted.monotone import is_monotone
from interp.theory.addition import addition_is_integer
from interp.theory.sums import Ends, contiguous
from spec.ir import Region
from spec.types import QuantizedType

Combine = Callable[[State, State], State]

STEPS = 10_000  # after which a fixpoint is given up


class Extremes(NamedTuple):
    """`least` and `greatest` result per operand and element; `hold` is true where they are proven bounds."""

    least: State
    greatest: State
    hold: np.ndarray


def extremes(body: Region, leaves: State, combine: Combine, any_number_of_inits: bool) -> Extremes | None:
    """Return bounds of the permitted results of a body; None if a fixpoint takes too many steps.

    THEOREM. By induction over intervals of the leaves: all results of an interval lie between the least and
    the greatest result of the body on the extremes of its two parts, over all splits, if the body is monotone
    on ranges that contain these extremes. For a body on one operand the extremes are themselves permitted
    results. This takes n^3 / 3 applications for n leaves.
    """
    ends = [_extreme(leaves, combine, pick, any_number_of_inits) for pick in (np.minimum, np.maximum)]
    if ends[0] is None or ends[1] is None:
        return None
    (least, low), (greatest, high) = ends[0], ends[1]
    return Extremes(least, greatest, is_monotone(body, 2 * [*map(Ends, low, high)]))


def _extreme(leaves: State, combine: Combine, pick: np.ufunc, inits: bool) -> tuple[State, State] | None:
    """Return the extreme over all trees, and those of all intervals; None if inits reach no fixpoint."""
    picked = lambda *states: tuple(map(pick.reduce, zip(*states, strict=True)))
    first = tuple(x[0] for x in leaves)
    init = _fixpoint(first, lambda x: picked(x, combine(x, x))) if inits else None
    elements = tuple(x[1:] for x in leaves) if inits else leaves
    n = len(elements[0])
    if inits and init is None:
        return None
    outermost = first if init is None else init
    if n == 0:
        return outermost, outermost
    # By first (last) element of the interval, and by its length.
    starting, ending = ([np.zeros((n, n + 1, *x.shape[1:]), x.dtype) for x in leaves] for _ in range(2))
    for length in range(1, n + 1):
        state = elements
        if length > 1:
            lhs = tuple(x[: n - length + 1, 1:length] for x in starting)
            rhs = tuple(x[length - 1 :, length - 1 : 0 : -1] for x in ending)
            state = tuple(pick.reduce(x, axis=1) for x in combine(lhs, rhs))
        if init is not None:
            beside = tuple(np.broadcast_to(i, x.shape) for i, x in zip(init, state, strict=True))
            step = lambda x, i=beside: picked(x, combine(x, i), combine(i, x))
            closed = _fixpoint(state, step)
            if closed is None:
                return None
            state = closed
        for x, starts, ends in zip(state, starting, ending, strict=True):
            starts[: n - length + 1, length] = ends[length - 1 :, length] = x
        outermost = picked(outermost, tuple(map(pick.reduce, state)))
    return tuple(x[0, n] for x in starting), outermost


def _fixpoint(x: State, step: Callable[[State], State]) -> State | None:
    """Return the value at which repeated steps stay, or None; NaN stays NaN."""
    for _ in range(STEPS):
        after = step(x)
        if all(bool(((a == b) | (a != a)).all()) for a, b in zip(after, x, strict=True)):
            return after
        x = after
    return None


def schedules_agree(body: Region, leaves: np.ndarray, any_number_of_inits: bool) -> np.ndarray:
    """Return, per element, whether every schedule has the result of a left fold.

    If any number of inits is allowed, the fold without an init must agree as well. Schedules agree if the
    body is associative and commutative on these leaves, and repeating the init has no effect.
    """
    name, nowhere = only_op(body), np.zeros(leaves.shape[1:], bool)
    type = body.arguments[0].type.element_type
    if isinstance(type, QuantizedType):
        return {"add": _sums, "maximum": _choices, "minimum": _choices}.get(name, lambda *_: nowhere)(
            type, leaves, any_number_of_inits
        )
    row, boolean = facts_of(name), type.kind == "boolean"
    if not (row.identity if type.is_integer or boolean else row.chooses and type.kind == "float"):
        return nowhere
    if row.idempotent or (boolean and row.wraps) or not any_number_of_inits:  # `add` of booleans is `or`
        return ~nowhere
    return leaves[0] == identity(body.ops[0])


def _sums(type: QuantizedType, leaves: np.ndarray, any_number_of_inits: bool) -> np.ndarray:
    """Return where quantized addition is integer addition: where no contiguous sum leaves the range."""
    numbers = leaves.astype(np.int64) - type.zero_point
    sums = contiguous(numbers[0], [(numbers[1:], None)] if len(numbers) > 1 else [])
    least, greatest = sums.least + type.zero_point, sums.greatest + type.zero_point
    inside = (least >= type.storage_min) & (greatest <= type.storage_max)
    integer = addition_is_integer(type, least, greatest)
    return inside & integer & (numbers[0] == 0 if any_number_of_inits else True)


def _choices(type: QuantizedType, leaves: np.ndarray, any_number_of_inits: bool) -> np.ndarray:
    """Return where `maximum` and `minimum` return a leaf unchanged: requantizing changes none of them."""
    carried = leaves.astype(NUMPY.carrier(type.storage_type))
    return (stored_again(carried, type) == carried).all(0)

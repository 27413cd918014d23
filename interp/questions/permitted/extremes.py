"""Facts about all schedules at once: monotone bodies, extreme results, and where all schedules agree."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import NamedTuple

import numpy as np

from interp.backends import NUMPY, Array, State, fl
from interp.comparison.roundoff import holds_sums, quantum
from interp.engine.bodies import only_op
from interp.engine.facts import facts, facts_of
from interp.engine.quant import quantize, round_parameters, scaled_and_moved
from interp.engine.storage import identity, storage_range, stored_again, to_reals
from interp.kernels.elementwise import prepare
from interp.kernels.structure import constant
from interp.theory.quantized_arithmetic import addition_is_integer
from interp.theory.sums import Ends, contiguous
from spec.ir import Op, Region
from spec.op_attributes import expressed_element
from spec.types import ElementType, QuantizedType

# Monotone bodies, on which all bounds on the least and the greatest result rest.


def is_monotone(body: Region, ranges: Sequence[Ends]) -> Array:
    """Return for each element whether the body never decreases when an argument grows within its range.

    ranges: one for each argument of the body, arrays of one shape; a NaN as an end gives False.

    THEOREM. The results of the body never decrease when an argument grows, and lie between those at the least
    and those at the greatest arguments, if each operation is `monotone` and none of its numbers is NaN, for
    any arguments within the ranges. (NaN is not ordered, and it is stored as 0.)

    PROOF OBLIGATION. The numbers of an operation are its dequantized operands, its result before it is
    quantized, the quotient of that by the scale plus the zero point, and the storage bounds in the expressed
    type. Unless it is NaN, each is a monotone function of the operands, since rounding is monotone. It
    becomes
    NaN only beyond an end of a range: where a format without infinities overflows, where f8E8M0FNU meets a
    number that is not positive, and where infinities of opposite sign are added. So it suffices that none is
    NaN at the ends; for `add`, at each pair of ends. A scale that is zero, infinite or NaN is refused, and so
    are sums of integers, which wrap.
    """
    known = dict(zip((v.name for v in body.arguments), ranges, strict=True))
    holds = np.logical_and.reduce([low <= high for low, high in ranges])
    for op in body.ops[:-1]:
        if not is_ordered(op):
            return np.zeros_like(holds)
        known[op.result.name], numbers = _range(op, known)
        for number in numbers:
            holds = holds & ~np.isnan(number)
    return holds


def may_be_monotone(body: Region) -> bool:
    """Return whether a body may be monotone on some ranges, by its operations and types."""
    return all(map(is_ordered, body.ops[:-1]))


def is_ordered(op: Op) -> bool:
    """Return whether an operation is monotone, on types whose numbers are ordered and do not wrap."""
    row, values = facts(op), (*op.operands, *op.results)
    return row.monotone and all(_has_order(value.type.element_type, row.wraps) for value in values)


def _has_order(type: ElementType | QuantizedType, wraps: bool) -> bool:
    if isinstance(type, QuantizedType):
        return type.is_per_tensor and 0 < fl(type.scale, type.expressed_type) < inf
    return type.kind == "float" or (type.is_integer and not wraps)


def has_no_nan(type: ElementType | QuantizedType) -> bool:
    """Return whether no stored number of a type represents NaN."""
    if not isinstance(type, QuantizedType):
        return type.is_integer
    if not _has_order(type, False):
        return False
    ends = np.array(storage_range(type), NUMPY.carrier(type.storage_type))
    return not np.isnan(to_reals(ends, type)).any()


def _range(op: Op, known: Mapping[str, Ends]) -> tuple[Ends, list[Array]]:
    """Return the range of an operation's result, and the numbers at its ends, none of which may be NaN."""
    type = op.result.type.element_type
    if not op.operands:
        value = constant(NUMPY, op)()
        return Ends(value, value), [to_reals(value, type)]
    low, high = ([to_reals(known[v.name][side], v.type.element_type) for v in op.operands] for side in (0, 1))
    found = [_apply(op, low), _apply(op, high)]
    numbers = [*low, *high, *found]
    if op.name == "stablehlo.add":
        numbers += [_apply(op, [low[0], high[1]]), _apply(op, [high[0], low[1]])]
    if isinstance(type, QuantizedType):
        numbers += [np.asarray(bound) for bound in round_parameters(type).bounds]
        numbers += [scaled_and_moved(NUMPY, x, type) for x in found]
        found = [quantize(NUMPY, x, type) for x in found]
    return Ends(*found), numbers


def _apply(op: Op, numbers: list[Array]) -> Array:
    """Return the operation's result as a number, before it is quantized."""
    types = [expressed_element(value.type) for value in op.operands]
    return prepare(NUMPY, op, types, expressed_element(op.result.type))(*numbers)


# Facts about all schedules at once: the least and the greatest result, and where all schedules agree.
#
# They are vectorised over result elements: leaves are stacked, `[leaves, elements]`; leaf 0 is the init
# value.

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
    if name in ("add", "multiply") and type.kind == "float":
        exact = _float_sums(type, leaves, any_number_of_inits) if name == "add" else nowhere
        return exact | _give_limits(name, type, leaves, any_number_of_inits)
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


def _float_sums(type: ElementType, leaves: np.ndarray, any_number_of_inits: bool) -> np.ndarray:
    """Return where the type holds every sum of the leaves, so that no schedule rounds one.

    A sum is -0.0 in every schedule if all its leaves are, and else in none. So an init of 0.0 may be left out
    or repeated beside an element that is not -0.0, and one of -0.0 always.
    """
    numbers = leaves.astype(np.float64)
    negative = (numbers == 0) & np.signbit(numbers)
    with np.errstate(all="ignore"):
        exact = holds_sums(type, quantum(numbers, 0), np.abs(numbers).sum(0))
    neutral = negative[0] | ((numbers[0] == 0) & ~negative[1:].all(0))
    return exact & (neutral if any_number_of_inits else True)


def _give_limits(name: str, type: ElementType, leaves: np.ndarray, any_number_of_inits: bool) -> np.ndarray:
    """Return where sums or products of floats are NaN in every schedule, or sums the same infinity.

    THEOREM. They are NaN if a leaf is NaN, which no addition and no multiplication removes; and sums if there
    are leaves of both infinities: by induction, a node over an infinite leaf is that infinity or NaN, so that
    one over both is NaN. Sums are an infinity if there are leaves of that one alone, and no sum of the others
    overflows: with n leaves, roundings make them greater by (1 + u)^n < 2 at most, if n u < 1/2, and inits
    that may be repeated are 0.
    """
    present = leaves[1:] if any_number_of_inits else leaves
    nan = np.isnan(present).any(0)
    if name == "multiply":
        return nan
    up, down = ((present == end).any(0) for end in (inf, -inf))
    sizes = np.where(np.isinf(leaves), 0, np.abs(leaves.astype(np.float64))).sum(0)
    fits = sizes < np.float64(2) ** (type.bias - 1) if len(leaves) * 2.0**-type.precision < 0.5 else False
    fits &= ~((leaves == inf).any(0) & (leaves == -inf).any(0))
    return nan | (up & down) | ((up | down) & fits & (leaves[0] == 0 if any_number_of_inits else True))


def _choices(type: QuantizedType, leaves: np.ndarray, any_number_of_inits: bool) -> np.ndarray:
    """Return where `maximum` and `minimum` return a leaf unchanged: requantizing changes none of them."""
    carried = leaves.astype(NUMPY.carrier(type.storage_type))
    return (stored_again(carried, type) == carried).all(0)

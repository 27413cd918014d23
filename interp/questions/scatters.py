"""Verdicts on scatters, whose updates combine in any permutation, and what a select_and_scatter selects."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from interp.backends import NUMPY, Array, State
from interp.engine.bodies import selects_by_order
from interp.engine.evaluate import Context
from interp.engine.fold import Node
from interp.engine.leaf_counts import SCATTER
from interp.engine.quant import Type
from interp.engine.storage import storage_range, to_reals, zero_point
from interp.kernels import OPERATIONS
from interp.kernels.scatter import breaks_a_promise
from interp.recorder.element import Element
from interp.recorder.leaves import Part
from interp.recorder.recorded import Reduction
from interp.theory.quantized_arithmetic import addition_is_integer
from spec.ir import captures
from spec.schedule import LEFT
from spec.types import QuantizedType
from spec.verdict import INEVITABLE, INEXACT, ORDER_DEPENDENT, SAFE

# Verdicts on a scatter, whose updates are combined with its operand in any permutation.
#
# Its nodes are sums of the init value and any updates, not of contiguous leaves; updates are never combined
# with each other.

DIFFERENT = "updates in another order give different results"  # of a body that is no sum
WORK = 1 << 28  # applications of a body to compare two orders
Order = tuple[int, ...]  # numbers of leaves, the init value first


class Some(NamedTuple):
    """The sum of the init value and some updates, as an unclamped stored number."""

    value: int
    leaves: Order


class Permuted(NamedTuple):
    """Verdict on one element, like `spec.verdict.Verdict`: `witness` is the sum that decides.

    If the order matters, `orders` are an order of all leaves that never overflows and one that overflows.
    """

    kind: str
    witness: Some
    total: Some
    orders: tuple[Order, ...] = ()


def keeps_promises(reduction: Reduction) -> bool:
    """Return whether the data satisfies the scatter's attributes, so that its behavior is defined."""
    if not reduction.is_scatter:
        return True
    indices = reduction.operands[len(reduction.op.results)]
    return not breaks_a_promise(NUMPY, reduction.op, indices)


def scatter_verdict(element: Element, type: Type) -> Permuted:
    """Return the verdict on a sum of integers; the order `careful` never overflows if the total does not."""
    (low, high), numbers = storage_range(type), [int(x) - zero_point(type) for x in element.values()]
    start, updates = numbers[0], list(enumerate(numbers))[1:]

    def some(chosen: list[int]) -> Some:
        return Some(start + sum(numbers[k] for k in chosen) + zero_point(type), (0, *chosen))

    every = some([k for k, _ in updates])
    above, below = ([k for k, x in updates if (x > 0) == up and x] for up in (True, False))
    ends = some(below), some(above)
    outermost = max(*ends, key=lambda s: max(low - s.value, s.value - high))
    if isinstance(type, QuantizedType) and not _adds_integers(
        type, [*element.values(), *(s.value for s in ends)]
    ):
        return Permuted(INEXACT, outermost, every)
    if low <= outermost.value <= high:
        return Permuted(SAFE, outermost, every)
    if not low <= every.value <= high:
        return Permuted(INEVITABLE, every, every)
    rest = tuple(k for k, _ in updates if k not in outermost.leaves)
    return Permuted(ORDER_DEPENDENT, outermost, every, (careful(numbers), outermost.leaves + rest))


def _adds_integers(type: QuantizedType, stored: list[int]) -> bool:
    least, greatest = (np.array([end], object) for end in (min(stored), max(stored)))
    return bool(addition_is_integer(type, least, greatest).all())


def careful(numbers: list[int]) -> Order:
    """Return an order of leaves in which no sum leaves a range that holds zero, each number and the total.

    THEOREM. After a sum that is not negative comes a negative number, and after a negative sum one that is
    not negative, so that the next sum lies between the two. If none is left, the sums approach the total and
    never pass it.
    """
    last_first = range(len(numbers) - 1, 0, -1)
    waiting = [[k for k in last_first if numbers[k] >= 0], [k for k in last_first if numbers[k] < 0]]
    order, total = [0], numbers[0]
    while any(waiting):
        pick = waiting[total >= 0] or waiting[total < 0]
        order.append(pick.pop())
        total += numbers[order[-1]]
    return tuple(order)


def in_order(element: Element, order: Order) -> Element:
    """Return the element with its leaves in another order."""
    leaves = tuple(element.leaves[k] for k in order)
    return Element(element.reduction, element.index, leaves, LEFT)


def update_verdicts(reduction: Reduction) -> Array:
    """Return the verdict where it is known if the order of updates matters; elsewhere "".

    It does not matter if there are no updates, or if the body returns the update and all updates are equal.
    It matters if ascending and descending order give different results.
    """
    kinds = np.full(reduction.size, "", "U16")
    returns_update = reduction.body.returns == reduction.body.arguments[len(reduction.types) :]
    same_types = reduction.types == tuple(v.type.element_type for v in reduction.op.results)
    for part in reduction.parts:
        if not part.n:
            kinds[part.columns] = SAFE
        elif returns_update:
            kinds[part.columns] = np.where(
                _alike(part, len(reduction.types)), SAFE, ORDER_DEPENDENT if same_types else ""
            )
        elif same_types and not captures(reduction.op) and part.n * len(part.columns) <= WORK:
            kinds[part.columns[_differ(reduction, part)]] = ORDER_DEPENDENT
    return kinds


def _alike(part: Part, count: int) -> Array:
    """Return, per element, whether all its updates are equal, in each of `count` operands."""
    alike = np.ones(len(part.columns), bool)
    for k in range(count):
        leaves = _bits(_leaves(part, k))
        alike &= (leaves == leaves[0]).all((0, 2))
    return alike


def _differ(reduction: Reduction, part: Part) -> Array:
    """Return, per element, whether two orders of its updates give different results."""
    body = Context(NUMPY, reduction.module, LEFT, OPERATIONS).body(reduction.op, 0)
    operands = range(len(reduction.types))
    leaves = [_leaves(part, k) for k in operands]
    ends = []
    for step in (1, -1):
        state: State = tuple(reduction.seeds(k)[part.columns] for k in operands)
        with np.errstate(all="ignore"):
            for i in range(part.n)[::step]:
                state = body(state, tuple(x[i] for x in leaves), Node(0, 0, None, False))
        ends.append(state)
    return np.logical_or.reduce([(_bits(a) != _bits(b)).any(-1) for a, b in zip(*ends, strict=True)])


def _leaves(part: Part, k: int) -> Array:
    return np.concatenate([values for values, _ in part.blocks(k)])


def _bits(carried: Array) -> Array:
    """Return carried numbers as bytes, along a new last axis: signed zeros differ, NaNs do not."""
    x = np.asarray(carried)
    if x.dtype.kind == "c":
        return np.concatenate([_bits(x.real), _bits(x.imag)], -1)
    if x.dtype.kind == "f":
        x = np.where(np.isnan(x), x.dtype.type(np.nan), x)
    return np.ascontiguousarray(x)[..., None].view(np.uint8)


# Proof that a select_and_scatter selects the same elements under every schedule.

SELECTED = "another schedule may select other elements"


def selects_alike(reduction: Reduction) -> bool:
    """Return whether every schedule of this run selects the same elements to scatter to.

    ASSUMPTION: `select` is one ordering comparison, and no element of the operand is NaN, which has no order.
    Then it takes the first or the last of the greatest, or of the least. Other reductions give True.
    """
    if reduction.op.name != SCATTER:
        return True
    real = to_reals(reduction.operands[0], reduction.op.operands[0].type.element_type)
    return selects_by_order(reduction.op) and not bool(np.isnan(real).any())

"""Theorems that a few schedules have all permitted results, and every tree over a few leaves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from interp.backends import State
from interp.engine.facts import facts
from interp.engine.storage import stored_again, to_reals
from interp.questions.permitted.extremes import schedules_agree
from interp.questions.permitted.results import equal
from interp.questions.permitted.selection import Combine, is_selection, table_of, within
from spec.ir import Region, reads
from spec.permitted import State as Numbers
from spec.schedule import LEFT, Schedule, Step, tree
from spec.types import ElementType, QuantizedType

# Theorems that a few schedules have all permitted results, for some bodies, operands and leaves.
#
# Leaves are stacked, `[leaves, elements]`, leaf 0 being the init value; every answer has one entry per
# element.

OPERANDS = 3  # of a lattice's body, at most: 2^9 triples are tried
CELLS = 1 << 22  # pairs of states, or intervals of leaves, of which there are tables at a time


@dataclass
class Work:
    """Number of applications of a body that may still be made."""

    left: int

    def take(self, applications: int) -> bool:
        """Subtract `applications` and return True, or return False if fewer are left."""
        if applications > self.left:
            return False
        self.left -= applications
        return True


def few_schedules(n: int, any_number_of_inits: bool) -> list[Schedule]:
    """Return the few schedules over n leaves that have all permitted results where `few_suffice` proves it.

    They fold the elements from the left, with the init first; and, if any number of inits is allowed, with
    none, with it last, and with two first.
    """
    if not any_number_of_inits or n == 1:
        return [LEFT]
    elements = list(range(1, n))
    return [LEFT, *(left_over(order, n) for order in (elements, [*elements, 0], [0, 0, *elements]))]


def left_over(order: list[int], n: int) -> Schedule:
    """Return the schedule that folds these leaves, of n, from the left in this order."""
    nodes = [order[0], *range(n, n + len(order) - 2)]
    return tree(list(zip(nodes, order[1:], strict=False)))


class Sufficient(NamedTuple):
    """Proof about the schedules of `few_schedules`: `known` is true where they have every permitted result.

    `among` has, for some other elements, the only results that trees of several leaves may have.
    """

    known: np.ndarray
    among: dict[int, list[Numbers]]


def few_suffice(body: Region, leaves: State, combine: Combine, inits: bool, work: Work) -> Sufficient:
    """Return, for each element, whether `few_schedules` are proven to have all permitted results."""
    known = (
        schedules_agree(body, leaves[0], inits) if len(leaves) == 1 else np.zeros(leaves[0].shape[1:], bool)
    )
    n = len(leaves[0])
    if n == 1:
        return Sufficient(known, {})
    leaves = requantize_leaves(body, leaves)
    if is_lattice(body) and _is_associative(body, inits):
        known = known | _comes_through(body, leaves)
    among = {}
    for k in (~known).nonzero()[0].tolist():
        own, most = tuple(x[:, k] for x in leaves), min(4 * n * n, CELLS)
        found = work.take(n * n) and table_of(own, combine, most)
        if found:
            table, numbers = found
            known[k] = is_selection(table)
            among[k] = [
                table.state(x) for x in within(table, numbers[1:].tolist() if inits else numbers.tolist())
            ]
    return Sufficient(known, among)


def unanimous(body: Region, leaves: State, combine: Combine, inits: bool, work: Work) -> np.ndarray:
    """Return where the left fold with the init first, or without, is proven to give the only result."""
    leaves, count = requantize_leaves(body, leaves), leaves[0].shape[1]
    chunk = max(1, CELLS // len(leaves[0]) ** 2)
    pieces = [tuple(x[:, k : k + chunk] for x in leaves) for k in range(0, count, chunk)]
    return np.concatenate([is_unanimous(own, combine, inits, work) for own in pieces])


def is_unanimous(leaves: State, combine: Combine, inits: bool, work: Work) -> np.ndarray:
    """Return where every interval of the leaves has the same value for all its trees.

    THEOREM. By induction over intervals, this is true if the body on the values of the two parts of an
    interval is the same for all splits. If any number of inits is allowed, the init must also change none of
    these values on either side, nor itself. This takes n^3 / 6 applications.
    """
    init = tuple(x[:1] for x in leaves)
    elements = tuple(x[1:] for x in leaves) if inits else leaves
    n = len(elements[0])
    same = _is_neutral(init, init, combine) if inits else np.ones(leaves[0].shape[1], bool)
    # By first (last) element of the interval, and by its length.
    starting, ending = ([np.zeros((n, n + 1, x.shape[1]), x.dtype) for x in leaves] for _ in range(2))
    for length in range(1, n + 1):
        state = elements
        if length > 1:
            if not same.any() or not work.take((n - length + 1) * (length - 1) * len(same)):
                return np.zeros_like(same)
            lhs = tuple(x[: n - length + 1, 1:length] for x in starting)
            rhs = tuple(x[length - 1 :, length - 1 : 0 : -1] for x in ending)
            made = combine(lhs, rhs)
            state = tuple(x[:, 0] for x in made)
            for x, value in zip(made, state, strict=True):
                same &= equal(x, np.broadcast_to(value[:, None], x.shape)).all((0, 1))
        if inits:
            same &= _is_neutral(init, state, combine)
        for x, starts, ends in zip(state, starting, ending, strict=True):
            starts[: n - length + 1, length] = ends[length - 1 :, length] = x
    return same


def _is_neutral(init: State, state: State, combine: Combine) -> np.ndarray:
    """Return where the init, on either side, changes none of the values."""
    beside = tuple(np.broadcast_to(i, x.shape) for i, x in zip(init, state, strict=True))
    sides = combine(beside, state), combine(state, beside)
    pairs = ((x, y) for side in sides for x, y in zip(side, state, strict=True))
    return np.logical_and.reduce([equal(x, y).all(0) for x, y in pairs])


def is_lattice(body: Region) -> bool:
    """Return whether the results of the body are maxima and minima of elements of one type."""
    made = {op.result.name for op in body.ops[:-1]}
    types = {v.type.element_type for op in body.ops[:-1] for v in (*op.operands, *op.results)}
    chosen = all(facts(op).chooses for op in body.ops[:-1])
    known = made.issuperset(value.name for value in body.returns) and len(body.returns) <= OPERANDS
    return chosen and known and len(types) == 1


def _is_associative(body: Region, inits: bool) -> bool:
    """Return whether a lattice's body is associative; if inits may repeat, also whether it is commutative and
    more than two inits change nothing.

    THEOREM. Two terms of maxima and minima are equal on every chain if they are equal on {false, true}.
    """
    half = len(body.returns)
    bits = np.indices((2,) * (3 * half)).reshape(3, half, -1).astype(bool)
    x, y, z = bits

    def apply(lhs: np.ndarray, rhs: np.ndarray) -> np.ndarray:
        known = dict(zip((v.name for v in body.arguments), (*lhs, *rhs), strict=True))
        for op in body.ops[:-1]:
            a, b = (known[value.name] for value in op.operands)
            known[op.result.name] = a | b if facts(op).identity == "least" else a & b
        return np.array([known[value.name] for value in body.returns])

    laws = [(apply(apply(x, y), z), apply(x, apply(y, z)))]
    if inits:
        twice = apply(x, x)
        laws += [(apply(x, y), apply(y, x)), (apply(twice, x), twice)]
    return all(bool((one == other).all()) for one, other in laws)


def _comes_through(body: Region, leaves: State) -> np.ndarray:
    """Return where every leaf represents a number that is unchanged when quantized again."""
    types = [value.type.element_type for value in body.returns]
    found = [_again(x, type)[1] for x, type in zip(leaves, types, strict=True)]
    return np.logical_and.reduce([kept.all(0) for kept in found])


def requantize_leaves(body: Region, leaves: State) -> State:
    """Return leaves with the same results in any tree of several leaves: quantized again, if that is exact.

    THEOREM. If every operation of a body on a quantized argument is elementwise, it dequantizes the argument,
    and so the results depend only on the real numbers that the arguments represent.
    """
    half = len(body.returns)
    names = {v.name: k % half for k, v in enumerate(body.arguments)}
    others = (op for op in body.ops if facts(op).family != "elementwise")
    raw = {names[v.name] for op in others for v in reads(op) if v.name in names}
    changed = []
    for k, (x, value) in enumerate(zip(leaves, body.returns, strict=True)):
        again, kept = _again(x, value.type.element_type)
        changed.append(x if k in raw else np.where(kept, again, x))
    return tuple(changed)


def _again(x: np.ndarray, type: ElementType | QuantizedType) -> tuple[np.ndarray, np.ndarray]:
    """Return elements quantized again, where they represent a number, and where that number is unchanged."""
    if not isinstance(type, QuantizedType):
        return x, np.full(x.shape, type.kind != "complex") & (x == x)
    again = stored_again(x, type)
    return again, to_reals(again, type) == to_reals(x, type)


# Every tree over a few leaves, computed for many elements at once.

LEAVES = 9  # an init and eight elements have 1430 trees, whose nodes have 2974 values
APPLICATIONS = 2974

Interval = tuple[int, int]


class Trees(NamedTuple):
    """Results of all trees: `values` has, per interval of the leaves, an array `[trees, elements]`."""

    n: int
    values: dict[Interval, State]

    @property
    def results(self) -> State:
        return self.values[0, self.n]

    def schedule(self, number: int) -> Schedule:
        """Return the tree that gives result number `number`."""
        steps: list[Step] = []

        def node(first: int, last: int, number: int) -> int:
            if last - first == 1:
                return first
            for middle in range(first + 1, last):
                left, right = (len(self.values[part][0]) for part in ((first, middle), (middle, last)))
                if number < left * right:
                    break
                number -= left * right
            lhs = node(first, middle, number // right)
            steps.append((lhs, node(middle, last, number % right)))
            return self.n + len(steps) - 1

        node(0, self.n, number)
        return tree(steps)


def every_tree(leaves: State, combine: Combine) -> Trees:
    """Return the values of all trees over all intervals of `[leaves, elements]`."""
    n = len(leaves[0])
    values = {(k, k + 1): tuple(x[k : k + 1] for x in leaves) for k in range(n)}
    for length in range(2, n + 1):
        for first in range(n - length + 1):
            last = first + length
            pairs = [(values[first, middle], values[middle, last]) for middle in range(first + 1, last)]
            lhs = [[np.repeat(x, len(b[0]), 0) for x in a] for a, b in pairs]
            rhs = [[np.tile(x, (len(a[0]), 1)) for x in b] for a, b in pairs]
            sides = (tuple(map(np.concatenate, zip(*side, strict=True))) for side in (lhs, rhs))
            values[first, last] = combine(*sides)
    return Trees(n, values)

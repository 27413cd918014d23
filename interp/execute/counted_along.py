"""Sums along accumulations by machine code that listeners hear of: counts, the first event and the worst."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from interp.backends import Array, State
from interp.engine import additions
from interp.engine.additions import Addition
from interp.engine.evaluate import Listener, Place
from interp.engine.fold import Node, Sums
from interp.recorder.detect_sums import addition_events
from interp.recorder.products import DOT, product_terms
from interp.speed.counted_sums import largest, stays_finite
from interp.speed.problem import Dot, Geometry
from interp.speed.tree_products import sum_by_code
from spec.accumulation import Accumulation
from spec.ir import Op
from spec.trees import ZERO
from spec.types import ElementType

FEW = 256  # sums whose nodes are computed one by one

Asked = tuple[Accumulation, Geometry, State, Sequence[ElementType], ElementType]


class Event(NamedTuple):
    """An addition that is not exact, of one sum: in the order in which listeners hear of them."""

    node: int
    column: int
    size: float
    addition: Addition


def count_by_code(op: Op, asked: Asked, listeners: Sequence[Listener]) -> Array | None:
    """Return sums of products of matrices, whose events the listeners hear of, or None if they hear of nodes.

    THEOREM: of factors that are small enough no sum is infinite, so that there are no events but sums that
    are not exact.
    """
    accumulation, geometry, sides, types, declared = asked
    wanted = [listener.sums(op) for listener in listeners]
    problem = geometry.of(*sides)
    names = {(a.element_type or declared) for a in accumulation.arithmetics}
    if any(each is None for each in wanted) or len(names) != 1 or not isinstance(problem, Dot):
        return None
    (type,) = names
    if type.is_integer or not stays_finite([largest(x) for x in sides], problem.n, type):
        return None
    inexact = [
        (x, each) for x, each in zip(listeners, wanted, strict=True) if each and "inexact" in each.kinds
    ]
    if not inexact:
        return sum_by_code(accumulation, geometry, sides, types, declared)
    if not all(each.added for _, each in inexact):
        return None
    found = sum_by_code(accumulation, geometry, sides, types, declared, counts=True)
    if found is None:
        return None
    sums, numbers, sizes = found[0], found[1].view(f"i{found.itemsize}").ravel(), found[2].ravel()
    if numbers.any():
        columns = np.flatnonzero(numbers)
        worst = np.flatnonzero(sizes == sizes.max())
        if len(worst) > FEW:
            return None
        first = _first(asked, problem, columns)
        if first is None:
            return None
        _tell(op, (first, _first_and_worst(asked, problem, worst)[1]), int(numbers.sum()), inexact)
    return sums


def _tell(op: Op, events: Sequence[Event], number: int, heard: Sequence[tuple[Listener, Sums]]) -> None:
    for listener, wanted in heard:
        for event in events:
            node = Node(event.addition.first, event.addition.last, None, False)
            listener.on_addition(
                Place(op, max(len(op.regions) - 1, 0), node, np.array([event.column])), event.addition
            )
        assert wanted.added
        wanted.added(number)


def _first_and_worst(asked: Asked, problem: Dot, columns: Array) -> tuple[Event, Event]:
    """Return the first and the worst event of sums at flat places, node by node; there is one."""
    accumulation, _, _, types, declared = asked
    batch, row, column = np.unravel_index(columns, problem.shape)
    pairs = problem.left[batch, row][:, None], problem.right[batch, :, column][:, :, None]
    terms, _, _ = product_terms(DOT, pairs, list(types), accumulation)
    found = list[Event]()

    def keep(addition: Addition, at: int, size: float) -> Event:
        one = lambda x: np.broadcast_to(x, addition.total.shape).reshape(-1)[[at]]
        entries, given = (tuple(map(one, x)) for x in (addition.entries, addition.given))
        alone = addition._replace(entries=entries, given=given, total=one(addition.total))
        return Event(addition.number, int(columns[at]), size, alone)

    def hear(addition: Addition) -> None:
        for event in addition_events(addition):
            sizes = np.abs(event.error)
            worst = int(sizes.argmax())
            if not found:
                found[:] = [keep(addition, int(event.at[0]), float(sizes[0]))] * 2
            if sizes[worst] > found[1].size:
                found[1] = keep(addition, int(event.at[worst]), float(sizes[worst]))

    additions.sums(accumulation, terms, np.zeros((len(columns), 1, 1)), declared, False, hear)
    first, worst = found
    return first, worst


def _first(asked: Asked, problem: Dot, columns: Array) -> Event | None:
    """Return the first event: that of the first node that has one, in the first of its sums.

    Where some sums have one, and the nodes before it add zero to a number, it is the first; None if not.
    """
    first, _ = _first_and_worst(asked, problem, columns[:FEW])
    if len(columns) <= FEW:
        return first
    has_init = not asked[0].without_init
    tree = asked[0].tree(problem.n + has_init, has_init)
    zeros = {ZERO, 0} if has_init else {ZERO}
    before = tree.nodes[: first.node - tree.n]
    adds_zero = lambda node: node.arithmetic.kind == "plain" and not zeros.isdisjoint(node.children)
    return first if all(map(adds_zero, before)) else None

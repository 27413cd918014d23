"""One result element of a reduction: its leaves, their origins, replays of schedules, its tree as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

import numpy as np

from interp.backends import NUMPY, State
from interp.engine.evaluate import Context, Listener, Place
from interp.engine.fold import Node
from interp.engine.quant import Type
from interp.kernels import OPERATIONS
from interp.recorder import detect
from interp.recorder.along import element_additions
from interp.recorder.blocks import ByBlocks
from interp.recorder.detect_sums import addition_events
from interp.recorder.exact import Number, Unit, unit_at
from interp.recorder.folded import Folded
from interp.recorder.products import Factor, Products, convert_products
from spec.errors import Unsupported
from spec.ir import Op, captures
from spec.schedule import Schedule, Step, parse, tree
from spec.trees import ZERO, Arithmetic

MOST = 1 << 20  # leaves that are shown one by one
INIT, PADDING = "init", "padding"


class Leaf(NamedTuple):
    """Leaf `number` of an element: its stored numbers before and after conversion, one per operand.

    `origin` is the index in the inputs, "init" or "padding"; `units` are those of before and after. A leaf
    of a contraction is a product, with its two `factors`.
    """

    number: int
    origin: tuple[int, ...] | str
    before: tuple[Any, ...]
    after: tuple[Any, ...]
    units: tuple[tuple[Unit, Unit], ...]
    factors: tuple[Factor, Factor] | None = None

    @property
    def wraps(self) -> bool:
        """Return whether this is a product that the accumulator does not hold."""
        return self.factors is not None and self.before != self.after

    @property
    def exact_before(self) -> tuple[Number, ...]:
        """The leaf's exact value before conversion, in expressed units."""
        return tuple(unit.number(x) for x, (unit, _) in zip(self.before, self.units, strict=True))

    @property
    def exact_after(self) -> tuple[Number, ...]:
        """The leaf's exact value in the accumulator; a product is summed exactly."""
        if self.factors:
            return self.exact_before
        return tuple(unit.number(x) for x, (_, unit) in zip(self.after, self.units, strict=True))


class Mark(NamedTuple):
    """An event at a step of a tree, with the fields of `Event`."""

    kind: str
    inner: Op
    exact: Number | None


class Taken(NamedTuple):
    """One step of a tree: its child nodes, the leaves that it covers, the stored states, its events.

    A node along an accumulation may have several children, or one beside the number 0, and an `arithmetic`.
    """

    children: tuple[int, ...]
    leaves: tuple[int, int]
    entries: tuple[tuple[Any, ...], ...]
    result: tuple[Any, ...]
    marks: tuple[Mark, ...]
    arithmetic: Arithmetic | None = None

    @property
    def lhs(self) -> tuple[Any, ...]:
        return self.entries[0]

    @property
    def rhs(self) -> tuple[Any, ...]:
        return self.entries[-1]


@dataclass(frozen=True, eq=False)
class Element:
    """One result element: `leaves` are those present, init first; `schedule` is the run's, on only these."""

    reduction: Folded
    index: tuple[int, ...]
    leaves: tuple[Leaf, ...]
    schedule: Schedule

    def values(self, k: int = 0) -> list[Any]:
        """Return the stored leaves of operand k in the accumulation type; integer products as they are."""
        exact = self.reduction.products is not None
        return [leaf.before[k] if exact else leaf.after[k] for leaf in self.leaves]

    def replay(self, schedule: str | Schedule | None = None) -> tuple[Taken, ...]:
        """Return every step of a schedule; the last one gives the element. A leaf alone has no steps.

        By default the steps are those of the run, which may be along an accumulation.
        """
        if schedule is None and self.reduction.along:
            return tuple(_along(self))
        steps, n = self._steps(schedule), len(self.leaves)
        nodes = _node_states(self, steps)
        marks = _step_marks(self.reduction, steps, nodes)
        numbers = [tuple(x.item() for x in state) for state in nodes]
        spans = [(leaf.number, leaf.number) for leaf in self.leaves]
        taken = []
        for k, (lhs, rhs) in enumerate(steps):
            spans.append((spans[lhs][0], max(spans[lhs][1], spans[rhs][1])))
            entries = numbers[lhs], numbers[rhs]
            taken.append(Taken((lhs, rhs), spans[-1], entries, numbers[n + k], tuple(marks.get(k, ()))))
        return tuple(taken)

    def result(self, schedule: str | Schedule | None = None) -> tuple[Any, ...]:
        """Return the element under a schedule, in the accumulation types."""
        return tuple(x.item() for x in _node_states(self, self._steps(schedule))[-1])

    def _steps(self, schedule: str | Schedule | None) -> tuple[Step, ...]:
        order = self.schedule if schedule is None else parse(schedule)
        return tuple(order.steps(len(self.leaves), not self.reduction.has_own_inits))


def element(reduction: Folded, index: tuple[int, ...]) -> Element:
    """Return the leaves of one result element."""
    if reduction.products:
        return _contraction_element(reduction, reduction.products, index)
    if reduction.by_blocks:
        return _element_of_blocks(reduction, reduction.by_blocks, index)
    where, at = reduction.place(index)
    part = reduction.parts[where]
    _refuse_many(part.n)
    rows, present = part.column(at)
    origins, _ = reduction.origins[where].column(at)
    leaves = [_init(reduction, index)]
    leaves += [_leaf(reduction, k + 1, origins[k][0], rows[k]) for k, here in enumerate(present) if here]
    if all(present) or reduction.along:
        return Element(reduction, index, tuple(leaves), reduction.schedule)
    steps = prune_steps(reduction.schedule.steps(len(rows) + 1, True), [True, *present])
    return Element(reduction, index, tuple(leaves), tree(steps))


def _refuse_many(n: int) -> None:
    if n > MOST:
        evidence = "`verdict` and `bounds` take any number of leaves"
        raise Unsupported(f"expected an element of at most {MOST:,} leaves, got {n:,}", evidence)


def _contraction_element(reduction: Folded, products: Products, index: tuple[int, ...]) -> Element:
    """Return one result element of a contraction."""
    _refuse_many(products.n)
    units = _units(reduction, [products.type])
    numbers = products.element_leaves(index)
    held = convert_products(numbers, reduction.types[0]).tolist()
    leaves = [
        Leaf(k, f"{pair[0]} x {pair[1]}", (x,), (after,), units, pair)
        for k, (x, after, pair) in enumerate(
            zip(numbers.tolist(), held, products.factors(index), strict=True), 1
        )
    ]
    return Element(reduction, index, (_init(reduction), *leaves), reduction.schedule)


def _element_of_blocks(reduction: Folded, blocks: ByBlocks, index: tuple[int, ...]) -> Element:
    """Return one result element of a contraction by blocks: a leaf is the scaled sum of a block."""
    units = _units(reduction, reduction.types)
    leaves = [
        Leaf(x.number + 1, x.place, (x.term,), (x.stored,), units) for x in blocks.element(index).blocks
    ]
    return Element(reduction, index, (_init(reduction), *leaves), reduction.schedule)


def _init(reduction: Folded, at: tuple[int, ...] = ()) -> Leaf:
    """Return leaf 0; where elements have their own inits, that of the element `at`."""
    states, where = (reduction.init_before, reduction.init), at if reduction.has_own_inits else ()
    before, after = (tuple(np.asarray(x)[where].item() for x in state) for state in states)
    units = _units(reduction, [v.type.element_type for v in reduction.init_values])
    return Leaf(0, reduction.group.origin(0, at) if reduction.group else INIT, before, after, units)


def _leaf(reduction: Folded, number: int, place: int, after: tuple[Any, ...]) -> Leaf:
    if place < 0:
        return _init(reduction)._replace(number=number, origin=PADDING)
    shape = reduction.inputs[0].type.shape
    index = tuple(map(int, np.unravel_index(place, shape)))
    before = tuple(x[index].item() for x in reduction.before)
    sources = [value.type.element_type for value in reduction.inputs]
    origin = reduction.group.origin(number, index[1:]) if reduction.group else index
    return Leaf(number, origin, before, after, _units(reduction, sources, shape, index))


def _units(
    reduction: Folded, sources: Iterable[Type], shape: tuple[int, ...] = (), index: tuple[int, ...] = ()
) -> tuple[tuple[Unit, Unit], ...]:
    pairs = zip(sources, reduction.types, strict=True)
    return tuple((unit_at(source, shape, index), unit_at(type, (), ())) for source, type in pairs)


def prune_steps(steps: Iterable[Step], present: list[bool]) -> list[Step]:
    """Return the tree over the leaves that are present; a node with one absent child is its other child."""
    n, order = len(present), np.cumsum(present) - 1
    nodes: dict[int, int | None] = {i: int(order[i]) if here else None for i, here in enumerate(present)}
    left: list[Step] = []
    for k, (lhs, rhs) in enumerate(steps):
        a, b = nodes[lhs], nodes[rhs]
        if a is not None and b is not None:
            left.append((a, b))
            nodes[n + k] = sum(present) + len(left) - 1
        else:
            nodes[n + k] = b if a is None else a
    return left


def _node_states(element: Element, steps: tuple[Step, ...]) -> list[State]:
    """Return the states of all nodes, leaves first, as arrays of one element."""
    reduction = element.reduction
    if captures(reduction.op):
        raise Unsupported(
            "not supported: replaying a body that uses values from outside", "", reduction.op.location
        )
    carriers = [NUMPY.carrier(value.type.storage_type) for value in reduction.body.returns]
    nodes: list[State] = [
        tuple(np.array([x], dtype) for x, dtype in zip(leaf.after, carriers, strict=True))
        for leaf in element.leaves
    ]
    body = _context(reduction).body(reduction.op, len(reduction.op.regions) - 1)
    with np.errstate(all="ignore"):
        for lhs, rhs in steps:
            nodes.append(body(nodes[lhs], nodes[rhs], Node(0, 0, None, False)))
    return nodes


def _along(element: Element) -> Iterator[Taken]:
    """Yield the nodes of an element along the run's accumulation."""
    reduction, (add, *_) = element.reduction, element.reduction.body.ops
    assert reduction.along
    by_number = {leaf.number: leaf for leaf in element.leaves}
    alike = reduction.products or reduction.by_blocks
    most = reduction.n if alike else reduction.parts[reduction.place(element.index)[0]].n
    values = [(by_number.get(k) or element.leaves[0]).after[0] for k in range(most + 1)]
    present = [k in by_number for k in range(most + 1)]
    without = reduction.along.adding.accumulation.without_init and most > 0
    first = int(without and not reduction.has_own_inits)  # the number of leaf 0 of the tree
    places = {leaf.number - first: k for k, leaf in enumerate(element.leaves)}
    for k, found in enumerate(element_additions(reduction, element.index, values, present)):
        places[found.number] = len(element.leaves) + k
        children = tuple(places[child] for child in found.children if child != ZERO)
        entries = tuple((x.item(),) for x in found.entries)
        marks = tuple(
            Mark(each.kind, add, each.exact(at)) for each in addition_events(found) for at in each.at.tolist()
        )
        span = found.first + first, found.last + first
        yield Taken(children, span, entries, (found.total.item(),), marks, found.arithmetic)


def _context(reduction: Folded, *listeners: Listener) -> Context:
    return Context(NUMPY, reduction.module, reduction.schedule, OPERATIONS, listeners)


class _Judge(Listener):
    """Collector of events by step; `first` is the number of the first step in the current batch."""

    def __init__(self) -> None:
        self.marks: dict[int, list[Mark]] = {}
        self.first = 0

    def on_op(self, op: Op, operands: State, results: State, place: Place | None) -> None:
        if len(results) != 1:
            return
        for found in detect.operation_events(op, operands, results[0], rounding=True):
            for at in map(int, found.at):
                self.marks.setdefault(self.first + at, []).append(Mark(found.kind, op, found.exact(at)))


def _step_marks(reduction: Folded, steps: tuple[Step, ...], nodes: list[State]) -> dict[int, list[Mark]]:
    """Return the events by step; since all operands are known, one batch suffices if the body allows it."""
    listener = _Judge()
    body = _context(reduction, listener).body(reduction.op, len(reduction.op.regions) - 1)
    size = len(steps) if _context(reduction).is_elementwise(reduction.body) else 1
    for first in range(0, len(steps), max(1, size)):
        listener.first = first
        batch = steps[first : first + size]
        lhs, rhs = (_concatenate([nodes[step[side]] for step in batch]) for side in (0, 1))
        with np.errstate(all="ignore"):
            body(lhs, rhs, Node(0, 0, None, False))
    return listener.marks


def _concatenate(states: list[State]) -> State:
    return tuple(np.concatenate(column) for column in zip(*states, strict=True))


# A reduction's tree written with parentheses: `((init..x6 . x7) . x8)`.


class Cover(NamedTuple):
    """The leaves under a node: whether they include the init, and the first and last other leaf, or 0, 0."""

    seeded: bool
    first: int
    last: int

    def __str__(self) -> str:
        if not self.first:
            return "init"
        one = self.first == self.last
        elements = f"x{self.last - 1}" if one else f"x{self.first - 1}..x{self.last - 1}"
        if not self.seeded:
            return elements
        return f"init..x{self.last - 1}" if self.first == 1 else f"init, {elements}"

    def __or__(self, other: Cover) -> Cover:
        return Cover(self.seeded or other.seeded, self.first or other.first, other.last or self.last)


class Parenthesized:
    """The tree of one element. Nodes are numbered as in `Taken.children`: the leaves, then the steps."""

    def __init__(self, element: Element, steps: Sequence[Taken]) -> None:
        self.leaves, self.steps = element.leaves, steps
        self.inputs = ", ".join(value.name for value in element.reduction.inputs)
        n = len(self.leaves)
        self.parents = {child: n + k for k, step in enumerate(steps) for child in step.children if child}
        self.covers = [Cover(not leaf.number, leaf.number, leaf.number) for leaf in self.leaves]
        for step in steps:
            self.covers.append(reduce(or_, (self.covers[child] for child in step.children)))

    def place(self, step: int) -> str:
        """Return the nodes that a step combines, and the node that its result becomes part of, as text."""
        node = len(self.leaves) + step
        parent = self.parents.get(node)
        return self.text(node, 2) + ("" if parent is None else f" inside {self.text(parent, 1)}")

    def text(self, node: int, depth: int) -> str:
        """Return a node as text, with its children to this depth, and only ranges of leaves below."""
        if node < len(self.leaves) or not depth:
            return str(self.covers[node])
        children = self.steps[node - len(self.leaves)].children
        return f"({' . '.join(self.text(child, depth - 1) for child in children)})"

    def origins(self, step: int) -> list[str]:
        """Return the origins of the leaves that a step brings in: `x8 = %arg0 (0, 8)`."""
        found = []
        for child in self.steps[step].children:
            if 0 < child < len(self.leaves):
                origin = self.leaves[child].origin
                place = origin if isinstance(origin, str) else f"{self.inputs} {origin}"
                found.append(f"{self.covers[child]} = {place}")
        return found

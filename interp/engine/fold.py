"""The fold of leaves by a body along a schedule, of which every reduction is made, and its tallies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from interp.backends import Array, Combine, Namespace, State
from interp.backends.base import Chunk
from interp.backends.windows import Box
from spec.schedule import LEFT, Schedule


class Node(NamedTuple):
    """The first and the last leaf of a node of the tree, or of several nodes stacked along axis 0."""

    first: Array
    last: Array
    present: Array | None  # where the body really combines; None: everywhere
    stacked: bool


EVERYWHERE = Node(0, 0, None, False)
TEMPORARY = 32  # arrays that a body may work on at once


class Leaves(NamedTuple):
    """n leaves: `at(i)` gives leaf i, and `stack(first, last)` a range of them along a new first axis.

    Each is a tuple of arrays of the result's shape, one for each operand of the reduction. `present` likewise
    gives a boolean array, or None where no leaf is ever absent. `in_memory`: stacking them copies nothing.
    """

    n: int
    at: Callable[[Array], State]
    stack: Callable[[], State]
    present: Callable[[Array], Array] | None = None
    stack_present: Callable[[], Array] | None = None
    in_memory: bool = False


Body = Callable[[State, State, Node], State]


@dataclass(frozen=True)
class Elementwise:
    """A body of elementwise operations without listeners: `combine(xp, lhs, rhs)` over any namespace."""

    apply: Body
    combine: Combine

    def __call__(self, lhs: State, rhs: State, node: Node) -> State:
        return self.apply(lhs, rhs, node)


def fold(
    xp: Namespace, body: Body, init: State | None, leaves: Leaves, schedule: Schedule
) -> tuple[State, Array | None]:
    """Fold `[init] + leaves` along the schedule's tree; return the root's values and where they are present.

    Presence None means everywhere. A node with one absent child is its other child. Without an init there
    must be at least one leaf.
    """
    if leaves.n == 0 and schedule.name != "tree":
        assert init is not None
        return init, None
    if schedule.name == "blocks":
        return _blocks(xp, body, init, leaves, schedule)
    tree = _TREES.get(schedule.name, _any_tree)
    if leaves.present is None:
        return tree(xp, body, init, leaves, schedule), None
    start = None if init is None else (*init, xp.ones_like(init[0], bool))
    *root, here = tree(xp, _mask(xp, body), start, _with_presence(leaves), schedule)
    return tuple(root), here


def leaves_of(xp: Namespace, arrays: Sequence[Array]) -> Leaves:
    """Return arrays of one shape as leaves."""
    stack = lambda: (xp.stack(arrays),)
    if xp.in_place:
        return Leaves(len(arrays), lambda i: (arrays[i],), stack)
    (stacked,) = stack()  # of which compiled code takes a leaf by an index that it computes
    return Leaves(len(arrays), lambda i: (stacked[i],), lambda: (stacked,))


def fold_arrays(xp: Namespace, body: Elementwise, arrays: Sequence[Array], schedule: Schedule) -> Array:
    """Fold arrays of one shape, each a leaf; where no loop is compiled, in boxes that a cache holds."""
    first, dtypes = arrays[0], [arrays[0].dtype]
    if schedule.name == "left" and (loop := xp.loop(body.combine, dtypes, dtypes, len(arrays), first.size)):
        return loop((first,), ((x[None],) for x in arrays[1:]))[0]

    def fold_box(box: Box) -> State:
        return fold(xp, body, None, leaves_of(xp, [x[box] for x in arrays]), schedule)[0]

    return xp.by_box(fold_box, first.shape, [1] * first.ndim, max(len(arrays), TEMPORARY))[0]


def _with_presence(leaves: Leaves) -> Leaves:
    """Return the leaves with one more boolean array, true where they are present."""
    return Leaves(
        leaves.n,
        lambda i: (*leaves.at(i), leaves.present(i)),  # type: ignore[misc]
        lambda: (*leaves.stack(), leaves.stack_present()),  # type: ignore[misc]
        in_memory=leaves.in_memory and leaves.stack_present is not None,
    )


def _mask(xp: Namespace, body: Body) -> Body:
    """Return a body that combines two values where both are present, and else keeps the present one."""
    if isinstance(body, Elementwise):
        combine = body.combine
        unmasked = lambda xp: lambda lhs, rhs, node: combine(xp, lhs, rhs)
        masked = lambda xp, lhs, rhs: _mask(xp, unmasked(xp))(lhs, rhs, EVERYWHERE)
        return Elementwise(_mask(xp, body.apply), masked)

    def apply(lhs: State, rhs: State, node: Node) -> State:
        here, there = lhs[-1], rhs[-1]
        lhs, rhs = lhs[:-1], rhs[:-1]
        values = zip(body(lhs, rhs, node._replace(present=here & there)), lhs, rhs, strict=True)
        chosen = [xp.where(here & there, both, xp.where(here, left, right)) for both, left, right in values]
        return (*chosen, here | there)

    return apply


def _left(xp: Namespace, body: Body, init: State | None, leaves: Leaves, schedule: Schedule) -> State:
    """Fold `((init . x0) . x1) . x2 ...` in one loop over the leaves."""
    seeded = init is not None
    start = init if init is not None else leaves.at(0)
    if isinstance(body, Elementwise):
        dtypes = [x.dtype for x in start]
        if loop := xp.loop(body.combine, dtypes, dtypes, leaves.n, start[0].size):
            return loop(start, _blocks_of(leaves, 0 if seeded else 1))

    def step(i: Array, state: State) -> State:
        return body(state, leaves.at(i), Node(0 * i, i + seeded, None, False))

    return xp.fori_loop(0 if seeded else 1, leaves.n, step, start)


def _blocks_of(leaves: Leaves, first: int) -> Iterator[State]:
    """Yield the leaves from number `first` on: in one stack if they lie in memory, else one by one."""
    if leaves.in_memory:
        yield tuple(x[first:] for x in leaves.stack())
        return
    for i in range(first, leaves.n):
        yield tuple(x[None] for x in leaves.at(i))


def _fold_balanced(
    xp: Namespace, body: Body, init: State | None, leaves: Leaves, schedule: Schedule
) -> State:
    """Combine neighbours, round after round; a last node without a neighbour goes to the next round."""
    level = leaves.stack()
    if init is not None:
        level = tuple(xp.concatenate([i[None], x]) for i, x in zip(init, level, strict=True))
    first = xp.arange(leaves.n + (init is not None))
    last = first
    while (width := level[0].shape[0]) > 1:
        pairs = width // 2
        even, odd, rest = slice(0, 2 * pairs, 2), slice(1, 2 * pairs, 2), slice(2 * pairs, None)
        lhs, rhs = (tuple(x[part] for x in level) for part in (even, odd))
        combined = body(lhs, rhs, Node(first[even], last[odd], None, True))
        level = tuple(xp.concatenate([c, x[rest]]) for c, x in zip(combined, level, strict=True))
        first, last = (xp.concatenate([a, b[rest]]) for a, b in ((first[even], first), (last[odd], last)))
    return tuple(x[0] for x in level)


def _any_tree(xp: Namespace, body: Body, init: State | None, leaves: Leaves, schedule: Schedule) -> State:
    """Fold along any schedule, node by node; not under a compiler."""
    seeded = init is not None
    n = leaves.n + seeded
    values: dict[int, State] = {0: init} if init is not None else {}
    span = {i: (i, i) for i in range(n)}

    def value(node: int) -> State:
        return values[node] if node in values else leaves.at(node - seeded)

    root = n - 1
    for k, (lhs, rhs) in enumerate(schedule.steps(n, seeded)):
        root = n + k
        span[root] = min(span[lhs][0], span[rhs][0]), max(span[lhs][1], span[rhs][1])
        values[root] = body(value(lhs), value(rhs), Node(*span[root], None, False))
        for child in {lhs, rhs} - {0}:
            values.pop(child, None)
    return value(root)


def _blocks(
    xp: Namespace, body: Body, init: State | None, leaves: Leaves, schedule: Schedule
) -> tuple[State, Array | None]:
    """Fold blocks of k leaves side by side, each from its own init, then fold their results from the left."""
    assert isinstance(schedule.argument, int)
    size, n, seeded = min(schedule.argument, leaves.n), leaves.n, init is not None
    number = -(-n // size)
    index = xp.arange(number * size).reshape(number, size)
    last = xp.minimum(index, n - 1)  # the last block may be short: what it lacks is absent
    columns = tuple(x[last] for x in leaves.stack())
    exists = (index < n).reshape(number, size, *[1] * (columns[0].ndim - 2))
    here = exists & leaves.stack_present()[last] if leaves.stack_present else exists
    masked = leaves.stack_present is not None or n < number * size

    def in_blocks(lhs: State, rhs: State, node: Node) -> State:
        first = 0 * index[:, 0] if seeded else index[:, 0]
        return body(lhs, rhs, Node(first, last[:, node.last - seeded] + seeded, node.present, True))

    def across_blocks(lhs: State, rhs: State, node: Node) -> State:
        return body(lhs, rhs, node._replace(last=last[node.last, -1] + seeded))

    def like(apply: Body) -> Body:
        return replace(body, apply=apply) if isinstance(body, Elementwise) else apply

    start = None if init is None else tuple(xp.broadcast_to(x, (number, *x.shape)) for x in init)
    block = Leaves(size, lambda i: tuple(x[:, i] for x in columns), lambda: columns)
    if masked:
        block = block._replace(present=lambda i: here[:, i])
    roots, found = fold(xp, like(in_blocks), start, block, LEFT)
    if leaves.stack_present is None:  # every block has a leaf
        found = None
    present = None if found is None else (lambda i: found[i])
    whole = Leaves(number, lambda i: tuple(x[i] for x in roots), lambda: roots, present, in_memory=True)
    return fold(xp, like(across_blocks), None, whole, LEFT)


_TREES = {"left": _left, "balanced": _fold_balanced}
STACKED = frozenset({"balanced", "blocks"})  # these take all leaves at once
# What runs under jit.
TRACEABLE = frozenset({*_TREES, "blocks"})


# Tallies: counts of a listener at the nodes of a left fold, kept in the fold's own loop.


class Tally(NamedTuple):
    """Counts that a loop keeps beside the accumulators, elementwise, for a few leaves at a time.

    `start(xp, shape)` gives the counts of a result's shape before the first leaf, zeros; `step(xp, counts,
    lhs, rhs, results)` those after a node, over any namespace. `look(chunk, counts, enter)` sees them after
    some leaves, `counts` being where they stand in the state; it sets them to zero. `enter` gives a leaf the
    type of the accumulators. `finish()` is called at the end.
    """

    start: Callable[[Namespace, tuple[int, ...]], State]
    step: Callable[[Namespace, State, State, State, State], State]
    look: Callable[[Chunk, slice, Callable[[State], State]], None]
    finish: Callable[[], None]


NOTHING = Tally(
    lambda xp, shape: (),
    lambda xp, counts, lhs, rhs, results: (),
    lambda chunk, counts, enter: None,
    lambda: None,
)


class Extreme(NamedTuple):
    """A node with an event: its result element, flat, its last leaf, and both operands."""

    column: int
    leaf: int
    lhs: Array
    rhs: Array


class Found(NamedTuple):
    """Events of one kind in a whole fold."""

    kind: str
    number: int
    first: Extreme
    worst: Extreme


class Sums(NamedTuple):
    """Request of a listener for the events of some kinds among a contraction's sums.

    `done(found)` takes what a loop has counted of them; None: this listener would rather see the nodes, if
    there may be an event. `added(number)` takes, after it heard of the first and the worst addition that is
    not exact, how many there are.
    """

    kinds: frozenset[str]
    done: Callable[[Found], None] | None = None
    added: Callable[[int], None] | None = None

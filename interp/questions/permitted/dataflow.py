"""Dataflow around a program's one reduction: the origin of its leaves, and the use of its results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from interp.backends import NUMPY, Array, State
from interp.engine import fold
from interp.engine.bodies import code_of, selects_by_order
from interp.engine.evaluate import Context, Listener, Place
from interp.engine.facts import facts
from interp.engine.leaf_counts import SCATTER
from interp.engine.limits import Size, memory, refuse_size
from interp.engine.quant import to_destination_type
from interp.engine.walk import Domain, Env, walk
from interp.kernels import OPERATIONS, REDUCTIONS, folds
from interp.questions.permitted.extremes import has_no_nan
from interp.recorder.names import title_of
from spec.ir import Func, Module, Op, Region, Value, captures, reads
from spec.schedule import LEFT

NOWHERE, MANY = -1, -2  # origins: from no element of the reduction's result, from several
Pair = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Dataflow:
    """A function of one reduction and the operations after it.

    `origins` has, for each element of the function's results, the flat index of the one element of the
    reduction's results that it comes from. `clusters` has the least index of its cluster: elements of the
    reduction's results that meet in a later element are of one cluster.
    """

    module: Module
    func: Func
    op: Op
    origins: tuple[np.ndarray, ...]
    clusters: tuple[np.ndarray, ...]

    @property
    def body(self) -> Region:
        return self.op.regions[-1]

    @property
    def tail(self) -> Region:
        return tail(self.func, self.op)

    @property
    def is_direct(self) -> bool:
        """Return whether the function returns the reduction's accumulators themselves."""
        types = [value.type.element_type for value in self.body.returns]
        return self.func.body.returns == self.op.results and types == [
            value.type.element_type for value in self.op.results
        ]


def tail(func: Func, op: Op) -> Region:
    """Return what a function computes after an operation, as a region whose arguments are its results."""
    ops = func.body.ops
    return Region(op.results, ops[next(k for k, other in enumerate(ops) if other is op) + 1 :])


def dataflow(module: Module, func: Func) -> Dataflow | None:
    """Return the dataflow of a function, or None unless its results come from one fold at its top level.

    Folds that have one result in every order do not count.
    """
    found = [op for op in folds(module, func.body) if not _has_one_result(op)]
    if len(found) != 1 or not any(op is found[0] for op in func.body.ops):
        return None
    (op,) = found
    if op.name not in (*REDUCTIONS, "stablehlo.scatter") or captures(op) or not _selects_alike(op):
        return None
    index = np.arange(op.results[0].type.size).reshape(op.results[0].type.shape)
    tracing = _Tracing(module)
    try:
        pairs = walk(tracing, tail(func, op), [(index, index) for _ in op.results])
    except _Untraced:
        return None
    shapes = [value.type.shape for value in func.body.returns]
    origins, first = zip(*(x or _nowhere(shape) for x, shape in zip(pairs, shapes, strict=True)), strict=True)
    least = _least(op.results[0].type.size, tracing.meetings)
    clusters = tuple(np.where(index < 0, NOWHERE, least[index]) for index in first)
    return Dataflow(module, func, op, origins, clusters)


def _has_one_result(op: Op) -> bool:
    """Return whether every schedule gives a contraction the same bits.

    Sums of plain integers wrap, in a commutative group whose zero is the init: neither their order nor the
    number of init values matters.
    """
    types = [value.type for value in (*op.operands, *op.results)]
    integers = all(not type.is_quantized and type.storage_type.is_integer for type in types)
    return integers and facts(op).family == "contraction"


def _selects_alike(op: Op) -> bool:
    """Return whether all schedules select the same elements: the first or the last of equal extremes."""
    if op.name != SCATTER:
        return True
    return selects_by_order(op) and has_no_nan(op.operands[0].type.element_type)


class _Untraced(Exception):
    """A value of which it is not known from which elements of a fold it comes."""


class _Tracing(Domain["Pair | None"]):
    """Domain of origins: the one element of a fold that each element comes from, and the first of several.

    Both are flat indices of the fold's results. None: no element comes from them. `meetings` are elements of
    the fold's results that meet in a later element. An operation that neither moves elements nor acts element
    by element, or that a result of the fold decides, raises `_Untraced`.
    """

    def __init__(self, module: Module) -> None:
        self.module, self.meetings = module, list[Pair]()
        self.ctx = Context(NUMPY, module, LEFT, OPERATIONS)

    def read(self, op: Op, env: Env[Pair | None]) -> list[Pair | None]:
        return [env.get(value.name) for value in op.operands]

    def apply(self, op: Op, operands: list[Pair | None], env: Env[Pair | None]) -> Sequence[Pair | None]:
        if all(env.get(value.name) is None for value in reads(op)):
            return [None] * len(op.results)
        if facts(op).moves:
            pairs = [x or _nowhere(v.type.shape) for x, v in zip(operands, op.operands, strict=True)]
            moved = [self.ctx.run(code_of(op), list(indices)) for indices in zip(*pairs, strict=True)]
            return list(zip(*moved, strict=True))
        if facts(op).batches:
            return [self.join(op.result, operands, None)]
        raise _Untraced

    def join(self, value: Value, values: Sequence[Pair | None], by: Pair | None) -> Pair | None:
        if by is not None:
            raise _Untraced
        if all(x is None for x in values):
            return None
        shape = value.type.shape
        origins, first = zip(*(x or _nowhere(shape) for x in values), strict=True)
        return _merge(origins, shape), _first(first, shape, self.meetings)

    def widen(self, value: Value, outer: Pair | None, inner: Pair | None, by: Pair | None) -> Pair | None:
        if by is not None or inner is not outer:
            raise _Untraced
        return outer


def _nowhere(shape: tuple[int, ...]) -> Pair:
    indices = np.full(shape, NOWHERE)
    return indices, indices


def _merge(operands: Sequence[np.ndarray], shape: tuple[int, ...]) -> np.ndarray:
    """Return the common origin of an elementwise operation's operands, or `MANY`."""
    merged = np.full(shape, NOWHERE)
    for operand in operands:
        conflict = (merged != NOWHERE) & (operand != NOWHERE) & (merged != operand)
        merged = np.where(conflict, MANY, np.where(merged == NOWHERE, operand, merged))
    return merged


def _first(operands: Sequence[np.ndarray], shape: tuple[int, ...], meetings: list[Pair]) -> np.ndarray:
    """Return the first known origin of an elementwise operation's operands, and add those that meet."""
    first = np.full(shape, NOWHERE)
    for operand in (np.broadcast_to(operand, shape) for operand in operands):
        meet = (first != NOWHERE) & (operand != NOWHERE) & (first != operand)
        meetings.append((first[meet], operand[meet]))
        first = np.where(first == NOWHERE, operand, first)
    return first


def _least(size: int, meetings: Sequence[Pair]) -> np.ndarray:
    """Return the least index of each index's cluster, the indices that meet, perhaps through others."""
    least, before = np.arange(size), None
    while before is None or not np.array_equal(least, before):
        before = least.copy()
        for one, other in meetings:
            lower = np.minimum(least[one], least[other])
            np.minimum.at(least, one, lower)
            np.minimum.at(least, other, lower)
        least = least[least]
    return least


def sharing(module: Module, func: Func) -> list[int]:
    """Return a number for each result of a function, the same for results that may come from one fold."""
    sources: dict[str, frozenset[int]] = {}
    for k, op in enumerate(func.body.ops[:-1]):
        own = frozenset([k]) if any(True for _ in folds(module, Region((), (op,)))) else frozenset()
        before = [sources.get(value.name, frozenset()) for value in reads(op)]
        sources.update((value.name, own.union(*before)) for value in op.results)
    results = [sources.get(value.name, frozenset()) for value in func.body.returns]
    groups = list(range(len(results)))
    for k, folded in enumerate(results):
        joined = {groups[j] for j in range(k) if folded & results[j]} | {k}
        groups = [min(joined) if group in joined else group for group in groups]
    return groups


@dataclass(frozen=True, eq=False)
class Leaves(Listener):
    """Listener that keeps, in a run under `left`, the leaves of some result elements of a reduction."""

    whole: Dataflow
    wanted: np.ndarray  # flat result indices
    env: dict[str, Array]  # at first the function's arguments
    init: list[Array] = field(default_factory=list)
    rows: dict[int, State] = field(default_factory=dict)  # by leaf
    present: dict[int, Array] = field(default_factory=dict)
    accumulators: list[Array] = field(default_factory=list)

    def on_op(self, op: Op, operands: State, results: State, place: Place | None) -> None:
        if place is None and any(op is own for own in self.whole.func.body.ops):
            self.env.update((v.name, x) for v, x in zip(op.results, results, strict=True))

    def on_convert(self, op: Op, operand: int, before: Array, after: Array) -> None:
        if op is self.whole.op and operand >= len(op.operands) - len(op.results):
            self.init.append(after)

    def on_fold(
        self, op: Op, region: int, init: State | None, leaves: fold.Leaves, columns: Array | None
    ) -> None:
        """Raise `Unsupported` if the leaves to keep do not fit into memory."""
        if op is self.whole.op and region == len(op.regions) - 1:
            kept = [Size([leaves.n, len(self.wanted)], x.itemsize) for x in self.init]
            what = f"judging {len(self.wanted):,} elements of {title_of(self.whole.module, op)}"
            refuse_size(what, [*kept, *kept], memory(), op.location)

    def on_node(self, place: Place, lhs: State, rhs: State, results: State) -> None:
        """Keep the right operand of a node: the next leaf of the left fold."""
        if place.op is not self.whole.op or place.region != len(place.op.regions) - 1:
            return
        leaf, here = int(place.node.last), place.node.present
        if place.columns is None:
            self.rows[leaf] = tuple(x.reshape(-1)[self.wanted] for x in rhs)
        else:
            self.keep(leaf, place.columns, here, rhs)

    def keep(self, leaf: int, columns: Array, here: Array | None, state: State) -> None:
        """Keep a leaf of the wanted elements among `columns`; `here` is true for those that have it."""
        _, own, theirs = np.intersect1d(self.wanted, columns, return_indices=True)
        count = len(self.wanted)
        row = self.rows.setdefault(leaf, tuple(np.zeros(count, x.dtype) for x in state))
        for known, x in zip(row, state, strict=True):
            known[own] = x.reshape(-1)[theirs]
        present = np.ones(len(own), bool) if here is None else here.reshape(-1)[theirs]
        self.present.setdefault(leaf, np.zeros(count, bool))[own] = present

    def on_result(self, op: Op, result: int, before: Array, after: Array) -> None:
        if op is self.whole.op:
            self.accumulators.append(before)

    def batches(self) -> Iterator[tuple[np.ndarray, State]]:
        """Yield wanted elements with the same number of leaves, and these: `[leaves, elements]`."""
        rows = [self.rows[leaf] for leaf in sorted(self.rows)]
        columns = [
            np.stack([np.broadcast_to(init, self.wanted.shape), *(row[k] for row in rows)])
            for k, init in enumerate(self.init)
        ]
        if not self.present:
            yield np.arange(len(self.wanted)), tuple(columns)
            return
        here = np.stack([self.present[leaf] for leaf in sorted(self.present)])
        here = np.concatenate([np.ones_like(here[:1]), here])
        first = np.argsort(~here, axis=0, kind="stable")
        counts = here.sum(0)
        for count in np.unique(counts):
            same = (counts == count).nonzero()[0]
            yield same, tuple(np.take_along_axis(x, first, 0)[:count, same] for x in columns)


def function_results(leaves: Leaves, accumulators: State) -> State:
    """Return the function's results for given accumulators of the reduction, as stored elements."""
    whole, op = leaves.whole, leaves.whole.op
    results = tuple(
        to_destination_type(NUMPY, x, before.type.element_type, result.type.element_type)
        for x, before, result in zip(accumulators, whole.body.returns, op.results, strict=True)
    )
    ctx = Context(NUMPY, whole.module, LEFT, OPERATIONS, env=leaves.env)
    return tuple(
        NUMPY.encode(x, type.storage_type)
        for x, type in zip(ctx.run(whole.tail, results), whole.func.results, strict=True)
    )

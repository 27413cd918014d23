"""Parts of a function that are compiled one by one: like ones, as a model's layers are, are compiled once.

THEOREM: a part is a region, and its operations are those of the function, in order; so the values of all
parts are those of the function. Parts that are equal but for the names of their values are one function of
what they read. Beyond that, only constants may decide how an operation is computed: a part has its own copies
of small ones, which are compared with it, and the large ones that like parts read are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from math import ceil, copysign
from typing import Any, NamedTuple

import numpy as np

from interp.backends import Array, Namespace
from interp.backends.dtypes import numpy_dtype
from interp.engine.arguments import encode
from interp.engine.evaluate import FAMILIES, Context
from interp.engine.facts import facts
from interp.speed.taped_operations import work
from spec.ir import Func, Module, Op, Region, callee_names, nested_ops, number_values, reads
from spec.types import TensorType, is_tensor

OPERATIONS = 24  # in a part, those of functions it calls included: fewer are compiled as soon with others
NUMBERS = 1 << 24  # that a part computes, in milliseconds: its call takes a hundredth of that
PASSED = 64  # numbers that a part computes for each that passes to the next, which XLA would not write
SAVED = 0.3  # of the operations: the least share that need not be compiled
SMALL = 1 << 12  # elements of a constant of which each part has its own copy
PERIODS = 8  # distances between like operations that are tried
RUNS = 16  # of like parts in a function


class Part(NamedTuple):
    """A region whose arguments are values from outside, and which returns what later parts read.

    like: the number of the first part that is the same function of its arguments.
    """

    region: Region
    like: int


class Run(NamedTuple):
    """Operations from number `start` on that repeat after `period`, so many `times` in all."""

    start: int
    period: int
    times: int

    @property
    def cuts(self) -> list[int]:
        return [self.start + k * self.period for k in range(self.times + 1)]

    @property
    def gain(self) -> int:
        return (self.times - 1) * self.period


class Operations(NamedTuple):
    """The operations that parts are made of, in program order.

    copies: operations on constants of which parts have copies, by the name of the result. fixed: the names of
    all values that constants determine. last: the number of the last operation that reads a value. weights:
    of each operation, how many it is with those it calls, and how many numbers it computes. live: how many
    elements are kept before each operation, for it or later ones.
    """

    ops: Sequence[Op]
    copies: Mapping[str, Op]
    fixed: frozenset[str]
    last: Mapping[str, int]
    kinds: np.ndarray
    weights: np.ndarray
    live: np.ndarray


def divide(module: Module, func: Func) -> tuple[Part, ...]:
    """Return the parts of a function in program order; () if too few are alike for it to pay.

    The last one returns what the function does.
    """
    if not all(is_tensor(v.type) for op in func.body.ops for v in (*op.operands, *op.results)):
        return ()
    known = operations(module, func)
    runs = _runs(known)
    if sum(run.gain for run in runs) <= SAVED * len(known.ops):
        return ()
    cuts = sorted({0, *(cut for run in runs for cut in run.cuts)})
    regions = [_region(known, func, *ends) for ends in zip(cuts, [*cuts[1:], None], strict=True)]
    parts = tuple(map(Part, regions, _alike(known, regions)))
    saved = sum(len(part.region.ops) for k, part in enumerate(parts) if part.like != k)
    return parts if saved > SAVED * len(known.ops) else ()


def operations(module: Module, func: Func) -> Operations:
    """Return the operations of a function, without those of which parts have copies."""
    fixed, copies, ops = set[str](), dict[str, Op](), list[Op]()
    for op in func.body.ops[:-1]:
        if _is_fixed(op) and all(v.name in fixed for v in op.operands):
            fixed.add(op.result.name)
            whole = all(v.name in copies for v in op.operands)
            if whole and (not op.operands or op.result.type.size <= SMALL):
                copies[op.result.name] = op
                continue
        ops.append(op)
    last = {v.name: k for k, op in enumerate(ops) for v in reads(op)}
    last |= {v.name: len(ops) for v in func.body.returns}
    weights = np.array([_weight(module, op) for op in ops], np.int64).reshape(-1, 2)
    return Operations(ops, copies, frozenset(fixed), last, _kinds(ops), weights, _live(ops, last))


def _is_fixed(op: Op) -> bool:
    """Return whether constants alone determine a result if they determine all operands."""
    kind = facts(op).family in FAMILIES and op.name != "stablehlo.custom_call"
    return kind and not op.regions and len(op.results) == 1


def _weight(module: Module, op: Op) -> tuple[int, int]:
    """Return how many operations one is, with those that it runs, and about how many numbers it computes."""
    inside = [_weight(module, inner) for name in callee_names(op) for inner in module[name].body.ops[:-1]]
    numbers = work(op) if len(op.results) == 1 and op.operands else sum(v.type.size for v in op.results)
    return 1 + sum(n for n, _ in inside), numbers + sum(m for _, m in inside)


def _kinds(ops: Iterable[Op]) -> np.ndarray:
    """Return a number for each operation: of like operations it is the same."""
    known: dict[object, int] = {}
    keys = ((op.name, *(v.type for v in (*op.operands, *op.results))) for op in ops)
    return np.array([known.setdefault(key, len(known)) for key in keys], np.int64)


def _live(ops: Sequence[Op], last: Mapping[str, int]) -> np.ndarray:
    change = np.zeros(len(ops) + 2, np.int64)
    for k, op in enumerate(ops):
        for value in op.results:
            if (end := last.get(value.name, k)) > k:
                change[k + 1] += value.type.size
                change[end + 1] -= value.type.size
    return change.cumsum()


def _runs(known: Operations) -> list[Run]:
    """Return runs that do not overlap, those that save most."""
    found: list[Run] = []
    between = [(0, len(known.ops))]
    while between and len(found) < RUNS:
        first, stop = between.pop()
        if (run := _longest(known, first, stop)) is not None:
            found.append(run)
            between += [(first, run.start), (run.cuts[-1], stop)]
    return found


def _longest(known: Operations, first: int, stop: int) -> Run | None:
    """Return the run that saves most, or None if none pays."""
    kinds = known.kinds[first:stop]
    runs = (_run(known, first, period, kinds) for period in _periods(kinds))
    return max((run for run in runs if run), key=lambda run: run.gain, default=None)


def _periods(kinds: np.ndarray) -> list[int]:
    """Return the likeliest distances after which operations repeat, short ones first."""
    codes = kinds
    for _ in range(2):  # of four operations in a row
        codes = np.unique(codes[:-1] * (codes.max(initial=0) + 1) + codes[1:], return_inverse=True)[1]
    order = np.argsort(codes, kind="stable")
    distances = np.diff(order)[np.diff(codes[order]) == 0]
    periods, votes = np.unique(distances, return_counts=True)
    return sorted(periods[np.argsort(-votes * periods)[:PERIODS]].tolist())


def _run(known: Operations, first: int, period: int, kinds: np.ndarray) -> Run | None:
    """Return the longest run of a period, or of so many periods that a part is worth a call."""
    same = np.concatenate([[False], kinds[period:] == kinds[:-period], [False]])
    starts, ends = np.flatnonzero(same[1:] > same[:-1]), np.flatnonzero(same[1:] < same[:-1])
    if not len(starts):
        return None
    k = np.argmax(ends - starts)
    start, length = first + int(starts[k]), int(ends[k] - starts[k]) + period
    ops, numbers = known.weights[start : start + period].sum(0)
    least = max(NUMBERS, PASSED * known.live[start + period])
    period *= ceil(max(OPERATIONS / ops, least / max(1, numbers), 1))
    count = length // period
    if count < 2:
        return None
    shifts = known.live[start + period : start + period + length - count * period + 1]
    return Run(start + int(shifts.argmin()), period, count)


def _region(known: Operations, func: Func, first: int, stop: int | None) -> Region:
    """Return the operations from `first` to `stop`, or to the end, as a region."""
    ops, later = known.ops[first:stop], len(known.ops) if stop is None else stop
    made = [v for op in ops for v in op.results]
    returned = func.body.returns if stop is None else [v for v in made if known.last.get(v.name, 0) >= later]
    read = {v.name: v for v in (*(v for op in ops for v in reads(op)), *returned)}
    copies = _copies(known.copies, read)
    outside = read.keys() - copies.keys() - {v.name for v in made}
    end = replace(func.body.ops[-1], operands=tuple(returned))
    arguments = tuple(v for name, v in read.items() if name in outside)
    return Region(arguments, (*copies.values(), *ops, end))


def _copies(known: Mapping[str, Op], names: Iterable[str]) -> dict[str, Op]:
    """Return the operations that compute those of the values which are constants, in order of their use."""
    found: dict[str, Op] = {}
    for name in names:
        if name in known and name not in found:
            op = known[name]
            found |= _copies(known, (v.name for v in op.operands)) | {name: op}
    return found


def _alike(known: Operations, regions: Sequence[Region]) -> Iterator[int]:
    """Yield, for each region, the number of the first one that is the same function."""
    seen: list[tuple[int, Any]] = []
    for k, region in enumerate(regions):
        outside = [v.name for v in region.arguments if v.name in known.fixed]
        form = number_values(region, {}), outside, _signs(region)
        like = next((number for number, other in seen if other == form), k)
        if like == k:
            seen.append((k, form))
        yield like


def _signs(region: Region) -> list[float]:
    """Return the signs of floats that are attributes: -0 equals 0, and may give another result."""
    numbers = (x for op in nested_ops(region) for x in op.attributes.values() if isinstance(x, float))
    return [copysign(1.0, x) for x in numbers]


# Calls of the parts, each compiled by JAX on its own.

Entrance = Callable[[bool], AbstractContextManager[Context]]  # whether operations have their layers' names


class Stored(NamedTuple):
    """The stored elements of a value that passes from part to part; others pass in their carrier."""

    elements: Array


class Step(NamedTuple):
    """A compiled part: names of the values that it takes and gives, and of those that no later one takes.

    lifted: for each that it takes, the type to decode it from first, as like parts have it in its carrier.
    """

    function: Callable[..., tuple[Any, ...]]
    taken: Sequence[str]
    lifted: Sequence[TensorType | None]
    given: Sequence[str]
    dead: Sequence[str]


def join(func: Func, parts: Sequence[Part], enter: Entrance, xp: Namespace) -> Callable[..., tuple[Any, ...]]:
    """Return a function on JAX's storage arrays that calls compiled parts, one after the other.

    enter: returns the context in which a part is traced.
    """
    steps = _steps(func, parts, enter, xp)

    def lift(x: Any, type: TensorType) -> Array:
        with enter(False) as ctx:
            return _take(ctx.xp, x, type)

    lift = xp.jax.jit(lift, static_argnums=1)

    def call(*args: Any) -> tuple[Any, ...]:
        given = (x if isinstance(x, xp.jax.Array) else xp.jax.device_put(x) for x in args)
        values: dict[str, Any] = {v.name: Stored(x) for v, x in zip(func.inputs, given, strict=True)}
        for step in steps:
            taken = zip(map(values.__getitem__, step.taken), step.lifted, strict=True)
            found = step.function(*(x if type is None else lift(x, type) for x, type in taken))
            values.update(zip(step.given, found, strict=True))
            for name in step.dead:
                del values[name]
        return found

    return call


def _steps(func: Func, parts: Sequence[Part], enter: Entrance, xp: Namespace) -> list[Step]:
    inputs = {v.name for v in func.inputs}
    reads = [(part.like, k, v) for part in parts for k, v in enumerate(part.region.arguments)]
    computed = {(like, k) for like, k, v in reads if v.name not in inputs}
    shared = {part.like for k, part in enumerate(parts) if part.like != k}
    functions: dict[int, Any] = {}
    steps = []
    for k, (part, dead) in enumerate(zip(parts, _dead(func, parts), strict=True)):
        taken, given = part.region.arguments, part.region.returns
        if part.like == k:
            results = func.results if k == len(parts) - 1 else None
            functions[k] = xp.jax.jit(_traceable(part.region, enter, k not in shared, results))
        lifted = [
            v.type if v.name in inputs and (part.like, i) in computed else None for i, v in enumerate(taken)
        ]
        names = [v.name for v in taken], lifted, [v.name for v in given], dead
        steps.append(Step(functions[part.like], *names))
    return steps


def _dead(func: Func, parts: Sequence[Part]) -> list[list[str]]:
    """Return, for each part, the names of values that no later one reads."""
    last = {v.name: 0 for v in func.inputs}
    for k, part in enumerate(parts):
        last |= dict.fromkeys((v.name for v in (*part.region.arguments, *part.region.returns)), k)
    return [[name for name, end in last.items() if end == k] for k in range(len(parts))]


def _traceable(
    region: Region, enter: Entrance, named: bool, results: Sequence[TensorType] | None
) -> Callable[..., tuple[Any, ...]]:
    """Return a region as a function on values that pass; results: of these types, as they are stored."""

    def part(*values: Any) -> tuple[Any, ...]:
        with enter(named) as ctx:
            pairs = zip(values, region.arguments, strict=True)
            found = ctx.run(region, [_take(ctx.xp, x, v.type) for x, v in pairs])
            if results is not None:
                return tuple(encode(ctx.xp, x, type) for x, type in zip(found, results, strict=True))
            return tuple(_give(ctx.xp, x, v.type) for x, v in zip(found, region.returns, strict=True))

    return part


def _take(xp: Namespace, x: Any, type: TensorType) -> Array:
    return xp.decode(x.elements, type.storage_type) if isinstance(x, Stored) else x


def _give(xp: Namespace, x: Array, type: TensorType) -> Any:
    stored = xp.storage(x)
    return Stored(stored) if stored is not None and stored.dtype == numpy_dtype(type.storage_type) else x

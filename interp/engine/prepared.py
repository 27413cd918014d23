"""Preparation of a region: the function of every operation is looked up, and every value has a place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from interp.backends import Array, Namespace, State
from interp.engine.memo import once
from spec.accumulator import LITERAL, Reading
from spec.errors import Unsupported
from spec.integer_reading import reads_integers
from spec.ir import Op, Region, Value, captures, reads
from spec.types import is_tensor

Kernel = Callable[..., State]  # kernel(ctx, op, *operands) -> results
Preparation = Callable[[Namespace, Op], Callable[..., Array]]  # prepare(xp, op)(*operands) -> result
Frame = list[Any]  # the values of a running region
Taken = Callable[[Frame], Sequence[Array]]
Inside = Callable[[Region], "Code"]  # prepares the regions of an operation
Join = Callable[[Sequence["Step"], Frame, Mapping[str, int], set[int], Inside], list["Step"]]
LARGE = 2**12  # elements of a value that is freed before its region ends
SMALL, GROWTH = 2**16, 4  # bytes of a result that constants determine, or times those of its operands


@dataclass(frozen=True, eq=False)
class Operations:
    """The kernels by operation name, and the names of the prepared and of the elementwise operations.

    in_integers: kernels of the elementwise operations that the integer reading computes with integers.
    join: joins steps that run faster together, where no listener hears them; see `speed.taping.join`.
    A prepared operation has one result, which depends on its operands alone: on no schedule or process.
    """

    kernels: Mapping[str, Kernel | Preparation]
    prepared: frozenset[str]
    elementwise: frozenset[str]
    in_integers: Mapping[str, Kernel]
    join: Join | None = None


class Step(NamedTuple):
    """An operation, the function that computes it, and the places of its operands and results in the frame.

    alone: the function takes only the operands; else it is a kernel. captured: places of the values that the
    operation's regions read. dead: places of large values that no later step reads.
    """

    op: Op
    function: Callable[..., Any]
    alone: bool
    operands: Taken
    results: slice
    captured: Mapping[str, int]
    dead: Sequence[int]


class Code(NamedTuple):
    """A prepared region. Its frame has the values it captures, its arguments, and all results in order.

    rest: the results before anything runs: those that constants determine are known. computing: the steps
    that compute the others.
    """

    captured: Sequence[str]
    rest: Frame
    steps: Sequence[Step]
    computing: Sequence[Step]
    returns: Taken
    size: int


def code(region: Region, xp: Namespace, operations: Operations, reading: Reading = LITERAL) -> Code:
    """Return the prepared region; it is cached unless arrays end with the run that made them."""
    ways = xp, operations, reading
    return _kept(region, *ways) if xp.lasting else _prepare(region, *ways)


def directly(prepare: Preparation) -> Kernel:
    """Return a prepared operation in the form of a kernel, so that another kernel can call it."""
    return lambda ctx, op, *operands: (prepare(ctx.xp, op)(*operands),)


def _prepare(region: Region, xp: Namespace, operations: Operations, reading: Reading) -> Code:
    ops = region.ops[:-1]
    values = [*region.arguments, *(value for op in ops for value in op.results)]
    own, read = {value.name for value in values}, [v.name for op in region.ops for v in reads(op)]
    captured = list(dict.fromkeys(name for name in read if name not in own))
    place = {name: k for k, name in enumerate([*captured, *(value.name for value in values)])}
    last = {v.name: op for op in region.ops for v in (*op.results, *reads(op))}
    first, steps = len(captured) + len(region.arguments), []
    rest: Frame = []
    for op in ops:
        dead = [place[v.name] for v in (*reads(op), *op.results) if last[v.name] is op and _is_large(v)]
        results = slice(first + len(rest), first + len(rest) + len(op.results))
        around = {value.name: place[value.name] for value in captures(op)}
        operands = _getter(place, op.operands)
        steps.append(Step(op, *function_of(op, xp, operations, reading), operands, results, around, dead))
        rest += [steps[-1].function()] if is_constant(steps[-1]) else [None] * len(op.results)
    known = _fold(steps, rest, first) if xp.lasting else {id(step) for step in steps if is_constant(step)}
    computing = [step for step in steps if id(step) not in known]
    if operations.join and xp.in_place:
        start, returned = [None] * first + rest, {place[value.name] for value in region.returns}
        computing = operations.join(
            computing, start, place, returned, lambda region: code(region, xp, operations, reading)
        )
    return Code(captured, rest, steps, computing, _getter(place, region.returns), first + len(rest))


def _fold(steps: Sequence[Step], rest: Frame, first: int) -> set[int]:
    """Compute in `rest` what constants determine, once for all runs; return the ids of these steps.

    Not computed are results that are much larger than what they are made of, such as broadcast numbers.
    """
    frame, known = [*[None] * first, *rest], set[int]()
    for step in steps:
        operands = [] if is_constant(step) or not step.alone else step.operands(frame)
        if operands and all(x is not None for x in operands) and not step.captured:
            with np.errstate(all="ignore"):
                result = step.function(*operands)
            if result.nbytes <= max(SMALL, GROWTH * sum(x.nbytes for x in operands)):
                if isinstance(result, np.ndarray):
                    result.flags.writeable = False  # so that a result of the program is a copy
                frame[step.results] = [result]
                known.add(id(step))
        elif is_constant(step):
            known.add(id(step))
    rest[:] = frame[first:]
    return known


_kept = once(_prepare)


def is_constant(step: Step) -> bool:
    """Return whether an operation has the same result in every run."""
    return step.alone and not step.op.operands


def _is_large(value: Value) -> bool:
    return not is_tensor(value.type) or value.type.size >= LARGE


def function_of(
    op: Op, xp: Namespace, operations: Operations, reading: Reading = LITERAL
) -> tuple[Callable[..., Any], bool]:
    """Return the function of an operation, and whether it takes the operands alone."""
    if op.name not in operations.kernels:
        raise unsupported_error(op)
    if op.name in operations.in_integers and reads_integers(op, reading):
        return operations.in_integers[op.name], False
    kernel: Callable[..., Any] = operations.kernels[op.name]
    return (kernel(xp, op), True) if op.name in operations.prepared else (kernel, False)


def _getter(place: Mapping[str, int], values: Iterable[Value]) -> Taken:
    """Return a function that takes these values from a frame."""
    places = [place[value.name] for value in values]
    if len(places) > 1:
        return itemgetter(*places)
    first = places[0] if places else 0
    return itemgetter(slice(first, first + len(places)))


def unsupported_error(op: Op) -> Unsupported:
    """Return the error to raise for an operation that has no kernel."""
    return Unsupported(
        f"{op.name} is not built",
        "`tools/operations.py` prints the ops that are; lower this one to those, or report the program",
        op.location,
    )

"""Counts of events of quantized additions in the loop of a fold: how many, the first and the worst."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from interp.backends import Array, Namespace, State, fl, max_finite
from interp.engine.bodies import only_op
from interp.engine.tally import Extreme, Found, Tally
from interp.events.exact import WIDER
from interp.events.quantized_results import may_be_nan
from interp.fastpaths.quantized_add import adds_integers
from spec.ir import Op
from spec.types import QuantizedType

INDEX = np.dtype(np.int32)  # of leaves and counts


class Counts(NamedTuple):
    """Events of one kind, per result element: how many, the first and the worst, by leaf and operands."""

    number: Array
    first: Array
    first_lhs: Array
    first_rhs: Array
    severity: Array
    worst: Array
    worst_lhs: Array
    worst_rhs: Array


FIELDS = len(Counts._fields)


def tally(op: Op, kinds: frozenset[str], done: Callable[[list[Found]], None]) -> Tally | None:
    """Return counts of a reduction's events of these kinds for `done`, or None where they are not enough.

    THEOREM: of an addition of numbers of one type whose zero point is 0, exact less stored result is an
    integer. Where it is not 0, the result is saturated if the exact one is beyond the storage range and the
    stored one its bound. Else it is inexact, if neither NaN nor infinity can be met on the way: twice the
    largest stored number is finite in the expressed type, and so is what two of them stand for.
    """
    if op.name != "stablehlo.reduce" or not _counts(op):
        return None
    type = op.regions[0].arguments[0].type.quantized_element_type
    counted = [kind for kind in ("saturate", "inexact") if kind in kinds]
    if adds_integers(type):
        counted = [kind for kind in counted if kind == "saturate"]
    stored = np.dtype(type.storage_type.numpy)
    wide = np.dtype(WIDER[stored.itemsize])
    dtypes = Counts(INDEX, INDEX, stored, stored, wide, INDEX, stored, stored)

    def start(xp: Namespace, shape: tuple[int, ...]) -> State:
        zeros = [xp.zeros(shape, dtype) for dtype in dtypes]
        return (xp.zeros(shape, INDEX), *zeros * len(counted))

    def step(xp: Namespace, counts: State, lhs: State, rhs: State, results: State) -> State:
        leaf = counts[0] + 1
        by_kind = _judged(type, wide, lhs[0], rhs[0], results[0])
        after = [leaf]
        for kind, before in zip(counted, _of_kinds(counts), strict=True):
            after += _counted(xp, before, leaf, lhs[0], rhs[0], *by_kind[kind])
        return tuple(after)

    def finish(counts: State) -> None:
        found = (_found(kind, each) for kind, each in zip(counted, _of_kinds(counts), strict=True))
        done(sorted((each for each in found if each), key=lambda each: each.first.leaf))

    return Tally(start, step, finish)


def _counts(op: Op) -> bool:
    """Return whether the theorem holds for the body of a reduction."""
    type = op.regions[0].arguments[0].type.element_type
    if only_op(op.regions[0]) != "add" or not isinstance(type, QuantizedType) or not type.is_per_tensor:
        return False
    least, most = type.storage_min, type.storage_max
    bounded = fl(least, type.expressed_type) <= least and most <= fl(most, type.expressed_type)
    narrow = type.storage_type.is_integer and type.storage_type.bits <= 32
    bounded &= 2 * max(-least, most) <= max_finite(type.expressed_type)
    return narrow and bounded and type.zero_point == 0 and not may_be_nan("add", (type,) * 3)


def _of_kinds(counts: State) -> Iterator[Counts]:
    """Yield the counts of each kind; the first of all counts is that of leaves."""
    for first in range(1, len(counts), FIELDS):
        yield Counts(*counts[first : first + FIELDS])


def _judged(
    type: QuantizedType, wide: np.dtype, lhs: Array, rhs: Array, stored: Array
) -> dict[str, tuple[Array, Array]]:
    """Return, by kind, where a sum has an event, and exact less stored result."""
    stored = stored.astype(wide)
    error = lhs.astype(wide) + rhs.astype(wide) - stored
    above = (error > 0) & (stored == type.storage_max)
    below = (error < 0) & (stored == type.storage_min)
    saturated = above | below
    return {"saturate": (saturated, error), "inexact": ((error != 0) & ~saturated, error)}


def _counted(
    xp: Namespace, before: Counts, leaf: Array, lhs: Array, rhs: Array, here: Array, error: Array
) -> Counts:
    """Return the counts after a node, which has an event where `here` says so."""
    begins, size = here & (before.number == 0), xp.where(here, xp.abs(error), 0)
    exceeds = size > before.severity
    chosen = lambda where, new, old: xp.where(where, new, old)
    return Counts(
        before.number + here.astype(INDEX),
        chosen(begins, leaf, before.first),
        chosen(begins, lhs, before.first_lhs),
        chosen(begins, rhs, before.first_rhs),
        chosen(exceeds, size, before.severity),
        chosen(exceeds, leaf, before.worst),
        chosen(exceeds, lhs, before.worst_lhs),
        chosen(exceeds, rhs, before.worst_rhs),
    )


def _found(kind: str, counts: Counts) -> Found | None:
    """Return all events of a kind; of equally early or bad ones the first, leaf by leaf."""
    flat = Counts(*(x.reshape(-1) for x in counts))
    if not flat.number.any():
        return None
    last = np.iinfo(INDEX).max
    first = int(np.where(flat.number > 0, flat.first, last).argmin())
    bad = flat.severity == flat.severity.max()
    worst = int(np.where(bad, flat.worst, last).argmin())
    return Found(
        kind,
        int(flat.number.sum(dtype=np.int64)),
        Extreme(first, int(flat.first[first]), flat.first_lhs[first], flat.first_rhs[first]),
        Extreme(worst, int(flat.worst[worst]), flat.worst_lhs[worst], flat.worst_rhs[worst]),
    )

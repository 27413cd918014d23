"""Absorbed leaves: additions of floats whose result is one of two finite operands, though neither is zero.

256 + 1 is 256 in bf16. They are counted per reduction, from its leaves, after the run: no fast path hides
them. Only the elements with an addition that is not exact can have one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

import numpy as np

from interp.backends import NUMPY, Array
from interp.engine.bodies import combining
from interp.engine.evaluate import ACROSS
from interp.engine.fold import Node, fold
from interp.kernels.elementwise import plain
from interp.recorder.event import INFORMATION, WARNING, Event, Group
from interp.recorder.names import qualifier
from interp.recorder.recorded import Reduction
from spec.schedule import Schedule, parse
from spec.types import ELEMENT_TYPES, ElementType

# What is looked at in one run: nodes in turn, and additions. A second of work, whatever the program.
NODES, ADDITIONS = 1 << 14, 1 << 22
INSTEAD = ("blocks(16)", "blocks(32)", "balanced")  # orders that may absorb nothing, then a wider type


class Tally(NamedTuple):
    """For each element: how many nodes absorbed an operand, the sum of these, and the last such node."""

    counts: Array
    lost: Array
    last: Array
    before: Array
    leaf: Array
    results: Array


@dataclass(frozen=True, eq=False, repr=False)
class Absorbed(Event):
    """An event of a whole sum. lost: the sum of what its nodes absorbed. instead: what absorbs nothing."""

    lost: float = 0.0
    instead: str = ""

    @property
    def severity(self) -> str:
        """A warning if what was absorbed is more than half a step of the result."""
        type = self.op.result.type.element_type
        step = _step(self.stored, type) if isinstance(type, ElementType) else inf
        return WARNING if abs(self.lost) > step / 2 else INFORMATION

    @property
    def explanation(self) -> str:
        a, b = self.operands
        instead = f"; {self.instead} absorbs nothing" if self.instead else ""
        return f"{a:.10g} + {b:.10g} -> {self.stored:.10g}, {self.lost:.10g} absorbed in all{instead}"


def absorbed_groups(reductions: Iterable[Reduction], groups: Sequence[Group] | None) -> list[Group]:
    """Return a group of events for each recorded sum of floats that absorbed something.

    groups: those of the run, or None if sums that are not exact were not counted.
    """
    counted = (group for group in groups or () if group.kind == "inexact")
    inexact = None if groups is None else {id(group.first.op) for group in counted}
    found, nodes, additions = list[Group](), NODES, ADDITIONS
    for reduction in reductions:
        is_exact = inexact is not None and id(reduction.written) not in inexact
        if is_exact or (type := _type_of_sums(reduction)) is None:
            continue
        nodes, additions = nodes - reduction.terms, additions - reduction.terms * reduction.size
        if min(nodes, additions) >= 0:
            found += _groups_of(reduction, type)
    return found


def _type_of_sums(reduction: Reduction) -> ElementType | None:
    """Return the float type in which a reduction adds; None for one that is not looked at."""
    if len(reduction.op.results) != 1 or reduction.along or reduction.is_scatter:
        return None
    inner = combining(reduction.op.regions[-1], 0)
    type = reduction.types[0]
    if not (inner and inner.name == "stablehlo.add" and isinstance(type, ElementType)):
        return None
    return type if type.kind == "float" else None


def _groups_of(reduction: Reduction, type: ElementType) -> list[Group]:
    tallies = [(part, _tally(part, reduction.init[0], type, reduction.schedule)) for part in reduction.parts]
    count = sum(int(tally.counts.sum()) for _, tally in tallies)
    if not count:
        return []
    part, tally = max(tallies, key=lambda pair: float(np.abs(pair[1].lost).max(initial=0)))
    at = int(np.abs(tally.lost).argmax())
    shape = reduction.op.results[0].type.shape
    index = tuple(int(i) for i in np.unravel_index(int(np.asarray(part.columns)[at]), shape)) if shape else ()
    operands = float(tally.before[at]), float(tally.leaf[at])
    inner = combining(reduction.op.regions[-1], 0)
    assert inner
    event = Absorbed(
        "absorbed",
        reduction.written,
        inner,
        "result",
        index,
        (0, int(tally.last[at])),
        operands,
        Fraction(operands[0]) + Fraction(operands[1]),
        float(tally.results[at]),
        qualifier(reduction.module, reduction.written),
        reduction.run,
        within=ACROSS if reduction.by_blocks else None,
        lost=float(tally.lost[at]),
    )
    if event.severity == WARNING:
        event = replace(event, instead=_instead(reduction, type))
    return [Group(count, event, event, abs(event.lost))]


def _tally(part: Any, init: Array, type: ElementType, schedule: Schedule) -> Tally:
    """Fold the leaves of one part along a schedule, and count what is absorbed."""
    add, columns = plain(NUMPY, "add", type, type), len(part.columns)
    carrier = NUMPY.carrier(type)
    leaves = part.flat(lambda x: x.astype(carrier, copy=False))
    zeros = np.zeros(columns)
    tally = Tally(np.zeros(columns, np.int64), zeros.copy(), zeros.copy(), zeros.copy(), zeros.copy(), zeros)

    def body(a: Any, b: Any, node: Node) -> Any:
        x, y = a[0], b[0]
        total = add(x, y)
        finite = np.isfinite(x) & np.isfinite(y)
        for kept, gone in ((x, y), (y, x)):
            here = finite & (gone != 0) & (kept != 0) & (total == kept)
            here = here if node.present is None else here & np.asarray(node.present)
            rows = np.atleast_2d(here)
            tally.counts[:] += rows.sum(axis=0)
            tally.lost[:] += np.where(here, gone, 0).astype(np.float64).reshape(rows.shape).sum(axis=0)
            column = rows.any(axis=0)
            for target, numbers in ((tally.before, kept), (tally.leaf, gone)):
                target[column] = np.atleast_2d(numbers).astype(np.float64)[:, column].max(axis=0)
            tally.last[column] = np.max(np.asarray(node.last))
        return (total,)

    start = (np.broadcast_to(np.asarray(init, carrier).reshape(-1)[:1], (columns,)),)
    with np.errstate(all="ignore"):
        (results,), _ = fold(NUMPY, body, start, leaves, schedule)
    return tally._replace(results=np.asarray(results))


def _instead(reduction: Reduction, type: ElementType) -> str:
    """Return an order, or else a wider type, in which these leaves absorb nothing; "" if none is found."""
    tries = [(parse(text), type, f"schedule {text}") for text in INSTEAD]
    if type.bits < 32:
        name = f"scales(left; {reduction.schedule!r} in f32)" if reduction.by_blocks else "f32"
        tries.append((reduction.schedule, ELEMENT_TYPES["f32"], f"accumulator {name}"))
    for schedule, wide, text in tries:
        tallies = (_tally(part, reduction.init[0], wide, schedule) for part in reduction.parts)
        if not any(tally.counts.any() for tally in tallies):
            return text
    return ""


def _step(x: float, type: ElementType) -> float:
    """Return the distance of a number from the next larger one of its type."""
    if not np.isfinite(x):
        return inf
    exponent = max(int(np.frexp(x)[1]) - 1 if x else 1 - type.bias, 1 - type.bias)
    return float(2.0 ** (exponent - type.mantissa))

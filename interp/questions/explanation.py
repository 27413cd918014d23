"""`explain`: the computation of one result element, from its leaves through every partial result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from interp.engine.markup import Display, align, join_lines
from interp.engine.storage import is_stored_as_integer, storage
from interp.questions.bounds import is_signed
from interp.recorder.accumulator import exact_nodes, in_steps, real, short
from interp.recorder.element import Element, Leaf, Taken
from interp.recorder.event import number
from interp.recorder.exact import Number, Unit, unit_at
from interp.recorder.products import Factor
from interp.theory.sums import narrowest
from spec.ir import Region, needed_ops
from spec.types import QuantizedType

SHOWN = 24  # rows that are printed in full
AROUND = 2  # rows at either end and about what went wrong
HEADER = (
    "leaf",
    "origin",
    "factors",
    "before",
    "converted",
    "lost",
    "leaves",
    "exact",
    "stored",
    "value",
    "",
)


class Row(NamedTuple):
    """One row of an explanation: a leaf, or the node into which it is combined, or both.

    `exact` is the node's exact value on the converted leaves, in expressed units; None if the body is not
    known.
    """

    leaf: Leaf | None
    node: Taken | None
    exact: Number | None

    @property
    def kinds(self) -> list[str]:
        """Return the kinds of events at the node, except erratum E1, which concerns a literal reading."""
        marks = self.node.marks if self.node else ()
        wraps = ["wrap"] * (self.leaf is not None and self.leaf.wraps)
        return [kind for kind in dict.fromkeys([*wraps, *(mark.kind for mark in marks)]) if kind != "erratum"]

    def loss(self, k: int) -> Number:
        """Return the change of the leaf by conversion, in expressed units."""
        if self.leaf is None:
            return 0
        before, after = self.leaf.exact_before[k], self.leaf.exact_after[k]
        return 0 if before == after or before != before else before - after


@dataclass(frozen=True, eq=False, repr=False)
class Explanation(Display):
    """One element of a reduction in one schedule, for operand `k`; `rows` has every leaf and every node."""

    element: Element
    k: int
    rows: tuple[Row, ...]

    @cached_property
    def first_bad(self) -> Row | None:
        """The first row with an event, or None."""
        return next((row for row in self.rows if row.kinds), None)

    @property
    def result(self) -> Any:
        """Return the accumulator of operand `k`, as a stored number."""
        last = self.rows[-1]
        return last.node.result[self.k] if last.node else self.element.leaves[-1].after[self.k]

    @property
    def exact(self) -> Number | None:
        """Return the exact result on the converted leaves in this schedule, in expressed units."""
        last = self.rows[-1]
        return last.exact if last.node else self.element.leaves[-1].exact_after[self.k]

    @property
    def bits(self) -> int | None:
        """Return the bits of the narrowest storage that holds every exact node of this schedule.

        It is signed if the accumulator's is. None for an accumulator of floats, and if some node is unknown,
        or is no whole number of steps.
        """
        type = self.element.reduction.types[self.k]
        unit = unit_at(type, (), ())
        nodes = [row.exact for row in self.rows if row.node]
        if not is_stored_as_integer(type) or not all(isinstance(x, int | Fraction) for x in nodes):
            return None
        steps = [Fraction(in_steps(Fraction(x), unit)) for x in nodes if x is not None]
        if not steps or any(x.denominator != 1 for x in steps):
            return None
        least, greatest = int(min(steps)), int(max(steps))
        return narrowest(least, greatest, is_signed(type, least))

    def _repr_text_(self) -> str:
        return join_lines(_lines(self))


def explanation(element: Element, k: int = 0) -> Explanation:
    """Return the explanation of an element; a right leaf shares the row of the node that combines it.

    A node has the marks of those operations on which result `k` of the body depends.
    """
    others = _others(element.reduction.body, k)
    nodes = [
        node._replace(marks=tuple(mark for mark in node.marks if id(mark.inner) not in others))
        for node in element.replay()
    ]
    exact = exact_nodes(element, nodes)
    leaves = element.leaves
    entering = dict(enumerate(leaves))
    rows = []
    for step, node in enumerate(nodes):
        *before, last = (entering.pop(child, None) for child in node.children)
        rows += [Row(leaf, None, None) for leaf in before if leaf]
        rows.append(Row(last, node, exact[len(leaves) + step][k]))
    return Explanation(element, k, tuple(rows or [Row(leaves[-1], None, None)]))


def _others(body: Region, k: int) -> set[int]:
    """Return the operations of a body, by identity, on which result `k` does not depend."""
    ops = body.ops[:-1]
    return {id(op) for op in ops} - {id(op) for op in needed_ops(ops, [body.returns[k]])}


def _lines(self: Explanation) -> Iterator[str]:
    reduction = self.element.reduction
    type, count = reduction.types[self.k], len(self.element.leaves)
    operand = f" operand {self.k}" if len(reduction.types) > 1 else ""
    place = f"{reduction.signature}{operand} at {self.element.index}"
    manner = reduction.manner if reduction.along else f"in {reduction.text(type)}, schedule {_schedule(self)}"
    yield f"{place} {manner}: {count:,} leaves"
    yield from table_lines(self)


def table_lines(self: Explanation) -> Iterator[str]:
    """Yield the lines of the table of leaves and nodes, and that of the result."""
    unit = unit_at(self.element.reduction.types[self.k], (), ())
    shown = _shown_rows(self)
    cells = {at: _cells(self, self.rows[at], unit) for at in shown}
    keep = [c for c in range(len(HEADER)) if any(row[c] for row in cells.values())]
    left = [k for k, c in enumerate(keep) if c in (1, 10)]
    table = iter(align([[row[c] for c in keep] for row in (HEADER, *cells.values())], left, 2))
    yield next(table)
    before = -1
    for at in [*shown, len(self.rows)]:
        if at > before + 1:
            yield f"  ... {_summary(self, self.rows[before + 1 : at])} ..."
        if at < len(self.rows):
            yield next(table)
        before = at
    yield _ending(self, unit)


def _schedule(self: Explanation) -> str:
    schedule = self.element.schedule
    return repr(schedule) if schedule.name != "tree" else "tree(...)"


def _cells(self: Explanation, row: Row, unit: Unit) -> tuple[str, ...]:
    k, quantized = self.k, isinstance(self.element.reduction.types[self.k], QuantizedType)
    leaf, node = ("",) * 6, ("",) * 5
    if row.leaf is not None:
        lost = row.loss(k)
        origin = row.leaf.origin if isinstance(row.leaf.origin, str) else _index(row.leaf.origin)
        before, after = (number(x[k]) for x in (row.leaf.before, row.leaf.after))
        factors = " * ".join(number(factor.stored) for factor in _known_factors(row.leaf))
        leaf = str(row.leaf.number), origin, factors, before, after, real(lost) if lost else ""
    if row.node is not None:
        first = "first: " if row is self.first_bad else ""
        value = real(unit.number(row.node.result[k])) if quantized else ""
        span = "..".join(map(str, row.node.leaves))
        exact = "?" if row.exact is None else short(in_steps(row.exact, unit))
        held = f" {row.node.arithmetic!r}" if row.node.arithmetic else ""
        mark = f"! {first}{', '.join(row.kinds)}{held}" if row.kinds else ""
        node = span, exact, number(row.node.result[k]), value, mark
    return leaf + node


def _known_factors(leaf: Leaf) -> list[Factor]:
    """Return the factors of a product; none if one is padding."""
    factors = leaf.factors or ()
    return [] if any(factor.index is None for factor in factors) else [*factors]


def _index(origin: tuple[int, ...]) -> str:
    return f"[{', '.join(map(str, origin))}]"


def _shown_rows(self: Explanation) -> list[int]:
    """Return the rows to print: both ends, and around the first and last bad step and the first loss."""
    rows = self.rows
    if len(rows) <= SHOWN:
        return list(range(len(rows)))
    bad = [at for at, row in enumerate(rows) if row.kinds]
    lossy = [at for at, row in enumerate(rows) if row.loss(self.k)]
    centres = {0, len(rows) - 1, *bad[:1], *bad[-1:], *lossy[:1]}
    return [at for at in range(len(rows)) if any(abs(at - centre) < AROUND for centre in centres)]


def _summary(self: Explanation, rows: Sequence[Row]) -> str:
    """Return a line for the rows that are not printed: `113 leaves, nothing lost`."""
    leaves = sum(row.leaf is not None for row in rows)
    kinds = Counter(kind for row in rows for kind in row.kinds)
    kinds["lossy_convert"] += sum(bool(row.loss(self.k)) for row in rows)
    noted = ", ".join(f"{kind} x {count:,}" for kind, count in kinds.items() if count)
    what = f"{leaves:,} leaves" if leaves else f"{len(rows):,} nodes"
    return f"{what}, {noted or 'nothing lost'}"


def _ending(self: Explanation, unit: Unit) -> str:
    """Return a line with the accumulator, the exact result, and their distance."""
    quantized = isinstance(self.element.reduction.types[self.k], QuantizedType)
    held = unit.number(self.result)
    stored = f"  result {number(self.result)}" + (f" = {real(held)}" if quantized else "")
    if self.exact is None:
        return f"{stored}; the exact one is not known of this body"
    lost = sum(row.loss(self.k) for row in self.rows)
    conversion = f"; conversion lost {real(lost)}" if lost and self.element.reduction.is_sum else ""
    if held == self.exact:
        return f"{stored}, exactly{conversion}"
    exact = short(in_steps(self.exact, unit)) + (f" = {real(self.exact)}" if quantized else "")
    there = storage(self.element.reduction.types[self.k]).bits
    needed = f"; its sums need {self.bits} bits of {there}" if (self.bits or 0) > there else ""
    return f"{stored}, exactly {exact}: off by {real(held - self.exact)}{conversion}{needed}"

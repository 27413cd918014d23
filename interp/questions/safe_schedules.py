"""Schedules for the leaves of one element in which no sum overflows, or one does."""

from __future__ import annotations

from interp.engine.quant import Type
from interp.engine.stored import storage_range, zero_point
from interp.recorder.element import Element
from spec.schedule import Schedule, tree
from spec.types import ElementType
from spec.verdict import (
    INEVITABLE,
    ORDER_DEPENDENT,
    SAFE,
    Sum,
    Verdict,
    clamping,
    contiguous_sums,
    never_clamping,
)


def integer_verdict(values: list[int], type: ElementType) -> Verdict:
    """Return the verdict on integers that wrap, like `spec.verdict.verdict` on quantized ones."""
    low, high = type.min_value, type.max_value
    least, greatest = contiguous_sums(values)
    total = Sum(sum(values), 0, len(values) - 1)
    outermost = max(least, greatest, key=lambda s: max(low - s.value, s.value - high))
    if low <= outermost.value <= high:
        return Verdict(SAFE, outermost, total)
    if not low <= total.value <= high:
        return Verdict(INEVITABLE, total, total)
    return Verdict(
        ORDER_DEPENDENT, outermost, total, (tree(never_clamping(values)), tree(clamping(values, low, high)))
    )


def alone(values: list[int], type: Type) -> Verdict | None:
    """Return the verdict if a leaf itself is beyond the range, as a product may be, else None."""
    low, high = storage_range(type)
    for k, x in enumerate(values):
        if not low <= x <= high:
            total = sum(values) - (len(values) - 1) * zero_point(type)
            return Verdict(INEVITABLE, Sum(x, k, k), Sum(total, 0, len(values) - 1))
    return None


def careful(element: Element) -> Schedule:
    """Return the schedule that combines neighbours of opposite sign first."""
    z = zero_point(element.reduction.types[0])
    return tree(never_clamping([x - z for x in element.values()]))


def stays_inside(element: Element, schedule: Schedule) -> bool:
    """Return whether the exact sum of every node of a schedule lies in the storage range."""
    type, nodes = element.reduction.types[0], element.values()
    low, high = storage_range(type)
    for lhs, rhs in schedule.steps(len(nodes), not element.reduction.has_own_inits):
        nodes.append(nodes[lhs] + nodes[rhs] - zero_point(type))
    return all(low <= node <= high for node in nodes)

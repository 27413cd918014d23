"""Dependence of a quantized sum on its schedule, by the theorems of integer addition, in O(n).

Quantized `add` with equal parameters is `clamp(a + b - zero_point)` if `addition_is_integer` holds.
The nodes of a tree that never clamps then hold contiguous sums: of the leaves i to j the stored number
`sum(q - zero_point) + zero_point`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple

from spec.schedule import Schedule, Step, tree
from spec.types import QuantizedType

SAFE, INEVITABLE, ORDER_DEPENDENT, INEXACT = "safe", "inevitable", "order-dependent", "inexact"


class Sum(NamedTuple):
    """The sum of the leaves `first` to `last`, inclusive, as an unclamped stored number."""

    value: int
    first: int
    last: int


class Verdict(NamedTuple):
    """Verdict on an element: "safe": no schedule clamps. "inevitable": each does. "order-dependent": some do.

    "inexact": the assumption fails, and only the permitted set decides. `witness` is the contiguous sum that
    decides, `total` the sum of all leaves. If the schedule matters, `schedules` are one that never clamps and
    one that clamps.
    """

    kind: str
    witness: Sum
    total: Sum
    schedules: tuple[Schedule, ...] = ()


Theorem = Callable[[QuantizedType, int, int], bool]


def judge(
    leaves: Sequence[int],
    type: QuantizedType,
    addition_is_integer: Theorem,
    any_number_of_inits: bool = False,
) -> Verdict:
    """Return the verdict on `add` in `type` for one element's stored leaves; leaf 0 is the init value.

    addition_is_integer: whether `add` is `clamp(a + b - zero_point)` on operands and results in a range.
    """
    zero_point, low, high = type.zero_point, type.storage_min, type.storage_max
    numbers = [q - zero_point for q in leaves]
    least, greatest = (s._replace(value=s.value + zero_point) for s in contiguous_sums(numbers))
    total = Sum(sum(numbers) + zero_point, 0, len(leaves) - 1)
    if any_number_of_inits and numbers[0]:
        outermost = max(least, greatest, key=lambda s: max(low - s.value, s.value - high))
        return Verdict(_with_inits(numbers, type, addition_is_integer), outermost, total)
    if not addition_is_integer(type, least.value, greatest.value):
        return Verdict(INEXACT, max(least, greatest, key=lambda s: abs(s.value - zero_point)), total)
    return judge_integers(numbers, low, high, zero_point)


def judge_integers(numbers: Sequence[int], low: int, high: int, zero_point: int = 0) -> Verdict:
    """Return the verdict where nodes are sums of numbers and the zero point, up to the first outside."""
    sums = [s._replace(value=s.value + zero_point) for s in contiguous_sums(numbers)]
    total = Sum(sum(numbers) + zero_point, 0, len(numbers) - 1)
    outermost = max(sums, key=lambda s: max(low - s.value, s.value - high))
    if low <= outermost.value <= high:
        return Verdict(SAFE, outermost, total)
    if not low <= total.value <= high:
        return Verdict(INEVITABLE, total, total)
    bounds = low - zero_point, high - zero_point
    schedules = tree(never_clamping(numbers)), tree(clamping(numbers, *bounds))
    return Verdict(ORDER_DEPENDENT, outermost, total, schedules)


def _with_inits(numbers: Sequence[int], type: QuantizedType, addition_is_integer: Theorem) -> str:
    """Return the kind for any number of nonzero inits; enough of them clamp, so that nothing is safe.

    Some number of them brings the total into the range, unless it is already beyond it in their direction.
    """
    zero_point, low, high = type.zero_point, type.storage_min, type.storage_max
    if not addition_is_integer(type, 2 * low - zero_point, 2 * high - zero_point):
        return INEXACT
    init, elements = numbers[0], sum(numbers[1:]) + zero_point
    return INEVITABLE if (elements > high if init > 0 else elements < low) else ORDER_DEPENDENT


def contiguous_sums(numbers: Sequence[int]) -> tuple[Sum, Sum]:
    """Return the smallest and the largest sum of consecutive numbers."""
    negated = _largest(-v for v in numbers)
    return negated._replace(value=-negated.value), _largest(numbers)


def _largest(numbers: Iterable[int]) -> Sum:
    """Return the largest contiguous sum by Kadane's scan, which keeps a sum while it is positive."""
    best = here = None
    for k, number in enumerate(numbers):
        here = Sum(here.value + number, here.first, k) if here and here.value > 0 else Sum(number, k, k)
        best = here if best is None or here.value > best.value else best
    assert best is not None
    return best


def never_clamping(numbers: Sequence[int]) -> list[Step]:
    """Return a tree whose nodes stay in any range that contains zero, every number and their total.

    The sum of two neighbours of opposite sign lies between them. If all have the same sign, every partial sum
    lies between zero and the total.
    """
    return _careful(list(enumerate(numbers)), len(numbers))


def clamping(numbers: Sequence[int], low: int, high: int) -> list[Step]:
    """Return a tree with a node outside [low, high]: a contiguous sum that is outside, and no part of it.

    All other nodes avoid the ends of the range, so that normally the error at that node remains.
    """
    first, last = _innermost(numbers, low, high)
    n = len(numbers)
    steps = [(n + k - 1 if k else first, first + k + 1) for k in range(last - first)]
    clamped = min(max(sum(numbers[first : last + 1]), low), high)
    nodes = [*enumerate(numbers)]
    nodes[first : last + 1] = [(n + len(steps) - 1, clamped)]
    return steps + _careful(nodes, n + len(steps))


def _careful(nodes: list[tuple[int, int]], fresh: int) -> list[Step]:
    """Combine nodes and their numbers, opposite signs first; new nodes are numbered from `fresh`."""
    steps: list[Step] = []

    def combine(lhs: tuple[int, int], rhs: tuple[int, int]) -> tuple[int, int]:
        steps.append((lhs[0], rhs[0]))
        return fresh + len(steps) - 1, lhs[1] + rhs[1]

    stack: list[tuple[int, int]] = []
    for node in nodes:
        while stack and stack[-1][1] * node[1] <= 0:
            node = combine(stack.pop(), node)
        stack.append(node)
    root = stack[0]
    for node in stack[1:]:
        root = combine(root, node)
    return steps


def _innermost(numbers: Sequence[int], low: int, high: int) -> tuple[int, int]:
    """Return the earliest end of a contiguous sum outside [low, high], and the latest start for it."""
    before = list(accumulate(numbers, initial=0))
    least = greatest = 0
    for last, sum_to_last in enumerate(before[1:]):
        if sum_to_last - least > high or sum_to_last - greatest < low:
            starts = (
                first for first in range(last, -1, -1) if not low <= sum_to_last - before[first] <= high
            )
            return next(starts), last
        least, greatest = min(least, sum_to_last), max(greatest, sum_to_last)
    raise ValueError("no contiguous sum is outside")

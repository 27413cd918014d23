"""Dependence of a quantized sum on its schedule, by the theorems of integer addition, in O(n).

Quantized `add` with equal parameters is `clamp(a + b - zero_point)` if `addition_is_integer` holds.
The nodes of a tree that never clamps then hold contiguous sums: of the leaves i to j the stored number
`sum(q - zero_point) + zero_point`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import frexp, inf, isnan
from typing import NamedTuple

from spec.notation import quantize_element
from spec.numbers import add, least_exponent, multiply, power_of_two, round_to
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


def verdict(leaves: Sequence[int], type: QuantizedType, any_number_of_inits: bool = False) -> Verdict:
    """Return the verdict on `add` in `type` for one element's stored leaves; leaf 0 is the init value."""
    zero_point, low, high = type.zero_point, type.storage_min, type.storage_max
    numbers = [q - zero_point for q in leaves]
    least, greatest = (s._replace(value=s.value + zero_point) for s in contiguous_sums(numbers))
    total = Sum(sum(numbers) + zero_point, 0, len(leaves) - 1)
    outermost = max(least, greatest, key=lambda s: max(low - s.value, s.value - high))
    if any_number_of_inits and numbers[0]:
        return Verdict(_with_inits(numbers, type), outermost, total)
    if not addition_is_integer(type, least.value, greatest.value):
        return Verdict(INEXACT, max(least, greatest, key=lambda s: abs(s.value - zero_point)), total)
    if low <= outermost.value <= high:
        return Verdict(SAFE, outermost, total)
    if not low <= total.value <= high:
        return Verdict(INEVITABLE, total, total)
    bounds = low - zero_point, high - zero_point
    schedules = tree(never_clamping(numbers)), tree(clamping(numbers, *bounds))
    return Verdict(ORDER_DEPENDENT, outermost, total, schedules)


def _with_inits(numbers: Sequence[int], type: QuantizedType) -> str:
    """Return the kind for any number of nonzero inits; enough of them clamp, so that nothing is safe.

    Some number of them brings the total into the range, unless it is already beyond it in their direction.
    """
    zero_point, low, high = type.zero_point, type.storage_min, type.storage_max
    if not addition_is_integer(type, 2 * low - zero_point, 2 * high - zero_point):
        return INEXACT
    init, elements = numbers[0], sum(numbers[1:]) + zero_point
    return INEVITABLE if (elements > high if init > 0 else elements < low) else ORDER_DEPENDENT


def addition_is_integer(type: QuantizedType, least: int, greatest: int) -> bool:
    """Return whether `add` is `clamp(a + b - zero_point)` on operands and results in [least, greatest].

    `_integer_bound` decides; if it does not suffice, storage of up to 8 bits is enumerated.
    """
    zero_point = type.zero_point
    stored = (least, greatest, zero_point)
    if max(max(abs(q), abs(q - zero_point)) for q in stored) <= _integer_bound(type):
        return True
    return type.storage_type.bits <= 8 and _by_enumeration(
        type,
        max(least, 2 * type.storage_min - zero_point),
        min(greatest, 2 * type.storage_max - zero_point),
    )


def _integer_bound(type: QuantizedType) -> int:
    """Return the largest magnitude by the expressed type's precision p: 2^(p-4), or 2^p for dyadic scales.

    The expressed type must be able to represent zero, the largest products and the storage bounds.
    """
    T = type.expressed_type
    p, scale = T.precision, round_to(type.scale, T)

    def has(*numbers: Fraction) -> bool:
        return all(round_to(number, T) == number for number in numbers)

    if any(isnan(round_to(bound, T)) for bound in (type.storage_min, type.storage_max)):
        return -1
    if not (0 < scale < inf and has(Fraction(0))):
        return -1
    normal = scale >= power_of_two(least_exponent(T))  # then no product is subnormal
    if frexp(scale)[0] == 0.5 and normal and has(Fraction(scale) * power_of_two(p), power_of_two(p)):
        return 2**p
    return 2 ** (p - 4) if p >= 4 and has(Fraction(scale) * power_of_two(p - 3)) else -1


@lru_cache(maxsize=1024)
def _by_enumeration(type: QuantizedType, least: int, greatest: int) -> bool:
    """Return whether all pairs of stored operands add as integers; addition is commutative."""
    T, zero_point = type.expressed_type, type.zero_point
    scale = round_to(type.scale, T)
    low, high = type.storage_min, type.storage_max
    number = {
        q: multiply(round_to(q - zero_point, T), scale, T)
        for q in range(max(least, low), min(greatest, high) + 1)
    }
    return all(
        quantize_element(add(number[a], number[b], T), type, scale, zero_point)
        == min(max(a + b - zero_point, low), high)
        for a in number
        for b in range(a, max(number) + 1)
        if least <= a + b - zero_point <= greatest
    )


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

"""A reduction's body as a function on pairs of elements, and what its arithmetic proves of every order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import frexp, inf, isnan, nan
from typing import Any

from spec.formats import least_exponent, power_of_two, round_to
from spec.ir import Func, Module, Op, Region, Value
from spec.meaning.evaluate import evaluate, meaning
from spec.meaning.index import Context, Tensor
from spec.meaning.notation import dequantize, quantize_element
from spec.meaning.numbers import add, divide, maximum, minimum, multiply
from spec.permitted import LIMIT, Bodies, Body, Permitted, State, Values, permitted_among
from spec.schedule import LEFT
from spec.types import ElementType, QuantizedType
from spec.verdict import Verdict, judge

Range = tuple[Any, Any]  # the least and the greatest element that a value may be


def clamp(low: float, x: float, high: float, T: ElementType) -> float:
    return minimum(maximum(x, low, T), high, T)


# Of numbers without NaN the results are ordered as the operands are.
MONOTONE: dict[str, Callable[..., float]] = {
    "stablehlo.add": add,
    "stablehlo.clamp": clamp,
    "stablehlo.maximum": maximum,
    "stablehlo.minimum": minimum,
}


def body_of(region: Region) -> Body:
    """Return the region as a function on elements: (lhs..., rhs...) -> results..."""
    module = Module({"main": Func("main", region, tuple(value.type for value in region.returns))})

    def body(lhs: State, rhs: State) -> State:
        pairs = zip(region.arguments, (*lhs, *rhs), strict=True)
        arguments = [Tensor(argument.type, (element,)) for argument, element in pairs]
        return tuple(result.item for result in evaluate(module, arguments))

    return body


def additive_type(region: Region) -> QuantizedType | None:
    """Return the type of a body that is one quantized `add` with equal parameters."""
    first, types = region.ops[0], {value.type.element_type for value in (*region.arguments, *region.returns)}
    add = first.name == "stablehlo.add" and first.results == region.returns
    if not add or len(region.arguments) != 2 or {*first.operands} != {*region.arguments}:
        return None
    (element, *others) = types
    return element if isinstance(element, QuantizedType) and not others else None


def is_monotone(region: Region, ranges: Sequence[Range] = ()) -> bool:
    """Return whether the body never decreases when an argument grows within its range.

    By default a range is all stored integers of a type; there is none for floats, since one of them is NaN.
    A body is monotone if it consists of additions that do not wrap, extrema, clamps and constants, and no
    intermediate number is NaN, which has no place in the order and is stored as 0. Every intermediate number
    is a rounded sum, product, quotient or choice, so that if one is NaN, one at an end of the ranges is.
    """
    ranges = ranges or [_whole(value.type.element_type) for value in region.arguments]
    known = dict(zip((value.name for value in region.arguments), ranges, strict=True))
    for op in region.ops[:-1]:
        operands = [known.get(value.name, (nan, nan)) for value in op.operands]
        if op.name == "stablehlo.constant":
            (value,) = _evaluate(op, [])
            known[op.result.name] = value, value
        elif _is_ordered(op) and not any(isnan(x) for x in _on_the_way(op, operands)):
            known[op.result.name] = tuple(_evaluate(op, end)[0] for end in zip(*operands, strict=True))
        else:
            return False
    return all(low <= high for low, high in known.values())


def _whole(type: ElementType | QuantizedType) -> Range:
    if isinstance(type, QuantizedType):
        return type.storage_min, type.storage_max
    return (type.min_value, type.max_value) if type.is_integer else (nan, nan)


def _is_ordered(op: Op) -> bool:
    """Return whether larger stored elements represent larger numbers, and sums of integers do not wrap."""
    for type in (value.type.element_type for value in (*op.operands, *op.results)):
        if isinstance(type, QuantizedType):
            if not 0 < round_to(type.scale, type.expressed_type) < inf:
                return False
        elif not (type.kind == "float" or (type.is_integer and op.name != "stablehlo.add")):
            return False
    return op.name in MONOTONE


def _evaluate(op: Op, elements: Sequence[Any]) -> tuple[Any, ...]:
    operands = [Tensor(value.type, (x,)) for value, x in zip(op.operands, elements, strict=True)]
    return tuple(x.item for x in meaning(op)(op, operands, Context(LEFT, (), lambda name, args: ())))


def _on_the_way(op: Op, ranges: Sequence[Range]) -> Iterator[float]:
    """Yield all intermediate numbers of an operation on the ends of its operands, in every combination."""
    type = op.result.type.element_type
    T = type.expressed_type if isinstance(type, QuantizedType) else type
    if T.kind != "float":
        return
    for elements in product(*ranges):
        numbers = [_number(x, value) for x, value in zip(elements, op.operands, strict=True)]
        yield from numbers
        result = MONOTONE[op.name](*numbers, T)
        yield result
        if isinstance(type, QuantizedType):
            zero_point = round_to(type.zero_point, T)
            yield add(divide(result, round_to(type.scale, T), T), zero_point, T)
            yield from (round_to(bound, T) for bound in (type.storage_min, type.storage_max))


def _number(x: Any, value: Value) -> float:
    """Return the number that an element represents."""
    return dequantize(Tensor(value.type, (x,))).item if value.type.is_quantized else x


# Verdicts of the oracle: when quantized addition is integer addition, by its own arithmetic.


def verdict(leaves: Sequence[int], type: QuantizedType, any_number_of_inits: bool = False) -> Verdict:
    """Return the verdict on `add` in `type` for one element's stored leaves; leaf 0 is the init value."""
    return judge(leaves, type, addition_is_integer, any_number_of_inits)


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


# The permitted set of a body, and its ends.


def permitted_results(
    leaves: Sequence[State], body: Body, any_number_of_inits: bool = False, limit: int = LIMIT
) -> Permitted:
    """Return the results of all schedules; `TooMany` beyond the limit."""
    return permitted_among(Values(each(body), limit), leaves, any_number_of_inits)


def extremes(leaves: Sequence[State], body: Body, any_number_of_inits: bool = False) -> tuple[State, State]:
    """Return the least and the greatest permitted result of a body that is monotone in both arguments.

    Both are members of the permitted set, which may have gaps between them. States must have one operand,
    without NaN, and the body must be monotone (`is_monotone`) on a range that contains
    all results of all intervals.
    """
    least, greatest = (_extreme(leaves, body, pick, any_number_of_inits) for pick in (min, max))
    return least, greatest


def _extreme(leaves: Sequence[State], body: Body, pick: Callable[..., State], inits: bool) -> State:
    """Return the extreme result over all trees, by the body on the extremes of both parts of all splits."""
    init = _fixpoint(leaves[0], lambda x: pick(x, body(x, x))) if inits else leaves[0]
    elements = leaves[1:] if inits else leaves

    def with_inits(state: State) -> State:
        return _fixpoint(state, lambda x: pick(x, body(x, init), body(init, x))) if inits else state

    found = {(k, k + 1): with_inits(leaf) for k, leaf in enumerate(elements)}
    for length in range(2, len(elements) + 1):
        for first in range(len(elements) - length + 1):
            last = first + length
            middles = range(first + 1, last)
            found[first, last] = with_inits(
                pick(body(found[first, middle], found[middle, last]) for middle in middles)
            )
    return found[0, len(elements)] if elements else init


def _fixpoint(state: State, step: Callable[[State], State]) -> State:
    while (after := step(state)) != state:
        state = after
    return state


def each(body: Body) -> Bodies:
    """Return a body as a function of many pairs, from the function of one pair."""
    return lambda lhs, rhs: [body(a, b) for a, b in zip(lhs, rhs, strict=True)]

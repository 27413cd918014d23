"""A reduction's body as a function on pairs of elements, and properties proven from its operations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import inf, isnan, nan
from typing import Any

from spec.formats import round_to
from spec.ir import Func, Module, Op, Region, Value
from spec.meaning.context import Context
from spec.meaning.evaluate import evaluate, meaning
from spec.meaning.index import Tensor
from spec.meaning.notation import dequantize
from spec.meaning.numbers import add, divide, maximum, minimum
from spec.permitted import Body
from spec.schedule import LEFT
from spec.types import ElementType, QuantizedType
from spec.values import State

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

"""A reduction's body as a function on the elements of one pair, and what its operations say about it."""

from __future__ import annotations

from math import isfinite

from spec.evaluate import evaluate
from spec.index import Tensor
from spec.ir import Func, Module, Region
from spec.numbers import multiply, round_to
from spec.permitted import Body, State
from spec.types import ElementType, QuantizedType

# Of ordered operands the results are ordered; a constant is an operand that never moves.
MONOTONE = {
    "stablehlo.add",
    "stablehlo.clamp",
    "stablehlo.constant",
    "stablehlo.maximum",
    "stablehlo.minimum",
}
WRAPPING = {"stablehlo.add"}  # and so not monotone on plain integers


def body_of(region: Region) -> Body:
    """The region on elements: (lhs..., rhs...) -> results..."""
    module = Module({"main": Func("main", region, tuple(value.type for value in region.returns))})

    def body(lhs: State, rhs: State) -> State:
        pairs = zip(region.arguments, (*lhs, *rhs), strict=True)
        arguments = [Tensor(argument.type, (element,)) for argument, element in pairs]
        return tuple(result.item for result in evaluate(module, arguments))

    return body


def additive_type(region: Region) -> QuantizedType | None:
    """The type of a body that is one quantized `add` with equal parameters."""
    first, types = region.ops[0], {value.type.element_type for value in (*region.arguments, *region.returns)}
    add = first.name == "stablehlo.add" and first.results == region.returns
    if not add or len(region.arguments) != 2 or {*first.operands} != {*region.arguments}:
        return None
    (element, *others) = types
    return element if isinstance(element, QuantizedType) and not others else None


def is_monotone(region: Region) -> bool:
    """Whether the body on one operand grows with both arguments, in the order of the stored integers."""
    return len(region.arguments) == 2 and all(
        op.name in MONOTONE
        and all(
            is_ordered(value.type.element_type) and (value.type.is_quantized or op.name not in WRAPPING)
            for value in (*op.operands, *op.results)
        )
        for op in region.ops[:-1]
    )


def is_ordered(type: ElementType | QuantizedType) -> bool:
    """Integers are; stored integers as what they stand for, where no NaN can arise from infinities."""
    if not isinstance(type, QuantizedType):
        return type.is_integer
    T, scale = type.expressed_type, round_to(type.scale, type.expressed_type)
    ends = [
        multiply(round_to(q - type.zero_point, T), scale, T) for q in (type.storage_min, type.storage_max)
    ]
    return scale > 0 and all(map(isfinite, (*ends, round_to(type.zero_point, T))))

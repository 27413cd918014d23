"""The constraint rows of the ops that run functions: case, if, while, map, sort; and optimization_barrier."""

from __future__ import annotations

import re
from collections.abc import Sequence

from spec.ir import Region, Value
from spec.rules.common import SHOWN, scalar, vector
from spec.rules.constraint import C, Constraint, Input
from spec.rules.members import element_type, is_per_tensor, rank, same, shape, values
from spec.types import ELEMENT_TYPES, TensorType

PREDICATE = TensorType((), ELEMENT_TYPES["i1"])


def functions(number: int, names: str, least: int, most: int | None = None) -> Constraint:
    """Return the row for inputs that are functions, from `least` to `most` of them."""
    holds = lambda op: least <= len(op.regions) and (most is None or len(op.regions) <= most)
    return Input(number, names, holds, "size(regions)")


def types(values: Sequence[Value]) -> list[TensorType]:
    return [value.type for value in values]


def inputs_of(function: Region) -> list[TensorType]:
    return types(function.arguments)


def outputs_of(function: Region) -> list[TensorType]:
    return types(function.returns)


def takes_nothing(number: int, names: str) -> Constraint:
    holds = lambda op: not any(map(inputs_of, op.regions))
    return C(number, f"input_types({names}) = []", holds, "type(regions...)")


def alike(number: int, formula: str) -> Constraint:
    return C(number, formula, show="type(regions...)")


def gives_results(number: int, name: str) -> Constraint:

    return C(number, f"type(results...) = output_types({name})", show="type(results...), type(regions...)")


CASE = (
    Input(
        1,
        "index: 0-dimensional tensor of type si32",
        lambda op: types(op.operands) == [TensorType((), ELEMENT_TYPES["i32"])],
        SHOWN,
    ),
    C(1, "0 < size(branches)", show="size(regions)"),
    takes_nothing(2, "branches..."),
    alike(3, "same(output_types(branches...))"),
    gives_results(4, "branches[0]"),
)

IF = (
    Input(1, "pred: 0-dimensional tensor of type i1", lambda op: types(op.operands) == [PREDICATE], SHOWN),
    functions(2, "true_branch, false_branch: functions", 2, 2),
    takes_nothing(1, "true_branch and false_branch"),
    alike(2, "output_types(true_branch) = output_types(false_branch)"),
    gives_results(3, "true_branch"),
)

WHILE = (
    functions(2, "cond, body: functions", 2, 2),
    C(
        1,
        "cond has type (T0, ..., TN-1) -> tensor<i1> where Ti = type(operand[i])",
        lambda op: (
            inputs_of(op.regions[0]) == types(op.operands) and outputs_of(op.regions[0]) == [PREDICATE]
        ),
        "type(operands...), type(regions...)",
    ),
    C(
        2,
        "body has type (T0, ..., TN-1) -> (T0, ..., TN-1) where Ti = type(operand[i])",
        lambda op: inputs_of(op.regions[1]) == types(op.operands) == outputs_of(op.regions[1]),
        "type(operands...), type(regions...)",
    ),
    C(3, "type(results...) = type(operand...)", show=SHOWN),
)

OPTIMIZATION_BARRIER = (
    Input(
        1,
        "operand: variadic number of tensors or per-tensor quantized tensors",
        lambda op: all(map(is_per_tensor, values(op))),
        SHOWN,
    ),
    C(1, "type(operand...) = type(result...)", show=SHOWN),
)

PER_TENSOR = Input(
    1,
    "inputs: variadic number of tensors or per-tensor quantized tensors",
    lambda op: all(map(is_per_tensor, values(op))),
    SHOWN,
)


def scalars(values: Sequence[Value], times: int = 1) -> list[TensorType]:
    """Return the types of one element of each value, each type `times` times."""
    return [TensorType((), element_type(value)) for value in values for _ in range(times)]


MAP = (
    PER_TENSOR,
    vector(2, "dimensions"),
    functions(3, "computation: function", 1, 1),
    C(
        1,
        "shape(inputs...) = shape(result)",
        lambda op: len(op.results) == 1 and same(map(shape, values(op))),
        SHOWN,
    ),
    C(2, "0 < size(inputs) = N", lambda op: len(op.operands) > 0, SHOWN),
    C(
        3,
        "dimensions = range(rank(inputs[0]))",
        lambda op: op["dimensions"] == tuple(range(rank(op.operands[0]))),
        "dimensions, type(operands...)",
    ),
    C(
        4,
        "computation has type (tensor<E0>, ..., tensor<EN-1>) -> tensor<E'> "
        "where Ei = element_type(inputs[i]) and E' = element_type(result)",
        lambda op: (
            inputs_of(op.regions[0]) == scalars(op.operands)
            and outputs_of(op.regions[0]) == scalars(op.results)
        ),
        f"{SHOWN}, type(regions...)",
    ),
)

SORT = (
    PER_TENSOR,
    scalar(2, "dimension"),
    Input(3, "is_stable: constant of type i1", lambda op: isinstance(op["is_stable"], bool), "is_stable"),
    functions(4, "comparator: function", 1, 1),
    C(1, "0 < size(inputs)", show=SHOWN),
    C(2, "type(inputs...) = type(results...)", show=SHOWN),
    C(3, "same(shape(inputs...) + shape(results...))", show=SHOWN),
    C(
        4,
        "-R <= dimension < R, where R = rank(inputs[0])",
        lambda op: -rank(op.operands[0]) <= op["dimension"] < rank(op.operands[0]),
        "dimension, type(operands...)",
    ),
    C(
        5,
        "comparator has type (tensor<E0>, tensor<E0>, ..., tensor<EN-1>, tensor<EN-1>) -> tensor<i1> "
        "where Ei = element_type(inputs[i])",
        lambda op: (
            inputs_of(op.regions[0]) == scalars(op.operands, 2) and outputs_of(op.regions[0]) == [PREDICATE]
        ),
        "type(operands...), type(regions...)",
    ),
)

# The other rows of composite are judged together with its module.
NAMESPACED = C(
    1,
    "is_namespaced_op_name(name)",
    lambda op: re.fullmatch(r"[a-zA-Z][\w]*(\.[\w$]+)+", op["name"]) is not None,
    "name",
)

CONSTRAINTS: dict[str, tuple[Constraint, ...]] = {
    "func.call": (),
    "stablehlo.composite": (NAMESPACED,),
    "stablehlo.case": CASE,
    "stablehlo.if": IF,
    "stablehlo.map": MAP,
    "stablehlo.optimization_barrier": OPTIMIZATION_BARRIER,
    "stablehlo.sort": SORT,
    "stablehlo.while": WHILE,
}

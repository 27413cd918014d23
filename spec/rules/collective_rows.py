"""Constraint rows that several collectives have, each under its own number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from spec.ir import Op, Value
from spec.processes import members
from spec.rules.common import SHOWN
from spec.rules.constraint import C, Constraint, Input
from spec.rules.members import (
    element_type,
    is_integers,
    is_per_tensor,
    is_promotable,
    is_unique,
    shape,
)
from spec.rules.promotion import is_promotable_in_mlir, is_same_in_mlir
from spec.rules.reduction import is_reducer
from spec.types import TensorType

GROUPS = f"replica_groups, {SHOWN}"


def is_table(x: object) -> bool:
    """Return whether a value is a 2-dimensional constant of type si64."""
    return isinstance(x, tuple) and all(map(is_integers, x))


def group_sizes(op: Op) -> set[int]:
    """Return the set of the groups' sizes."""
    return {len(group) for group in members(op["replica_groups"])}


def data(op: Op) -> tuple[Value, ...]:
    """Return the operands except the one that holds dynamic roots."""
    return op.operands[:-1] if op.attributes.get("has_dynamic_root") else op.operands


def resize(value: Value, d: int, factor: float) -> TensorType:
    """Return a value's type with the size of one dimension multiplied by a factor."""
    sizes = list(shape(value))
    sizes[d] = int(sizes[d] * factor)
    return replace(value.type, shape=tuple(sizes))


def is_scaled(op: Op, d: int, factor: float) -> bool:
    """Return whether results have the types of operands, except for one size, which is multiplied."""
    pairs = zip(op.operands, op.results, strict=True)
    return all(y.type == resize(x, d, factor) for x, y in pairs)


def is_gathered(op: Op, factor: int) -> bool:
    return is_scaled(op, op["all_gather_dim"], factor)


def is_scattered(op: Op, count: int) -> bool:
    """Return whether the result has the operand's shape with one size divided."""
    d = op["scatter_dimension"]
    return shape(op.result) == resize(op.operands[0], d, 1 / count).shape


def without_partitions(op: Op, holds: Callable[[Op, int], bool]) -> bool:
    """Return whether a row holds for the size of the groups; true if partitions multiply that size."""
    if op["channel_id"] > 0 and not op["use_global_device_ids"]:
        return True
    (count,) = group_sizes(op)
    return holds(op, count)


def reducer(promotes: Callable[..., bool]) -> Callable[[Op], bool]:
    """Return whether computation is a reducer whose E `promotes` each operand's element type."""
    return lambda op: (
        is_reducer(op.regions[0], 1)
        and all(promotes(element_type(x), element_type(op.regions[0].returns[0])) for x in data(op))
    )


def results_are(judge: Callable[..., bool]) -> Callable[[Op], bool]:
    return lambda op: all(judge(element_type(x), element_type(op.regions[0].returns[0])) for x in op.results)


def operands_row(number: int, one: bool = False) -> Constraint:
    words = "operand: tensor" if one else "operands: variadic number of tensors"
    return Input(
        number,
        f"{words} or per-tensor quantized tensors",
        lambda op: (
            all(map(is_per_tensor, (*op.operands, *op.results)))
            and (len(op.operands) == 1 if one else len(op.operands) > 0)
            and (not one or len(op.results) == 1)
        ),
        SHOWN,
    )


def flag_row(number: int, name: str) -> Constraint:
    holds = lambda op: isinstance(op.attributes.get(name, False), bool)
    return Input(number, f"{name}: constant of type i1", holds, name)


def table_row(number: int, name: str) -> Constraint:
    formula = f"{name}: 2-dimensional tensor constant of type si64"
    return Input(number, formula, lambda op: is_table(op[name]), name)


def dimension_row(number: int, name: str, of: str = "operands...") -> Constraint:

    return C(number, f"0 <= {name} < rank({of})", show=f"{name}, type(operands...)")


COMPUTATION = Input(0, "computation: function", lambda op: len(op.regions) == 1)
UNIQUE = C(0, "is_unique(replica_groups)", show="replica_groups")
# An id that is not below the number of ids; the number of ids is a row of the grid.
RANGE = C(0, "0 <= replica_groups < size(replica_groups)", show="replica_groups")
NOT_NEGATIVE = C(0, "0 <= replica_groups", show="replica_groups")
GLOBAL = C(
    0,
    "if use_global_device_ids = true, then channel_id > 0",
    lambda op: not op["use_global_device_ids"] or op["channel_id"] > 0,
    "use_global_device_ids, channel_id",
)
REDUCER = C(
    0,
    "computation has type (tensor<E>, tensor<E>) -> (tensor<E>) where is_promotable(element_type(operand), "
    "E)",
    reducer(is_promotable),
    "type(regions...), type(operands...)",
    mlir=reducer(is_promotable_in_mlir),  # erratum E6
)
ELEMENTS = C(
    0,
    "element_type(results...) = E",
    results_are(lambda x, y: x == y),
    "type(regions...), type(results...)",
    mlir=results_are(is_same_in_mlir),  # erratum E14
)


def pairs_rows(number: int) -> tuple[Constraint, ...]:
    """Return the rows of source_target_pairs, the first of which has this number."""
    return (
        C(
            number,
            "dim(source_target_pairs, 1) = 2",
            lambda op: all(len(pair) == 2 for pair in op["source_target_pairs"]),
            "source_target_pairs",
        ),
        C(
            number + 1,
            "is_unique(source_target_pairs[:, 0])",
            lambda op: is_unique([pair[0] for pair in op["source_target_pairs"]]),
            "source_target_pairs",
        ),
        C(
            number + 2,
            "is_unique(source_target_pairs[:, 1])",
            lambda op: is_unique([pair[1] for pair in op["source_target_pairs"]]),
            "source_target_pairs",
        ),
        C(
            number + 3,
            "0 <= source_target_pairs",
            show="source_target_pairs",
        ),
    )

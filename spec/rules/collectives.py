"""The constraint rows of the collectives, except those on the process grid (`grid_constraints.py`)."""

from __future__ import annotations

from spec.ir import Op, Value
from spec.rules.collective_rows import (
    COMPUTATION,
    ELEMENTS,
    GLOBAL,
    GROUPS,
    NOT_NEGATIVE,
    RANGE,
    REDUCER,
    UNIQUE,
    data,
    dimension_row,
    flag_row,
    group_sizes,
    is_gathered,
    is_scattered,
    operands_row,
    pairs_rows,
    resize,
    table_row,
    without_partitions,
)
from spec.rules.common import SHOWN, renumber, scalar
from spec.rules.constraint import C, Constraint
from spec.rules.members import shape
from spec.types import ELEMENT_TYPES, TensorType

ALL_GATHER = (
    operands_row(1),
    scalar(2, "all_gather_dim"),
    table_row(3, "replica_groups"),
    scalar(4, "channel_id"),
    flag_row(5, "use_global_device_ids"),
    dimension_row(1, "all_gather_dim"),
    renumber(UNIQUE, 2),
    renumber(RANGE, 4),
    renumber(GLOBAL, 5),
    C(
        6,
        "type(results...) = type(operands...) except dim(results..., all_gather_dim) = dim(operands..., "
        "all_gather_dim) * dim(process_groups, 1)",
        lambda op: without_partitions(op, is_gathered),
        f"all_gather_dim, {GROUPS}",
    ),
)

ALL_REDUCE = (
    operands_row(1),
    table_row(2, "replica_groups"),
    scalar(3, "channel_id"),
    flag_row(4, "use_global_device_ids"),
    renumber(COMPUTATION, 5),
    renumber(UNIQUE, 1),
    renumber(RANGE, 3),
    renumber(GLOBAL, 4),
    renumber(REDUCER, 5),
    C(6, "shape(results...) = shape(operands...)", show=SHOWN),
    renumber(ELEMENTS, 7),
)

REDUCE_SCATTER = (
    operands_row(1, one=True),
    scalar(2, "scatter_dimension"),
    table_row(3, "replica_groups"),
    scalar(4, "channel_id"),
    flag_row(5, "use_global_device_ids"),
    renumber(COMPUTATION, 6),
    C(
        1,
        "dim(operand, scatter_dimension) % dim(process_groups, 1) = 0",
        lambda op: without_partitions(
            op, lambda op, count: shape(op.operands[0])[op["scatter_dimension"]] % count == 0
        ),
        f"scatter_dimension, {GROUPS}",
    ),
    dimension_row(2, "scatter_dimension", "operand"),
    renumber(UNIQUE, 3),
    renumber(RANGE, 5),
    renumber(GLOBAL, 6),
    renumber(REDUCER, 7),
    C(
        8,
        "shape(result) = shape(operand) except dim(result, scatter_dimension) = dim(operand, "
        "scatter_dimension) / dim(process_groups, 1)",
        lambda op: without_partitions(op, is_scattered),
        f"scatter_dimension, {GROUPS}",
    ),
    renumber(ELEMENTS, 9),
)


def is_exchanged(op: Op) -> bool:
    """Return whether results have the sizes of operands, one divided and one multiplied by split_count."""
    d, e, count = op["split_dimension"], op["concat_dimension"], op["split_count"]

    def move(value: Value) -> TensorType:
        return value.type if d == e else resize(Value("", resize(value, d, 1 / count)), e, count)

    return [y.type for y in op.results] == [move(x) for x in op.operands]


ALL_TO_ALL = (
    operands_row(1),
    scalar(2, "split_dimension"),
    scalar(3, "concat_dimension"),
    scalar(4, "split_count"),
    table_row(5, "replica_groups"),
    scalar(6, "channel_id"),
    dimension_row(1, "split_dimension"),
    C(
        2,
        "dim(operands..., split_dimension) % split_count = 0",
        show="split_dimension, split_count, type(operands...)",
    ),
    dimension_row(3, "concat_dimension"),
    C(4, "0 < split_count", show="split_count"),
    renumber(UNIQUE, 5),
    renumber(RANGE, 7),
    C(
        8,
        "dim(replica_groups, 1) = split_count",
        lambda op: group_sizes(op) == {op["split_count"]},
        "replica_groups, split_count",
    ),
    C(
        9,
        "type(results...) = type(operands...) except, if split_dimension != concat_dimension, "
        "dim(results..., split_dimension) = dim(operands..., split_dimension) / split_count and "
        "dim(results..., concat_dimension) = dim(operands..., concat_dimension) * split_count",
        is_exchanged,
        f"split_dimension, concat_dimension, split_count, {SHOWN}",
    ),
)


def has_roots(op: Op) -> bool:
    """Return whether the last operand holds one root for each other operand."""
    wanted = TensorType((len(op.operands) - 1,), ELEMENT_TYPES["i32"])
    return len(op.operands) >= 2 and op.operands[-1].type == wanted


def is_dynamic(op: Op) -> bool:
    return bool(op.attributes.get("has_dynamic_root", False))


def same_types(op: Op) -> bool:
    return all(x.type == y.type for x, y in zip(data(op), op.results, strict=False))


COLLECTIVE_BROADCAST = (
    operands_row(1),
    table_row(2, "replica_groups"),
    scalar(3, "channel_id"),
    flag_row(4, "has_dynamic_root"),
    renumber(UNIQUE, 1),
    renumber(NOT_NEGATIVE, 2),
    C(
        3,
        "if has_dynamic_root = false, type(results[j]) = type(operands[j])",
        lambda op: is_dynamic(op) or same_types(op),
        SHOWN,
    ),
    C(
        4,
        "if has_dynamic_root = true, type(operands[N]) = tensor<Nxi32> and type(results[j]) = "
        "type(operands[j])",
        lambda op: not is_dynamic(op) or (has_roots(op) and same_types(op)),
        SHOWN,
    ),
    C(
        5,
        "size(results) = size(operands) - (has_dynamic_root ? 1 : 0)",
        lambda op: len(op.results) == len(data(op)),
        SHOWN,
    ),
)

COLLECTIVE_REDUCE = (
    operands_row(1),
    table_row(2, "replica_groups"),
    scalar(3, "channel_id"),
    flag_row(4, "has_dynamic_root"),
    renumber(COMPUTATION, 5),
    renumber(UNIQUE, 1),
    renumber(NOT_NEGATIVE, 2),
    C(
        3,
        "shape(results...) = shape(operands...) but for the roots, of which there is one for each operand",
        lambda op: (
            (has_roots(op) or not is_dynamic(op)) and [*map(shape, op.results)] == [*map(shape, data(op))]
        ),
        SHOWN,
    ),
    renumber(REDUCER, 4),
)


COLLECTIVE_PERMUTE = (
    operands_row(1, one=True),
    table_row(2, "source_target_pairs"),
    scalar(3, "channel_id"),
    *pairs_rows(1),
    C(5, "type(result) = type(operand)", show=SHOWN),
)

CONSTRAINTS: dict[str, tuple[Constraint, ...]] = {
    "stablehlo.all_gather": ALL_GATHER,
    "stablehlo.all_reduce": ALL_REDUCE,
    "stablehlo.all_to_all": ALL_TO_ALL,
    "stablehlo.collective_broadcast": COLLECTIVE_BROADCAST,
    "stablehlo.collective_permute": COLLECTIVE_PERMUTE,
    "stablehlo.collective_reduce": COLLECTIVE_REDUCE,
    "stablehlo.reduce_scatter": REDUCE_SCATTER,
}

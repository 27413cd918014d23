"""The constraint rows of the collectives, except those that depend on the process grid."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from spec.ir import Op, Value
from spec.processes import members
from spec.rules.constraint import SHOWN, C, Constraint, Input, renumber, scalar
from spec.rules.members import element_type, is_per_tensor, is_promotable, shape
from spec.rules.reduction import is_promotable_in_mlir, is_reducer, is_same_in_mlir
from spec.types import ELEMENT_TYPES, TensorType

# Constraint rows that several collectives have, each under its own number.

GROUPS = f"replica_groups, {SHOWN}"


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
    return Input(number, f"{name}: 2-dimensional tensor constant of type si64")


def dimension_row(number: int, name: str, of: str = "operands...") -> Constraint:
    return C(number, f"0 <= {name} < rank({of})", show=f"{name}, type(operands...)")


COMPUTATION = Input(0, "computation: function", lambda op: len(op.regions) == 1, "")
UNIQUE = C(0, "is_unique(replica_groups)", show="replica_groups")
# An id that is not below the number of ids; the number of ids is a row of the grid.
RANGE = C(0, "0 <= replica_groups < size(replica_groups)", show="replica_groups")
NOT_NEGATIVE = C(0, "0 <= replica_groups", show="replica_groups")
GLOBAL = C(
    0,
    "if use_global_device_ids = true, then channel_id > 0",
    show="use_global_device_ids, channel_id",
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
    show="type(regions...), type(results...)",
    mlir=lambda op: all(
        is_same_in_mlir(element_type(x), element_type(op.regions[0].returns[0])) for x in op.results
    ),  # erratum E14
)


def pairs_rows(number: int) -> tuple[Constraint, ...]:
    """Return the rows of source_target_pairs, the first of which has this number."""
    return (
        C(number, "dim(source_target_pairs, 1) = 2", show="source_target_pairs"),
        C(number + 1, "is_unique(source_target_pairs[:, 0])", show="source_target_pairs"),
        C(number + 2, "is_unique(source_target_pairs[:, 1])", show="source_target_pairs"),
        C(number + 3, "0 <= source_target_pairs", show="source_target_pairs"),
    )


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
    C(5, "size(results) = size(operands) - (has_dynamic_root ? 1 : 0)", show=SHOWN),
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

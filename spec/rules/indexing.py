"""The constraint rows of dynamic_slice, dynamic_update_slice and gather."""

from __future__ import annotations

from collections.abc import Sequence

from spec.ir import Op
from spec.rules.common import SHOWN, inside, size_row, unique, vector
from spec.rules.constraint import C, Constraint, Input
from spec.rules.index_rows import (
    OPERANDS,
    are_indices,
    ascending,
    boolean,
    combine,
    dimension_numbers,
    same_length_row,
    same_sizes,
    unique_and_sorted,
    unique_together,
    within,
    without,
    without_vector,
)
from spec.rules.members import is_per_tensor, operand, rank, shape
from spec.rules.members import source as indices


def starts(number: int, first: int) -> Constraint:
    """Return the row for the start indices, which are the operands from number `first` on."""
    return Input(
        number,
        "start_indices: variadic number of 0-dimensional tensors of integer type",
        lambda op: are_indices(op.operands[first:]) and all(rank(x) == 0 for x in op.operands[first:]),
        OPERANDS,
    )


def per_tensor(number: int, name: str, place: int) -> Constraint:
    holds = lambda op: is_per_tensor(op.operands[place])
    return Input(number, f"{name}: tensor or per-tensor quantized tensor", holds, OPERANDS)


def at_most(small: Sequence[int], large: Sequence[int]) -> bool:
    """0 <= small <= large"""
    return all(0 <= a <= b for a, b in zip(small, large, strict=True))


SAME_ELEMENT = C(1, "element_type(operand) = element_type(result)", show=SHOWN)
FITTING = C(
    4,
    "0 <= slice_sizes <= shape(operand)",
    lambda op: at_most(op["slice_sizes"], shape(operand(op))),
    "slice_sizes, shape(operand)",
)

DYNAMIC_SLICE = (
    per_tensor(1, "operand", 0),
    starts(2, 1),
    vector(3, "slice_sizes"),
    SAME_ELEMENT,
    C(2, "size(start_indices) = size(slice_sizes) = rank(operand)", show=f"slice_sizes, {OPERANDS}"),
    C(3, "same(type(start_indices...))", show=OPERANDS),
    FITTING,
    C(5, "shape(result) = slice_sizes", show="slice_sizes, shape(result)"),
)

DYNAMIC_UPDATE_SLICE = (
    per_tensor(1, "operand", 0),
    per_tensor(2, "update", 1),
    starts(3, 2),
    C(1, "type(operand) = type(result)", show=SHOWN),
    C(2, "element_type(update) = element_type(operand)", show=OPERANDS),
    C(3, "rank(update) = rank(operand)", show=OPERANDS),
    C(4, "size(start_indices) = rank(operand)", show=OPERANDS),
    C(5, "same(type(start_indices...))", show=OPERANDS),
    C(6, "0 <= shape(update) <= shape(operand)", show=OPERANDS),
)


def gather_shape(op: Op) -> tuple[int, ...]:
    """combine(batch_dim_sizes, offset_dim_sizes)"""
    dropped = {*op["collapsed_slice_dims"], *op["operand_batching_dims"]}
    offset_dim_sizes = [n for d, n in enumerate(op["slice_sizes"]) if d not in dropped]
    batch_dim_sizes = without_vector(op.operands[1], op["index_vector_dim"])
    return combine(op["offset_dims"], offset_dim_sizes, batch_dim_sizes)


def single(number: int, name: str) -> Constraint:
    """Return the row for dimensions in which a slice has at most one element."""
    holds = lambda op: all(op["slice_sizes"][d] <= 1 for d in op[name])
    return C(number, f"slice_sizes[{name}...] <= 1", holds, f"slice_sizes, {name}")


VECTORS = (
    "offset_dims",
    "collapsed_slice_dims",
    "operand_batching_dims",
    "start_indices_batching_dims",
    "start_index_map",
)
GATHER = (
    per_tensor(1, "operand", 0),
    Input(
        2,
        "start_indices: tensor of integer type",
        lambda op: len(op.operands) == 2 and are_indices(op.operands[1:]),
        OPERANDS,
    ),
    dimension_numbers(3, *VECTORS),
    vector(9, "slice_sizes"),
    boolean(10, "indices_are_sorted"),
    C(
        1,
        "rank(operand) = size(offset_dims) + size(collapsed_slice_dims) + size(operand_batching_dims)",
        show="rank(operand), offset_dims, collapsed_slice_dims, operand_batching_dims",
    ),
    C(2, "0 <= index_vector_dim <= rank(start_indices)", show=f"index_vector_dim, {OPERANDS}"),
    C(
        3,
        "size(start_index_map) = index_vector_dim < rank(start_indices) ? "
        "dim(start_indices, index_vector_dim) : 1",
        show=f"start_index_map, index_vector_dim, {OPERANDS}",
    ),
    unique_and_sorted(4, "offset_dims"),
    inside(5, "offset_dims", "result"),
    unique_together(6, "collapsed_slice_dims", "operand_batching_dims"),
    ascending(7, "collapsed_slice_dims"),
    inside(8, "collapsed_slice_dims", "operand"),
    single(9, "collapsed_slice_dims"),
    ascending(10, "operand_batching_dims"),
    inside(11, "operand_batching_dims", "operand"),
    single(12, "operand_batching_dims"),
    unique(13, "start_indices_batching_dims"),
    within(14, "start_indices_batching_dims", "start_indices", indices),
    without(15, "index_vector_dim", "start_indices_batching_dims"),
    same_length_row(16, "operand_batching_dims", "start_indices_batching_dims"),
    same_sizes(
        17,
        ("operand", "operand_batching_dims", operand),
        ("start_indices", "start_indices_batching_dims", indices),
    ),
    unique_together(18, "start_index_map", "operand_batching_dims"),
    inside(19, "start_index_map", "operand"),
    size_row(20, "slice_sizes", "operand"),
    FITTING._replace(number=21),
    C(
        22,
        "shape(result) = combine(batch_dim_sizes, offset_dim_sizes)",
        lambda op: shape(op.result) == gather_shape(op),
        "shape(result), offset_dims, slice_sizes, index_vector_dim, " + OPERANDS,
    ),
    SAME_ELEMENT._replace(number=23),
)

CONSTRAINTS: dict[str, tuple[Constraint, ...]] = {
    "stablehlo.dynamic_slice": DYNAMIC_SLICE,
    "stablehlo.dynamic_update_slice": DYNAMIC_UPDATE_SLICE,
    "stablehlo.gather": GATHER,
}

"""The constraint rows of dynamic_conv and dynamic_gather."""

from __future__ import annotations

from collections.abc import Sequence

from spec.ir import Op
from spec.rules.common import SHOWN, inside, renumber, scalar, tensors, unique, vector
from spec.rules.constraint import C, Input
from spec.rules.convolution import CONVOLUTION
from spec.rules.members import element_type, is_per_tensor, rank, shape
from spec.rules.shape_operands import (
    PER_TENSOR,
    as_long_as,
    but,
    data,
    is_integer,
    list_of,
    dynamic_row,
    operand,
    rows,
)

# dynamic_conv: the numbers of its constraints are those of convolution.

(OPERANDS,) = rows(CONVOLUTION, "i1")
(WINDOWS,) = rows(CONVOLUTION, "i3")
SPATIAL_DIMENSIONS, BY_PADDING = ("i1", "i3", "i4", "c4", "c25"), rows(CONVOLUTION, "c25")
DYNAMIC_CONV = (
    Input(
        1,
        f"{OPERANDS.formula}; padding",
        lambda op: len(op.operands) == 3 and OPERANDS.check(data(op)),
        SHOWN,
    ),
    Input(
        3,
        "padding: 2-dimensional tensor of integer type",
        lambda op: rank(op.operands[2]) == 2 and is_integer(op.operands[2]),
        SHOWN,
    ),
    renumber(WINDOWS, 4),
    *map(dynamic_row, but(CONVOLUTION, *SPATIAL_DIMENSIONS)),
    C(
        4,
        "shape(padding) = [N - 2, 2]",
        lambda op: shape(op.operands[2]) == (rank(operand(op)) - 2, 2),
        SHOWN,
    ),
    C(
        25,
        "dim(result, result_dim) is a batch or a feature where no window decides",
        lambda op: (
            shape(op.result)[op["output_batch_dimension"]]
            == shape(operand(op))[op["input_batch_dimension"]] // op["batch_group_count"]
            and shape(op.result)[op["output_feature_dimension"]]
            == shape(op.operands[1])[op["kernel_output_feature_dimension"]]
        ),
        SHOWN,
    ),
)

# dynamic_gather


def is_sorted(dims: Sequence[int]) -> bool:
    return list(dims) == sorted(dims)


def batch_dims(op: Op) -> list[int]:
    return [d for d in range(rank(op.result)) if d not in op["offset_dims"]]


def batch_sizes(op: Op) -> list[int]:
    """Return shape(start_indices) without the size of index_vector_dim."""
    return [n for d, n in enumerate(shape(op.operands[1])) if d != op["index_vector_dim"]]


def has_offset_sizes(op: Op) -> bool:
    """Return whether shape(result) = combine(batch_dim_sizes, offset_dim_sizes)."""
    dropped = {*op["collapsed_slice_dims"], *op.attributes.get("operand_batching_dims", ())}
    offset_sizes = [n for d, n in enumerate(op["slice_sizes"]) if d not in dropped]
    sizes = shape(op.result)
    return [sizes[d] for d in op["offset_dims"]] == offset_sizes


def count_dropped(op: Op) -> int:
    """Return the number of operand dimensions that slices lack; dynamic_gather's text has no batching."""
    return len(op["collapsed_slice_dims"]) + len(op.attributes.get("operand_batching_dims", ()))


GATHER_DIMENSIONS = ("offset_dims", "collapsed_slice_dims", "start_index_map")
DYNAMIC_GATHER = (
    tensors(3, PER_TENSOR, lambda op: is_per_tensor(operand(op)) and is_per_tensor(op.result)),
    Input(2, "start_indices: tensor of integer type", lambda op: is_integer(op.operands[1]), SHOWN),
    list_of(3, "slice_sizes", 2),
    vector(4, *GATHER_DIMENSIONS),
    scalar(7, "index_vector_dim"),
    C(
        1,
        "rank(operand) = size(offset_dims) + size(collapsed_slice_dims)",
        show="rank(operand), offset_dims, collapsed_slice_dims",
        mlir=lambda op: rank(operand(op)) == len(op["offset_dims"]) + count_dropped(op),
    ),
    C(2, "0 <= index_vector_dim <= rank(start_indices)", show=f"index_vector_dim, {SHOWN}"),
    C(
        3,
        "size(start_index_map) = "
        "index_vector_dim < rank(start_indices) ? dim(start_indices, index_vector_dim) : 1",
        lambda op: len(op["start_index_map"]) == (*shape(op.operands[1]), 1)[op["index_vector_dim"]],
        f"start_index_map, index_vector_dim, {SHOWN}",
    ),
    C(4, "is_unique(offset_dims) and is_sorted(offset_dims)", show="offset_dims"),
    inside(5, "offset_dims", "result"),
    C(6, "is_unique(collapsed_slice_dims) and is_sorted(collapsed_slice_dims)", show="collapsed_slice_dims"),
    inside(7, "collapsed_slice_dims", "operand"),
    unique(9, "start_index_map"),
    inside(10, "start_index_map", "operand"),
    as_long_as(11, "slice_sizes", 2, "operand", operand),
    C(
        13,
        "shape(result) at batch_dims is shape(start_indices) without dim(start_indices, index_vector_dim)",
        lambda op: [shape(op.result)[d] for d in batch_dims(op)] == batch_sizes(op),
        f"offset_dims, index_vector_dim, {SHOWN}",
    ),
    C(14, "element_type(operand) = element_type(result)", show=SHOWN),
)
SLICE_SIZES = (
    C(
        8,
        "slice_sizes[collapsed_slice_dims...] <= 1",
        lambda op: all(op["slice_sizes"][d] <= 1 for d in op["collapsed_slice_dims"]),
        "slice_sizes, collapsed_slice_dims",
    ),
    C(
        12,
        "0 <= slice_sizes <= shape(operand)",
        lambda op: all(0 <= n <= most for n, most in zip(op["slice_sizes"], shape(operand(op)), strict=True)),
        "slice_sizes, shape(operand)",
    ),
    C(
        13,
        "shape(result) at offset_dims is slice_sizes without collapsed_slice_dims",
        has_offset_sizes,
        "shape(result), slice_sizes, offset_dims, collapsed_slice_dims",
    ),
)


def same_elements(op: Op) -> bool:
    return element_type(operand(op)) == element_type(op.result)

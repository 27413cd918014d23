"""The constraint rows of the ops whose geometry is an operand, and their static ops; get_dimension_size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from spec.ir import Op, Value
from spec.rules.constraint import (
    SHOWN,
    C,
    Constraint,
    Input,
    inside,
    renumber,
    scalar,
    tensors,
    unique,
    vector,
    violations,
)
from spec.rules.contraction import CONVOLUTION
from spec.rules.members import is_integers, is_per_tensor, rank, shape
from spec.rules.structure import BROADCAST_IN_DIM, IOTA, PAD, RESHAPE, SLICE, all_per_tensor
from spec.types import ELEMENT_TYPES, TensorType

# Ops whose geometry is an operand: their static ops, for known operands, and rows that they share.

Rows = tuple[Constraint, ...]
PADS = ("edge_padding_low", "edge_padding_high", "interior_padding")
BOUNDS = ("start_indices", "limit_indices", "strides")


class Dynamic(NamedTuple):
    """The static op that replaces an op with known operands, and the positions of these by attribute."""

    static: str
    geometry: Mapping[str, int]


DYNAMIC = {
    "stablehlo.dynamic_broadcast_in_dim": Dynamic("stablehlo.broadcast_in_dim", {"output_dimensions": 1}),
    "stablehlo.dynamic_conv": Dynamic("stablehlo.convolution", {"padding": 2}),
    "stablehlo.dynamic_gather": Dynamic("stablehlo.gather", {"slice_sizes": 2}),
    "stablehlo.dynamic_iota": Dynamic("stablehlo.iota", {"output_shape": 0}),
    "stablehlo.dynamic_pad": Dynamic("stablehlo.pad", {name: 2 + k for k, name in enumerate(PADS)}),
    "stablehlo.dynamic_reshape": Dynamic("stablehlo.reshape", {"output_shape": 1}),
    "stablehlo.real_dynamic_slice": Dynamic(
        "stablehlo.slice", {name: 1 + k for k, name in enumerate(BOUNDS)}
    ),
}


def data(op: Op) -> Op:
    """Return the static op for unknown operands, that is, without the attributes that they determine."""
    name, geometry = DYNAMIC[op.name]
    operands = tuple(value for k, value in enumerate(op.operands) if k not in geometry.values())
    return replace(op, name=name, operands=operands)


def rows(table: Rows, *labels: str) -> Rows:
    """Return the rows of another op's table that have these labels."""
    return tuple(row for row in table if row.label in labels)


def but(table: Rows, *labels: str) -> Rows:
    return tuple(row for row in table if row.label not in labels)


def list_of(number: int, name: str) -> Constraint:
    """Return the row for an operand that is a list of integers."""
    return Input(number, f"{name}: 1-dimensional tensor of integer type", show=SHOWN)


def same_size(number: int, name: str, of: str) -> Constraint:
    return C(number, f"size({name}) = rank({of})", show=SHOWN)


def operand(op: Op) -> Value:
    return op.operands[0]


def is_shape(name: str) -> Constraint:
    """Return the row of the chapter "Dynamism" for an operand that determines the result's shape."""
    holds = lambda op: op[name] == shape(op.result)
    return Constraint(1, f"shape(result) = {name}", holds, f"shape(result), {name}", letter="d")


ONE = "operand and result: tensor or quantized tensor"
PER_TENSOR = "operand and result: tensor or per-tensor quantized tensor"


# The constraint rows of dynamic_conv and dynamic_gather.

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
    Input(3, "padding: 2-dimensional tensor of integer type", show=SHOWN),
    renumber(WINDOWS, 4),
    *but(CONVOLUTION, *SPATIAL_DIMENSIONS),
    C(4, "shape(padding) = [N - 2, 2]", show=SHOWN),
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
    Input(2, "start_indices: tensor of integer type", show=SHOWN),
    list_of(3, "slice_sizes"),
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
        show=f"start_index_map, index_vector_dim, {SHOWN}",
    ),
    C(4, "is_unique(offset_dims) and is_sorted(offset_dims)", show="offset_dims"),
    inside(5, "offset_dims", "result"),
    C(6, "is_unique(collapsed_slice_dims) and is_sorted(collapsed_slice_dims)", show="collapsed_slice_dims"),
    inside(7, "collapsed_slice_dims", "operand"),
    unique(9, "start_index_map"),
    inside(10, "start_index_map", "operand"),
    same_size(11, "slice_sizes", "operand"),
    C(
        13,
        "shape(result) at batch_dims is shape(start_indices) without dim(start_indices, index_vector_dim)",
        lambda op: [shape(op.result)[d] for d in batch_dims(op)] == batch_sizes(op),
        f"offset_dims, index_vector_dim, {SHOWN}",
    ),
    C(14, "element_type(operand) = element_type(result)", show=SHOWN),
)
SLICE_SIZES = (
    C(8, "slice_sizes[collapsed_slice_dims...] <= 1", show="slice_sizes, collapsed_slice_dims"),
    C(12, "0 <= slice_sizes <= shape(operand)", show="slice_sizes, shape(operand)"),
    C(
        13,
        "shape(result) at offset_dims is slice_sizes without collapsed_slice_dims",
        has_offset_sizes,
        "shape(result), slice_sizes, offset_dims, collapsed_slice_dims",
    ),
)


# The constraint rows of the other ops whose geometry is an operand, and of get_dimension_size.
#
# An operand's type is checked by `CONSTRAINTS`, before anything runs, and its elements by `static`, at run
# time.


def optional_dimensions(op: Op, name: str) -> Any:
    """Return known_expanding_dimensions or known_nonexpanding_dimensions, which may be left out."""
    return op.attributes.get(name, ())


def known_dimensions(number: int, name: str) -> Constraint:
    formula = f"{name}: 1-dimensional constant tensor of integer type"
    return Input(number, formula, lambda op: is_integers(optional_dimensions(op, name)), name)


def known_inside(number: int, name: str) -> Constraint:
    return C(number, f"0 <= {name} < rank(operand)", show=f"{name}, rank(operand)")


EXPANDING, NONEXPANDING = "known_expanding_dimensions", "known_nonexpanding_dimensions"
DYNAMIC_BROADCAST_IN_DIM = (
    tensors(2, ONE),
    list_of(2, "output_dimensions"),
    vector(3, "broadcast_dimensions"),
    known_dimensions(4, EXPANDING),
    known_dimensions(5, NONEXPANDING),
    *but(BROADCAST_IN_DIM, "i1", "i2"),
    same_size(7, "output_dimensions", "result"),
    C(8, f"is_unique({EXPANDING} + {NONEXPANDING})", show=f"{EXPANDING}, {NONEXPANDING}"),
    known_inside(9, EXPANDING),
    known_inside(10, NONEXPANDING),
)

(IOTA_OUTPUT,) = rows(IOTA, "i1")
DYNAMIC_IOTA = (
    list_of(1, "output_shape"),
    Input(2, IOTA_OUTPUT.formula, IOTA_OUTPUT.check, IOTA_OUTPUT.show),
    C(1, "0 <= iota_dimension < size(output_shape)", show=f"iota_dimension, {SHOWN}"),
    same_size(2, "output_shape", "result"),
)

DYNAMIC_PAD = (
    tensors(5, f"{PER_TENSOR}; padding", lambda op: all_per_tensor(op)),
    Input(2, "padding_value: 0-dimensional", show=SHOWN),
    *(list_of(3 + k, name) for k, name in enumerate(PADS)),
    *rows(PAD, "c1"),
    C(
        2,
        f"{' = '.join(f'size({name})' for name in PADS)} = rank(operand)",
        show=SHOWN,
    ),
)

DYNAMIC_RESHAPE = (
    tensors(2, ONE),
    list_of(2, "output_shape"),
    *but(RESHAPE, "i1"),
    same_size(4, "output_shape", "result"),
)

GET_DIMENSION_SIZE = (
    tensors(1, "operand: tensor or quantized tensor"),
    scalar(2, "dimension"),
    Constraint(
        1,
        "result: 0-dimensional tensor of type si32",
        lambda op: op.result.type == TensorType((), ELEMENT_TYPES["i32"]),
        SHOWN,
        letter="o",
    ),
    C(1, "0 <= dimension < rank(operand)", show="dimension, rank(operand)"),
)

# Not in the specification, but in its dialect: slice with operands; the numbers are those of slice.
REAL_DYNAMIC_SLICE = (
    tensors(4, PER_TENSOR, lambda op: all_per_tensor(op)),
    *(list_of(2 + k, name) for k, name in enumerate(BOUNDS)),
    *rows(SLICE, "c1"),
    C(
        2,
        "size(start_indices) = size(limit_indices) = size(strides) = rank(operand) = rank(result)",
        show=SHOWN,
    ),
)

# What must hold of the elements of the operands, as rows of the static op.
AT_RUN_TIME: dict[str, Rows] = {
    "stablehlo.dynamic_broadcast_in_dim": (is_shape("output_dimensions"),),
    "stablehlo.dynamic_conv": BY_PADDING,
    "stablehlo.dynamic_gather": SLICE_SIZES,
    "stablehlo.dynamic_iota": (is_shape("output_shape"),),
    "stablehlo.dynamic_pad": rows(PAD, "c3", "c4"),
    "stablehlo.dynamic_reshape": (is_shape("output_shape"),),
    "stablehlo.real_dynamic_slice": rows(SLICE, "c3", "c4", "c5"),
}


def static(op: Op, elements: Sequence[Any]) -> Op:
    """Return the static op for operands with these elements, nested tuples; raise the first violation.

    By the specification's chapter "Dynamism" a mismatch is undefined behavior; here it is a violation at run
    time.
    """
    made = data(op)
    geometry = dict(zip(DYNAMIC[op.name].geometry, elements, strict=True))
    made = replace(made, attributes={**made.attributes, **geometry})
    name = op.name.rpartition(".")[2]
    if found := violations(AT_RUN_TIME[op.name], made, name, op.location, "strict", "stablehlo"):
        raise found[0]
    return made


CONSTRAINTS: dict[str, Rows] = {
    "stablehlo.dynamic_broadcast_in_dim": DYNAMIC_BROADCAST_IN_DIM,
    "stablehlo.dynamic_conv": DYNAMIC_CONV,
    "stablehlo.dynamic_gather": DYNAMIC_GATHER,
    "stablehlo.dynamic_iota": DYNAMIC_IOTA,
    "stablehlo.dynamic_pad": DYNAMIC_PAD,
    "stablehlo.dynamic_reshape": DYNAMIC_RESHAPE,
    "stablehlo.get_dimension_size": GET_DIMENSION_SIZE,
    "stablehlo.real_dynamic_slice": REAL_DYNAMIC_SLICE,
}

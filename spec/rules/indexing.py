"""The constraint rows of dynamic_slice, dynamic_update_slice, gather and scatter."""

from __future__ import annotations

from collections.abc import Sequence

from spec.ir import Op, Value
from spec.rules.constraint import SHOWN, C, Constraint, Input, inside, size_row, unique, vector
from spec.rules.members import (
    is_integer,
    is_integer_constant,
    is_integers,
    is_promotable,
    operand,
    rank,
    results,
    scatter_indices,
    shape,
    updates,
)
from spec.rules.members import scattered_inputs as inputs
from spec.rules.reduction import body_takes, in_pairs, is_promotable_in_mlir, is_same_in_mlir

# Constraint rows that gather and scatter share, each with the number it has in its op.

OPERANDS = "type(operands...)"


def unique_and_sorted(number: int, name: str) -> Constraint:
    return C(number, f"is_unique({name}) and is_sorted({name})", show=name)


def unique_together(number: int, *names: str) -> Constraint:
    """Return the row for lists of dimensions that are unique, in each list and among the lists."""
    formula = f"is_unique(concatenate({', '.join(names)}))"
    return C(number, formula, show=", ".join(names))


def without(number: int, name: str, dimensions: str) -> Constraint:
    return C(number, f"{name} not in {dimensions}", show=f"{name}, {dimensions}")


def same_length_row(number: int, *names: str) -> Constraint:
    """Return the row for lists of the same length."""
    formula = " == ".join(f"size({name})" for name in names)
    return C(number, formula, show=", ".join(names))


def dimension_numbers(number: int, *names: str) -> Constraint:
    """Return the row for lists of dimensions and index_vector_dim, which MLIR bundles in one attribute."""
    formula = f"{', '.join(names)}: 1-dimensional tensor constants of type si64, index_vector_dim: si64"

    def holds(op: Op) -> bool:
        return all(is_integers(op[name]) for name in names) and is_integer_constant(op["index_vector_dim"])

    return Input(number, formula, holds, ", ".join([*names, "index_vector_dim"]))


def combine(places: Sequence[int], inner: Sequence[int], outer: Sequence[int]) -> tuple[int, ...]:
    """Return sizes with `inner` at these places, and `outer` at the others."""
    found, rest = dict(zip(places, inner, strict=True)), list(outer)
    return tuple(found[d] if d in found else rest.pop(0) for d in range(len(inner) + len(outer)))


def without_vector(value: Value, dimension: int) -> tuple[int, ...]:
    """Return shape(indices) without the size of dimension index_vector_dim."""
    return tuple(n for d, n in enumerate(shape(value)) if d != dimension)


def same_sizes(number: int, *sides: tuple[str, str]) -> Constraint:
    """Return the row for batching dimensions, which have the same sizes in both tensors.

    A side is the tensor's name and the list of its dimensions.
    """
    formula = " = ".join(f"dim({name}, {dims}...)" for name, dims in sides)
    return C(number, formula, show=", ".join([*(dims for _, dims in sides), OPERANDS]))


def within(number: int, name: str, of: str) -> Constraint:
    """Return the row for dimensions of an operand."""
    return C(number, f"0 <= {name} < rank({of})", show=f"{name}, {OPERANDS}")


def starts(number: int, first: int) -> Constraint:
    """Return the row for the start indices, which are the operands from number `first` on."""
    return Input(
        number,
        "start_indices: variadic number of 0-dimensional tensors of integer type",
        lambda op: all(is_integer(x) and rank(x) == 0 for x in op.operands[first:]),
        OPERANDS,
    )


SAME_ELEMENT = C(1, "element_type(operand) = element_type(result)", show=SHOWN)
FITTING = C(4, "0 <= slice_sizes <= shape(operand)", show="slice_sizes, shape(operand)")

DYNAMIC_SLICE = (
    Input(1, "operand: tensor or per-tensor quantized tensor", show=OPERANDS),
    starts(2, 1),
    vector(3, "slice_sizes"),
    SAME_ELEMENT,
    C(2, "size(start_indices) = size(slice_sizes) = rank(operand)", show=f"slice_sizes, {OPERANDS}"),
    C(3, "same(type(start_indices...))", show=OPERANDS),
    FITTING,
    C(5, "shape(result) = slice_sizes", show="slice_sizes, shape(result)"),
)

DYNAMIC_UPDATE_SLICE = (
    Input(1, "operand: tensor or per-tensor quantized tensor", show=OPERANDS),
    Input(2, "update: tensor or per-tensor quantized tensor", show=OPERANDS),
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


VECTORS = (
    "offset_dims",
    "collapsed_slice_dims",
    "operand_batching_dims",
    "start_indices_batching_dims",
    "start_index_map",
)
GATHER = (
    Input(1, "operand: tensor or per-tensor quantized tensor", show=OPERANDS),
    Input(
        2,
        "start_indices: tensor of integer type",
        lambda op: len(op.operands) == 2 and is_integer(op.operands[1]),
        OPERANDS,
    ),
    dimension_numbers(3, *VECTORS),
    vector(9, "slice_sizes"),
    Input(10, "indices_are_sorted: constant of type i1"),
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
    C(7, "is_sorted(collapsed_slice_dims)", show="collapsed_slice_dims"),
    inside(8, "collapsed_slice_dims", "operand"),
    C(9, "slice_sizes[collapsed_slice_dims...] <= 1", show="slice_sizes, collapsed_slice_dims"),
    C(10, "is_sorted(operand_batching_dims)", show="operand_batching_dims"),
    inside(11, "operand_batching_dims", "operand"),
    C(12, "slice_sizes[operand_batching_dims...] <= 1", show="slice_sizes, operand_batching_dims"),
    unique(13, "start_indices_batching_dims"),
    within(14, "start_indices_batching_dims", "start_indices"),
    without(15, "index_vector_dim", "start_indices_batching_dims"),
    same_length_row(16, "operand_batching_dims", "start_indices_batching_dims"),
    same_sizes(17, ("operand", "operand_batching_dims"), ("start_indices", "start_indices_batching_dims")),
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


# The constraint rows of scatter, with jaxlib's variants.

SCATTER_VECTORS = (
    "update_window_dims",
    "inserted_window_dims",
    "input_batching_dims",
    "scatter_indices_batching_dims",
    "scatter_dims_to_operand_dims",
)


def is_combined(op: Op) -> bool:
    """shape(updates[0]) = combine(update_scatter_dim_sizes, update_window_dim_sizes)"""
    outside = {*op["inserted_window_dims"], *op["input_batching_dims"]}
    most = [n for d, n in enumerate(shape(operand(op))) if d not in outside]
    sizes = shape(updates(op)[0])
    window = [sizes[d] for d in op["update_window_dims"]]
    larger = [a > b for a, b in zip(window, most, strict=True)]
    scattered = without_vector(scatter_indices(op), op["index_vector_dim"])
    return not any(larger) and sizes == combine(op["update_window_dims"], window, scattered)


SCATTER = (
    Input(1, "inputs: variadic number of tensors or per-tensor quantized tensors", show=OPERANDS),
    Input(2, "scatter_indices: tensor of integer type", show=OPERANDS),
    Input(3, "updates: variadic number of tensors or per-tensor quantized tensors", show=OPERANDS),
    dimension_numbers(4, *SCATTER_VECTORS),
    Input(10, "indices_are_sorted: constant of type i1"),
    Input(11, "unique_indices: constant of type i1"),
    Input(12, "update_computation: function", lambda op: len(op.regions) == 1, ""),
    C(1, "same(shape(inputs...))", show=OPERANDS),
    C(
        2,
        "rank(inputs[0]) = size(update_window_dims) + size(inserted_window_dims) + size(input_batching_dims)",
        show="update_window_dims, inserted_window_dims, input_batching_dims, " + OPERANDS,
    ),
    C(3, "same(shape(updates...))", show=OPERANDS),
    C(
        4,
        "shape(updates[0]) = combine(update_scatter_dim_sizes, update_window_dim_sizes)",
        is_combined,
        "update_window_dims, inserted_window_dims, input_batching_dims, index_vector_dim, " + OPERANDS,
    ),
    C(5, "0 < size(inputs) = size(updates) = N", show=SHOWN),
    C(
        6,
        "element_type(updates...) = element_type(inputs...)",
        show=OPERANDS,
        mlir=in_pairs(is_promotable_in_mlir, updates),  # each is converted from its own type (E12)
    ),
    unique_and_sorted(7, "update_window_dims"),
    C(8, "0 <= update_window_dims < rank(updates[0])", show="update_window_dims, " + OPERANDS),
    unique_together(9, "inserted_window_dims", "input_batching_dims"),
    C(10, "is_sorted(inserted_window_dims)", show="inserted_window_dims"),
    within(11, "inserted_window_dims", "inputs[0]"),
    C(12, "is_sorted(input_batching_dims)", show="input_batching_dims"),
    within(13, "input_batching_dims", "inputs[0]"),
    unique(14, "scatter_indices_batching_dims"),
    within(15, "scatter_indices_batching_dims", "scatter_indices"),
    without(16, "index_vector_dim", "scatter_indices_batching_dims"),
    same_length_row(17, "input_batching_dims", "scatter_indices_batching_dims"),
    same_sizes(
        18,
        ("inputs[0]", "input_batching_dims"),
        ("scatter_indices", "scatter_indices_batching_dims"),
    ),
    C(
        19,
        "size(scatter_dims_to_operand_dims) = index_vector_dim < rank(scatter_indices) ? "
        "dim(scatter_indices, index_vector_dim) : 1",
        show=f"{SCATTER_VECTORS[4]}, index_vector_dim, {OPERANDS}",
    ),
    unique_together(20, "scatter_dims_to_operand_dims", "input_batching_dims"),
    within(21, "scatter_dims_to_operand_dims", "inputs[0]"),
    C(22, "0 <= index_vector_dim <= rank(scatter_indices)", show=f"index_vector_dim, {OPERANDS}"),
    C(
        23,
        "update_computation has type (tensor<E0>, ..., tensor<EN-1>, tensor<E0>, ..., tensor<EN-1>) -> "
        "(tensor<E0>, ..., tensor<EN-1>) where is_promotable(element_type(inputs[i]), Ei)",
        body_takes(is_promotable, inputs),
        f"{OPERANDS}, type(body)",
        mlir=body_takes(is_promotable_in_mlir, inputs),  # erratum E6
    ),
    C(24, "shape(inputs...) = shape(results...)", show=SHOWN),
    C(
        25,
        "element_type(results[i]) = Ei for all i in [0,N)",
        show="type(results...), type(body)",
        mlir=in_pairs(is_same_in_mlir, results),  # erratum E14
    ),
)

SCATTER_CONSTRAINTS: dict[str, tuple[Constraint, ...]] = {"stablehlo.scatter": SCATTER}

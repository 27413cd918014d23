"""The constraint rows of scatter, with jaxlib's variants."""

from __future__ import annotations

import operator
from collections.abc import Callable

from spec.ir import Op, Value
from spec.rules.common import SHOWN, unique
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
from spec.rules.members import (
    is_per_tensor,
    is_promotable,
    operand,
    rank,
    results,
    scatter_indices,
    shape,
    updates,
)
from spec.rules.members import scattered_inputs as inputs
from spec.rules.promotion import is_promotable_in_mlir, is_same_in_mlir
from spec.rules.reduction import body_takes, in_pairs

SCATTER_VECTORS = (
    "update_window_dims",
    "inserted_window_dims",
    "input_batching_dims",
    "scatter_indices_batching_dims",
    "scatter_dims_to_operand_dims",
)


def variadic(number: int, name: str, values: Callable[[Op], tuple[Value, ...]]) -> Constraint:
    formula = f"{name}: variadic number of tensors or per-tensor quantized tensors"
    return Input(number, formula, lambda op: all(map(is_per_tensor, values(op))), OPERANDS)


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
    variadic(1, "inputs", inputs),
    Input(
        2, "scatter_indices: tensor of integer type", lambda op: are_indices([scatter_indices(op)]), OPERANDS
    ),
    variadic(3, "updates", updates),
    dimension_numbers(4, *SCATTER_VECTORS),
    boolean(10, "indices_are_sorted"),
    boolean(11, "unique_indices"),
    Input(12, "update_computation: function", lambda op: len(op.regions) == 1),
    C(1, "same(shape(inputs...))", show=OPERANDS),
    C(
        2,
        "rank(inputs[0]) = size(update_window_dims) + size(inserted_window_dims) + size(input_batching_dims)",
        lambda op: rank(operand(op)) == sum(len(op[name]) for name in SCATTER_VECTORS[:3]),
        "update_window_dims, inserted_window_dims, input_batching_dims, " + OPERANDS,
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
    ascending(10, "inserted_window_dims"),
    within(11, "inserted_window_dims", "inputs[0]", operand),
    ascending(12, "input_batching_dims"),
    within(13, "input_batching_dims", "inputs[0]", operand),
    unique(14, "scatter_indices_batching_dims"),
    within(15, "scatter_indices_batching_dims", "scatter_indices", scatter_indices),
    without(16, "index_vector_dim", "scatter_indices_batching_dims"),
    same_length_row(17, "input_batching_dims", "scatter_indices_batching_dims"),
    same_sizes(
        18,
        ("inputs[0]", "input_batching_dims", operand),
        ("scatter_indices", "scatter_indices_batching_dims", scatter_indices),
    ),
    C(
        19,
        "size(scatter_dims_to_operand_dims) = index_vector_dim < rank(scatter_indices) ? "
        "dim(scatter_indices, index_vector_dim) : 1",
        show=f"{SCATTER_VECTORS[4]}, index_vector_dim, {OPERANDS}",
    ),
    unique_together(20, "scatter_dims_to_operand_dims", "input_batching_dims"),
    within(21, "scatter_dims_to_operand_dims", "inputs[0]", operand),
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
        in_pairs(operator.eq, results),
        "type(results...), type(body)",
        mlir=in_pairs(is_same_in_mlir, results),  # erratum E14
    ),
)

SCATTER_CONSTRAINTS: dict[str, tuple[Constraint, ...]] = {"stablehlo.scatter": SCATTER}

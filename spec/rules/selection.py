"""The constraint rows of select_and_scatter, with the variants of jaxlib and the reduction RFC."""

from __future__ import annotations

from collections.abc import Callable

from spec.ir import Op, Value
from spec.rules.common import renumber, padding_row, positive, size_row, vector
from spec.rules.constraint import C, Constraint, Input
from spec.rules.members import (
    Element,
    element_type,
    init_value,
    is_per_tensor,
    is_promotable,
    operand,
    rank,
    shape,
    source,
)
from spec.rules.promotion import (
    is_promotable_in_mlir,
    is_rfc_result,
    is_same_but_precision,
    is_same_in_mlir,
    is_same_kind,
)
from spec.rules.reduction import (
    ACCUMULATION_TYPE,
    PADDING,
    Judge,
    accumulators,
    is_accumulated_as_said,
    is_reducer,
    signature,
    windows,
)
from spec.types import ELEMENT_TYPES, TensorType


def scatter_type(op: Op) -> Element:
    """Return the element type E that (C10) determines."""
    return accumulators(op.regions[1])[0]


def same_init(op: Op) -> bool:
    return element_type(init_value(op)) == element_type(operand(op))


def is_select(op: Op) -> bool:
    """Return whether select has the type (tensor<E>, tensor<E>) -> tensor<i1>."""
    E, arguments, returns = TensorType((), element_type(operand(op))), *signature(op.regions[0])
    return arguments == [E, E] and returns == [TensorType((), ELEMENT_TYPES["i1"])]


def scatter_takes(promotes: Judge, value: Callable[[Op], Value]) -> Callable[[Op], bool]:
    """Return whether scatter is a reducer whose E `promotes` the value's element type."""
    return lambda op: is_reducer(op.regions[1], 1) and promotes(element_type(value(op)), scatter_type(op))


SELECT_AND_SCATTER = (
    Input(
        1,
        "operand: tensor or per-tensor quantized tensor",
        lambda op: is_per_tensor(operand(op)),
        "type(operand)",
    ),
    Input(
        2,
        "source: tensor or per-tensor quantized tensor",
        lambda op: is_per_tensor(source(op)),
        "type(source)",
    ),
    Input(
        3,
        "init_value: 0-dimensional tensor or per-tensor quantized tensor",
        lambda op: len(op.operands) == 3 and rank(init_value(op)) == 0,
        "type(init_value)",
    ),
    vector(4, "window_dimensions"),
    vector(5, "window_strides"),
    renumber(PADDING, 6),
    Input(8, "select, scatter: function", lambda op: len(op.regions) == 2),
    C(
        1,
        "element_type(operand) = element_type(source)",
        show="element_type(operand), element_type(source)",
        mlir=lambda op: is_same_but_precision(element_type(operand(op)), element_type(source(op))),
    ),
    C(
        2,
        "shape(source) = num_windows",
        lambda op: shape(source(op)) == windows(op),
        "shape(source), shape(operand), padding, window_dimensions, window_strides",
    ),
    C(
        3,
        "element_type(init_value) = element_type(operand)",
        show="element_type(init_value), element_type(operand)",
        mlir=lambda op: (
            same_init(op) or is_promotable_in_mlir(element_type(init_value(op)), scatter_type(op))
        ),
        rfc=same_init,
    ),
    size_row(4, "window_dimensions", "operand"),
    positive(5, "window_dimensions"),
    size_row(6, "window_strides", "operand"),
    positive(7, "window_strides"),
    padding_row(8, "operand"),
    C(
        9,
        "select has type (tensor<E>, tensor<E>) -> tensor<i1> where E = element_type(operand)",
        is_select,
        "type(select), element_type(operand)",
    ),
    C(
        10,
        "scatter has type (tensor<E>, tensor<E>) -> tensor<E> where is_promotable(element_type(operand), E)",
        scatter_takes(is_promotable, operand),
        "type(scatter), element_type(operand)",
        mlir=scatter_takes(is_promotable_in_mlir, source),  # erratum E6
        rfc=scatter_takes(is_same_kind, operand),  # erratum E15
    ),
    C(11, "shape(operand) = shape(result)", show="shape(operand), shape(result)"),
    C(
        12,
        "element_type(result) = E",
        lambda op: element_type(op.result) == scatter_type(op),
        "element_type(result), type(scatter)",
        mlir=lambda op: is_same_in_mlir(element_type(op.result), scatter_type(op)),  # erratum E14
        rfc=lambda op: is_rfc_result(element_type(op.result), element_type(operand(op)), scatter_type(op)),
    ),
    ACCUMULATION_TYPE._replace(
        formula="accumulation_type = type(func_inputs(scatter)...)",
        show="accumulation_type, type(scatter)",
        rfc=lambda op: is_accumulated_as_said(op, op.regions[1]),
    ),
)

SELECTION_CONSTRAINTS: dict[str, tuple[Constraint, ...]] = {
    "stablehlo.select_and_scatter": SELECT_AND_SCATTER,
}

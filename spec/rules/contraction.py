"""The constraint rows of dot_general and convolution."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from spec.ir import Op
from spec.op_attributes import COUNTS, TYPES, has_algorithm
from spec.rules.constraint import (
    SHOWN,
    C,
    Constraint,
    Input,
    Predicate,
    inside,
    positive,
    scalar,
    uses_quantized,
    vector,
    when_quantized,
)
from spec.rules.members import (
    element_type,
    is_integer_constant,
    is_per_tensor,
    is_sub_channel,
    kind,
    num_windows,
    same,
    shape,
    values,
)
from spec.types import ElementType

DEFAULT = "DEFAULT"
Judge = Callable[[Any], bool]
BATCHING = ("lhs_batching_dimensions", "rhs_batching_dimensions")
CONTRACTING = ("lhs_contracting_dimensions", "rhs_contracting_dimensions")


OPERANDS = Input(
    1,
    "lhs, rhs: tensor or quantized tensor, lhs per-tensor",
    lambda op: (
        len(op.operands) == 2
        and len(op.results) == 1
        and is_per_tensor(op.operands[0])
        and not any(map(is_sub_channel, values(op)))
    ),
    SHOWN,
)


def dims(op: Op, side: int, name: str) -> list[int]:
    """Return dim(lhs or rhs, name...)."""
    return [shape(op.operands[side])[d] for d in op[name]]


def same_sizes(number: int, names: tuple[str, str]) -> Constraint:
    lhs, rhs = names
    return C(number, f"size({lhs}) = size({rhs})", show=f"{lhs}, {rhs}")


def distinct(number: int, side: int) -> Constraint:
    batching, contracting = BATCHING[side], CONTRACTING[side]

    return C(number, f"is_unique({batching} + {contracting})", show=f"{batching}, {contracting}")


def same_dims(number: int, names: tuple[str, str]) -> Constraint:
    lhs, rhs = names

    return C(number, f"dim(lhs, {lhs}...) = dim(rhs, {rhs}...)", show=f"{lhs}, {rhs}, {SHOWN}")


def plain(number: int, formula: str, mlir: Predicate) -> Constraint:
    """Return a row of the block `If the operation uses non-quantized tensors`."""
    in_mlir = lambda op: uses_quantized(op) or mlir(op)
    return C(number, formula, show=SHOWN, mlir=in_mlir, when=lambda op: not uses_quantized(op))


# The text leaves the result's element type of dot_general open, jaxlib that of convolution too.
BREADTH = {"boolean": 0, "signed": 1, "unsigned": 1, "float": 2, "quantized": 2, "complex": 3}
RESULT = Constraint(
    1,
    "result: tensor whose elements can hold products: not complex to float, nor float to integer",
    lambda op: (
        max(BREADTH[kind(element_type(x))] for x in op.operands[:2]) <= BREADTH[kind(element_type(op.result))]
    ),
    SHOWN,
    letter="o",
)


def same_operands(op: Op) -> bool:
    return same(map(element_type, op.operands[:2]))


def both_sides(number: int) -> Constraint:
    return when_quantized(
        number,
        "is_quantized(lhs) = is_quantized(result) and is_quantized(rhs)",
    )


def quantized_types(first: int) -> tuple[Constraint, ...]:
    """Return the four rows about types that depend on whether lhs is quantized (hybrid quantization)."""
    return (
        when_quantized(first, "if is_quantized(lhs), storage_type(lhs) = storage_type(rhs)"),
        when_quantized(
            first + 1,
            "if is_quantized(lhs), expressed_type(lhs) = expressed_type(rhs) = expressed_type(result)",
        ),
        when_quantized(
            first + 2,
            "if is_quantized(lhs) and is_per_tensor_quantized(rhs), then is_per_tensor_quantized(result)",
        ),
        when_quantized(
            first + 3,
            "if !is_quantized(lhs), element_type(lhs) = expressed_type(rhs) = element_type(result)",
        ),
    )


def precisions(op: Op) -> tuple[str, ...]:
    """Return precision_config, or its default if MLIR omits it."""
    words: tuple[str, ...] = op.attributes.get("precision_config", (DEFAULT, DEFAULT))
    return words


def precision_config(number: int) -> Constraint:
    """Return the row about precision_config; jaxlib's verifier also accepts fewer words than operands."""
    return C(
        number,
        "size(precision_config) = 2",
        show="precision_config",
        mlir=lambda op: len(precisions(op)) <= 2,
    )


def with_algorithm(number: int, formula: str, name: str, holds: Judge) -> Constraint:
    """Return a row about an input of the algorithm; it holds if there is no algorithm."""
    return Input(number, formula, lambda op: not has_algorithm(op) or holds(op[name]), name)


def precision_type(number: int, name: str) -> Constraint:
    is_float = lambda x: isinstance(x, ElementType) and x.kind == "float"
    return with_algorithm(number, f"{name}: FloatType or TensorFloat32", name, is_float)


def count(number: int, name: str) -> Constraint:
    return with_algorithm(number, f"{name}: constant of type si32", name, is_integer_constant)


def positive_count(number: int, name: str) -> Constraint:
    return C(number, f"0 < {name}", show=name, when=has_algorithm)


DOT_GENERAL = (
    OPERANDS,
    RESULT,
    vector(3, *BATCHING, *CONTRACTING),
    *(precision_type(number, name) for number, name in enumerate(TYPES, 8)),
    *(count(number, name) for number, name in enumerate(COUNTS, 11)),
    with_algorithm(
        14,
        "allow_imprecise_accumulation: constant of type bool",
        "allow_imprecise_accumulation",
        lambda x: isinstance(x, bool),
    ),
    same_sizes(1, BATCHING),
    same_sizes(2, CONTRACTING),
    distinct(3, 0),
    distinct(4, 1),
    inside(5, BATCHING[0], "lhs"),
    inside(6, CONTRACTING[0], "lhs"),
    inside(7, BATCHING[1], "rhs"),
    inside(8, CONTRACTING[1], "rhs"),
    same_dims(9, BATCHING),
    same_dims(10, CONTRACTING),
    precision_config(11),
    C(
        12,
        "shape(result) = dim(lhs, lhs_batching_dimensions) + dim(lhs, lhs_result_dimensions) + "
        "dim(rhs, rhs_result_dimensions)",
        show=SHOWN,
    ),
    plain(13, "element_type(lhs) = element_type(rhs)", mlir=lambda op: True),
    both_sides(14),
    when_quantized(15, "zero_points(rhs) = 0"),
    when_quantized(
        16,
        "if is_per_axis_quantized(rhs), then quantization_dimension(rhs) not in rhs_contracting_dimensions",
    ),
    *quantized_types(17),
    C(21, "precision_config... = DEFAULT", show="precision_config", when=has_algorithm),
    *(positive_count(number, name) for number, name in enumerate(COUNTS, 22)),
)

CONSTRAINTS: dict[str, tuple[Constraint, ...]] = {"stablehlo.dot_general": DOT_GENERAL}


# The constraint rows of convolution.

INPUT = ("input_batch_dimension", "input_spatial_dimensions", "input_feature_dimension")
KERNEL = ("kernel_spatial_dimensions", "kernel_input_feature_dimension", "kernel_output_feature_dimension")
OUTPUT = ("output_batch_dimension", "output_spatial_dimensions", "output_feature_dimension")
NUMBERS = tuple(name for name in (*INPUT, *KERNEL, *OUTPUT) if "spatial" not in name)
SPATIAL = ("input_spatial_dimensions", "kernel_spatial_dimensions", "output_spatial_dimensions")
GROUPS = ("feature_group_count", "batch_group_count")


def spatial(number: int, name: str) -> Constraint:
    return C(number, f"size({name}) = N - 2", show=f"{name}, rank(lhs)")


def dimensions(op: Op, names: tuple[str, ...]) -> list[int]:
    """Return the dimensions of one side as one list, including the spatial ones."""
    return [d for name in names for d in (op[name] if name in SPATIAL else (op[name],))]


def dimensions_row(number: int, side: str, names: tuple[str, ...]) -> Constraint:
    lists = " + ".join(name if name in SPATIAL else f"[{name}]" for name in names)
    formula = f"is_unique({side}) and 0 <= {side} < N, where {side} = {lists}"
    return C(number, formula, show=", ".join((*names, "rank(lhs)")))


def lhs_dim(op: Op, name: str) -> int:
    return shape(op.operands[0])[op[name]]


def rhs_dim(op: Op, name: str) -> int:
    return shape(op.operands[1])[op[name]]


def divides(number: int, group: str, side: int, name: str) -> Constraint:
    of = ("lhs", "rhs")[side]

    return C(number, f"dim({of}, {name}) % {group} = 0", show=f"{name}, {group}, shape({of})")


def convolution_shape(op: Op) -> bool:
    """Return whether each dim(result, result_dim) is that of a batch, a feature or num_windows."""
    windows = num_windows(
        dims(op, 0, "input_spatial_dimensions"),
        op["padding"],
        dims(op, 1, "kernel_spatial_dimensions"),
        op["window_strides"],
        op["lhs_dilation"],
        op["rhs_dilation"],
    )
    batch = lhs_dim(op, "input_batch_dimension") // op["batch_group_count"]
    sizes = (batch, *windows, rhs_dim(op, "kernel_output_feature_dimension"))
    return [shape(op.result)[d] for d in dimensions(op, OUTPUT)] == list(sizes)


CONVOLUTION = (
    OPERANDS,
    RESULT,
    vector(3, "window_strides", "lhs_dilation", "rhs_dilation", *SPATIAL),
    Input(4, "padding: 2-dimensional tensor constant of type si64", show=""),
    scalar(8, ", ".join((*NUMBERS, *GROUPS))),
    C(1, "N = rank(lhs) = rank(rhs)", show=SHOWN),
    spatial(2, "window_strides"),
    positive(3, "window_strides"),
    C(4, "shape(padding) = [N - 2, 2]", show="padding, rank(lhs)"),
    spatial(5, "lhs_dilation"),
    positive(6, "lhs_dilation"),
    spatial(7, "rhs_dilation"),
    positive(8, "rhs_dilation"),
    spatial(9, "window_reversal"),
    spatial(12, "input_spatial_dimensions"),
    dimensions_row(13, "input_dimensions", INPUT),
    spatial(17, "kernel_spatial_dimensions"),
    dimensions_row(18, "kernel_dimensions", KERNEL),
    spatial(19, "output_spatial_dimensions"),
    dimensions_row(20, "output_dimensions", OUTPUT),
    C(21, "0 < feature_group_count", show="feature_group_count"),
    C(22, "0 < batch_group_count", show="batch_group_count"),
    C(23, "feature_group_count = 1 or batch_group_count = 1", show="feature_group_count, batch_group_count"),
    precision_config(24),
    divides(10, "batch_group_count", 0, "input_batch_dimension"),
    divides(11, "feature_group_count", 0, "input_feature_dimension"),
    C(
        14,
        "dim(rhs, kernel_input_feature_dimension) = dim(lhs, input_feature_dimension) / feature_group_count",
        show=f"feature_group_count, {SHOWN}",
    ),
    divides(15, "batch_group_count", 1, "kernel_output_feature_dimension"),
    divides(16, "feature_group_count", 1, "kernel_output_feature_dimension"),
    C(26, "rank(result) = N", show=SHOWN),
    C(
        25,
        "dim(result, result_dim) is a batch, a feature or num_windows",
        convolution_shape,
        f"window_strides, padding, lhs_dilation, rhs_dilation, {SHOWN}",
    ),
    plain(
        27,
        "element_type(lhs) = element_type(rhs) = element_type(result)",
        mlir=same_operands,
    ),
    both_sides(28),
    when_quantized(
        29,
        "if is_per_axis_quantized(rhs), then quantization_dimension(rhs) = kernel_output_feature_dimension",
    ),
    when_quantized(
        30,
        "if is_per_axis_quantized(result), then quantization_dimension(result) = output_feature_dimension",
    ),
    *quantized_types(31),
)

CONVOLUTION_CONSTRAINTS: dict[str, tuple[Constraint, ...]] = {"stablehlo.convolution": CONVOLUTION}

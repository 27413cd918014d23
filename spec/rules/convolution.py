"""The constraint rows of convolution."""

from __future__ import annotations

from spec.ir import Op
from spec.rules.common import SHOWN, num_windows, positive, vector, when_quantized
from spec.rules.constraint import C, Constraint, Input
from spec.rules.contraction import (
    OPERANDS,
    RESULT,
    both_sides,
    dims,
    plain,
    precision_config,
    quantized_types,
    same_operands,
)
from spec.rules.members import is_integer_constant, is_integers, rank, shape

INPUT = ("input_batch_dimension", "input_spatial_dimensions", "input_feature_dimension")
KERNEL = ("kernel_spatial_dimensions", "kernel_input_feature_dimension", "kernel_output_feature_dimension")
OUTPUT = ("output_batch_dimension", "output_spatial_dimensions", "output_feature_dimension")
NUMBERS = tuple(name for name in (*INPUT, *KERNEL, *OUTPUT) if "spatial" not in name)
SPATIAL = ("input_spatial_dimensions", "kernel_spatial_dimensions", "output_spatial_dimensions")
GROUPS = ("feature_group_count", "batch_group_count")


def spatial_rank(op: Op) -> int:
    """Return N - 2."""
    return rank(op.operands[0]) - 2


def spatial(number: int, name: str) -> Constraint:
    return C(number, f"size({name}) = N - 2", show=f"{name}, rank(lhs)")


def dimensions(op: Op, names: tuple[str, ...]) -> list[int]:
    """Return the dimensions of one side as one list, including the spatial ones."""
    return [d for name in names for d in (op[name] if name in SPATIAL else (op[name],))]


def dimensions_row(number: int, names: tuple[str, ...]) -> Constraint:
    return C(
        number,
        f"{' + '.join(names)} are unique and inside [0, N)",
        lambda op: sorted(dimensions(op, names)) == list(range(rank(op.operands[0]))),
        ", ".join((*names, "rank(lhs)")),
    )


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
    Input(
        4,
        "padding: 2-dimensional tensor constant of type si64",
        lambda op: all(map(is_integers, op["padding"])),
    ),
    Input(
        8,
        f"{', '.join((*NUMBERS, *GROUPS))}: constant of type si64",
        lambda op: all(is_integer_constant(op[name]) for name in (*NUMBERS, *GROUPS)),
        ", ".join((*NUMBERS, *GROUPS)),
    ),
    C(1, "N = rank(lhs) = rank(rhs)", show=SHOWN),
    spatial(2, "window_strides"),
    positive(3, "window_strides"),
    C(
        4,
        "shape(padding) = [N - 2, 2]",
        lambda op: [len(pair) for pair in op["padding"]] == [2] * spatial_rank(op),
        "padding, rank(lhs)",
    ),
    spatial(5, "lhs_dilation"),
    positive(6, "lhs_dilation"),
    spatial(7, "rhs_dilation"),
    positive(8, "rhs_dilation"),
    spatial(9, "window_reversal"),
    spatial(12, "input_spatial_dimensions"),
    dimensions_row(13, INPUT),
    spatial(17, "kernel_spatial_dimensions"),
    dimensions_row(18, KERNEL),
    spatial(19, "output_spatial_dimensions"),
    dimensions_row(20, OUTPUT),
    C(21, "0 < feature_group_count", show="feature_group_count"),
    C(22, "0 < batch_group_count", show="batch_group_count"),
    C(23, "feature_group_count = 1 or batch_group_count = 1", show="feature_group_count, batch_group_count"),
    precision_config(24),
    divides(10, "batch_group_count", 0, "input_batch_dimension"),
    divides(11, "feature_group_count", 0, "input_feature_dimension"),
    C(
        14,
        "dim(rhs, kernel_input_feature_dimension) = dim(lhs, input_feature_dimension) / feature_group_count",
        lambda op: (
            rhs_dim(op, "kernel_input_feature_dimension") * op["feature_group_count"]
            == lhs_dim(op, "input_feature_dimension")
        ),
        f"feature_group_count, {SHOWN}",
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

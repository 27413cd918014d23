"""The constraint rows of dot_general and convolution, but for those about precision: it means nothing."""

from __future__ import annotations

from collections.abc import Callable

from spec.constraint import C, Constraint, Input
from spec.ir import Op
from spec.members import (
    element_type,
    expressed_type,
    is_integers,
    is_per_axis_quantized,
    is_per_tensor,
    is_quantized,
    is_sub_channel,
    is_unique,
    kind,
    quantization_dimension,
    rank,
    same,
    shape,
    storage_type,
    values,
)
from spec.ops.reduction_constraints import num_windows
from spec.types import QuantizedType

SHOWN = "type(operands...), type(results...)"
BATCHING = ("lhs_batching_dimensions", "rhs_batching_dimensions")
CONTRACTING = ("lhs_contracting_dimensions", "rhs_contracting_dimensions")


def vectors(number: int, *names: str) -> Constraint:
    """Rows number, number + 1, ... of the table of inputs, as one."""
    formula = f"{', '.join(names)}: 1-dimensional tensor constant of type si64"
    return Input(number, formula, lambda op: all(is_integers(op[name]) for name in names), ", ".join(names))


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
    """dim(lhs or rhs, name...)"""
    return [shape(op.operands[side])[d] for d in op[name]]


def same_sizes(number: int, names: tuple[str, str]) -> Constraint:
    lhs, rhs = names
    return C(number, f"size({lhs}) = size({rhs})", lambda op: len(op[lhs]) == len(op[rhs]), f"{lhs}, {rhs}")


def distinct(number: int, side: int) -> Constraint:
    batching, contracting = BATCHING[side], CONTRACTING[side]
    holds = lambda op: is_unique(op[batching] + op[contracting])
    return C(number, f"is_unique({batching} + {contracting})", holds, f"{batching}, {contracting}")


def inside(number: int, side: int, name: str) -> Constraint:
    of = ("lhs", "rhs")[side]
    holds = lambda op: all(0 <= d < rank(op.operands[side]) for d in op[name])
    return C(number, f"0 <= {name} < rank({of})", holds, f"{name}, rank({of})")


def same_dims(number: int, names: tuple[str, str]) -> Constraint:
    lhs, rhs = names
    holds = lambda op: dims(op, 0, lhs) == dims(op, 1, rhs)
    return C(number, f"dim(lhs, {lhs}...) = dim(rhs, {rhs}...)", holds, f"{lhs}, {rhs}, {SHOWN}")


def dot_shape(op: Op) -> tuple[int, ...]:
    """Batching dimensions, then the result dimensions of lhs and of rhs."""
    free = [
        n
        for side in (0, 1)
        for d, n in enumerate(shape(op.operands[side]))
        if d not in op[BATCHING[side]] + op[CONTRACTING[side]]
    ]
    return (*dims(op, 0, BATCHING[0]), *free)


def plain(number: int, formula: str, holds: Callable[[Op], bool], mlir: Callable[[Op], bool]) -> Constraint:
    """A row of the block `If the operation uses non-quantized tensors`."""
    unless = lambda judge: lambda op: any(map(is_quantized, values(op))) or judge(op)
    return C(number, formula, unless(holds), SHOWN, mlir=unless(mlir))


# The text leaves the result's element type of dot_general open, jaxlib that of convolution too.
BREADTH = {"boolean": 0, "signed": 1, "unsigned": 1, "float": 2, "quantized": 2, "complex": 3}
RESULT = Constraint(
    1,
    "result: tensor whose elements can hold products: not complex to float, nor float to integer",
    lambda op: (
        max(BREADTH[kind(element_type(x))] for x in op.operands) <= BREADTH[kind(element_type(op.result))]
    ),
    SHOWN,
    letter="o",
)


def same_operands(op: Op) -> bool:
    return same(map(element_type, op.operands))


def quantized(number: int, formula: str, holds: Callable[[Op], bool]) -> Constraint:
    """A row of the block `If the operation uses quantized tensors`."""
    return C(number, formula, lambda op: not any(map(is_quantized, values(op))) or holds(op), SHOWN)


def both_sides(number: int) -> Constraint:
    return quantized(
        number,
        "is_quantized(lhs) = is_quantized(result) and is_quantized(rhs)",
        lambda op: is_quantized(op.operands[0]) == is_quantized(op.result) and is_quantized(op.operands[1]),
    )


def quantized_types(first: int) -> tuple[Constraint, ...]:
    """The four rows that tell a quantized lhs from a float one (hybrid quantization)."""
    static = lambda op: is_quantized(op.operands[0])
    return (
        quantized(
            first,
            "if is_quantized(lhs), storage_type(lhs) = storage_type(rhs)",
            lambda op: not static(op) or same(map(storage_type, op.operands)),
        ),
        quantized(
            first + 1,
            "if is_quantized(lhs), expressed_type(lhs) = expressed_type(rhs) = expressed_type(result)",
            lambda op: not static(op) or same(map(expressed_type, values(op))),
        ),
        quantized(
            first + 2,
            "if is_quantized(lhs) and is_per_tensor_quantized(rhs), then is_per_tensor_quantized(result)",
            lambda op: not static(op) or is_per_axis_quantized(op.operands[1]) or is_per_tensor(op.result),
        ),
        quantized(
            first + 3,
            "if !is_quantized(lhs), element_type(lhs) = expressed_type(rhs) = element_type(result)",
            lambda op: (
                static(op)
                or element_type(op.operands[0]) == expressed_type(op.operands[1]) == element_type(op.result)
            ),
        ),
    )


def zero_points(op: Op) -> tuple[int, ...]:
    type = element_type(op.operands[1])
    return type.zero_points if isinstance(type, QuantizedType) else ()


DOT_GENERAL = (
    OPERANDS,
    RESULT,
    vectors(3, *BATCHING, *CONTRACTING),
    same_sizes(1, BATCHING),
    same_sizes(2, CONTRACTING),
    distinct(3, 0),
    distinct(4, 1),
    inside(5, 0, BATCHING[0]),
    inside(6, 0, CONTRACTING[0]),
    inside(7, 1, BATCHING[1]),
    inside(8, 1, CONTRACTING[1]),
    same_dims(9, BATCHING),
    same_dims(10, CONTRACTING),
    C(
        12,
        "shape(result) = dim(lhs, lhs_batching_dimensions) + dim(lhs, lhs_result_dimensions) + "
        "dim(rhs, rhs_result_dimensions)",
        lambda op: shape(op.result) == dot_shape(op),
        SHOWN,
    ),
    plain(13, "element_type(lhs) = element_type(rhs)", same_operands, mlir=lambda op: True),
    both_sides(14),
    quantized(15, "zero_points(rhs) = 0", lambda op: not any(zero_points(op))),
    quantized(
        16,
        "if is_per_axis_quantized(rhs), then quantization_dimension(rhs) not in rhs_contracting_dimensions",
        lambda op: quantization_dimension(op.operands[1]) not in op["rhs_contracting_dimensions"],
    ),
    *quantized_types(17),
)

INPUT = ("input_batch_dimension", "input_spatial_dimensions", "input_feature_dimension")
KERNEL = ("kernel_spatial_dimensions", "kernel_input_feature_dimension", "kernel_output_feature_dimension")
OUTPUT = ("output_batch_dimension", "output_spatial_dimensions", "output_feature_dimension")
NUMBERS = tuple(name for name in (*INPUT, *KERNEL, *OUTPUT) if "spatial" not in name)
SPATIAL = ("input_spatial_dimensions", "kernel_spatial_dimensions", "output_spatial_dimensions")
GROUPS = ("feature_group_count", "batch_group_count")


def spatial_rank(op: Op) -> int:
    """N - 2"""
    return rank(op.operands[0]) - 2


def sized(number: int, name: str) -> Constraint:
    return C(
        number, f"size({name}) = N - 2", lambda op: len(op[name]) == spatial_rank(op), f"{name}, rank(lhs)"
    )


def positive(number: int, name: str) -> Constraint:
    return C(number, f"0 < {name}", lambda op: all(n > 0 for n in op[name]), name)


def dimensions(op: Op, names: tuple[str, ...]) -> list[int]:
    """The dimensions of one side, spatial ones spread out."""
    return [d for name in names for d in (op[name] if name in SPATIAL else (op[name],))]


def numbered(number: int, names: tuple[str, ...]) -> Constraint:
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
    holds = lambda op: shape(op.operands[side])[op[name]] % op[group] == 0
    return C(number, f"dim({of}, {name}) % {group} = 0", holds, f"{name}, {group}, shape({of})")


def convolution_shape(op: Op) -> bool:
    """dim(result, result_dim) is a batch, a feature or a number of windows."""
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
    vectors(3, "window_strides", "lhs_dilation", "rhs_dilation", *SPATIAL),
    Input(
        4,
        "padding: 2-dimensional tensor constant of type si64",
        lambda op: all(map(is_integers, op["padding"])),
    ),
    Input(
        8,
        f"{', '.join((*NUMBERS, *GROUPS))}: constant of type si64",
        lambda op: all(isinstance(op[name], int) for name in (*NUMBERS, *GROUPS)),
        ", ".join((*NUMBERS, *GROUPS)),
    ),
    C(
        1,
        "N = rank(lhs) = rank(rhs)",
        lambda op: same(map(rank, op.operands)) and spatial_rank(op) >= 0,
        SHOWN,
    ),
    sized(2, "window_strides"),
    positive(3, "window_strides"),
    C(
        4,
        "shape(padding) = [N - 2, 2]",
        lambda op: [len(pair) for pair in op["padding"]] == [2] * spatial_rank(op),
        "padding, rank(lhs)",
    ),
    sized(5, "lhs_dilation"),
    positive(6, "lhs_dilation"),
    sized(7, "rhs_dilation"),
    positive(8, "rhs_dilation"),
    sized(9, "window_reversal"),
    sized(12, "input_spatial_dimensions"),
    numbered(13, INPUT),
    sized(17, "kernel_spatial_dimensions"),
    numbered(18, KERNEL),
    sized(19, "output_spatial_dimensions"),
    numbered(20, OUTPUT),
    C(21, "0 < feature_group_count", lambda op: op["feature_group_count"] > 0, "feature_group_count"),
    C(22, "0 < batch_group_count", lambda op: op["batch_group_count"] > 0, "batch_group_count"),
    C(
        23,
        "feature_group_count = 1 or batch_group_count = 1",
        lambda op: 1 in (op["feature_group_count"], op["batch_group_count"]),
        "feature_group_count, batch_group_count",
    ),
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
    C(26, "rank(result) = N", lambda op: rank(op.result) == rank(op.operands[0]), SHOWN),
    C(
        25,
        "dim(result, result_dim) is a batch, a feature or num_windows",
        convolution_shape,
        f"window_strides, padding, lhs_dilation, rhs_dilation, {SHOWN}",
    ),
    plain(
        27,
        "element_type(lhs) = element_type(rhs) = element_type(result)",
        lambda op: same(map(element_type, values(op))),
        mlir=same_operands,
    ),
    both_sides(28),
    quantized(
        29,
        "if is_per_axis_quantized(rhs), then quantization_dimension(rhs) = kernel_output_feature_dimension",
        lambda op: quantization_dimension(op.operands[1]) in (None, op["kernel_output_feature_dimension"]),
    ),
    quantized(
        30,
        "if is_per_axis_quantized(result), then quantization_dimension(result) = output_feature_dimension",
        lambda op: quantization_dimension(op.result) in (None, op["output_feature_dimension"]),
    ),
    *quantized_types(31),
)

CONSTRAINTS: dict[str, tuple[Constraint, ...]] = {
    "stablehlo.convolution": CONVOLUTION,
    "stablehlo.dot_general": DOT_GENERAL,
}

"""The constraint rows of slice, pad, concatenate and reverse, which move elements."""

from __future__ import annotations

from collections.abc import Sequence

from spec.ir import Op
from spec.rules.common import SHOWN, inside, scalar, unique, vector
from spec.rules.constraint import C, Constraint, Input
from spec.rules.members import operand, rank, same, shape
from spec.rules.structure import all_per_tensor, takes

SLICES = ("start_indices", "limit_indices", "strides")

SLICE = (
    takes(1, all_per_tensor),
    vector(2, "start_indices"),
    vector(3, "limit_indices"),
    vector(4, "strides"),
    C(1, "element_type(operand) = element_type(result)", show=SHOWN),
    C(
        2,
        "size(start_indices) = size(limit_indices) = size(strides) = rank(operand)",
        show="start_indices, limit_indices, strides, rank(operand)",
    ),
    C(
        3,
        "0 <= start_indices <= limit_indices <= shape(operand)",
        lambda op: all(
            0 <= start <= limit <= n
            for start, limit, n in zip(
                op["start_indices"], op["limit_indices"], shape(operand(op)), strict=True
            )
        ),
        "start_indices, limit_indices, shape(operand)",
    ),
    C(4, "0 < strides", show="strides"),
    C(
        5,
        "shape(result) = ceil((limit_indices - start_indices) / strides)",
        lambda op: (
            shape(op.result)
            == tuple(
                -((start - limit) // stride)
                for start, limit, stride in zip(*(op[name] for name in SLICES), strict=True)
            )
        ),
        "start_indices, limit_indices, strides, shape(result)",
    ),
)

PADS = ("edge_padding_low", "edge_padding_high", "interior_padding")


def padded_shape(op: Op) -> tuple[int, ...]:
    """Return shape(operand), padded at the edges and between the elements."""
    columns = zip(shape(operand(op)), *(op[name] for name in PADS), strict=True)
    return tuple(n + low + max(n - 1, 0) * interior + high for n, low, high, interior in columns)


PAD = (
    takes(2, all_per_tensor),
    Input(2, "padding_value: 0-dimensional", lambda op: rank(op.operands[1]) == 0, SHOWN),
    vector(3, "edge_padding_low"),
    vector(4, "edge_padding_high"),
    vector(5, "interior_padding"),
    C(1, "element_type(operand) = element_type(padding_value) = element_type(result)", show=SHOWN),
    C(
        2,
        "size(edge_padding_low) = size(edge_padding_high) = size(interior_padding) = rank(operand)",
        show="edge_padding_low, edge_padding_high, interior_padding, rank(operand)",
    ),
    C(3, "0 <= interior_padding", show="interior_padding"),
    C(
        4,
        "shape(result) = shape(operand) + edge_padding_low + max(shape(operand) - 1, 0) * interior_padding + "
        "edge_padding_high",
        lambda op: shape(op.result) == padded_shape(op),
        "shape(operand), shape(result), edge_padding_low, edge_padding_high, interior_padding",
    ),
)


def but_for(sizes: Sequence[int], d: int) -> tuple[int, ...]:
    """Return the sizes without the size of dimension d."""
    return (*sizes[:d], *sizes[d + 1 :])


CONCATENATE = (
    Input(
        1,
        "inputs: variadic number of tensors or per-tensor quantized tensors",
        lambda op: len(op.results) == 1 and all_per_tensor(op),
        SHOWN,
    ),
    scalar(2, "dimension"),
    C(1, "same(element_type(inputs...))", show=SHOWN),
    C(
        2,
        "same(shape(inputs...)) except for dim(inputs..., dimension)",
        lambda op: same(but_for(shape(value), op["dimension"]) for value in op.operands),
        f"dimension, {SHOWN}",
    ),
    C(3, "0 < size(inputs)"),
    C(4, "0 <= dimension < rank(inputs[0])", show=f"dimension, {SHOWN}"),
    C(5, "element_type(result) = element_type(inputs[0])", show=SHOWN),
    C(
        6,
        "shape(result) = shape(inputs[0]) but dim(result, dimension) = dim(inputs[0], dimension) + ...",
        lambda op: (
            but_for(shape(op.result), op["dimension"]) == but_for(shape(operand(op)), op["dimension"])
            and shape(op.result)[op["dimension"]] == sum(shape(x)[op["dimension"]] for x in op.operands)
        ),
        f"dimension, {SHOWN}",
    ),
)

REVERSE = (
    takes(1, all_per_tensor),
    vector(2, "dimensions"),
    C(1, "type(operand) = type(result)", show=SHOWN),
    unique(2, "dimensions"),
    inside(3, "dimensions", "result"),
)

PLACEMENT_CONSTRAINTS: dict[str, tuple[Constraint, ...]] = {
    "stablehlo.concatenate": CONCATENATE,
    "stablehlo.pad": PAD,
    "stablehlo.reverse": REVERSE,
    "stablehlo.slice": SLICE,
}

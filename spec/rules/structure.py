"""The constraint rows of the ops that create or move elements, or change the shape."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import prod

from spec.attributes import Dense, container_bytes
from spec.ir import Op, Value
from spec.rules.constraint import (
    SHOWN,
    C,
    Constraint,
    Input,
    inside,
    scalar,
    size_row,
    tensors,
    unique,
    vector,
)
from spec.rules.members import (
    baseline_of,
    element_type,
    is_integer_constant,
    is_per_axis_quantized,
    is_per_tensor,
    kind,
    operand,
    quantization_dimension,
    rank,
    same,
    shape,
    values,
)
from spec.types import QuantizedType


def takes(count: int, holds: Callable[[Op], bool] = lambda op: True) -> Constraint:
    """Return the row for `count` operands and one result; `holds` may add to it."""
    return tensors(count, f"{count} operands and a result: tensors or quantized tensors", holds)


def all_per_tensor(op: Op) -> bool:
    return all(map(is_per_tensor, values(op)))


def but_for_the_axis(op: Op) -> bool:
    """Return whether element types agree, except for the quantization_dimension of per-axis types."""
    x, y = element_type(operand(op)), element_type(op.result)
    if isinstance(x, QuantizedType) and isinstance(y, QuantizedType) and x.is_per_axis and y.is_per_axis:
        return x == replace(y, quantization_dimension=x.quantization_dimension)
    return x == y


def is_constant(op: Op) -> bool:
    """Return whether value has the shape of output, and elements of its storage type."""
    value, output = op["value"], op.result.type
    stored, wanted = value.type.storage_type, output.storage_type
    integers = output.is_quantized and stored.is_integer and stored.bits == wanted.bits
    fits = stored == wanted or integers
    count = 1 if value.splat else output.size
    return fits and value.type.shape == output.shape and len(value.data) == count * container_bytes(wanted)


CONSTANT = (
    Input(1, "value: constant", lambda op: isinstance(op["value"], Dense) and len(op.results) == 1, ""),
    C(1, "type(value) = type(output)", is_constant, "value, type(results...)"),
)

IOTA = (
    Input(
        1,
        "iota_dimension: si64; output: tensor of numbers, per-tensor quantized at most",
        lambda op: (
            is_integer_constant(op["iota_dimension"])
            and len(op.results) == 1
            and is_per_tensor(op.result)
            and kind(element_type(op.result)) != "boolean"
        ),
        "iota_dimension, type(results...)",
    ),
    C(1, "0 <= iota_dimension < rank(output)", show="iota_dimension, type(results...)"),
)


def broadcasts_element(op: Op) -> bool:
    """Return whether element types agree, except for the parameters of per-axis types."""
    x, y = baseline_of(operand(op)), baseline_of(op.result)
    if isinstance(x, QuantizedType) and isinstance(y, QuantizedType) and x.is_per_axis and y.is_per_axis:
        return replace(x, quantization_dimension=0, scales=(), zero_points=()) == replace(
            y, quantization_dimension=0, scales=(), zero_points=()
        )
    return element_type(operand(op)) == element_type(op.result)


def broadcasts_axis(op: Op) -> bool:
    """Return whether the axis is where the operand's is broadcast to; size 1 repeats its parameters."""
    x, y = element_type(operand(op)), element_type(op.result)
    d = quantization_dimension(operand(op))
    if d is None or not isinstance(x, QuantizedType) or not isinstance(y, QuantizedType):
        return True
    repeats = {*y.scales} == {x.scales[0]} and {*y.zero_points} == {x.zero_points[0]}
    return y.quantization_dimension == op["broadcast_dimensions"][d] and (
        shape(operand(op))[d] != 1 or repeats
    )


BROADCAST_IN_DIM = (
    takes(1),
    vector(2, "broadcast_dimensions"),
    C(
        1,
        "element_type(result) = element_type(operand) but for per-axis parameters",
        broadcasts_element,
        SHOWN,
    ),
    size_row(2, "broadcast_dimensions", "operand"),
    inside(3, "broadcast_dimensions", "result"),
    unique(4, "broadcast_dimensions"),
    C(
        5,
        "dim(operand, d) = 1 or dim(operand, d) = dim(result, broadcast_dimensions[d])",
        lambda op: all(
            n in (1, shape(op.result)[d])
            for n, d in zip(shape(operand(op)), op["broadcast_dimensions"], strict=True)
        ),
        f"broadcast_dimensions, {SHOWN}",
    ),
    C(
        6,
        "if is_per_axis_quantized(result), then quantization_dimension(result) = "
        "broadcast_dimensions[quantization_dimension(operand)]; a dimension of size 1 repeats its parameters",
        broadcasts_axis,
        f"broadcast_dimensions, {SHOWN}",
    ),
)


def around_the_axis(value: Value) -> tuple[int, int, int]:
    """Return the sizes before, along and after the quantization_dimension."""
    d, sizes = quantization_dimension(value) or 0, shape(value)
    return prod(sizes[:d]), sizes[d], prod(sizes[d + 1 :])


RESHAPE = (
    takes(1),
    C(1, "element_type(result) is element_type(operand) but for the axis", but_for_the_axis, SHOWN),
    C(2, "size(operand) = size(result)", show="shape(operand), shape(result)"),
    C(
        3,
        "if is_per_axis_quantized(operand), the sizes before, along and after the axis stay",
        lambda op: (
            not is_per_axis_quantized(operand(op))
            or around_the_axis(operand(op)) == around_the_axis(op.result)
        ),
        SHOWN,
    ),
)

TRANSPOSE = (
    takes(1),
    vector(2, "permutation"),
    C(1, "element_type(result) is element_type(operand) but for the axis", but_for_the_axis, SHOWN),
    C(
        2,
        "permutation is a permutation of range(rank(operand))",
        lambda op: sorted(op["permutation"]) == list(range(rank(operand(op)))),
        "permutation, rank(operand)",
    ),
    C(3, "shape(result) = dim(operand, permutation...)", show="permutation, shape(operand), shape(result)"),
    C(
        4,
        "if is_per_axis_quantized(result), then quantization_dimension(operand) = "
        "permutation(quantization_dimension(result))",
        lambda op: (
            not is_per_axis_quantized(op.result)
            or quantization_dimension(operand(op)) == op["permutation"][quantization_dimension(op.result)]
        ),
        f"permutation, {SHOWN}",
    ),
)

CONSTRAINTS: dict[str, tuple[Constraint, ...]] = {
    "arith.constant": CONSTANT,
    "stablehlo.broadcast_in_dim": BROADCAST_IN_DIM,
    "stablehlo.constant": CONSTANT,
    "stablehlo.iota": IOTA,
    "stablehlo.reshape": RESHAPE,
    "stablehlo.transpose": TRANSPOSE,
}


# The constraint rows of slice, pad, concatenate and reverse, which move elements.

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
        show="start_indices, limit_indices, shape(operand)",
    ),
    C(4, "0 < strides", show="strides"),
    C(
        5,
        "shape(result) = ceil((limit_indices - start_indices) / strides)",
        show="start_indices, limit_indices, strides, shape(result)",
    ),
)

PADS = ("edge_padding_low", "edge_padding_high", "interior_padding")


def padded_shape(op: Op) -> tuple[int, ...]:
    """Return shape(operand), padded at the edges and between the elements."""
    columns = zip(shape(operand(op)), *(op[name] for name in PADS), strict=True)
    return tuple(n + low + max(n - 1, 0) * interior + high for n, low, high, interior in columns)


PAD = (
    takes(2, all_per_tensor),
    Input(2, "padding_value: 0-dimensional", show=SHOWN),
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

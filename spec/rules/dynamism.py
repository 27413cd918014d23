"""The constraint rows of the other ops whose geometry is an operand, and of get_dimension_size.

An operand's type is checked by `CONSTRAINTS`, before anything runs, and its elements by `static`, at run
time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from spec.ir import Op
from spec.rules.common import SHOWN, scalar, tensors, vector
from spec.rules.constraint import C, Constraint, Input, violations
from spec.rules.dynamic_windows import BY_PADDING, DYNAMIC_CONV, DYNAMIC_GATHER, SLICE_SIZES
from spec.rules.members import is_integers, rank, same, shape
from spec.rules.placement import PAD, SLICE
from spec.rules.shape_operands import (
    BOUNDS,
    DYNAMIC,
    ONE,
    PADS,
    PER_TENSOR,
    Rows,
    as_long_as,
    but,
    data,
    is_shape,
    list_of,
    dynamic_row,
    operand,
    result,
    rows,
)
from spec.rules.structure import BROADCAST_IN_DIM, IOTA, RESHAPE, all_per_tensor
from spec.types import ELEMENT_TYPES, TensorType


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
    list_of(2, "output_dimensions", 1),
    vector(3, "broadcast_dimensions"),
    known_dimensions(4, EXPANDING),
    known_dimensions(5, NONEXPANDING),
    *but(BROADCAST_IN_DIM, "i1", "i2"),
    as_long_as(7, "output_dimensions", 1, "result", result),
    C(8, f"is_unique({EXPANDING} + {NONEXPANDING})", show=f"{EXPANDING}, {NONEXPANDING}"),
    known_inside(9, EXPANDING),
    known_inside(10, NONEXPANDING),
)

(IOTA_OUTPUT,) = rows(IOTA, "i1")
DYNAMIC_IOTA = (
    list_of(1, "output_shape", 0),
    Input(2, IOTA_OUTPUT.formula, IOTA_OUTPUT.check, IOTA_OUTPUT.show),
    C(
        1,
        "0 <= iota_dimension < size(output_shape)",
        lambda op: 0 <= op["iota_dimension"] < shape(operand(op))[0],
        f"iota_dimension, {SHOWN}",
    ),
    as_long_as(2, "output_shape", 0, "result", result),
)

DYNAMIC_PAD = (
    tensors(5, f"{PER_TENSOR}; padding", lambda op: all_per_tensor(op)),
    Input(2, "padding_value: 0-dimensional", lambda op: rank(op.operands[1]) == 0, SHOWN),
    *(list_of(3 + k, name, 2 + k) for k, name in enumerate(PADS)),
    *map(dynamic_row, rows(PAD, "c1")),
    C(
        2,
        f"{' = '.join(f'size({name})' for name in PADS)} = rank(operand)",
        lambda op: all(shape(x) == (rank(operand(op)),) for x in op.operands[2:]),
        SHOWN,
    ),
)

DYNAMIC_RESHAPE = (
    tensors(2, ONE),
    list_of(2, "output_shape", 1),
    *but(RESHAPE, "i1"),
    as_long_as(4, "output_shape", 1, "result", result),
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
    *(list_of(2 + k, name, 1 + k) for k, name in enumerate(BOUNDS)),
    *rows(SLICE, "c1"),
    C(
        2,
        "size(start_indices) = size(limit_indices) = size(strides) = rank(operand) = rank(result)",
        lambda op: (
            all(shape(x) == (rank(operand(op)),) for x in op.operands[1:])
            and same(map(rank, (operand(op), op.result)))
        ),
        SHOWN,
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

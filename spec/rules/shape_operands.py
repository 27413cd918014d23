"""Ops whose geometry is an operand: their static ops, for known operands, and rows that they share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

from spec.ir import Op, Value
from spec.rules.common import SHOWN
from spec.rules.constraint import C, Constraint, Input
from spec.rules.members import element_type, kind, rank, shape

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


def dynamic_row(row: Constraint) -> Constraint:
    """Return the row of a static op as a row of the dynamic one."""
    judge = lambda holds: lambda op: holds(data(op))
    return row._replace(holds=judge(row.check), mlir=row.mlir and judge(row.mlir), when=None)


def is_integer(value: Value) -> bool:
    return kind(element_type(value)) in ("signed", "unsigned")


def list_of(number: int, name: str, position: int) -> Constraint:
    """Return the row for an operand that is a list of integers."""
    holds = lambda op: rank(op.operands[position]) == 1 and is_integer(op.operands[position])
    return Input(number, f"{name}: 1-dimensional tensor of integer type", holds, SHOWN)


def as_long_as(number: int, name: str, position: int, of: str, value: Callable[[Op], Value]) -> Constraint:
    holds = lambda op: shape(op.operands[position]) == (rank(value(op)),)
    return C(number, f"size({name}) = rank({of})", holds, SHOWN)


def result(op: Op) -> Value:
    return op.result


def operand(op: Op) -> Value:
    return op.operands[0]


def is_shape(name: str) -> Constraint:
    """Return the row of the chapter "Dynamism" for an operand that determines the result's shape."""
    holds = lambda op: op[name] == shape(op.result)
    return Constraint(1, f"shape(result) = {name}", holds, f"shape(result), {name}", letter="d")


ONE = "operand and result: tensor or quantized tensor"
PER_TENSOR = "operand and result: tensor or per-tensor quantized tensor"

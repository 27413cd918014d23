"""Ops whose geometry is an operand, by the static op with these elements; and get_dimension_size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from spec.constraint import OpSpec
from spec.context import Context, Results
from spec.index import Tensor
from spec.ir import Op
from spec.ops import contraction, indexing, structure
from spec.ops.dynamism_constraints import static
from spec.ops.shape_operands import DYNAMIC

Meaning = Callable[[Op, Sequence[Tensor], Context], Results]


def dynamic(meaning: Meaning) -> OpSpec:
    """Return the meaning of an op from that of its static op, with operands in place of attributes."""

    def identical(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
        positions = DYNAMIC[op.name].geometry.values()
        made = static(op, [nested(operands[k].type.shape, operands[k].elements) for k in positions])
        return meaning(made, [x for k, x in enumerate(operands) if k not in positions], context)

    return OpSpec((), identical)


def nested(shape: Sequence[int], elements: Sequence[Any]) -> Any:
    """Return the elements of a list or a matrix as tuples."""
    if len(shape) == 1:
        return tuple(elements)
    rows, columns = shape
    return tuple(tuple(elements[i * columns : (i + 1) * columns]) for i in range(rows))


def get_dimension_size(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result = dim(operand, dimension)"""
    return (Tensor(op.result.type, (operands[0].type.shape[op["dimension"]],)),)


OPS = {
    "stablehlo.dynamic_broadcast_in_dim": dynamic(structure.broadcast_in_dim),
    "stablehlo.dynamic_conv": dynamic(contraction.convolution),
    "stablehlo.dynamic_gather": dynamic(indexing.gather),
    "stablehlo.dynamic_iota": dynamic(structure.iota),
    "stablehlo.dynamic_pad": dynamic(structure.pad),
    "stablehlo.dynamic_reshape": dynamic(structure.reshape),
    "stablehlo.get_dimension_size": OpSpec((), get_dimension_size),
    "stablehlo.real_dynamic_slice": dynamic(structure.slice),
}

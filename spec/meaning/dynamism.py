"""Ops whose geometry is an operand, by the static op with these elements; and get_dimension_size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spec.ir import Op
from spec.meaning import contraction, indexing, structure
from spec.meaning.context import Context, Meaning, Results
from spec.meaning.index import Tensor
from spec.rules.dynamism import static
from spec.rules.shape_operands import DYNAMIC


def dynamic(meaning: Meaning) -> Meaning:
    """Return the meaning of an op from that of its static op, with operands in place of attributes."""

    def identical(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
        positions = DYNAMIC[op.name].geometry.values()
        made = static(op, [nest(operands[k].type.shape, operands[k].elements) for k in positions])
        return meaning(made, [x for k, x in enumerate(operands) if k not in positions], context)

    return identical


def nest(shape: Sequence[int], elements: Sequence[Any]) -> Any:
    """Return the elements of a list or a matrix as tuples."""
    if len(shape) == 1:
        return tuple(elements)
    rows, columns = shape
    return tuple(tuple(elements[i * columns : (i + 1) * columns]) for i in range(rows))


def get_dimension_size(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result = dim(operand, dimension)"""
    return (Tensor(op.result.type, (operands[0].type.shape[op["dimension"]],)),)


DYNAMISM_MEANINGS: dict[str, Meaning] = {
    "stablehlo.dynamic_broadcast_in_dim": dynamic(structure.broadcast_in_dim),
    "stablehlo.dynamic_conv": dynamic(contraction.convolution),
    "stablehlo.dynamic_gather": dynamic(indexing.gather),
    "stablehlo.dynamic_iota": dynamic(structure.iota),
    "stablehlo.dynamic_pad": dynamic(structure.pad),
    "stablehlo.dynamic_reshape": dynamic(structure.reshape),
    "stablehlo.get_dimension_size": get_dimension_size,
    "stablehlo.real_dynamic_slice": dynamic(structure.slice),
}

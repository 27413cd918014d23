"""Reductions whose body adds, as sums: the numbers of their leaves, for accumulations with an arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spec.accumulation import Accumulation
from spec.errors import Unsupported
from spec.ir import Region
from spec.meaning.context import Context
from spec.meaning.index import Tensor
from spec.meaning.notation import dequantize, quantize, zero_point_at
from spec.meaning.sums import Number, Sum
from spec.types import QuantizedType, TensorType, integer


def adds(body: Region) -> bool:
    """Return whether a body returns the sum of its two arguments, and does nothing else."""
    first = body.ops[0]
    two = len(body.arguments) == 2 and {*first.operands} == {*body.arguments}
    return two and first.name == "stablehlo.add" and first.results == body.returns


def adding(body: Region, leaves: Sequence[tuple[Tensor, ...]], context: Context) -> Sum | None:
    """Return the sum that a fold of a body is, or None if it does not add.

    Quantized elements are added as `q - zero_point` where a node has a type of integers, else as the numbers
    that they represent.
    """
    accumulation = context.schedule
    if not isinstance(accumulation, Accumulation) or not adds(body):
        return None
    type = body.arguments[0].type
    element = type.element_type
    if isinstance(element, QuantizedType):
        return _quantized_sum(type, element, leaves, accumulation)
    if not (element.is_integer or element.kind == "float"):
        refuse(accumulation, f"sums of {element!r}")
        return None
    return Sum(
        [Number(leaf.item, element) for (leaf,) in leaves],
        element,
        lambda total: (Tensor(type, (total,)),),
    )


def _quantized_sum(
    type: TensorType, element: QuantizedType, leaves: Sequence[tuple[Tensor, ...]], accumulation: Accumulation
) -> Sum | None:
    arithmetics = accumulation.arithmetics
    if not all(arithmetic.type for arithmetic in arithmetics):
        refuse(accumulation, f"sums of {element!r} in nodes that name no type")
        return None
    real = TensorType((), element.expressed_type)
    if not any(a.element_type and a.element_type.is_integer for a in arithmetics):
        numbers = [Number(dequantize(leaf).item, element.expressed_type) for (leaf,) in leaves]
        return Sum(numbers, element.expressed_type, lambda x: (quantize(Tensor(real, (x,)), type),))
    point, wide = zero_point_at(type, ()), integer(64, True)

    def state(total: Any) -> tuple[Tensor]:
        return (Tensor(type, (min(max(total + point, element.storage_min), element.storage_max),)),)

    return Sum([Number(leaf.item - point, wide) for (leaf,) in leaves], wide, state)


def refuse(accumulation: Accumulation, what: str) -> None:
    """Raise `Unsupported` for an accumulation that names an arithmetic; the order alone is of any body."""
    if not accumulation.is_plain:
        raise Unsupported(f"{what} in the accumulation {accumulation!r}", "expected an order alone")

"""Tables of quantized types: the scale and the zero point of every element, and where they change.

A type with one scale is one block, and a type with scales along dimension d has blocks of 1 along d. So what
is asked of a table needs no cases.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import prod
from typing import Any, NamedTuple

from spec.formats import round_all
from spec.ir import Op
from spec.quantized import QuantizedType
from spec.types import TensorType

Parameter = tuple[float, int]


class Table(NamedTuple):
    """The scale and the zero point of every element, in blocks of one size along each dimension.

    A type with one scale is one block, and a type with scales along dimension d has blocks of 1 along d.
    """

    sizes: tuple[int, ...]
    counts: tuple[int, ...]
    parameters: tuple[Parameter, ...]

    def at(self, index: Sequence[int]) -> Parameter:
        """Return the parameters of an element."""
        flat = 0
        for i, size, count in zip(index, self.sizes, self.counts, strict=True):
            flat = flat * count + i // size
        return self.parameters[flat]

    def is_constant_along(self, d: int) -> bool:
        """Return whether no parameter changes along a dimension."""
        return _is_constant(self.parameters, self.counts, d)

    def changes_along(self, d: int) -> bool:
        """Return whether a scale changes along a dimension."""
        return not _is_constant([scale for scale, _ in self.parameters], self.counts, d)


def _is_constant(numbers: Sequence[Any], counts: Sequence[int], d: int) -> bool:
    """Return whether an array of this shape, in row-major order, is constant along a dimension."""
    after = prod(counts[d + 1 :])
    step = after * counts[d]
    return all(
        numbers[start : start + after] == numbers[start + k : start + k + after]
        for start in range(0, len(numbers), step)
        for k in range(after, step, after)
    )


@lru_cache(maxsize=64)
def table(type: TensorType) -> Table:
    """Return the table of a tensor with a quantized type that satisfies C1 to C13 and S1 to S9."""
    element, sizes = type.quantized_element_type, [max(n, 1) for n in type.shape]
    if element.block_sizes is not None:
        sizes = [dict(element.block_sizes).get(axis, n) for axis, n in enumerate(sizes)]
    elif element.quantization_dimension is not None:
        sizes[element.quantization_dimension] = 1
    counts = tuple(max(n, 1) // size for n, size in zip(type.shape, sizes, strict=True))
    return Table(tuple(sizes), counts, tuple(zip(scales(element), element.zero_points, strict=True)))


def scales(type: QuantizedType) -> tuple[float, ...]:
    """Return the scales of a type as its expressed type holds them."""
    return round_all(type.scales, type.expressed_type)


def summed_dimensions(op: Op, side: int) -> tuple[int, ...]:
    """Return the dimensions of an operand of a contraction that are summed over."""
    if op.name == "stablehlo.dot_general":
        found: tuple[int, ...] = op[("lhs_contracting_dimensions", "rhs_contracting_dimensions")[side]]
        return found
    names = ("input_spatial", "input_feature"), ("kernel_spatial", "kernel_input_feature")
    spatial, feature = names[side]
    return (*op[f"{spatial}_dimensions"], op[f"{feature}_dimension"])


def changes_along_sums(op: Op) -> bool:
    """Return whether a scale of an operand with blocks changes along the sums of a contraction."""
    for side, value in enumerate(op.operands[:2]):
        element: Any = value.type.element_type
        if isinstance(element, QuantizedType) and element.block_sizes is not None:
            known = table(value.type)
            if any(known.changes_along(d) for d in summed_dimensions(op, side)):
                return True
    return False

"""Factors stored in 8 bits, which machine code dequantizes: weights where it lays them out.

THEOREM: the specification demands zero points of 0 of weights. f32 holds a stored number of 8 bits, also less
a zero point, so that one rounded product with the scale is what `dequantize` gives.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import NamedTuple

import numpy as np

from interp.backends import Array, Namespace
from interp.engine.quant import dequantize, round_parameters
from interp.theory.factor_ranges import contracting
from spec.ir import Op
from spec.types import ElementType, QuantizedType

Lazy = tuple[Array, Callable[[Array], Array]]  # a stored operand, and a function that gives its numbers

MOST = 2.0**100  # a scale of which no stored number becomes infinite


class Weights(NamedTuple):
    """Stored right factors, the scales of their columns, and `dequantize` for them.

    The last scale is that of left factors, as is the zero point, which is None if machine code does not
    dequantize them.
    """

    stored: Array
    scales: np.ndarray
    dequantized: Callable[[Array], Array]
    zero_point: int | None


def weights_of(xp: Namespace, op: Op, rhs: Array, element: ElementType) -> Weights | None:
    """Return the right factors of a contraction as stored, where machine code can dequantize them."""
    type, shape = op.operands[1].type.element_type, op.operands[1].type.shape
    if not isinstance(type, QuantizedType) or type.storage_type.name != "i8" or type.block_sizes:
        return None
    scales, names = round_parameters(type).scales, {type.expressed_type.name, element.name}
    if names != {"f32"} or any(type.zero_points) or not max(scales) < MOST:
        return None
    columns = prod(size for d, size in enumerate(shape) if d not in contracting(op))
    if len(scales) not in (1, columns) or type.quantization_dimension in contracting(op):
        return None
    scale, zero_point = _left_parameters(op.operands[0].type.element_type)
    every = np.array([*np.broadcast_to(scales, columns), scale], np.float32)
    return Weights(rhs, every, lambda x: dequantize(xp, x, type), zero_point)


def _left_parameters(type: object) -> tuple[float, int | None]:
    """Return the scale and the zero point of left factors, as in `Weights`."""
    other = float("inf"), None
    if not isinstance(type, QuantizedType) or not type.is_per_tensor:
        return other
    (scale,), storage = round_parameters(type).scales, type.storage_type
    if storage.name != "i8" or type.expressed_type.name != "f32" or not scale < MOST:
        return other
    return scale, type.zero_point

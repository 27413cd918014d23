"""The integer reading of quantized elements, literally: unbounded integers, and exact quotients of scales."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from spec.accumulator import Accumulator, Reading
from spec.formats import round_to, wrap
from spec.ir import Op
from spec.meaning import requantization as recipes
from spec.meaning.index import Index, Tensor, build
from spec.meaning.notation import (
    Element,
    quantized_element_type,
    scale_at,
    to_destination_type,
    zero_point_at,
)
from spec.meaning.numbers import rne
from spec.readings import conversion_error
from spec.types import QuantizedType, TensorType


def integer_at(x: Tensor, index: Sequence[int]) -> int:
    """Return m = q - zero_point."""
    return int(x[index]) - zero_point_at(x.type, index)


def exact_scale(type: TensorType, index: Sequence[int]) -> Fraction:
    """Return the scale, fl of the binary64 that the type holds, as an exact number."""
    return Fraction(scale_at(type, index))


def store(m: int, type: TensorType, index: Sequence[int]) -> int:
    """Return the stored element for m; a result saturates."""
    element = quantized_element_type(type)
    return min(max(m + zero_point_at(type, index), element.storage_min), element.storage_max)


def rescale(m: int, source: Fraction, target: Fraction) -> int:
    """Return m in units of another scale: the exact quotient, rounded once half to even, not clamped."""
    return rne(m * source / target)


def hold(value: int, accumulator: Accumulator) -> int:
    """Return a sum as an accumulator holds it, wrapped or clamped."""
    low, high = accumulator.type.min_value, accumulator.type.max_value
    return min(max(value, low), high) if accumulator.saturates else wrap(value, accumulator.type)


def requantize(
    total: int, scales: tuple[Fraction, Fraction], type: TensorType, index: Index, reading: Reading, op: Op
) -> int:
    """Return the stored element for an accumulator of zero point 0 and the product of two scales.

    The reading's recipe says how. An accumulator is stored unchanged if the result has its type, zero point 0
    and the same rounded scale.
    """
    accumulator, (lhs, rhs) = reading.accumulator, scales
    element = quantized_element_type(type)
    alike = round_to(lhs * rhs, element.expressed_type) == scale_at(type, index)
    if alike and element.storage_type == accumulator.type and zero_point_at(type, index) == 0:
        return store(total, type, index)
    return by_recipe(reading.recipe, total, scales, type, index, accumulator.bits, op.name)


def by_recipe(
    recipe: str,
    m: int,
    sources: tuple[Fraction, ...],
    type: TensorType,
    index: Sequence[int],
    bits: int,
    kernel: str = "",
) -> int:
    """Return the stored element for an integer in units of one or two scales."""
    place = exact_scale(type, index), zero_point_at(type, index), quantized_element_type(type)
    return recipes.requantize(recipe, recipes.Rescaling(m, sources, *place, bits, kernel))


def requantize_tensor(x: Tensor, type: TensorType, recipe: str) -> Tensor:
    """Return the elements of x requantized to another type."""
    refuse(recipe, x.type, type)
    bits = quantized_element_type(x.type).storage_type.bits

    def element(i: Index) -> int:
        return by_recipe(recipe, integer_at(x, i), (exact_scale(x.type, i),), type, i, bits)

    return build(type, element)


def refuse(recipe: str, source: TensorType, type: TensorType) -> None:
    """Raise the error of a requantization that a recipe does not define."""
    if error := conversion_error(recipe, quantized_element_type(source), quantized_element_type(type)):
        raise error


def entering(x: Tensor, element_type: Element, reading: Reading) -> Tensor:
    """Return x as a tensor of another element type: the conversion of a reduction's operands and results."""
    both = isinstance(element_type, QuantizedType) and x.type.is_quantized
    if not (reading.is_integer and both) or x.type.element_type == element_type:
        return to_destination_type(x, element_type)
    type = TensorType(x.type.shape, element_type)

    def element(i: Index) -> int:
        m, source = integer_at(x, i), exact_scale(x.type, i)
        if source == exact_scale(type, i):
            return store(m, type, i)
        refuse(reading.recipe, x.type, type)
        bits = quantized_element_type(x.type).storage_type.bits
        return by_recipe(reading.recipe, m, (source,), type, i, bits)

    return build(type, element)


def with_scales(x: Tensor) -> Tensor:
    """Return the integers of a tensor, each with its scale."""
    pair = lambda i: (integer_at(x, i), exact_scale(x.type, i))
    return build(x.type, pair)


def elementwise(
    x: Sequence[Tensor],
    type: TensorType,
    function: Callable[..., Any],
    rescale: Callable[[int, Fraction, Fraction], int] = rescale,
) -> Tensor:
    """Return `function` of the operands' integers in units of the result's scale.

    An operand that is not quantized is used unchanged. An operand of rank 0 is used for every index.
    """

    def integer(operand: Tensor, i: Index) -> Any:
        at = i if operand.type.rank else Index()
        if not operand.type.is_quantized:
            return operand[at]
        m = integer_at(operand, at)
        return rescale(m, exact_scale(operand.type, at), exact_scale(type, i)) if type.is_quantized else m

    def element(i: Index) -> Any:
        result = function(*(integer(operand, i) for operand in x))
        return store(result, type, i) if type.is_quantized else result

    return build(type, element)

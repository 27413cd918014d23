"""Operations in the integer reading: elementwise ones on m = q - zero_point, and sums of products of m."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from spec.accumulator import Reading
from spec.integer_reading import has_equal_scales
from spec.ir import Op
from spec.meaning import conversion
from spec.meaning.by_recipe import RULES, compute_dequantized
from spec.meaning.context import Context, Meaning, Results
from spec.meaning.elementwise import RELATIONS
from spec.meaning.index import Index, Tensor, build, index_space
from spec.meaning.integer_arithmetic import (
    hold,
    requantize_tensor,
    elementwise,
    exact_scale,
    integer_at,
    requantize,
)
from spec.meaning.notation import fold
from spec.meaning.sums import Number, Product, Sum, Term
from spec.recipe_scope import out_of_scope
from spec.recipes import EXACT, ONNX, SPECIFICATION
from spec.types import ElementType, integer


def on_integers(function: Callable[..., int]) -> Meaning:
    """Return the op whose result is a function of integers, all in units of the result's scale.

    Operands of another scale are rescaled as the recipe says.
    """

    def meaning(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
        refuse_out_of_scope(op, context.reading)
        recipe = context.reading.recipe
        if recipe == EXACT or has_equal_scales(op):
            return (elementwise(operands, op.result.type, function),)
        return RULES[recipe][op.name.removeprefix("stablehlo.")](function, op, operands, context)

    return meaning


def uniform_quantize(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result = operand, requantized by the recipe"""
    refuse_out_of_scope(op, context.reading)
    if context.reading.recipe == SPECIFICATION:
        return conversion.uniform_quantize(op, operands, context)
    return (requantize_tensor(operands[0], op.result.type, context.reading.recipe),)


def refuse_out_of_scope(op: Op, reading: Reading) -> None:
    """Raise the error of an operation that the recipe does not define."""
    if error := out_of_scope(op, reading):
        raise error


def compare(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """lhs = rhs, lhs < rhs, ... of integers of equal parameters"""
    return (elementwise(operands, op.result.type, RELATIONS[op["comparison_direction"]]),)


def multiply_integers(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """accumulator(m_lhs * m_rhs), requantized"""
    lhs, rhs = operands
    refuse_out_of_scope(op, context.reading)
    if context.reading.recipe == ONNX:
        return compute_dequantized(lambda x, y: x * y, op, operands, context)
    accumulator, type, reading = context.reading.accumulator, op.result.type, context.reading

    def element(i: Index) -> int:
        product = hold(integer_at(lhs, i) * integer_at(rhs, i), accumulator)
        scales = exact_scale(lhs.type, i), exact_scale(rhs.type, i)
        return requantize(product, scales, type, i, reading, op)

    return (build(type, element),)


def contract(op: Op, context: Context, factors: Callable[[Index], Iterable[Any]]) -> Tensor:
    """Return result[i] = fold(add, [0] + products of factors(i)), requantized.

    A factor is an integer with its scale, or None in the padding, whose products are zero. Every sum is
    wrapped or clamped by the accumulator.
    """
    refuse_out_of_scope(op, context.reading)
    accumulator, type, reading = context.reading.accumulator, op.result.type, context.reading
    wide = integer(64, True)

    def element(i: Index) -> int:
        pairs = list(factors(i))
        products = (0 if lhs is None else lhs[0] * rhs[0] for lhs, rhs in pairs)
        leaves = [(0,), *((product,) for product in products)]
        body = lambda x, y: (hold(x + y, accumulator),)
        terms = [Number(0, wide), *(_term(lhs, rhs, wide) for lhs, rhs in pairs)]
        sum = Sum(terms, accumulator.type, lambda total: (total,), accumulator.saturates)
        (total,) = fold(body, leaves, [True] * len(leaves), context.schedule, True, sum)
        scales = [(lhs[1], rhs[1]) for lhs, rhs in pairs if lhs is not None]
        nothing = Fraction(1, 2), exact_scale(type, i)  # any scales: the sum is 0
        return requantize(total, scales[0] if scales else nothing, type, i, reading, op)

    return Tensor(type, tuple(element(i) for i in index_space(type.shape)))


def _term(lhs: Any, rhs: Any, type: ElementType) -> Term:
    """Return a product of integers as a term of a sum; one of the padding is zero."""
    return Number(0, type) if lhs is None else Product(Number(lhs[0], type), Number(rhs[0], type))


INTEGER_MEANINGS: dict[str, Meaning] = {
    "stablehlo.abs": on_integers(abs),
    "stablehlo.add": on_integers(lambda x, y: x + y),
    "stablehlo.clamp": on_integers(lambda low, x, high: min(max(x, low), high)),
    "stablehlo.compare": compare,
    "stablehlo.maximum": on_integers(max),
    "stablehlo.minimum": on_integers(min),
    "stablehlo.multiply": multiply_integers,
    "stablehlo.negate": on_integers(lambda x: -x),
    "stablehlo.select": on_integers(lambda pred, on_true, on_false: on_true if pred else on_false),
    "stablehlo.subtract": on_integers(lambda x, y: x - y),
    "stablehlo.uniform_quantize": uniform_quantize,
}

"""Operations in the integer reading: elementwise ones on m = q - zero_point, and sums of products of m."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from spec.accumulation import Accumulation
from spec.accumulator import Reading
from spec.errors import Unsupported
from spec.formats import round_to
from spec.integer_reading import has_equal_scales, sums_blocks
from spec.ir import Op
from spec.meaning import conversion, numbers
from spec.meaning import requantization as fixed
from spec.meaning.elementwise import MEANINGS, RELATIONS
from spec.meaning.index import Context, Index, Meaning, Order, Results, Tensor, build, index_space
from spec.meaning.integer_arithmetic import (
    by_recipe,
    elementwise,
    exact_scale,
    hold,
    integer_at,
    refuse,
    requantize,
    requantize_tensor,
    store,
)
from spec.meaning.notation import fold, quantize_element, quantized_element_type, scale_at, zero_point_at
from spec.meaning.numbers import divide, multiply, rne, subtract
from spec.meaning.requantization import F32, F64, in_f32, multiplier_of_f32, times_scales, whole
from spec.meaning.sums import Number, Product, Sum, Term, exact
from spec.multipliers import Multipliers, has_multipliers, multipliers_in
from spec.readings import out_of_scope
from spec.recipes import (
    EXACT,
    FLOAT,
    IN_ONNX,
    LARGEST_RATIO,
    ONNX,
    ONNXRUNTIME,
    QWIX,
    SPECIFICATION,
    TFLITE_DOUBLE,
    TFLITE_SINGLE,
    TOSA,
    beyond,
)
from spec.types import ElementType, TensorType, integer

# Elementwise operations on operands of several scales, by the recipes of other systems, literally.

Integer = Callable[..., int]
REAL: dict[str, Callable[..., float]] = {
    "abs": numbers.absolute,
    "add": numbers.add,
    "clamp": lambda low, x, high, T: numbers.minimum(numbers.maximum(x, low, T), high, T),
    "maximum": numbers.maximum,
    "minimum": numbers.minimum,
    "multiply": numbers.multiply,
    "negate": numbers.negate,
    "select": lambda pred, on_true, on_false, T: on_true if pred else on_false,
    "subtract": numbers.subtract,
}


def rescaled_apart(function: Integer, op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """Return `function` of the operands, each rescaled by the recipe `float`."""

    def rescale(m: int, source: Any, target: Any) -> int:
        return whole(multiply(round_to(m, F32), multiplier_of_f32((source,), target), F32))

    return (elementwise(operands, op.result.type, function, rescale),)


def as_specified(function: Integer, op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """dequantize_op_quantize"""
    return MEANINGS[op.name](op, operands, context)


def compute_dequantized(function: Integer, op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """QuantizeLinear(op(DequantizeLinear(operands)...)): the zero point is added after rounding."""
    type, real = op.result.type, REAL[op.name.removeprefix("stablehlo.")]

    def number(x: Tensor, i: Index) -> Any:
        at = i if x.type.rank else Index()
        if not x.type.is_quantized:
            return x[at]
        return multiply(round_to(integer_at(x, at), F32), in_f32(exact_scale(x.type, at)), F32)

    def element(i: Index) -> int:
        y = real(*(number(x, i) for x in operands), F32)
        return store(whole(divide(y, in_f32(exact_scale(type, i)), F32)), type, i)

    return (build(type, element),)


def add_by_ratios(function: Integer, op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """rne(fma(lhs, r_l, fma(rhs, r_r, c))), c = zp - fma(r_l, zp_l, r_r * zp_r), in f32; r = s / s_y."""
    lhs, rhs, type = *operands, op.result.type
    s_l, s_r, s_y = (in_f32(exact_scale(t, [0] * t.rank)) for t in (lhs.type, rhs.type, type))
    r_l, r_r = divide(s_l, s_y, F32), divide(s_r, s_y, F32)
    if max(r_l, r_r) > LARGEST_RATIO:
        raise beyond(f"the scales of operands and result have the ratio {max(r_l, r_r)!r}", "at most 2^22")
    zp_l, zp_r, zp = (zero_point_at(t, [0] * t.rank) for t in (lhs.type, rhs.type, type))
    constant = subtract(zp, multiply_add(r_l, zp_l, multiply(r_r, zp_r, F32)), F32)
    limits = type.quantized_element_type

    def element(i: Index) -> int:
        total = rne(multiply_add(lhs[i], r_l, multiply_add(rhs[i], r_r, constant)))
        return min(max(total, limits.storage_min), limits.storage_max)

    return (build(type, element),)


def multiply_add(x: float, y: float, addend: float) -> float:
    """Return x * y + addend, rounded once to f32."""
    return round_to(Fraction(x) * Fraction(y) + Fraction(addend), F32)


def after_absolute(function: Integer, op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """Return |m|, then requantized."""
    (x,), type = operands, op.result.type
    bits, recipe = x.type.quantized_element_type.storage_type.bits, context.reading.recipe
    refuse(recipe, x.type, type)

    def element(i: Index) -> int:
        return by_recipe(recipe, abs(integer_at(x, i)), (exact_scale(x.type, i),), type, i, bits, op.name)

    return (build(type, element),)


def in_fixed_point(function: Integer, op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """Return `function` of operands in finer units of the larger scale, each rounded, then rescaled."""
    type, recipe = op.result.type, context.reading.recipe
    held = float if recipe == TOSA else in_f32
    s_l, s_r, s_y = (held(exact_scale(t, [0] * t.rank)) for t in (*(x.type for x in operands), type))
    finer = 2.0 ** (20 if type.storage_type.bits == 8 else 15)
    doubled = recipe != TOSA or op.name in ("stablehlo.add", "stablehlo.subtract")
    unit = (2 if doubled else 1) * max(s_l, s_r)
    enter, leave = TWO_INPUTS[recipe]

    def element(i: Index) -> int:
        pairs = zip(operands, (s_l, s_r), strict=True)
        x, y = (enter(integer_at(t, i), divide(s, unit, F64), int(finer)) for t, s in pairs)
        return store(leave(function(x, y), divide(unit, s_y * finer, F64)), type, i)

    return (build(type, element),)


def tosa(m: int, real: float, finer: int = 1) -> int:
    return fixed.apply_scale(m, *fixed.multiplier_and_shift(real * finer, 31), 31)


def tflite(rounded: Integer) -> tuple[Integer, Integer]:
    enter = lambda m, real, finer: rounded(m * finer, *fixed.quantized_multiplier(real))
    return enter, lambda m, real: rounded(m, *fixed.below_one(real))


TWO_INPUTS: dict[str, tuple[Integer, Integer]] = {
    TFLITE_SINGLE: tflite(fixed.singly_rounded),
    TFLITE_DOUBLE: tflite(fixed.doubly_rounded),
    TOSA: (tosa, tosa),
}
Rule = Callable[[Integer, Op, Sequence[Tensor], Context], Results]
RULES: dict[str, dict[str, Rule]] = {
    SPECIFICATION: dict.fromkeys(REAL, as_specified),
    FLOAT: dict.fromkeys(REAL, rescaled_apart),
    ONNX: dict.fromkeys(REAL, compute_dequantized),
    ONNXRUNTIME: {**dict.fromkeys(REAL, compute_dequantized), "add": add_by_ratios},
    TFLITE_SINGLE: {"abs": after_absolute, "add": in_fixed_point, "subtract": in_fixed_point},
    TFLITE_DOUBLE: {"abs": after_absolute, "add": in_fixed_point, "subtract": in_fixed_point},
    TOSA: {"abs": after_absolute, **dict.fromkeys(("add", "maximum", "minimum", "subtract"), in_fixed_point)},
}


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
    if has_multipliers(op):
        return (by_multipliers(op, operands[0], multipliers_in(op)),)
    if context.reading.recipe == SPECIFICATION:
        return conversion.uniform_quantize(op, operands, context)
    return (requantize_tensor(operands[0], op.result.type, context.reading.recipe),)


def by_multipliers(op: Op, x: Tensor, known: Multipliers) -> Tensor:
    """Return clamp(round(m * multiplier * 2^(shift - 31)) + zero_point), as the program says."""

    def element(i: Index) -> int:
        k = 0 if known.axis is None else i[known.axis]
        m = fixed.times(integer_at(x, i), known.multipliers[k], known.shifts[k], known.rounding)
        return store(m, op.result.type, i)

    return build(op.result.type, element)


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
    if context.reading.recipe in IN_ONNX:
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
    wrapped or clamped by the accumulator. Where scales change along the sum, it is one of blocks:
    quantize(fold(add, [0] + [fl(sum of a block * lhs scale * rhs scale), ...])). The accumulation
    `scales(within; across)` has one order and arithmetic for a block, and one for the sums of blocks.
    """
    refuse_out_of_scope(op, context.reading)
    type, reading, across = op.result.type, context.reading, context.schedule
    if isinstance(across, Accumulation) and across.is_by_scales:
        context, across = context._replace(schedule=across.within), across.across
    elif isinstance(across, Accumulation) and sums_blocks(op):
        raise Unsupported(f"{across!r} of sums by blocks", "expected scales(...; ...)", op.location)
    every = {i: list(factors(i)) for i in index_space(type.shape)}
    starts = sorted({0}.union(*map(_changes, every.values())))

    def element(i: Index) -> int:
        pairs = every[i]
        ends = [*starts[1:], len(pairs)]
        blocks = [pairs[first:last] for first, last in zip(starts, ends, strict=True)]
        if len(blocks) == 1:
            nothing = Fraction(1, 2), exact_scale(type, i)  # any scales: the sum is 0
            return requantize(_block_sum(pairs, context), _scales(pairs) or nothing, type, i, reading, op)
        return _sum_of_blocks(blocks, type, i, context, across)

    return Tensor(type, tuple(element(i) for i in every))


def _changes(pairs: Sequence[Any]) -> set[int]:
    """Return the positions at which the scale of either factor is another one than that before it."""
    found: set[int] = set()
    for side in (0, 1):
        last = None
        for k, pair in enumerate(pairs):
            if pair[side] is not None and last is not None and pair[side][1] != last:
                found.add(k)
            last = last if pair[side] is None else pair[side][1]
    return found


def _scales(pairs: Sequence[Any]) -> tuple[Fraction, Fraction] | None:
    """Return the scales of both factors, which all pairs of a block share, or None if all are padding."""
    return next(((lhs[1], rhs[1]) for lhs, rhs in pairs if lhs is not None), None)


def _block_sum(pairs: Sequence[Any], context: Context) -> int:
    """Return fold(add, [0] + products) in the accumulator."""
    accumulator, wide = context.reading.accumulator, integer(64, True)
    leaves = [(0,), *((0 if lhs is None else lhs[0] * rhs[0],) for lhs, rhs in pairs)]
    body = lambda x, y: (hold(x + y, accumulator),)
    terms = [Number(0, wide), *(_term(lhs, rhs, wide) for lhs, rhs in pairs)]
    sum = Sum(terms, accumulator.type, lambda total: (total,), accumulator.saturates)
    (total,) = fold(body, leaves, [True] * len(leaves), context.schedule, True, sum)
    return int(total)


def _sum_of_blocks(blocks: Sequence[Any], type: TensorType, i: Index, context: Context, across: Order) -> int:
    """Return quantize(fold(add, [0] + scaled sums of blocks)).

    A scaled sum is rounded once, or by the recipe `qwix` three times. Otherwise it is a product, of a sum
    and the product of its scales, that enters a node of `across` as products do.
    """
    element, recipe = quantized_element_type(type), context.reading.recipe
    T = element.expressed_type
    leaves: list[tuple[float]] = [(0.0,)]
    terms: list[Term] = [Number(0, T)]
    for pairs in blocks:
        lhs, rhs = _scales(pairs) or (Fraction(0), Fraction(0))
        sum = _any_sum(pairs, context)
        term: Term = Product(sum, Number(lhs * rhs, F64))
        if recipe == QWIX:
            term = Number(times_scales(sum.value, (lhs, rhs), T), T)
        leaves.append((round_to(exact(term), T),))
        terms.append(term)
    body = lambda x, y: (numbers.add(x, y, T),)
    adding = Sum(terms, T, lambda total: (total,))
    (total,) = fold(body, leaves, [True] * len(leaves), across, True, adding)
    return quantize_element(total, element, scale_at(type, i), zero_point_at(type, i))


def _any_sum(pairs: Sequence[Any], context: Context) -> Number:
    """Return the sum of a block in the type of its last node: an integer, or a float."""
    if not isinstance(context.schedule, Accumulation):
        return Number(_block_sum(pairs, context), context.reading.accumulator.type)
    along = context.schedule.in_accumulator(context.reading.accumulator)
    wide = integer(64, True)
    terms = [Number(0, wide), *(_term(lhs, rhs, wide) for lhs, rhs in pairs)]
    last = along.tree(len(terms)).nodes[-1].arithmetic.element_type
    assert last
    sum = Sum(terms, last, lambda total: (total,))
    (total,) = fold(lambda *_: (), [(0,)] * len(terms), [True] * len(terms), along, True, sum)
    return Number(total, last)


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

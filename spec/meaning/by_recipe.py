"""Elementwise operations on operands of several scales, by the recipes of other systems, literally."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from spec.formats import round_to
from spec.ir import Op
from spec.meaning import fixed_point as fixed
from spec.meaning import numbers
from spec.meaning.context import Context, Results
from spec.meaning.elementwise import MEANINGS
from spec.meaning.index import Index, Tensor, build
from spec.meaning.integer_arithmetic import by_recipe, elementwise, exact_scale, integer_at, refuse, store
from spec.meaning.numbers import divide, multiply
from spec.meaning.requantization import F32, F64, in_f32, multiplier_of_f32, whole
from spec.recipes import FLOAT, ONNX, SPECIFICATION, TFLITE_DOUBLE, TFLITE_SINGLE, TOSA

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
    TFLITE_SINGLE: {"abs": after_absolute, "add": in_fixed_point, "subtract": in_fixed_point},
    TFLITE_DOUBLE: {"abs": after_absolute, "add": in_fixed_point, "subtract": in_fixed_point},
    TOSA: {"abs": after_absolute, **dict.fromkeys(("add", "maximum", "minimum", "subtract"), in_fixed_point)},
}

"""Elementwise ops: one function per kind of element; quantized ones by `dequantize_op_quantize`."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from typing import Any

from spec.errors import Unsupported
from spec.ir import Op
from spec.meaning import complexes, integers, numbers, transcendental
from spec.meaning.index import Context, Meaning, Results, Tensor
from spec.meaning.notation import dequantize_op_quantize, expressed_type
from spec.types import ElementType

# An op on elements of each kind: boolean, integer, float, complex. It takes the elements, then their type.
Functions = Mapping[str, Callable[..., Any]]

ADD: Functions = {
    "boolean": integers.either,
    "integer": integers.add,
    "float": numbers.add,
    "complex": complexes.add,
}
MULTIPLY: Functions = {
    "boolean": integers.both,
    "integer": integers.multiply,
    "float": numbers.multiply,
    "complex": complexes.multiply,
}
MAXIMUM: Functions = {
    "boolean": integers.maximum,
    "integer": integers.maximum,
    "float": numbers.maximum,
    "complex": complexes.maximum,
}
MINIMUM: Functions = {
    "boolean": integers.minimum,
    "integer": integers.minimum,
    "float": numbers.minimum,
    "complex": complexes.minimum,
}
RELATIONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "EQ": operator.eq,
    "NE": operator.ne,
    "GE": operator.ge,
    "GT": operator.gt,
    "LE": operator.le,
    "LT": operator.lt,
}


def kind(type: ElementType) -> str:
    """Return the kind of element, a key of `Functions`."""
    return "integer" if type.is_integer else type.kind


def apply(op: Op, operands: Sequence[Tensor], functions: Functions) -> Results:
    """result[i] = function(operands...[i]); an operand of rank 0 is used for every i."""

    def on_floats(*tensors: Tensor) -> Tensor:
        type = tensors[-1].type.storage_type
        if kind(type) not in functions:
            raise Unsupported(
                f"{op.name} on {type!r} has no meaning here",
                f"it has one on: {', '.join(functions)}",
                op.location,
            )
        result_type = expressed_type(op.result.type)
        columns = [x.elements if x.type.rank else x.elements * result_type.size for x in tensors]
        rows = zip(*columns, strict=True)
        return Tensor(result_type, tuple(functions[kind(type)](*row, type) for row in rows))

    return (dequantize_op_quantize(on_floats, *operands, result_type=op.result.type),)


def elementwise(**functions: Callable[..., Any]) -> Meaning:
    """Return the op that applies one function per kind of element."""
    return lambda op, operands, context: apply(op, operands, functions)


def real_or_complex(name: str, **others: Callable[..., Any]) -> Meaning:
    """Return the op of the functions with this name in the files for floats and for complex numbers."""
    functions = {"float": getattr(transcendental, name), "complex": getattr(complexes, name)}
    return elementwise(**others, **functions)


def compare(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """lhs = rhs, lhs < rhs, ...; TOTALORDER compares by `totalOrder`; complex numbers lexicographically."""
    relation = RELATIONS[op["comparison_direction"]]
    total = op.attributes.get("compare_type") == "TOTALORDER"

    def plain(x: Any, y: Any, type: ElementType) -> bool:
        return relation(x, y)

    def floats(x: float, y: float, type: ElementType) -> bool:
        return relation(numbers.total_order(x), numbers.total_order(y)) if total else relation(x, y)

    def pairs(x: complex, y: complex, type: ElementType) -> bool:
        return relation(x.imag, y.imag) if x.real == y.real else relation(x.real, y.real)

    return apply(op, operands, {"boolean": plain, "integer": plain, "float": floats, "complex": pairs})


def select(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """pred_element ? on_true[result_index] : on_false[result_index]"""
    choose = lambda pred, on_true, on_false, type: on_true if pred else on_false
    return apply(op, operands, dict.fromkeys(("boolean", "integer", "float", "complex"), choose))


def clamp(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """minimum(maximum(operand[result_index], min_element), max_element)"""

    def between(kind: str) -> Callable[..., Any]:
        maximum, minimum = MAXIMUM[kind], MINIMUM[kind]
        return lambda low, x, high, type: minimum(maximum(x, low, type), high, type)

    return apply(op, operands, {kind: between(kind) for kind in MAXIMUM})


def reduce_precision(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """Return the operand rounded to a format of `exponent_bits` and `mantissa_bits`."""
    bits = op["exponent_bits"], op["mantissa_bits"]
    return apply(op, operands, {"float": lambda x, type: numbers.reduce_precision(x, *bits, type)})


MEANINGS: dict[str, Meaning] = {
    "stablehlo.abs": elementwise(
        integer=integers.absolute, float=numbers.absolute, complex=complexes.absolute
    ),
    "stablehlo.add": elementwise(**ADD),
    "stablehlo.and": elementwise(boolean=integers.both, integer=integers.both),
    "stablehlo.atan2": real_or_complex("atan2"),
    "stablehlo.cbrt": real_or_complex("cbrt"),
    "stablehlo.ceil": elementwise(float=numbers.round_toward_positive),
    "stablehlo.clamp": clamp,
    "stablehlo.compare": compare,
    "stablehlo.complex": elementwise(float=lambda lhs, rhs, type: complex(lhs, rhs)),
    "stablehlo.cosine": real_or_complex("cosine"),
    "stablehlo.count_leading_zeros": elementwise(integer=integers.count_leading_zeros),
    "stablehlo.divide": elementwise(integer=integers.divide, float=numbers.divide, complex=complexes.divide),
    "stablehlo.exponential": real_or_complex("exponential"),
    "stablehlo.exponential_minus_one": real_or_complex("exponential_minus_one"),
    "stablehlo.floor": elementwise(float=numbers.round_toward_negative),
    "stablehlo.imag": elementwise(float=lambda x, type: 0.0, complex=lambda x, type: x.imag),
    "stablehlo.is_finite": elementwise(float=lambda x, type: isfinite(x)),
    "stablehlo.log": real_or_complex("log"),
    "stablehlo.log_plus_one": real_or_complex("log_plus_one"),
    "stablehlo.logistic": real_or_complex("logistic"),
    "stablehlo.maximum": elementwise(**MAXIMUM),
    "stablehlo.minimum": elementwise(**MINIMUM),
    "stablehlo.multiply": elementwise(**MULTIPLY),
    "stablehlo.negate": elementwise(integer=integers.negate, float=numbers.negate, complex=complexes.negate),
    "stablehlo.not": elementwise(boolean=lambda x, type: not x, integer=integers.complement),
    "stablehlo.or": elementwise(boolean=integers.either, integer=integers.either),
    "stablehlo.popcnt": elementwise(integer=integers.popcnt),
    "stablehlo.power": real_or_complex("power", integer=integers.power),
    "stablehlo.real": elementwise(float=lambda x, type: x, complex=lambda x, type: x.real),
    "stablehlo.reduce_precision": reduce_precision,
    "stablehlo.remainder": elementwise(integer=integers.remainder, float=numbers.remainder),
    "stablehlo.round_nearest_afz": elementwise(float=numbers.round_ties_to_away),
    "stablehlo.round_nearest_even": elementwise(float=numbers.round_ties_to_even),
    "stablehlo.rsqrt": real_or_complex("rsqrt"),
    "stablehlo.select": select,
    "stablehlo.shift_left": elementwise(integer=integers.shift_left),
    "stablehlo.shift_right_arithmetic": elementwise(integer=integers.shift_right_arithmetic),
    "stablehlo.shift_right_logical": elementwise(integer=integers.shift_right_logical),
    "stablehlo.sign": elementwise(integer=integers.sign, float=numbers.sign, complex=complexes.sign),
    "stablehlo.sine": real_or_complex("sine"),
    "stablehlo.sqrt": real_or_complex("sqrt"),
    "stablehlo.subtract": elementwise(
        integer=integers.subtract, float=numbers.subtract, complex=complexes.subtract
    ),
    "stablehlo.tan": real_or_complex("tan"),
    "stablehlo.tanh": real_or_complex("tanh"),
    "stablehlo.xor": elementwise(boolean=integers.differ, integer=integers.differ),
}

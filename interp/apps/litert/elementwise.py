"""Elementwise operators on two operands, comparisons, and conversions between types."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial

import numpy as np

from interp.apps.litert import fixed_point as fixed
from interp.apps.litert.node import (
    F32,
    I1,
    I8,
    I16,
    I32,
    I64,
    Build,
    Node,
    Result,
    accumulator_type,
    differences,
    storage_of,
    with_element,
)
from spec.faults import NAME
from spec.ir import Value
from spec.types import QuantizedType, TensorType


def is_quantized(n: Node) -> bool:
    return isinstance(n.out().element, QuantizedType)


def arithmetic(name: str, n: Node) -> Value:
    """Return ADD, SUB or MUL: quantized, the operation itself under the recipe `tflite_double`."""
    x, y = n.b.broadcast_all([n.value(0), n.value(1)])
    if not is_quantized(n):
        return fixed.activate(n, n.b.emit(name, [x, y], x.type))
    type, types = n.result(), [n.quantized_type(k) for k in (0, 1)]
    same = len({t.storage_type for t in (*types, type)}) == 1
    if not same or (name != "multiply" and type.storage_type.bits == 16 and any(t.zero_point for t in types)):
        raise n.unsupported_error(f"{types} to {type!r}", "expected one storage type; of i16, zero points 0")
    if (shifts := shifts_of_powers(n, types, type)) is not None:
        return fixed.activate(n, add_shifted(n, name, (x, y), shifts))
    room = 1 << (15 if type.storage_type.bits == 16 else 20)
    if name != "multiply" and 2 * max(t.scale for t in types) >= room * type.scale:
        return fixed.activate(n, add_beyond(n, name, (x, y), room))
    return fixed.activate(n, n.b.emit(name, [x, y], TensorType(x.type.shape, type)))


def shifts_of_powers(n: Node, types: Sequence[QuantizedType], type: QuantizedType) -> tuple[int, int] | None:
    """Return how far ADD and SUB of i16 shift each operand to the right, if all scales are powers of two.

    One operand must have the result's scale, the other a smaller one, as LiteRT demands.
    """
    if type.storage_type.bits != 16 or not n.content.options.get("powers"):
        return None
    powers = [fixed.nearest_power(t.scale) for t in (*types, type)]
    if None in powers:
        return None
    left, right = (powers[2] - power for power in powers[:2])  # type: ignore[operator]
    return (left, right) if min(left, right) == 0 else None


def add_shifted(n: Node, name: str, operands: Sequence[Value], shifts: Sequence[int]) -> Value:
    """Return the sum or difference of stored numbers, each divided by a power of two first."""
    b, type = n.b, n.result()
    terms = [
        fixed.divide_by_power(b, b.convert(storage_of(b, x), I32), min(shift, 31))
        for x, shift in zip(operands, shifts, strict=True)
    ]
    total = b.binary(name, *terms)
    return fixed.store(b, total, type)


def add_beyond(n: Node, name: str, operands: Sequence[Value], room: int) -> Value:
    """Return the exact sum or difference, rounded half away from zero, of scales that LiteRT cannot take.

    Scales are whole numbers of a power of two; the sums fit 64 bits, else it is refused.
    """
    b, type = n.b, n.result()
    scales = [Fraction(t.scale) for t in (n.quantized_type(0), n.quantized_type(1), type)]
    unit = max(scale.denominator for scale in scales)
    by = [int(scale * unit) for scale in scales]
    if max(by) >= 1 << (61 - type.storage_type.bits):
        raise n.unsupported_error(
            f"{n.content.operator} of scales {list(map(float, scales))}", "expected closer ones"
        )
    terms = [
        b.binary_scalar("multiply", differences(b, v, I64), factor)
        for v, factor in zip(operands, by, strict=False)
    ]
    total = b.binary_scalar("multiply", b.binary(name, *terms), 2)
    half = b.binary_scalar("multiply", b.unary("sign", total), by[2])
    steps = b.binary_scalar("divide", b.binary("add", total, half), 2 * by[2])
    point, storage = type.zero_point, type.storage_type
    whole = b.clamp(storage.min_value - point, steps, storage.max_value - point)
    does = "stops" if name == "add" else "gives other numbers"
    fault = {NAME: f"LiteRT {does} where twice the larger scale is {room} times the result's or more"}
    return fixed.store(b, b.emit("convert", [whole], TensorType(whole.type.shape, I32), (), **fault), type)


def divide(n: Node) -> Value:
    if n.out().element not in (F32, I32):
        raise n.unsupported_error(f"DIV of {n.type(0)!r}", "expected f32 or i32")
    return fixed.activate(n, n.b.binary("divide", n.value(0), n.value(1)))


def squared_difference(n: Node) -> Value:
    """Return (x - y)^2, each operand first in units of 2 * max(scale)."""
    b = n.b
    if not is_quantized(n):
        difference = b.binary("subtract", n.value(0), n.value(1))
        return b.binary("multiply", difference, difference)
    types = [n.quantized_type(k) for k in (0, 1)]
    if n.result().storage_type.bits != 8:
        raise n.unsupported_error(f"squared differences of {n.result()!r}", "expected 8 bits")
    unit = 2 * max(t.scale for t in types)
    finer = []
    for k, type in enumerate(types):
        pair = fixed.quantize_multiplier(n, type.scale / unit)
        finer.append(fixed.doubly_rounded(b, fixed.shift_left(b, differences(b, n.value(k)), 7), pair))
    difference = b.binary("subtract", *finer)
    square = b.binary("multiply", difference, difference)
    last = fixed.quantize_multiplier(n, unit * unit / (float(1 << 14) * n.result().scale))
    return fixed.store(b, fixed.doubly_rounded(b, square, last), n.result())


def extreme(name: str, n: Node) -> Value:
    """Return the larger or smaller of stored numbers, whatever their scales."""
    x, y = n.value(0), n.value(1)
    if x.type.element_type == y.type.element_type == n.out().element:
        return n.b.binary(name, x, y)
    return with_element(n.b, n.b.binary(name, storage_of(n.b, x), storage_of(n.b, y)), n.out().element)


def comparison(direction: str, n: Node) -> Value:
    """Return a comparison: of integers with 8 bits more; i16 are ordered by their stored numbers."""
    types = [n.tensor(k).element for k in (0, 1)]
    is_raw = direction not in ("EQ", "NE") and n.tensor(0).storage == I16
    if is_raw or not any(isinstance(t, QuantizedType) for t in types):
        return n.b.compare(direction, n.storage(0), n.storage(1))
    finer = []
    for k in (0, 1):
        pair = fixed.quantize_multiplier(n, n.quantized_type(k).scale)
        if pair[1] > 0:
            raise n.unsupported_error(
                f"comparison of {n.quantized_type(k)!r}",
                "expected a scale below 1; LiteRT's kernel leaves C++ with others",
            )
        finer.append(fixed.doubly_rounded(n.b, fixed.shift_left(n.b, differences(n.b, n.value(k)), 8), pair))
    return n.b.compare(direction, *finer)


def logical(name: str, n: Node) -> Value:
    return n.b.binary(name, n.value(0), n.value(1))


def logical_not(n: Node) -> Value:
    return n.b.unary("not", n.value(0))


def select(n: Node) -> Value:
    predicate, x, y = n.value(0), n.value(1), n.value(2)
    if predicate.type.rank == 1 and x.type.rank > 1 and n.content.operator == "SELECT":
        predicate = n.b.place(predicate, x.type.shape, (0,))
    element = n.out().element
    return n.b.select(predicate, *(with_element(n.b, v, element) for v in (x, y)))


def prelu(n: Node) -> Value:
    """Return x where it is not negative, else x * alpha, in the result's units."""
    b = n.b
    x, alpha = b.broadcast_all([n.value(0), n.value(1)])
    if not is_quantized(n) and n.out().element != F32:
        raise n.unsupported_error(f"PRELU of {n.type(0)!r}", "expected f32, 8 or 16 bits")
    if not is_quantized(n):
        product = b.binary("multiply", x, alpha)
        return b.select(b.compare("GE", x, b.full(0.0, F32)), x, product)
    source, by, type = n.quantized_type(0), n.quantized_type(1), n.result()
    widths = [t.storage_type.bits for t in (source, type, by)]
    if widths not in ([8, 8, 8], [16, 16, 8]):
        raise n.unsupported_error(f"PRELU of {source!r} by {by!r}", "expected 8 bits, or 16 by 8 bits")
    m, a = differences(b, x), differences(b, alpha)
    same = fixed.quantize_multiplier(n, fixed.ratio32(source.scale, type.scale))
    other = fixed.quantize_multiplier(n, fixed.ratio32(source.scale, by.scale, type.scale))
    is_kept = b.compare("GE", m, b.full(0, I32))
    negative = fixed.doubly_rounded(b, b.binary("multiply", m, a), other)
    return fixed.store(b, b.select(is_kept, fixed.doubly_rounded(b, m, same), negative), type)


# Conversions


def quantize(n: Node) -> Result:
    """Return QUANTIZE: of floats half away from zero, then the zero point; of integers by a multiplier."""
    if n.out().element == F32:  # as a float reference has it
        return n.value(0)
    b, source = n.b, n.tensor(0)
    if source.element == F32:
        return quantize_floats(n)
    if n.out().element == I32 and source.storage == I16:
        return quantize_to_32(n)
    type = n.result()
    if isinstance(source.element, QuantizedType):
        scale, x = n.quantized_type(0).scale, n.value(0)
    elif source.storage == I32 and len(source.scales) == 1 and not any(source.zero_points):
        scale, x = source.scales[0], b.bitcast(n.value(0), accumulator_type(source.scales))
    else:
        raise n.unsupported_error(f"{source.type!r} to {type!r}")
    by = fixed.multipliers_of(n, [scale / type.scale], None)
    return fixed.requantize(b, x, type, by)


def quantize_floats(n: Node) -> Value:
    """Return floats rounded to steps of one scale, or of one for each channel."""
    b, x, type = n.b, n.value(0), n.out().element
    if not isinstance(type, QuantizedType):
        raise n.unsupported_error(f"{n.type(0)!r} to {n.out().type!r}", "expected 8 or 16 bits")
    axis = type.quantization_dimension or 0
    steps = b.binary("divide", x, fixed.along(b, type.scales, x, axis))
    whole = b.unary("round_nearest_afz", steps)
    wide = b.convert(b.clamp(-(2.0**24), whole, 2.0**24), I32)
    if type.is_per_tensor:
        return fixed.store(b, wide, type)
    moved = b.binary("add", wide, fixed.along(b, type.zero_points, wide, axis))
    return b.bitcast(b.convert(b.clamp(type.storage_min, moved, type.storage_max), type.storage_type), type)


def quantize_to_32(n: Node) -> Value:
    """Return i16 in the units of i32."""
    out = n.out()
    if len(out.scales) != 1:
        raise n.unsupported_error(f"{n.type(0)!r} to {out.type!r}", "expected one scale")
    pair = fixed.quantize_multiplier(n, n.quantized_type(0).scale / out.scales[0])
    m = fixed.doubly_rounded(n.b, differences(n.b, n.value(0)), pair)
    return n.b.binary_scalar("add", m, out.zero_points[0])


def dequantize(n: Node) -> Result:
    """Return DEQUANTIZE; a constant of f16 becomes one of f32."""
    element = n.tensor(0).element
    if isinstance(element, QuantizedType):
        return n.b.dequantize(n.value(0))
    if n.is_known(0):
        return n.constant(0).astype(np.float32)
    return n.b.convert(n.value(0), F32)


def densify(n: Node) -> Result:
    """Return a constant, which is dense since it was read."""
    return n.constant(0)


def cast(n: Node) -> Value:
    """Return elements of another type; floats are truncated toward zero."""
    x, element = n.storage(0), n.out().storage
    if element == I1:
        return n.b.compare("NE", x, n.b.full(0, x.type.tensor_element_type))
    return with_element(n.b, n.b.convert(x, element), n.out().element)


def rounding(name: str, n: Node) -> Value:
    return n.b.unary(name, n.value(0))


def squares(n: Node) -> Value:
    if is_quantized(n):
        raise n.unsupported_error("squares of quantized tensors")
    return n.b.binary("multiply", n.value(0), n.value(0))


def zeros_like(n: Node) -> Value:
    return n.b.full(0, TensorType(n.type(0).shape, n.out().storage))


def floor_quotient(n: Node) -> Value:
    """Return FLOOR_DIV; of integers, 1 less where a remainder has another sign than the divisor."""
    b, element = n.b, n.tensor(0).element
    x, y = b.broadcast_all([n.value(0), n.value(1)])
    if element not in (F32, I8, I16, I32):
        raise n.unsupported_error(f"FLOOR_DIV of {n.type(0)!r}", "expected f32, or plain i8, i16 or i32")
    quotient = b.binary("divide", x, y)
    if element == F32:
        return b.unary("floor", quotient)
    zero, rest = b.full(0, x.type.tensor_element_type), b.binary("remainder", x, y)
    differ = b.compare("NE", b.compare("LT", rest, zero), b.compare("LT", y, zero))
    is_less = b.binary("and", b.compare("NE", rest, zero), differ)
    return b.select(is_less, b.binary_scalar("add", quotient, -1), quotient)


def add_all(n: Node) -> Value:
    """Return ADD_N, from the first input on."""
    total, *others = n.values()
    if is_quantized(n):
        raise n.unsupported_error("ADD_N of quantized tensors")
    for other in others:
        total = n.b.binary("add", total, other)
    return total


def power(n: Node) -> Value:
    if n.tensor(0).element != F32:
        raise n.unsupported_error(f"POW of {n.type(0)!r}", "expected f32")
    return n.b.binary("power", n.value(0), n.value(1))


COMPARISONS = {
    "EQUAL": "EQ",
    "GREATER": "GT",
    "GREATER_EQUAL": "GE",
    "LESS": "LT",
    "LESS_EQUAL": "LE",
    "NOT_EQUAL": "NE",
}
TABLE: dict[str, Build] = {
    "ADD": partial(arithmetic, "add"),
    "ADD_N": add_all,
    "CAST": cast,
    "CEIL": partial(rounding, "ceil"),
    "DENSIFY": densify,
    "DEQUANTIZE": dequantize,
    "DIV": divide,
    "FLOOR": partial(rounding, "floor"),
    "FLOOR_DIV": floor_quotient,
    "LOGICAL_AND": partial(logical, "and"),
    "LOGICAL_NOT": logical_not,
    "LOGICAL_OR": partial(logical, "or"),
    "MAXIMUM": partial(extreme, "maximum"),
    "MINIMUM": partial(extreme, "minimum"),
    "MUL": partial(arithmetic, "multiply"),
    "POW": power,
    "PRELU": prelu,
    "QUANTIZE": quantize,
    "ROUND": partial(rounding, "round_nearest_even"),
    "SELECT": select,
    "SELECT_V2": select,
    "SQUARE": squares,
    "SQUARED_DIFFERENCE": squared_difference,
    "SUB": partial(arithmetic, "subtract"),
    "ZEROS_LIKE": zeros_like,
    **{name: partial(comparison, direction) for name, direction in COMPARISONS.items()},
}

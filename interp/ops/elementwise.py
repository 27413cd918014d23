"""Elementwise operations: a function per kind of element; quantized by `dequantize_op_quantize`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from interp.backends import DIRECTIONS, Array, Namespace, State
from interp.engine.evaluate import Context
from interp.engine.quant import complex_parts, dequantize, quantize
from interp.engine.stored import expressed
from interp.ops import integer_reading
from interp.ops.complexes import COMPLEX
from interp.ops.floats import FLOAT
from interp.ops.integers import BOOLEAN, INTEGER
from spec.errors import Unsupported
from spec.integer_reading import in_integers
from spec.ir import Op
from spec.types import ElementType, QuantizedType

Function = Callable[..., Array]


def elementwise(ctx: Context, op: Op, *operands: Array) -> State:
    """`result[i] = f(operands[i]...)`; quantized `dequantize_op_quantize(f, operands..., type(result))`."""
    if ctx.reading.is_integer and in_integers(op):
        return integer_reading.elementwise(ctx, op, *operands)
    xp, result = ctx.xp, op.result.type.element_type
    values, types = [], []
    for x, value in zip(operands, op.operands, strict=True):
        element = value.type.element_type
        if isinstance(element, QuantizedType):
            x, element = dequantize(xp, x, element), element.expressed_type
        values.append(x)
        types.append(element)
    y = apply(xp, op, types, expressed(result), values)
    return (quantize(xp, y, result, computed=True) if isinstance(result, QuantizedType) else y,)


def apply(xp: Namespace, op: Op, types: list[ElementType], result: ElementType, values: list[Array]) -> Array:
    """Return the operation on plain values: it takes carriers of `types`, and gives a carrier of `result`."""
    name, (*_, type) = op.name.removeprefix("stablehlo."), types
    if name in SPECIAL:
        return SPECIAL[name](xp, op, type, *values)
    table = _KINDS[type.kind]
    if name not in table:
        raise _unsupported(op, type)
    return plain(xp, name, type, result)(*values)


def refusal(op: Op) -> Unsupported | None:
    """Return the reason why the operation is not built on operands of this type, or None."""
    name, type = op.name.removeprefix("stablehlo."), op.operands[-1].type.element_type
    if isinstance(type, QuantizedType):
        type = type.expressed_type
    return None if name in SPECIAL or name in _KINDS[type.kind] else _unsupported(op, type)


def _unsupported(op: Op, type: ElementType) -> Unsupported:
    known = f"{type.kind} operations: {', '.join(sorted(_KINDS[type.kind]))}"
    return Unsupported(f"{op.name} on {type!r} is not built", known, op.location)


def plain(xp: Namespace, name: str, type: ElementType, result: ElementType) -> Function:
    """Return an operation on values of `type`; a float result is rounded to `result`."""
    f = _KINDS[type.kind][name]
    if type.kind == result.kind == "float":
        return lambda *values: xp.round_to(f(xp, type, *values), result)
    return lambda *values: f(xp, type, *values)


def _clamp(of: dict[str, Function]) -> Function:
    """Return `min(max(x, low), high)` by the functions of a kind of element."""
    return lambda xp, t, low, x, high: of["minimum"](xp, t, of["maximum"](xp, t, x, low), high)


_KINDS = {"float": FLOAT, "signed": INTEGER, "unsigned": INTEGER, "boolean": BOOLEAN, "complex": COMPLEX}
_KINDS = {kind: {**functions, "clamp": _clamp(functions)} for kind, functions in _KINDS.items()}


# Operations with attributes, or of another kind than their operands.


def _compare(xp: Namespace, op: Op, type: ElementType, a: Array, b: Array) -> Array:
    """Compare: IEEE's quiet predicates for floats, the usual order for integers."""
    direction = op["comparison_direction"]
    if type.kind == "complex":
        return _compare_complex(xp, op, type, a, b)
    if op.attributes.get("compare_type") == "TOTALORDER":
        a, b = _total_rank(xp, a), _total_rank(xp, b)
    return DIRECTIONS[direction](a, b)


def _total_rank(xp: Namespace, x: Array) -> Array:
    """Return an int64 ordered as totalOrder: the bits of the f64, reversed if negative; one NaN per sign."""
    magnitude = xp.where(xp.isnan(x), xp.nan, xp.abs(x)).astype(xp.float64)
    bits = xp.bits_of(magnitude, xp.int64)
    return xp.where(xp.signbit(x), ~bits, bits)


def _compare_complex(xp: Namespace, op: Op, type: ElementType, x: Array, y: Array) -> Array:
    """Compare lexicographically by (real, imaginary)."""
    (a, b), (c, d) = complex_parts(xp, x, type), complex_parts(xp, y, type)
    equal = (a == c) & (b == d)
    if op["comparison_direction"] in ("EQ", "NE"):
        return equal if op["comparison_direction"] == "EQ" else ~equal
    strict = DIRECTIONS[op["comparison_direction"][0] + "T"]
    first = strict(a, c) | ((a == c) & strict(b, d))
    return first | equal if op["comparison_direction"].endswith("E") else first


def _reduce_precision(xp: Namespace, op: Op, type: ElementType, x: Array) -> Array:
    """Round the mantissa to `mantissa_bits`; beyond the range of `exponent_bits` return infinity or zero.

    Without mantissa bits a NaN becomes infinity (E27).
    """
    mantissa, exponent = min(op["mantissa_bits"], type.mantissa), op["exponent_bits"]
    y = xp.round_by_row(x.astype(xp.float64), replace(type, mantissa=mantissa))
    if mantissa == 0 < type.mantissa:
        y = xp.where(xp.isnan(x), xp.inf, y)
    if exponent < type.exponent:
        bias = 2 ** (exponent - 1) - 1
        y = xp.where(xp.abs(y) >= 2.0 ** (bias + 1), xp.copysign(xp.inf, y), y)
        y = xp.where(xp.abs(y) < 2.0 ** (1 - bias), xp.copysign(0.0, y), y)
    return xp.round_to(y, type)


def _select(xp: Namespace, op: Op, type: ElementType, pred: Array, on_true: Array, on_false: Array) -> Array:
    return xp.where(pred, on_true, on_false)


SPECIAL: dict[str, Function] = {
    "compare": _compare,
    "complex": lambda xp, op, t, a, b: xp.join_complex(a, b, xp.carrier(op.result.type.element_type)),
    "is_finite": lambda xp, op, t, x: xp.isfinite(x),
    "reduce_precision": _reduce_precision,
    "select": _select,
}

KERNELS: dict[str, Callable[..., Any]] = {
    f"stablehlo.{name}": elementwise
    for name in sorted({name for t in (*_KINDS.values(), SPECIAL) for name in t})
}

"""Elementwise operations: one function per kind of element over carriers, rounded once; quantized operands by
`dequantize_op_quantize`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from interp.evaluate import Context
from interp.namespace import Array, Namespace, State
from interp.quant import complex_parts, dequantize, quantize, wrap
from spec.errors import Unsupported
from spec.ir import Op
from spec.types import ElementType, QuantizedType, complex_part

Function = Callable[..., Array]


def elementwise(ctx: Context, op: Op, *operands: Array) -> State:
    """`result[index] = f(operands[index]...)`; for quantized types `dequantize_op_quantize(f, operands...,
    result)`."""
    xp, result = ctx.xp, op.result.type.element_type
    values, types = [], []
    for x, value in zip(operands, op.operands, strict=True):
        element = value.type.element_type
        if isinstance(element, QuantizedType):
            x, element = dequantize(xp, x, element), element.expressed_type
        values.append(x)
        types.append(element)
    plain = result.expressed_type if isinstance(result, QuantizedType) else result
    y = apply(xp, op, types, plain, values)
    return (quantize(xp, y, result) if isinstance(result, QuantizedType) else y,)


def apply(xp: Namespace, op: Op, types: list[ElementType], result: ElementType, values: list[Array]) -> Array:
    """The plain operation: `types` of the operands, carriers in, a carrier of `result` out."""
    name = op.name.removeprefix("stablehlo.")
    type = types[-1]
    if name in SPECIAL:
        return SPECIAL[name](xp, op, type, *values)
    if type.kind == "float" and name in TRANSCENDENTAL:
        wide = [x.astype(xp.float64) for x in values]
        return xp.round_to(TRANSCENDENTAL[name](xp, *wide), result)
    table = _KINDS[type.kind]
    if name not in table:
        raise Unsupported(
            f"{op.name} on {type!r} is not built",
            f"{type.kind} operations: {', '.join(sorted(table))}",
            op.location,
        )
    y = table[name](xp, type, *values)
    if result.kind == "float" and type.kind == "float":
        return xp.round_to(y, result)
    return y


def add_of(xp: Namespace, type: ElementType) -> Callable[[Array, Array], Array]:
    """Addition of two values of an element type, rounded or wrapped: the body of contractions."""
    f = _KINDS[type.kind]["add"]
    return lambda a, b: xp.round_to(f(xp, type, a, b), type) if type.kind == "float" else f(xp, type, a, b)


def multiply_of(xp: Namespace, type: ElementType) -> Callable[[Array, Array], Array]:
    """Multiplication of two values of an element type, rounded or wrapped."""
    f = _KINDS[type.kind]["multiply"]
    return lambda a, b: xp.round_to(f(xp, type, a, b), type) if type.kind == "float" else f(xp, type, a, b)


# Floats: IEEE operations, exact before the one rounding.


def _maximum(xp: Namespace, type: ElementType, a: Array, b: Array) -> Array:
    """NaN propagates, -0 < +0."""
    y = xp.where((a > b) | ((a == b) & ~xp.signbit(a)), a, b)
    return xp.where(xp.isnan(a) | xp.isnan(b), xp.nan, y)


def _minimum(xp: Namespace, type: ElementType, a: Array, b: Array) -> Array:
    y = xp.where((a < b) | ((a == b) & xp.signbit(a)), a, b)
    return xp.where(xp.isnan(a) | xp.isnan(b), xp.nan, y)


def _round_away(xp: Namespace, type: ElementType, x: Array) -> Array:
    whole = xp.trunc(x)
    return xp.where(xp.abs(x - whole) >= 0.5, whole + xp.copysign(xp.ones_like(x), x), whole)


def _sign(xp: Namespace, type: ElementType, x: Array) -> Array:
    return xp.where(xp.isnan(x) | (x == 0), x, xp.copysign(xp.ones_like(x), x))


FLOAT: dict[str, Function] = {
    "abs": lambda xp, t, x: xp.abs(x),
    "add": lambda xp, t, a, b: xp.add(a, b),
    "ceil": lambda xp, t, x: xp.ceil(x),
    "clamp": lambda xp, t, low, x, high: _minimum(xp, t, _maximum(xp, t, x, low), high),
    "divide": lambda xp, t, a, b: xp.divide_exactly(a, b),
    "floor": lambda xp, t, x: xp.floor(x),
    "imag": lambda xp, t, x: xp.zeros_like(x),
    "maximum": _maximum,
    "minimum": _minimum,
    "multiply": lambda xp, t, a, b: xp.multiply(a, b),
    "negate": lambda xp, t, x: xp.negative(x),
    "real": lambda xp, t, x: x,
    "remainder": lambda xp, t, a, b: xp.fmod(a, b),
    "round_nearest_afz": _round_away,
    "round_nearest_even": lambda xp, t, x: xp.rint(x),
    "sign": _sign,
    "sqrt": lambda xp, t, x: xp.sqrt(x),
    "subtract": lambda xp, t, a, b: xp.subtract(a, b),
}

TRANSCENDENTAL: dict[str, Function] = {
    "atan2": lambda xp, y, x: xp.arctan2(y, x),
    "cbrt": lambda xp, x: xp.cbrt(x),
    "cosine": lambda xp, x: xp.cos(x),
    "exponential": lambda xp, x: xp.exp(x),
    "exponential_minus_one": lambda xp, x: xp.expm1(x),
    "log": lambda xp, x: xp.log(x),
    "log_plus_one": lambda xp, x: xp.log1p(x),
    "logistic": lambda xp, x: 1 / (1 + xp.exp(-x)),
    "power": lambda xp, a, b: xp.power(a, b),
    "rsqrt": lambda xp, x: 1 / xp.sqrt(x),
    "sine": lambda xp, x: xp.sin(x),
    "tan": lambda xp, x: xp.tan(x),
    "tanh": lambda xp, x: xp.tanh(x),
}

# Integers: two's complement; what the specification leaves open is as XLA does.


def _divide(xp: Namespace, type: ElementType, a: Array, b: Array) -> Array:
    """Toward zero; by zero all bits set; the least value by -1 itself."""
    quotient = _quotient(xp, type, a, b)
    return xp.where(b == 0, xp.asarray(-1 if type.kind == "signed" else type.max_value, a.dtype), quotient)


def _quotient(xp: Namespace, type: ElementType, a: Array, b: Array) -> Array:
    if type.kind == "unsigned":
        return a // xp.where(b == 0, xp.ones_like(b), b)
    minus_one = b == -1
    safe = xp.where((b == 0) | minus_one, xp.ones_like(b), b)
    floored = a // safe
    inexact = floored * safe != a
    toward_zero = floored + (inexact & ((a < 0) != (safe < 0))).astype(a.dtype)
    return xp.where(minus_one, wrap(xp, xp.negative(a), type), toward_zero)


def _remainder(xp: Namespace, type: ElementType, a: Array, b: Array) -> Array:
    """With the dividend's sign; by zero the dividend; the least value by -1 gives 0."""
    return xp.where(b == 0, a, wrap(xp, a - _quotient(xp, type, a, b) * b, type))


def _power(xp: Namespace, type: ElementType, a: Array, b: Array) -> Array:
    """Wrapping integer power by squaring; a negative exponent leaves 1 and -1 their powers, and 0 of the
    others."""
    y, square, exponent = xp.ones_like(a), a, b
    for _ in range(type.bits):
        y = wrap(xp, xp.where(exponent & 1 != 0, y * square, y), type)
        square, exponent = wrap(xp, square * square, type), exponent >> 1
    if type.kind == "unsigned":
        return y
    of_one = xp.where(a == 1, a, xp.where(a == -1, xp.where(b & 1 != 0, a, -a), xp.zeros_like(a)))
    return xp.where(b < 0, of_one, y)


def _unsigned(xp: Namespace, type: ElementType, x: Array) -> Array:
    """The bits read as an unsigned number, in the unsigned container of the same size."""
    mask = (1 << type.bits) - 1
    unsigned = x.astype(f"uint{x.dtype.itemsize * 8}")
    return unsigned & xp.asarray(mask, unsigned.dtype)


def _shift(kind: str) -> Function:
    def shift(xp: Namespace, type: ElementType, x: Array, amount: Array) -> Array:
        by = _unsigned(xp, type, amount)
        beyond = by >= type.bits
        by = xp.where(beyond, xp.zeros_like(by), by)
        if kind == "left":
            y = (_unsigned(xp, type, x) << by).astype(x.dtype)
        elif kind == "logical":
            y = (_unsigned(xp, type, x) >> by).astype(x.dtype)
        else:
            y = x >> xp.where(beyond, xp.asarray(type.bits - 1, by.dtype), by).astype(x.dtype)
            signed = type.kind == "signed"
            return y if signed else _arithmetic_of_unsigned(xp, type, x, by, beyond)
        return wrap(xp, xp.where(beyond, xp.zeros_like(y), y), type)

    return shift


def _arithmetic_of_unsigned(xp: Namespace, type: ElementType, x: Array, by: Array, beyond: Array) -> Array:
    """The top bit is the sign, whatever the type calls it."""
    spare = x.dtype.itemsize * 8 - type.bits
    signed = (x << spare).astype(f"int{x.dtype.itemsize * 8}") >> spare
    by = xp.where(beyond, xp.asarray(type.bits - 1, by.dtype), by).astype(signed.dtype)
    return _unsigned(xp, type, signed >> by)


def _bits_below(xp: Namespace, type: ElementType, x: Array) -> Array:
    """x with every bit below its highest one set, unsigned."""
    u = _unsigned(xp, type, x)
    for step in (1, 2, 4, 8, 16, 32):
        if step < type.bits:
            u = u | (u >> step)
    return u


def _leading_zeros(xp: Namespace, type: ElementType, x: Array) -> Array:
    return wrap(xp, (type.bits - _popcnt(xp, type, _bits_below(xp, type, x))).astype(x.dtype), type)


def _popcnt(xp: Namespace, type: ElementType, u: Array) -> Array:
    u = _unsigned(xp, type, u)
    return sum(((u >> k) & 1 for k in range(type.bits)), xp.zeros_like(u))


INTEGER: dict[str, Function] = {
    "abs": lambda xp, t, x: wrap(xp, xp.abs(x), t),
    "add": lambda xp, t, a, b: wrap(xp, xp.add(a, b), t),
    "and": lambda xp, t, a, b: a & b,
    "clamp": lambda xp, t, low, x, high: xp.minimum(xp.maximum(x, low), high),
    "count_leading_zeros": _leading_zeros,
    "divide": _divide,
    "maximum": lambda xp, t, a, b: xp.maximum(a, b),
    "minimum": lambda xp, t, a, b: xp.minimum(a, b),
    "multiply": lambda xp, t, a, b: wrap(xp, xp.multiply(a, b), t),
    "negate": lambda xp, t, x: wrap(xp, xp.negative(x), t),
    "not": lambda xp, t, x: wrap(xp, ~x, t),
    "or": lambda xp, t, a, b: a | b,
    "popcnt": lambda xp, t, x: wrap(xp, _popcnt(xp, t, x).astype(x.dtype), t),
    "power": _power,
    "remainder": _remainder,
    "shift_left": _shift("left"),
    "shift_right_arithmetic": _shift("arithmetic"),
    "shift_right_logical": _shift("logical"),
    "sign": lambda xp, t, x: xp.sign(x),
    "subtract": lambda xp, t, a, b: wrap(xp, xp.subtract(a, b), t),
    "xor": lambda xp, t, a, b: a ^ b,
}

BOOLEAN: dict[str, Function] = {
    "add": lambda xp, t, a, b: a | b,
    "and": lambda xp, t, a, b: a & b,
    "clamp": lambda xp, t, low, x, high: (x | low) & high,
    "maximum": lambda xp, t, a, b: a | b,
    "minimum": lambda xp, t, a, b: a & b,
    "multiply": lambda xp, t, a, b: a & b,
    "not": lambda xp, t, x: ~x,
    "or": lambda xp, t, a, b: a | b,
    "xor": lambda xp, t, a, b: a ^ b,
}


# Complex numbers, by their parts.


def _by_parts(name: str) -> Function:
    def f(xp: Namespace, type: ElementType, *values: Array) -> Array:
        part = complex_part(type)
        columns = zip(*(complex_parts(xp, x, type) for x in values), strict=True)
        real, imag = (xp.round_to(FLOAT[name](xp, part, *column), part) for column in columns)
        return xp.join_complex(real, imag, xp.carrier(type))

    return f


def _complex_multiply(xp: Namespace, type: ElementType, x: Array, y: Array) -> Array:
    """`(ac - bd) + (ad + bc)i`, every operation rounded."""
    part = complex_part(type)
    (a, b), (c, d) = complex_parts(xp, x, type), complex_parts(xp, y, type)
    ac, bd, ad, bc = (xp.round_to(p * q, part) for p, q in ((a, c), (b, d), (a, d), (b, c)))
    return xp.join_complex(xp.round_to(ac - bd, part), xp.round_to(ad + bc, part), xp.carrier(type))


def _complex_divide(xp: Namespace, type: ElementType, x: Array, y: Array) -> Array:
    """`x * conjugate(y) / (y * conjugate(y))`, every operation rounded (erratum E22)."""
    part, (c, d) = complex_part(type), complex_parts(xp, y, type)
    conjugate = xp.join_complex(c, -d, xp.carrier(type))
    norm, _ = complex_parts(xp, _complex_multiply(xp, type, y, conjugate), type)
    parts = complex_parts(xp, _complex_multiply(xp, type, x, conjugate), type)
    real, imag = (xp.round_to(xp.divide_exactly(p, norm), part) for p in parts)
    return xp.join_complex(real, imag, xp.carrier(type))


def _modulus(xp: Namespace, type: ElementType, x: Array) -> Array:
    real, imag = (p.astype(xp.float64) for p in complex_parts(xp, x, type))
    return xp.round_to(xp.hypot(real, imag), complex_part(type))


def _complex_sign(xp: Namespace, type: ElementType, x: Array) -> Array:
    """`x / abs(x)`; zero is zero, and a NaN makes both parts NaN."""
    modulus = _modulus(xp, type, x)
    y = _complex_divide(xp, type, x, xp.join_complex(modulus, xp.zeros_like(modulus), xp.carrier(type)))
    y = xp.where(x == 0, xp.zeros_like(x), y)
    return xp.where(xp.isnan(x), xp.full_like(x, complex(xp.nan, xp.nan)), y)


def _lexicographic(better: Function) -> Function:
    """The better of two by (real, imaginary); the first NaN wins."""

    def f(xp: Namespace, type: ElementType, x: Array, y: Array) -> Array:
        (a, b), (c, d) = complex_parts(xp, x, type), complex_parts(xp, y, type)
        first, second = _same_sign(xp, better(xp, type, a, c), a), _same_sign(xp, better(xp, type, b, d), b)
        tie = _same_sign(xp, a, c)
        chosen = xp.where(xp.where(tie, second, first), x, y)
        return xp.where(xp.isnan(x), x, xp.where(xp.isnan(y), y, chosen))

    return f


def _same_sign(xp: Namespace, a: Array, b: Array) -> Array:
    """The same number, zeros told apart by their sign."""
    return (a == b) & (xp.signbit(a) == xp.signbit(b))


def _complex_clamp(xp: Namespace, type: ElementType, low: Array, x: Array, high: Array) -> Array:
    return COMPLEX["minimum"](xp, type, COMPLEX["maximum"](xp, type, x, low), high)


COMPLEX: dict[str, Function] = {
    "abs": _modulus,
    "add": _by_parts("add"),
    "clamp": _complex_clamp,
    "divide": _complex_divide,
    "imag": lambda xp, t, x: complex_parts(xp, x, t)[1],
    "maximum": _lexicographic(_maximum),
    "minimum": _lexicographic(_minimum),
    "multiply": _complex_multiply,
    "negate": _by_parts("negate"),
    "real": lambda xp, t, x: complex_parts(xp, x, t)[0],
    "sign": _complex_sign,
    "subtract": _by_parts("subtract"),
}

_KINDS = {"float": FLOAT, "signed": INTEGER, "unsigned": INTEGER, "boolean": BOOLEAN, "complex": COMPLEX}


# Operations with attributes, or of another kind than their operands.


def _compare(xp: Namespace, op: Op, type: ElementType, a: Array, b: Array) -> Array:
    """IEEE's quiet predicates for floats, and the integers' order."""
    direction = op["comparison_direction"]
    if type.kind == "complex":
        return _compare_complex(xp, op, type, a, b)
    if op.attributes.get("compare_type") == "TOTALORDER":
        a, b = _total_rank(xp, a), _total_rank(xp, b)
    return DIRECTIONS[direction](a, b)


def _total_rank(xp: Namespace, x: Array) -> Array:
    """An int64 that orders as totalOrder does: the bits of the f64, negatives reversed; one NaN per sign."""
    wide = xp.where(xp.isnan(x), xp.copysign(xp.inf, x), x).astype(xp.float64)
    bits = xp.bits_of(wide, xp.int64)
    rank = xp.where(bits < 0, xp.asarray(-(2**63), xp.int64) - bits - 1, bits)
    return rank + xp.where(xp.isnan(x), xp.where(xp.signbit(x), -1, 1), 0)


def _compare_complex(xp: Namespace, op: Op, type: ElementType, x: Array, y: Array) -> Array:
    """Lexicographic on (real, imaginary)."""
    (a, b), (c, d) = complex_parts(xp, x, type), complex_parts(xp, y, type)
    equal = (a == c) & (b == d)
    if op["comparison_direction"] in ("EQ", "NE"):
        return equal if op["comparison_direction"] == "EQ" else ~equal
    strict = DIRECTIONS[op["comparison_direction"][0] + "T"]
    first = strict(a, c) | ((a == c) & strict(b, d))
    return first | equal if op["comparison_direction"].endswith("E") else first


DIRECTIONS: dict[str, Callable[[Array, Array], Array]] = {
    "EQ": lambda a, b: a == b,
    "NE": lambda a, b: a != b,
    "GE": lambda a, b: a >= b,
    "GT": lambda a, b: a > b,
    "LE": lambda a, b: a <= b,
    "LT": lambda a, b: a < b,
}


def _reduce_precision(xp: Namespace, op: Op, type: ElementType, x: Array) -> Array:
    """The mantissa rounded to `mantissa_bits`; then, outside the range of `exponent_bits`, infinity or
    zero."""
    mantissa, exponent = min(op["mantissa_bits"], type.mantissa), op["exponent_bits"]
    y = xp.round_by_row(x.astype(xp.float64), replace(type, mantissa=mantissa))
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
    for name in sorted({*FLOAT, *TRANSCENDENTAL, *INTEGER, *BOOLEAN, *COMPLEX, *SPECIAL})
}

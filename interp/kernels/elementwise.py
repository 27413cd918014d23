"""Elementwise operations: one function per kind of element; quantized ones by `dequantize_op_quantize`."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

from interp.backends import DIRECTIONS, Array, Namespace, State
from interp.engine.evaluate import Context
from interp.engine.facts import ELEMENTWISE, NAMESPACE_FORMULAS, Facts
from interp.engine.prepared import Preparation
from interp.engine.quant import complex_parts, dequantize, quantize, wrap
from interp.engine.storage import expressed_type
from interp.kernels.complexes import COMPLEX
from interp.kernels.floats import CHOOSING, EXACT, FLOAT, Function, Prepared, curry
from interp.speed.tables import tabulate
from spec.errors import Unsupported
from spec.ir import Op
from spec.types import ElementType, QuantizedType

# Operations on quantized tensors that compute in floats: dequantize the operands, quantize the results.

Plain = Callable[..., State]  # plain(ctx, op, *operands) -> results, on carriers of the expressed type


def through_floats(plain: Plain) -> Plain:
    """Return the kernel `quantize(plain(dequantize(operands)...), types(results)...)`; `plain` on floats."""

    def kernel(ctx: Context, op: Op, *operands: Array) -> State:
        values = [_to_reals(ctx, x, v.type.element_type) for x, v in zip(operands, op.operands, strict=True)]
        results = plain(ctx, op, *values)
        return tuple(
            _to_storage(ctx, y, v.type.element_type) for y, v in zip(results, op.results, strict=True)
        )

    return kernel


def _to_reals(ctx: Context, x: Array, type: object) -> Array:
    return dequantize(ctx.xp, x, type) if isinstance(type, QuantizedType) else x


def _to_storage(ctx: Context, y: Array, type: object) -> Array:
    return quantize(ctx.xp, y, type, computed=True) if isinstance(type, QuantizedType) else y


# Elementwise functions of integers and booleans: `f(xp, type)(*values)` on carriers, two's complement.
#
# Where the specification leaves a value open, it is the one that XLA gives. An operation whose exact result
# is an integer is the formula of its row of facts, wrapped; those whose result is rounded or made of bits
# stand here.


def _exact(row: Facts) -> Prepared:
    """Return the formula of an operation, its result wrapped to the type's width."""
    assert row.formula is not None
    formula = row.formula

    def prepare(xp: Namespace, type: ElementType) -> Function:
        f = formula(xp)
        whole = not row.wraps or type.bits == 8 * xp.carrier(type).itemsize
        return f if whole else lambda *values: wrap(xp, f(*values), type)

    return prepare


def _divide(xp: Namespace, type: ElementType, a: Array, b: Array) -> Array:
    """Divide toward zero; by zero gives all bits set, and the least value by -1 gives the least value."""
    toward_zero = (a - xp.fmod(a, b)) // b
    return wrap(xp, xp.where(b == 0, ~xp.zeros_like(toward_zero), toward_zero), type)


def _remainder(xp: Namespace, type: ElementType, a: Array, b: Array) -> Array:
    """Return the remainder with the dividend's sign; by 0 the dividend, and 0 for the least value by -1."""
    return xp.where(b == 0, a, xp.fmod(a, b))


def _power(xp: Namespace, type: ElementType, a: Array, b: Array) -> Array:
    """Raise to a power by squaring, wrapping; a negative exponent gives 0 unless the base is 1 or -1."""
    y, square, exponent = xp.ones_like(a), a, b
    for _ in range(type.bits):
        y = wrap(xp, xp.where(exponent & 1 != 0, y * square, y), type)
        square, exponent = wrap(xp, square * square, type), exponent >> 1
    return xp.where((b < 0) & (xp.abs(a) != 1), xp.zeros_like(y), y)


def _shift_right(kind: str) -> Function:
    """Return a shift to the right; for "int" the sign fills the free bits, for "uint" zeros do.

    NumPy and XLA take a negative amount for a large one, which shifts everything out.
    """

    def shift(xp: Namespace, type: ElementType, x: Array, amount: Array) -> Array:
        dtype = f"{kind}{x.dtype.itemsize * 8}"
        y = wrap(xp, x.astype(dtype), type) >> amount.astype(dtype)
        return wrap(xp, y.astype(x.dtype), type)

    return shift


def _leading_zeros(xp: Namespace, type: ElementType, x: Array) -> Array:
    return wrap(xp, sum((x >> k == 0 for k in range(type.bits)), xp.zeros_like(x)), type)


def _popcnt(xp: Namespace, type: ElementType, x: Array) -> Array:
    return wrap(xp, sum(((x >> k) & 1 for k in range(type.bits)), xp.zeros_like(x)), type)


INTEGER: dict[str, Prepared] = {
    **{name: _exact(row) for name, row in ELEMENTWISE.items() if row.is_whole and row.error != "selected"},
    "and": lambda xp, t: operator.and_,
    "count_leading_zeros": curry(_leading_zeros),
    "divide": curry(_divide),
    "not": lambda xp, t: lambda x: wrap(xp, ~x, t),
    "or": lambda xp, t: operator.or_,
    "popcnt": curry(_popcnt),
    "power": curry(_power),
    "remainder": curry(_remainder),
    "shift_left": lambda xp, t: lambda x, amount: wrap(xp, x << amount, t),
    "shift_right_arithmetic": curry(_shift_right("int")),
    "shift_right_logical": curry(_shift_right("uint")),
    "sign": lambda xp, t: xp.sign,
    "xor": lambda xp, t: operator.xor,
}

BOOLEAN: dict[str, Prepared] = {
    "add": lambda xp, t: operator.or_,
    "and": lambda xp, t: operator.and_,
    "maximum": lambda xp, t: operator.or_,
    "minimum": lambda xp, t: operator.and_,
    "multiply": lambda xp, t: operator.and_,
    "not": lambda xp, t: operator.invert,
    "or": lambda xp, t: operator.or_,
    "xor": lambda xp, t: operator.xor,
}


def elementwise(xp: Namespace, op: Op) -> Function:
    """`result[i] = f(operands[i]...)`, or `dequantize_op_quantize(f, operands..., type(result))`."""
    types, result = [value.type.element_type for value in op.operands], op.result.type.element_type
    name, kinds = op.name.removeprefix("stablehlo."), [expressed_type(type) for type in types]
    quantized = any(isinstance(type, QuantizedType) for type in (*types, result))
    if quantized and name not in SPECIAL and name in _KINDS[kinds[-1].kind]:
        return tabulate(xp, _on_quantized, name, types, result)
    function = _quantizing(xp, prepare(xp, op, kinds, expressed_type(result)), types, result)
    if not xp.chains:
        return function
    from interp.speed.jax_chains import keep_chain

    return keep_chain(xp, op, function)


def _on_quantized(
    xp: Namespace,
    name: str,
    types: Sequence[ElementType | QuantizedType],
    result: ElementType | QuantizedType,
) -> Function:
    """Return the operation of this name on quantized elements."""
    function = plain(xp, name, expressed_type(types[-1]), expressed_type(result))
    return _quantizing(xp, function, types, result)


def _quantizing(xp: Namespace, function: Function, types: Sequence[object], result: object) -> Function:
    """Return `dequantize_op_quantize` of a function, or itself where nothing is quantized."""
    quantized = {k: type for k, type in enumerate(types) if isinstance(type, QuantizedType)}
    if not quantized and not isinstance(result, QuantizedType):
        return function

    def apply(*operands: Array) -> Array:
        real = [dequantize(xp, x, quantized[k]) if k in quantized else x for k, x in enumerate(operands)]
        y = function(*real)
        return quantize(xp, y, result, computed=True) if isinstance(result, QuantizedType) else y

    return apply


def prepare(xp: Namespace, op: Op, types: list[ElementType], result: ElementType) -> Function:
    """Return the operation on values that are not quantized, from carriers of `types` to one of `result`."""
    name, (*_, type) = op.name.removeprefix("stablehlo."), types
    if name in SPECIAL:
        return SPECIAL[name](xp, op, type)
    if name not in _KINDS[type.kind]:
        raise _unsupported_error(op, type)
    return plain(xp, name, type, result)


def refusal(op: Op) -> Unsupported | None:
    """Return the reason why the operation is not built on operands of this type, or None."""
    name, type = op.name.removeprefix("stablehlo."), op.operands[-1].type.element_type
    if isinstance(type, QuantizedType):
        type = type.expressed_type
    return None if name in SPECIAL or name in _KINDS[type.kind] else _unsupported_error(op, type)


def _unsupported_error(op: Op, type: ElementType) -> Unsupported:
    known = f"{type.kind} operations: {', '.join(sorted(_KINDS[type.kind]))}"
    return Unsupported(f"{op.name} on {type!r} is not built", known, op.location)


def plain(xp: Namespace, name: str, type: ElementType, result: ElementType) -> Function:
    """Return an operation on values of `type`; a float result is rounded to `result`."""
    f = _KINDS[type.kind][name](xp, type)
    if type.kind != "float" or result.kind != "float":
        return f
    if type == result and (name in CHOOSING or (name in EXACT and xp.computes_in(type))):
        return f
    return lambda *values: xp.round_to(f(*values), result)


def _clamp(of: dict[str, Prepared]) -> Prepared:
    """Return the formula of clamp over the minimum and the maximum of one kind of element."""
    return lambda xp, type: NAMESPACE_FORMULAS["clamp"](
        SimpleNamespace(minimum=of["minimum"](xp, type), maximum=of["maximum"](xp, type))
    )


_KINDS = {"float": FLOAT, "signed": INTEGER, "unsigned": INTEGER, "boolean": BOOLEAN, "complex": COMPLEX}
_KINDS = {kind: {**functions, "clamp": _clamp(functions)} for kind, functions in _KINDS.items()}


# Operations with attributes, or of another kind than their operands.


def _compare(xp: Namespace, op: Op, type: ElementType) -> Function:
    """Compare: IEEE's quiet predicates for floats, the usual order for integers."""
    compare = DIRECTIONS[op["comparison_direction"]]
    if type.kind == "complex":
        return partial(_compare_complex, xp, op, type)
    if op.attributes.get("compare_type") == "TOTALORDER":
        return lambda a, b: compare(_total_rank(xp, a), _total_rank(xp, b))
    return compare


def _total_rank(xp: Namespace, x: Array) -> Array:
    """Return int64 ranks in totalOrder, one NaN per sign: the bits of |x| in f64, inverted if negative."""
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
    """Round the mantissa to `mantissa_bits`; beyond the range of `exponent_bits` give infinity or zero.

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


def _complex(xp: Namespace, op: Op, type: ElementType) -> Function:
    """`result[i] = lhs[i] + rhs[i] i`"""
    dtype = xp.carrier(op.result.type.tensor_element_type)
    return lambda a, b: xp.join_complex(a, b, dtype)


SPECIAL: dict[str, Callable[[Namespace, Op, ElementType], Function]] = {
    "compare": _compare,
    "complex": _complex,
    "is_finite": lambda xp, op, t: xp.isfinite,
    "reduce_precision": lambda xp, op, t: partial(_reduce_precision, xp, op, t),
    "select": lambda xp, op, t: xp.where,
}

PREPARED: dict[str, Preparation] = {
    f"stablehlo.{name}": elementwise
    for name in sorted({*SPECIAL, *(name for table in _KINDS.values() for name in table)})
}

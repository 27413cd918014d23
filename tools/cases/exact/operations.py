"""Elementwise operations on one element: integers, booleans, complex numbers, choices."""

from __future__ import annotations

import cmath
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import copysign, isfinite, isinf, isnan, nan
from typing import Any

from cases.exact import floats
from cases.exact.floats import Unknown
from cases.exact.quantization import ELEMENT, wrapped
from spec.ir import Op
from spec.types import ElementType

HOLDS: dict[str, Callable[[Any, Any], bool]] = {
    "EQ": lambda a, b: a == b,
    "NE": lambda a, b: a != b,
    "GE": lambda a, b: a >= b,
    "GT": lambda a, b: a > b,
    "LE": lambda a, b: a <= b,
    "LT": lambda a, b: a < b,
}


def quotient(a: int, b: int, t: ElementType) -> int:
    """Divide, truncating; division by zero sets all bits."""
    if b == 0:
        return wrapped(-1, t)
    return wrapped(int(Fraction(a, b)), t)


def modulo(a: int, b: int, t: ElementType) -> int:
    return a if b == 0 else wrapped(a - b * int(Fraction(a, b)), t)


def power(a: int, b: int, t: ElementType) -> int:
    """Raise to a power; a negative exponent gives the truncated reciprocal, and 0 for the base 0."""
    if b >= 0:
        return wrapped(pow(a, b, 1 << t.bits), t)
    return {1: 1, -1: -1 if b % 2 else 1}.get(a, 0)


def bits(x: int, t: ElementType) -> int:
    return x % (1 << t.bits)


def shifted(x: int, by: int, t: ElementType, how: str) -> int:
    """Shift by an unsigned amount; one of at least the width leaves only an arithmetic shift's sign."""
    amount = bits(by, t)
    if how == "left":
        return wrapped(x << amount, t) if amount < t.bits else 0
    if how == "logical":
        return wrapped(bits(x, t) >> amount, t)
    sign = bits(x, t) >> (t.bits - 1)
    return wrapped((bits(x, t) - (sign << t.bits)) >> min(amount, t.bits), t)


INTEGER: dict[str, Callable[..., int]] = {
    "add": lambda a, b, t: wrapped(a + b, t),
    "subtract": lambda a, b, t: wrapped(a - b, t),
    "multiply": lambda a, b, t: wrapped(a * b, t),
    "divide": quotient,
    "remainder": modulo,
    "power": power,
    "maximum": lambda a, b, t: max(a, b),
    "minimum": lambda a, b, t: min(a, b),
    "and": lambda a, b, t: wrapped(bits(a, t) & bits(b, t), t),
    "or": lambda a, b, t: wrapped(bits(a, t) | bits(b, t), t),
    "xor": lambda a, b, t: wrapped(bits(a, t) ^ bits(b, t), t),
    "not": lambda a, t: wrapped(~a, t),
    "negate": lambda a, t: wrapped(-a, t),
    "abs": lambda a, t: wrapped(abs(a), t),
    "sign": lambda a, t: (a > 0) - (a < 0),
    "popcnt": lambda a, t: wrapped(bin(bits(a, t)).count("1"), t),
    "count_leading_zeros": lambda a, t: wrapped(t.bits - bits(a, t).bit_length(), t),
    "clamp": lambda low, x, high, t: min(max(low, x), high),
    "shift_left": lambda x, by, t: shifted(x, by, t, "left"),
    "shift_right_logical": lambda x, by, t: shifted(x, by, t, "logical"),
    "shift_right_arithmetic": lambda x, by, t: shifted(x, by, t, "arithmetic"),
}
BOOLEAN: dict[str, Callable[..., bool]] = {
    **dict.fromkeys(("add", "or", "maximum"), lambda a, b, t: a or b),
    **dict.fromkeys(("multiply", "and", "minimum"), lambda a, b, t: a and b),
    "xor": lambda a, b, t: a is not b,
    "not": lambda a, t: not a,
    "clamp": lambda low, x, high, t: (x or low) and high,
}

Pair = tuple[float, float]


def by_parts(name: str) -> Callable[..., Pair]:
    f = floats.OPERATIONS[name]
    return lambda *values: tuple(f(*part, values[-1]) for part in zip(*values[:-1], strict=True))  # type: ignore


def product(x: Pair, y: Pair, t: str) -> Pair:
    """(ac - bd) + (ad + bc)i, each operation rounded (E22)."""
    m = floats.multiply
    return (
        floats.subtract(m(x[0], y[0], t), m(x[1], y[1], t), t),
        floats.add(m(x[0], y[1], t), m(x[1], y[0], t), t),
    )


def ratio(x: Pair, y: Pair, t: str) -> Pair:
    """x * conjugate(y) / (y * conjugate(y)), each operation rounded (E22)."""
    conjugate = y[0], floats.OPERATIONS["negate"](y[1], t)
    norm, above = product(y, conjugate, t)[0], product(x, conjugate, t)
    return floats.divide(above[0], norm, t), floats.divide(above[1], norm, t)


def modulus(x: Pair, t: str) -> float:
    if any(map(isinf, x)):
        return floats.inf
    if any(map(isnan, x)):
        return nan
    square = Fraction(x[0]) ** 2 + Fraction(x[1]) ** 2
    return exact_root(square, t)


def exact_root(square: Fraction, t: str) -> float:
    """Return the square root of an exact number, rounded once."""
    if square == 0:
        return 0.0
    k = 4 ** (200 + max(0, -floats.binade(square)))
    whole = square * k
    root = floats.isqrt(whole.numerator // whole.denominator)
    sticky = Fraction(1, 2) if Fraction(root) ** 2 != whole else 0
    return floats.nearest((root + sticky) / Fraction(floats.isqrt(k)), 1.0, t)


def unit(x: Pair, t: str) -> Pair:
    if any(map(isnan, x)):
        return nan, nan
    return (0.0, 0.0) if x == (0, 0) else ratio(x, (modulus(x, t), 0.0), t)


def rank(x: Pair) -> tuple[tuple[float, float], ...]:
    """Return a sort key for complex numbers: each part, and the sign of zeros."""
    return tuple((part, copysign(1.0, part)) for part in x)


def better(choose: Callable[..., Any]) -> Callable[..., Pair]:
    def f(x: Pair, y: Pair, t: str) -> Pair:
        for z in (x, y):
            if any(map(isnan, z)):
                return z
        return choose(x, y, key=rank)

    return f


def of_c(f: Callable[..., complex]) -> Callable[..., Pair]:
    """Return a function of C's library in f64, rounded to f32; it is not exact enough for f64."""

    def rounded(*values_and_type: Any) -> Pair:
        *values, t = values_and_type
        if t != "f32":
            raise Unknown(f"functions of complex numbers of {t}")
        value = f(*(complex(*v) for v in values))
        return floats.fl(value.real, t), floats.fl(value.imag, t)

    return rounded


COMPLEX: dict[str, Callable[..., Any]] = {
    "atan2": of_c(lambda y, x: -1j * cmath.log((x + 1j * y) / cmath.sqrt(x * x + y * y))),
    "cbrt": of_c(lambda x: cmath.rect(abs(x) ** (1 / 3), cmath.phase(x) / 3)),
    "cosine": of_c(cmath.cos),
    "exponential": of_c(cmath.exp),
    "exponential_minus_one": of_c(lambda x: cmath.exp(x) - 1),
    "log": of_c(cmath.log),
    "log_plus_one": of_c(lambda x: cmath.log(1 + x)),
    "logistic": of_c(lambda x: 1 / (1 + cmath.exp(-x))),
    "power": of_c(lambda x, y: cmath.exp(y * cmath.log(x))),
    "rsqrt": of_c(lambda x: 1 / cmath.sqrt(x)),
    "sine": of_c(cmath.sin),
    "sqrt": of_c(cmath.sqrt),
    "tan": of_c(cmath.tan),
    "tanh": of_c(cmath.tanh),
    "add": by_parts("add"),
    "subtract": by_parts("subtract"),
    "negate": by_parts("negate"),
    "multiply": product,
    "divide": ratio,
    "abs": modulus,
    "sign": unit,
    "real": lambda x, t: x[0],
    "imag": lambda x, t: x[1],
    "maximum": better(max),
    "minimum": better(min),
    "clamp": lambda low, x, high, t: better(min)(better(max)(x, low, t), high, t),
}


def total_rank(x: float) -> tuple[int, float, float]:
    """Return a sort key for the total order: -NaN, numbers with -0 below +0, NaN (E24)."""
    sign = copysign(1.0, x)
    return (int(sign), 0.0, 0.0) if isnan(x) else (0, x, sign)


def compared(op: Op, a: Any, b: Any, t: ElementType) -> bool:
    direction = op.attributes["comparison_direction"]
    if op.attributes.get("compare_type") == "TOTALORDER":
        return HOLDS[direction](total_rank(a), total_rank(b))
    if t.kind == "complex" and direction not in ("EQ", "NE"):
        if any(isnan(p) for p in (*a, *b)):
            raise Unknown("an order of complex NaNs")
        return HOLDS[direction](tuple(a), tuple(b))
    if t.kind == "complex":
        same = a[0] == b[0] and a[1] == b[1]
        return same if direction == "EQ" else not same
    return HOLDS[direction](a, b)


def applied(
    op: Op, name: str, types: Sequence[ElementType], result: ElementType, values: Sequence[Any]
) -> Any:
    """Return an operation on plain elements of `types`, in the plain type `result`."""
    t = types[-1]
    if name == "compare":
        return compared(op, *values, t)
    if name == "select":
        return values[1] if values[0] else values[2]
    if name == "is_finite":
        return isfinite(values[0])
    if name == "complex":
        return values[0], values[1]
    if name == "reduce_precision":
        return floats.reduced(values[0], t.name, op["exponent_bits"], op["mantissa_bits"])
    if t.kind == "float" and name in ("real", "imag"):
        return values[0] if name == "real" else 0.0
    tables: dict[str, Any] = {"float": floats.OPERATIONS, "boolean": BOOLEAN, "complex": COMPLEX}
    table = tables.get(t.kind, INTEGER)
    if name not in table:
        raise Unknown(f"{name} of {t}")
    of = {"float": result.name, "complex": ELEMENT(t).name if t.kind == "complex" else ""}.get(t.kind, t)
    return table[name](*values, of)

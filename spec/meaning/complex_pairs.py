"""Functions of finite complex numbers as pairs of decimals, and the rounding of such pairs."""

from __future__ import annotations

from collections.abc import Callable
from decimal import MAX_EMAX, MIN_EMIN, Decimal, getcontext, localcontext
from fractions import Fraction
from math import copysign

from spec.formats import round_to
from spec.meaning import transcendental as real
from spec.meaning.transcendental import angle, sin_cos
from spec.types import ElementType, complex_part

Pair = tuple[Decimal, Decimal]
Approximation = Callable[..., Pair]

SPARE = 120  # digits that cancellation may cost, beside those that far exponents cost
FAR = 2000.0  # exp of more is beyond every product with a sine of a binary64
CERTAIN = 2000  # a part that agrees with a midpoint to so many digits is one


def round_once(
    approximate: Approximation, type: ElementType, *operands: complex, zeros: tuple[float, float] = (0.0, 0.0)
) -> complex:
    """Return both parts of approximate(operands) rounded once; a zero part takes the sign of `zeros`."""
    part, exact = complex_part(type), [(Decimal(x.real), Decimal(x.imag)) for x in operands]
    cost = SPARE + 2 * sum(abs(d.adjusted()) for pair in exact for d in pair)
    digits = 30
    while True:
        with localcontext(prec=digits + cost, Emin=MIN_EMIN, Emax=MAX_EMAX):
            pair = zip(map(Fraction, approximate(*exact)), zeros, strict=True)
        low, high = zip(*(ends(value, zero, digits, part) for value, zero in pair), strict=True)
        if repr(low) == repr(high) or digits > CERTAIN:
            return complex(*low)
        digits *= 2


def ends(value: Fraction, zero: float, digits: int, type: ElementType) -> tuple[float, float]:
    """Return both ends, rounded, of the interval of a value that is known to `digits` digits."""
    if value == 0:
        return (round_to(copysign(0.0, zero), type),) * 2
    error = abs(value) / 10**digits
    return round_to(value - error, type), round_to(value + error, type)


def near(x: Decimal) -> Decimal:
    return min(max(x, Decimal(-FAR)), Decimal(FAR))


def exp(z: Pair) -> Pair:
    modulus, (sin, cos) = near(z[0]).exp(), sin_cos(z[1])
    return modulus * cos, modulus * sin


def ln(z: Pair) -> Pair:
    x, y = z
    argument = angle(abs(y), x) if y else real.pi() if x < 0 else Decimal(0)
    return (x * x + y * y).ln() / 2, -argument if y.is_signed() else argument


def clear_errors(z: Pair) -> Pair:
    """Return the pair with zero for a part so small that it is only the error of a difference."""
    least = max(map(abs, z)).scaleb(25 - getcontext().prec)
    re, im = (part if abs(part) > least else Decimal(0) for part in z)
    return re, im


def sqrt(z: Pair) -> Pair:
    x, y = z
    larger = (((x * x + y * y).sqrt() + abs(x)) / 2).sqrt()
    other = abs(y) / (2 * larger)
    re, im = (larger, other) if x >= 0 else (other, larger)
    return re, -im if y.is_signed() else im


def multiply(z: Pair, w: Pair) -> Pair:
    return z[0] * w[0] - z[1] * w[1], z[0] * w[1] + z[1] * w[0]


def divide(z: Pair, w: Pair) -> Pair:
    norm = w[0] * w[0] + w[1] * w[1]
    re, im = multiply(z, (w[0], -w[1]))
    return re / norm, im / norm


def sinh_cosh(x: Decimal) -> Pair:
    grown = near(x).exp()
    return (grown - 1 / grown) / 2, (grown + 1 / grown) / 2


def sine(z: Pair) -> Pair:
    (sin, cos), (sinh, cosh) = sin_cos(z[0]), sinh_cosh(z[1])
    return sin * cosh, cos * sinh


def cosine(z: Pair) -> Pair:
    (sin, cos), (sinh, cosh) = sin_cos(z[0]), sinh_cosh(z[1])
    return cos * cosh, -sin * sinh


def tanh(z: Pair) -> Pair:
    (sin, cos), (sinh, cosh) = sin_cos(z[1]), sinh_cosh(z[0])
    norm = sinh * sinh + cos * cos
    return sinh * cosh / norm, sin * cos / norm


def logistic(z: Pair) -> Pair:
    re, im = exp((-z[0], -z[1]))
    return divide((Decimal(1), Decimal(0)), (1 + re, im))


def atan2(z: Pair, w: Pair) -> Pair:
    """-i log((w + iz) / sqrt(w**2 + z**2))"""
    squares = [multiply(v, v) for v in (w, z)]
    root = sqrt((squares[0][0] + squares[1][0], squares[0][1] + squares[1][1]))
    re, im = ln(clear_errors(divide((w[0] - z[1], w[1] + z[0]), root)))
    return im, -re

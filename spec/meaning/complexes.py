"""Complex numbers: formulas in which each real operation rounds, and functions rounded once (E32)."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import copysign, hypot, inf, isfinite, isinf, isnan, nan

from spec.formats import round_to
from spec.meaning import complex_pairs as pairs
from spec.meaning import numbers
from spec.meaning import transcendental as real
from spec.meaning.numbers import sort_key
from spec.meaning.transcendental import root
from spec.types import ELEMENT_TYPES, ElementType, complex_part


def add(x: complex, y: complex, type: ElementType) -> complex:
    part = complex_part(type)
    return complex(numbers.add(x.real, y.real, part), numbers.add(x.imag, y.imag, part))


def subtract(x: complex, y: complex, type: ElementType) -> complex:
    part = complex_part(type)
    return complex(numbers.subtract(x.real, y.real, part), numbers.subtract(x.imag, y.imag, part))


def multiply(x: complex, y: complex, type: ElementType) -> complex:
    """(a + bi) (c + di) = (ac - bd) + (ad + bc) i"""
    part = complex_part(type)
    ac, bd = numbers.multiply(x.real, y.real, part), numbers.multiply(x.imag, y.imag, part)
    ad, bc = numbers.multiply(x.real, y.imag, part), numbers.multiply(x.imag, y.real, part)
    return complex(numbers.subtract(ac, bd, part), numbers.add(ad, bc, part))


def divide(x: complex, y: complex, type: ElementType) -> complex:
    """x / y = x * conjugate(y) / (y * conjugate(y))"""
    part = complex_part(type)
    numerator = multiply(x, y.conjugate(), type)
    norm = multiply(y, y.conjugate(), type).real
    return complex(numbers.divide(numerator.real, norm, part), numbers.divide(numerator.imag, norm, part))


def negate(x: complex, type: ElementType) -> complex:
    return complex(-x.real, -x.imag)


def absolute(x: complex, type: ElementType) -> float:
    """Return the modulus, rounded once."""
    if isinf(x.real) or isinf(x.imag):
        return inf
    if is_nan(x) or x == 0:
        return nan if is_nan(x) else 0.0
    return round_to(root(Fraction(x.real) ** 2 + Fraction(x.imag) ** 2, 2), complex_part(type))


def sign(x: complex, type: ElementType) -> complex:
    """divide(x, convert(abs(x), type(x))); zero is zero, and a NaN makes both parts NaN."""
    if is_nan(x) or x == 0:
        return complex(nan, nan) if is_nan(x) else 0j
    return divide(x, complex(absolute(x, type), 0.0), type)


def maximum(x: complex, y: complex, type: ElementType) -> complex:
    """Return the lexicographic maximum of the (real, imaginary) pairs, or a NaN if there is one."""
    return max(x, y, key=pair) if not is_nan(x) and not is_nan(y) else x if is_nan(x) else y


def minimum(x: complex, y: complex, type: ElementType) -> complex:
    """Return the lexicographic minimum of the (real, imaginary) pairs, or a NaN if there is one."""
    return min(x, y, key=pair) if not is_nan(x) and not is_nan(y) else x if is_nan(x) else y


def pair(x: complex) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return a sort key for complex numbers: lexicographic by parts."""
    return sort_key(x.real), sort_key(x.imag)


def is_nan(x: complex) -> bool:
    return isnan(x.real) or isnan(x.imag)


# Exponentials, logarithms, roots, powers and angles of complex numbers, both parts rounded once (E32).
#
# At infinities and NaN, the parts are the products of IEEE-754 functions that the docstrings show, where
# zero times anything is zero.

F64 = ELEMENT_TYPES["f64"]
WHOLE = 64  # powers to be computed as fractions


def is_finite(*operands: complex) -> bool:
    return all(isfinite(x.real) and isfinite(x.imag) for x in operands)


def times(a: float, b: float) -> float:
    """Return the product of IEEE-754, but zero if either factor is; a NaN then counts as positive."""
    if a != 0 and b != 0:
        return a * b
    signs = [1.0 if isnan(x) else copysign(1.0, x) for x in (a, b)]
    return copysign(0.0, signs[0] * signs[1])


def exponential(z: complex, type: ElementType) -> complex:
    """exp(x) cos(y) + i exp(x) sin(y)"""
    if is_finite(z):
        return pairs.round_once(pairs.exp, type, z, zeros=(0.0, z.imag))
    if isfinite(z.real) and not isfinite(z.imag):
        return complex(nan, nan)
    modulus, (sin, cos) = real.exponential(z.real, F64), circle(z.imag)
    return complex(times(modulus, cos), times(modulus, sin))


def exponential_minus_one(z: complex, type: ElementType) -> complex:
    """exp(z) - 1"""
    if is_finite(z):
        less = lambda z: (pairs.exp(z)[0] - 1, pairs.exp(z)[1])
        return pairs.round_once(less, type, z, zeros=(z.real, z.imag))
    value = exponential(z, type)
    return complex(value.real - 1, value.imag)


def log(z: complex, type: ElementType) -> complex:
    """log(|z|) + i atan2(y, x)"""
    part = complex_part(type)
    argument = real.atan2(z.imag, z.real, part)
    if is_finite(z) and z != 0:
        return complex(pairs.round_once(pairs.ln, type, z).real, argument)
    return complex(real.log(hypot(z.real, z.imag), part), argument)


def log_plus_one(z: complex, type: ElementType) -> complex:
    """log(1 + z)"""
    if not is_finite(z) or z == -1:
        return log(complex(z.real + 1, z.imag), type)
    zeros = (z.real if z == 0 else 0.0, z.imag)  # log(-1), of -2, has the real part +0
    return pairs.round_once(lambda z: pairs.ln((z[0] + 1, z[1])), type, z, zeros=zeros)


def sqrt(z: complex, type: ElementType) -> complex:
    """sqrt((|z| + x) / 2) + i y / (2 sqrt((|z| + x) / 2)); the imaginary part has the sign of y."""
    if is_finite(z):
        return pairs.round_once(pairs.sqrt, type, z, zeros=(0.0, z.imag)) if z != 0 else complex(0.0, z.imag)
    if isinf(z.imag):
        return complex(inf, z.imag)
    if isnan(z.real) or isfinite(z.real):
        return complex(nan, nan)
    other = nan if isnan(z.imag) else 0.0
    return complex(inf, copysign(other, z.imag)) if z.real > 0 else complex(other, copysign(inf, z.imag))


def rsqrt(z: complex, type: ElementType) -> complex:
    """1 / sqrt(z); zero gives infinity and NaN, and infinity gives zero."""
    if z == 0:
        return complex(inf, nan)
    if is_finite(z):
        inverse = lambda z: pairs.divide((Decimal(1), Decimal(0)), pairs.sqrt(z))
        return pairs.round_once(inverse, type, z, zeros=(0.0, -z.imag))
    if isinf(z.real) or isinf(z.imag):
        return complex(0.0, copysign(0.0, -z.imag))
    return complex(nan, nan)


def cbrt(z: complex, type: ElementType) -> complex:
    """exp(log(z) / 3), the principal root"""
    if is_finite(z) and z != 0:
        third = lambda z: pairs.exp((pairs.ln(z)[0] / 3, pairs.ln(z)[1] / 3))
        return pairs.round_once(third, type, z, zeros=(0.0, z.imag))
    sin, cos = circle(real.atan2(z.imag, z.real, F64) / 3)
    root = hypot(z.real, z.imag)
    return complex(times(root, cos), times(root, sin))


def sine(z: complex, type: ElementType) -> complex:
    """sin(x) cosh(y) + i cos(x) sinh(y)"""
    sin, cos = circle(z.real)
    if is_finite(z):
        return pairs.round_once(pairs.sine, type, z, zeros=(z.real, times(cos, z.imag)))
    sinh, cosh = hyperbola(z.imag)
    return complex(times(sin, cosh), times(cos, sinh))


def cosine(z: complex, type: ElementType) -> complex:
    """cos(x) cosh(y) - i sin(x) sinh(y)"""
    sin, cos = circle(z.real)
    if is_finite(z):
        return pairs.round_once(pairs.cosine, type, z, zeros=(0.0, -times(sin, z.imag)))
    sinh, cosh = hyperbola(z.imag)
    return complex(times(cos, cosh), -times(sin, sinh))


def tanh(z: complex, type: ElementType) -> complex:
    """(sinh(x) cosh(x) + i sin(y) cos(y)) / (sinh(x)**2 + cos(y)**2)"""
    if is_finite(z):
        return pairs.round_once(pairs.tanh, type, z, zeros=(z.real, z.imag))
    if isinf(z.real):
        sin, cos = circle(z.imag)
        return complex(copysign(1.0, z.real), copysign(0.0, sin * cos) if isfinite(z.imag) else 0.0)
    return complex(nan, z.imag if z.imag == 0 else nan)


def tan(z: complex, type: ElementType) -> complex:
    """-i tanh(iz)"""
    turned = tanh(complex(-z.imag, z.real), type)
    return complex(turned.imag, -turned.real)


def logistic(z: complex, type: ElementType) -> complex:
    """1 / (1 + exp(-z))"""
    if is_finite(z):
        return pairs.round_once(pairs.logistic, type, z, zeros=(0.0, z.imag))
    if isinf(z.real):
        sin, cos = circle(z.imag)
        return complex(1.0 if z.real > 0 else times(0.0, cos), times(0.0, sin))
    return complex(nan, z.imag if z.imag == 0 else nan)


def power(z: complex, w: complex, type: ElementType) -> complex:
    """exp(w log(z)); z**0 is 1, and 0**w is 0 for real positive w, else NaN."""
    if w == 0:
        return complex(1.0, 0.0)
    if z == 0:
        return complex(0.0, 0.0) if w.imag == 0 and w.real > 0 else complex(nan, nan)
    if not is_finite(z, w):
        return complex(nan, nan)
    if w.imag == 0 and w.real % 1 == 0 and abs(w.real) <= WHOLE:
        return whole_power(z, int(w.real), type)
    turns = w.real * real.atan2(z.imag, z.real, F64) + w.imag * real.log(hypot(z.real, z.imag), F64)
    return pairs.round_once(
        lambda z, w: pairs.clear_errors(pairs.exp(pairs.multiply(w, pairs.ln(z)))),
        type,
        z,
        w,
        zeros=(0.0, turns),
    )


def whole_power(z: complex, n: int, type: ElementType) -> complex:
    """Return z**n from exact parts, as the result may lie midway between two numbers."""
    part, (x, y), (re, im) = (
        complex_part(type),
        (Fraction(z.real), Fraction(z.imag)),
        (Fraction(1), Fraction(0)),
    )
    for _ in range(abs(n)):
        re, im = re * x - im * y, re * y + im * x
    if n < 0:
        norm = re * re + im * im
        re, im = re / norm, -im / norm
    turns = n * real.atan2(z.imag, z.real, F64)
    return complex(round_to(re, part), round_to(im or copysign(0.0, turns), part))


def atan2(y: complex, x: complex, type: ElementType) -> complex:
    """-i log((x + iy) / sqrt(x**2 + y**2)); NaN where that divides by zero, or is not finite."""
    if not is_finite(y, x) or x == complex(y.imag, -y.real) or x == complex(-y.imag, y.real):
        return complex(nan, nan)
    result = pairs.round_once(pairs.atan2, type, y, x, zeros=(y.real, -0.0))
    across = Fraction(x.real) * Fraction(y.imag) - Fraction(x.imag) * Fraction(y.real)
    return result if across else complex(result.real, -0.0)  # |x + iy| = |x - iy|: the logarithm's real part


def circle(y: float) -> tuple[float, float]:
    """Return the sine and the cosine; both are NaN if y is not finite."""
    return real.sine(y, F64), real.cosine(y, F64)


def hyperbola(x: float) -> tuple[float, float]:
    """Return numbers with the signs, zeros and infinities of the hyperbolic sine and cosine of x."""
    if not isfinite(x):
        return x, abs(x)
    sinh, cosh = pairs.sinh_cosh(Decimal(x))
    return copysign(round_to(Fraction(sinh), F64) or x, x), round_to(Fraction(cosh), F64)

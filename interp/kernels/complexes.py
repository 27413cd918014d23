"""Elementwise functions of complex numbers, computed by parts and rounded once each (E22, E32)."""

from __future__ import annotations

from collections.abc import Callable
from math import pi

from interp.backends import Array, Namespace
from interp.engine.quant import complex_parts
from interp.kernels.floats import FLOAT, Function, Prepared, curry
from spec.types import ELEMENT_TYPES, ElementType, complex_part

# Sums of products to twice the precision of f64, for sums that cancel.

Pair = tuple[Array, Array]
F64 = ELEMENT_TYPES["f64"]
SPLIT = 2.0**27 + 1  # cuts a significand of 53 bits in two halves


def _halves(xp: Namespace, a: Array) -> Pair:
    """Return a number as the sum of two whose products with others' halves are exact."""
    exact = lambda x: xp.round_to(x, F64)
    cut = exact(SPLIT * a)
    high = exact(cut - exact(cut - a))
    return high, exact(a - high)


def _product(xp: Namespace, a: Array, b: Array) -> Pair:
    """Return the rounded a * b, and its error: the exact product minus it."""
    exact = lambda x: xp.round_to(x, F64)  # keeps a compiler from contracting products and sums
    (high, low), (top, rest) = _halves(xp, a), _halves(xp, b)
    product = exact(a * b)
    mixed = exact(exact(high * rest) + exact(low * top))
    return product, exact(exact(exact(high * top) - product) + mixed) + exact(low * rest)


def _sum(xp: Namespace, a: Array, b: Array) -> Pair:
    """Return the rounded a + b, and its error: the exact sum minus it."""
    exact = lambda x: xp.round_to(x, F64)
    total = exact(a + b)
    part = exact(total - a)
    return total, exact(a - exact(total - part)) + exact(b - part)


def total(xp: Namespace, first: Array, *squared: Array) -> Array:
    """Return `first` plus the squares, with the errors of all sums and products added at the end."""
    return sum_products(xp, first, *((x, x) for x in squared))


def sum_products(xp: Namespace, first: Array, *pairs: Pair) -> Array:
    """Return `first` plus the products, with the errors of all sums and products added at the end."""
    whole, rest = first, xp.zeros_like(first)
    for pair in pairs:
        product, lacking = _product(xp, *pair)
        whole, missing = _sum(xp, whole, product)
        rest = rest + (missing + lacking)
    return whole + rest


# Exponentials, logarithms, roots, powers and angles of complex numbers, computed in f64 by parts (E32).
#
# A function takes and returns pairs of f64 arrays, (real, imaginary), and is rounded once afterwards.
# Formulas avoid cancellation and overflow; zero times an infinity or a NaN counts as zero.

CarrierFunction = Callable[..., Array]

LARGE = 20.0  # from here on tanh is 1 to more than 53 bits


def widen(f: Callable[..., Pair]) -> CarrierFunction:
    """Return a function of pairs as a function of carriers, which rounds each part once to its type."""

    def function(xp: Namespace, type: ElementType, *values: Array) -> Array:
        part = complex_part(type)
        pairs = (tuple(p.astype(xp.float64) for p in complex_parts(xp, x, type)) for x in values)
        real, imag = (xp.round_to(p, part) for p in f(xp, *pairs))
        return xp.join_complex(real, imag, xp.carrier(type))

    return function


def _times(xp: Namespace, a: Array, b: Array) -> Array:
    """Return the product of IEEE-754, but zero if either factor is; a NaN then counts as positive."""
    positive = lambda x: xp.where(xp.isnan(x), 1.0, xp.copysign(1.0, x))
    return xp.where((a == 0) | (b == 0), 0.0 * positive(a) * positive(b), a * b)


def _unless(xp: Namespace, lost: Array, z: Pair) -> Pair:
    return xp.where(lost, xp.nan, z[0]), xp.where(lost, xp.nan, z[1])


def _exp(xp: Namespace, z: Pair) -> Pair:
    """`exp(x) cos(y) + i exp(x) sin(y)`; a large exp(x) is split in two, so that only products overflow."""
    half, far = xp.exp(z[0] / 2), (xp.abs(z[0]) > 700) & xp.isfinite(z[0])
    once = lambda part: _times(xp, xp.exp(z[0]), part)
    twice = lambda part: _times(xp, half, _times(xp, half, part))
    real, imag = (xp.where(far, twice(part), once(part)) for part in (xp.cos(z[1]), xp.sin(z[1])))
    return _unless(xp, xp.isfinite(z[0]) & ~xp.isfinite(z[1]), (real, imag))


def _expm1(xp: Namespace, z: Pair) -> Pair:
    """`expm1(x) cos(y) - 2 sin(y / 2)**2`"""
    real, imag = _exp(xp, z)
    sine = xp.sin(z[1] / 2)
    small = xp.expm1(z[0]) * xp.cos(z[1]) - 2 * sine * sine
    usual = xp.isfinite(z[0]) & xp.isfinite(z[1]) & (z[0] < 700)
    return xp.where(usual, xp.where((z[0] == 0) & (z[1] == 0), z[0], small), real - 1), imag


def _log(xp: Namespace, z: Pair) -> Pair:
    """`log(|z|) + i atan2(y, x)`; near |z| = 1 from x**2 - 1 + y**2"""
    modulus = xp.hypot(*z)
    close = (modulus > 0.5) & (modulus < 2)
    x, y = (xp.where(close, part, xp.ones_like(part)) for part in z)
    beside = 0.5 * xp.log1p(
        total(xp, xp.full_like(x, -1.0), xp.maximum(abs(x), abs(y)), xp.minimum(abs(x), abs(y)))
    )
    return xp.where(close, beside, xp.log(modulus)), xp.arctan2(z[1], z[0])


def _log1p(xp: Namespace, z: Pair) -> Pair:
    """`log(|1 + z|) + i atan2(y, 1 + x)`; near |1 + z| = 1 from 2x + x**2 + y**2"""
    moved = 1 + z[0]
    modulus = xp.hypot(moved, z[1])
    close = (modulus > 0.5) & (modulus < 2)
    x, y = (xp.where(close, part, xp.ones_like(part)) for part in z)
    beside = 0.5 * xp.log1p(total(xp, 2 * x, x, y))
    beside = xp.where((x == 0) & (y == 0), x, beside)
    return xp.where(close, beside, xp.log(modulus)), xp.arctan2(z[1], moved)


def _scale_near_one(xp: Namespace, z: Pair) -> tuple[Pair, Array]:
    """Scale a huge or tiny z by a power of four to near 1; return it and the root of that power."""
    size = xp.maximum(xp.abs(z[0]), xp.abs(z[1]))
    root = xp.where(size > 2.0**500, 2.0**-260, xp.where(size < 2.0**-500, 2.0**260, 1.0))
    return (z[0] * root * root, z[1] * root * root), root


def _sqrt(xp: Namespace, z: Pair) -> Pair:
    """`t + i y / 2t` with `t = sqrt((|z| + |x|) / 2)`, turned by a quarter for negative x"""
    (x, y), root = _scale_near_one(xp, z)
    larger = xp.sqrt((xp.hypot(x, y) + xp.abs(x)) * 0.5)
    other = xp.where(larger == 0, xp.zeros_like(y), xp.divide_exactly(xp.abs(y), 2 * larger))
    larger, other = larger / root, other / root
    larger, other = (xp.where(xp.isinf(y), xp.inf, part) for part in (larger, other))
    positive = ~xp.signbit(x) | (larger == 0) | xp.isnan(x)
    real, imag = xp.where(positive, larger, other), xp.where(positive, other, larger)
    return real, xp.copysign(imag, z[1])


def _rsqrt(xp: Namespace, z: Pair) -> Pair:
    """`conjugate(sqrt(z)) / |z|`; zero gives infinity and NaN, infinity gives zero."""
    near, root = _scale_near_one(xp, z)
    real, imag = _sqrt(xp, near)
    modulus = xp.hypot(*near)
    zero, infinite = modulus == 0, xp.isinf(z[0]) | xp.isinf(z[1])
    parts = [xp.divide_exactly(p, modulus) * root for p in (real, -imag)]
    real, imag = (
        xp.where(infinite, 0 * xp.copysign(1.0, p), q) for p, q in zip((abs(real), -z[1]), parts, strict=True)
    )
    return xp.where(zero, xp.inf, real), xp.where(zero, xp.nan, imag)


def _cbrt(xp: Namespace, z: Pair) -> Pair:
    (x, y), _ = near = _scale_near_one(xp, z)
    size, third = xp.cbrt(xp.hypot(x, y)), xp.arctan2(z[1], z[0]) / 3
    size = size / xp.cbrt(near[1] * near[1])
    return _times(xp, size, xp.cos(third)), _times(xp, size, xp.sin(third))


def _sine(xp: Namespace, z: Pair) -> Pair:
    return _hyperbolic_products(xp, xp.sin(z[0]), xp.cos(z[0]), z[1])


def _cosine(xp: Namespace, z: Pair) -> Pair:
    real, imag = _hyperbolic_products(xp, xp.cos(z[0]), xp.sin(z[0]), z[1])
    return real, -imag


def _hyperbolic_products(xp: Namespace, a: Array, b: Array, y: Array) -> Pair:
    """Return `a cosh(y), b sinh(y)`, which overflow only if the product does."""
    far = xp.abs(y) > 700
    half = xp.exp(xp.abs(y) / 2)
    sign = xp.copysign(1.0, y)
    large = [_times(xp, 0.5 * half, _times(xp, half, part)) for part in (a, b * sign)]
    usual = _times(xp, a, xp.cosh(y)), _times(xp, b, xp.sinh(y))
    real, imag = (xp.where(far, x, y) for x, y in zip(large, usual, strict=True))
    return real, imag


def _tanh(xp: Namespace, z: Pair) -> Pair:
    """Compute tanh by Kahan's formula: with `t = tan(y), s = sinh(x)`, divide by `1 + (1 + t**2) s**2`."""
    x, y = z
    size, sign = xp.abs(x), xp.copysign(1.0, x)
    sine, cosine = xp.sin(y), xp.cos(y)
    s = xp.sinh(xp.minimum(size, LARGE))
    norm = cosine * cosine + s * s
    real, imag = s * xp.sqrt(1 + s * s) / norm, sine * cosine / norm
    fading = xp.exp(-xp.minimum(size, 800.0))
    beyond = 4 * _times(xp, sine * cosine * fading, fading)
    beyond = xp.where(xp.isinf(x), xp.where(xp.isfinite(y), 0.0 * sine * cosine, 0.0), beyond)
    far = size > LARGE
    lost = ~xp.isinf(x) & ~xp.isfinite(y)
    real = xp.where(far, sign, xp.where(x == 0, x, sign * real))
    imag = xp.where(far, beyond, xp.where(y == 0, y, imag))
    return _unless(xp, lost, (real, imag))


def _tan(xp: Namespace, z: Pair) -> Pair:
    """`-i tanh(iz)`"""
    real, imag = _tanh(xp, (-z[1], z[0]))
    return imag, -real


def _logistic(xp: Namespace, z: Pair) -> Pair:
    """`1 / (1 + exp(-z))`, by `u = exp(-|x|)` in sums whose terms have the same sign."""
    x, y = z
    u, less, sine = xp.exp(-xp.abs(x)), -xp.expm1(-xp.abs(x)), xp.sin(y)
    above = 2 * xp.cos(y / 2) ** 2  # 1 + cos(y)
    norm = less * less + 2 * _times(xp, u, above)
    real = xp.where(x >= 0, less + _times(xp, u, above), _times(xp, u, above - less))
    imag = xp.where(y == 0, y, _times(xp, u, sine) / norm)
    # near zero it is y / 4 - (3 x**2 - y**2) y / 48: the last term decides a tie, by its sign alone
    least = 2.0**-52 * xp.copysign(1.0, 3 * x * x - y * y)
    imag = xp.where((y != 0) & (xp.maximum(xp.abs(x), xp.abs(y)) < 2.0**-28), y / 4 * (1 - least), imag)
    return _unless(xp, xp.isfinite(x) & ~xp.isfinite(y), (real / norm, imag))


def _multiply(z: Pair, w: Pair) -> Pair:
    return z[0] * w[0] - z[1] * w[1], z[0] * w[1] + z[1] * w[0]


def _significant(xp: Namespace, part: Array, other: Array, error: Array, sign: Array | float) -> Array:
    """Return a part of a number, or a zero of this sign where it may be only the error of the angle."""
    return xp.where((error < 2.0**-20) & (abs(part) < error * abs(other)), xp.copysign(0.0, sign), part)


def _power(xp: Namespace, z: Pair, w: Pair) -> Pair:
    """`exp(w log(z))`; `z**0` is 1, and `0**w` is 0 for real positive w, else NaN."""
    log = _log(xp, z)
    raised = _multiply(w, log)
    error = 2.0**-49 * (xp.abs(w[0] * log[1]) + xp.abs(w[1] * log[0]))  # at most, of the angle
    real, imag = _exp(xp, raised)
    real, imag = _significant(xp, real, imag, error, 1.0), _significant(xp, imag, real, error, raised[1])
    base, exponent = (z[0] == 0) & (z[1] == 0), (w[0] == 0) & (w[1] == 0)
    finite = xp.isfinite(z[0]) & xp.isfinite(z[1]) & xp.isfinite(w[0]) & xp.isfinite(w[1])
    at_zero = xp.where((w[0] > 0) & (w[1] == 0), 0.0, xp.nan)
    real, imag = (xp.where(base, at_zero, xp.where(finite, part, xp.nan)) for part in (real, imag))
    return xp.where(exponent, 1.0, real), xp.where(exponent, 0.0, imag)


def _atan2(xp: Namespace, y: Pair, x: Pair) -> Pair:
    """`-i log(p / sqrt(p q))` with `p = x + iy` and `q = x - iy`, whose product is x**2 + y**2.

    Twice the result is the angle of `p conjugate(q)` plus `i log(|q| / |p|)`, from sums of exact products.
    """
    zero = xp.zeros_like(x[0])
    p, q = (x[0] - y[1], x[1] + y[0]), (x[0] + y[1], x[1] - y[0])
    below = sum_products(xp, zero, (x[0], x[0]), (x[1], x[1]), (y[0], -y[0]), (y[1], -y[1]))
    beside = 2 * sum_products(xp, zero, (x[0], y[0]), (x[1], y[1]))
    across = 4 * sum_products(xp, zero, (x[0], y[1]), (-x[1], y[0]))
    sizes = [v[0] * v[0] + v[1] * v[1] for v in (p, q)]
    imag = 0.25 * xp.copysign(xp.log1p(xp.abs(across) / xp.minimum(*sizes)), across)
    half = 0.5 * xp.arctan2(beside, below)
    rough = _rough_angle(xp, y, x, p, q)
    turned = xp.floor((rough - half) / pi + 0.5) % 2 != 0
    behind = half - xp.copysign(pi, xp.where(half == 0, -1.0, half))
    real = xp.where(turned, behind, xp.where(half == 0, xp.copysign(half, y[0]), half))
    norm = sizes[0] * sizes[1]
    defined = xp.isfinite(norm) & (sizes[0] != 0) & (sizes[1] != 0)
    return xp.where(defined, real, xp.nan), xp.where(defined, xp.where(across == 0, -0.0, imag), xp.nan)


def _rough_angle(xp: Namespace, y: Pair, x: Pair, p: Pair, q: Pair) -> Array:
    """Return the angle of `p / sqrt(p q)`, between -pi and pi, to a few units of its last place."""
    angle = xp.arctan2(p[1], p[0])
    both = xp.abs(angle + xp.arctan2(q[1], q[0]))
    turn = _multiply(x, x)[1] + _multiply(y, y)[1]  # the imaginary part of p q
    both = xp.copysign(xp.where(both > pi, 2 * pi - both, both), turn)
    angle = angle - 0.5 * both
    return xp.where(xp.abs(angle) > pi, angle - xp.copysign(2 * pi, angle), angle)


FUNCTIONS: dict[str, CarrierFunction] = {
    "atan2": widen(_atan2),
    "cbrt": widen(_cbrt),
    "cosine": widen(_cosine),
    "exponential": widen(_exp),
    "exponential_minus_one": widen(_expm1),
    "log": widen(_log),
    "log_plus_one": widen(_log1p),
    "logistic": widen(_logistic),
    "power": widen(_power),
    "rsqrt": widen(_rsqrt),
    "sine": widen(_sine),
    "sqrt": widen(_sqrt),
    "tan": widen(_tan),
    "tanh": widen(_tanh),
}


def _by_parts(name: str) -> Function:
    def f(xp: Namespace, type: ElementType, *values: Array) -> Array:
        part = complex_part(type)
        columns = zip(*(complex_parts(xp, x, type) for x in values), strict=True)
        real, imag = (xp.round_to(FLOAT[name](xp, part)(*column), part) for column in columns)
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
    parts, part = tuple(p.astype(xp.float64) for p in complex_parts(xp, x, type)), complex_part(type)
    return xp.round_to(xp.certain("hypot", xp.hypot(*parts), part, parts), part)


def _complex_sign(xp: Namespace, type: ElementType, x: Array) -> Array:
    """Return `x / abs(x)`; zero is zero, and a NaN makes both parts NaN."""
    modulus = _modulus(xp, type, x)
    y = _complex_divide(xp, type, x, xp.join_complex(modulus, xp.zeros_like(modulus), xp.carrier(type)))
    y = xp.where(x == 0, xp.zeros_like(x), y)
    return xp.where(xp.isnan(x), xp.full_like(x, complex(xp.nan, xp.nan)), y)


def _lexicographic(name: str) -> Function:
    """Return the function that selects one of two numbers by (real, imaginary); the first NaN wins."""

    def f(xp: Namespace, type: ElementType, x: Array, y: Array) -> Array:
        (a, b), (c, d) = complex_parts(xp, x, type), complex_parts(xp, y, type)
        better = FLOAT[name](xp, complex_part(type))
        first, second = _same_sign(xp, better(a, c), a), _same_sign(xp, better(b, d), b)
        tie = _same_sign(xp, a, c)
        chosen = xp.where(xp.where(tie, second, first), x, y)
        return xp.where(xp.isnan(x), x, xp.where(xp.isnan(y), y, chosen))

    return f


def _same_sign(xp: Namespace, a: Array, b: Array) -> Array:
    """Return whether two numbers are equal and, if zeros, have the same sign."""
    return (a == b) & (xp.signbit(a) == xp.signbit(b))


_FUNCTIONS: dict[str, Function] = {
    **FUNCTIONS,
    "abs": _modulus,
    "add": _by_parts("add"),
    "divide": _complex_divide,
    "imag": lambda xp, t, x: complex_parts(xp, x, t)[1],
    "maximum": _lexicographic("maximum"),
    "minimum": _lexicographic("minimum"),
    "multiply": _complex_multiply,
    "negate": _by_parts("negate"),
    "real": lambda xp, t, x: complex_parts(xp, x, t)[0],
    "sign": _complex_sign,
    "subtract": _by_parts("subtract"),
}
COMPLEX: dict[str, Prepared] = {name: curry(f) for name, f in _FUNCTIONS.items()}

"""Elementwise functions of complex numbers: `f(xp, type)(*values)` on carriers, by rounded parts (E22)."""

from __future__ import annotations

from interp.backends import Array, Namespace
from interp.engine.quant import complex_parts
from interp.kernels.complex_functions import FUNCTIONS
from interp.kernels.floats import FLOAT, Function, Prepared, curry
from spec.types import ElementType, complex_part


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

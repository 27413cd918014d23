"""The bound on every accumulation of a sum: any tree over any permutation of its leaves, plain or fma.

THE FAMILY of a float type T. The tree is any full tree over the leaves in any order, with nodes of two or
more children. A node adds its children exactly and rounds once, to nearest with any choice of ties, to T or
to a wider type; before the next node, the value may be rounded once more to a narrower type that is still T
or wider. A product is rounded to T or wider, or enters its sum unrounded (fma). A wider type has the same
precision or at least 3 more bits, and at least the range. A body's identity may be a leaf any number of
times. Operands and results that are subnormal may be flushed to zero, in types with 8 or more exponent bits.

THEOREM. Let u = 2^-p be the unit roundoff of T, P >= the sum of the leaves' magnitudes, n the number of
those that are not 0, and k = n - 1 additions, and one more for products. Let rho = u + u/8 + u^2/8 and x = k
rho < 1. Then every node, and the root, is within g P + (1 + g) 6 n e of the exact sum of its leaves, with g =
x / (1 - x/2), where e is half the least subnormal of T, or with flushing its least normal, if P plus that
bound is at most T's largest number.

PROOF. A node multiplies its exact sum by (1 + a)(1 + b), |a| <= u for its own rounding and |b| <= u/8 for the
other, or the reverse: where both are in T, the second changes nothing. So a leaf is multiplied by at most
(1 + rho)^k, since a path from a leaf to the root has at most n - 1 nodes with two children that have leaves
other than 0 (a node with one of them only converts), and (1 + rho)^k - 1 <= exp(x) - 1 <= x / (1 - x/2), by
comparing their series. Where a result is subnormal, a rounding besides errs by at most e: at 2 (n - 1)
results of additions, 2 n of products, and 2 n - 1 children that are flushed. Each of these fewer than 6 n
errors is carried to the root like a leaf. Numbers within the largest one do not overflow when rounded to
nearest. (Compare Higham, Accuracy and Stability of Numerical Algorithms, sections 3.1 and 4.2.)
"""

from __future__ import annotations

from fractions import Fraction
from math import inf, log, nextafter, sqrt

import numpy as np

from interp.backends import Array, max_finite
from spec.types import ElementType

EVENTS = 6  # roundings of subnormals for each leaf, at most
GUARD = Fraction(1, 8)  # of u: the unit roundoff of a wider type


def covers(type: ElementType) -> bool:
    """Return whether the theorem speaks of sums in a type: it has signs and a zero."""
    return type.kind == "float" and type.special != "fnu"


def flushes(type: ElementType) -> bool:
    """Return whether the family has implementations that flush subnormals of a type to zero."""
    return type.exponent >= 8


def growth(type: ElementType, n: int, products: bool = False) -> Fraction | None:
    """Return g, exactly, or None where k rho >= 1, so that there is no claim."""
    u = Fraction(1, 2**type.precision)
    x = max(n - 1 + products, 0) * (u + u * GUARD + u * u * GUARD)
    return x / (1 - x / 2) if x < 1 else None


def loss(type: ElementType, flush: bool | None = None) -> Fraction:
    """Return e, what rounding to a subnormal, or flushing it, may change beyond the relative error."""
    least = Fraction(2) ** (1 - type.bias)
    return least if (flushes(type) if flush is None else flush) else least / 2 ** (type.mantissa + 1)


def bound(
    type: ElementType,
    magnitudes: Array,
    n: int | Array,
    products: bool = False,
    flush: bool | None = None,
) -> Array:
    """Return upper bounds, in f64, on |r - s| for every result r of the family; infinite without a claim.

    type: the declared type of the sum. magnitudes: P, or more, for each element. n: the number of leaves that
    may be other than 0, for each element or all. products: whether the leaves are products of two numbers,
    not yet rounded. flush: whether subnormals may be flushed, None for what the family says of the type. A
    factor of a product that is flushed is the caller's: as an interval that holds 0.
    """
    magnitudes = np.asarray(magnitudes, np.float64)
    counts, at = np.unique(np.broadcast_to(np.asarray(n, np.int64), magnitudes.shape), return_inverse=True)
    constants = np.array([_constants(type, int(count), products, flush) for count in counts]).reshape(-1, 2)
    g, rest = (column[at.reshape(magnitudes.shape)] for column in constants.T)
    with np.errstate(all="ignore"):
        error = up(up(g * magnitudes) + rest)
        fits = up(magnitudes + error) <= max_finite(type)
    error = np.where((g == 0) & (rest == 0), 0.0, error)
    return np.where(fits & np.isfinite(error), error, inf)


def _constants(type: ElementType, n: int, products: bool, flush: bool | None) -> tuple[float, float]:
    """Return g and the bound on what subnormals lose, rounded up."""
    if not covers(type):
        return inf, inf
    if n == 0 or n + products <= 1:  # nothing rounds
        return 0.0, 0.0
    g = growth(type, n, products)
    return (inf, inf) if g is None else (above(g), above((1 + g) * EVENTS * n * loss(type, flush)))


def above(x: Fraction) -> float:
    """Return an f64 that is not less than a number."""
    rounded = float(x)
    return rounded if Fraction(rounded) >= x else nextafter(rounded, inf)


def up(x: Array) -> Array:
    """Return a number above the exact result that was rounded to x in f64."""
    return np.asarray(np.nextafter(x, inf))


def down(x: Array) -> Array:
    """Return a number below the exact result that was rounded to x in f64."""
    return np.asarray(np.nextafter(x, -inf))


# The likely bound, which all but a stated share of sums keep if roundings err independently.
#
# It is narrower than the one above by about the square root of the number of leaves, and has a premise.
#
# THE PREMISE. The implementation is of the family above: any tree over any permutation of the leaves,
# plain or fma, nodes in T or wider, to nearest. Take its roundings in the order in which they are made. Given
# those before, the error of each has the mean 0. (Errors that depend on each other so that later ones undo or
# keep the earlier ones' sign, as where a large sum absorbs one small number after the other, break it.)
#
# THEOREM. Let rho, g, n and e be those above, P >= the sum of the leaves' magnitudes, S >= the
# magnitude of their exact sum, M = (P + S) / 2, and B the bound above for P. With a probability of at
# least 1 - risk, a sum is within lambda rho (M + B) sqrt(N) + (1 + g) 6 n e of the exact one, with lambda =
# sqrt(2 ln(2 / risk)), and N = n - 1, and 2 more for products.
#
# PROOF. The root is the exact sum plus the errors of all nodes, since an addition hands on an error as it is;
# so is every node for the leaves below it. The sum of some leaves lies between that of the negative ones and
# that of the positive ones; the larger of their magnitudes is (P + |s|) / 2 <= M. A node's children, with
# their errors, therefore have a sum of at most M + B in magnitude, and a rounding errs by at most rho times
# that.
# There are n - 1 of these. Rounding the product p errs by at most rho |p|, with |p| <= M, and the squares of
# these add up to at most rho^2 M P <= 2 rho^2 M^2. The errors are differences of a martingale by the premise,
# and the inequality of Azuma and Hoeffding bounds their sum. What subnormals and flushing lose has no mean 0;
# it is bounded as above. (Compare Higham and Mary, A new approach to probabilistic rounding error
# analysis, 2019; there the bound is on relative errors, so that P stands in the place of M.)


def likely_bound(
    type: ElementType, magnitudes: Array, sums: Array, n: Array, risk: float, products: bool = False
) -> Array:
    """Return bounds, in f64, that a sum of the family exceeds with a probability of at most `risk`.

    type: the declared type of the sum. magnitudes, sums: P and S, or more, for each element. n: the number of
    leaves that may be other than 0. products: whether leaves are products of two numbers, not yet rounded.
    It is never more than the bound on all sums of the family, and infinite where that is.
    """
    proved = bound(type, magnitudes, n, products)
    if not covers(type):
        return proved
    roundings = np.maximum(np.asarray(n, np.float64) - 1, 0) + 2 * products
    u = Fraction(1, 2**type.precision)
    rate = nextafter(sqrt(2 * log(2 / risk)) * (1 + 2.0**-40), inf) * above(u + u * GUARD + u * u * GUARD)
    with np.errstate(all="ignore"):
        size = up(up(up(np.asarray(magnitudes) + sums) / 2) + proved)
        error = up(up(up(size * rate) * up(np.sqrt(roundings))) + _rest(type, n, products))
    return np.where(np.isfinite(proved), np.minimum(error, proved), inf)


def _rest(type: ElementType, n: Array, products: bool) -> Array:
    """Return the bound on what subnormals lose."""
    most = int(np.max(n, initial=0))
    g = growth(type, most, products)
    return np.full(np.shape(n), inf if g is None else above((1 + g) * EVENTS * most * loss(type)))

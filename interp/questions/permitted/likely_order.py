"""The bound on sums in any order that all but a stated share of them keep if roundings err independently.

It is narrower than that of `any_order` by about the square root of the number of leaves, and has a premise.

THE PREMISE. The implementation is of the family of `any_order`: any tree over any permutation of the leaves,
plain or fma, nodes in T or wider, to nearest. Take its roundings in the order in which they are made. Given
those before, the error of each has the mean 0. (Errors that depend on each other so that later ones undo or
keep the earlier ones' sign, as where a large sum absorbs one small number after the other, break it.)

THEOREM. Let rho, g, n and e be those of `any_order`, P >= the sum of the leaves' magnitudes, S >= the
magnitude of their exact sum, M = (P + S) / 2, and B the bound of `any_order` for P. With a probability of at
least 1 - risk, a sum is within lambda rho (M + B) sqrt(N) + (1 + g) 6 n e of the exact one, with lambda =
sqrt(2 ln(2 / risk)), and N = n - 1, and 2 more for products.

PROOF. The root is the exact sum plus the errors of all nodes, since an addition hands on an error as it is;
so is every node for the leaves below it. The sum of some leaves lies between the sum of the negative ones and
that of the positive ones; the larger of their magnitudes is (P + |s|) / 2 <= M. A node's children, with their
errors, therefore have a sum of at most M + B in magnitude, and a rounding errs by at most rho times that.
There are n - 1 of these. Rounding the product p errs by at most rho |p|, with |p| <= M, and the squares of
these add up to at most rho^2 M P <= 2 rho^2 M^2. The errors are differences of a martingale by the premise,
and the inequality of Azuma and Hoeffding bounds their sum. What subnormals and flushing lose has no mean 0;
it is bounded as in `any_order`. (Compare Higham and Mary, A new approach to probabilistic rounding error
analysis, 2019; there the bound is on relative errors, so that P stands in the place of M.)
"""

from __future__ import annotations

from fractions import Fraction
from math import inf, log, nextafter, sqrt

import numpy as np

from interp.backends import Array
from interp.questions.permitted.any_order import EVENTS, GUARD, above, bound, covers, growth, loss, up
from spec.types import ElementType


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

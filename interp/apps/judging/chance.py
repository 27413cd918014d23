"""The probability that a fault is in none of the elements that were drawn."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, comb

from spec.errors import Malformed


def missed(size: int, drawn: int, share: float) -> float:
    """Return the probability that none of `drawn` elements of `size` is among a share of wrong ones.

    THEOREM: elements are drawn without replacement, each set with the same probability. Of all comb(size,
    drawn) sets, comb(size - wrong, drawn) have none of the wrong ones. PREMISE: a wrong element that is drawn
    is judged to be wrong. A share means at least one element.
    """
    if not 0 < share <= 1:
        raise Malformed(f"a share of {share}", "expected a number above 0, up to 1")
    if not size:
        return 1.0
    wrong = max(1, ceil(Fraction(repr(float(share))) * size))
    return float(Fraction(comb(size - wrong, drawn), comb(size, drawn)))


def least_share(size: int, drawn: int, risk: float) -> float:
    """Return the least share of wrong elements that is missed with a probability of at most `risk`."""
    low, high = 0, size
    while high - low > 1:
        middle = (low + high) // 2
        if float(Fraction(comb(size - middle, drawn), comb(size, drawn))) <= risk:
            high = middle
        else:
            low = middle
    return high / size if size else 1.0

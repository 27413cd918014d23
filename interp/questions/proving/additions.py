"""Additions to a sum of integers, such as that of a bias: as terms of the sum they need bits, too.

THEOREM: a sum of some leaves and the term, in any order, lies between the extremes of the leaves' partial
sums, each moved by the term's ends where these lead further out. The addition itself does not wrap if the
sum's ends, moved by the term's, are in the type.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from interp.backends import Array
from interp.engine.storage import storage, storage_range
from interp.questions.proving.judgement import PROVED, UNKNOWN, Judgement, fits
from interp.questions.proving.ranges import Range
from interp.theory.sums import Ends
from spec.ir import Op
from spec.types import ElementType

ADD = "stablehlo.add"


def continues(op: Op) -> bool:
    """Return whether an operation adds plain integers, which wrap."""
    type = op.results[0].type.element_type
    return op.name == ADD and isinstance(type, ElementType) and type.is_integer


def judge_addition(
    op: Op, operands: list[Range], term: Range, before: Judgement
) -> tuple[Judgement, Judgement]:
    """Return the judgement of a sum with another term among its leaves, and that of the addition.

    The sum's own judgement is kept if it is no proof, or if its accumulator is narrower than the addition's.
    """
    type = op.results[0].type.element_type
    low, high = _exact(term.least), _exact(term.greatest)
    ends = Ends(*(sum(map(_exact, x)) for x in zip(*(x.ends for x in operands), strict=True)))
    limits = storage_range(type)
    verdict = PROVED if fits(ends, limits) else UNKNOWN
    added = Judgement(op, type, verdict, "", "", ends, limits, ends)
    is_wide = storage(before.type).is_integer and storage(before.type).bits >= storage(type).bits
    if before.needed is None or before.verdict != PROVED or not is_wide:
        return before, added
    least, greatest = map(_exact, before.needed)
    needed = Ends(least + np.minimum(low, 0), greatest + np.maximum(high, 0))
    if before.ends is not None and fits(needed, limits):
        return replace(before, ends=needed, needed=needed), added
    return replace(before, needed=needed, why=f"before {op.results[0].name} adds a term to it"), added


def _exact(x: Array) -> Array:
    return np.asarray(x).astype(object)
